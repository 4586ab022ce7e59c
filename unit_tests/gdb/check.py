#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drives gdb over the program and compares what it prints. check.py <gdb> <printers> <program>"""
import re
import subprocess
import sys

EXPECTED = {
    "grid": 'hpk::View "grid" [2, 3] LayoutRight at 0x.. = {(0, 0) = 0, (0, 1) = 10, (0, 2) = 20, '
    "(1, 0) = 30, (1, 1) = 40, (1, 2) = 50}",
    "column": 'hpk::View "grid" [2] LayoutStride at 0x.. = {(0) = 10, (1) = 40}',
    "left": 'hpk::View "left" [3, 2] LayoutLeft at 0x.. = {(0, 0) = 0, (0, 1) = 0, (1, 0) = 0, '
    "(1, 1) = 0, (2, 0) = 0, (2, 1) = 0.5}",
    "padded": 'hpk::View "padded" [33, 2] LayoutLeft at 0x.. = {(0, 0) = 0, (0, 1) = 7, (1, 0) = 0...}',
    "fixed": 'hpk::View "fixed" [2, 2] LayoutRight at 0x.. = {(0, 0) = 0, (0, 1) = 0, (1, 0) = 5, '
    "(1, 1) = 0}",
    "none": "hpk::View (not allocated) [0] LayoutRight at 0x..",
    "layout": "hpk::LayoutStride(2) strides (3)",
    "rows": "hpk::LayoutLeft(33, 2) stride 64",
    "wrapped": "hpk::View (wrapped memory) [] LayoutRight at 0x.. = {() = 120 'x'}",
}


def main():
    gdb, printers, program = sys.argv[1:]
    commands = ["set breakpoint pending off", "source " + printers, "break stop", "run", "up"]
    for name in EXPECTED:
        limit = 3 if name == "padded" else 200
        commands += ["set print elements %d" % limit, "print " + name]
    line = [gdb, "-q", "-batch", "-nx"]
    for command in commands:
        line += ["-ex", command]
    ran = subprocess.run(line + [program], capture_output=True, text=True, timeout=120)
    shown = [l.split(" = ", 1)[1] for l in ran.stdout.splitlines() if l.startswith("$")]
    shown = [re.sub(r"0x[0-9a-f]+", "0x..", text, count=1) for text in shown]
    wrong = 0
    for (name, expected), text in zip(EXPECTED.items(), shown + [""] * len(EXPECTED)):
        if text != expected:
            wrong += 1
            print("%s\n  expected %s\n  got      %s" % (name, expected, text))
    if wrong:
        print(ran.stdout, ran.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
