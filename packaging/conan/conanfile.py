# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Conan 2 recipe of hpk: conan create packaging/conan. It packs the checkout that contains it.

Checked: package.recipes runs this file with a stub of Conan, builds hpk's configuration from its variables and the
test package with an installed hpk. Not checked: Conan itself, and the recipes of hwloc, boost, sleef and libpng, which
are therefore off by default. Consumers use the CMake package that hpk installs, so CMakeDeps generates none.
"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

SWITCHES = ("serial", "openmp", "threads", "emu",
            "algorithms", "containers", "graph", "interop", "io", "lockstep", "simd", "tasks", "c", "mpi", "hdf5")
OFF_BY_DEFAULT = ("c", "mpi", "hdf5")
# Option of hpk_WITH_<...>, and the package that it needs.
PACKAGES = {"hwloc": "hwloc/[>=2.5]", "boost_context": "boost/[>=1.74]", "sleef": "sleef/[>=3.5]",
            "png": "libpng/[>=1.6]"}


class HpkConan(ConanFile):
    name = "hpk"
    package_type = "library"
    license = "Apache-2.0 WITH LLVM-exception"
    description = "Views, policies and patterns for portable parallel C++20"
    topics = ("parallel", "hpc", "kokkos")
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False], "checks": ["auto", "on", "off"],
               **{name: [True, False] for name in (*SWITCHES, *PACKAGES)}}
    default_options = {"shared": False, "fPIC": True, "checks": "auto",
                       **{name: name not in OFF_BY_DEFAULT for name in SWITCHES},
                       **{name: False for name in PACKAGES}}
    implements = ["auto_shared_fpic"]

    def _checkout(self, *path):
        return os.path.join(self.recipe_folder, "..", "..", *path)

    def set_version(self):
        project = load(self, self._checkout("CMakeLists.txt"))
        self.version = re.search(r"project\(\s*hpk\s+VERSION\s+([\d.]+)", project)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "core/*", "algorithms/*",
                        "containers/*", "graph/*", "interop/*", "io/*", "lockstep/*", "simd/*", "tasks/*", "c/*", "mpi/*",
                        "profiler/*", "recording/*", "fortran/*", "python/*", "migrate/*", "tpls/*", "docs/*", "example/*", "scripts/gdb/*"):
            copy(self, pattern, self._checkout(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("hpk was tested on Linux only")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def requirements(self):
        for name, package in PACKAGES.items():
            if self.options.get_safe(name):
                # Headers of hpk include SLEEF's.
                self.requires(package, transitive_headers=name == "sleef", transitive_libs=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        variables = toolchain.cache_variables
        for name in SWITCHES:
            variables[f"hpk_ENABLE_{name.upper()}"] = bool(self.options.get_safe(name))
        for name in PACKAGES:
            variables[f"hpk_WITH_{name.upper()}"] = "on" if self.options.get_safe(name) else "off"
        variables["hpk_CHECKS"] = str(self.options.get_safe("checks"))
        for part in ("TESTS", "BENCHMARKS", "EXAMPLES"):
            variables[f"hpk_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share", "doc"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "hpk")]
        self.cpp_info.libdirs = ["lib"]
