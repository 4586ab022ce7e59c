# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of scripts/bench: as text, and as Markdown in docs/performance.md.

A run is a dictionary with the contents of bench.json: facts, and "pairs", one for each kernel, space and size. A
row of a table contains the pairs of one kernel and size.
"""
import sys

# The column of compile times, which have no ratio.
COMPILER = "compiler"


def beside_kokkos(space):
    """Returns the key under which rows_of() stores the pair of hpk and Kokkos on a space."""
    return f"{space}/Kokkos"


def rows_of(result):
    """Returns [(topic, variant, n, {space: pair})] and the spaces, both in order of appearance."""
    compared = [dict(pair, beside=beside_kokkos(pair["space"])) for pair in result.get("kokkos", {}).get("pairs", [])]
    spaces = list(dict.fromkeys(pair["space"] for pair in result["pairs"]))
    pairs = result["pairs"] + compared
    rows = {}
    for pair in pairs:
        rows.setdefault((pair["topic"], pair["variant"], pair["n"]), {})[pair.get("beside", pair["space"])] = pair
    topics = list(dict.fromkeys(pair["topic"] for pair in pairs))
    variants = list(dict.fromkeys(pair["variant"] for pair in pairs))
    ordered = sorted(rows, key=lambda k: (topics.index(k[0]), variants.index(k[1]), k[2]))
    return [(*key, rows[key]) for key in ordered], spaces


def size(n):
    for unit, name in ((1 << 20, "Mi"), (10**6, "M"), (1 << 10, "Ki"), (10**3, "k")):
        if n >= unit and n % unit == 0:
            return f"{n // unit} {name}"
    return str(n)


def duration(ns):
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= unit:
            return f"{ns / unit:.3g} {name}"
    return f"{ns:.3g} ns"


def number(ratio):
    return f"{ratio:.0f}" if ratio >= 99.5 else f"{ratio:.1f}" if ratio >= 9.95 else f"{ratio:.2f}"


def spread(pair):
    return f"{number(pair['ratio'])} ({number(pair['ratio_q1'])}-{number(pair['ratio_q3'])})"


def cell(pair):
    if pair is None:
        return ""
    return f"{spread(pair)} {duration(pair['hpk_ns'])}" if "ratio" in pair else duration(pair["hpk_ns"])


class Columns:
    """The columns of a table after kernel and size."""

    def __init__(self, result, rows, spaces):
        """Selects the columns that any of these rows needs, in the order of the spaces."""
        used = {key for row in rows for key in row[3]}
        tables = [[COMPILER], [space for space in spaces if space != COMPILER]]
        self.spaces = [space for table in tables[::-1] if used & set(table) for space in table]
        self.compared = [space for space in result.get("kokkos", {}).get("spaces", []) if beside_kokkos(space) in used]

    def heads(self):
        heads = list(self.spaces)
        for space in self.compared:
            heads += [f"{space}: hpk", f"{space}: Kokkos", "Kokkos / hpk"]
        return heads

    def cells(self, by_space):
        cells = [cell(by_space.get(space)) for space in self.spaces]
        for space in self.compared:
            pair = by_space.get(beside_kokkos(space))
            cells += [duration(pair["hpk_ns"]), duration(pair["kokkos_ns"]), spread(pair)] if pair else [""] * 3
        return cells


def table(result):
    """Lines of plain text: a row per kernel and size, with a cell per space."""
    rows, spaces = rows_of(result)
    columns = Columns(result, rows, spaces)
    lines = [["benchmark", "n", *columns.heads()]]
    for topic, variant, n, by_space in rows:
        lines.append([f"{topic} {variant}", size(n), *columns.cells(by_space)])
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return ["  ".join(line[k].rjust(w) if k == 1 else line[k].ljust(w)
                      for k, w in enumerate(widths)).rstrip() for line in lines]


def markdown_tables(result):
    """Returns the tables as Markdown, one per topic."""
    rows, spaces = rows_of(result)
    lines = []
    for topic in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == topic]
        columns = Columns(result, mine, spaces)
        heads = columns.heads()
        lines += ["", f"### {topic}", "", f"| {topic} | n | " + " | ".join(heads) + " |",
                  "|---|---:|" + "---|" * len(heads)]
        for _, variant, n, by_space in mine:
            lines.append(f"| {variant} | {size(n)} | " + " | ".join(columns.cells(by_space)) + " |")
    return lines


def facts(result):
    words = [result["date"][:10], f"commit {result['commit'] or 'unknown'}", result["cpu"], result["compiler"],
             result["flags"]]
    if "kokkos" in result:
        words.append(f"beside Kokkos {result['kokkos']['version']}")
    words += [f"without {part} ({why})" for part, why in result.get("left_out", {}).items()]
    if result["quick"]:
        words.append("--quick")
    return ", ".join(words)


def write_page(result, path):
    """Replaces the text between the two marks."""
    begin, end = "<!-- scripts/bench: begin -->\n", "<!-- scripts/bench: end -->\n"
    text = path.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"bench: {path} needs the lines '{begin.strip()}' and '{end.strip()}', once each")
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    lines = [f"Measured: {facts(result)}.", *markdown_tables(result), ""]
    path.write_text(before + begin + "\n".join(lines) + end + after, encoding="utf-8")
