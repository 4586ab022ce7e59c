# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that scripts/check reads, and their lines."""
import os
import re
import subprocess

DATA = (".mtx", ".png", ".json.gz", ".npy")  # no text


class Tree:
    """The text files of the project, by path relative to its root."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(p for p in self._list() if (root / p).is_file() and not p.endswith(DATA))
        self._text = {}

    def _list(self):
        if (self.root / ".git").exists():
            done = subprocess.run(["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard"],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                return done.stdout.splitlines()
        out = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in ("build", ".git", "__pycache__")]
            out += [os.path.relpath(os.path.join(folder, f), self.root) for f in files]
        return out

    def bytes(self, path):
        return (self.root / path).read_bytes()

    def text(self, path):
        if path not in self._text:
            self._text[path] = self.bytes(path).decode("utf-8", "replace")
        return self._text[path]

    def lines(self, path):
        return enumerate(self.text(path).splitlines(), 1)

    def some(self, *suffixes, under=""):
        return [p for p in self.paths if p.endswith(suffixes) and p.startswith(under)]


def code_lines(text):
    """The lines without comments and strings; #include lines keep their text."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    for number, line in enumerate(text.splitlines(), 1):
        if not re.match(r"\s*#\s*include", line):
            line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
        yield number, re.sub(r"//.*", "", line)
