# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of scripts/check: layers, parts, names of backends, rules for tests."""
# The layers of core/hpk. A folder may include itself and the folders listed for it here.
# The layers from the seam to the patterns, which every backend may include.
SHARED = ["base", "math", "seam", "tools", "memory", "atomic", "spaces"]
BELOW_LAUNCH = ["parallel/kernel", "parallel/policies", "parallel/operations"]
PARALLEL = [*BELOW_LAUNCH, "parallel/launch", "parallel/team", "parallel/patterns", "parallel/nested"]
LAYERS = {
    "base": [],
    "math": ["base"],
    "seam": ["base"],
    "tools": ["base", "seam"],
    "memory": ["base", "seam", "tools"],
    "atomic": ["base", "seam"],
    "spaces": ["base", "seam", "tools", "memory"],
    "backends/fibers": ["base"],
    "backends/host": [*SHARED, "backends/fibers"],
    "backends/gpu": SHARED,
    "backends/*": [*SHARED, "backends/fibers", "backends/host", "backends/gpu"],
    "parallel/kernel": SHARED,
    "parallel/policies": [*SHARED, "parallel/kernel"],
    "parallel/operations": [*SHARED, "parallel/kernel"],
    "parallel/launch": [*SHARED, *BELOW_LAUNCH],
    "parallel/team": [*SHARED, *BELOW_LAUNCH],
    "parallel/patterns": [*SHARED, *BELOW_LAUNCH, "parallel/launch", "parallel/team"],
    "parallel/nested": [*SHARED, *BELOW_LAUNCH, "parallel/launch", "parallel/team", "parallel/patterns"],
    "view": [*SHARED, *PARALLEL],
    "structures": [*SHARED, *PARALLEL, "view"],
    "runtime": [*SHARED, *PARALLEL, "view"],
}
# Headers of core that the built-in tools may include. The tools are compiled into core and install no header.
TOOL_LAYERS = ["base", "seam", "tools", "runtime"]
# The folders beside core. Files under <folder>/hpk may include their own headers, the public ones of core,
# and headers of the layers listed here. Headers in detail/ are internal; the test of one may include it.
PARTS = {"algorithms": [], "containers": [], "graph": ["base", "seam"], "interop": [], "io": [], "lockstep": [], "simd": ["base", "math"],
         "tasks": ["base", "seam"], "mpi": [], "c": [], "fortran": ["c"], "python": ["c", "interop"], "profiler": [*TOOL_LAYERS], "recording": [*TOOL_LAYERS, "memory"]}
# Generated headers, and the folders that may include them in addition to their own. default_spaces.hpp
# contains only declarations; backends.hpp includes the backends without naming them.
GENERATED = {
    "hpk/version.hpp": ["runtime"],
    "hpk/base/config.hpp": [],
    "hpk/backends/default_spaces.hpp": ["spaces", "backends", "parallel", "view", "runtime"],
    "hpk/backends/backends.hpp": ["runtime"],
}
# Folders outside core that use the seam as authors of backends do, and the folders that they may include.
SEAM_USERS = {
    "unit_tests/conformance/": [*SHARED, "backends/host", "backends/backends.hpp"],
    "unit_tests/support/": SHARED,
    "unit_tests/docs/backends.cpp": ["backends/host"],
    "unit_tests/tools/": ["runtime/compat_layer.hpp", "seam/device_profile.hpp"],
    "unit_tests/progress/": ["runtime/progress_text.hpp"],  # gives other times
    "unit_tests/gpu/pretend/": ["backends/cuda", "backends/hip", "tools/started_backends.hpp"],
    "example/out_of_tree_backend/": [*SHARED, "backends/fibers", "backends/host", "backends/gpu"],
    "scripts/": ["base", "runtime/built_in_tools.hpp"],  # the tools of the single header
    # The drop-in includes its own headers, the names of spaces, the start and its rules, and tools.
    "tpls/kokkos/": ["kokkos", "base", "backends/default_spaces.hpp", "runtime/initialize.hpp",
                     "runtime/compat_layer.hpp", "runtime/option_table.hpp", "runtime/tool_library.hpp",
                     "seam/guards.hpp", "tools/callbacks.hpp"],
}
BACKEND_NAMES = (r"\b(OpenMP|OpenMPTarget|Serial|Threads|Cuda|CUDA|HIP|Emu|HPK_ENABLE_\w*)\b|\bomp_\w+"
                 r"|\b(cuda|hip|emu)(_\w+|[A-Z]\w*)?\b|\bpragma\s+omp\b")
# Words that only device compilers know; backends/gpu, which all GPUs share, may use them.
DEVICE_WORDS = (r"\b(blockIdx|threadIdx|blockDim|gridDim|warpSize|__syncthreads|__(shfl|ballot|any|all)(_\w+)?"
                r"|__(CUDA|HIP)\w*)\b")
# Patterns forbidden in tests and the files that may contain them: name, pattern, files, remedy.
TEST_RULES = [
    ("a clock", r"\b(\w+_clock|sleep_for|sleep_until)\b", (
        "unit_tests/support/",
        # These test times.
        "unit_tests/core/base/timer.cpp", "unit_tests/core/spaces/timed_event.cpp",
        # These have their own pauses and a deadline.
        "unit_tests/core/backends/emu/emu.cpp", "unit_tests/core/backends/emu/queue.cpp",
        "unit_tests/core/parallel/patterns/reduce.cpp"), "wait with support/wait.hpp"),
    # This tests the macros of the drop-in.
    ("#if of a backend", r"^\s*#.*\bHPK_ENABLE_", ("unit_tests/support/", "unit_tests/kokkos/facts/macros.cpp"),
     "test all spaces that can, or move it to the backend's folder"),
    ("a case in CamelCase", r"(TEST(_F|_P)?|HPK_(CAPTURE_)?BUG|HPK_CLEAN)\(\s*\w+,\s*\w*[A-Z]", (),
     "name it in snake_case, so that it reads on behind its suite"),
]
