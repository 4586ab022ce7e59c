#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures the first and the last launch of each kernel of whole programs, and replays them on each host space.
usage: programs.py NAME=PROGRAM..."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
from replay_runs import Failed, SPACES, capture, expect, fault_of, in_parallel, list_launches, replay  # noqa: E402

MATRIX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../example/conjugate_gradient/1138_bus.mtx")
# Arguments for small sizes.
ARGUMENTS = {
    "conjugate_gradient": ["--poisson", "5", "--tolerance", "1e-1"],
    "gpu_performance": ["stencil"],
    "heat": ["--size", "50", "--steps", "4"],
    "mandelbrot": ["--size", "32", "--steps", "20"],
    "matrix_graph": [MATRIX],
    "neighbour_cells": ["--particles", "300"],
    "option_price": ["--paths", "2000"],
    "particle_binning": ["--particles", "2000"],
}
# Programs and kernels with addresses of memory that belongs to no View: references to local objects, the
# state of a ScatterView.
REFUSED = {
    "out_of_tree_backend throws": "it fails with an exception",
    "matrix_graph count": "can't be copied as bytes",
    "matrix_graph hpk::ScatterView: reset": "is the address of memory that belongs to no View",
    "matrix_graph hpk::ScatterView: contribute": "is the address of memory that belongs to no View",
    "particle_binning hpk::BinSort": "is the address of memory that belongs to no View",
}
REFUSED.update({"run_lengths hpk::" + name: "is the address of memory that belongs to no View"
                for name in "unique_copy max_element for_each".split()})
# Repeats its loops for some time, so that their number differs between runs. Only first launches are
# captured.
TIMED = {"conjugate_gradient"}
# Kernels that assign places by atomic operations, in the order in which iterations arrive.
IN_ANY_ORDER = {"matrix_graph fill", "neighbour_cells sort into cells", "kokkos_team_vector_loops pack"}


def check_program(name, program, folder):
    """Returns the number of replayed launches, and the faults."""
    command = [program, *ARGUMENTS.get(name, [])]
    kernels = [kernel for kernel in list_launches(command, folder) if kernel.is_launched()]
    count = 0
    faults = []
    refused = set()
    for kernel in kernels:
        for launch in kernel.ends() if name not in TIMED else kernel.launches[:1]:
            what = f"{name} {kernel.label or kernel.functor}"
            path = os.path.join(folder, f"{launch[0]}.capture")
            said = capture(command, folder, kernel.request(launch), path)
            while name in TIMED and "fewer than" in said and launch[1] > 1:
                # An earlier launch of this label, since the program was slower this time.
                launch = (launch[0], launch[1] // 2)
                said = capture(command, folder, kernel.request(launch), path)
            if not os.path.exists(path):
                refused.add(what)
                if what not in REFUSED or REFUSED[what] not in said:
                    faults.append(f"{what}: not captured: {said}")
                continue
            count += 1
            for space in SPACES:
                done = replay(command, folder, path, "space=" + space)
                fault = fault_of(done)
                if fault and not (what in IN_ANY_ORDER and done.returncode == 1 and not done.stderr):
                    faults.append(f"{what} on {space}: {fault}")
            os.remove(path)
    faults += [f"{what}: captured; remove it from REFUSED" for what in REFUSED
               if what.startswith(name + " ") and what not in refused]
    return count, faults


def main():
    programs = [one.split("=", 1) for one in sys.argv[1:]]
    expect(programs, "no programs")

    def check(one):
        with tempfile.TemporaryDirectory() as folder:
            try:
                return check_program(*one, folder)
            except Failed as failed:
                return 0, [f"{one[0]}: {failed}"]
    found = in_parallel(check, programs)
    for (name, _), (count, _) in zip(programs, found):
        print(f"{name}: {count} launches")
    faults = [fault for _, some in found for fault in some]
    expect(not faults, "\n".join(faults))
    # Most programs have captured launches.
    expect(sum(count > 0 for count, _ in found) > len(programs) * 3 // 4, "few launches")


if __name__ == "__main__":
    try:
        main()
    except Failed as wrong:
        sys.exit(f"replay.examples: {wrong}")
