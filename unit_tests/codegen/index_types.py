# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that an access to a View with 32-bit indices multiplies in 32 bits only.

index_types.py SOURCE COMPILER...   COMPILER: g++, clang++ or nvcc, which compiles to PTX

SOURCE has functions access_NAME_32 and access_NAME_64. The first must have no 64-bit multiplication and at most
one conversion of an offset to 64 bits. The second must have 64-bit multiplications, which shows that the script
finds them.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# For x86-64, AArch64 and PTX.
MULTIPLIES = re.compile(r"\s(imulq\b|m(ul|add)\s+x\d|(mul|mad)\.lo\.[su]64)")
EXTENDS = re.compile(r"\s(movslq|cltq|sxtw|mul\.wide\.[su]32|cvt\.s64\.s32)\b|sxtw #")


def functions(source, compiler):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "access.s"
        if "nvcc" in pathlib.Path(compiler[0]).name:
            flags = ["-w", "-ptx", "-DHPK_TEST_ENTRY=__global__"]
        else:
            flags = ["-x", "c++", "-O2", "-S", "-DHPK_TEST_ENTRY="]
        subprocess.run([*compiler, "-DNDEBUG", *flags, source, "-o", str(out)], check=True)
        text = out.read_text(encoding="utf-8")
    return re.findall(r"^(?:\.visible \.entry )?access_(\w+)_(32|64)(?::|\().*?\n(.*?)\n\s*ret", text,
                      re.S | re.M)


def main():
    source, *compiler = sys.argv[1:]
    found = functions(source, compiler)
    wrong = 0
    for name, bits, body in found:
        multiplies = len(MULTIPLIES.findall(body))
        extends = len(EXTENDS.findall(body))
        print(f"{name} with {bits}-bit indices: {multiplies} multiplications in 64 bits, {extends} extensions")
        if bits == "32" and (multiplies != 0 or extends > 1):
            wrong += 1
            print(f"error: more than one conversion to 64 bits, or arithmetic there:\n{body}")
        if bits == "64" and multiplies == 0:
            wrong += 1
            print(f"error: the script does not see the multiplications:\n{body}")
    if len(found) != 8:
        print(f"error: {len(found)} functions, not 8")
    return wrong != 0 or len(found) != 8


if __name__ == "__main__":
    sys.exit(main())
