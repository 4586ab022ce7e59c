# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads Doxygen's XML: which public entities there are, and which header a program includes for each.

write_pages() writes one page per public header, which lists its entities with their briefs and links into the API
pages. The search of the guides finds these pages. names() says where the extension links the names in the texts.
"""
import collections
import os
import re
import xml.etree.ElementTree as ET

PARTS = ["core", "algorithms", "c", "containers", "fortran", "graph", "interop", "io", "lockstep", "mpi", "python/include",
         "simd", "tasks"]
SORTS = {"class": "Classes", "struct": "Classes", "union": "Classes", "concept": "Concepts", "function": "Functions",
         "variable": "Constants and variables", "typedef": "Types", "enum": "Types", "define": "Macros"}
ORDER = ["Macros", "Classes", "Concepts", "Types", "Functions", "Constants and variables"]
NAMESPACE = re.compile(r"hpk(::(\w+))*$")

Entity = collections.namedtuple("Entity", "name sort url brief arguments file members")


class Headers:
    """The public headers of a checkout and the files that each includes."""

    def __init__(self, root):
        self.includes, self.public = {}, []
        for part in PARTS:
            for folder, _, files in os.walk(root / part / "hpk"):
                for file in files:
                    if not file.endswith((".h", ".hpp", ".hpp.in")):
                        continue
                    path = os.path.join(folder, file)
                    name = os.path.relpath(path, root / part).removesuffix(".in")
                    with open(path, encoding="utf-8") as text:
                        self.includes[name] = re.findall(r"^#\s*include <(hpk/[^>]+)>", text.read(), re.M)
                    if name.count("/") == 1 or (part != "core" and name.startswith(f"hpk/{part.split('/')[0]}/") and
                                                name.count("/") == 2):
                        self.public.append(name)
        self.depths = {header: self.depths_from(header) for header in self.public}

    def depths_from(self, header):
        depths, queue = {header: 0}, [header]
        for file in queue:
            for included in self.includes.get(file, []):
                if included not in depths:
                    depths[included] = depths[file] + 1
                    queue.append(included)
        return depths

    def of(self, file):
        """The public header that a program includes for what this file declares."""
        file = file.removesuffix(".in")
        base, folder = os.path.basename(file), file.split("/")[1]
        for header in (file, f"hpk/{base}", f"hpk/{folder}.hpp", "hpk/core.hpp"):
            if file in self.depths.get(header, {}):
                return header
        near = [(self.depths[header][file], header) for header in self.public if file in self.depths[header]]
        return min(near)[1] if near else "hpk/core.hpp"


def plain(element):
    """The text of a brief as Markdown: code in backquotes, no links."""
    if element is None:
        return ""
    parts = []

    def walk(node):
        code = node.tag == "computeroutput"
        parts.append("`" if code else "")
        parts.append(node.text or "" if code else escaped(node.text))
        for child in node:
            walk(child)
            parts.append(child.tail or "" if code else escaped(child.tail))
        parts.append("`" if code else "")

    walk(element)
    return " ".join("".join(parts).split())


def escaped(text):
    return re.sub(r"([\\`*_{}\[\]<>#|$~^&])", r"\\\1", text or "")


def place(identifier, page=None):
    """The page and anchor of a member in Doxygen's HTML: of its own page, or of a class that inherits it."""
    own, anchor = identifier.rsplit("_1", 1)
    return f"{page or own}.html#{anchor}"


def entities(xml):
    """The public entities of Doxygen's XML: those of namespaces and groups, and classes with their members."""
    found = {}
    compounds = list(ET.parse(xml / "index.xml").getroot().iter("compound"))
    pages = {compound.get("refid") for compound in compounds if compound.get("kind") not in ("file", "dir")}
    for compound in compounds:
        if compound.get("kind") not in ("class", "struct", "union", "concept", "namespace", "group"):
            continue
        definition = ET.parse(xml / f"{compound.get('refid')}.xml").getroot().find("compounddef")
        kind, name = definition.get("kind"), definition.findtext("compoundname")
        members = []
        for member in definition.iter("memberdef"):
            if member.get("prot") != "public" or member.get("kind") == "friend":
                continue
            if kind in ("namespace", "group"):
                sort = member.get("kind")
                qualified = member.findtext("qualifiedname") or member.findtext("name")
                scope = qualified.rpartition("::")[0]
                # Doxygen 1.9.4 lists some members of groups again, with an identifier that names no page.
                if member.get("id").rpartition("_1")[0] not in pages:
                    continue
                if not member.findtext("name") or not (NAMESPACE.match(scope) or sort == "define"):
                    continue
                arguments = member.findtext("argsstring") or ""
                if sort == "define" and member.find("param") is not None:
                    arguments = "(%s)" % ", ".join(p.findtext("defname") or "" for p in member.iter("param"))
                found[member.get("id")] = Entity(qualified, SORTS[sort], place(member.get("id")),
                                                 plain(member.find("briefdescription")), arguments,
                                                 member.find("location").get("file"), [])
            elif kind in ("class", "struct", "union") and member.get("kind") in ("function", "variable", "typedef"):
                members.append((member.findtext("name"), place(member.get("id"), compound.get("refid"))))
        if kind in SORTS and name.startswith("hpk::") and "<" not in name and definition.get("prot") != "private":
            found[compound.get("refid")] = Entity(name, SORTS[kind], f"{compound.get('refid')}.html",
                                                  plain(definition.find("briefdescription")), "",
                                                  definition.find("location").get("file"), members)
    classes = {entity.name for entity in found.values() if entity.sort == "Classes"}
    return [entity for entity in found.values() if entity.name.rpartition("::")[0] not in classes]


def sections(header, listed):
    """The page of a header: one section per name, one line per overload.

    It is not in the sidebar: Sphinx copies the headings of all pages there for each page, which would take three
    quarters of its time.
    """
    index = "../" * header.count("/") + "index.md"
    lines = ["---", "orphan: true", "---", f"# `<{header}>`", "", f"[All headers]({index})", ""]
    for sort in ORDER:
        names = collections.defaultdict(list)
        for entity in listed:
            if entity.sort == sort and not entity.name.rpartition("::")[2].startswith("operator"):
                names[entity.name].append(entity)
        if names:
            lines += [f"## {sort}", ""]
        for name in sorted(names, key=str.lower):
            lines += [f"### {escaped(name.removeprefix('hpk::'))}", ""]
            for entity in sorted(names[name], key=lambda e: not e.brief):
                arguments = f"({entity.arguments[1:-1].strip()})" if entity.arguments.endswith(")") else ""
                brief = f": {entity.brief}" if entity.brief else ""
                lines.append(f"- [`{name}{arguments}`](/api/{entity.url}){brief}")
                known = {}
                for member, url in entity.members:
                    if not member.startswith(("operator", "~")) and member != name.rpartition("::")[2]:
                        known.setdefault(member, url)
                if known:
                    links = ", ".join(f"[`{member}`](/api/{url})" for member, url in sorted(known.items()))
                    lines += ["", f"  Members: {links}"]
            lines.append("")
    return "\n".join(lines)


def write_pages(found, headers, write):
    """Calls write(path, text) for each page: reference/index and reference/<header>."""
    of_header = collections.defaultdict(list)
    for entity in found:
        of_header[headers.of(entity.file)].append(entity)
    in_core = headers.depths["hpk/core.hpp"]
    tables = {part: [] for part in PARTS}
    for header in sorted(of_header):
        write(f"reference/{header.removesuffix('.hpp')}.md", sections(header, of_header[header]))
        part = header.split("/")[1].removesuffix(".hpp")
        tables[part if part in tables else "core"].append(header)
    lines = ["# API reference", "",
             "The API pages are sorted [by topic](/api/index.html). This page lists the public headers. A program that",
             "includes `<hpk/core.hpp>` has the headers marked with a star.", ""]
    for part in PARTS:
        lines += [f"## {part}", "", "| header | declares |", "|---|---|"]
        for header in tables[part]:
            names = sorted({entity.name.rpartition("::")[2] for entity in of_header[header]
                            if "operator" not in entity.name}, key=str.lower)
            some = ", ".join(f"`{name}`" for name in names[:8]) + (", ..." if len(names) > 8 else "")
            star = " \\*" if header in in_core and header != "hpk/core.hpp" else ""
            lines.append(f"| [`<{header}>`]({header.removesuffix('.hpp')}.md){star} | {some} |")
        lines.append("")
    write("reference/index.md", "\n".join(lines))


def names(found, headers):
    """{name: page}, relative to the root of the site. A name without namespace is there if it is unique.

    A name with several overloads leads to the list of them, others to their entry of the API reference.
    """
    pages = {}
    by_name = collections.defaultdict(list)
    for entity in found:
        by_name[entity.name].append(entity)
    short = collections.Counter(name.rpartition("::")[2] for name in by_name)
    for name, same in by_name.items():
        header = headers.of(same[0].file)
        section = re.sub(r"[^a-z0-9]+", "-", name.removeprefix("hpk::").lower()).strip("-")
        page = f"api/{same[0].url}" if len(same) == 1 else f"reference/{header.removesuffix('.hpp')}.html#{section}"
        pages[name] = page
        last = name.rpartition("::")[2]
        if short[last] == 1:
            pages[last] = page
        for entity in same:
            for member, url in entity.members:
                pages.setdefault(f"{name}::{member}", f"api/{url}")
    used = {headers.of(entity.file) for entity in found}
    pages.update({f"<{header}>": f"reference/{header.removesuffix('.hpp')}.html" for header in used})
    return pages
