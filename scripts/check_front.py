# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a repository shows first: the citation, and the workflows of its public CI. And files of YAML can be read."""
import re

try:
    import yaml  # Debian's python3-yaml, which ./dev docs installs; the standard library reads no YAML
except ImportError:
    yaml = None

WORKFLOWS = ".github/workflows/"
# The workflows may prepare a machine in these two ways; everything else is a verb of ./dev.
PREPARATION = (r"apt-get update && apt-get install -y --no-install-recommends ca-certificates git",
               r'git config --global --add safe\.directory "\$PWD"')


def verbs(tree):
    """The verbs that ./dev knows."""
    return set(re.findall(r"^  ([a-z-]+)", re.search(r"<<'END'\n(.*?)^END$", tree.text("dev"), re.S | re.M)[1], re.M))


def commands(lines):
    """The commands of a workflow with their lines: values of `run` and of the matrix's `command`."""
    listed = False
    for number, line in lines:
        line = re.sub(r"\s+#.*", "", line)
        listed = bool(re.match(r"\s*command:\s*$", line)) or (listed and bool(re.match(r"\s*- ", line)))
        if match := re.match(r"\s*(?:- )?run: *(.*)", line) or (re.match(r"\s*- (.*)", line) if listed else None):
            if match[1] != "${{ matrix.command }}":
                yield number, match[1]


def yaml_faults(tree):
    """Yields (path, line, what is wrong, what to do). The recipe of conda is YAML after {{ }} and {% %} are replaced."""
    for path in tree.some(".yml", ".yaml", ".cff") if yaml else []:
        try:
            yaml.safe_load(re.sub(r"\{%.*?%\}", "", re.sub(r"(?<!\$)\{\{.*?\}\}", "replaced", tree.text(path))))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            yield path, mark.line + 1 if mark else 1, "no YAML", "fix it"


def faults(tree, version):
    """Yields (path, line, what is wrong, what to do)."""
    yield from yaml_faults(tree)
    if "CITATION.cff" in tree.paths:
        said = re.search(r"^version: (\S+)$", tree.text("CITATION.cff"), re.M)
        if not said or said[1] != version:
            yield "CITATION.cff", 1, f"cites version {said[1] if said else 'nothing'}, project() says {version}", \
                "make them agree"
    for path in tree.some(".yml", ".yaml", under=WORKFLOWS):
        seen = set()
        for number, command in commands(tree.lines(path)):
            if any(re.fullmatch(allowed, command) for allowed in PREPARATION):
                continue
            match = re.fullmatch(r"\./dev ([a-z-]+)( .*)?", command)
            if not match:
                yield path, number, f"runs '{command}'", "call ./dev, so that everybody can run the same at home"
            elif match[1] not in verbs(tree):
                yield path, number, f"./dev has no verb '{match[1]}'", "name one that it has"
            elif command in seen:
                yield path, number, f"runs '{command}' twice", "leave one out"
            seen.add(command)
