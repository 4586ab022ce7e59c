#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the C++ of a page, each block in a separate namespace: whole programs, and statements, as the body of
a function. A header declares the names that the blocks use without declaring them.
snippets.py PAGE HEADER COMPILER..."""
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    page, header, *compiler = sys.argv[1:]
    blocks = re.findall(r"^```cpp\n(.*?)^```$", pathlib.Path(page).read_text(), re.M | re.S)
    includes, bodies = ['#include "%s"' % pathlib.Path(header).resolve()], []
    for number, block in enumerate(blocks):
        includes += re.findall(r"^#include .*$", block, re.M)
        code = re.sub(r"^#include .*$", "", block, flags=re.M)
        if "int main(" in code:
            code = code.rstrip().removesuffix("}").replace("int main(", "int run(") + "return 0;\n}"
        else:
            code = "void run() {\n%s}" % code
        bodies.append("namespace block_%d {\n%s\n}  // namespace" % (number, code))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "snippets.cpp"
        source.write_text("\n".join(includes + bodies) + "\n")
        done = subprocess.run([*compiler, "-fsyntax-only", str(source)])
    print("%s: %d blocks" % (page, len(blocks)))
    return done.returncode != 0 or not blocks


sys.exit(main())
