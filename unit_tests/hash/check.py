# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program with HPK_HASH and checks the contents of the files. usage: check.py CASE PROGRAM"""
import os
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import hash_file  # noqa: E402, beside this file

case, program = sys.argv[1:]
HOSTS = ("Serial", "Threads", "OpenMP")
kept = tempfile.TemporaryDirectory()
folder = kept.name
path = os.path.join(folder, "run.hash")


def expect(condition, what):
    if not condition:
        sys.exit(f"hash.{case}: {what}")


def expect_equal(found, wanted, what=""):
    expect(found == wanted, f"{what}\nfound:  {found}\nwanted: {wanted}")


def start(which, space="Serial", arguments=(), options="", **environment):
    """Runs a case of the program, with HPK_HASH unless the environment sets it."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(("HPK_", "OMPI_", "PMI_", "MV2_", "PALS_", "FLUX_", "SLURM_"))}
    environment.setdefault("HPK_HASH", path + options)
    return subprocess.run([program, which, space, *arguments], capture_output=True, text=True,
                          timeout=50, env={**clean, **environment})


def read(at=path):
    try:
        return hash_file.read(at)
    except AssertionError as wrong:
        sys.exit(f"hash.{case}: {at}: {wrong}")


def run(which, *arguments, **environment):
    """Returns the file of a run that ends normally."""
    done = start(which, *arguments, **environment)
    # The machine may have fewer CPUs than the requested workers.
    rest = [line for line in done.stderr.splitlines() if "num-threads asks for" not in line]
    expect(done.returncode == 0 and not rest, f"{which}: {done.returncode}\n{done.stderr}")
    found = read()
    expect(found.count is not None, f"{which}: no line at the end")
    return found


def spaces():
    return start("spaces").stdout.split()


def shown(launch):
    """Formats a launch as "pattern label: View=1 2 3 ...": results with r, non-doubles with their shape."""
    views = []
    for v in launch.views:
        values = " ".join(map(str, v.numbers())) if v.element == "f64" else v.element
        views.append(f"{v.label}{'(r)' if 'r' in v.flags else ''}[{v.shape}]={values}")
    return f"{launch.pattern} {launch.label}: " + ", ".join(views)


def expect_launches(found, wanted):
    expect_equal("\n".join(map(shown, found.launches)), "\n".join(wanted))
    expect_equal([l.number for l in found.launches], list(range(1, len(wanted) + 1)))
    expect_equal(found.count, len(wanted))


if case == "loops":
    for space in spaces():
        found = run("loops", space)
        expect_launches(found, [
            "parallel_for range: x[4]=1 2 3 4",
            "parallel_for box: right[2x3]=0 1 2 10 11 12, left[2x3]=0 1 2 10 11 12",
            "parallel_for teams: y[4]=2 4 6 8",
            "parallel_for : x[4]=3 5 7 9",
            "parallel_for range: right[2]=-1 -1",
            "parallel_for nothing: ",
            "parallel_for tab\tand\\line\n: "])
        expect_equal([l.nth for l in found.launches], [1, 1, 1, 1, 2, 1, 1])
        expect_equal({l.thread for l in found.launches}, {0})
        expect("unlabelled<" in found.launches[3].functor, found.launches[3].functor)
        for launch in found.launches:
            expect(launch.kernel[1].endswith("program.cpp") and int(launch.kernel[2]) > 0, launch)
        facts = found.facts
        expect_equal(facts["space"], [space])
        expect_equal(facts["program"], [os.path.basename(program)])
        expect(facts["command"][0].endswith(f" loops {space}"), facts)
        expect(int(facts["workers"][0]) > 0 and facts["compiler"][0] and facts["version"][0], facts)
        expect_equal([facts[k] for k in ("every", "label", "regions", "keep", "keep-bytes", "unset", "endian")],
                     [["1"], [""], ["0"], ["0"], ["512"], ["c9"], ["little"]])
elif case == "results":
    for space in spaces():
        expect_launches(run("results", space), [
            "parallel_reduce variable: (r)[-]=6",
            "parallel_reduce view: result(r)[-]=6",
            "parallel_reduce reducer: (r)[-]=3",
            "parallel_reduce array: (r)[2]=2 4",
            "parallel_reduce bins: bins(r)[2]=2 4",
            "parallel_reduce two: x[4]=0 1 2 3, (r)[-]=6, (r)[-]=3",
            "parallel_scan scan: x[4]=0 1 3 6",
            "parallel_scan total: x[4]=0 1 3 6, (r)[-]=6"])
elif case == "copies":
    for space in spaces():
        found = run("copies", space)
        expect_launches(found, [
            "fill x: x[3]=7 7 7",
            "deep_copy y: y[3]=7 7 7",
            "deep_copy as_float: as_float[3]=f32",
            "fill right: right[2x3]=2 2 2 2 2 2",
            "deep_copy left: left[2x3]=2 2 2 2 2 2",
            "fill left: left[2]=0 0",
            "fill one: one[-]=5",
            "deep_copy : [-]=5",
            "deep_copy x_mirror: x_mirror[3]=7 7 7"])
elif case == "nested":
    expect_launches(run("nested"), [
        "parallel_for nested: first[2]=0 0, second[3]=10 10 10",
        "parallel_for raw: x[2]=0 1",
        "parallel_for tree: one[1]=0, two[1]=1"])
elif case == "dual":
    for space in spaces():
        found = [l for l in run("dual", space).launches if l.pattern == "parallel_for"]
        expect_equal([(l.label, l.views[0].numbers()) for l in found],
                     [("device", [0, 1, 2]), ("host", [1, 2, 3])])
elif case == "graph":
    for space in spaces():
        found = [l for l in run("graph", space).launches if l.pattern == "parallel_for"]
        expect_equal([(l.label, l.nth, [v.numbers() for v in l.views]) for l in found],
                     [("first", 1, [[1, 2]]), ("second", 1, [[2, 4], [1, 2]]),
                      ("first", 2, [[2, 4]]), ("second", 2, [[4, 8], [2, 4]])])
elif case == "options":
    found = run("options")
    expect_equal([(l.number, l.label, l.nth) for l in found.launches],
                 [(1, "a", 1), (2, "b", 1), (3, "a", 2), (4, "b", 2), (5, "a", 3), (6, "b", 3)])
    expect_equal([l.views[0].values is not None for l in found.launches], [True, False] * 3)
    whole = found.launches
    found = run("options", options=",every=2")
    expect_equal([(l.number, l.label, l.nth) for l in found.launches], [(2, "b", 1), (4, "b", 2), (6, "b", 3)])
    expect_equal((found.count, found.facts["every"]), (6, ["2"]))
    found = run("options", options=",label=a")
    expect_equal([(l.number, l.label, l.nth) for l in found.launches], [(1, "a", 1), (3, "a", 2), (5, "a", 3)])
    expect_equal([l.views for l in found.launches], [l.views for l in whole[::2]], "only some labels")
    found = run("options", options=",label=none")
    expect_equal((found.launches, found.count), ([], 6))
    found = run("options", options=",keep=4")
    expect_equal([l.views[0].values is not None for l in found.launches], [True, False, True, True, True, False])
    expect_equal(found.launches[3].views[0].numbers(), [2 * i for i in range(1000)])
    found = run("options", options=",keep-bytes=0")
    expect(not any(v.values for l in found.launches for v in l.views), "values with keep-bytes=0")
    expect_equal([l.views[0].hash for l in found.launches], [l.views[0].hash for l in whole])
    found = run("options", options=",keep-bytes=8000")
    expect(all(v.values for l in found.launches for v in l.views), "no values with keep-bytes=8000")
    for unset in ("none", "5a"):
        found = run("options", options=",unset=" + unset)
        expect_equal(found.facts.get("unset"), None if unset == "none" else [unset])
        expect_equal([l.views[0].hash for l in found.launches], [l.views[0].hash for l in whole])
elif case == "regions":
    found = run("options", options=",regions,keep-bytes=8000")
    expect_equal([(l.pattern, l.label, l.nth, [v.label for v in l.views]) for l in found.launches],
                 [("region", "step/inner", 1, ["large"]), ("region", "step", 1, ["small", "large"]),
                  ("region", "step/inner", 2, ["large"]), ("region", "step", 2, ["small", "large"]),
                  ("region", "step/inner", 3, ["large"]), ("region", "step", 3, ["small", "large"])])
    expect_equal([l.views[0].numbers() for l in found.launches[1::2]], [[0, 1], [0, 2], [0, 3]])
    expect_equal(found.facts["regions"], ["1"])
elif case == "freed":
    found = run("freed", options=",regions")
    expect_equal([(l.label, [(v.label, v.numbers()) for v in l.views]) for l in found.launches],
                 [("region", [("", [0, 2]), ("one", [5])])])
    for keep, wanted in (("", [None, None]), (",keep=1", [None, None]), (",keep=6", [[0, 2], [5]])):
        found = run("freed", options=",regions,keep-bytes=0" + keep)
        expect_equal([v.values and v.numbers() for v in found.launches[0].views], wanted, keep)
elif case == "ending":
    for _ in range(20):
        done = start("ending", MALLOC_PERTURB_="165")
        expect_equal((done.returncode, done.stderr), (0, ""))
        expect(len(read().launches) >= 50, "launches are missing")
elif case == "full":
    for full in (path, path + ".values"):
        os.symlink("/dev/full", full)
        done = start("loops")
        expect_equal((done.returncode, done.stderr),
                     (0, f"hpk: HPK_HASH can't write '{path}': No space left on device; what follows is not recorded\n"))
        if full != path:
            with open(path, encoding="utf-8") as text:
                expect("\ne\t" not in text.read(), "the file has an end")
        for at in (path, path + ".values"):
            os.remove(at)
elif case == "limit":
    whole = run("loops")
    size = sum(os.path.getsize(at) for at in (path, path + ".values"))
    for limit in (size - 50, size - 200, size - 700):
        done = start("loops", options=f",limit={limit}")
        expect(done.returncode == 0 and "hpk: the files of HPK_HASH have reached their limit" in done.stderr, done.stderr)
        found = read()
        expect(len(found.messages) == 1 and "limit" in found.messages[0], f"{limit}: {found.messages}")
        expect(len(found.launches) < 7, f"{limit}: nothing is missing")
        expect_equal(found.launches, whole.launches[:len(found.launches)], limit)
        expect_equal(found.count, 7, f"{limit}: the file has no end")
        # The header, a message and the end are always written.
        expect(sum(os.path.getsize(at) for at in (path, path + ".values")) < limit + 200, f"{limit}: too large")
    # Hashes have priority over values.
    found = run("options", options=",limit=12000,keep-bytes=8000")
    expect_equal([l.views[0].values is not None for l in found.launches], [True, True, True, False, True, False])
    done = start("loops", options=",limit=1")
    found = read()
    expect_equal((done.returncode, found.launches, found.count), (0, [], 7))
elif case == "flag":
    wanted = run("loops").key()
    os.remove(path)
    done = start("loops", "Serial", [f"--hpk-hash={path}"], HPK_HASH="")
    expect_equal((done.returncode, done.stdout, done.stderr), (0, "0 arguments left\n", ""))
    expect_equal(read().key(), wanted)
    # The option overrides the variable.
    other = os.path.join(folder, "other.hash")
    done = start("loops", "Serial", [f"--hpk-hash={path},every=2"], HPK_HASH=other)
    expect_equal(read().facts["every"], ["2"])
    expect(not os.path.exists(other), "both files are there")
elif case == "refused":
    for which in ("loops", "bare"):
        done = start(which, HPK_HASH="/nowhere/run.hash")
        expect(done.returncode != 0 and "HPK_HASH can't write the file '/nowhere/run.hash': No such file or directory"
               in done.stderr, done.stderr)
        for text in ("run.hash,every=0", "run.hash,colour=red", ",every=2", "run.hash,label="):
            done = start(which, HPK_HASH=text)
            expect(done.returncode != 0 and f"HPK_HASH has the value '{text}'; write a path, then any of every=N"
                   in done.stderr, f"{text}: {done.stderr}")
    done = start("loops", "Serial", ["--hpk-hash=run.hash,every=x"], HPK_HASH="")
    expect(done.returncode != 0 and "--hpk-hash" in done.stderr and "every=N" in done.stderr, done.stderr)
    expect_equal(os.listdir(folder), [])
elif case == "none":
    done = start("loops", HPK_HASH="")
    expect_equal((done.returncode, done.stderr, os.listdir(folder)), (0, "", []))
elif case == "unset":
    for space in spaces():
        first, second = (run("unset", space, options=",unset=" + byte) for byte in ("c9", "a7"))
        expect_equal([v.label for l in first.launches for v in l.views],
                     ["int", "double", "char", "array", "complex", "padded"])
        for a, b in zip(first.launches, second.launches):
            # Only if the compiler can distinguish padding from values.
            if a.views[0].label != "padded" or "p" not in a.views[0].flags:
                expect_equal(a.views[0].hash, b.views[0].hash, f"{space}: {a.views[0].label}")
            values = a.views[0].values
            size = a.views[0].element_bytes()
            if values is not None and a.views[0].label != "char":
                expect_equal(values[size:2 * size], b"\xc9" * size, f"{space}: {a.views[0].label}")
elif case == "threads":
    for _ in range(5):
        found = run("threads")
        expect_equal(found.count, 200)
        expect_equal(sorted(l.number for l in found.launches), list(range(1, 201)))
        for label in ("one", "two"):
            mine = [l for l in found.launches if l.label == label]
            expect_equal([l.nth for l in mine], list(range(1, 101)))
            expect_equal(len({l.thread for l in mine}), 1)
            expect_equal([l.views[0].numbers() for l in mine], [[0, k, 2 * k] for k in range(1, 101)])
        expect_equal({l.thread for l in found.launches}, {0, 1})
elif case == "ranks":
    wanted = run("loops").key()
    for size, rank in (("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK"),
                       ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID")):
        os.remove(path)
        os.remove(path + ".values")
        for number in range(2):
            done = start("loops", **{size: "2", rank: str(number)})
            expect_equal((done.returncode, done.stderr), (0, ""))
            found = read(f"{path}.rank{number}")
            expect_equal((found.facts["rank"], found.facts["ranks"], found.key()), ([str(number)], ["2"], wanted))
        expect(not os.path.exists(path), "a file without rank")
        # A variable of another launcher, or one outside a run: SLURM jobs without srun have a SLURM_PROCID.
        run("loops", **{size: "x", rank: "1"})
        run("loops", **{rank: "0"})
elif case == "failing":
    found = run("failing")
    expect_equal([(l.label, l.error is not None) for l in found.launches], [("fails", True), ("works", False)])
    expect_equal(found.launches[1].views[0].numbers(), [2, 2])
elif case == "workers":
    for space in HOSTS:
        if space not in spaces():
            continue
        wanted = run("large", space, HPK_NUM_THREADS="1").key()
        expect_equal(len(wanted), 9)
        for workers in range(2, 9):
            found = run("large", space, HPK_NUM_THREADS=str(workers))
            expect_equal(found.key(), wanted, f"{space} with {workers} workers")
elif case == "spaces":
    for which in ("loops", "results", "copies", "graph", "unset", "large"):
        wanted = run(which, "Serial").key(functors=False)
        for space in spaces():
            expect_equal(run(which, space).key(functors=False), wanted, f"{which} on {space}")
elif case == "bare":
    wanted = run("loops").key()
    expect_equal(run("bare").key(), wanted)
elif case == "ended":
    # The file has whole lines of all launches except the most recent ones.
    for which, status in (("terminated", -signal.SIGTERM), ("killed", -signal.SIGKILL)):
        done = start(which)
        expect_equal(done.returncode, status, done.stderr)
        found = read()
        expect_equal(found.count, None, which)
        expect_equal([(l.label, l.views[0].numbers()) for l in found.launches][:2], [("slow", [1, 1]), ("slow", [2, 2])])
    done = start("uncaught")
    expect_equal((done.returncode, read().count), (-signal.SIGABRT, None), done.stderr)
else:
    sys.exit(f"no such case: {case}")
