# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spack recipe of hpk, for Spack 1.0 and newer. Nothing is published yet, so Spack builds the checkout
that holds this file. In its root folder:

    spack repo add scripts/spack_repo/hpk
    spack dev-build hpk@main +openmp +threads

Each hpk_* option of CMake that a user chooses is a variant here, with the same default. scripts/check
compares the two, and these commands with those of the README.
"""

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Hpk(CMakePackage, CudaPackage, ROCmPackage):
    """Views, policies and patterns for portable parallel C++20."""

    # There are no public pages; spack_repo links to this file.
    _checkout = os.path.dirname(os.path.realpath(__file__))
    homepage = f"file://{_checkout}/README.md"
    git = f"file://{_checkout}"

    license("Apache-2.0 WITH LLVM-exception")

    # A release is a version with its tag.
    version("main", branch="main")

    backends = ("serial", "openmp", "threads", "emu")
    for _name in backends:
        variant(_name, default=True, description=f"Build the {_name} backend")
    # CudaPackage and ROCmPackage have the variants cuda, cuda_arch, rocm and amdgpu_target.
    gpu_backends = {"cuda": "cuda", "rocm": "hip", "openmptarget": "openmptarget"}
    variant("openmptarget", default=False, description="Build the openmptarget backend")
    requires("+serial", when="~openmp~threads", msg="hpk needs at least one host backend")

    parts = ("algorithms", "containers", "graph", "interop", "io", "lockstep", "simd", "tasks")
    for _name in parts:
        variant(_name, default=True, description=f"Build hpk::{_name}")

    variant("c", default=False, description="Build hpk::c, the C interface")
    variant("fortran", default=False, description="Build hpk::fortran, the Fortran module")
    variant("python", default=False, description="Build the Python module hpk")
    for _name in ("fortran", "python"):
        requires("+c", when=f"+{_name}", msg="the Fortran and Python modules use the C interface")
    requires("+algorithms+interop", when="+c", msg="the C interface uses algorithms and interop")
    variant("mpi", default=False, description="Build hpk::mpi, Views over MPI")
    variant("hdf5", default=False, when="+mpi", description="Write checkpoints to HDF5 as well")

    variant("hwloc", default=True, description="Use hwloc to pin worker threads")
    variant("fibers", default=True, description="Switch lanes of teams by Boost.Context (else ucontext)")
    variant("sleef", default=True, when="+simd", description="Compute functions of vectors by SLEEF")
    variant("png", default=True, when="+io", description="Write pictures of Views as PNG")
    variant("checks", default="auto", values=("auto", "on", "off"), multi=False,
            description="Check indices and preconditions (auto: on without NDEBUG)")
    variant("complex_align", default="auto", values=("auto", "on", "off"), multi=False,
            description="Align complex to its size (auto: in programs of the drop-in for Kokkos)")
    variant("shared", default=True, description="Build a shared library")
    variant("pic", default=True, description="Generate position-independent code")
    variant("cxxstd", default="20", values=("20", "23"), multi=False, description="C++ standard")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("fortran", when="+fortran", type="build")
    depends_on("python@3.11:", when="+python", type=("build", "run"))
    extends("python", when="+python")
    depends_on("googletest@1.12:", type="test")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("boost@1.74:+context", when="+fibers")
    depends_on("sleef@3.5:", when="+sleef")
    depends_on("libpng@1.6:", when="+png")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("hdf5@1.10:+mpi", when="+hdf5")
    depends_on("cuda@12.4:", when="+cuda")
    depends_on("hip@5.2:", when="+rocm")
    conflicts("%gcc@:11", msg="hpk needs g++ 12 or newer")
    conflicts("%clang@:15", msg="hpk needs clang 16 or newer")
    conflicts("~pic", when="+shared", msg="a shared library needs position-independent code")
    for _platform in ("darwin", "freebsd", "windows"):
        conflicts("+emu", when=f"platform={_platform}", msg="the backend emu runs on Linux only")

    sanity_check_is_file = ["include/hpk/core.hpp", "include/hpk/version.hpp"]

    def cmake_args(self):
        define, from_variant = self.define, self.define_from_variant
        args = [from_variant(f"hpk_ENABLE_{name.upper()}", name) for name in (*self.backends, *self.parts)]
        args += [from_variant(f"hpk_ENABLE_{backend.upper()}", name)
                 for name, backend in self.gpu_backends.items()]
        for language, variant_name in (("CUDA", "cuda_arch"), ("HIP", "amdgpu_target")):
            if variant_name in self.spec.variants and not self.spec.satisfies(f"{variant_name}=none"):
                args.append(from_variant(f"CMAKE_{language}_ARCHITECTURES", variant_name))
        if self.spec.satisfies("+python"):
            python = self.spec["python"]
            args += [define("Python3_EXECUTABLE", python.command.path),
                     define("hpk_PYTHON_DIR", f"lib/python{python.version.up_to(2)}/site-packages")]
        return args + [
            define("hpk_WITH_HWLOC", "on" if self.spec.satisfies("+hwloc") else "off"),
            define("hpk_WITH_BOOST_CONTEXT", "on" if self.spec.satisfies("+fibers") else "off"),
            define("hpk_WITH_SLEEF", "on" if self.spec.satisfies("+sleef") else "off"),
            define("hpk_WITH_PNG", "on" if self.spec.satisfies("+png") else "off"),
            from_variant("hpk_ENABLE_C", "c"),
            from_variant("hpk_ENABLE_FORTRAN", "fortran"),
            from_variant("hpk_ENABLE_PYTHON", "python"),
            from_variant("hpk_ENABLE_MPI", "mpi"),
            define("hpk_ENABLE_HDF5", self.spec.satisfies("+hdf5")),
            from_variant("hpk_CHECKS", "checks"),
            from_variant("hpk_COMPLEX_ALIGN", "complex_align"),
            from_variant("BUILD_SHARED_LIBS", "shared"),
            from_variant("CMAKE_POSITION_INDEPENDENT_CODE", "pic"),
            from_variant("CMAKE_CXX_STANDARD", "cxxstd"),
            define("hpk_BUILD_TESTS", self.run_tests),
            define("hpk_BUILD_BENCHMARKS", False),
            define("hpk_BUILD_EXAMPLES", False),
        ]

    test_requires_compiler = True
    consumer = join_path("example", "consumer_cmake")

    @run_after("install")
    def keep_consumer(self):
        cache_extra_test_sources(self, self.consumer)

    def test_consumer(self):
        """A program that finds hpk by CMake compiles, links and runs."""
        if self.spec.satisfies("+cuda") or self.spec.satisfies("+rocm"):
            raise SkipTest("the program needs a GPU")
        cmake = self.spec["cmake"].command
        cmake("-S", join_path(self.test_suite.current_test_cache_dir, self.consumer), "-B", "consumer",
              self.define("hpk_ROOT", self.prefix), self.define("CMAKE_BUILD_TYPE", "Release"))
        cmake("--build", "consumer")
        program = Executable(join_path("consumer", "consumer"))
        check_outputs("sum of squares below 1000: 332833500", program(output=str.split, error=str.split))
