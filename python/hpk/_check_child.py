# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process of a checked kernel: reads the call that _check.py wrote, and runs it on Emu."""

import json
import os
import resource
import sys


def main(folder):
    # An abort of Emu leaves no core file.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    import hpk
    from hpk import _hpk

    with open(os.path.join(folder, "call.json"), encoding="utf-8") as file:
        call = json.load(file)
    views = []
    for slot, facts in enumerate(call["views"]):
        shape = tuple(facts["shape"])
        host = hpk.view(shape, facts["dtype"], "Host", initialize=False)
        if host.size:
            with open(os.path.join(folder, f"{slot}.bin"), "rb") as file:
                file.readinto(host)
        view = hpk.view(shape, facts["dtype"], "Emu", facts["layout"], facts["label"], initialize=False)
        hpk.deep_copy(view, host)
        views.append(view)
    numbers = [complex(*n) if isinstance(n, list) else n for n in call["numbers"]]
    try:
        _hpk._run_compiled(call["path"], call["label"], tuple(views), tuple(numbers), tuple(call["bounds"]))
        hpk.fence()
    except Exception as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
        os._exit(1)


main(sys.argv[1])
