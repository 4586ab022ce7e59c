#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py FOLDER: every link of the HTML pages in FOLDER leads to an existing file and anchor.

Other hosts are not asked, but a page that loads something from one is an error. Prints each fault; the exit code is
then 1.
"""
import collections
import html
import os
import re
import sys
import urllib.parse

TAG = re.compile(r"<([a-z]\w*)\s([^<>]*)>", re.I)
ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)
Page = collections.namedtuple("Page", "anchors links")


def read(path):
    anchors, links = set(), []
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<!--.*?-->|(<script[^>]*>).*?</script>", r"\1", file.read(), flags=re.S)
    for tag, rest in TAG.findall(text):
        for name, double, single in ATTRIBUTE.findall(rest):
            value = html.unescape(double or single)
            if name == "id" or (name == "name" and tag.lower() == "a"):
                anchors.add(value)
            elif name in ("href", "src", "data", "action"):
                links.append((tag.lower(), value))
    return Page(anchors, links)


def faults(pages):
    for path, page in pages.items():
        for tag, link in page.links:
            if OUTSIDE.match(link):
                if tag != "a" and not link.startswith("data:"):
                    yield f"{path}: loads {link}"
                continue
            file, _, anchor = link.partition("#")
            file = urllib.parse.unquote(file.partition("?")[0])
            there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if os.path.isdir(there):
                there = os.path.join(there, "index.html")
            if not os.path.exists(there):
                yield f"{path}: there is no {link}"
            elif anchor and there in pages and urllib.parse.unquote(anchor) not in pages[there].anchors:
                yield f"{path}: {link} leads to no anchor"


def main():
    pages = {}
    for folder, _, files in os.walk(sys.argv[1]):
        for file in files:
            if file.endswith(".html"):
                path = os.path.normpath(os.path.join(folder, file))
                pages[path] = read(path)
    wrong = sorted(set(faults(pages)))
    print("".join(f"{line}\n" for line in wrong), end="")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(wrong)} wrong")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
