#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of docs/debugging.md and checks their output for the documented lines.

check.py SOURCE APP APP_EMU HPK_DIFF

Runs each block of `sh`. Each line of the `text` block that follows must be a part of a line of the output, in
this order. Blocks of `console` build hpk and are not run; `./dev test --preset tsan` covers them.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

source, app, app_emu, diff = sys.argv[1:5]


def blocks():
    text = open(os.path.join(source, "docs", "debugging.md"), encoding="utf-8").read()
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)
    for k, (kind, body) in enumerate(found):
        if kind == "sh":
            wanted = found[k + 1][1] if k + 1 < len(found) and found[k + 1][0] == "text" else ""
            yield body, wanted.splitlines()


def missing_line(output, wanted):
    """Returns the first wanted line that no line of the remaining output contains."""
    rest = output.splitlines()
    for line in wanted:
        while rest and line.strip() not in rest[0]:
            rest.pop(0)
        if not rest:
            return line
    return None


def main():
    wrong = 0
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(app, os.path.join(folder, "app"))
        os.symlink(app_emu, os.path.join(folder, "app_emu"))
        shutil.copy(os.path.join(source, "scripts", "gdb", "hpk_printers.py"), folder)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("HPK_", "OMP_"))}
        environment["PATH"] = os.path.dirname(diff) + os.pathsep + environment["PATH"]
        for body, wanted in blocks():
            if body.startswith("gdb") and shutil.which("gdb") is None:
                print("gdb was not found; not run:", body)
                continue
            count += 1
            done = subprocess.run(["bash", "-c", body], cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            line = missing_line(re.sub(r"[\w.+/-]*/(?=app\.cpp)", "", done.stdout), wanted)
            if not wanted or line is not None:
                wrong += 1
                print("no line with `%s` in the output of\n%s\n%s" % (line, body, done.stdout))
    print("%d blocks, %d wrong" % (count, wrong))
    return 1 if wrong or count < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
