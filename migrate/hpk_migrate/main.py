# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of hpk-migrate."""
import argparse
import os
import re
import sys
from pathlib import Path

from . import files, table
from .cmake import CMakeFile, RULES, moved_script
from .cpp import Rewriter, Source
from .dropin import DropIn, NoDropIn
from .includes import Includes, Tree, is_kokkos, standard_headers
from .leftovers import MARK, Leftovers, names_in
from .names import Names

DESCRIPTION = """\
Moves programs from Kokkos' spelling to hpk's: C++ files (names, macros, includes), CMake files (find_package,
targets, variables, kokkos_check) and settings in scripts. Without an option it only tells what would change.
"""
EPILOG = """\
Comments and strings stay as they are; the report lists the strings that name Kokkos. It also lists, with file and
line, all that the tool could not decide, such as names that hpk lacks, private names of Kokkos, and conditions on
its version, which are decided as for the newest version that hpk follows. A second run changes nothing.

Files: the given ones, and those with known endings in the given folders. Give all files of a program together:
includes and short names of namespaces are followed from file to file. Links, .git and folders with a
CMakeCache.txt are left out.

exit status: 0; with --check 1 if a file would change; 2 for an error.
"""
KINDS = {
    "lacking": "names that hpk lacks",
    "private": "private names of Kokkos",
    "macro": "macros",
    "version": "conditions on the version of Kokkos",
    "header": "headers",
    "namespace": "namespaces",
    "cmake": "CMake",
    "script": "scripts",
    "string": "strings, which stay as they are",
    "file": "files that were not read",
}


def _places():
    """The folders of the drop-in and of its table of headers: of the source tree, or of an install."""
    here = Path(__file__).resolve().parent.parent
    return [(here.parent / "tpls/kokkos/include", here.parent / "tpls/kokkos/headers.cmake"),
            (here.parent / "kokkos/include", here / "headers.cmake")]


def load_names():
    for include, headers in _places():
        if include.is_dir() and headers.is_file():
            return Names(DropIn(include, headers))
    raise NoDropIn("hpk's headers for programs of Kokkos are not installed beside this tool: install hpk again")


class Run:
    """One call: the files, their new texts, and the report."""

    def __init__(self, names, paths, comments=False, leftovers=None):
        self.names, self.comments = names, comments
        self.leftovers = Leftovers(names) if leftovers else None
        self.leftovers_path = Path(leftovers) if leftovers else None
        self.reports = {}
        self.lacking = set()
        self.old, self.new = {}, {}
        for path in files.find(paths):
            text = files.read(path)
            if text is None:
                self.report(path, 1, "file", "contains zero bytes: UTF-16 or binary data")
            elif MARK not in text:
                self.old[path] = text
        self._cpp([Source(path, text) for path, text in self.old.items() if files.kind(path) == "cpp"])
        half = any(re.search(r"\bb?half_t\b", text) for path, text in self.old.items() if files.kind(path) == "cpp")
        for path, text in self.old.items():
            if files.kind(path) == "cmake":
                self.new[path] = CMakeFile(path, text, names, self, half).moved()
            elif files.kind(path) == "script":
                self.new[path] = moved_script(path, text, self)
        if self.leftovers:
            self._write_leftovers()

    def report(self, path, line, kind, what):
        self.reports.setdefault(kind, {})[(path.as_posix() if isinstance(path, Path) else path, line, what)] = None

    def lacks(self, path, line, name):
        spelled = "::".join(["Kokkos" if name[0] == "hpk" else name[0], *name[1:]])
        if self.leftovers and self.leftovers.available(name):
            what = f"{spelled} is now in {self.leftovers_path.name}"
            self.lacking.add(name)
        else:
            what = f"hpk lacks {spelled}"
        self.report(path, line, "lacking", what)

    def _cpp(self, sources):
        tree = Tree(sources)
        for source in sources:
            closure = tree.closure(source)
            aliases = {name: path for one in reversed(closure) for name, path in one.aliases.items()}
            macros = set().union(*[one.own_macros for one in closure])
            headers = {name for one in closure for _, name, _ in one.headers}
            if not self._concerns(source, aliases, headers):
                continue
            vectors = any(name.startswith("Kokkos_SIMD") for name in headers) and \
                not any("Algorithms" in name or "std_algorithms" in name for name in headers)
            for one in closure[1:]:
                source.opens_kokkos |= one.opens_kokkos
                source.opens_experimental |= one.opens_experimental
            rewriter = Rewriter(source, self.names, self, aliases, macros, vectors)
            for pair, name in table.TOGETHER.items():
                if all(header in headers for header in pair) and re.search(rf"\b{name}\s*\(", source.text):
                    source.lacking.add(("hpk", name))
                    self.lacks(source.path, 1, ("hpk", name))
            for _, name, _ in source.headers:
                if name in table.WHOLE_HEADERS:
                    source.lacking.add((name,))
                    self.lacks(source.path, 1, (name,))
            from_kokkos = any(is_kokkos(name) for name in headers)
            self._libraries(source, from_kokkos)
            self._includes(source, rewriter, from_kokkos)
            self.new[source.path] = rewriter.text

    @staticmethod
    def _concerns(source, aliases, headers):
        return bool(re.search(r"Kokkos|KOKKOS|kokkos_|\bdesul\b|\bDESUL_", source.text)) or bool(aliases) or \
            any(is_kokkos(name) for name in headers)

    def _libraries(self, source, from_kokkos):
        """Libraries that Kokkos::kokkos links and hpk::hpk does not."""
        pragma = re.search(r"(?m)^[ \t]*#[ \t]*pragma[ \t]+omp\b", source.text)
        if from_kokkos and (pragma or "omp.h" in standard_headers(source.tokens)):
            self.report(source.path, source.text.count("\n", 0, pragma.start()) + 1 if pragma else 1, "cmake",
                        "uses OpenMP itself: link OpenMP::OpenMP_CXX, which hpk::hpk does not pass on")
        if any(name in table.WHOLE_HEADERS for _, name, _ in source.headers):
            self.report(source.path, 1, "cmake", "uses __float128: link quadmath, which hpk::hpk does not pass on")

    def _includes(self, source, rewriter, from_kokkos):
        standard = standard_headers(source.tokens) if from_kokkos else set()
        if from_kokkos:
            for header, pattern in table.BESIDE_CORE.items():
                if any(re.search("^" + pattern, name) for name in source.used):
                    standard.add(header)
        extra = []
        if self.leftovers and any(self.leftovers.available(name) for name in source.lacking):
            folder = source.path.resolve().parent
            extra = [files.in_text(Path(os.path.relpath(self.leftovers_path.resolve(), folder)))]
        Includes(source, self.names, self, files.newline_of(source.text)).apply(rewriter.out, standard, extra)

    def _write_leftovers(self):
        path = self.leftovers_path
        old = files.read(path) if path.exists() else None
        if path.exists() and (old is None or MARK not in old):
            raise files.Failure(f"{path} exists and was not written by hpk-migrate")
        wanted = self.lacking | (names_in(old) if old else set())
        if self.lacking - (names_in(old) if old else set()):
            self.old[path] = old
            self.new[path] = self.leftovers.write(wanted, files.newline_of(old or "\n"))

    @property
    def changes(self):
        """The files that change: (path, old text or None, new text)."""
        return [(path, self.old[path], new) for path, new in sorted(self.new.items()) if self.old[path] != new]

    def lines(self):
        """The report."""
        for kind, title in KINDS.items():
            items = sorted(self.reports.get(kind, {}))
            if items:
                yield f"{title}:"
                yield from (f"  {path}:{line}: {what}" for path, line, what in items)


def _arguments(arguments):
    parser = argparse.ArgumentParser(prog="hpk-migrate", description=DESCRIPTION, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--in-place", action="store_true", help="change the files. Refused if git has uncommitted "
                      "changes of one of them, because these could no longer be told from the tool's")
    mode.add_argument("--patch", metavar="FILE", help="write a patch for `patch -p1` or `git apply` in the current "
                      "folder; - is the standard output")
    mode.add_argument("--check", action="store_true", help="exit with 1 if a file would change, for CI")
    parser.add_argument("--force", action="store_true", help="with --in-place: change files with uncommitted changes")
    parser.add_argument("--comments", action="store_true", help="also move names and macros in comments")
    parser.add_argument("--leftovers", metavar="FILE", help="write a header with the names that hpk lacks and the "
                        "program uses, and include it where needed")
    return parser.parse_args(arguments)


def _in_place(run, force):
    dirty = files.uncommitted([path for path, old, _ in run.changes if old is not None])
    if dirty and not force:
        shown = ", ".join(map(str, dirty[:5])) + (f" and {len(dirty) - 5} more" if len(dirty) > 5 else "")
        raise files.Failure(f"git has uncommitted changes of {shown}: commit or stash them, or add --force")
    for path, _, new in run.changes:
        files.write(path, new)


def _advice(run):
    cpp = [path for path, _, _ in run.changes if files.kind(path) == "cpp"]
    cmake = [path for path in run.new if files.kind(path) == "cmake" and "HPK_PERMISSIVE" in run.new[path]]
    if cpp and not cmake:
        rules = RULES.format(half="")
        yield f"hpk is stricter than Kokkos without these definitions, in CMake {rules}"
    if "lacking" in run.reports and not run.leftovers:
        yield "--leftovers FILE writes the names that hpk lacks to a header of the program"


def main(arguments=None):
    options = _arguments(arguments)
    try:
        run = Run(load_names(), options.paths, options.comments, options.leftovers)
        out = sys.stdout
        if options.patch:
            text = "".join(files.diff(files.from_here(path), old, new) for path, old, new in run.changes)
            if options.patch == "-":
                out = sys.stderr
                sys.stdout.buffer.write(text.encode("latin-1"))
            else:
                Path(options.patch).write_bytes(text.encode("latin-1"))
        if options.in_place:
            _in_place(run, options.force)
        verb = "changed" if options.in_place else "would change"
        for path, old, new in run.changes:
            count = files.changed_lines(old or "", new)
            print(f"{path}: {verb}, {count} line{'' if count == 1 else 's'}", file=out)
        for line in (*run.lines(), *_advice(run)):
            print(line, file=out)
        reports = sum(len(items) for items in run.reports.values())
        print(f"{len(run.changes)} of {len(run.old)} files {verb}; {reports} places to look at", file=out)
        return 1 if options.check and run.changes else 0
    except (files.Failure, NoDropIn, OSError) as error:
        print(f"hpk-migrate: {error}", file=sys.stderr)
        return 2
