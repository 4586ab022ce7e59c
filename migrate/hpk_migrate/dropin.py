# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads hpk's drop-in for Kokkos, tpls/kokkos, which is the list of all names that differ.

The headers of the drop-in are read each time, in the source tree or in an install, so that hpk-migrate has no
second list of their names. A declaration is a rename if the drop-in only gives a name of hpk another place
(`using hpk::ScatterView;` in namespace Experimental). All others are names that hpk itself does not have.
"""
import re
from dataclasses import dataclass
from pathlib import Path

from .tokens import after, before, chain, closing, tokenize


class NoDropIn(Exception):
    pass


@dataclass
class Entity:
    """A declaration of the drop-in. The path begins with hpk or desul, except in the global namespace."""
    path: tuple
    kind: str  # rename, class, function, variable, alias, namespace
    target: str = ""  # of a rename: what to write instead
    text: str = ""
    file: str = ""
    specialises: bool = False
    defined: bool = True  # false: only a declaration, the definition is in the library of the drop-in


@dataclass
class Macro:
    name: str
    parameters: str
    body: str


class Header:
    """The declarations, macros and includes of one file of the drop-in.

    Declarations in unnamed namespaces are left out, except with `unnamed`; their paths then contain "".
    """

    def __init__(self, name, text, version=0, unnamed=False):
        self.name, self.text, self.version, self.unnamed = name, text, version, unnamed
        self.tokens = tokenize(text)
        self.includes, self.entities, self.macros = [], [], []
        self.namespaces = []
        self._read()

    def _line_end(self, i):
        while i < len(self.tokens) and self.tokens[i].kind != "newline":
            i += 1
        return i

    def _read(self):
        tokens, i = self.tokens, 0
        path, dropped = [], []  # the namespaces around the place, and for each #if whether it is left out
        comment = None
        while i < len(tokens):
            token = tokens[i]
            if token.kind == "comment" and token.text.startswith("///"):
                comment = i if comment is None else comment
            if token.blank:
                # A blank line ends a comment's claim on what follows.
                if token.kind == "newline" and i > 0 and tokens[i - 1].kind == "newline":
                    comment = None
                i += 1
            elif token.directive:
                i = self._directive(i, dropped)
                comment = None
            elif any(dropped):
                i += 1
            elif token.text == "namespace":
                i, comment = self._namespace(i, path), None
            elif token.text == "}":
                path.pop()
                i += 1
            else:
                end = self._declaration(i, [name for names in path for name in names], comment)
                i, comment = end, None

    def _directive(self, i, dropped):
        end = self._line_end(i)
        words = [token for token in self.tokens[i:end] if not token.blank]
        line = "".join(token.text for token in self.tokens[i:end])
        kind = words[1].text if len(words) > 1 else ""
        if kind in ("if", "ifdef", "ifndef"):
            condition = re.fullmatch(r"#if HPK_KOKKOS_VERSION < (\d+)", line.strip())
            dropped.append(bool(condition) and self.version >= int(condition[1]))
        elif kind in ("else", "elif"):
            dropped[-1] = False
        elif kind == "endif":
            dropped.pop()
        elif kind == "include" and words[2].text.startswith("<"):
            self.includes.append(words[2].text[1:-1])
        elif kind == "define":
            match = re.match(r"#define (\w+)(\([^)]*\))?(.*)", line, re.DOTALL)
            self.macros.append(Macro(match[1], match[2] or "", re.sub(r"\\\n|\s+", " ", match[3]).strip()))
        return end

    def _namespace(self, i, path):
        tokens = self.tokens
        first = after(tokens, i)
        names = [name for name, _ in chain(tokens, first)] if tokens[first].kind == "name" else [""]
        behind = first if names == [""] else after(tokens, chain(tokens, first)[-1][1])
        around = [name for part in path for name in part]
        if tokens[behind].text == "=":
            end = behind
            while tokens[end].text != ";":
                end += 1
            target = "".join(token.text for token in tokens[behind + 1:end]).strip()
            self._add(around + names, "rename", target, i, end)
            return end + 1
        if names == [""] and not self.unnamed:
            return closing(tokens, behind) + 1
        path.append(names)
        self.namespaces.append(tuple(around + names))
        return behind + 1

    def _add(self, path, kind, target, first, last, **more):
        text = "".join(token.text for token in self.tokens[first:last + 1])
        self.entities.append(Entity(tuple(path), kind, target, text, self.name, **more))

    def _end(self, i):
        """The index of the last token of the declaration at i."""
        tokens, conditions = self.tokens, 0
        while i < len(tokens):
            text = tokens[i].text
            if tokens[i].directive:
                word = tokens[after(tokens, i)].text
                conditions += word.startswith("if")
                i = self._line_end(i)
                if word == "endif":
                    conditions -= 1
                    if conditions == 0:
                        return i - 1
            elif conditions:
                pass  # two forms of one declaration
            elif text in "([" and tokens[i].kind == "sign":
                i = closing(tokens, i)
            elif text == ";":
                return i
            elif text == "{":
                expression = self._is_requires_expression(i)
                i = closing(tokens, i)
                if not expression:
                    behind = after(tokens, i)
                    return behind if behind < len(tokens) and tokens[behind].text == ";" else i
            i += 1
        return len(tokens) - 1

    def _is_requires_expression(self, i):
        tokens = self.tokens
        k = before(tokens, i)
        if tokens[k].text == ")":
            depth = 0
            while True:
                depth += {")": 1, "(": -1}.get(tokens[k].text, 0)
                if depth == 0:
                    break
                k -= 1
            k = before(tokens, k)
        return tokens[k].text == "requires" and tokens[before(tokens, k)].text in ("requires", "=", "&&", "(", ">")

    def _angles(self, i):
        depth = 0
        while True:
            depth += {"<": 1, ">": -1}.get(self.tokens[i].text, 0)
            if self.tokens[i].text == "(":
                i = closing(self.tokens, i)
            if depth == 0:
                return i
            i += 1

    def _declaration(self, i, path, comment):
        tokens = self.tokens
        start = comment if comment is not None else i
        name = tokens[i].text
        opening = after(tokens, i)
        if re.fullmatch(r"HPK_KOKKOS_\w+", name) and tokens[opening].text == "(":
            end = closing(tokens, opening)
            if name.endswith("MATH") and path[-1:] == ["Experimental"]:
                function = tokens[opening + 1].text
                self._add([*path, function], "rename", "hpk::" + function, i, end)
            return end + 1
        end = self._end(i)
        if name == "using":
            self._using(i, end, path, start)
            return end + 1
        names, kind, special = self._declared(i, end)
        if names:
            body = any(token.text == "{" for token in tokens[i:end + 1])
            self._add([*path, *names], kind, "", start, end, specialises=special,
                      defined=body or kind != "function")
        return end + 1

    def _using(self, i, end, path, start):
        tokens = self.tokens
        first = after(tokens, i)
        if tokens[first].text == "namespace":
            return
        names = chain(tokens, first)
        behind = after(tokens, names[-1][1])
        if tokens[behind].text == ";":
            target = "::".join(name for name, _ in names)
            self._add([*path, names[-1][0]], "rename", target, start, end)
        else:
            target = "".join(token.text for token in tokens[behind + 1:end]).strip()
            plain = re.fullmatch(r"[\w:]+(<>)?", target) and not re.search(r"\bdetail\b", target)
            self._add([*path, names[0][0]], "rename" if plain else "alias", target, start, end)

    def _clause(self, i):
        """The last token of the requires-clause at i: of the form (...), requires(...) { ... } or name<...>."""
        tokens = self.tokens
        i = after(tokens, i)
        if tokens[i].text == "(":
            return closing(tokens, i)
        if tokens[i].text == "requires":
            while tokens[i].text != "{":
                i += 1
            return closing(tokens, i)
        i = chain(tokens, i)[-1][1]
        behind = after(tokens, i)
        return self._angles(behind) if tokens[behind].text == "<" else i

    def _declared(self, i, end):
        """What the tokens i to end declare: names, kind, and whether they specialise a template."""
        tokens, special = self.tokens, False
        while i < end:
            text = tokens[i].text
            if text == "template":
                opening = after(tokens, i)
                i = self._angles(opening)
                special = special or after(tokens, opening) == i
                while tokens[after(tokens, i)].text == "requires":
                    i = self._clause(after(tokens, i))
            elif text in ("struct", "class", "enum", "union"):
                i = after(tokens, i)
                while tokens[i].text in ("class", "alignas") or tokens[i].text.isupper():
                    i = after(tokens, i)
                    if tokens[i].text == "(":
                        i = after(tokens, closing(tokens, i))
                return [tokens[i].text], "class", special or tokens[after(tokens, i)].text == "<"
            elif text == "using":
                i = after(tokens, i)
                return [tokens[i].text], "alias", special
            elif tokens[i].kind == "name" and text not in ("noexcept", "decltype", "explicit", "requires",
                                                                  "alignas"):
                if text == "operator":
                    return [], "function", special
                names = chain(tokens, i)
                behind = after(tokens, names[-1][1])
                special = special or (tokens[behind].text == "<" and
                                      tokens[after(tokens, self._angles(behind))].text == "=")
                if tokens[behind].text == "(" and not text.isupper():
                    return [name for name, _ in names], "function", special
                if tokens[behind].text in ("=", ";", "{") or (special and tokens[behind].text == "<"):
                    return [name for name, _ in names], "variable", special
                i = names[-1][1]
                if tokens[behind].text == "<":
                    i = self._angles(behind)
            elif text == "(":
                i = closing(tokens, i)
            i += 1
        return [], "function", special


class DropIn:
    """All headers of the drop-in.

    `headers` maps the names that programs include to what Kokkos' header brings; `renames` maps what programs
    write behind Kokkos:: to what hpk calls it; `entities` has the names that hpk does not have.
    """

    def __init__(self, include, table):
        include, table = Path(include), Path(table)
        if not (include / "Kokkos_Macros.hpp").is_file() or not table.is_file():
            raise NoDropIn(f"hpk's headers for programs of Kokkos were not found in {include}")
        macros = (include / "Kokkos_Macros.hpp").read_text()
        self.version = int(re.search(r"#define HPK_KOKKOS_VERSION (\d+)", macros)[1])
        self.files = {}
        for path in sorted(include.rglob("*.hpp")):
            name = path.relative_to(include).as_posix()
            text = path.read_text()
            if "Generated; see tpls/kokkos" not in text:
                self.files[name] = Header(name, text, self.version)
        self.headers = {name: [name] for name in self.files if "Kokkos_" in name or name.startswith("desul/")}
        self._read_table(table.read_text())
        # Definitions that the drop-in keeps out of its headers.
        self.sources = []
        for path in sorted(include.parent.glob("names.cpp")) + sorted(table.parent.glob("names.cpp")):
            if path not in [known for known, _ in self.sources]:
                self.sources.append((path, Header(path.name, path.read_text(), self.version)))
        self.macros = {m.name: m for name in self.files for m in self.files[name].macros}
        self.namespaces = {path for header in self.files.values() for path in header.namespaces}
        self.global_names = {entity.path[0] for header in self.files.values() for entity in header.entities
                             if len(entity.path) == 1}
        self.renames, self.entities = {}, []
        for name in self._order():
            for entity in self.files[name].entities:
                if entity.kind == "rename":
                    target = self._resolve(entity)
                    if target is not None:
                        self.renames.setdefault(entity.path, target)
                else:
                    self.entities.append(entity)

    def _order(self):
        """The files, each behind those that it includes."""
        done = []

        def visit(name):
            if name in done or name not in self.files:
                return
            for included in self.files[name].includes:
                visit(included)
            done.append(name)

        for name in ["Kokkos_Core.hpp", *self.files]:
            visit(name)
        return done

    def _read_table(self, text):
        """headers.cmake: variables with lists of `header`, or `header=what it includes`."""
        text = re.sub(r"#[^\n]*", "", text)
        names = {"hpk_kokkos_core": "Kokkos_Core.hpp", "hpk_kokkos_macros": "Kokkos_Macros.hpp"}
        variables = {m[1]: m[2].split() for m in re.finditer(r"set\((\w+)\s([^)]*)\)", text)}
        for variable, items in variables.items():
            for item in items:
                header, *brought = item.split("=")
                if variable in names:
                    self.headers[header] = [names[variable]]
                elif variable == "hpk_kokkos_parts":
                    self.headers[header] = [f"hpk/{brought[0]}.hpp", *brought[1:]]
                elif variable.startswith("hpk_kokkos_"):
                    self.headers[header] = ["Kokkos_Core.hpp", *brought]
        # The loops of headers.cmake: public headers of sorts, of vectors and of single algorithms.
        for m in re.finditer(r"foreach\((\w+) ([\w ]+)\)\s+list\(APPEND \w+ ([^)]*)\)", text):
            for word in m[2].split():
                header, brought = m[3].replace("${" + m[1] + "}", word).split("=")
                self.headers[header] = ["Kokkos_Core.hpp", brought]
        for family in re.search(r"foreach\(family IN ITEMS([^)]*)\)", text)[1].split('"')[1::2]:
            group, *names = family.split()
            for name in names:
                self.headers[f"std_algorithms/Kokkos_{name}.hpp"] = \
                    ["Kokkos_Core.hpp", f"hpk/algorithms/{group}.hpp"]

    def _resolve(self, entity):
        """What to write for a name that the drop-in takes from hpk; None if it has the same place there."""
        target, around = entity.target, entity.path[:-1]
        first = target.split("::")[0]
        if first in ("hpk", "std") or "::" not in target and around == ():
            result = target
        elif "::" not in target and (target == "int" or target in self.global_names):
            result = target
        else:
            # The innermost namespace that has the first name.
            while around and first not in ("numbers", "math") and (*around, first) not in self.namespaces \
                    and around != ("hpk",):
                around = around[:-1]
            result = "::".join([*(("hpk",) if first in ("numbers", "math") else around or ("hpk",)), target])
        return None if result == "::".join(entity.path) else result

    def public_headers(self, name):
        """The headers of hpk, and of the standard library, that a header of the drop-in includes."""
        found, seen = [], set()

        def visit(header):
            if header in seen:
                return
            seen.add(header)
            if header in self.files:
                for included in self.files[header].includes:
                    visit(included)
            elif header not in found:
                found.append(header)

        for first in self.headers[name]:
            visit(first)
        return found
