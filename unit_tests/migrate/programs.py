# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves all programs of unit_tests/kokkos/programs with an installed hpk-migrate and builds them against hpk.

Chosen programs, or all with --all, are built and run: they print what they print with the drop-in. The others are
compiled without code (-fsyntax-only). The CMakeLists.txt of the programs is moved too and builds them.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

# Programs with names that the tool must move in each of its ways: other places, leftovers, tools, tasks, macros,
# older spellings. The first program has the precompiled header of all.
CHOSEN = ("aligned_complex bit_tricks kokkos_three less_known_names odd_spellings policy_members portability_layer "
          "quad_precision scatter_view spent_scratch task_dag tool_callbacks").split()
# Run-time rules of the drop-in that hpk does not have (docs/from-kokkos.md): what the program prints, or its error.
RULES = {
    "less_known_names": "the upper bound 2 is below the lower bound 5",
    "policy_members": "the lower bound is greater than the upper bound",
    "spent_scratch": "a team asks for 8388608 bytes of scratch",
}
# Tools hear hpk's own kernels under hpk's names.
NAMED = ("tool_callbacks",)


def fail(text):
    sys.exit(f"FAILED: {text}")


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"exit code {done.returncode} from {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def move(options, moved):
    shutil.rmtree(options.work, ignore_errors=True)
    shutil.copytree(options.source, moved)
    patched = moved.parent / "patched"
    shutil.copytree(options.source, patched)
    tool = [sys.executable, options.prefix / "bin/hpk-migrate", ".", "--leftovers", "kokkos_leftovers.hpp"]
    report = run(*tool, "--in-place", cwd=moved)
    # A second run finds nothing to change, and the patch gives the same files.
    run(*tool, "--check", cwd=moved)
    run(*tool, "--patch", "../move.patch", cwd=patched)
    run("git", "apply", "--whitespace=nowarn", "../move.patch", cwd=patched)
    for path in sorted(moved.rglob("*.*")):
        if path.read_bytes() != (patched / path.relative_to(moved)).read_bytes():
            fail(f"the patch differs in {path}")
        if re.search(r"#\s*include\s*[<\"](\w+/)?Kokkos", path.read_text()):
            fail(f"{path} still includes a header of Kokkos")
    return report


def configure(options, moved, build):
    run("cmake", "-G", options.generator, "-S", moved, "-B", build, f"-Dhpk_ROOT={options.prefix}",
        f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={options.launcher}",
        f"-DCMAKE_CXX_FLAGS={options.flags}", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG",
        "-DHEADER_ONCE=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_CXX_STANDARD_LIBRARIES=-lquadmath")
    text = (build / "compile_commands.json").read_text()
    if "hpk/kokkos/include" in text or "Kokkos=hpk" in text:
        fail("the moved programs are compiled with the drop-in")
    return json.loads(text)


def check_syntax(commands):
    """Compiles without writing code."""
    def compile_one(entry):
        command = re.sub(r" -o \S+ -c ", " -fsyntax-only ", entry["command"])
        command = re.sub(r" -MD -MT \S+ -MF \S+", "", command)
        done = subprocess.run(command, shell=True, cwd=entry["directory"], capture_output=True, text=True)
        return entry["file"], done.returncode, done.stderr

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for file, status, text in pool.map(compile_one, commands):
            if status != 0 or "warning" in text:
                fail(f"{file} does not compile\n{text}")


def compare(program, expected, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    name = program.name
    if name in RULES:
        if done.returncode == 0 or RULES[name] not in done.stderr:
            fail(f"{name} should have ended with the error '{RULES[name]}'\n{done.stdout}{done.stderr}")
        return
    wanted = expected.read_text()
    if name in NAMED:
        wanted = wanted.replace("Kokkos::", "hpk::")
    if (done.returncode, done.stdout, done.stderr) != (0, wanted, ""):
        fail(f"{name}: exit code {done.returncode}\n{done.stderr}printed:\n{done.stdout}wanted:\n{wanted}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "prefix", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("compiler", "launcher", "flags", "generator"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    moved, build = options.work / "moved", options.work / "build"
    move(options, moved)
    commands = [entry for entry in configure(options, moved, build) if "cmake_pch" not in entry["file"]]
    names = sorted(Path(entry["file"]).stem for entry in commands)
    if not set(CHOSEN) <= set(names) or len(names) != len(list(options.source.glob("*.cpp"))):
        fail(f"programs are missing in {names}")
    built = names if options.all else CHOSEN
    run("cmake", "--build", build, "--parallel", len(os.sched_getaffinity(0)), "--target", *built)
    check_syntax([entry for entry in commands if Path(entry["file"]).stem not in built])
    for name in built:
        compare(build / name, options.source / f"{name}.out")
    if options.all:
        compare(build / "runtime_queries", options.source / "runtime_queries_guard.out", "guard")
    print(f"{len(names)} programs moved, {len(built)} of them built and run")


main()
