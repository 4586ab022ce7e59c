#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the programs that docs/fortran.md shows.

fortran.py PAGE FOLDER GFORTRAN CMAKE_ARGUMENT...

Each block of `cpp` and `fortran` is a whole file, whose name is in its first line. The block of `cmake` is the
CMakeLists.txt of one program; the others are added to it, with the C++ file of the same name if there is one. A block
of `text` after a program is its output, and the other one a line that the Fortran compiler prints for a call with
real numbers of another kind. Fails if a block is not used.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True
import pages  # noqa: E402


def run(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main():
    page, folder, gfortran, *arguments = sys.argv[1:]
    arguments.append(f"-DCMAKE_Fortran_COMPILER={gfortran}")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files, outputs, project, last = {}, {}, "", None
    for block in pages.blocks(pathlib.Path(page).read_text()):
        if block.language in ("cpp", "fortran"):
            last = re.match(r"(?://|!) ([\w.]+)\n", block.text)[1]
            files[last] = block.text
        elif block.language == "cmake":
            project, last = block.text, "CMakeLists.txt"
        elif block.language == "text":
            outputs[last] = block.text
    for name in sorted(files):
        stem, _, suffix = name.partition(".")
        if suffix == "f90" and f" {name})" not in project:
            sources = f"{name} {stem}.cpp" if f"{stem}.cpp" in files else name
            project += f"add_executable({stem} {sources})\ntarget_link_libraries({stem} PRIVATE hpk::fortran)\n"
    for name, text in [*files.items(), ("CMakeLists.txt", project)]:
        if not (folder / name).exists() or (folder / name).read_text() != text:
            (folder / name).write_text(text)
    build = folder / "build"
    for command in (["cmake", "-S", folder, "-B", build, *arguments], ["cmake", "--build", build, "--parallel", "2"]):
        done = run(*map(str, command))
        if done.returncode != 0:
            print(done.stdout)
            return 1
    wrong = 0
    programs = [name for name in files if name.endswith(".f90")]
    for name in programs:
        done = run(str(build / name.removesuffix(".f90")))
        if done.returncode != 0 or done.stdout != outputs.pop(name):
            wrong += 1
            print(f"{page}: the output of {name} is not\n{done.stdout}")
    # The module must refuse what the page says.
    (folder / "wrong_kind.f90").write_text(files["heat.f90"].replace("real(c_double)", "real"))
    done = run(gfortran, "-fsyntax-only", f"-I{build}/heat_lib_module", str(folder / "wrong_kind.f90"))
    shown = outputs.pop("CMakeLists.txt")
    if shown not in re.sub("[\u2018\u2019]", "'", done.stdout):
        wrong += 1
        print(f"{page}: gfortran does not say\n{shown}but\n{done.stdout}")
    print(f"{len(programs)} programs, {wrong} wrong")
    return 1 if wrong or outputs or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
