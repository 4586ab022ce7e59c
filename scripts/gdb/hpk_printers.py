# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretty-printers of hpk for gdb: `source <prefix>/share/hpk/gdb/hpk_printers.py`, then `print view`.

A View is printed as its label, extents, layout and address, then its elements by index, as many as
`set print elements` allows. Elements that gdb cannot read (device memory) are omitted with a note. Containers are
printed by their contents, for example an UnorderedMap as its keys and values; a complex number as "(1.5, -2)".
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


def part_of(value, number):
    """Returns the value in the base compressed<T, number> of the object, or None."""
    for field in value.type.strip_typedefs().fields():
        if not field.is_base_class:
            continue
        kind = field.type.strip_typedefs()
        if kind.name.startswith("hpk::detail::compressed<") and int(kind.template_argument(1)) == number:
            return value[field][kind.fields()[0]]
    return None


def storage_of(mapping, number):
    """Returns the same as part_of() for a mapping, whose bases may have the base."""
    found = part_of(mapping, number)
    for field in mapping.type.strip_typedefs().fields():
        if found is None and field.is_base_class:
            found = storage_of(mapping[field], number)
    return found


def extents_of(mapping):
    """Returns the extents of a mapping: fixed ones from its type, run-time ones from its storage."""
    list_type = str(mapping.type.strip_typedefs())
    match = re.search(r"extent_list<([^<>]*)>", list_type)
    fixed = [int(re.sub(r"[a-zA-Z]", "", e)) for e in match.group(1).split(",") if e.strip()]
    stored = storage_of(mapping, 0)
    extents = []
    for r, extent in enumerate(fixed):
        extents.append(int(stored["values"][r]) if extent < 0 else extent)
    return extents


def strides_of(mapping, extents, layout):
    """Returns the strides in elements, or None for a layout without strides."""
    rank = len(extents)
    if layout == "LayoutStride":
        strides = storage_of(mapping, 1)
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
    owner = part_of(view["own_"], 1)
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
        self.data = view["own_"]["data"]
        self.mapping = part_of(view["own_"], 0)
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
    """A run-time layout: its extents, and its strides if it has any."""

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


class ComplexPrinter:
    """A complex number in the form of hpk::print: (real part, imaginary part)."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        parts = [find_field(self.value, name).format_string() for name in ("re_", "im_")]
        return "(%s)" % ", ".join(parts)


def shown_label(view):
    label = label_of(view)
    return "(no memory)" if label is None else '"%s"' % label


def element(view, *index):
    """Returns the element of a View at an index."""
    printer = ViewPrinter(view)
    offset = sum(i * s for i, s in zip(index, printer.strides))
    return (printer.data + offset).dereference()


def span_of(view):
    return ViewPrinter(view).extents[0]


def guarded(children):
    """Yields children up to the first that gdb cannot read, at most as many as gdb prints."""
    limit = gdb.parameter("print elements")
    for number, (name, read) in enumerate(children):
        if limit and number >= limit:
            return
        try:
            value = read()
            if isinstance(value, gdb.Value):
                value.fetch_lazy()
        except gdb.MemoryError:
            yield name, "not readable by the host"
            return
        yield name, value


class ContainerPrinter:
    """The base of printers of containers: a line and children."""

    def __init__(self, value):
        self.value = value
        self.name = re.match(r"^hpk::(\w+)", str(value.type.strip_typedefs().unqualified())).group(1)

    def headed(self, text):
        return "hpk::%s %s" % (self.name, text)

    def children(self):
        return guarded(self.parts())

    def parts(self):
        return iter(())


class DualViewPrinter(ContainerPrinter):
    def to_string(self):
        view = ViewPrinter(self.value["d_view"])
        newer = None
        state = ViewPrinter(self.value["state_"]).data
        if int(state) != 0:
            newer = {0: "host", 1: "device", 2: "either"}.get(int(state.dereference()["newer_"]))
        notes = "both sides are up to date" if newer is None else "the %s side is newer" % newer
        return self.headed("%s %s, %s" % (shown_label(self.value["d_view"]), view.extents, notes))

    def parts(self):
        yield "d_view", lambda: self.value["d_view"]
        yield "h_view", lambda: self.value["h_view"]


class DynRankViewPrinter(ContainerPrinter):
    def __init__(self, value):
        super().__init__(value)
        shape = value["shape_"]
        self.rank = int(shape["rank"])
        self.extents = [int(shape["extents"][r]) for r in range(self.rank)]
        self.strides = [int(shape["strides"][r]) for r in range(self.rank)]

    def to_string(self):
        return self.headed("%s %s" % (shown_label(self.value["elements_"]), self.extents))

    def parts(self):
        size = 1
        for extent in self.extents:
            size *= extent
        data = ViewPrinter(self.value["elements_"]).data
        for number in range(size if int(data) != 0 else 0):
            index, rest = [], number
            for extent in reversed(self.extents):
                index.insert(0, rest % extent)
                rest //= extent
            offset = sum(i * s for i, s in zip(index, self.strides))
            name = "(%s)" % ", ".join(str(i) for i in index)
            yield name, lambda offset=offset: (data + offset).dereference()


class DynamicViewPrinter(ContainerPrinter):
    def chunks(self):
        table = self.value["table_"]
        for c in range(span_of(table)):
            yield element(table, c)

    def to_string(self):
        label = shown_label(self.value["table_"]).replace(" (table of chunks)", "")
        return self.headed("%s [%d]" % (label, sum(int(c["size"]) for c in self.chunks())))

    def parts(self):
        number = 0
        for chunk in self.chunks():
            for k in range(int(chunk["size"])):
                yield "(%d)" % number, lambda chunk=chunk, k=k: (chunk["data"] + k).dereference()
                number += 1


class OffsetViewPrinter(ContainerPrinter):
    def __init__(self, value):
        super().__init__(value)
        base = next(f for f in value.type.strip_typedefs().fields() if f.is_base_class)
        self.view = ViewPrinter(value[base])
        begins = find_field(value, "begins_")
        rank = len(self.view.extents)
        name = [f.name for f in begins.type.strip_typedefs().fields()][0] if rank else None
        self.begins = [int(begins[name][r]) for r in range(rank)]

    def to_string(self):
        ranges = zip(self.begins, self.view.extents)
        text = ", ".join("%d to %d" % (b, b + e) for b, e in ranges)
        return self.headed("%s [%s]" % (shown_label(self.view.view), text))

    def children(self):
        for name, value in self.view.children():
            numbers = re.findall(r"\d+", name)
            index = [int(n) + b for n, b in zip(numbers, self.begins)]
            yield "(%s)" % ", ".join(str(i) for i in index), value


class BitsetPrinter(ContainerPrinter):
    def ones(self):
        words = self.value["words_"]
        for w in range(span_of(words)):
            word = int(element(words, w))
            for bit in range(64):
                if word >> bit & 1:
                    yield 64 * w + bit

    def to_string(self):
        ones = list(self.ones())
        limit = gdb.parameter("print elements") or len(ones)
        shown = ", ".join(str(i) for i in ones[:limit]) + ("..." if len(ones) > limit else "")
        text = "%s of %d bits, %d set: {%s}"
        words = self.value["words_"]
        return self.headed(text % (shown_label(words), int(self.value["size_"]), len(ones), shown))


class UnorderedMapPrinter(ContainerPrinter):
    """The keys in the map, in the order of their slots, with their values."""

    def __init__(self, value):
        super().__init__(value)
        self.table = value["table_"]
        map_type = value.type.strip_typedefs()
        self.key = map_type.template_argument(0).unqualified()
        self.mapped = map_type.template_argument(1).unqualified()
        self.is_set = self.mapped.strip_typedefs().code == gdb.TYPE_CODE_VOID
        self.keyed = "map_key_table" in str(self.table.type.strip_typedefs())

    def slots(self):
        """Yields (slot, address of the key or its bits, address of the value or None)."""
        data = ViewPrinter(self.table["buckets"]).data
        buckets = int(self.table["bucket_count"])
        if buckets == 0:
            return
        if self.keyed:
            bits = 8 * self.key.sizeof
            scramble = 0x6A09E667F3BCC908 & ((1 << bits) - 1)
            words = self.table["words"]
            listed = {int(element(words, 6 + word)) - 2: word for word in range(4)}
            for slot in range(buckets * 8):
                at = (data + 8 + slot).dereference()
                word = int(at["word"])
                if word < 4 and (word != 2 or slot not in listed):
                    continue
                if word == 2:
                    word = listed[slot]
                yield slot, gdb.Value(word ^ scramble), self.inline(at, "value", 0)
            return
        for bucket in range(buckets):
            at = (data + 1 + bucket).dereference()
            states = int(at["states"])
            for k in range(7):
                if states >> (8 * k) & 0x80:
                    key = at["keys"]["bytes"].address.cast(self.key.pointer()) + k
                    yield bucket * 7 + k, key.dereference(), self.inline(at, "values", k)

    def inline(self, at, name, k):
        if self.is_set:
            return None
        field = find_field(at, name)
        if field is None:
            return None
        return (field["bytes"].address.cast(self.mapped.pointer()) + k).dereference()

    def value_at(self, slot, inline):
        return inline if inline is not None else element(self.table["separate_values"], slot)

    def key_of(self, key):
        if not self.keyed:
            return key
        if self.key.strip_typedefs().code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM):
            return key.cast(self.key)
        return "0x%x" % int(key)

    def to_string(self):
        size = sum(1 for _ in self.slots())
        return self.headed("%s of size %d" % (shown_label(self.table["buckets"]), size))

    def children(self):
        limit = gdb.parameter("print elements")
        for number, (slot, key, value) in enumerate(self.slots()):
            if limit and number >= limit:
                return
            yield "key %d" % number, self.key_of(key)
            if not self.is_set:
                yield "value %d" % number, self.value_at(slot, value)

    def display_hint(self):
        return "array" if self.is_set else "map"


class ScatterViewPrinter(ContainerPrinter):
    def to_string(self):
        where = "in copies of threads" if bool(self.value["copies_"]) else "in one storage"
        extents = extents_of(part_of(self.value["shape_"]["own_"], 0))
        return self.headed("%s, contributions %s" % (extents, where))

    def parts(self):
        if int(ViewPrinter(self.value["data_"]).data) != 0:
            yield "subview()", lambda: self.value["data_"]


class AppendBufferPrinter(ContainerPrinter):
    def used(self):
        return min(int(element(self.value["counts_"], 0)), span_of(self.value["values_"]))

    def to_string(self):
        values = self.value["values_"]
        return self.headed(
            "%s %d of %d values" % (shown_label(values), self.used(), span_of(values))
        )

    def parts(self):
        for i in range(self.used()):
            yield "(%d)" % i, lambda i=i: element(self.value["values_"], i)


class VectorPrinter(ContainerPrinter):
    def to_string(self):
        return self.headed("of size %d" % int(self.value["size_"]))

    def parts(self):
        for i in range(int(self.value["size_"])):
            yield "(%d)" % i, lambda i=i: element(self.value["h_view"], i)


class WorkQueuePrinter(ContainerPrinter):
    def to_string(self):
        counts, turns = self.value["counts_"], self.value["turns_"]
        head, tail = int(element(counts, 0)), int(element(counts, 16))
        label = shown_label(self.value["words_"])
        return self.headed("%s %d of %d items" % (label, tail - head, span_of(turns)))


class MembersPrinter(ContainerPrinter):
    """A container that is printed as its Views."""

    members = {
        "JaggedView": ("offsets_", "values_"),
        "StaticCrsGraph": ("row_map", "entries"),
        "ErrorReporter": ("attempts_", "ids_", "reports_"),
    }

    def to_string(self):
        return "hpk::" + self.name

    def parts(self):
        for name in self.members[self.name]:
            yield name.rstrip("_"), lambda name=name: self.value[name]


CONTAINERS = {
    "DualView": DualViewPrinter,
    "DynRankView": DynRankViewPrinter,
    "DynamicView": DynamicViewPrinter,
    "OffsetView": OffsetViewPrinter,
    "Bitset": BitsetPrinter,
    "ConstBitset": BitsetPrinter,
    "UnorderedMap": UnorderedMapPrinter,
    "ScatterView": ScatterViewPrinter,
    "AppendBuffer": AppendBufferPrinter,
    "vector": VectorPrinter,
    "WorkQueue": WorkQueuePrinter,
    "JaggedView": MembersPrinter,
    "StaticCrsGraph": MembersPrinter,
    "ErrorReporter": MembersPrinter,
}


def look_up(value):
    name = str(value.type.strip_typedefs().unqualified())
    if re.match(r"^hpk::View<.*>$", name):
        return ViewPrinter(value)
    if re.match(r"^hpk::complex<.*>$", name):
        return ComplexPrinter(value)
    match = re.match(r"^hpk::(LayoutLeft|LayoutRight|LayoutStride)$", name)
    if match:
        return LayoutPrinter(value, match.group(1))
    match = re.match(r"^hpk::(\w+)<.*>$", name)
    if match and match.group(1) in CONTAINERS:
        return CONTAINERS[match.group(1)](value)
    return None


gdb.pretty_printers.insert(0, look_up)
