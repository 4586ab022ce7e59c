# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes of a moved file: hpk's headers for Kokkos', and the standard headers that Kokkos' bring along."""
import posixpath
import re

from . import table
from .tokens import after, before

_STANDARD = {name: header for header, names in table.STANDARD.items() for name in names.split()}
_C = {name: header for header, names in table.C_STANDARD.items() for name in names.split()}
_CALLED = {name for header in ("cassert", "cmath", "cstdio", "cstdlib", "cstring")
           for name in table.C_STANDARD[header].split() if re.fullmatch(r"[a-z0-9]+", name)} - {"stdout", "stderr", "stdin"}


def standard_headers(tokens):
    """The standard headers whose names a file uses, of those that Kokkos_Core.hpp includes."""
    found = set()
    for i, token in enumerate(tokens):
        if token.kind != "name":
            continue
        if token.text.startswith("omp_get_") or token.text.startswith("omp_set_"):
            found.add("omp.h")
        if token.text not in _STANDARD and token.text not in _C:
            continue
        previous = before(tokens, i)
        sign = tokens[previous].text if previous >= 0 else ""
        if sign == "::":
            space = before(tokens, previous)
            if space >= 0 and tokens[space].text == "std":
                found.add(_STANDARD.get(token.text) or _C[token.text])
                # Both an algorithm and a function of the header of its container.
                if token.text == "remove":
                    found.add("algorithm")
        elif sign not in (".", "->") and token.text in _C and token.text not in table.ONLY_WITH_STD:
            behind = after(tokens, i)
            if token.text not in _CALLED or behind < len(tokens) and tokens[behind].text == "(":
                found.add(_C[token.text])
    return found


def _same(header):
    """The C++ name of a C header."""
    return "c" + header[:-2] if header.endswith(".h") and "/" not in header and header != "omp.h" else header


def is_kokkos(name):
    return bool(re.search(r"(^|/)Kokkos(_\w+|Core_config)[.]h", name)) or name.startswith("desul/")


class Includes:
    """Rewrites the includes of one file in `out`, the new texts of its tokens."""

    def __init__(self, source, names, run, newline):
        self.source, self.names, self.run, self.newline = source, names, run, newline
        self.tokens = source.tokens
        self.branches = self._branches()

    def _branches(self):
        """For each header token the branches of #if around it, so that #else has its own includes."""
        result, around, count = {}, [], 0
        for i, token in enumerate(self.tokens):
            if token.text != "#" or token.directive != "#":
                if token.kind == "header":
                    result[i] = tuple(around)
                continue
            word = self.tokens[after(self.tokens, i)].text if after(self.tokens, i) < len(self.tokens) else ""
            count += 1
            if word in ("if", "ifdef", "ifndef"):
                around.append(count)
            elif word in ("else", "elif", "elifdef", "elifndef") and around:
                around[-1] = count
            elif word == "endif" and around:
                around.pop()
        return result

    def _moved(self, name):
        """hpk's headers for an include; None if it stays."""
        if not is_kokkos(name):
            return None
        if name in table.WHOLE_HEADERS:
            return []
        return self.names.includes(name)

    def _line(self, i):
        """The first token of the line of a header, and its newline (or the end of the file)."""
        start = i
        while start > 0 and self.tokens[start - 1].kind != "newline":
            start -= 1
        end = i
        while end < len(self.tokens) and self.tokens[end].kind != "newline":
            end += 1
        return start, end

    def apply(self, out, standard, extra):
        """standard: headers of hpk and of the standard library to have; extra: headers of the program."""
        present = [(_same(name), self.branches[i]) for i, name, _ in self.source.headers if self._moved(name) is None]
        place = None  # the token behind which further lines go
        for i, name, _ in self.source.headers:
            found, branch = self._moved(name), self.branches[i]
            start, end = self._line(i)
            if found is None:
                if is_kokkos(name) or re.search(r"(^|/)Kokkos\w*[.]h", name):
                    self.run.report(self.source.path, self.tokens[i].line, "header", f"hpk has no <{name}>; kept")
                continue
            new = [header for header in found
                   if not any(header == other and branch[:len(around)] == around for other, around in present)]
            present += [(header, branch) for header in new]
            if new:
                out[i] = f"<{new[0]}>"
                add = "".join(f"{self.newline}#include <{header}>" for header in new[1:])
                out[end - 1] += add
            else:
                for k in range(start, min(end + 1, len(out))):
                    out[k] = ""
            if place is None or len(branch) <= place[1]:
                place = (end, len(branch))
        if place is None and self.source.headers:
            outer = min(len(self.branches[i]) for i, _, _ in self.source.headers)
            last = [i for i, _, _ in self.source.headers if len(self.branches[i]) == outer][-1]
            place = (self._line(last)[1], outer)
        have = {name for name, _ in present}
        lines = [f"<{header}>" for header in sorted(standard, key=lambda h: (not h.startswith("hpk/"), h))
                 if header not in have]
        lines += [f'"{header}"' for header in extra if header not in have]
        if not lines:
            return
        text = "".join(f"#include {line}{self.newline}" for line in lines)
        at = place[0] if place else -1
        if at < 0:
            out.insert(0, text)
        elif at < len(out):
            out[at] += text
        else:
            out.append(self.newline + text)


class Tree:
    """Which of the given files include each other, by the ends of their paths."""

    def __init__(self, sources):
        self.by_name = {}
        for source in sources:
            self.by_name.setdefault(posixpath.basename(source.path.as_posix()), []).append(source)

    def closure(self, source):
        """The file and the given files that it includes, directly or through others."""
        found, left = [], [source]
        while left:
            one = left.pop()
            if one in found:
                continue
            found.append(one)
            for _, name, _ in one.headers:
                plain = posixpath.normpath(name).replace("../", "")
                left += [other for other in self.by_name.get(posixpath.basename(plain), [])
                         if ("/" + other.path.as_posix()).endswith("/" + plain)]
        return found
