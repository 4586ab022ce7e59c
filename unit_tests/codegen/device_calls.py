# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds calls of host functions in device code, which nvcc silently removes.

device_calls.py SOURCE NVCC [OPTION...]   needs the headers of an hpk with Cuda, but no GPU

HPK_CALLS_EITHER silences nvcc where a template calls functions of its arguments. This also hides calls of host
functions of the standard library in device code. With HPK_DETAIL_SHOW_HOST_CALLS nvcc reports all of these
calls. Calls of hpk's own host functions are correct: they are in code that is instantiated for hosts and devices
and runs on hosts. So only functions of the standard library count as errors.
"""
import re
import subprocess
import sys

# Names that nvcc prints without a namespace for functions of the standard library.
BARE = ("launder", "basic_string_view", "min", "max", "clamp", "swap", "countr_zero", "countl_zero", "popcount",
        "bit_width", "bit_ceil", "has_single_bit", "accumulate", "fill", "copy", "distance")
CALL = re.compile(r'^(\S+?\(\d+\)): \w+[^\n]*: calling a [^\n]*?__host__ function(?:\("(.*?)"\))? from a',
                  re.M)


def is_of_std(name):
    """Returns whether a function, as nvcc names it, is in namespace std."""
    before = None
    while before != name:  # without template arguments, from the inside out
        before, name = name, re.sub(r"<[^<>]*>", "", name)
    # Member functions of strings are called only by host code.
    return name in BARE or "std::" in name.split("(")[0] and "basic_string ::" not in name


def main():
    source, *compiler = sys.argv[1:]
    done = subprocess.run([*compiler, "-DHPK_DETAIL_SHOW_HOST_CALLS", "-O0", "-Xptxas", "-O0", "-ptx", source, "-o",
                           "/dev/null"], stderr=subprocess.PIPE, text=True, check=False)
    calls = {(where, name) for where, name in CALL.findall(done.stderr) if is_of_std(name)}
    for where, name in sorted(calls):
        print(f"{where}: device code calls {name or 'a host function'}")
    others = [line for line in done.stderr.splitlines() if ": error:" in line and "calling a" not in line]
    print(*others, sep="\n")
    return 1 if calls or others else 0


if __name__ == "__main__":
    sys.exit(main())
