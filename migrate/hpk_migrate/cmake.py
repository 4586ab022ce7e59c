# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves CMake files, and settings in scripts."""
import re

from . import table

TARGETS = r"\bKokkos::(?:kokkos(?:core|containers|algorithms|simd)?|all_libs)\b"
BACKENDS = ("SERIAL", "OPENMP", "THREADS", "CUDA", "HIP", "OPENMPTARGET")
VARIABLES = {"Kokkos_FOUND": "hpk_FOUND", "Kokkos_DIR": "hpk_DIR", "Kokkos_ROOT": "hpk_ROOT",
             "Kokkos_ENABLE_COMPLEX_ALIGN": "hpk_COMPLEX_ALIGN",
             **{f"Kokkos_ENABLE_{name}": f"hpk_ENABLE_{name}" for name in BACKENDS}}
RULES = "add_compile_definitions(HPK_PERMISSIVE=1 HPK_COMPLEX_ALIGN=1{half})"
RULES_COMMENT = "# Kokkos' rules, as far as they are looser than hpk's."

_PIECE = re.compile(r"#\[(=*)\[.*?\]\1\]|#[^\r\n]*|\[(=*)\[.*?\]\2\]|\"(?:\\.|[^\"\\])*\"|[^#\[\"]+|.", re.DOTALL)


def _pieces(text):
    """(text, kind): comment, bracket (text that is not to change), or code."""
    for match in _PIECE.finditer(text):
        piece = match[0]
        yield piece, "comment" if piece[0] == "#" else "bracket" if re.match(r"\[=*\[", piece) else "code"


class CMakeFile:
    def __init__(self, path, text, names, run, half):
        self.path, self.text, self.names, self.run = path, text, names, run
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.rules = RULES.format(half=" HPK_HALF_IS_FLOAT=1" if half else "")

    def _report(self, place, what):
        self.run.report(self.path, self.text.count("\n", 0, place) + 1, "cmake", what)

    def moved(self):
        # Comments are masked, so that commands and names are found only in code.
        mask = "".join(piece if kind == "code" else re.sub(r"[^\r\n]", "\0", piece)
                       for piece, kind in _pieces(self.text))
        edits = []  # (start, end, text)
        for match in re.finditer(r"(?im)^([ \t]*)(find_package|kokkos_check|kokkos_compilation|add_subdirectory|"
                                 r"FetchContent_Declare)[ \t]*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", mask):
            edits += self._command(match)
        covered = [(start, end) for start, end, _ in edits]
        for match in re.finditer(TARGETS + r"|\b(?:\w+/)?Kokkos_\w+(?:[.]hp*\b)?|\bKokkos::\w+", mask):
            if any(start <= match.start() < end for start, end in covered):
                continue
            edits += self._word(match)
        result, place = [], 0
        for start, end, text in sorted(edits):
            result += [self.text[place:start], text.replace("\n", self.newline)]
            place = end
        result.append(self.text[place:])
        text = "".join(result)
        if re.search(TARGETS, mask):
            self._targets(mask)
        if self.run.comments:
            text = "".join(re.sub(TARGETS, "hpk::hpk", piece) if kind == "comment" else piece
                           for piece, kind in _pieces(text))
        return text

    def _targets(self, mask):
        match = re.search(r"(?i)\btarget_link_libraries\s*\(\s*(\S+)[^()]*" + TARGETS, mask)
        if match:
            self._report(match.start(), f"for a GPU, call hpk_language({match[1]}), and so for all targets with kernels")

    def _word(self, match):
        word, start, end = match[0], match.start(), match.end()
        if re.fullmatch(TARGETS, word):
            return [(start, end, "hpk::hpk")]
        if word in VARIABLES:
            return [(start, end, VARIABLES[word])]
        if found := self.names.includes(word):
            return [(start, end, found[-1])]
        if word in ("Kokkos_ENABLE_DEBUG", "Kokkos_ENABLE_DEBUG_BOUNDS_CHECK"):
            self._report(start, f"{word}: hpk_CHECKS (auto, on, off) when hpk is built; kept")
        else:
            self._report(start, f"{word} has no counterpart that the tool can tell; kept")
        return []

    def _command(self, match):
        indent, command, arguments = match[1], match[2].lower(), match[3]
        words = arguments.split()
        if command == "find_package":
            return self._find_package(match, words) if words and words[0] == "Kokkos" else []
        if command == "kokkos_check":
            return self._check(match, words)
        if command == "kokkos_compilation":
            targets = words[1:] if words and words[0] == "TARGET" else []
            self._report(match.start(), "kokkos_compilation: hpk has no launcher; " +
                         ("replaced by hpk_language" if targets else "call hpk_language(target) for targets with kernels"))
            return [(match.start(), match.end(), f"{indent}hpk_language({' '.join(targets)})")]
        if re.search(r"\bkokkos\b", arguments, re.IGNORECASE):
            self._report(match.start(), f"{match[2]} of Kokkos: include hpk instead, or install it; kept")
        return []

    def _find_package(self, match, words):
        kept, skipping = ["hpk"], False
        for word in words[1:]:
            if re.fullmatch(r"[\d.]+(\.\.\.<?[\d.]+)?|\$\{\w+\}", word) and len(kept) == 1:
                self._report(match.start(), f"find_package(Kokkos {word}): the version is dropped")
            elif word in ("COMPONENTS", "OPTIONAL_COMPONENTS"):
                skipping = True
            elif skipping and word in ("launch_compiler", "separable_compilation"):
                pass
            elif word in ("EXACT", "CONFIG", "NO_MODULE", "MODULE"):
                skipping = False
            elif skipping and not word.isupper():
                self._report(match.start(), f"find_package(Kokkos): hpk has no component {word}; dropped")
            else:
                skipping = False
                kept.append(word)
        kept.insert(1, "CONFIG")
        indent = match[1]
        text = f"{indent}find_package({' '.join(kept)})"
        if "REQUIRED" in kept:
            text += f"\n{indent}{RULES_COMMENT}\n{indent}{self.rules}"
        else:
            self._report(match.start(), f"if hpk is found, write {self.rules}")
        return [(match.start(), match.end(), text)]

    def _check(self, match, words):
        groups, current = {}, None
        for word in words:
            if word in ("DEVICES", "OPTIONS", "TPLS", "ARCH", "RETURN_VALUE"):
                current = groups.setdefault(word, [])
            elif current is not None:
                current.append(word)
        devices = [word.upper() for word in groups.get("DEVICES", [])]
        if set(groups) - {"DEVICES", "RETURN_VALUE"} or not devices or set(devices) - set(BACKENDS):
            self._report(match.start(), "kokkos_check: hpk has hpk_ENABLE_<BACKEND> only; kept")
            return []
        indent, result = match[1], groups.get("RETURN_VALUE")
        condition = " AND ".join(f"hpk_ENABLE_{name}" for name in devices)
        if result and len(devices) == 1:
            text = f"{indent}set({result[0]} ${{hpk_ENABLE_{devices[0]}}})"
        elif result:
            text = (f"{indent}set({result[0]} OFF)\n{indent}if({condition})\n{indent}  set({result[0]} ON)\n"
                    f"{indent}endif()")
        else:
            text = (f"{indent}if(NOT ({condition}))\n"
                    f"{indent}  message(FATAL_ERROR \"hpk lacks one of: {' '.join(devices)}\")\n{indent}endif()")
        return [(match.start(), match.end(), text)]


def moved_script(path, text, run):
    """Settings in shell scripts, makefiles and workflows. Build commands are only reported."""
    def variable(match):
        name = match[1].lower().replace("_", "-")
        return "HPK_" + match[1] if name in table.SETTINGS else match[0]

    result = re.sub(r"\bKOKKOS_([A-Z_]+)(?=\b)", variable, text)
    result = re.sub(r"--kokkos-([a-z-]+)", lambda m: "--hpk-" + m[1] if m[1] in table.SETTINGS else m[0], result)
    for number, line in enumerate(result.splitlines(), 1):
        if found := re.search(r"-DKokkos_\w+|\bKokkos_(?:ROOT|DIR)\b|\bKOKKOS_\w+|--kokkos-[a-z-]+|\bKOKKOS_PATH\b|"
                              r"\bKokkos::\w+|-lkokkos\w*", line):
            run.report(path, number, "script", f"{found[0]} kept")
    return result
