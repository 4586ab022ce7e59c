#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page and checks that they print what the page shows.

run_page.py PAGE [--copy PATH]... [--link NAME=PATH]... [--path FOLDER]... [--least N]

Runs each block of `sh` by bash in one temporary folder, which is also $HOME. It holds copies of the --copy files
(of a folder: its files) and links to the --link paths; programs are also found in the --path folders. Each line of
the `text` block that follows must be a part of a line of the output, in this order; a line `...` stands for any
lines. In the tables of HPK_PROFILE any number matches any other. Blocks of `console` are not run; neither is a block
whose first command is not there, such as gdb. Fails if fewer than N blocks ran.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True
import pages  # noqa: E402

NUMBER = re.compile(r"\d+(\.\d+)?")


def blocks(page):
    """The commands of the page, each with the lines that it must print."""
    found = list(pages.blocks(pathlib.Path(page).read_text()))
    for block, after in zip(found, [*found[1:], None]):
        if block.language == "sh":
            yield block.text, after.text.splitlines() if after and after.language == "text" else []


def missing_line(output, wanted, any_figures):
    """The first wanted line that no line of the remaining output contains."""
    def plain(line):
        line = NUMBER.sub("0", line) if any_figures else line
        return re.sub(r" +", " ", line.strip())

    rest = [plain(line) for line in output.splitlines()]
    for line in wanted:
        if line == "...":
            continue
        while rest and plain(line) not in rest[0]:
            rest.pop(0)
        if not rest:
            return line
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page")
    for option in ("--copy", "--link", "--path"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("--least", type=int, default=1)
    args = parser.parse_args()
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in args.copy:
            files = [entry.path for entry in os.scandir(path) if entry.is_file()] if os.path.isdir(path) else [path]
            for file in files:
                shutil.copy(file, folder)
        for name, _, path in (link.partition("=") for link in args.link):
            os.symlink(path, os.path.join(folder, name))
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("HPK_", "OMP_"))}
        environment["PATH"] = os.pathsep.join([*args.path, environment["PATH"]])
        environment["HOME"] = folder
        for body, wanted in blocks(args.page):
            program = next(word for word in body.split() if "=" not in word)
            if shutil.which(program, path=environment["PATH"]) is None and "/" not in program:
                print(f"{program} was not found; not run:\n{body}")
                continue
            count += 1
            done = subprocess.run(["bash", "-c" if wanted else "-ec", body], cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
            output = re.sub(r"[\w.+/-]*/(?=\w+\.cpp)", "", done.stdout)  # pages show names without folders
            line = missing_line(output, wanted, "HPK_PROFILE=" in body)
            # Commands whose output is not shown must succeed.
            if line is not None or (not wanted and done.returncode != 0):
                wrong += 1
                print(f"no line with `{line}` in the output of\n{body}\n{output}")
    print(f"{count} blocks, {wrong} wrong")
    return 1 if wrong or count < args.least else 0


if __name__ == "__main__":
    sys.exit(main())
