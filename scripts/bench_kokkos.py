# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares hpk with Kokkos: builds benchmarks/kokkos with both and runs the two programs in turn."""
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

KERNELS = Path(__file__).resolve().parent.parent / "benchmarks" / "kokkos"
# Rounds of a kernel: in complete runs and with --quick.
ROUNDS, QUICK_ROUNDS = 9, 3


def must(command, what):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{(done.stdout + done.stderr)[-6000:]}\nbench: {what} failed")
    return done.stdout


def cached(build, entry):
    """A value of the CMake cache of a folder, or nothing."""
    cache = build / "CMakeCache.txt"
    match = re.search(rf"^{entry}:\w+=(.*)$", cache.read_text(encoding="utf-8"), re.M) if cache.exists() else None
    return match[1] if match else ""


def machine_flags(folder):
    """Returns the options that select a processor; the CMake target of Kokkos may pass some."""
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    return list(dict.fromkeys(word for word in commands[0]["command"].split() if word.startswith("-m")))


def build_kernels(build, name, root, flags, *definitions):
    """Configures and builds the kernels in build/bench/name; returns that folder."""
    folder = build / "bench" / name
    command = ["cmake", "-S", str(KERNELS), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
               f"-DKokkos_ROOT={root}", f"-DCMAKE_CXX_COMPILER={cached(build, 'CMAKE_CXX_COMPILER')}",
               f"-DCMAKE_CXX_FLAGS={' '.join(flags)}", *definitions]
    for entry, option in (("CMAKE_GENERATOR", "-G"), ("CMAKE_CXX_COMPILER_LAUNCHER", "-DCMAKE_CXX_COMPILER_LAUNCHER=")):
        if cached(build, entry):
            command.append(option + cached(build, entry))
    print(f"bench: building the kernels of benchmarks/kokkos against {root}", file=sys.stderr)
    if not (folder / "kokkos_kernels").exists():
        (folder / "CMakeCache.txt").unlink(missing_ok=True)
    must(command, f"configuring {KERNELS} with Kokkos_ROOT={root}")
    must(["cmake", "--build", str(folder), "-j", str(os.cpu_count() or 2)], f"building {KERNELS} against {root}")
    return folder


class Side:
    """The program built with one library."""

    def __init__(self, folder, environment):
        self.program, self.environment = folder / "kokkos_kernels", environment
        head, *self.names = self.call("--list").splitlines()
        self.version, self.space = head.split()

    def call(self, *arguments):
        done = subprocess.run([str(self.program), *arguments], env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}{done.stderr}bench: {self.program} {' '.join(arguments)} failed with exit code "
                     f"{done.returncode}")
        return done.stdout

    def measure(self, name, quick):
        return json.loads(self.call(*(["--quick"] if quick else []), name).splitlines()[-1])


def environment_of_both():
    """Returns the user's environment with one thread per available CPU, unless it sets a number of threads."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    threads = os.environ.get("OMP_NUM_THREADS", str(cpus))
    return {"OMP_NUM_THREADS": threads, "KOKKOS_NUM_THREADS": threads} | os.environ


def prepare(prefix, build):
    """Builds both programs; returns them as sides, hpk first."""
    flags = cached(build, "CMAKE_CXX_FLAGS").split()
    environment = environment_of_both()
    folder = build_kernels(build, "kokkos", prefix.resolve(), flags)
    kokkos = Side(folder, environment)
    flags += [flag for flag in machine_flags(folder) if flag not in flags]
    hpk = Side(build_kernels(build, "hpk", build.resolve() / "share/hpk/kokkos", flags,
                             f"-DHPK_DEFAULT_EXECUTION_SPACE={kokkos.space}"), environment)
    return hpk, kokkos


def same(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def compare(sides, name, quick):
    """Measures a kernel in rounds; returns its pair, or None if the sides computed different values."""
    hpk, kokkos = sides
    times, ratios = {hpk: [], kokkos: []}, []
    for turn in range(QUICK_ROUNDS if quick else ROUNDS):
        computed = {}
        for side in (sides if turn % 2 == 0 else sides[::-1]):
            found = side.measure(name, quick)
            computed[side] = found["computed"]
            times[side].append(found["ns"])
        if not same(*computed.values()):
            return None
        ratios.append(times[kokkos][-1] / times[hpk][-1])
    topic, space, variant, n = name.split("/")
    q1, median, q3 = statistics.quantiles(ratios, n=4, method="inclusive")
    return {"topic": topic, "space": space, "variant": variant, "n": int(n), "ratio": median, "ratio_q1": q1,
            "ratio_q3": q3, "hpk_ns": statistics.median(times[hpk]), "kokkos_ns": statistics.median(times[kokkos]),
            "rounds": len(ratios)}
