# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spack recipe of hpk, for Spack 1.0 and newer. No release is published, so Spack builds a checkout, in
its root folder:

    spack repo add scripts/spack_repo/hpk
    spack dev-build hpk@main +openmp +threads

Each hpk_* option of CMake that a user chooses is a variant here, with the same default. scripts/check
compares the two, and these commands with those of the README.
"""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Hpk(CMakePackage):
    """Views, policies and patterns for portable parallel C++20."""

    license("Apache-2.0 WITH LLVM-exception")

    version("main")
    version("0.1.0")

    backends = ("serial", "openmp", "threads", "emu")
    for _name in backends:
        variant(_name, default=True, description=f"Build the {_name} backend")
    gpu_backends = {"cuda": "cuda", "rocm": "hip", "openmptarget": "openmptarget"}
    for _name, _backend in gpu_backends.items():
        variant(_name, default=False, description=f"Build the {_backend} backend")
    requires("+serial", when="~openmp~threads", msg="hpk needs at least one host backend")

    parts = ("algorithms", "containers", "simd")
    for _name in parts:
        variant(_name, default=True, description=f"Build hpk::{_name}")

    variant("mpi", default=False, description="Build hpk::mpi, Views over MPI")
    variant("hdf5", default=False, when="+mpi", description="Write checkpoints to HDF5 as well")

    variant("hwloc", default=True, description="Use hwloc to pin worker threads")
    variant("fibers", default=True, description="Switch lanes of teams by Boost.Context (else ucontext)")
    variant("sleef", default=True, when="+simd", description="Compute functions of vectors by SLEEF")
    variant("checks", default="auto", values=("auto", "on", "off"), multi=False,
            description="Check indices and preconditions (auto: on without NDEBUG)")
    variant("shared", default=True, description="Build a shared library")
    variant("pic", default=True, description="Generate position-independent code")
    variant("cxxstd", default="20", values=("20", "23"), multi=False, description="C++ standard")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("googletest@1.12:", type="test")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("boost@1.74:+context", when="+fibers")
    depends_on("sleef@3.5:", when="+sleef")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("hdf5@1.10:+mpi", when="+hdf5")
    depends_on("cuda@12.4:", when="+cuda")
    depends_on("hip@5.2:", when="+rocm")
    conflicts("%gcc@:11", msg="hpk needs g++ 12 or newer")
    conflicts("%clang@:15", msg="hpk needs clang 16 or newer")

    sanity_check_is_file = ["include/hpk/core.hpp", "include/hpk/version.hpp"]

    def cmake_args(self):
        define, from_variant = self.define, self.define_from_variant
        args = [from_variant(f"hpk_ENABLE_{name.upper()}", name) for name in (*self.backends, *self.parts)]
        args += [from_variant(f"hpk_ENABLE_{backend.upper()}", name)
                 for name, backend in self.gpu_backends.items()]
        return args + [
            define("hpk_WITH_HWLOC", "on" if self.spec.satisfies("+hwloc") else "off"),
            define("hpk_WITH_BOOST_CONTEXT", "on" if self.spec.satisfies("+fibers") else "off"),
            define("hpk_WITH_SLEEF", "on" if self.spec.satisfies("+sleef") else "off"),
            from_variant("hpk_ENABLE_MPI", "mpi"),
            define("hpk_ENABLE_HDF5", self.spec.satisfies("+hdf5")),
            from_variant("hpk_CHECKS", "checks"),
            from_variant("BUILD_SHARED_LIBS", "shared"),
            from_variant("CMAKE_POSITION_INDEPENDENT_CODE", "pic"),
            from_variant("CMAKE_CXX_STANDARD", "cxxstd"),
            define("hpk_BUILD_TESTS", self.run_tests),
            define("hpk_BUILD_BENCHMARKS", False),
            define("hpk_BUILD_EXAMPLES", False),
        ]
