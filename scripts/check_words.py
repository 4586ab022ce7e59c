# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of comments and of titles of commits.

A riddle-turn is a phrase that hides who does what: a pronoun in place of a noun, an inverted clause, a vague
verb. One in a file may be the right word; many make a file hard to read. The report counts them in each folder,
per 1,000 lines of comment in C++, and per 1,000 lines of text in pages (scripts/check --words). The limit is
TURNS_LIMIT. A few words never belong in a comment: NEVER.
"""
import re
import subprocess

import pages

TURNS_LIMIT = 35
TURNS = [
    # A verb or pronoun that hides the noun.
    r"\btold\b", r"\bkept\b", r"\b(meets?|met)\b", r"\bmine\b",
    r"\b(either|both|one|some|any|that|no|another) way\b",
    r"\bwhat (was|were|they|has|had|did|not|no|there|one|stands|lies|comes|goes|others?|became"
    r"|is (there|left|behind|done|given|in|to|on|of|at))\b",
    r"\bthose (of|in|with|at|on|it|they)\b",
    r"\b(than|as|is|are|like|from|to|in|with|and|by|on|for) that of\b",
    r"\b(nobody|nowhere|elsewhere)\b", r"\bnothing (to|is|but|else|of|that)\b", r"\bwho(m|ever)?\b",
    # Things that speak, stand and lie.
    r"\b(says?|said)\b", r"\b(stands?|stood|standing)\b",
    r"\b(lies?|lay) (in|at|on|behind|before|beside|there|one|side|between|apart)\b",
    # Old turns.
    r"\bso (often|many|much|far)\b", r"\b(the|a) likes?\b",
    r"\b(anew|besides|thereof|wherein|apart|asunder|how-manieth)\b",
    r"\b(give|gives|given|giving|gave) (on|up|back|away|along|out)\b",
    # Inverted clauses.
    r"\b(is|are|was|were|does|do|did|has|have) (it|they|those|none|there)\b",
    r"\b(nor|so|as|than) (is|are|does|do|did|has|was|were)\b",
]
NEVER = {
    r"\btold\b": "name what the function receives or reports",
    r"\bmine\b": "name the object",
    r"\bhow-manieth\b": "write 'the number of'",
    r"\b(either|any) way\b": "write 'in both cases', and name them",
    r"\bthe like of\b": "name what you mean",
    r"\b(thereof|wherein|asunder|anew)\b": "use a word of today",
    r"\b(room|floor)s? of (core|the house)\b": "write 'layer'",
    r"\bruling\b|\(R\d+\)": "cite the rule by its name in docs/architecture.md",
}
# Titles before this commit are as they are; a newer tag takes its place.
TITLES_SINCE = "fdc2d9c274"
ANY_TURN = re.compile("|".join(f"(?:{turn})" for turn in TURNS), re.I)


def comments(text):
    """The comments of C++, with their line numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"\s*//+<?!?(.*)", line) or re.search(r"[;{},)]\s+//+<?(.*)", line)
        if match and "SPDX" not in match[1]:
            yield number, match[1]


def never(text):
    """Line number, word and what to do, for each word of NEVER in the comments of C++."""
    for number, line in comments(text):
        for word, todo in NEVER.items():
            if match := re.search(word, line):
                yield number, match[0], todo


def wrong_titles(root):
    """Hash, title and fault of commits since the last tag, or since TITLES_SINCE."""
    def git(*args):
        return subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True)

    tag = git("describe", "--tags", "--abbrev=0")
    since = tag.stdout.strip() if tag.returncode == 0 else TITLES_SINCE
    done = git("log", "--no-merges", "--format=%h %s", f"{since}..HEAD")
    for line in done.stdout.splitlines() if done.returncode == 0 else []:
        commit, title = line.split(" ", 1)
        first = title.split(" ", 1)[0]
        if len(title) > 72:
            yield commit, title, f"{len(title)} characters; write at most 72"
        elif ";" in title:
            yield commit, title, "two changes; make two commits"
        elif not first[:1].isupper() or re.search(r"(ed|ing|[^s]s)$", first) or title.endswith("."):
            yield commit, title, "begin with a verb in the imperative, as 'Add', and end without a full stop"


def count(lines):
    """Riddle-turns and lines."""
    turns = total = 0
    for _, line in lines:
        total += 1
        turns += len(ANY_TURN.findall(line))
    return turns, total


def folder(path):
    """core/hpk/backends/emu/task.hpp -> core/hpk/backends/emu; containers/hpk/... -> containers."""
    parts = path.split("/")[:-1]
    if parts[:2] == ["core", "hpk"]:
        return "/".join(parts[:4] if parts[2:3] == ["backends"] else parts[:3])
    return parts[0] if parts else "."


def table(tree):
    """Rows of folder, riddle-turns, lines, riddle-turns per 1,000 lines."""
    sums = {}
    for path in tree.some(".hpp", ".cpp", ".cu", ".md"):
        if path == "docs/ledger.md":
            continue
        text = tree.text(path)
        turns, total = count(pages.prose_lines(text) if path.endswith(".md") else comments(text))
        turns_before, total_before = sums.get(folder(path), (0, 0))
        sums[folder(path)] = turns_before + turns, total_before + total
    return [(name, turns, total, 1000 * turns / total) for name, (turns, total) in sorted(sums.items()) if total]


def show(tree, where=None):
    """Prints the table, or each riddle-turn of the files whose path begins with `where`."""
    if where is None:
        print(f"{'riddle-turns':32}{'turns':>7}{'lines':>8}{'per 1000':>10}")
        for name, turns, total, density in table(tree):
            over = f"  over {TURNS_LIMIT}" if density > TURNS_LIMIT else ""
            print(f"{name:32}{turns:7}{total:8}{density:10.0f}{over}")
        return
    for path in [p for p in tree.some(".hpp", ".cpp", ".cu", ".md") if p.startswith(where)]:
        text = tree.text(path)
        for number, line in pages.prose_lines(text) if path.endswith(".md") else comments(text):
            for match in ANY_TURN.finditer(line):
                print(f"{path}:{number}: {match[0]}: {line.strip()}")
