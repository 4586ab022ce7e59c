# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the pages of hpk, which are Markdown: prose, blocks of code, headings and links. The checks of pages, the tests
of their code and the documentation site use it."""
import collections
import re

# `heading` is the anchor of the heading above, `line` the number of the first line of `text`.
Block = collections.namedtuple("Block", "heading line language text")


def parts(text):
    """Yields (number, line) for each line of prose, and each Block."""
    heading, block = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if block is None:
                block = Block(heading, number + 1, line.strip().removeprefix("```"), [])
            else:
                yield block._replace(text="".join(f"{each}\n" for each in block.text))
                block = None
        elif block is not None:
            block.text.append(line)
        else:
            heading = anchor(line) or heading
            yield number, line


def anchor(line):
    """The anchor of a heading; nothing for other lines."""
    if match := re.match(r"#+ (.*)", line):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match[1].replace("`", ""))
        return re.sub(r"[^\w -]", "", plain.lower()).replace(" ", "-")
    return None


def prose_lines(text):
    """The lines of a page with their numbers, without blocks of code."""
    return (part for part in parts(text) if not isinstance(part, Block))


def blocks(text):
    return (part for part in parts(text) if isinstance(part, Block))


def anchors(text):
    """The anchors of the headings of a page."""
    return [found for _, line in prose_lines(text) if (found := anchor(line))]


def links(text):
    """Yields number and target of each link to a file or heading of the repository."""
    for number, line in prose_lines(text):
        for target in re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if not re.match(r"\w+:", target):
                yield number, target
