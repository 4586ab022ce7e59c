# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of check.py in which hpk-diff runs programs: Python that writes the files named by HPK_HASH."""
import json
import os
import sys

from __main__ import call, error, expect, has

# `sum` is the result of the program: an expression that may use the number of workers, the byte that fills
# memory, and the number of earlier runs.
APP = """import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, {here!r})
from hash_files import Run, View
path, *options = os.environ["HPK_HASH"].split(",")
options = dict(option.split("=") for option in options)
workers, unset = int(os.environ["HPK_NUM_THREADS"]), options["unset"]
with open("log", "a") as log:
    log.write(f"{{workers}} {{unset}} {{options.get('keep')}}\\n")
runs = len(open("log").readlines())
keep = int(options.get("keep", 0))
run = Run(unset=unset, workers=str({workers}), command="app", keep=str(keep))
run.launch("start", View("u", [1.0], has_values=False))
run.launch("sum", View("s", [float({sum})], shape="-", flags="r", has_values=keep == 2))
run.launch("end", View("u", [1.0], has_values=False))
run.write(path)
print("output of", sys.argv[1:])
"""


def against(most, sum, *options, workers="workers", arguments=()):
    with open("app.py", "w") as file:
        file.write(APP.format(here=os.path.dirname(os.path.abspath(__file__)), sum=sum, workers=workers))
    if os.path.exists("log"):
        os.remove("log")
    os.makedirs("tmp", exist_ok=True)
    done = call("--against-self", str(most), *options, sys.executable, "app.py", *arguments,
                TMPDIR=os.path.abspath("tmp"), HPK_HASH="of the caller", HPK_NUM_THREADS="99")
    expect(os.listdir("tmp") == [], "temporary files are left")
    return done, open("log").read().splitlines()


def against_self():
    done, log = against(3, "1", arguments=("--json", "x y"))
    expect(done.returncode == 0 and done.stderr == "", done.stderr)
    expect(done.stdout == "the results do not depend on the number of workers: 1 to 3, 3 launches\n", done.stdout)
    expect(log == ["1 c9 None", "1 a7 None", "2 95 None", "3 d3 None"], str(log))
    done, log = against(1, "1")
    expect(done.stdout == "the program repeats itself with 1 worker: 3 launches\n", done.stdout)
    done, log = against(2, "1", "--json")
    found = json.loads(done.stdout)
    expect(found["equal"] and found["self"]["repeats"] and found["self"]["most_workers"] == 2, done.stdout)
    # A program that ignores the variable.
    done, log = against(3, "1", workers="1")
    has(done.stdout, "1 to 3, 3 launches\nnote: with HPK_NUM_THREADS=2 the program says that it had 1 worker; ")
    # Files that are kept.
    done, log = against(2, "1", "--keep-files", "runs")
    expect(sorted(os.listdir("runs")) == sorted(f"workers_{name}.{end}" for name in ("1", "1_again", "2")
                                                for end in ("err", "hash", "hash.values", "out")), str(os.listdir("runs")))
    expect(open("runs/workers_2.out").read() == "output of []\n", "output")
    expect(error("--against-self", "2", "--keep-files", "a,b", "true").startswith("HPK_HASH takes no comma in "), "comma")


def against_self_order():
    done, log = against(5, "0.1 * workers if workers > 2 else 0.1")
    expect(done.returncode == 1 and done.stderr == "", done.stderr)
    expect(done.stdout == "the results depend on the number of workers: run a had 1 worker, run b had 3 workers\n"
           'first difference: launch 2, the 1st parallel_for "sum" (app.cpp:12)\n'
           '  result "s" (double): the value differs:\n    a: 0.1\n    b: 0.30000000000000004\n'
           "  The largest difference: 7205759403792794 ulp, 0.20000000000000004.\n"
           "The launch after it is equal: the runs agree again.\n", done.stdout)
    # hpk-diff stops at the first difference, and repeats both runs with the same fill bytes.
    expect(log == ["1 c9 None", "1 a7 None", "2 95 None", "3 d3 None", "1 c9 2", "3 d3 2"], str(log))
    done, log = against(2, "workers", "--json")
    found = json.loads(done.stdout)
    expect(done.returncode == 1 and found["self"]["workers"] == {"a": 1, "b": 2}, done.stdout)
    expect(found["first"]["views"][0]["values"]["first"] == {"a": "1", "b": "2"}, done.stdout)
    expect(against(2, "workers", "--ignore", "s")[0].returncode == 0, "--ignore")


def against_self_does_not_repeat():
    # The program reads memory that it has not written.
    done, log = against(4, 'int(unset, 16)')
    expect(done.returncode == 1, done.stderr)
    has(done.stdout, "the program does not repeat itself: run a and run b had 1 worker each\n",
        "or read memory that it never wrote, which c9 fills in a and a7 in b)\n", "    a: 201\n    b: 167\n")
    expect(log == ["1 c9 None", "1 a7 None", "1 c9 2", "1 a7 2"], str(log))
    expect(not json.loads(against(4, "int(unset, 16)", "--json")[0].stdout)["self"]["repeats"], "JSON")


def against_self_comes_and_goes():
    done, log = against(2, "runs == 3")
    expect(done.returncode == 1, done.stderr)
    has(done.stdout, "run a had 1 worker, run b had 2 workers", 'result "s" (double) differs\n',
        "note: two more runs, which should show the elements, were equal: the difference comes and goes\n")
    expect("HPK_HASH=" not in done.stdout, "commands whose files are gone")


def against_self_fails():
    with open("app", "w") as file:
        file.write('#!/bin/sh\necho "of $HPK_NUM_THREADS"\necho "wrong: $*" >&2\n'
                   'case $1 in nothing) exit 0 ;; signal) kill -TERM $$ ;; esac\nexit 3\n')
    os.chmod("app", 0o755)
    done = call("--against-self", "2", "./app", "a", "b")
    expect(done.returncode == 2 and done.stdout == "", done.stdout)
    expect(done.stderr == "of 1\nwrong: a b\nhpk-diff: ./app with 1 worker ended with exit status 3; its output is "
           "above\n", done.stderr)
    has(call("--against-self", "2", "./app", "signal").stderr, "hpk-diff: ./app with 1 worker ended by signal 15;")
    version = call("--version").stdout.split()[1]
    expect(error("--against-self", "2", "./app", "nothing") == "./app wrote no hashes: it launches nothing with hpk, or "
           f"was built with hpk before {version}", "no hashes")
