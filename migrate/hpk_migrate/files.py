# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds, reads and writes files, asks git about them, and makes patches.

Texts are decoded as Latin-1, which keeps every byte of every encoding that contains ASCII. Line ends are kept.
"""
import difflib
import os
import re
import subprocess
from pathlib import Path

CPP = re.compile(r"[.](h|hh|hpp|hxx|h\+\+|H|cc|cpp|cxx|c\+\+|C|cu|cuh|hip|inl|ipp|tpp|tcc|txx|inc|ixx|cppm)([.]in)?$")
CMAKE = re.compile(r"(^|/)CMakeLists[.]txt([.]in)?$|[.]cmake([.]in)?$")
SCRIPT = re.compile(r"[.](sh|bash|csh|mk|yml|yaml|slurm|sbatch|pbs|env)$|"
                    r"(^|/)(GNUmakefile|[Mm]akefile|Dockerfile|Containerfile)([.][\w-]+)?$")
SKIPPED = (".git", ".hg", ".svn")


class Failure(Exception):
    """An error with a message for the user."""


def kind(path):
    """cpp, cmake, script, or None for a file that is left alone."""
    name = path.as_posix()
    return "cmake" if CMAKE.search(name) else "cpp" if CPP.search(name) else "script" if SCRIPT.search(name) else None


def find(paths):
    """The files to move: those given, and those in the given folders. Links and build folders are left out."""
    found = []
    for path in map(Path, paths):
        if path.is_symlink():
            raise Failure(f"{path} is a symbolic link: give the file or folder itself")
        if path.is_dir():
            for folder, folders, files in os.walk(path):
                folders[:] = sorted(name for name in folders if name not in SKIPPED
                                    and not os.path.exists(os.path.join(folder, name, "CMakeCache.txt")))
                found += [file for name in sorted(files) if kind(file := Path(folder, name)) and not file.is_symlink()]
        elif path.is_file():
            if kind(path) is None:
                raise Failure(f"{path} is neither a C++ file, nor one of CMake, nor a script: "
                              "the ending of its name is unknown")
            found.append(path)
        else:
            raise Failure(f"{path} does not exist")
    return list(dict.fromkeys(found))


def read(path):
    """The text, or None for a file in an encoding without ASCII (UTF-16) or with binary data."""
    data = path.read_bytes()
    return None if b"\0" in data else data.decode("latin-1")


def write(path, text):
    """Rewrites a file and keeps its mode, owner and links."""
    with open(path, "r+b" if path.exists() else "wb") as file:
        file.write(text.encode("latin-1"))
        file.truncate()


def in_text(path):
    """A path as part of a text that is written as Latin-1: its bytes, in any encoding, stay."""
    return os.fsencode(path.as_posix()).decode("latin-1")


def newline_of(text):
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _lines(text):
    """Lines with their ends. Only a line feed ends a line, as for patch."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def diff(path, old, new):
    """A unified diff for `patch -p1` and `git apply`. old None: a new file."""
    name = in_text(path)
    lines = difflib.unified_diff(_lines(old or ""), _lines(new), f"a/{name}" if old is not None else "/dev/null",
                                 f"b/{name}", n=3)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def changed_lines(old, new):
    matcher = difflib.SequenceMatcher(None, _lines(old), _lines(new), autojunk=False)
    return sum(max(b - a, d - c) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")


def from_here(path):
    """The path relative to the current folder, for patches."""
    relative = Path(os.path.relpath(path))
    if ".." in relative.parts:
        raise Failure(f"{path} is outside of the current folder: make the patch in a folder that contains all files")
    return relative


def uncommitted(paths):
    """Those of the files that git does not have as they are. Empty outside of git work trees."""
    folders, found = {}, []
    for path in paths:
        folders.setdefault(path.resolve().parent, []).append(path)
    for folder, files in folders.items():
        try:
            done = subprocess.run(["git", "-C", str(folder), "status", "--porcelain", "-z", "--untracked-files=all",
                                   "--", *[file.name for file in files]], capture_output=True)
        except OSError:
            return []
        if done.returncode == 0 and done.stdout:
            changed = {os.path.basename(os.fsdecode(line)[3:]) for line in done.stdout.split(b"\0") if len(line) > 3}
            found += [file for file in files if file.name in changed]
    return found
