# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what the compiler made of loops in kernels against what nests.cpp says of them.

check.py NESTS COMPILER...    compiles with -O3 -DNDEBUG for each host space named behind --spaces
    --spaces A,B

Every line that ends with `// vectorised` must be in GCC's report of vectorised loops, and the loop
that the library runs for kernels of rank 1 once for each function whose name begins with rank1.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def vectorised_lines(command):
    """[(file name, line)] of the loops that the compiler says it vectorised."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*command, "-o", f"{folder}/nests.s"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = re.findall(r"^(\S+?):(\d+):\d+: optimized: +loop vectorized", done.stderr, flags=re.M)
    return [(pathlib.Path(name).name, int(line)) for name, line in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--spaces", required=True)
    parser.add_argument("nests", type=pathlib.Path)
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    text = arguments.nests.read_text(encoding="utf-8").splitlines()
    marked = {n for n, line in enumerate(text, 1) if line.rstrip().endswith("// vectorised")}
    plain = sum(bool(re.match(r"void rank1", line)) for line in text)
    if not marked or not plain:
        sys.exit(f"{arguments.nests}: nothing is marked")
    wrong = 0
    for space in arguments.spaces.split(","):
        found = vectorised_lines([*arguments.compiler, "-O3", "-DNDEBUG", f"-DSPACE=hpk::{space}",
                                  "-fopt-info-vec", "-S", str(arguments.nests)])
        own = {line for name, line in found if name == arguments.nests.name}
        for line in sorted(marked - own):
            wrong += 1
            print(f"{arguments.nests.name}:{line}: {space}: not vectorised: {text[line - 1].strip()}")
        library = sum(name == "walk.hpp" for name, _ in found)
        if library < plain:
            wrong += 1
            print(f"{space}: {library} of {plain} kernels of rank 1 are vectorised")
        print(f"{space}: {len(own & marked)} of {len(marked)} marked loops, {library} of rank 1")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
