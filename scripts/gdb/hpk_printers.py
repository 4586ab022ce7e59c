# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretty-printers of hpk for gdb: `source <prefix>/share/hpk/gdb/hpk_printers.py`, then `print view`.

A View is shown as its label, extents, layout and address, then its elements by index, as many as
`set print elements` allows. Elements that gdb can't read (device memory) are left out and said so.
"""
import re

import gdb

BORROWED = 1  # the lowest bit of the word of an allocation_handle


def layout_name(layout):
    return re.sub(r"^hpk::", "", str(layout.strip_typedefs()))


def find_field(value, name):
    """A member of the object or of one of its bases, or None."""
    for field in value.type.strip_typedefs().fields():
        if field.name == name:
            return value[field]
        if field.is_base_class:
            found = find_field(value[field], name)
            if found is not None:
                return found
    return None


def extents_of(mapping):
    """The extents of a mapping: fixed ones from its type, run-time ones from its storage."""
    list_type = str(mapping.type.strip_typedefs())
    match = re.search(r"extent_list<([^<>]*)>", list_type)
    fixed = [int(re.sub(r"[a-zA-Z]", "", e)) for e in match.group(1).split(",") if e.strip()]
    stored = find_field(mapping, "stored_")
    extents = []
    for r, extent in enumerate(fixed):
        extents.append(int(stored["values"][r]) if extent < 0 else extent)
    return extents


def strides_of(mapping, extents, layout):
    """Elements between neighbours in each dimension, or None for a layout without strides."""
    rank = len(extents)
    if layout == "LayoutStride":
        strides = find_field(mapping, "strides_")
        return [int(strides["values"][r]) for r in range(rank)] if rank else []
    if layout not in ("LayoutLeft", "LayoutRight"):
        return None
    order = list(range(rank)) if layout == "LayoutLeft" else list(range(rank))[::-1]
    strides = [1] * rank
    step = 1
    for position, r in enumerate(order):
        strides[r] = step
        step *= extents[r]
        if position == 0 and rank >= 2:
            pitch = find_field(mapping, "pitch_")
            if pitch is not None and pitch.type.strip_typedefs().code == gdb.TYPE_CODE_INT:
                step = int(pitch)
    return strides


def label_of(view):
    owner = find_field(view, "owner_")
    word = None if owner is None else find_field(owner, "word_")
    if word is None or int(word) & ~BORROWED == 0:
        return None
    record = gdb.Value(int(word) & ~BORROWED).cast(
        gdb.lookup_type("hpk::seam::allocation_record").pointer()
    )
    text = record.dereference()["label"]
    match = re.search(r'"(.*)"', text.format_string(max_elements=0))
    return match.group(1) if match else None


class ViewPrinter:
    def __init__(self, view):
        self.view = view
        self.data = view["data_"]
        self.mapping = view["map_"]
        mapping_type = self.mapping.type.strip_typedefs()
        self.layout = layout_name(mapping_type.template_argument(0))
        self.extents = extents_of(self.mapping)
        self.strides = strides_of(self.mapping, self.extents, self.layout)

    def to_string(self):
        label = label_of(self.view)
        name = '"%s"' % label if label is not None else "(wrapped memory)"
        if int(self.data) == 0:
            name = "(not allocated)"
        return "hpk::View %s [%s] %s at 0x%x" % (
            name,
            ", ".join(str(e) for e in self.extents),
            self.layout,
            int(self.data),
        )

    def children(self):
        size = 1
        for extent in self.extents:
            size *= extent
        if int(self.data) == 0 or size == 0 or self.strides is None:
            return
        limit = gdb.parameter("print elements") or size
        for number in range(min(size, limit)):
            index, rest = [], number
            for extent in reversed(self.extents):
                index.insert(0, rest % extent)
                rest //= extent
            offset = sum(i * s for i, s in zip(index, self.strides))
            name = "(%s)" % ", ".join(str(i) for i in index)
            try:
                element = (self.data + offset).dereference()
                element.fetch_lazy()
            except gdb.MemoryError:
                yield name, "not readable by the host"
                return
            yield name, element


class LayoutPrinter:
    """A run-time layout: its extents, and strides where it has them."""

    def __init__(self, layout, name):
        self.layout = layout
        self.name = name

    def to_string(self):
        unspecified = (1 << 64) - 1
        dimension = self.layout["dimension"]
        extents = [int(dimension[r]) for r in range(8)]
        rank = next((r for r in range(8) if extents[r] == unspecified), 8)
        text = "hpk::%s(%s)" % (self.name, ", ".join(str(e) for e in extents[:rank]))
        stride = self.layout["stride"]
        if self.name == "LayoutStride":
            text += " strides (%s)" % ", ".join(str(int(stride[r])) for r in range(rank))
        elif int(stride) != unspecified:
            text += " stride %d" % int(stride)
        return text


def look_up(value):
    name = str(value.type.strip_typedefs().unqualified())
    if re.match(r"^hpk::View<.*>$", name):
        return ViewPrinter(value)
    match = re.match(r"^hpk::(LayoutLeft|LayoutRight|LayoutStride)$", name)
    if match:
        return LayoutPrinter(value, match.group(1))
    return None


gdb.pretty_printers.insert(0, look_up)
