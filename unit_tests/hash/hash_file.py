# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses a hash file strictly, and computes hashes of elements as hpk does (base/byte_hash.hpp)."""
import re
import struct
from dataclasses import dataclass, field

MASK = (1 << 64) - 1


def mixed(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


KEYS = [mixed((k + 1) * 0x9E3779B97F4A7C15 & MASK) for k in range(256)]


def product(x):
    return (x & 0xFFFFFFFF) * (x >> 32)


def hash_of(data, element_bytes, unset):
    """Hashes elements. Words of the byte `unset` all have the same hash, for any byte; None: no byte is special."""
    unit = 8 if element_bytes % 8 == 0 else 4
    if unset is not None and element_bytes % 4 == 0:
        for at in range(0, len(data), unit):
            if data[at:at + unit] == bytes([unset]) * unit:
                data = data[:at] + b"snutesnu"[at % 8:at % 8 + unit] + data[at + unit:]
    total = 0
    for block in range(0, len(data), 1024):
        sums = [0, 0, 0]
        piece = data[block:block + 1024]
        piece += bytes(-len(piece) % 8)
        for k, (word,) in enumerate(struct.iter_unpack("<Q", piece)):
            sums[0] += product(word + KEYS[2 * k] & MASK)
            sums[1] += product(word + KEYS[2 * k + 1] & MASK)
            sums[2] += word
        mix = mixed(block // 1024 + 1)
        for part in reversed(sums):
            mix = mixed(part + mix & MASK)
        total += mix
    return total & MASK


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "\\": "\\"}[m[1]], text)


@dataclass
class View:
    element: str
    shape: str
    flags: str
    type: str
    label: str
    hash: str = ""
    values: bytes = None

    def element_bytes(self):
        if self.element[0] == "x":
            return int(self.element[1:])
        bits, _, count = self.element.lstrip("bfiu").partition("*")
        return (16 if bits == "80" else int(bits) // 8) * int(count or 1)

    def numbers(self):
        """Returns the values, which are doubles, as integers."""
        return [int(x) for x in struct.unpack(f"<{len(self.values) // 8}d", self.values)]


@dataclass
class Launch:
    number: int
    thread: int
    kernel: tuple  # pattern, file, line, label, functor
    nth: int
    views: list = field(default_factory=list)
    error: str = None

    pattern = property(lambda self: self.kernel[0])
    label = property(lambda self: self.kernel[3])
    functor = property(lambda self: self.kernel[4])


@dataclass
class HashFile:
    facts: dict = field(default_factory=dict)
    launches: list = field(default_factory=list)
    messages: list = field(default_factory=list)
    count: int = None  # launches, from the last line

    def key(self, functors=True):
        """Returns the parts that do not depend on the run."""
        return [(l.number, l.thread, l.kernel if functors else l.kernel[:4], l.nth, l.error,
                 [(v.element, v.shape, v.flags, v.type, v.label, v.hash) for v in l.views])
                for l in self.launches]


PATTERNS = ("parallel_for", "parallel_reduce", "parallel_scan", "deep_copy", "fill", "region", "graph")


def read(path):
    """Returns the contents of a file; an AssertionError names the violation of the format."""
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    with open(path + ".values", "rb") as file:
        values = file.read()
    assert text.endswith("\n"), "the last line is not whole"
    lines = text[:-1].split("\n")
    assert lines[0] == "hpk-hash\t1", lines[0]
    found, kernels, views, values_end = HashFile(), [], [], 0
    for line in lines[1:]:
        kind, *fields = line.split("\t")
        fields = [unescaped(f) for f in fields]
        assert found.count is None, f"behind the last line: {line}"
        if kind == "p":
            key, value = fields
            found.facts.setdefault(key, []).append(value)
        elif kind == "k":
            number, *kernel = fields
            assert int(number) == len(kernels) + 1 and len(kernel) == 5, line
            assert kernel[0] in PATTERNS, f"unknown pattern: {line}"
            kernels.append(tuple(kernel))
        elif kind == "v":
            number, *view = fields
            assert int(number) == len(views) + 1 and len(view) == 5, line
            assert re.fullmatch(r"x\d+|(f16|bf16|[fiu]\d+|b8)(\*\d+)?", view[0]), line
            assert re.fullmatch(r"-|\d+(x\d+)*", view[1]) and re.fullmatch("-|r?p?", view[2]), line
            views.append(view)
        elif kind == "l":
            number, thread, kernel, nth = map(int, fields)
            found.launches.append(Launch(number, thread, kernels[kernel - 1], nth))
        elif kind == "h":
            view = View(*views[int(fields[0]) - 1], fields[1])
            assert re.fullmatch("[0-9a-f]{16}", view.hash) and len(fields) in (2, 4), line
            if len(fields) == 4:
                begin, size = int(fields[2]), int(fields[3])
                assert begin == values_end and begin + size <= len(values), line
                values_end += size
                view.values = values[begin:values_end]
            found.launches[-1].views.append(view)
        elif kind == "f":
            found.launches[-1].error, = fields
        elif kind == "m":
            found.messages.append(fields[0])
        elif kind == "e":
            found.count = int(fields[0])
        else:
            raise AssertionError(f"unknown line: {line}")
    unset = int(found.facts["unset"][0], 16) if "unset" in found.facts else None
    for launch in found.launches:
        for view in launch.views:
            if view.values is not None:
                wanted = f"{hash_of(view.values, view.element_bytes(), unset):016x}"
                assert view.hash == wanted, f"{launch} {view}: the hash of its values is {wanted}"
    return found
