#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures launches of a program and replays them.
usage: check.py CASE PROGRAM [PROGRAM_ON_EMU | CHANGED_PROGRAM OTHER_BUILD OTHER_TABLE [GDB]]"""
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from replay_runs import (Failed, SPACES, capture, expect, fault_of, in_parallel, list_launches,  # noqa: E402
                         replay, run)

case, *programs = sys.argv[1:]
program = [programs[0]]
CASES = "range box team reduce scan graph threads failure views elements words containers".split()

# Launches that cannot be captured, by their label, and the message of the program.
POINTER = r"the word at byte \d+ of its \d+ bytes is the address of "
REFUSED = {
    "refused.pointer": POINTER + "memory that belongs to no View",
    "refused.reference": POINTER + "memory that belongs to no View",
    "refused.this": POINTER + "memory that belongs to no View",
    "refused.variable": POINTER + "a variable of the program",
    "refused.no_copy": "its kernel can't be copied",
    "failure.thrown": "it fails with an exception",
    # The state of a ScatterView contains a table of its copies.
    "containers.scatter": "elements of type .* of View \"hpk::ScatterView: state\" can't be copied as bytes",
    "containers.scatter_copies": "elements of type .* of View \"hpk::ScatterView: state\" can't be copied as bytes",
    "hpk::ScatterView: reset": POINTER + "memory that belongs to no View",
    "hpk::ScatterView: contribute": POINTER + "memory that belongs to no View",
}
# Replayed only in place: the kernel captures a View of Views, with this label.
IN_PLACE = {"elements.views": "lists", "elements.raw": "raw", "elements.tree": "tree"}
# Launches whose bits differ between hosts and GPUs or Emu by docs/architecture.md: scans of inexact numbers,
# arrays of run-time length and teams have other blocks there, and boxes have another loop order.
OTHER_BITS = {"scan.inclusive", "scan.exclusive", "scan.view", "scan.backward", "scan.tag", "box.scan",
              "reduce.array", "reduce.array_view", "team.sizes", "team.sum"}
# Elements with padding bytes, which some compilers cannot clear.
PADDED = {"reduce.location", "elements.parts", "elements.all"}


def part_of(kernel):
    """Returns the arguments with which the program runs only the case of a kernel."""
    name = kernel.label.split(".")[0]
    return [name] if name in CASES else []


def all_ends(kernels):
    return [(kernel, launch) for kernel in kernels if kernel.is_launched() for launch in kernel.ends()]


def try_capture(command, folder, kernel, launch, path, request=None, **settings):
    """Captures a launch. Returns false if the launch cannot be captured and the program reports that."""
    said = capture(command, folder, request or kernel.request(launch), path, **settings)
    if kernel.label in REFUSED and not os.path.exists(path):
        expect(re.search("HPK_CAPTURE: launch .* can't be captured: " + REFUSED[kernel.label], said), said)
        return False
    expect(os.path.exists(path) and said.startswith("hpk: captured ") and said.count("\n") == 1,
           f"{kernel.label or kernel.functor}: not captured, or with other messages: {said}")
    return True


def fault_in(kernel, done):
    """Returns the fault of a replay of a kernel."""
    fault = fault_of(done)
    is_padding = kernel.label in PADDED and "they may have padding bytes" in done.stdout and not done.stderr
    return "" if is_padding else fault


def report(faults):
    faults = [fault for fault in faults if fault]
    expect(not faults, "\n".join(faults))


def check_each(check, items):
    def checked(item):
        try:
            return check(*item)
        except Failed as failed:
            return f"{item[0].label or item[0].functor}: {failed}"
    report(in_parallel(checked, items))


def launches(folder):
    """Replays each launch alone and in place, on each host space."""
    kernels = list_launches(program, folder)
    missing = {one for one in CASES if one != "containers"} - {k.label.split(".")[0] for k in kernels}
    expect(not missing, f"no launches of {missing}")

    def check(kernel, launch):
        path = os.path.join(folder, f"{launch[0]}.capture")
        if not try_capture(program, folder, kernel, launch, path):
            return ""
        expect(kernel.label not in REFUSED, "captured; remove it from REFUSED")
        faults = []
        for space in SPACES:
            done = replay(program, folder, path, "space=" + space)
            if kernel.label in IN_PLACE:
                expect(done.returncode == 2 and f"can't run alone: its kernel captures View \"{IN_PLACE[kernel.label]}\" of Views; "
                       "write HPK_REPLAY=file,in-place" in done.stderr, f"a View of Views alone: {done.stderr}")
            elif fault := fault_in(kernel, done):
                faults.append(f"{kernel.label} on {space}: {fault}")
            if fault := fault_in(kernel, replay(program + part_of(kernel), folder, path, "in-place,space=" + space)):
                faults.append(f"{kernel.label} in place on {space}: {fault}")
        return "\n".join(faults)
    check_each(check, all_ends(kernels))


def numbers(folder):
    """The number of a launch among all launches is that of the hash file."""
    command = program + "elements containers graph range".split()
    kernels = list_launches(command, folder)

    def check(kernel, launch):
        said = capture(command, folder, f":{launch[0]}", os.path.join(folder, f"{launch[0]}.capture"))
        if not kernel.is_launched():
            expect(f"number {launch[0]} is not among them or has no kernel" in said, f"{kernel.pattern}: {said}")
        elif kernel.label:
            expect(re.search(f'launch {launch[1]} of "{re.escape(kernel.label)}"', said), f"{launch[0]}: {said}")
    check_each(check, [(kernel, launch) for kernel in kernels for launch in kernel.ends()])


def no_pie(folder):
    """Tests a program that is linked at fixed addresses."""
    command = program + "range reduce scan views words refused".split()
    kernels = list_launches(command, folder)

    def check(kernel, launch):
        path = os.path.join(folder, f"{launch[0]}.capture")
        if not try_capture(command, folder, kernel, launch, path):
            return ""
        fault = fault_in(kernel, replay(program, folder, path))
        return f"{kernel.label}: {fault}" if fault else ""
    check_each(check, all_ends(kernels))


def emu(folder):
    """On Emu: replays in place the captures of hosts, and alone the captures of Emu."""
    on_emu = [programs[1]]
    seed = {"HPK_EMU_SEED": "3"}
    kernels = list_launches(on_emu, folder, **seed)
    known = {kernel.label for kernel in kernels}
    expect({"range.init", "team.scratch", "reduce.several", "scan.tag", "views.twice"} <= known, f"kernels: {known}")

    def check(kernel, launch):
        path = os.path.join(folder, f"{launch[0]}.capture")
        of_host = os.path.join(folder, f"{launch[0]}.of_host")
        part = part_of(kernel)
        # Without a label: by functor and by the number of the launch among the functor's.
        request = kernel.request(launch) if kernel.label else f"{kernel.functor}:{launch[1]}"
        if try_capture(on_emu + part, folder, kernel, launch, path, request, **seed):
            if fault := fault_in(kernel, replay(on_emu, folder, path, **seed)):
                return f"{kernel.label} alone: {fault}"
        if not try_capture(program + part, folder, kernel, launch, of_host, request):
            return ""
        done = replay(on_emu + part, folder, of_host, "in-place", **seed)
        if kernel.label in OTHER_BITS:
            expect(done.returncode in (0, 1) and not done.stderr, f"in place: {done.stdout}{done.stderr}")
            return ""
        fault = fault_in(kernel, done)
        return f"{kernel.label} in place: {fault}" if fault else ""
    check_each(check, all_ends(kernels))


def refuses(done, what, status=2):
    expect(done.returncode == status and what in done.stderr, f"no '{what}': status {done.returncode}, "
           f"{done.stdout}{done.stderr}")


def files(folder):
    """Tests files that are no captures, and captures of another build."""
    changed, other_build, other_table = programs[1:4]
    path = os.path.join(folder, "fill.capture")
    capture([changed], folder, "fill:2", path)
    whole = open(path, "rb").read()
    torn = "is torn or was changed; capture the launch again"
    foreign = "holds no captured launch"
    variants = {b"": foreign, b"hello\n": foreign, whole[:7]: foreign, whole[:14]: torn, whole[:-1]: torn,
                whole[:len(whole) // 2]: torn, whole + b"x": torn,
                whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]: torn,
                b"hpk-capture 1" + whole[13:]: "was written by another version of hpk"}
    wrong = os.path.join(folder, "wrong.capture")
    for content, what in variants.items():
        with open(wrong, "wb") as file:
            file.write(content)
        refuses(replay([changed], folder, wrong), what)
        refuses(replay([changed], folder, wrong, "in-place"), what)
    for missing in (folder, os.path.join(folder, "none")):
        refuses(replay([changed], folder, missing), "can't be read")
    for other in (other_build, other_table):
        refuses(replay([other], folder, path), 'launch 2 of "fill" was captured by another build of this program')
    expect(not fault_of(replay([other_build], folder, path, "in-place")), "another build in place")
    expect(not fault_of(replay([changed], folder, path)), "the file itself")


def requests(folder):
    """Tests invalid values of HPK_CAPTURE and HPK_REPLAY, and launches that do not occur."""
    part = program + ["range"]
    path = os.path.join(folder, "a.capture")
    for value in ("x", "range.init:1", ":1", "range.init:0:a", "range.init:one:a", "range.init:1:"):
        refuses(run(part, folder, HPK_CAPTURE=value), f"HPK_CAPTURE has the value '{value}'; write the label of a launch")
        refuses(run(part + ["--hpk-capture=" + value], folder), f"--hpk-capture has the value '{value}'")
    for value in (",in-place", path + ",times=0", path + ",times=x", path + ",space=", path + ",fast", path + ","):
        refuses(run(part, folder, HPK_REPLAY=value), f"HPK_REPLAY has the value '{value}'; write a path")
        refuses(run(part + ["--hpk-replay=" + value], folder), f"--hpk-replay has the value '{value}'")
    for request, what in (("range.repeated:4", 'the program made 3 launches of "range.repeated", fewer than 4'),
                          ("none:1", 'the program made 0 launches of "none", fewer than 1'),
                          (":1000", "number 1000 is not among them or has no kernel")):
        expect(what in capture(part, folder, request, path) and not os.path.exists(path), request)
    said = capture(part, folder, "range.init:1", os.path.join(folder, "none", "a"))
    expect("cannot be written" in said, said)
    done = run(part + [f"--hpk-capture=range.tag:1:{path}"], folder)
    expect(done.returncode == 0 and f"replay it with HPK_REPLAY={path}\n" in done.stderr, done.stderr)
    expect(not fault_of(run(program + [f"--hpk-replay={path},space=Serial"], folder)), "by a flag")
    for space in ("GPU", "serial", "Emu"):
        refuses(replay(program, folder, path, "space=" + space), f"no host space is called '{space}'; write space= ")


def changes(folder):
    """Replays in place, in programs that have changed."""
    changed = [programs[1]]
    path = os.path.join(folder, "fill.capture")
    capture(changed, folder, "fill:3", path)
    refuses(replay(changed + ["shape"], folder, path, "in-place"), 'View "x" of launch 3 of "fill" has elements double '
            "and shape 200; when it was captured,")
    refuses(replay(changed + ["type"], folder, path, "in-place"), "has elements float and shape 100;")
    refuses(replay(changed + ["views"], folder, path, "in-place"), "captures 2 Views, 1 when it was captured")
    refuses(replay(changed + ["pattern"], folder, path, "in-place"), "is a parallel_reduce, a parallel_for when it was")
    done = replay(changed + ["policy"], folder, path, "in-place")
    refuses(done, "differs from the captured one", 1)
    expect('View "x": 9 of 100 elements differ, first at (1): 0, captured 3' in done.stdout or
           "of 100 elements differ, first at (1)" in done.stdout, done.stdout)
    refuses(replay(changed + ["throws"], folder, path, "in-place"), "fails with an exception; nothing was compared")
    reduction = os.path.join(folder, "reduction.capture")
    capture(changed + ["pattern"], folder, "fill:3", reduction)
    done = replay(changed + ["pattern throws"], folder, reduction, "in-place")
    refuses(done, "fails with an exception; nothing was compared")
    expect("the same bits" not in done.stdout, "compared with the result of another launch")
    hashes = os.path.join(folder, "fewer.hash")
    done = replay(changed + ["fewer"], folder, path, "in-place", HPK_HASH=hashes, HPK_PROFILE="summary")
    expect("fill" in done.stderr and re.search(r"^e\t\d+$", open(hashes).read(), re.M), "the other tools did not end")
    done = replay(changed + ["fewer"], folder, path, "in-place")
    expect('the program ended before launch 3 of "fill"; nothing was replayed' in done.stderr, done.stderr)
    done = run(changed + ["killed"], folder, HPK_CAPTURE=f"fill:2:{path}")
    expect(done.returncode != 0 and not fault_of(replay(changed, folder, path)), "captured behind a sudden end")
    # Constants cannot be written; equal ones are not written.
    capture(changed, folder, "table:1", path)
    for options in ("", "in-place"):
        expect(not fault_of(replay(changed, folder, path, options)), "a View of constants")
    refuses(replay([programs[3]], folder, path, "in-place"), 'View number 2 of launch 1 of "table" has other elements '
            "than when it was captured, in memory that can't be written")
    # Two patterns with one label: the number counts the launches of both.
    for number in range(1, 5):
        capture(changed, folder, f"both:{number}", path)
        done = replay(changed, folder, path, "in-place")
        pattern = "parallel_reduce" if number % 2 == 0 else "parallel_for"
        expect(not fault_of(done) and f'launch {number} of "both" ({pattern},' in done.stdout, done.stdout + done.stderr)


def threads(folder):
    """Other threads launch while one replays, in a program that does not initialize."""
    changed = [programs[1]]
    path = os.path.join(folder, "a.capture")
    capture(changed + ["pattern"], folder, "fill:3", path)
    for _ in range(5):
        done = replay(changed + ["threads"], folder, path, "times=300")
        expect(not fault_of(done) and "the same bits: 1 View, 1 result" in done.stdout, done.stdout + done.stderr)


def times(folder):
    """Repetitions are timed, and each starts from the captured elements."""
    path = os.path.join(folder, "a.capture")
    for request in ("range.tag:1", "scan.tag:1", "reduce.several:1"):
        capture(program, folder, request, path)
        done = replay(program, folder, path, "times=20")
        name = request.split(":", maxsplit=1)[0]
        expect(not fault_of(done) and re.search(f'^launch 1 of "{name}": [0-9.e+]+ us, the shortest of 20$', done.stdout,
                                                re.M), done.stdout + done.stderr)


def tuning(folder):
    """The tuner finds sizes for a replayed kernel."""
    path = os.path.join(folder, "a.capture")
    for request, size in (("box.rank2:1", "hpk.tile_0="), ("team.automatic:1", "hpk.team_size_to_")):
        sizes = os.path.join(folder, request[:4])
        capture(program, folder, request, path)
        done = replay(program, folder, path, "times=600", HPK_TUNE=sizes)
        expect(not fault_of(done), done.stdout + done.stderr)
        lines = open(sizes).read().splitlines()
        expect(len(lines) == 3 and f"kernel_name: {request[:-2]};" in lines[1] and size in lines[1], str(lines))
        done = replay(program, folder, path, HPK_TUNE_USE=sizes)
        expect(not fault_of(done), done.stdout + done.stderr)


def tools(folder):
    """Replays with a profile, with hashes, and in a rank of MPI."""
    path = os.path.join(folder, "a.capture")
    capture(program, folder, "box.tiles:1", path)
    done = replay(program, folder, path, "times=3", HPK_PROFILE="summary")
    listed = re.findall(r"^(\S.*) \((?:for|reduce|scan|copy)\) +(\d+) ", done.stderr, re.M)
    expect(listed == [("box.tiles", "3")], f"{listed} of {done.stderr}")
    # A replay gives the hashes of the run.
    hashes = os.path.join(folder, "run.hash")
    again = os.path.join(folder, "again.hash")
    capture(program + ["box"], folder, "box.tiles:1", path, HPK_HASH=hashes)

    def hashes_of(file, number):
        text = open(file).read()
        return re.findall(r"^h\t\d+\t([0-9a-f]+)", text.split(f"\nl\t{number}\t", 1)[1].split("\nl\t")[0], re.M)
    expect(not fault_of(replay(program, folder, path, HPK_HASH=again)), "a replay with hashes")
    expect(len(hashes_of(again, 1)) == 2 and hashes_of(again, 1) == hashes_of(hashes, 2),
           f"{hashes_of(hashes, 2)} in the run, {hashes_of(again, 1)} in the replay")
    os.remove(path)
    said = capture(program, folder, "box.tiles:1", path, OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="2")
    expect(f"in {path}.rank1;" in said and not os.path.exists(path), said)
    expect(not fault_of(replay(program, folder, path + ".rank1")), "of a rank")


def gdb(folder):
    """Sets a breakpoint in the kernel."""
    changed, _, _, debugger = programs[1:]
    path = os.path.join(folder, "a.capture")
    capture([changed], folder, "fill:2", path)
    commands = ["set breakpoint pending off", "break stop_here", "run", "print i", "up", "print k", "delete", "continue"]
    line = [debugger, "-q", "-batch", "-nx"]
    for command in commands:
        line += ["-ex", command]
    done = replay(line + [changed], folder, path)
    expect("$1 = 17\n" in done.stdout and "$2 = 1\n" in done.stdout and "the same bits: 1 View" in done.stdout,
           done.stdout + done.stderr)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        try:
            globals()[case](work)
        except Failed as failed:
            sys.exit(f"replay.{case}: {failed}")
