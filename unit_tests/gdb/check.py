#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs gdb on a program and compares its output.
check.py <gdb> <printers> <program> [containers]"""
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
    "number": "(1.5, -2)",
    "numbers": 'hpk::View "numbers" [2] LayoutRight at 0x.. = {(0) = (0, 0), (1) = (1.5, -2)}',
}
CONTAINERS = {
    "dual": 'hpk::DualView "dual" [2], the host side is newer = {d_view = hpk::View "dual" [2] '
    "LayoutRight at 0x.. = {(0) = 0, (1) = 4}, h_view = "
    'hpk::View "dual" [2] LayoutRight at 0x.. = {(0) = 0, (1) = 4}}',
    "ranked": 'hpk::DynRankView "ranked" [1, 2] = {(0, 0) = 0, (0, 1) = 3}',
    "chunked": 'hpk::DynamicView "chunked" [3] = {(0) = 0, (1) = 0, (2) = 9}',
    "shifted": 'hpk::OffsetView "shifted" [-1 to 2] = {(-1) = 6, (0) = 0, (1) = 0}',
    "bits": 'hpk::Bitset "bits" of 70 bits, 2 set: {3, 69}',
    "map": 'hpk::UnorderedMap "map" of size 2 = {[7] = 0.5, [-205731575] = 1.5}',
    "set": 'hpk::UnorderedMap "set" of size 1 = {{a = 1, b = 2, c = 3}}',
    "scatter": "hpk::ScatterView [3], contributions in copies of threads",
    "appended": 'hpk::AppendBuffer "appended" 1 of 4 values = {(0) = 8}',
    "list": "hpk::vector of size 1 = {(0) = 5}",
    "queue": 'hpk::WorkQueue "queue" 1 of 4 items',
    "jagged": 'hpk::JaggedView = {offsets = hpk::View "jagged_offsets" [3] LayoutRight at 0x.. = '
    '{(0) = 0, (1) = 1, (2) = 3}, values = hpk::View "jagged" [3] LayoutRight at 0x.. = '
    "{(0) = 0, (1) = 0, (2) = 0}}",
    "errors": 'hpk::ErrorReporter = {attempts = hpk::View "errors_attempts" [] LayoutRight at 0x.. = '
    '{() = 0}, ids = hpk::View "errors_ids" [1] LayoutRight at 0x.. = {(0) = 0}, reports = '
    'hpk::View "errors" [1] LayoutRight at 0x.. = {(0) = 0}}',
}


def main():
    gdb, printers, program = sys.argv[1:4]
    wanted = CONTAINERS if "containers" in sys.argv[4:] else EXPECTED
    commands = ["set breakpoint pending off", "source " + printers, "break stop", "run", "up"]
    for name in wanted:
        limit = 3 if name == "padded" else 200
        commands += ["set print elements %d" % limit, "print " + name]
    line = [gdb, "-q", "-batch", "-nx"]
    for command in commands:
        line += ["-ex", command]
    ran = subprocess.run(line + [program], capture_output=True, text=True, timeout=120)
    shown = [l.split(" = ", 1)[1] for l in ran.stdout.splitlines() if l.startswith("$")]
    shown = [re.sub(r"at 0x[0-9a-f]+", "at 0x..", text) for text in shown]
    wrong = 0
    for (name, expected), text in zip(wanted.items(), shown + [""] * len(wanted)):
        if text != expected:
            wrong += 1
            print("%s\n  expected %s\n  got      %s" % (name, expected, text))
    if wrong:
        print(ran.stdout, ran.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
