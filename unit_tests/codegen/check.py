# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the code that the compiler generates for kernels with the marks in nests.cpp.

check.py --report|--assembly --spaces A,B NESTS COMPILER...   compiles with -O3 -DNDEBUG per space

--report: every line that ends with `// vectorised` must be in GCC's report of vectorised loops, and a line
with `// vectorised, not versioned` must have only one form of its loop: no second form for overlapping
memory. The loop that the library runs for kernels of rank 1 must be there once for each function whose name
begins with rank1.

--assembly: no function of the library that loops over a kernel may contain an atomic instruction or a call
that counts owners, so copies of Views and subviews are free there. On x86-64 one function contains a
non-temporal store, of the View with the Streaming trait.
"""
import argparse
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
from collections import Counter

# The functions of hpk::detail that call a kernel in a loop, by their names in assembly.
LOOPS = re.compile(r"^_ZN3hpk6detail\d+(for_indices|fold_[a-z_]+|scan_indices|scan_chains)I[\w.]*:")
ATOMIC = re.compile(r"^\s+(lock\b|ld(add|set|clr)|cas|ldaxr|stlxr|.*(__aarch64_|17allocation_handle))")


def compile_nests(arguments, space, *options):
    """Returns (report, assembly) of nests.cpp for a space."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "nests.s"
        done = subprocess.run([*arguments.compiler, "-O3", "-DNDEBUG", f"-DSPACE=hpk::{space}",
                               *options, "-S", str(arguments.nests), "-o", str(out)],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return done.stderr, out.read_text(encoding="utf-8")


def reported(report, what):
    """Returns [(file name, line)] of the loops for which the report has this text."""
    found = re.findall(rf"^(\S+?):(\d+):\d+: optimized: +loop {what}", report, flags=re.M)
    return [(pathlib.Path(name).name, int(line)) for name, line in found]


def check_report(arguments, space):
    """Returns the loops that are not vectorised as marked."""
    text = arguments.nests.read_text(encoding="utf-8").splitlines()
    marks = {n: line.rpartition("// ")[2] for n, line in enumerate(text, 1)
             if re.search(r"// vectorised(, not versioned)?$", line)}
    plain = sum(bool(re.match(r"void rank1", line)) for line in text)
    if not plain or {"vectorised", "vectorised, not versioned"} - set(marks.values()):
        sys.exit(f"{arguments.nests}: nothing is marked")
    report, _ = compile_nests(arguments, space, "-fopt-info-vec")
    found = reported(report, "vectorized")
    own = {line for name, line in found if name == arguments.nests.name}
    versioned = {line for name, line in reported(report, "versioned")
                 if name == arguments.nests.name}
    wrong = [f"{line}: {space}: not vectorised: {text[line - 1].strip()}"
             for line in sorted(set(marks) - own)]
    wrong += [f"{line}: {space}: versioned: {text[line - 1].strip()}" for line, mark in marks.items()
              if mark != "vectorised" and line in versioned]
    library = sum(name == "range_walk.hpp" for name, _ in found)
    if library < plain:
        wrong.append(f"{space}: {library} of {plain} kernels of rank 1 are vectorised")
    print(f"{space}: {len(own & set(marks))} of {len(marks)} marked loops, {library} of rank 1")
    return wrong


def check_assembly(arguments, space):
    """Returns the atomic instructions in the loops over kernels."""
    _, assembly = compile_nests(arguments, space)
    loops, atomics, streamed, inside = Counter(), Counter(), 0, None
    for line in assembly.splitlines():
        if found := LOOPS.match(line):
            inside = found[1]
            loops[inside] += 1
        elif line.startswith("\t.cfi_endproc"):
            inside = None
        elif inside and ATOMIC.match(line):
            atomics[inside] += 1
        elif inside and line.startswith("\tmovnti"):
            streamed += 1
    print(f"{space}: " + ", ".join(f"{count} x {name}" for name, count in sorted(loops.items())))
    wrong = [f"{space}: {count} atomic instructions in {name}" for name, count in atomics.items()]
    if not streamed and platform.machine() == "x86_64":
        wrong.append(f"{space}: no loop stores past the caches")
    for name in ("for_indices", "fold_iterations", "fold_reduce_blocks", "scan_indices"):
        if name not in loops:
            wrong.append(f"{space}: no {name} found: is the pattern of names out of date?")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    check = parser.add_mutually_exclusive_group(required=True)
    check.add_argument("--report", dest="check", action="store_const", const=check_report)
    check.add_argument("--assembly", dest="check", action="store_const", const=check_assembly)
    parser.add_argument("--spaces", required=True)
    parser.add_argument("nests", type=pathlib.Path)
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    wrong = [line for space in arguments.spaces.split(",")
             for line in arguments.check(arguments, space)]
    for line in wrong:
        print(f"{arguments.nests.name}:{line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
