# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stub of Spack that loads a package.py without Spack: records the directives, calls cmake_args().

load() returns a Recipe. compare() compares it with the options of CMake in both directions, and
compare_commands() compares its commands with those in the README. A recipe that uses a name of Spack which the
stub lacks fails to load, so that misspelled directives are found. As a program,
`spack_stub.py <package.py> <prefix> <folder>` runs the recipe's tests of the installed package in an empty
folder.
"""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import types

DIRECTIVES = ("version depends_on conflicts requires license maintainers provides patch extends "
              "resource").split()
# The possible sources of a version, other than a URL with sha256.
SOURCES = {"branch", "tag", "commit", "sha256"}


class Spec:
    """A concrete spec: variant values, and the methods that a recipe calls."""

    def __init__(self, values):
        self.values = values
        self.variants = {name: types.SimpleNamespace(value=value) for name, value in values.items()}

    def satisfies(self, text):
        if match := re.fullmatch(r"([+~])(\w+)", text):
            return self._value(match[2]) is (match[1] == "+")
        if match := re.fullmatch(r"(\w+)=(\w+)", text):
            value = self._value(match[1])
            return match[2] in value if isinstance(value, tuple) else str(value) == match[2]
        raise ValueError(f"the stub does not understand the spec '{text}'")

    __contains__ = satisfies

    def __getitem__(self, name):
        """Returns a dependency: the program with this name, of some version."""
        version = types.SimpleNamespace(up_to=lambda parts: ".".join("3.11.2".split(".")[:parts]))
        return types.SimpleNamespace(command=Executable(name), version=version)

    def _value(self, name):
        if name not in self.values:
            raise KeyError(f"no variant '{name}'")
        return self.values[name]


class CMakePackage:
    """The parts of Spack's base class that produce -D arguments."""

    run_tests = False

    def __init__(self, spec):
        self.spec = spec

    @staticmethod
    def define(name, value):
        if isinstance(value, bool):
            return f"-D{name}:BOOL={'ON' if value else 'OFF'}"
        if isinstance(value, tuple):
            value = ";".join(value)
        return f"-D{name}:STRING={value}"

    def define_from_variant(self, name, variant=None):
        return self.define(name, self.spec._value(variant or name.lower()))


class CudaPackage:
    """Spack's base class with the variants of CUDA, and some of their values."""

    variants = {"cuda": (False, True), "cuda_arch": (("none",), ("80", "90"))}


class ROCmPackage:
    """Spack's base class with the variants of ROCm, and some of their values."""

    variants = {"rocm": (False, True), "amdgpu_target": (("none",), ("gfx90a",))}


class SkipTest(Exception):
    pass


class Executable:
    """A program that can be run."""

    def __init__(self, name):
        self.path = name
        self.name = name

    def __call__(self, *arguments, output=None, error=None):
        done = subprocess.run([os.path.abspath(self.name) if os.sep in self.name else self.name, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name} {' '.join(arguments)} fails:\n{done.stdout}")
        return done.stdout


def check_outputs(expected, actual):
    if expected not in actual:
        raise RuntimeError(f"expected '{expected}' in '{actual}'")


class Recipe:
    """A loaded package.py: its class, its directives, its variants with their defaults."""

    def __init__(self, path):
        self.directives = []
        self.variants = {}
        self.choices = {}
        self.cached = []
        self.after_install = []
        package = types.ModuleType("spack.package")
        for name in DIRECTIVES:
            setattr(package, name, self._directive(name))
        package.variant = self._variant
        package.join_path = lambda *parts: "/".join(parts)
        package.run_after = lambda phase: lambda method: self.after_install.append(method) or method
        package.cache_extra_test_sources = lambda package, path: self.cached.append(path)
        package.SkipTest, package.Executable, package.check_outputs = SkipTest, Executable, check_outputs
        package.__all__ = [name for name in vars(package) if not name.startswith("_")]
        modules = {"spack": types.ModuleType("spack"), "spack.package": package}
        for name, base in (("cmake", CMakePackage), ("cuda", CudaPackage), ("rocm", ROCmPackage)):
            parts = f"spack_repo.builtin.build_systems.{name}".split(".")
            for depth in range(1, len(parts) + 1):
                modules.setdefault(".".join(parts[:depth]), types.ModuleType(parts[depth - 1]))
            setattr(modules[".".join(parts)], base.__name__, base)
        sys.modules.update(modules)
        try:
            scope = {"__name__": "recipe", "__file__": str(path)}
            exec(compile(path.read_text(), str(path), "exec"), scope)
        finally:
            for name in modules:
                del sys.modules[name]
        self.cls = next(c for c in scope.values()
                        if isinstance(c, type) and issubclass(c, CMakePackage) and c is not CMakePackage)
        for base in (CudaPackage, ROCmPackage):
            for name, values in base.variants.items() if issubclass(self.cls, base) else ():
                self.variants[name], self.choices[name] = values[0], values

    def _directive(self, name):
        return lambda *args, **options: self.directives.append((name, args, options))

    def _variant(self, name, default=None, values=(True, False), multi=False, description="", **_):
        if not description:
            raise ValueError(f"variant '{name}' has no description")
        if default not in values:
            raise ValueError(f"the default of variant '{name}' is not one of its values")
        self.variants[name] = default
        self.choices[name] = tuple(values)

    def arguments(self, values, run_tests=False):
        """Returns the -D arguments for these variant values, as {name: value}."""
        package = self.cls(Spec(values))
        package.run_tests = run_tests
        pairs = (re.fullmatch(r"-D(\w+)(?::\w+)?=(.*)", text).groups() for text in package.cmake_args())
        return dict(pairs)

    def choices_of_two(self):
        """Yields the defaults with every pair of values of every two variants."""
        for first, second in itertools.combinations(self.choices, 2):
            for values in itertools.product(self.choices[first], self.choices[second]):
                yield {**self.variants, first: values[0], second: values[1]}


def load(path):
    return Recipe(path)


def _same(name, cmake, spack):
    on = {"on": "on", "true": "on", "1": "on", "auto": "auto", "off": "off", "false": "off", "0": "off"}
    cmake, spack = (on.get(value.lower(), value) for value in (cmake, spack))
    return cmake == spack or (name.startswith("hpk_WITH_") and cmake == "auto" and spack == "on")


def compare(path, options, version):
    """Yields (problem, remedy) for a recipe, given {option: default} and the released version.

    hpk_WITH_<PACKAGE>=auto in CMake may be on in the recipe, since Spack knows which packages are installed.
    """
    try:
        recipe = load(path)
        default = recipe.arguments(recipe.variants)
        seen = [recipe.arguments(values, tests) for values in recipe.choices_of_two() for tests in (False, True)]
    except Exception as error:
        yield f"does not load: {error}", "fix it"
        return
    given = {name for arguments in seen for name in arguments if name.lower().startswith("hpk_")}
    user_options = {n for n in options if re.match("hpk_(ENABLE_|WITH_|CHECKS|BUILD_)", n)}
    for name in sorted(given - options.keys()):
        yield f"passes {name}, which is no CMake option", "remove it, or add the option"
    for name in sorted(user_options - given):
        yield f"never passes the CMake option {name}", "give it a variant"
    for name in sorted(given & user_options):
        if name.startswith("hpk_BUILD_"):
            continue
        if len({arguments.get(name) for arguments in seen}) < 2:
            yield f"always passes the same {name}", "take it from a variant"
        elif not _same(name, options[name], default.get(name, "")):
            yield (f"{name} is {default.get(name)} by default, in CMake {options[name]}",
                   "make the defaults agree")
    versions = {args[0]: options for name, args, options in recipe.directives if name == "version"}
    for name in versions:
        if not SOURCES & versions[name].keys():
            yield f"its version {name} has no source", "name a branch, a tag or a checksum"
    released = [name for name in versions if name[0].isdigit()]
    if released[:1] != ([version] if version else []):
        yield f"its newest version is {released[:1]}, released is {version}", "make them agree"


def commands(text):
    """Returns the lines of a text that call spack."""
    return [line.strip() for line in text.splitlines() if re.match(r" *spack ", line)]


def compare_commands(path, readme):
    """Yields (problem, remedy) for the commands of a recipe and those of the README beside it."""
    documented = commands(path.read_text())
    if commands(readme) != documented:
        yield f"README.md says {commands(readme)}, the recipe {documented}", "make the commands agree"
    try:
        recipe = load(path)
    except Exception:
        return  # compare() reports it
    versions = [args[0] for name, args, _ in recipe.directives if name == "version"]
    for line in documented:
        if match := re.fullmatch(r"spack repo add (\S+)", line):
            repository = path.parent / match[1]
            found = repository / "packages" / "hpk" / "package.py"
            if not (repository / "repo.yaml").is_file() or found.resolve() != path.resolve():
                yield f"{match[1]} is no repository with this recipe in it", "name the one that is"
        elif match := re.fullmatch(r"spack dev-build hpk@([\w.]+)((?: [+~]\w+)*)", line):
            unknown = [name for name in re.findall(r"\w+", match[2]) if name not in recipe.variants]
            if match[1] not in versions or unknown:
                yield f"'{line}' names a version or a variant that is not there", "name one that is"
        else:
            yield f"'{line}' is not understood", "teach compare_commands() to check it"


def run_tests(path, prefix):
    """Runs the recipe's tests of the package installed in prefix, in the current folder; prints their results."""
    recipe = load(path)
    package = recipe.cls(Spec(recipe.variants))
    package.prefix = prefix
    for step in recipe.after_install:
        step(package)
    for source in recipe.cached:
        if not (path.parent / source).exists():
            raise RuntimeError(f"the recipe keeps {source}, which is not there")
    package.test_suite = types.SimpleNamespace(current_test_cache_dir=str(path.parent))
    tests = [name for name in dir(package) if name.startswith("test_") and callable(getattr(package, name))]
    for name in tests:
        getattr(package, name)()
        print(f"{name} passed")


if __name__ == "__main__":
    recipe_path, installed = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    os.chdir(sys.argv[3])
    run_tests(recipe_path, str(installed))
