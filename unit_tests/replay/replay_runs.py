# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures launches of programs and replays them; for check.py and programs.py."""
import concurrent.futures
import os
import re
import subprocess

SPACES = os.environ.get("REPLAY_HOST_SPACES", "Serial,Threads,OpenMP").split(",")
# Variables of the environment that could change the launches of the tests and how they run.
OWN = re.compile("(HPK|KOKKOS|OMPI|PMI|OMP)_")


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what)


def run(command, folder, **settings):
    """Runs a program in a folder, with environment variables."""
    environment = {k: v for k, v in os.environ.items() if not OWN.match(k)}
    environment.update({"HPK_INLINE_LAUNCHES": "off", "OMP_WAIT_POLICY": "passive"})
    environment.update(settings)
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=100, cwd=folder,
                          env=environment)


class Kernel:
    """A kernel of a hash file, and its launches: pairs of the number among all launches and among this kernel's."""

    def __init__(self, fields):
        self.pattern, self.file, self.line, self.label, self.functor = fields
        self.launches = []

    def is_launched(self):
        """Returns whether it is a launch of parallel_for, parallel_reduce or parallel_scan."""
        return self.pattern.startswith("parallel_")

    def ends(self):
        """Returns the first launch and the last one."""
        return self.launches[:1] + self.launches[1:][-1:]

    def request(self, launch):
        """Returns the value of HPK_CAPTURE without the file."""
        return f"{self.label}:{launch[1]}" if self.label else f":{launch[0]}"


def kernels_of(path):
    """Returns the kernels of a hash file."""
    kernels = {}
    for line in open(path, errors="replace"):
        fields = line.rstrip("\n").split("\t")
        if fields[0] == "k":
            kernels[fields[1]] = Kernel(fields[2:7])
        elif fields[0] == "l":
            kernels[fields[3]].launches.append((int(fields[1]), int(fields[4])))
    return [one for one in kernels.values() if one.launches]


def list_launches(command, folder, **settings):
    done = run(command, folder, HPK_HASH=os.path.join(folder, "run.hash"), **settings)
    expect(done.returncode == 0, f"{command}: {done.stdout}{done.stderr}")
    return kernels_of(os.path.join(folder, "run.hash"))


def capture(command, folder, request, path, **settings):
    """Captures a launch. Returns the program's message about it."""
    done = run(command, folder, HPK_CAPTURE=f"{request}:{path}", **settings)
    expect(done.returncode == 0, f"capture of {request}: {done.stdout}{done.stderr}")
    return done.stderr


def replay(command, folder, path, options="", **settings):
    return run(command, folder, HPK_REPLAY=path + ("," + options if options else ""), **settings)


def fault_of(done):
    """Returns the fault of a replay that should give the same bits, or an empty string."""
    if done.returncode == 0 and "  the same bits: " in done.stdout and not done.stderr:
        return ""
    return f"status {done.returncode}: {done.stdout}{done.stderr}"


def in_parallel(function, items):
    """Returns the results of calls on several threads, which wait for programs."""
    with concurrent.futures.ThreadPoolExecutor(max(2, (os.cpu_count() or 2) // 2)) as pool:
        return list(pool.map(function, items))
