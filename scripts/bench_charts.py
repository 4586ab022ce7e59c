# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The charts of scripts/bench: every row, and the rows of SUMMARY for the README."""
import math
import sys
from xml.sax.saxutils import escape

from bench_report import COMPILER, cell, facts, rows_of, size

# Colors of the charts, (light, dark): the role of a mark or a text -> its colors.
THEME = {
    "background": ("#ffffff", "#0d1117"), "ink": ("#1f2937", "#e6edf3"), "muted": ("#57606a", "#9198a1"),
    "grid": ("#e5e7eb", "#21262d"), "axis": ("#6b7280", "#8b949e"),
    "space0": ("#0b6bcb", "#58a6ff"), "space1": ("#c2410c", "#f0883e"), "space2": ("#4d7c0f", "#7ee787"),
    "space3": ("#7e22ce", "#d2a8ff"), "space4": ("#0f766e", "#39d0c3"),
}
# The rows of the summary: the name there, then topic, variant and n.
SUMMARY = [
    ("Launch of a light kernel", "launch", "empty", 1000),
    ("STREAM triad", "stream", "triad", 1 << 25),
    ("Sum, in cache", "reduce", "sum", 1 << 15),
    ("Dot product", "reduce", "dot", 1 << 24),
    ("Exclusive scan of doubles", "scan", "exclusive", 1 << 24),
    ("5-point stencil, MDRange", "stencil", "2d_right", 1 << 22),
    ("Rank-4 loop nest, Restrict", "access", "rank4_right_restrict", 1 << 16),
    ("Transposing deep_copy", "deep_copy", "transpose", 1 << 24),
    ("Matrix-vector, one row per team", "team", "matvec_vectors_simd", 1 << 24),
    ("Sparse matrix-vector", "team", "spmv_64_rows_a_team", 1 << 24),
    ("8 x 8 products in scratch", "team", "gemm_8x8_in_scratch", 2500 << 10),
    ("Histogram, atomics", "histogram", "double_1Mi", 1 << 20),
]


class Picture:
    """An SVG of text, lines and marks, in light or dark colors as the reader's system asks."""

    def __init__(self, width, height, left, right, low, high):
        """left, right: the positions of the ratios low and high. The axis is logarithmic."""
        self.left, self.right, self.low, self.high = left, right, low, high

        def rules(theme):
            return " ".join(f".{name} {{ fill: {colors[theme]}; stroke: none }} "
                            f".{name}-line {{ stroke: {colors[theme]} }}" for name, colors in THEME.items())

        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif">',
            f"<style>{rules(0)} @media (prefers-color-scheme: dark) {{ {rules(1)} }}</style>",
            f'<rect class="background" width="{width}" height="{height}" rx="6"/>']

    def at(self, ratio):
        share = math.log(min(max(ratio, self.low), self.high) / self.low) / math.log(self.high / self.low)
        return self.left + (self.right - self.left) * share

    def text(self, x, y, words, anchor="start", px=11, kind="ink", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{px}" '
                          f'text-anchor="{anchor}"{weight}>{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, kind, width=1.0, opacity=1.0):
        self.parts.append(f'<line class="{kind}-line" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" '
                          f'y2="{y2:.1f}" stroke-width="{width}" stroke-opacity="{opacity}"/>')

    def ratios(self, top, bottom, px=11):
        """The lines and numbers of the axis."""
        for ratio in (0.5, 1, 2, 4, 8):
            strong = ratio == 1
            self.line(self.at(ratio), top, self.at(ratio), bottom, "axis" if strong else "grid",
                      1.5 if strong else 1)
            self.text(self.at(ratio), bottom + px + 3, str(ratio), "middle", px, "muted")

    def mark(self, x, y, k, title="", r=3.6):
        """Draws the mark of space k: a circle, a square or a diamond, so that marks differ without colors."""
        d = [f"M{x - r:.1f} {y:.1f} a{r} {r} 0 1 1 {2 * r} 0 a{r} {r} 0 1 1 {-2 * r} 0 Z",
             f"M{x - 0.88 * r:.1f} {y - 0.88 * r:.1f} h{1.76 * r:.2f} v{1.76 * r:.2f} h{-1.76 * r:.2f} Z",
             f"M{x:.1f} {y - 1.25 * r:.1f} l{1.25 * r:.2f} {1.25 * r:.2f} l{-1.25 * r:.2f} {1.25 * r:.2f} "
             f"l{-1.25 * r:.2f} {-1.25 * r:.2f} Z"][k % 3]
        self.path(d, k, title)

    def path(self, d, k, title):
        self.parts.append(f'<path class="space{k % 5}" d="{d}"><title>{escape(title)}</title></path>')

    def pair(self, y, k, pair, title, r=3.6):
        """Draws one ratio and its quartiles; a triangle if it is outside the axis."""
        x = self.at(pair["ratio"])
        self.line(self.at(pair["ratio_q1"]), y, self.at(pair["ratio_q3"]), y, f"space{k % 5}", 0.6 * r, 0.45)
        if self.low <= pair["ratio"] <= self.high:
            self.mark(x, y, k, title, r)
        else:
            tip = 5 if pair["ratio"] > self.high else -5
            self.path(f"M{x:.1f} {y - 4:.1f} l{tip} 4 l{-tip} 4 Z", k, title)

    def write(self, path):
        path.write_text("\n".join(self.parts + ["</svg>", ""]), encoding="utf-8")


def drawn_rows(result):
    """Returns the rows that have a ratio to a hand-written loop, and their spaces."""
    rows, spaces = rows_of(result)
    spaces = [space for space in spaces if space != COMPILER]
    return [row for row in rows if any(space in row[3] for space in spaces)], spaces


def draw(result, path):
    """Every pair: a row per kernel and size, in two columns."""
    rows, spaces = drawn_rows(result)
    step, top, label, plot, margin = 18, 104, 158, 300, 24
    # Rows with a heading line where the topic changes; then cut into two columns at a heading.
    items = []
    for k, row in enumerate(rows):
        if k == 0 or rows[k - 1][0] != row[0]:
            items.append((row[0], None))
        items.append((None, row))
    heads = [k for k, item in enumerate(items) if item[0] and k > 0] or [len(items)]
    cut = min(heads, key=lambda k: abs(2 * k - len(items)))
    columns = [items[:cut], items[cut:]]
    deep = max(len(column) for column in columns)
    column_width = label + plot + 2 * margin
    picture = Picture(2 * column_width, top + step * deep + 40, 0, 0, 0.4, 8.0)
    picture.text(margin, 28, "hpk beside hand-written loops", px=18, bold=True)
    picture.text(margin, 47, "hand-written time / hpk time: right of 1 hpk is faster; "
                 "bars are the quartiles of the paired ratios, triangles lie outside", kind="muted")
    picture.text(margin, 63, facts(result), kind="muted")
    for k, space in enumerate(spaces):
        picture.mark(margin + 6 + 90 * k, 80, k)
        picture.text(margin + 15 + 90 * k, 84, space)
    for c, column in enumerate(columns):
        left = c * column_width + margin
        x0 = left + label
        picture.left, picture.right = x0, x0 + plot
        picture.ratios(top - 4, top + step * len(column))
        for r, (heading, row) in enumerate(column):
            y = top + step * r + step / 2
            if heading:
                picture.text(left, y + 4, heading, px=12, bold=True)
                continue
            topic, variant, n, by_space = row
            picture.text(x0 - 66, y + 4, variant, "end")
            picture.text(x0 - 10, y + 4, size(n), "end", kind="muted")
            picture.line(x0, y + step / 2, x0 + plot, y + step / 2, "grid", 0.5)
            for k, space in enumerate(spaces):
                if space in by_space:
                    pair = by_space[space]
                    picture.pair(y + (k - (len(spaces) - 1) / 2) * 4.2, k, pair,
                                 f"{topic} {variant} {n} {space}: {cell(pair)}")
    picture.write(path)


def summary_rows(result):
    """Returns [(name, n, {space: pair})] of SUMMARY; ends the program if the run lacks a row."""
    rows = {row[:3]: row[3] for row in rows_of(result)[0]}
    for _, topic, variant, n in SUMMARY:
        if (topic, variant, n) not in rows:
            sys.exit(f"bench: the run has no '{topic} {variant} {n}', which the summary shows; see SUMMARY")
    return [(name, n, rows[topic, variant, n]) for name, topic, variant, n in SUMMARY]


def draw_summary(result, path):
    """The rows of SUMMARY, large enough to read in the README."""
    rows, (_, spaces) = summary_rows(result), drawn_rows(result)
    step, top, label, width, margin = 34, 92, 330, 830, 24
    bottom = top + step * len(rows)
    picture = Picture(width, bottom + 68, label, width - margin - 8, 0.5, 8.0)
    picture.text(margin, 32, "hand-written time / hpk time", px=18, bold=True)
    for k, space in enumerate(spaces):
        x = width - margin - 100 * (len(spaces) - k)
        picture.mark(x + 8, 26, k, r=5.5)
        picture.text(x + 20, 31, space, px=15)
    one = picture.at(1)
    picture.text(one - 12, top - 16, "hpk slower", "end", 14, "muted")
    picture.text(one + 12, top - 16, "hpk faster", "start", 14, "muted")
    for r, (name, n, by_space) in enumerate(rows):
        y = top + step * r + step / 2
        if r % 2 == 0:
            picture.parts.append(f'<rect class="grid" fill-opacity="0.35" x="{margin / 2}" '
                                 f'y="{y - step / 2}" width="{width - margin}" height="{step}"/>')
        picture.text(margin, y + 5, name, px=15)
        picture.text(label - 14, y + 5, size(n), "end", 13, "muted")
    picture.ratios(top - 4, bottom, 14)
    for r, (name, n, by_space) in enumerate(rows):
        y = top + step * r + step / 2
        for k, space in enumerate(spaces):
            if space in by_space:
                pair = by_space[space]
                picture.pair(y + (k - (len(spaces) - 1) / 2) * 9, k, pair,
                             f"{name}, {size(n)}, {space}: {cell(pair)}", 4.6)
    picture.text(margin, bottom + 52, facts(result), px=13, kind="muted")
    picture.write(path)
