# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the extension calls for kernels: the slow path of a launch, taken once for each combination of
types."""

import os
import re
import threading

from . import _check, _compiler
from ._source import Plan

_lock = threading.RLock()


def _unlock_in_child():
    """A thread that compiled during a fork does not exist in the child."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_unlock_in_child)


def name_of(text, operation, name):
    """The label of a kernel: its name, otherwise the first 60 characters of the text."""
    if name is not None:
        return str(name)
    plain = re.sub(r"\s+", " ", text).strip()
    plain = plain if operation is None else f"{operation} of {plain}"
    return plain if len(plain) <= 60 else plain[:57] + "..."


def without_op(names):
    """The names of a call without "op"."""
    return tuple(name for name in names if name != "op")


def prepare(text, operation, name, names, specs):
    """Compiles the text for these types. Returns what launch.cpp reads."""
    plan = Plan(text, operation, name, names, specs)
    with _lock:
        path = _compiler.compiled(plan, plan.source())
    return (
        path,
        [a.position for a in plan.views],
        [a.position for a in plan.numbers],
        plan.index_rows(),
        plan.waits,
    )


def check(kernel, names, values, specs, bounds):
    """Runs the kernel on Emu with all detectors, in a process of its own."""
    plan = Plan(kernel.text, kernel.op, kernel.name, names, specs, check=True)
    _check.run(plan, kernel, values, bounds)


def source_of(text, operation, name, names, specs):
    """The C++ source that a text becomes for these types."""
    return Plan(text, operation, name, names, specs).source()
