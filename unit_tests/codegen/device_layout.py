# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the layout of objects in host code and in device code.

device_layout.py SOURCE NVCC [OPTION...]   compiles SOURCE to PTX; needs no GPU

Every kernel of SOURCE writes two numbers: the offset of a member as the front end computes it, and the
member of its argument. Device code must read the member at that offset. The kernel of with_attribute must
read it at another offset, which shows that the script detects the difference. If it does not, the compiler
has been fixed.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    source, *compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "layout.ptx"
        subprocess.run([*compiler, "-w", "-ptx", source, "-o", str(out)], check=True)
        text = out.read_text(encoding="utf-8")
    wrong, right, seen = [], 0, False
    for kernel in text.split(".visible .entry ")[1:]:
        name = kernel.split("(")[0]
        read = re.search(r"ld\.param\.u32\s+%r\d+, \[\w+_param_0\+(\d+)\];", kernel)
        constants = dict(re.findall(r"mov\.u32\s+(%r\d+), (\d+);", kernel))
        written = re.search(r"st\.global\.u32\s+\[%rd\d+\], (%r\d+|\d+);", kernel)
        host = constants.get(written[1], written[1]) if written else None
        if read is None or host is None:
            wrong.append(f"{name}: the script can't read its code")
        elif "with_attribute" in name:
            seen = True
            print(f"[[no_unique_address]]: {host} on hosts, {read[1]} on devices")
        elif host != read[1]:
            wrong.append(f"{name}: a member lies at {host} on hosts, at {read[1]} on devices")
        else:
            right += 1
    print(f"{right} layouts are the same")
    if not seen:
        wrong.append("no kernel takes with_attribute")
    if wrong or right < 15:
        print(*wrong, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
