# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decides what becomes of a name of Kokkos: the drop-in's declarations and the table, combined."""
import re

from . import table


class Names:
    """Look-ups. Paths are tuples that begin with hpk or desul, or the name alone in the global namespace."""

    def __init__(self, dropin):
        self.dropin = dropin
        self.version = dropin.version
        self.renames = {path: target for path, target in dropin.renames.items()
                        if path[0] in ("hpk", "desul") or "detail" not in target}
        for name, target in table.RENAMES.items():
            self.renames[("hpk", *name.split("::"))] = "hpk::" + target
        self.lacking = {}  # path: its declarations
        self.forward = set()  # classes of hpk that the drop-in declares in advance
        specialised = {entity.path for entity in dropin.entities if entity.specialises}
        for entity in dropin.entities:
            if entity.specialises or "::".join(entity.path[1:]) in table.OVERLOADS or \
                    entity.file in table.WHOLE_HEADERS:
                continue
            if entity.kind != "class" or "{" in entity.text or entity.path in specialised:
                self.lacking.setdefault(entity.path, []).append(entity)
            else:
                self.forward.add(entity.path)
        # A rename may lead to another one, or to a name that hpk lacks.
        for path, target in list(self.renames.items()):
            there = tuple(re.sub(r"<>$", "", target).split("::"))
            if there in self.renames:
                self.renames[path] = self.renames[there]
        self.calls = {("hpk", *name.split("::")): call for name, call in table.CALLS.items()}
        self.unless = {("hpk", *name.split("::")): pattern for name, pattern in table.UNLESS_ARGUMENTS.items()}
        self._macros()

    def _macros(self):
        """macros: what to write for a macro; defined: what `defined(X)` becomes if X is always defined in hpk."""
        self.macros = dict(table.VALUES)
        self.macros.update(table.STATEMENTS)
        for name, macro in self.dropin.macros.items():
            if not name.startswith(("KOKKOS", "DESUL_")) or name in self.macros or name in table.DEFINED \
                    or name in table.UNDECIDED:
                continue
            parameters = macro.parameters.replace("...", "__VA_ARGS__")
            body = macro.body[:-len(parameters)] if parameters and macro.body.endswith(parameters) else macro.body
            if re.fullmatch(r"HPK_(?!KOKKOS)\w+|\d+|\[\[\w+\]\]", body):
                self.macros[name] = body
            elif match := re.fullmatch(r"\(::(hpk::\w+)\)", body):
                self.macros[name] = match[1]
        for name, macro in self.dropin.macros.items():
            if macro.body in self.macros and not macro.parameters:
                self.macros.setdefault(name, self.macros[macro.body])
        version = self.version
        self.macros.update({
            "KOKKOS_VERSION": str(version), "KOKKOS_VERSION_MAJOR": str(version // 10000),
            "KOKKOS_VERSION_MINOR": str(version // 100 % 100), "KOKKOS_VERSION_PATCH": str(version % 100)})
        self.comparisons = {"KOKKOS_VERSION_LESS": "<", "KOKKOS_VERSION_LESS_EQUAL": "<=",
                            "KOKKOS_VERSION_GREATER": ">", "KOKKOS_VERSION_GREATER_EQUAL": ">=",
                            "KOKKOS_VERSION_EQUAL": "=="}
        for name in self.comparisons:
            self.macros.pop(name, None)

    def macro_is_known(self, name):
        return name in self.dropin.macros or name in table.DEFINED

    @staticmethod
    def canonical(path):
        """Profiling is another name of Tools."""
        if len(path) > 1 and path[0] == "hpk" and path[1] == "Profiling":
            return (path[0], "Tools", *path[2:])
        return tuple(path)

    def find(self, path):
        """The longest part of the path from its start that differs in hpk: (length, how), or (0, "").

        how: "call", "rename" or "lacking".
        """
        path = self.canonical(path)
        for length in range(len(path), 0, -1):
            part = path[:length]
            if part in self.calls:
                return length, "call"
            if part in self.renames:
                return length, "rename"
            if part in self.lacking:
                return length, "lacking"
        return 0, ""

    def includes(self, header):
        """The headers of hpk and of the standard library for a header of Kokkos; None if it is unknown."""
        if header not in self.dropin.headers:
            return None
        if header in ("Kokkos_Macros.hpp", "KokkosCore_config.h"):
            return ["hpk/core.hpp"]
        found, explicit = [], self.dropin.headers[header]
        core = []

        def add(name):
            if name not in found:
                found.append(name)

        def visit(name, first):
            if name == "Kokkos_Core.hpp":
                core.append(name)
            elif name == "Kokkos_Macros.hpp":
                pass
            elif name in self.dropin.files:
                for included in self.dropin.files[name].includes:
                    visit(included, False)
            elif name.startswith("hpk/"):
                name = table.PUBLIC.get(name, name)
                if "/" not in name[4:] or name.split("/")[1] in table.PARTS:
                    add(name)
            elif first:
                add(name)

        for name in explicit:
            visit(name, True)
        if core:
            found = ["hpk/core.hpp"] + [name for name in found if re.match(r"hpk/(%s)\b" % "|".join(table.PARTS), name)]
        return found
