# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A header with the names of Kokkos that hpk lacks, for one program: copies of the drop-in's declarations.

The header belongs to the program, which can replace the names one by one. It contains the names that the program
uses and what these need.
"""
import re

from . import table
from .cpp import Rewriter, Source
from .includes import is_kokkos
from .tokens import tokenize

MARK = "// Written by hpk-migrate. Names: "


class _Quiet:
    comments = False

    def __init__(self):
        self.found = set()

    def report(self, *_):
        pass

    def lacks(self, _path, _line, path):
        self.found.add(path)


def names_in(text):
    """The names that an existing header of leftovers was written for."""
    match = re.search(re.escape(MARK) + r"([^\r\n]*)", text)
    return {tuple(name.split("::")) for name in match[1].split()} if match else set()


class Leftovers:
    def __init__(self, names):
        self.names, self.dropin = names, names.dropin
        self.sources = {}  # definitions outside of the headers
        for _, header in self.dropin.sources:
            for entity in header.entities:
                self.sources[entity.path] = entity

    def available(self, path):
        """Whether the declarations of a name can be copied."""
        if "::".join(path[1:]) in table.ONLY_IN_DROP_IN:
            return False
        if path in [(header,) for header in table.WHOLE_HEADERS]:
            return True
        if len(path) == 1 and path[0] in self.dropin.macros:
            return True
        return all(entity.defined or path in self.sources for entity in self._entities(path))

    def _entities(self, path):
        found = [entity for entity in self.dropin.entities if entity.path == path]
        for file in table.WHOLE_HEADERS:
            found = [entity for entity in found if entity.file != file]
        return found

    def _closure(self, wanted):
        """The names and those that their declarations use."""
        known, left = set(), set(wanted)
        while left:
            path = left.pop()
            known.add(path)
            if len(path) == 1:
                continue
            for entity in self._entities(path):
                for other in [*self.names.lacking, *self.names.forward]:
                    visible = other[:-1] == path[:len(other) - 1] or \
                        re.search(rf"\b{other[-2] if len(other) > 1 else ''}\s*::\s*{other[-1]}\b", entity.text)
                    if other not in known and visible and other[-1] in self._words(entity):
                        left.add(other)
        return known

    @staticmethod
    def _words(entity):
        return {token.text for token in tokenize(entity.text) if token.kind == "name"}

    def _takes(self, entity, names):
        """Specialisations come along with the class that they are for."""
        if entity.path in names:
            return True
        return entity.specialises and bool({path[-1] for path in names} & self._words(entity) - {entity.path[-1]})

    def write(self, wanted, newline):
        """The text of the header."""
        names = self._closure(wanted)
        parts, headers, system = [], {"hpk/core.hpp"}, set()
        for file in self.dropin._order():
            if file in table.WHOLE_HEADERS:
                if (file,) in names:
                    parts.append(self._whole(file))
                continue
            chosen = [entity for entity in self.dropin.files[file].entities
                      if entity.kind != "rename" and self._takes(entity, names)]
            if chosen:
                parts += [self._block(entity) for entity in chosen]
                for name in self.dropin.files[file].includes:
                    if re.match(r"hpk/(%s)\b" % "|".join(table.PARTS), name):
                        headers.add(name)
                    elif "/" not in name and not is_kokkos(name):
                        system.add(name)
                for entity in chosen:
                    if not entity.defined:
                        for _, header in self.dropin.sources:
                            system.update(name for name in header.includes if "/" not in name)
        for path in sorted(names):
            if len(path) == 1 and path[0] in self.dropin.macros:
                macro = self.dropin.macros[path[0]]
                parts.insert(0, f"#define {macro.name}{macro.parameters} {macro.body}".rstrip())
        listed = " ".join("::".join(path) for path in sorted(wanted))
        lines = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", "//",
                 "// Names of Kokkos that hpk lacks, copied from hpk's drop-in for programs of Kokkos. Replace them,",
                 "// then remove this file.", MARK + listed, "#pragma once", ""]
        lines += [f"#include <{name}>" for name in sorted(headers, key=lambda n: (n != "hpk/core.hpp", n))]
        lines += [""] + [f"#include <{name}>" for name in sorted(system)]
        text = self._moved("\n".join(lines) + "\n\n" + "\n\n".join(parts) + "\n")
        return text.replace("\n", newline)

    def _block(self, entity):
        text = entity.text
        if not entity.defined and entity.path in self.sources:
            text = "inline " + re.sub(r"\b(?:\w+::)+(" + entity.path[-1] + r")\b", r"\1",
                                      self.sources[entity.path].text)
        around = entity.path[:-1]
        if not around:
            return text
        using = "using namespace hpk;\n" if around == ("desul",) else ""
        return f"namespace {'::'.join(around)} {{\n{using}{text}\n}}"

    def _whole(self, file):
        text = re.sub(r"\A(//[^\n]*\n)*#pragma once\n", "", self.dropin.files[file].text)
        return re.sub(r"#include <Kokkos_Macros.hpp>\n", "", text).strip()

    def _moved(self, text):
        source = Source("leftovers", text)
        quiet = _Quiet()
        source.opens_kokkos = False
        moved = Rewriter(source, self.names, quiet, {}, set(), False).text
        # Of the drop-in itself.
        return moved.replace("HPK_KOKKOS_VERSION", str(self.names.version))
