# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stub of Conan 2: conan_stub.py <conanfile.py> <prefix of an installed hpk> <folder>.

Runs a recipe as `conan create` would: exports the sources, configures them with the variables of the recipe's
toolchain, once with all options as they are and once with each switch the other way, and then runs the recipe's
test package with an hpk that is installed already. A recipe that uses a name of Conan which the stub lacks fails.
"""
import fnmatch
import functools
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import types

created = []  # the toolchains
prefix = None


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0 or "there is no option" in done.stdout:
        sys.exit(f"{' '.join(map(str, command))} fails:\n{done.stdout}")
    return done.stdout


class Options:
    def __init__(self, values):
        self.__dict__.update(values)

    def get_safe(self, name):
        return self.__dict__.get(name)


class ConanFile:
    def requires(self, package, **_):
        self.required.append(package)

    def tool_requires(self, package):
        self.required.append(package)

    def run(self, command, env=None):
        print(run(command))


class CMakeToolchain:
    def __init__(self, conanfile):
        self.cache_variables = {}

    def generate(self):
        created.append(self.cache_variables)


class CMake:
    """Builds and runs the test package; the stub configures hpk itself in configure_recipe()."""

    def __init__(self, conanfile):
        self.folder = conanfile.folder

    def configure(self, build_script_folder):
        run("cmake", "-S", build_script_folder, "-B", self.folder, "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={prefix}")

    def build(self):
        run("cmake", "--build", self.folder)


@functools.cache
def files(root):
    """All files below a folder except builds, relative to it."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", ".git")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def copy(conanfile, pattern, source, destination):
    found = fnmatch.filter(files(source), pattern)
    if not found:
        sys.exit(f"the recipe exports {pattern}, which matches no file")
    for name in found:
        path, there = pathlib.Path(source, name), pathlib.Path(destination, name)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, there)


def load_class(path):
    """Returns the recipe's class, with the stub in the place of conan."""
    names = {"conan": {"ConanFile": ConanFile},
             "conan.errors": {"ConanInvalidConfiguration": type("ConanInvalidConfiguration", (Exception,), {})},
             "conan.tools": {},
             "conan.tools.build": {"check_min_cppstd": lambda conanfile, least: None, "can_run": lambda conanfile: True},
             "conan.tools.cmake": {"CMake": CMake, "CMakeToolchain": CMakeToolchain, "cmake_layout": lambda conanfile: None},
             "conan.tools.files": {"copy": copy, "load": lambda conanfile, file: pathlib.Path(file).read_text(),
                                   "rmdir": None}}
    for name, content in names.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(content)
    spec = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return next(c for c in vars(module).values()
                if isinstance(c, type) and issubclass(c, ConanFile) and c is not ConanFile)


def new(cls, path, folder):
    recipe = cls()
    recipe.recipe_folder, recipe.folder = str(path.parent), str(folder)
    recipe.required = []
    recipe.settings = Options({"os": "Linux"})
    return recipe


def main():
    global prefix
    path, prefix, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    sources = work / "sources"
    cls = load_class(path)
    undeclared = cls.default_options.keys() ^ cls.options.keys()
    if undeclared or any(value not in cls.options[name] for name, value in cls.default_options.items()):
        sys.exit(f"options and default_options disagree: {undeclared}")
    # The switches of hpk that the recipe turns off by default, turned on, and the reverse.
    other = {name: not value if isinstance(value, bool) and name in ("emu", "tasks", "mpi", "hdf5", "hwloc") else value
             for name, value in cls.default_options.items()}
    for values in (cls.default_options, other):
        recipe = new(cls, path, work)
        recipe.options = Options(values)
        recipe.set_version()
        recipe.validate()
        recipe.requirements()
        recipe.build_requirements()
        recipe.generate()
    recipe.export_sources_folder = str(sources)
    recipe.export_sources()
    for part in path.parent.parent.parent.glob("*/hpk"):
        if not (sources / part.parent.name / "hpk").is_dir():
            sys.exit(f"the recipe does not export {part.parent.name}")
    recipe.cpp_info = types.SimpleNamespace(set_property=lambda name, value: None)
    recipe.package_info()
    for folder in recipe.cpp_info.builddirs:
        if not (prefix / folder / "hpkConfig.cmake").exists():
            sys.exit(f"hpk installs no package for CMake in {folder}")
    if created[0].keys() != created[1].keys() or created[0] == created[1]:
        sys.exit("the variables do not follow the options")
    print(f"version {recipe.version}, requires {' '.join(recipe.required)}")
    # The default, from the exported sources alone.
    variables = {name: ("ON" if value else "OFF") if isinstance(value, bool) else value for name, value in created[0].items()}
    run("cmake", "-S", str(sources), "-B", str(work / "build"), "-DCMAKE_BUILD_TYPE=Release",
        *(f"-D{name}={value}" for name, value in variables.items()))

    test = path.parent / "test_package" / "conanfile.py"
    package = new(load_class(test), test, work / "test")
    package.tested_reference_str = f"hpk/{recipe.version}"
    package.requirements()
    package.cpp = types.SimpleNamespace(build=types.SimpleNamespace(bindir=str(work / "test")))
    package.build()
    package.test()


if __name__ == "__main__":
    main()
