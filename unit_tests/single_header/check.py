# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check.py <source folder> <work folder> <compiler>...   (see CMakeLists.txt)"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SECOND = """\
#define HPK_NO_IMPLEMENTATION
#include "hpk.hpp"

#include <cstdio>

// Runs before main().
static const bool second = [] {
  hpk::View<int*, hpk::Serial> squares("squares", 10);
  hpk::parallel_for(hpk::RangePolicy<hpk::Serial>(0, 10), HPK_LAMBDA(int i) { squares(i) = i * i; });
  int sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy<hpk::Serial>(0, 10), HPK_LAMBDA(int i, int& s) { s += squares(i); }, sum);
  std::printf("%d\\n", sum);
  return true;
}();
"""
FLAGS = ["-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread"]


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode} from {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    source, work, *compilers = sys.argv[1:]
    source, work = Path(source), Path(work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    texts = []
    for name in ("hpk.hpp", "again.hpp"):
        run(sys.executable, source / "scripts/single_header", "--output", work / name, "--compiler", compilers[0])
        texts.append((work / name).read_text())
    if texts[0] != texts[1]:
        sys.exit("two runs wrote different headers")
    for wrong in (r'#include\s*[<"]hpk/(?!base/see_the_error_above)', r"#pragma once\n(?s:.*)#pragma once", "#line", str(source)):
        if found := re.search(wrong, texts[0]):
            sys.exit(f"the header contains '{found[0][:80]}'")
    readme = (source / "README.md").read_text()
    program, printed = re.findall(r"```(?:cpp)?\n(.*?)```", readme, re.S)[:2]
    (work / "app.cpp").write_text(program.replace("<hpk/core.hpp>", '"hpk.hpp"'))
    (work / "second.cpp").write_text(SECOND)
    for compiler in compilers:
        for file in ("app", "second"):
            run(compiler, *FLAGS, "-c", f"{file}.cpp", "-o", f"{file}.o", cwd=work)
        for objects, wanted in ((["app.o"], printed), (["app.o", "second.o"], f"285\n{printed}")):
            run(compiler, *objects, "-pthread", "-o", "program", cwd=work)
            out = run(work / "program")
            if out != wanted:
                sys.exit(f"{compiler}, {objects}: printed:\n{out}wanted:\n{wanted}")
        for setting, value in (("HPK_PROFILE", "summary"), ("HPK_TUNE", "tuned.txt"), ("HPK_HASH", "run.hash")):
            done = subprocess.run([work / "program"], capture_output=True, text=True, env={**os.environ, setting: value})
            if done.returncode == 0 or "needs an installed hpk" not in done.stderr or setting not in done.stderr:
                sys.exit(f"{setting}={value} should be an error that says what to do\n{done.stderr}")


main()
