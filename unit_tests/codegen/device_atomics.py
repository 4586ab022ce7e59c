# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the instructions of atomic operations in device code with those expected in SOURCE.

device_atomics.py SOURCE NVCC [OPTION...]   compiles SOURCE to PTX; needs no GPU

A comment `// kernel: instruction ...` in SOURCE lists the instructions of a kernel, except for plain loads
and stores. An order stronger than the requested one is an error, and so is a weaker one.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

EXPECTED = re.compile(r"^// (\w+): ((?:(?:ld|st|atom|red|fence|membar)[.\w]+ ?)+)$", re.M)
INSTRUCTION = re.compile(r"^\s*((?:ld|st|atom|red|fence|membar)\.[.\w]+)", re.M)
PLAIN = re.compile(r"(ld|st)\.(param|global)\.")


def main():
    source, *compiler = sys.argv[1:]
    expected = {name: what.split() for name, what in EXPECTED.findall(pathlib.Path(source).read_text(encoding="utf-8"))}
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "atomics.ptx"
        subprocess.run([*compiler, "-w", "-ptx", source, "-o", str(out)], check=True)
        text = out.read_text(encoding="utf-8")
    found = {}
    for kernel in text.split(".visible .entry ")[1:]:
        name = kernel.split("(")[0]
        code = [i for i in INSTRUCTION.findall(kernel) if not PLAIN.match(i)]
        for plain in expected:
            if f"{len(plain)}{plain}E" in name:
                found[plain] = code
    wrong = [f"{name}: {' '.join(found.get(name, ['no code']))} instead of {' '.join(what)}"
             for name, what in expected.items() if found.get(name) != what]
    print(f"{len(expected) - len(wrong)} kernels have the right instructions", *wrong, sep="\n")
    return 1 if wrong or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
