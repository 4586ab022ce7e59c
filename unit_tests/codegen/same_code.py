# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the compiler generates the same instructions for each pair ours_X, theirs_X of a file.

same_code.py FILE COMPILER...   compiles with -O3 -DNDEBUG
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST = 100  # pairs; fewer means that the names were not found


def instructions(body):
    """Returns the lines of a function without directives, with labels named in the order of their use."""
    names = {}
    lines = [line.split() for line in body.splitlines()]
    kept = [" ".join(words) for words in lines
            if words and (not words[0].startswith(".") or re.match(r"\.L\w+:", words[0]))]
    text = re.sub(r"\.LF[BE]\d+:", "", "\n".join(kept))
    return re.sub(r"\.L\w+", lambda label: names.setdefault(label[0], f"L{len(names)}"), text)


def main(file, *compiler):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "functions.s"
        subprocess.run([*compiler, "-O3", "-DNDEBUG", "-fno-ipa-icf", "-S", file, "-o", str(out)],
                       check=True)
        assembly = out.read_text(encoding="utf-8")
    bodies = {}
    for side, name, body in re.findall(r"^_Z\d+(ours|theirs)_(\w+?)PK\w*:\n(.*?)\.cfi_endproc", assembly,
                                       re.S | re.M):
        bodies.setdefault(name, {})[side] = instructions(body)
    unlike = [name for name, pair in bodies.items() if len(pair) != 2 or pair["ours"] != pair["theirs"]]
    for name in unlike:
        print(f"{name}: hpk:: and std:: differ")
        for side, text in bodies[name].items():
            print(f"--- {side}\n{text}")
    print(f"{len(bodies)} pairs")
    return bool(unlike) or len(bodies) < LEAST


sys.exit(main(*sys.argv[1:]))
