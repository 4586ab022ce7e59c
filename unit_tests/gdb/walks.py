#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the walks of docs/architecture.md with gdb's backtraces: walks.py <gdb> <program> <page>

A walk is a table below a heading "### Walk: ...". Its first column names the functions from the user's call to the
loop, the copy or the allocation, as in the backtrace, outermost first. A frame is its qualified name without
arguments; the lambda of a kernel is "lambda"."""
import re
import subprocess
import sys

# The function at which gdb stops for each walk, in the order in which the program reaches them.
STOPS = {
    "parallel_reduce": "stop_in_kernel",
    "View": "hpk::seam::memory<hpk::HostSpace>::allocate",
    "deep_copy": "hpk::host::machine::copy",
}


def without_brackets(name, opening, closing):
    """Returns the name without the contents of brackets, including nested ones."""
    kept, depth = [], 0
    for at, letter in enumerate(name):
        depth += letter == opening
        if depth == 0:
            kept.append(letter)
        depth -= letter == closing and name[at - 1] != "-"
    return "".join(kept)


def frame_name(line):
    """Returns hpk::detail::call for "#2  0x.. in hpk::detail::call<void, int> (f=...) at kernel.hpp:24"."""
    text = re.sub(r"^#\d+\s+(0x[0-9a-f]+ in )?", "", line)
    text = text.replace("(anonymous namespace)", "program").replace("operator()", "operator_call")
    text = without_brackets(text, "<", ">")
    name = re.split(r"[ (]", text, maxsplit=1)[0]
    if name in ("operator_call", "_FUN") or "{lambda" in text:
        return "lambda"
    return name.replace("operator_call", "operator()")


def backtrace(lines):
    """Returns the frames of hpk between main() and the program's own function, outermost first."""
    names = []
    for line in lines:
        name = frame_name(line)
        if name == "main":
            break
        if not name.startswith("program::"):
            file = re.search(r" at \S*?/core/hpk/(\S+):\d+$", line)
            names.append((name, file[1] if file else None))
    names.reverse()
    return [n for at, n in enumerate(names) if at == 0 or n[0] != "lambda" or names[at - 1][0] != n[0]]


def is_same(seen, told):
    """Returns whether names and files agree. gdb has no files for the library's own functions."""
    return len(seen) == len(told) and all(
        s[0] == t[0] and s[1] in (None, t[1]) for s, t in zip(seen, told))


def documented(page):
    walks, name = {}, None
    for line in page.splitlines():
        if heading := re.match(r"#+ (Walk: (\w+))?", line):
            name = heading[2]
        elif name and (row := re.match(r"\| `([^`]+)` \| `([^`]+)` \|", line)):
            walks.setdefault(name, []).append((row[1], row[2]))
    return walks


def main():
    gdb, program, page = sys.argv[1:4]
    with open(page, encoding="utf-8") as file:
        walks = documented(file.read())
    command = [gdb, "-q", "-batch", "-nx", "-ex", "set breakpoint pending off", "-ex", "set width 0"]
    for number, (walk, place) in enumerate(STOPS.items(), 1):
        command += ["-ex", f"tbreak {place}", "-ex", "run" if number == 1 else "continue",
                    "-ex", f"echo walk {walk}\\n", "-ex", "backtrace"]
    ran = subprocess.run([*command, program], capture_output=True, text=True, timeout=120)
    wrong = 0
    for walk in STOPS:
        part = ran.stdout.partition(f"walk {walk}\n")[2].partition("\nwalk ")[0]
        seen = backtrace([line for line in part.splitlines() if line.startswith("#")])
        told = walks.get(walk, [])
        if not seen or not is_same(seen, told):
            wrong += 1
            for who, frames in ((page, told), ("gdb", seen)):
                print(f"Walk: {walk}, {who} says")
                print("".join(f"  {name}  {file}\n" for name, file in frames), end="")
    if wrong:
        print(ran.stdout, ran.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
