# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the assembly of simd.cpp for the promised properties of vectors.

simd_code.py [--faulty] SOURCE COMPILER...   compiles for SSE2, AVX2 and AVX-512 (x86-64 only)

Every function of simd.cpp must be free of calls, of accesses to the stack and of pointers loaded from memory, and
must use the registers of the target. This detects vectors that are passed in memory, and captured pointers that
the loop loads again. With --faulty every function must break a rule.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TARGETS = {"-msse2": "xmm", "-mavx2 -mfma": "ymm",
           "-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma": "zmm"}
# The restore of a callee-saved register.
RESTORED = re.compile(r"mov[ql]\s+-?\d+\(%r[sb]p\), %(rbx|rbp|r1[2-5])$")
PACKED = re.compile(r"v?(?:add|sub|mul|div|min|max|fn?madd\d*)p[sd]\s")
POINTER_READ = re.compile(r"movq?\s+-?\d*\(%r\w+[^)]*\), %r\w+$")
FUNCTION = re.compile(r"^(?:_Z\d+)?(closure_\w+|pointers_\w+?)(?:l[ldfPK]\w*)?:")


def functions(assembly):
    """Returns {name: instructions}."""
    found, inside = {}, None
    for line in assembly.splitlines():
        if match := FUNCTION.match(line):
            inside = found.setdefault(match[1], [])
        elif line.startswith("\t.cfi_endproc"):
            inside = None
        elif inside is not None and re.match(r"\t[a-z]", line):
            inside.append(line.strip())
    return found


def main():
    faulty = sys.argv[1] == "--faulty"
    source, *compiler = sys.argv[2 if faulty else 1:]
    text = pathlib.Path(source).read_text(encoding="utf-8")
    expected = set(re.findall(r"^\w+ ((?:closure|pointers)_\w+)\(", text, flags=re.M))
    wrong = []
    for options, register in TARGETS.items():
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "simd.s"
            subprocess.run([*compiler, "-O2", "-DNDEBUG", *options.split(), "-S", source, "-o", str(out)],
                           check=True)
            found = functions(out.read_text(encoding="utf-8"))
        names = {name for name in expected if any(f == name or f.startswith(name) for f in found)}
        wrong += [f"{options}: {name} not found" for name in sorted(expected - names)]
        for name, lines in found.items():
            wrong += [f"{options}: {name}: {line}" for line in lines
                      if re.match(r"call|jmp\s+_", line)
                      or (re.search(r"\d\(%r[sb]p", line) or POINTER_READ.match(line))
                      and not RESTORED.match(line)]
            if not any(f"%{register}" in line and PACKED.match(line) for line in lines):
                wrong.append(f"{options}: {name} does not compute with %{register}")
        print(f"{options}: {len(found)} functions")
    if faulty:
        missed = [f"{options}: nothing wrong found in {name}" for options in TARGETS
                  for name in sorted(expected) if not any(w.startswith(f"{options}: {name}") for w in wrong)]
        wrong = missed
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
