#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documentation site: guides by Sphinx, the API reference by Doxygen, and one search for both.

build.py [--output FOLDER]

FOLDER (default: build/site/html) gets a folder <version> with the site of this checkout, versions.js with the list of
all versions there, and index.html, which leads to the newest. Building another version into the same FOLDER lists it
in the menus of all.

Warnings of Doxygen and Sphinx, and links that lead nowhere, are errors.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import reference

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import pages  # noqa: E402

SITE = ROOT / "docs/site"
WORK = ROOT / "build/site"
SOURCE = WORK / "source"
LARGEST = 100_000  # bytes of a file that gets a page
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".cu": "cuda", ".py": "python", ".sh": "sh", ".cmake": "cmake",
             "CMakeLists.txt": "cmake"}
written = set()


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], cwd=ROOT, **options)
    if done.returncode:
        sys.exit(done.returncode)


def write(name, text):
    """Writes a page of the sources unless it is there, so that Sphinx reads only what changed."""
    path = SOURCE / name
    written.add(path)
    data = text if isinstance(text, bytes) else text.encode()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def links(page, text):
    """The files and folders of the repository that a page links to or shows."""
    for _, target in pages.links(text):
        if file := target.partition("#")[0]:
            yield os.path.normpath(os.path.join(os.path.dirname(page), file))


def source_page(path):
    """A page for a file or folder of the repository; those in a folder get one each."""
    language = LANGUAGES.get(path.name) or LANGUAGES.get(path.suffix) or "text"
    name = path.relative_to(ROOT).as_posix()
    text = f"---\norphan: true\n---\n# `{name}`\n\n"
    if path.is_dir():
        listed = subprocess.run(["git", "ls-files", "--", name], cwd=ROOT, capture_output=True, text=True).stdout
        files = listed.split() or sorted(f.relative_to(ROOT).as_posix() for f in path.rglob("*") if f.is_file())
        for file in files:
            shown = source_page(ROOT / file)
            inner = os.path.relpath(file, name)
            text += f"- [`{inner}`]({os.path.relpath(file, os.path.dirname(name))}.md)\n" if shown else f"- `{inner}`\n"
    else:
        data = path.read_bytes()
        if len(data) > LARGEST or b"\0" in data:
            return False
        code = data.decode()
        fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", code)), default=0))
        text += f"{fence}{language}\n{code.rstrip()}\n{fence}\n"
    write(f"source/{name}.md", text)
    return True


def collect_guides():
    guides = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"]
    guides += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")
                     if SITE not in path.parents)
    linked = set()
    for page in guides:
        text = (ROOT / page).read_text()
        linked.update(links(page, text))
        if page == "docs/cheat-sheet.md":
            run(ROOT / "scripts/cheat_sheet", SOURCE / "docs/cheat-sheet.pdf", stdout=subprocess.DEVNULL)
            written.add(SOURCE / "docs/cheat-sheet.pdf")
            text = text.replace("`build/site/cheat-sheet.pdf`", "{download}`cheat-sheet.pdf`")
        if page == "README.md":
            write("index.md", f"{text}\n{(SITE / 'sidebar.md').read_text()}")
        else:
            write(page, text)
    for name in sorted(linked - set(guides)):
        path = ROOT / name
        if path.suffix in (".svg", ".png", ".pdf"):
            write(name, path.read_bytes())
        elif path.exists():
            source_page(path)


def name_members(text, own, folder):
    """Presents members from bases without a page as members of the class whose page is `own`.

    Doxygen 1.9.4 shows them there (INLINE_INHERITED_MEMB), but writes their names and links with the base.
    """
    anchors = set(re.findall(r'id="(a[0-9a-f]{32})"', (folder / own).read_text()))
    text = re.sub(r'href="\w+\.html#(a[0-9a-f]{32})"',
                  lambda link: f'href="{own}#{link[1]}"' if link[1] in anchors else link[0], text)
    title = re.search(r'<div class="title">(hpk::\S.*?) (?:(?:Class|Struct|Union) |Member List)', text)
    if title is None or title[1].startswith("hpk::classes::"):
        return text
    text = re.sub(r" \(defined in <b>hpk::classes::[^)]*\)", "", text)
    text = re.sub(r'<a class="el" href="(\w+\.html)">hpk::classes::[^<]*</a>', lambda link: link[0]
                  if (folder / link[1]).exists() else f'<a class="el" href="{own}">{title[1]}</a>', text)

    def prototype(match):
        named = re.sub(r"hpk::classes::\w+&lt;.*?&gt;::(?=[\w~])", lambda _: f"{title[1]}::", match[0], count=1)
        template = r'<div class="memtemplate">\n.*</div>\n'
        return match[0] if named == match[0] else re.sub(template, "", named, count=1)
    return re.sub(r'<div class="memproto">.*?</table>', prototype, text, flags=re.DOTALL)


def finish_api(folder, found, headers):
    """Tells on each page of a class which header to include, and mends what Doxygen 1.9.4 gets wrong."""
    of_page = {entity.url: headers.of(entity.file) for entity in found if entity.sort in ("Classes", "Concepts")}
    for path in folder.glob("*.html"):
        text = path.read_text()
        new = text
        if path.name in of_page:
            header = of_page[path.name]
            page = f"../reference/{header.removesuffix('.hpp')}.html"
            new = new.replace('<div class="contents">', '<div class="contents">\n<p><code>#include &lt;'
                              f'<a href="{page}">{header}</a>&gt;</code></p>', 1)
        new = name_members(new, path.name.replace("-members.html", ".html"), folder)
        # Bases of internal namespaces, and a link to the section of nested classes where all are private.
        new = re.sub(r"<p>Inherits (?:hpk::)?(?:classes|detail|complex_functions)::[^<]*</p>\n", "", new)
        if 'name="nested-classes"' not in new and 'id="nested-classes"' not in new:
            new = re.sub(r'<a href="#nested-classes">Classes</a>( &#124;\s*)?', "", new)
        if new != text:
            path.write_text(new)


def build_api(version, output):
    shutil.rmtree(WORK / "doxygen", ignore_errors=True)
    settings = f"@INCLUDE = docs/site/Doxyfile\nPROJECT_NUMBER = {version}\nHTML_OUTPUT = {output / version / 'api'}\n"
    (output / version).mkdir(parents=True, exist_ok=True)
    shutil.rmtree(output / version / "api", ignore_errors=True)
    run("doxygen", "-", input=settings, text=True)
    found, headers = reference.entities(WORK / "doxygen/xml"), reference.Headers(ROOT)
    finish_api(output / version / "api", found, headers)
    reference.write_pages(found, headers, write)
    return found, json.dumps(reference.names(found, headers), indent=0, sort_keys=True)


def finish_guides(folder):
    """Debian 12's furo has the script of the theme as a module that imports another: makes one script of them."""
    script = folder / "_static/scripts/furo.js"
    first, _, rest = script.read_text().partition("\n")
    if match := re.match(r'import Gumshoe from "\./([\w.-]+)";', first):
        script.write_text((script.parent / match[1]).read_text() + rest)


def list_versions(output):
    """Writes what all versions share: the list of them and the way to the newest."""
    def order(version):
        return [int(number) for number in re.findall(r"\d+", version)]
    versions = sorted((path.parent.name for path in output.glob("*/index.html")), key=order, reverse=True)
    (output / "versions.js").write_text(f"window.hpk_versions = {json.dumps(versions)};\n")
    (output / "index.html").write_text(
        f'<!DOCTYPE html>\n<meta charset="utf-8"><title>hpk</title>\n'
        f'<meta http-equiv="refresh" content="0; url={versions[0]}/index.html">\n'
        f'<a href="{versions[0]}/index.html">hpk {versions[0]}</a>\n')
    return versions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=WORK / "html")
    output = parser.parse_args().output.resolve()
    version = re.search(r"^\s*VERSION (\d+\.\d+\.\d+)$", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    WORK.mkdir(parents=True, exist_ok=True)
    found, names = build_api(version, output)
    (WORK / "names.json").write_text(names)
    collect_guides()
    for path in [path for path in SOURCE.rglob("*") if path.is_file() and path not in written]:
        path.unlink()
    run("sphinx-build", "-q", "-W", "--keep-going", "-j", "auto", "-c", SITE, "-d", WORK / "doctrees",
        "-D", f"version={version}", "-D", f"release={version}", "-D", f"html_title=hpk {version}",
        "-D", f"hpk_names={WORK / 'names.json'}",
        "-D", f"hpk_names_digest={hashlib.sha256(names.encode()).hexdigest()}", SOURCE, output / version)
    finish_guides(output / version)
    versions = list_versions(output)
    run(sys.executable, SITE / "links.py", output)
    print(f"{len(found)} entities of the API; versions: {', '.join(versions)}")


if __name__ == "__main__":
    main()
