# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves one C++ file: names, macros and the words of directives. Includes are in includes.py."""
import re

from . import table
from .tokens import after, before, chain, closing, tokenize

KOKKOS_WORD = re.compile(r"\bKokkos(?=\b|_)|\bKOKKOS_|--kokkos-")
OPENED = ("Experimental", "Impl", "Tools", "Profiling")
TYPE_LIKE = re.compile(r"[A-Z]\w*[a-z]\w*$")


class Source:
    """A C++ file and what a first look tells: its aliases of Kokkos, its includes, its own macros."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = tokenize(text)
        self.aliases, self.own_macros, self.headers = {}, set(), []
        self.opens_kokkos = self.opens_experimental = False
        self.used = set()  # the names of Kokkos in it, as hpk has them
        self.lacking = set()
        tokens = self.tokens
        for i, token in enumerate(tokens):
            if token.kind == "header":
                self.headers.append((i, token.text[1:-1], token.text[0]))
            elif token.kind != "name":
                continue
            elif token.directive == "define" and tokens[before(tokens, i)].text == "define":
                if token.text.startswith(("KOKKOS", "DESUL_")):
                    self.own_macros.add(token.text)
            elif token.text == "namespace" and not token.directive:
                self._namespace(i)

    def _namespace(self, i):
        tokens = self.tokens
        first = after(tokens, i)
        if first >= len(tokens) or tokens[first].kind != "name":
            return
        names = chain(tokens, first)
        behind = after(tokens, names[-1][1])
        sign = tokens[behind].text if behind < len(tokens) else ""
        if sign == "=":
            target = after(tokens, behind)
            if tokens[target].text == "::":
                target = after(tokens, target)
            path = [name for name, _ in chain(tokens, target)]
            if path[0] == "Kokkos" and names[0][0] != "Kokkos":
                self.aliases[names[0][0]] = ("hpk", *path[1:])
        elif names[0][0] == "Kokkos" or names[0][0] in self.aliases:
            path = (*self.aliases.get(names[0][0], ("hpk",)), *[name for name, _ in names[1:]])
            is_using = tokens[before(tokens, i)].text == "using"
            self.opens_kokkos |= path == ("hpk",) or not is_using
            self.opens_experimental |= path == ("hpk", "Experimental")

    @property
    def includes_kokkos(self):
        return any(re.search(r"(^|/)Kokkos(_\w+|Core_config)[.]h|^desul/", name) for _, name, _ in self.headers)


class Rewriter:
    """Writes the file anew: `text` is the result, reports go to the run."""

    def __init__(self, source, names, run, aliases, own_macros, vectors):
        self.source, self.names, self.run = source, names, run
        self.aliases, self.own_macros = aliases, own_macros
        self.vectors = vectors  # whether names that are also algorithms mean SIMD
        self.tokens = source.tokens
        self.out = [token.text for token in self.tokens]
        self.done = set()  # the tokens of names that are decided
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and i not in self.done:
                self._name(i)
            elif token.kind == "string":
                self._string(i)
            elif token.kind == "comment" and run.comments:
                self.out[i] = self._plain(token.text)
        for pattern, name in table.TRIGGERS.items():
            code = "".join(" " if token.kind in ("comment", "string") else token.text for token in self.tokens)
            if re.search(pattern, code) and (source.includes_kokkos or "Kokkos" in code):
                self._lacks(("hpk", name), 0)

    # ---- reports

    def _report(self, i, kind, what):
        self.run.report(self.source.path, self.tokens[i].line, kind, what)

    def _lacks(self, path, i):
        self.source.lacking.add(path)
        self.run.lacks(self.source.path, self.tokens[i].line, path)

    def _string(self, i):
        if KOKKOS_WORD.search(self.tokens[i].text) and self.tokens[i].directive != "include":
            text = re.sub(r"\s+", " ", self.tokens[i].text)
            self._report(i, "string", f"kept {text if len(text) <= 60 else text[:57] + '...'}")

    # ---- names

    def _name(self, i):
        tokens, token = self.tokens, self.tokens[i]
        if token.directive in ("error", "warning", "pragma") or token.text == token.directive:
            return
        if token.text.startswith(("KOKKOS", "DESUL_")):
            self._macro(i)
            return
        previous = before(tokens, i)
        sign = tokens[previous].text if previous >= 0 else ""
        if sign in (".", "->"):
            return
        if sign == "::":
            left = before(tokens, previous)
            # Behind a name or a template this is a member; else the global namespace.
            if left >= 0 and (tokens[left].kind == "name" and tokens[left].text not in ("return", "case", "using",
                                                                                       "const", "typename", "namespace",
                                                                                       "new", "else", "throw")
                              or tokens[left].text == ">"):
                return
        if token.text == "__has_include":
            self._has_include(i)
            return
        base = self._base(i, sign)
        if base is None:
            self._unqualified(i)
            return
        self._qualified(i, base)

    def _base(self, i, sign):
        """The path that the first name of a qualified name stands for, or None."""
        name = self.tokens[i].text
        if name == "Kokkos":
            return ("hpk",)
        if name == "desul":
            return ("desul",)
        behind = after(self.tokens, i)
        qualifies = behind < len(self.tokens) and self.tokens[behind].text == "::"
        if not qualifies:
            return None
        if name in self.aliases:
            return self.aliases[name]
        if name in OPENED and self.source.opens_kokkos and sign != "::":
            return ("hpk", name)
        return None

    def _qualified(self, i, base):
        tokens, names = self.tokens, self.names
        parts = chain(tokens, i)
        self.done.update(index for _, index in parts)
        path = (*base, *[name for name, _ in parts[1:]])
        length, how = names.find(path)
        found = names.canonical(path)[:length]
        if length <= len(base) and parts[0][0] not in ("Kokkos", "desul"):
            length, how = 0, ""
        last = parts[length - len(base)][1] if length > len(base) else i
        self.source.used.add("::".join(names.canonical(path)[1:]))
        if how == "rename" and self._is_algorithm(found):
            how = ""
        if how == "rename" and self._needs_form(found, last):
            how = "lacking"
        if how == "call" and not self._call(i, last, found):
            how = "lacking"
        if how == "rename":
            target = names.renames[found]
            self._replace(i, last, self._with_alias(i, base, target))
            moved = (*target.split("::"), *path[length:])
            self.source.used.add("::".join(moved[1:]))
            there, further = names.find(moved)
            if further == "lacking":
                self._lacks(moved[:there], i)
        elif how == "lacking":
            self._lacks(found, i)
        self._spell(i, how, found)
        if "Impl" in path[1:] and not how:
            self._report(i, "private", "::".join(("Kokkos", *path[1:])) + " is private to Kokkos")

    def _spell(self, i, how, found):
        """The first name of a qualified name that keeps its place."""
        if how in ("rename", "call"):
            return
        if self.tokens[i].text == "Kokkos":
            self.out[i] = "hpk"
        elif self.tokens[i].text == "desul" and how != "lacking":
            left = before(self.tokens, i)
            opens = self.tokens[left].text == "namespace" and self.tokens[before(self.tokens, left)].text != "using"
            if not opens:
                self.out[i] = "hpk"

    def _is_algorithm(self, path):
        return path[:2] == ("hpk", "Experimental") and path[-1] in table.ALSO_ALGORITHMS and not self.vectors

    def _needs_form(self, path, last):
        """Whether the arguments of a call need Kokkos' form of the function, which hpk lacks."""
        if path not in self.names.unless:
            return False
        tokens, opening = self.tokens, after(self.tokens, last)
        if opening < len(tokens) and tokens[opening].text == "<":
            depth = 0
            while opening < len(tokens):
                depth += {"<": 1, ">": -1}.get(tokens[opening].text, 0)
                if depth == 0:
                    break
                opening += 1
            opening = after(tokens, opening)
        if opening >= len(tokens) or tokens[opening].text != "(":
            return False
        arguments = "".join(token.text for token in tokens[opening:closing(tokens, opening)])
        return bool(re.search(self.names.unless[path], arguments))

    def _with_alias(self, i, base, target):
        """Keeps the program's own short name of Kokkos: K::Experimental::ScatterView, K::ScatterView."""
        name = self.tokens[i].text
        if base == ("hpk",) and name != "Kokkos" and target.startswith("hpk::"):
            return name + target[3:]
        return target

    def _replace(self, first, last, text):
        self.out[first] = text
        for k in range(first + 1, last + 1):
            self.out[k] = ""

    def _call(self, i, last, path):
        opening = after(self.tokens, last)
        if opening >= len(self.tokens) or self.tokens[opening].text not in ("(", "{"):
            return False
        function, argument = self.names.calls[path]
        end = closing(self.tokens, opening)
        if end >= len(self.tokens):
            return False
        empty = after(self.tokens, opening) == end
        self._replace(i, last, function)
        self.out[opening] = "(" + argument + ("" if empty else ", ")
        self.out[end] = ")"
        return True

    def _unqualified(self, i):
        tokens, name = self.tokens, self.tokens[i].text
        behind = after(tokens, i)
        sign = tokens[behind].text if behind < len(tokens) else ""
        if sign == "::" and name in self.aliases:
            return
        if name in table.UNQUALIFIED:
            self.out[i] = table.UNQUALIFIED[name]
        elif name.startswith("Kokkos_") and (name,) in self.names.renames:
            self.out[i] = self.names.renames[(name,)]
        elif name.startswith("Kokkos_") and (name,) in self.names.lacking:
            self._lacks((name,), i)
        elif self.source.opens_experimental and TYPE_LIKE.match(name) and sign != "=" \
                and ("hpk", "Experimental", name) in self.names.renames:
            self.out[i] = self.names.renames[("hpk", "Experimental", name)]
        elif self.source.opens_kokkos:
            if ("hpk", name) in self.names.calls and self._call(i, i, ("hpk", name)):
                return
            if ("hpk", name) in self.names.lacking and (TYPE_LIKE.match(name) or sign == "("):
                if ("hpk", name) not in self.names.renames:
                    self._lacks(("hpk", name), i)
            if ("hpk", name) in self.names.renames and (TYPE_LIKE.match(name) or sign == "("):
                self.out[i] = self.names.renames[("hpk", name)]

    # ---- macros

    def _macro(self, i):
        tokens, token, names = self.tokens, self.tokens[i], self.names
        name = token.text
        previous = before(tokens, i)
        word = tokens[previous].text if previous >= 0 else ""
        if name in self.own_macros and not (token.directive == "define" and names.macro_is_known(name)):
            return
        if token.directive in ("define", "undef") and word == token.directive:
            if names.macro_is_known(name):
                self._report(i, "macro", f"#{word} of {name}, a macro of Kokkos; kept")
            return
        self.done.add(i)
        if token.directive in ("ifdef", "ifndef", "elifdef", "elifndef") and word == token.directive:
            self._ifdef(i, previous, name)
        elif token.directive and (word == "defined" or word == "(" and
                                  tokens[before(tokens, previous)].text == "defined"):
            self._defined(i, previous, name)
        elif name in names.comparisons:
            self._version(i, name)
        elif name in names.macros:
            self.out[i] = names.macros[name]
            if name in table.STATEMENTS:
                self._end_statement(i)
            if name.startswith("KOKKOS_VERSION"):
                self._decided(i, name)
        elif name in table.DEFINED:
            # An undefined macro is 0 in #if.
            self.out[i] = table.DEFINED[name]
            if not token.directive or not re.fullmatch(r"HPK_\w+|\d", table.DEFINED[name]):
                self._report(i, "macro", f"the value of {name}; hpk has {table.DEFINED[name]}, 0 or 1")
        else:
            self._unknown(i, name)

    def _unknown(self, i, name):
        if name in table.UNDECIDED:
            self._report(i, "macro", f"{name}: {table.UNDECIDED[name]}; kept")
        elif name in self.names.dropin.macros:
            self._lacks((name,), i)
        elif not name.startswith("KOKKOSKERNELS_"):
            self._report(i, "macro", f"hpk has no macro for {name}; kept, and not defined")

    def _decided(self, i, name):
        version = self.names.version
        self._report(i, "version", f"{name}: decided as for Kokkos {version // 10000}.{version // 100 % 100}; "
                                   "simplify the condition")

    def _ifdef(self, i, previous, name):
        known = table.DEFINED.get(name)
        if known is None and name in self.names.macros:
            if self.names.macros[name].startswith("HPK_") and name not in table.VALUES:
                self.out[i] = self.names.macros[name]  # of functions: defined in hpk too
            else:
                known = "1"
        if known is None:
            if self.out[i] == name:
                self._unknown(i, name)
            return
        word = self.tokens[previous].text  # ifdef, ifndef, elifdef, elifndef
        self.out[previous] = word[:word.index("if") + 2]
        self.out[i] = "!" + known if "ifn" in word else known
        if name.startswith("KOKKOS_VERSION"):
            self._decided(i, name)

    def _defined(self, i, previous, name):
        known = table.DEFINED.get(name)
        if known is None:
            if name in self.names.macros and self.names.macros[name].startswith("HPK_") and name not in table.VALUES:
                self.out[i] = self.names.macros[name]
                return
            if name not in self.names.macros:
                self._unknown(i, name)
                return
            known = "1"
        if self.tokens[previous].text == "(":
            start, end = before(self.tokens, previous), after(self.tokens, i)
        else:
            start, end = previous, i
        self._replace(start, end, known)
        if name.startswith("KOKKOS_VERSION"):
            self._decided(i, name)

    def _version(self, i, name):
        opening = after(self.tokens, i)
        end = closing(self.tokens, opening) if opening < len(self.tokens) else len(self.tokens)
        if end >= len(self.tokens):
            return
        parts = "".join(token.text for token in self.tokens[opening + 1:end]).split(",")
        if len(parts) != 3 or not all(part.strip().isdigit() for part in parts):
            self._report(i, "version", f"{name} of no numbers; kept")
            return
        a, b, c = (int(part) for part in parts)
        self._replace(i, end, f"({self.names.version} {self.names.comparisons[name]} {a * 10000 + b * 100 + c})")
        self._decided(i, name)

    def _end_statement(self, i):
        opening = after(self.tokens, i)
        if self.tokens[i].directive or opening >= len(self.tokens) or self.tokens[opening].text != "(":
            return
        end = closing(self.tokens, opening)
        behind = after(self.tokens, end)
        if end < len(self.tokens) and (behind >= len(self.tokens) or self.tokens[behind].text not in (";", ",", ")")):
            self.out[end] += ";"

    def _has_include(self, i):
        opening = after(self.tokens, i)
        end = closing(self.tokens, opening) if opening < len(self.tokens) else len(self.tokens)
        if end >= len(self.tokens):
            return
        header = "".join(token.text for token in self.tokens[opening + 1:end]).strip()
        found = self.names.includes(header[1:-1])
        self.done.update(range(opening, end))
        if found:
            self._replace(opening + 1, end - 1, f"<{found[-1]}>")

    # ---- text of comments

    def _plain(self, text):
        text = re.sub(r"\b(Kokkos(?:::\w+)+)", lambda match: self._plain_name(match[1]), text)
        text = re.sub(r"<((?:[\w/]+/)?Kokkos_\w+[.]hpp)>",
                      lambda m: f"<{(self.names.includes(m[1]) or [m[1]])[-1]}>", text)
        return re.sub(r"\bKOKKOS_\w+", lambda m: self._plain_macro(m[0]), text)

    def _plain_macro(self, name):
        target = self.names.macros.get(name, table.DEFINED.get(name, name))
        return target if re.fullmatch(r"HPK_\w+|hpk::\w+", target) else name

    def _plain_name(self, text):
        path = ("hpk", *text.split("::")[1:])
        length, how = self.names.find(path)
        if how == "rename":
            return "::".join([self.names.renames[self.names.canonical(path)[:length]], *path[length:]])
        return "::".join(path)

    @property
    def text(self):
        return "".join(self.out)
