# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes HPK_HASH files for tests: Run() collects launches, write() writes the text and the values."""
import struct
import zlib

FORMATS = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B",
           "u16": "H", "u32": "I", "u64": "Q", "b8": "?"}
TYPES = {"f64": "double", "f32": "float", "i32": "int", "b8": "bool"}


def escaped(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def pack(element, values):
    """Packs numbers, or returns bytes unchanged, in little-endian order."""
    if isinstance(values, bytes):
        return values
    return b"".join(struct.pack("<" + FORMATS[element.split("*")[0]], v) for v in values)


class View:
    """The content of a View after a launch. Equal content has equal hashes, unless `hash` gives another one."""

    def __init__(self, label, values, element="f64", shape=None, flags="-", type=None, hash=None, has_values=True):
        self.label, self.element, self.flags = label, element, flags
        self.content = pack(element, values)
        count = len(values) // int((element + "*1").split("*")[1]) if not isinstance(values, bytes) else None
        self.shape = shape if shape is not None else str(count)
        self.type = TYPES.get(element, element) if type is None else type
        self.hash = zlib.crc32(self.content) if hash is None else hash
        self.has_values = has_values

    def description(self):
        return "\t".join([self.element, self.shape, self.flags, escaped(self.type), escaped(self.label)])


class Run:
    def __init__(self, **facts):
        self.facts = {"program": "/bin/app", "command": "./app 7", "version": "0.1.0", "commit": "abc",
                      "compiler": "g++ 12.2", "every": "1", "label": "", "regions": "0", "keep": "0",
                      "keep-bytes": "512", "limit": "1000", "endian": "little", "unset": "c9",
                      "space": "OpenMP", "workers": "2"}
        self.facts.update({key.replace("_", "-"): value for key, value in facts.items()})
        self.lines, self.values = [], b""
        self.kernels, self.views, self.counts, self.number = {}, {}, {}, 0

    def number_of(self, table, kind, fields):
        if fields not in table:
            table[fields] = len(table) + 1
            self.lines.append(f"{kind}\t{table[fields]}\t{fields}")
        return table[fields]

    def launch(self, label, *views, pattern="parallel_for", file="app.cpp", line=12, functor="F", thread=0,
               error=None, skip=0):
        """Adds a launch. `skip` launches before it are counted but not written."""
        self.number += 1 + skip
        self.counts[label] = self.counts.get(label, 0) + 1
        fields = "\t".join([pattern, file, str(line), escaped(label), escaped(functor)])
        kernel = self.number_of(self.kernels, "k", fields)
        self.lines.append(f"l\t{self.number}\t{thread}\t{kernel}\t{self.counts[label]}")
        if error is not None:
            self.lines.append("f\t" + escaped(error))
        for view in views:
            place = self.number_of(self.views, "v", view.description())
            line = f"h\t{place}\t{view.hash:016x}"
            if view.has_values:
                line += f"\t{len(self.values)}\t{len(view.content)}"
                self.values += view.content
            self.lines.append(line)
        return self

    def message(self, text):
        self.lines.append("m\t" + text)
        return self

    def text(self, complete=True):
        head = ["hpk-hash\t1"] + [f"p\t{key}\t{escaped(value)}" for key, value in self.facts.items() if value is not None]
        return "\n".join(head + self.lines + ([f"e\t{self.number}"] if complete else [])) + "\n"

    def write(self, path, complete=True):
        with open(path, "w") as file:
            file.write(self.text(complete))
        with open(path + ".values", "wb") as file:
            file.write(self.values)
