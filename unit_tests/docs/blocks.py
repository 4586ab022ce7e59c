#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code blocks of a page compile.

blocks.py check PAGE FOLDER COMPILER...   every block of `cpp` is used, and what uses it compiles
blocks.py extract PAGE FOLDER             writes the blocks only
blocks.py output PAGE NAME PROGRAM        PROGRAM prints what stands in the next block of `text` after the block NAME

A block of PAGE is written to FOLDER as <heading>.block, the second under a heading as <heading>-2.block, with the
anchor of the heading. unit_tests/docs/<page>.cpp includes the blocks where they belong: in a function, after the
declarations that the page leaves out. Errors name the line of the page. A block that stands word for word (apart
from its indentation) in a file of example/ or unit_tests/ is compiled there and needs no more.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import pages  # noqa: E402

LANGUAGES = ("cpp", "cmake")
SUFFIXES = (".cpp", ".hpp", ".cu", ".cmake", ".txt")


def blocks(page):
    """Yields name, first line, language and text of each block of C++ and CMake."""
    counts = collections.Counter()
    for heading, line, language, text in pages.blocks(page.read_text()):
        if language in LANGUAGES:
            counts[heading] += 1
            yield heading if counts[heading] == 1 else f"{heading}-{counts[heading]}", line, language, text


def extract(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    found = list(blocks(page))
    for old in folder.glob("*.block"):
        if old.stem not in [block[0] for block in found]:
            old.unlink()
    for name, line, language, text in found:
        mark = "" if language == "cmake" else f'#line {line} "{page}"\n'
        (folder / f"{name}.block").write_text(mark + text)
    return found


def flush_left(text):
    return "\n".join(line.strip() for line in text.strip().splitlines())


def elsewhere():
    for folder in ("example", "unit_tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES:
                yield flush_left(path.read_text(errors="replace"))


def check(page, folder, compiler):
    found = extract(page, folder)
    program = HERE / f"{page.stem}.cpp"
    used = set()
    if program.exists():
        used = set(re.findall(r'^#include "([\w-]+)\.block"', program.read_text(), re.M))
    rest = [block for block in found if block[0] not in used and block[2] != "cmake"]
    if rest:
        files = list(elsewhere())
        rest = [block for block in rest if not any(flush_left(block[3]) in file for file in files)]
    for name, line, _, _ in rest:
        print(f'{page}:{line}: no file compiles this block; add #include "{name}.block" to {program}')
    status = 0
    if program.exists():
        status = subprocess.run([*compiler, "-fsyntax-only", f"-I{folder}", str(program)]).returncode
    print(f"{len(found)} blocks, {len(used)} compiled here")
    return 1 if rest or status else 0


def output(page, name, program):
    line = next(line for known, line, _, _ in blocks(page) if known == name)
    wanted = next(block.text for block in pages.blocks(page.read_text()) if block.line > line and block.language == "text")
    settings = {key: value for key, value in os.environ.items() if not key.startswith("HPK_")}
    settings["HPK_NUM_THREADS"] = "2"
    done = subprocess.run([program], env=settings, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.stdout == wanted:
        return 0
    print(f"{page}: the output of {name} is not\n{done.stdout}")
    return 1


def main():
    what, page, folder, *compiler = sys.argv[1:]
    if what == "output":
        return output(pathlib.Path(page), folder, *compiler)
    page, folder = pathlib.Path(page).resolve(), pathlib.Path(folder)
    if what == "extract":
        extract(page, folder)
        return 0
    return check(page, folder, compiler)


if __name__ == "__main__":
    sys.exit(main())
