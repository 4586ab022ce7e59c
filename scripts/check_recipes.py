# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the recipes in packaging/ against the project, for scripts/check: their version, the options of CMake, the
verbs of ./dev and the files that they name, and the syntax of JSON."""
import ast
import json
import re

from check_front import verbs

CONDA, VCPKG = "packaging/conda/meta.yaml", "packaging/vcpkg/hpk/vcpkg.json"
CONAN, CONTAINER = "packaging/conan/conanfile.py", "packaging/Containerfile"
CONDA_BUILD, PORT = "packaging/conda/build.sh", "packaging/vcpkg/hpk/portfile.cmake"
VERSIONS = {CONDA: r'set version = "([\d.]+)"', VCPKG: r'"version-semver": "([\d.]+)"'}


def names_of_options(path, text):
    """The hpk_* options that a recipe sets; two recipes make names from lists of packages."""
    names = set(re.findall(r"(?:\b|-D)(hpk_(?:ENABLE|WITH|BUILD|CHECKS|INSTALL|UNITY)\w*)(?![\w${])", text))
    if path == CONAN:
        tables = {node.targets[0].id: ast.literal_eval(node.value) for node in ast.parse(text).body
                  if isinstance(node, ast.Assign)}
        names |= {f"hpk_ENABLE_{name.upper()}" for name in tables["SWITCHES"]}
        names |= {f"hpk_WITH_{name.upper()}" for name in tables["PACKAGES"]}
    if path == PORT:
        listed = re.search(r"foreach\(package ([\w -]+)\)", text)[1]
        names |= {f"hpk_WITH_{name.replace('-', '_').upper()}" for name in listed.split()}
    return {name for name in names if not name.endswith("_")}


def files_of(path, text):
    """The files and folders of the checkout that a recipe names."""
    if path == CONDA:
        return re.findall(r"^    - (example/\S+)$|^  license_file: (\S+)$|-S (\S+)", text, re.M)
    if path == CONTAINER:
        return re.findall(r"-f (\S+)|^RUN (?:\./)(\S+)", text, re.M)
    return re.findall(r'\$\{SOURCE_PATH\}/([\w.]+)"', text)


def problems(tree, version, options):
    """Yields (path, line, problem, remedy)."""
    paths = [path for path in tree.paths if path.startswith("packaging/")]
    for path, pattern in VERSIONS.items():
        found = re.search(pattern, tree.text(path)) if path in paths else None
        if not found or found[1] != version:
            yield path, 1, f"the version is {found[1] if found else 'missing'}, that of project() {version}", "make them agree"
    for path in paths:
        text = tree.text(path)
        line = {}
        for number, content in tree.lines(path):
            for word in re.findall(r"[\w./]+", content):
                line.setdefault(word, number)
        named = names_of_options(path, text)
        for name in sorted(named - options.keys()):
            yield path, line.get(name, 1), f"{name} is no option of CMake", "name one in cmake/hpkOptions.cmake"
        # With `auto` a package would contain what the machine that builds it happens to have.
        for name in sorted(options) if path in (CONDA_BUILD, PORT, CONAN) else []:
            if name.startswith("hpk_WITH_") and name not in named:
                yield path, 1, f"{name} is not set", "turn it on with its package, or off"
        for match in files_of(path, text):
            name = match if isinstance(match, str) else next(filter(None, match))
            if not (tree.root / name).exists():
                yield path, line.get(name, 1), f"there is no {name}", "name a file of the checkout"
        for verb in re.findall(r"\./dev ([\w-]+)", text):
            if verb not in verbs(tree):
                yield path, 1, f"./dev has no verb '{verb}'", "name one that it lists"
    if VCPKG in paths:
        try:
            json.loads(tree.text(VCPKG))
        except ValueError as error:
            yield VCPKG, 1, f"no JSON ({error})", "fix it"
