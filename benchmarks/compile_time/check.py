#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what the compiler instantiates for a file, and compares it with the record.

check.py RECORD SOURCE CLANG...    CLANG: a clang++ command with the include folders
    --write                        write the record instead
    --time COMPILER                also print the CPU time of COMPILER at -O0 and -O2; not a gate

The record has a line `kind count` for classes and functions. More than 2 % above it is an error: look
at what was added, or write a new record and say why in the commit. Less than 90 % is an error too: the
record is stale.
"""
import argparse
import collections
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

KINDS = {"InstantiateClass": "classes", "InstantiateFunction": "functions"}


def count(command, source):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*command, "-ftime-trace", "-ftime-trace-granularity=0", "-c", str(source),
                               "-o", f"{folder}/out.o"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        events = json.loads(pathlib.Path(folder, "out.json").read_text(encoding="utf-8"))["traceEvents"]
    return collections.Counter(KINDS[e["name"]] for e in events if e["name"] in KINDS)


def cpu_seconds(command, source, tries=3):
    """The least of several."""
    times = []
    for _ in range(tries):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "-c", str(source), "-o", "/dev/null"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--time", metavar="COMPILER")
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("clang", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    found = count(arguments.clang, arguments.source)
    if arguments.time:
        for level in ["-O0"], ["-O2", "-DNDEBUG"]:
            seconds = cpu_seconds([arguments.time, *level, *arguments.clang[1:]], arguments.source)
            print(f"{arguments.time} {' '.join(level)}: {seconds:.2f} s of CPU")
    if arguments.write:
        arguments.record.write_text("".join(f"{k} {found[k]}\n" for k in sorted(found)), encoding="utf-8")
        return 0
    wrong = 0
    for line in arguments.record.read_text(encoding="utf-8").splitlines():
        kind, recorded = line.split()
        print(f"{kind}: {found[kind]} instantiated, {recorded} on record")
        if found[kind] > 1.02 * int(recorded):
            wrong = 1
            print(f"error: {kind}: more than on record; `{' '.join(sys.argv)} --write` after a look")
        if found[kind] < 0.9 * int(recorded):
            wrong = 1
            print(f"error: {kind}: fewer than on record; write the new record")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
