# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that hpk-diff finds the faults of faults.txt, and reports nothing without a fault.

usage: check.py faults NAME HPK_DIFF PROGRAM       every fault of the program NAME
       check.py unplanted NAME HPK_DIFF PROGRAM... no fault: any number of workers, any space
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Programs whose bits differ between hosts and Emu for a documented reason.
HOSTS_ONLY = {"conjugate_gradient": "a ThreadVectorRange sums by several lanes on Emu, by one on hosts"}

mode, name, diff, *programs = sys.argv[1:]
table = Path(__file__).resolve().with_name("faults.txt")
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
environment = {k: v for k, v in os.environ.items() if not k.startswith("HPK_")}
# Small launches would otherwise run on one worker.
environment["HPK_INLINE_LAUNCHES"] = "off"
wrong = []


def space_of(program):
    return program.rsplit("_", 1)[1]


def call(command, **more):
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, env={**environment, **more})


def run(program, file, workers, *arguments):
    """Writes a hash file. Returns false if this machine lacks the instructions of a build."""
    done = call([program, name, f"--workers={workers}", *arguments], HPK_HASH=file)
    if done.returncode == -signal.SIGILL:
        return False
    if done.returncode != 0:
        sys.exit(f"{program} {name} {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}")
    return True


def compare(*arguments):
    done = call([diff, "--json", *arguments])
    if done.returncode not in (0, 1) or done.stderr:
        sys.exit(f"hpk-diff {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def with_values(found):
    """Runs both programs again, as hpk-diff suggests, if the files do not contain the elements."""
    again = found["first"] and found["first"].get("second_runs")
    if not again:
        return found
    for side in ("a", "b"):
        subprocess.run(again[side], shell=True, check=True, capture_output=True, timeout=60, env=environment)
    expected, *files = again["compare"].split()
    if expected != "hpk-diff":
        sys.exit(f"hpk-diff advises {again['compare']}")
    return compare(*files)


def place_of(found):
    """Returns the reported place in the notation of faults.txt."""
    first = found["first"]
    if first is None:
        return ["nothing"]
    if first["kind"] == "sequence":
        launches = first["a"] or first["b"]
        return ["sequence", launches[0]["label"], str(launches[0]["nth"]), "-", "-"]
    launch = [first["kind"], first["a"]["label"], str(first["a"]["nth"])]
    if first["kind"] != "values":
        return [*launch, "-", "-"]
    view = first["views"][0]
    label = view["label"] or ("result" if view["result"] else "")
    index = ",".join(map(str, view["values"]["first_index"])) if view["values"] else "unknown"
    return [*launch, label, index or "-"]


def matches(place, expected):
    return len(place) == len(expected) and all(
        e == p or (e == "*" and p != "unknown") for p, e in zip(place, expected))


def faults():
    for line in table.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        of, number, kind, *expected = (word.strip() for word in line.split("|"))
        if of == name:
            yield number, kind, expected


def find(program, number, expected, workers):
    """Returns the place that hpk-diff reports for a fault, or None if the machine cannot run it."""
    fault = f"--fault={number}"
    if expected[0] == "workers":
        found = compare("--against-self", "4", program, name, fault)
        if found["equal"] and any("that it had 1 worker" in note for note in found["notes"]):
            return None  # the machine has one CPU
        place = place_of(found)
        if found["self"]["repeats"] and place[0] == "values":
            place[0] = "workers"
        return place
    if not run(program, f"{number}.hash", workers, fault):
        return None
    return place_of(with_values(compare("clean.hash", f"{number}.hash")))


def check_faults(program):
    workers = 1 if space_of(program) == "serial" else 4
    run(program, "clean.hash", workers)
    for number, kind, expected in faults():
        # With one worker, no result depends on the number of workers.
        if expected[0] == "workers" and workers == 1:
            continue
        place = find(program, number, expected, workers)
        verdict = "this machine can't show it" if place is None else "found"
        if place is not None and not matches(place, expected):
            verdict = f"NOT FOUND: expected {' | '.join(expected)}"
            wrong.append(number)
        print(f"{name} | {number:>2} | {kind:21} | {' | '.join(place or ['-'])}   {verdict}")


def expect_equal(a, b):
    found = compare(a, b)
    if not found["equal"]:
        wrong.append(b)
        print(f"{a} and {b} differ: {place_of(found)}")
    elif found["launches"] < 40:
        wrong.append(b)
        print(f"{a} and {b}: {found['launches']} launches only")


def check_unplanted():
    for program in programs:
        space = space_of(program)
        most = 8 if space in ("threads", "openmp") else 1
        for workers in range(1, most + 1):
            run(program, f"{space}.{workers}", workers)
            expect_equal(f"{space}.1", f"{space}.{workers}")
    spaces = [space_of(program) for program in programs]
    if name in HOSTS_ONLY and "emu" in spaces:
        spaces.remove("emu")
    for space in spaces[1:]:
        expect_equal(f"{spaces[0]}.1", f"{space}.1")
    print(f"{name}: compared {', '.join(spaces)}")


if mode == "faults":
    check_faults(*programs)
else:
    check_unplanted()
sys.exit(1 if wrong else 0)
