# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check=True: the kernel runs first on Emu, with copies of its arrays. Emu ends the program at a mistake,
so the run has a process of its own, and its message becomes an exception here."""

import json
import os
import subprocess
import sys
import tempfile

from . import _compiler, _hpk
from ._hpk import CheckError

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _caller():
    """File and line of the launch: the first frame outside of this package."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if os.path.dirname(os.path.abspath(file)) != _PACKAGE:
            return file, frame.f_lineno
        frame = frame.f_back
    return "<kernel>", 1


def _plain(number):
    """A number as JSON knows it: one of numpy as one of Python, a complex number as two."""
    number = number.item() if hasattr(number, "item") else number
    return [number.real, number.imag] if isinstance(number, complex) else number


def run(plan, kernel, values, bounds):
    if "Emu" not in _hpk.spaces():
        raise _hpk.Error("hpk: check=True needs an hpk with Emu: build it with -Dhpk_ENABLE_EMU=ON")
    file, line = _caller()
    source = plan.source(launch_file=file, launch_line=line)
    path = _compiler.compiled(plan, source, ["-DHPK_CHECKS=1", "-O1"])
    with tempfile.TemporaryDirectory(prefix="hpk-check-") as folder:
        views = []
        for slot, argument in enumerate(plan.views):
            view = values[argument.position]
            # An element as it is in memory, in C order; types without a format travel as they are.
            host = _hpk.view(view.shape, view.dtype, "Host", label=view.label, initialize=False)
            _hpk.deep_copy(host, view)
            with open(os.path.join(folder, f"{slot}.bin"), "wb") as out:
                out.write(host if host.size else b"")
            views.append(
                {
                    "shape": view.shape,
                    "dtype": view.dtype,
                    "layout": argument.layout,
                    "label": view.label or argument.name,
                }
            )
        numbers = [values[a.position] for a in plan.numbers]
        description = {
            "path": path,
            "label": kernel.name,
            "views": views,
            "numbers": [_plain(n) for n in numbers],
            "bounds": bounds,
        }
        with open(os.path.join(folder, "call.json"), "w", encoding="utf-8") as out:
            json.dump(description, out)
        environment = dict(os.environ)
        environment.setdefault("HPK_EMU_CHECK", "all")
        for tool in ("HPK_PROFILE", "HPK_HASH", "HPK_CAPTURE", "HPK_REPLAY"):
            environment.pop(tool, None)
        child = os.path.join(_PACKAGE, "_check_child.py")
        done = subprocess.run(
            [sys.executable, "-I", child, folder],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    if done.returncode != 0:
        text = done.stderr.strip() or f"the run on Emu ended with status {done.returncode}"
        raise CheckError(f"hpk: kernel '{kernel.name}' makes a mistake:\n{text}")
