# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the compiler's messages about a case of a list with the expected ones.

check.py case LIST NAME COMPILER...      one case, or every case when NAME is `all`
check.py size HEADER LINES COMPILER...   a header must have at most LINES lines after preprocessing. LINES is a
                                         number, or 1.2*A+B: 1.2 times the lines of <A> and <B>
check.py refused TEXT FOLDER COMPILER... COMPILER, with a version or standard that is too old, must report TEXT
                                         for every public header in FOLDER, then a missing header, and stop

A case of the list is a line `=== name`, a line `expect: REGEX` and a program. Lines above a line `---` are at
namespace scope (also #include), those below in a function. Lines that begin with "# " are comments.
`#define HPK_...` goes before the headers. The program must give exactly one error, in at most 12 lines of
output, and the line of that error must match the regex. `expect: compiles` is a control: the program must
compile.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time

MOST_LINES = 12
# Further lines of a compiler: the include chain of a header, once for each of two errors.
INCLUDES = 12
COMMENT = "# "


def read_cases(path):
    """Returns {name: (regex, program)} of a list, in its order."""
    cases = {}
    for block in re.split(r"^=== ", pathlib.Path(path).read_text(), flags=re.M)[1:]:
        name, expect, *code = block.rstrip().split("\n")
        if not expect.startswith("expect: "):
            raise SystemExit(f"{path}: case {name} does not begin with 'expect: '")
        code = [line for line in code if not line.startswith(COMMENT)]
        cut = code.index("---") + 1 if "---" in code else 0
        outside, inside = code[:max(cut - 1, 0)], code[cut:]
        switches = [line for line in outside if line.startswith("#define HPK_")]
        outside = [line for line in outside if line not in switches]
        program = [*switches, "#include <hpk/core.hpp>", *outside, "void program() {", *inside, "}", ""]
        cases[name] = (expect.removeprefix("expect: "), "\n".join(program))
    return cases


def compile_text(compiler, program):
    """Returns the exit status and the lines of the messages."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "program.cpp"
        source.write_text(program)
        done = subprocess.run([*compiler, "-fsyntax-only", str(source)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.splitlines()


def faults(expect, status, output):
    """Yields what is wrong with the messages."""
    errors = [line for line in output if re.search(r"\berror:", line)]
    if expect == "compiles":
        if status != 0:
            yield "a right program does not compile"
        return
    if status == 0 or not errors:
        yield "a wrong program compiles"
        return
    if not re.search(expect, errors[0]):
        yield f"the first error does not match '{expect}'"
    if len(errors) != 1:
        yield f"{len(errors)} errors, not one"
    # Ignores the file beside the precompiled header, which a #define makes g++ use instead.
    lines = sum(not re.search(r" from .*/hpk/core\.hpp:1,", line) for line in output)
    if lines > MOST_LINES:
        yield f"{lines} lines, more than {MOST_LINES}"


def check_cases(path, wanted, compiler):
    cases = read_cases(path)
    failed = False
    for name in cases if wanted == "all" else [wanted]:
        expect, program = cases[name]
        status, output = compile_text(compiler, program)
        found = list(faults(expect, status, output))
        failed = failed or bool(found)
        for fault in found:
            print(f"{name}: {fault}")
        if found or wanted != "all":
            print("\n".join(output))
    return failed


def cost_of(headers, compiler):
    """Returns the lines after preprocessing, without blank ones and line markers, and the seconds to compile a file
    that includes these headers."""
    program = "".join(f"#include <{header}>\n" for header in headers)
    start = time.monotonic()
    compile_text(compiler, program)
    seconds = time.monotonic() - start
    done = subprocess.run([*compiler, "-E", "-P", "-x", "c++", "-"], input=program, text=True,
                          capture_output=True, check=True)
    return done.stdout.count("\n"), seconds


def check_size(header, limit, compiler):
    lines, seconds = cost_of([header], compiler)
    most = limit
    if "+" in limit and "*" not in limit:
        other, added = limit.split("+")
        of_other, their_seconds = cost_of([other], compiler)
        most = of_other + int(added)
        print(f"{other}: {of_other} lines, {their_seconds:.2f} s")
    if "*" in limit:
        factor, others = limit.split("*")
        of_others, their_seconds = cost_of(others.split("+"), compiler)
        most = float(factor) * of_others
        print(f"{others}: {of_others} lines, {their_seconds:.2f} s")
    print(f"{header}: {lines} lines after preprocessing, at most {most} allowed; {seconds:.2f} s")
    return lines > float(most) or lines < 1000


def check_refused(text, folder, compiler):
    """Returns whether a header gives another first error, or more lines of output than necessary."""
    folder = pathlib.Path(folder)
    paths = [*folder.glob("hpk/*.hpp"), *folder.glob(f"hpk/{folder.name}/*.hpp")]
    # A header without #include needs no check.
    headers = sorted(path.relative_to(folder) for path in paths if "#include" in path.read_text())
    failed = not headers
    for header in headers:
        status, output = compile_text(compiler, f"#include <{header}>\n")
        errors = [line for line in output if re.search(r"\berror:", line)]
        if status == 0 or len(errors) != 2 or text not in errors[0] or len(output) > MOST_LINES + INCLUDES:
            failed = True
            print(f"<{header}>: {len(output)} lines, {len(errors)} errors", *output[:MOST_LINES], sep="\n")
    print(f"{len(headers)} headers of {folder}")
    return failed


def main(verb, *arguments):
    if verb == "case":
        path, name, *compiler = arguments
        return check_cases(path, name, compiler)
    if verb == "refused":
        text, folder, *compiler = arguments
        return check_refused(text, folder, compiler)
    header, most, *compiler = arguments
    return check_size(header, most, compiler)


sys.exit(main(*sys.argv[1:]))
