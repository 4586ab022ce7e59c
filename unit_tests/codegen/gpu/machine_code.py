# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the machine code of kernels of hpk for GPUs with that of hand-written kernels.

machine_code.py [--table] [--tighten] [--only NAME] [--path NAME] [--nvdisasm FILE] NVCC OPTION...

Compiles by_hand.cu, loops.cu and folds.cu for sm_90. The options name the headers of an hpk with Cuda. No GPU
is needed. A kernel misses its goal if it has more than 1.15 times the instructions or 1.25 times the registers
of the hand-written one, more costly instructions, fewer bytes in flight, or narrower accesses. limits.txt gives
the limits and reasons of kernels that miss; exceeding a limit is an error. sass.py explains the metrics.

--table prints the table of docs/gpu.md and never fails. --tighten lowers limits to the current values of the
kernels, removes the limits of kernels that reach the goal, raises none, and writes the table into docs/gpu.md.
--only NAME checks one kernel, and --path NAME prints the counted instructions of both kernels.

The script finds nvdisasm by --nvdisasm, by the environment variable HPK_NVDISASM, beside nvcc and in PATH.
Without it, the script compares only figures of ptxas and PTX: registers, stack memory, and the numbers of costly
instructions. Exit code 77: not checked, because nvcc is missing or has another version than limits.txt.
"""
import argparse
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

sys.dont_write_bytecode = True
from sass import Unit, Work, counts, kernels, bytes_in_flight, bytes_stored, GLOBAL_LOADS, GLOBAL_STORES  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs" / "gpu.md"
OPTIONS = ["-O3", "-DNDEBUG", "-DHPK_CHECKS=0", "-std=c++20", "-arch=sm_90", "--extended-lambda",
           "--expt-relaxed-constexpr"]
SKIPPED = 77


@dataclass(frozen=True)
class Row:
    """A kernel. work: the work of a path through it. element: bytes that an iteration stores, if the compiler
    decides how many iterations a lane runs. loop: the work of one iteration of its loop, if the loop is compared.
    own: the work of a path of hpk, if hpk joins in another way."""
    work: Work
    element: int = 0
    loop: Unit = None
    own: Work = None


# Instructions that a path must contain: the five steps of a join in a warp, with two shuffles each; in a
# block of several warps, a store of the warp's value; in a scan with barriers, which shuffles may replace,
# eight steps of two; and the low half of the multiplier of both hash functions, since keys that need no
# multiplication are rare.
JOIN = (("^SHFL", 10),)
JOIN_OF_BLOCK = JOIN + (("^STS", 1),)
SCAN = (("^(SHFL|BAR)", 16),)
# A reduction of hpk joins accumulators in groups of four in scratch, with a barrier after each step. Then the
# lane that stores the block's value counts the group.
OWN_JOIN = Work(store=8, texts=(("^STS", 1), ("^BAR", 5), ("^ATOM", 1)))
HASH = ("0x7f4a7c15", 1)
ROWS = {
    "axpy": Row(Work(16, 8)),
    "triad": Row(Work(16, 8)),
    "gather": Row(Work(12, 8)),
    "histogram": Row(Work(4, 0, ((r"^(RED|ATOM)", 1),))),
    "stencil_2d_left": Row(Work(32, 8)),
    "stencil_2d_right": Row(Work(32, 8)),
    "stencil_3d_left": Row(Work(56, 8)),
    "stencil_3d_right": Row(Work(56, 8)),
    "transpose": Row(Work(32, 32), element=8),
    "sum": Row(Work(store=8, texts=JOIN_OF_BLOCK), loop=Unit(8), own=OWN_JOIN),
    "dot": Row(Work(store=8, texts=JOIN_OF_BLOCK), loop=Unit(16), own=OWN_JOIN),
    "scan": Row(Work(128, 128, SCAN), element=8),
    "team_rows": Row(Work(store=8, texts=JOIN_OF_BLOCK), loop=Unit(8)),
    "spmv": Row(Work(store=8, texts=JOIN), loop=Unit(20)),
    "gemm": Row(Work(), loop=Unit(name="DFMA", times=16)),
    "map_find": Row(Work(16, 8, (HASH,))),
    "map_insert": Row(Work(8, 8, (HASH, ("CAS", 1)))),
}
# The factors by which metrics may exceed those of the hand-written kernel, and the metrics that must not be
# smaller. The others must not be larger.
FACTORS = {"instructions": 1.15, "outside": 1.15, "registers": 1.25}
FLOORS = ("in flight", "bits", "PTX bits")


def find_nvdisasm(given, nvcc):
    if given and not shutil.which(given):
        sys.exit(f"{given} is no program")
    beside = pathlib.Path(shutil.which(nvcc) or nvcc).resolve().parent / "nvdisasm"
    for candidate in (given, os.environ.get("HPK_NVDISASM"), str(beside), "nvdisasm"):
        if candidate and (found := shutil.which(candidate)):
            return found
    return None


def compiled(source, nvcc, options, nvdisasm, folder):
    """Returns (PTX, output of ptxas, output of nvdisasm or "")."""
    def run(*command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr
    ptx, cubin = (folder / f"{source.stem}.{end}" for end in ("ptx", "cubin"))
    run(nvcc, *OPTIONS, *options, "-ptx", str(source), "-o", str(ptx))
    report = run(nvcc, "-arch=sm_90", "-O3", "-Xptxas", "-v", "-cubin", str(ptx), "-o", str(cubin))
    return ptx.read_text(encoding="utf-8"), report, run(nvdisasm, "-c", str(cubin)) if nvdisasm else ""


def of_ptxas(report):
    """Returns {kernel: metrics} from the output of ptxas -v."""
    found = {}
    for part in re.split(r"Compiling entry function '", report)[1:]:
        used = re.search(r"Used (\d+) registers", part)
        # Functions that the kernel calls follow. The kernel's figures include their registers and stacks.
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", part)
        stack = re.search(r"(\d+) bytes cumulative stack size", part)
        found[part.split("'")[0]] = {
            "registers": int(used[1]), "spills": int(frame[2]) + int(frame[3]),
            "stack": int(stack[1]) if stack else int(frame[1])}
    return found


PTX = {"PTX local": r"\s(?:ld|st)\.local\b", "PTX calls": r"\scall\b", "PTX divisions": r"\s(?:div|rem)\.[us]",
       "PTX barriers": r"\sbar(?:rier)?(?:\.cta)?\.sync", "PTX fences": r"\s(?:membar|fence)\.",
       "PTX shuffles": r"\sshfl\."}


def of_ptx(text):
    """Returns {kernel: metrics}: the numbers of costly instructions in its code and in the functions that it calls,
    and its widest access."""
    start = r"^(?:\.\w+ )*\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)\s*\([^)]*\)[^;{]*\{"
    bodies, kinds = {}, {}
    for found in re.finditer(start, text, re.M):
        kinds[found[2]] = found[1]
        bodies[found[2]] = text[found.end():text.index("\n}", found.end())]

    def with_functions(name, seen):
        seen.add(name)
        called = set(re.findall(r"[\w$]+", bodies[name])) & set(bodies) - seen
        return bodies[name] + "".join(with_functions(one, seen) for one in sorted(called) if one not in seen)

    metrics = {}
    for name in (name for name, kind in kinds.items() if kind == "entry"):
        body = with_functions(name, set())
        metrics[name] = {what: len(re.findall(pattern, body)) for what, pattern in PTX.items()}
        # The access names its memory, as in ld.relaxed.gpu.global; otherwise it is generic.
        metrics[name]["PTX generic"] = sum(
            not re.search(r"\.(?:global|shared|local|param|const)\b", one)
            for one in re.findall(r"\s(?:ld|st|atom|red)\.[.\w:]+", body))
        metrics[name]["PTX bits"] = max((int(size) * int(lanes or 1) for lanes, size in re.findall(
            r"\s(?:ld|st)[.\w]*?\.global[.\w]*?(?:\.v([24]))?\.[busf](\d+)\s", body)), default=0)
    return metrics


def of_sass(row, kernel):
    """Returns (metrics, hot code, path) for the path and the loop of a kernel, or None if it does not do this
    work."""
    if row.loop:
        if (hot := kernel.hot_loop(row.loop)) is None:
            return None
        blocks, loop = hot
        rounds = row.loop.amount(loop)
        path = kernel.path(row.work, blocks)
        if path is None:
            return None
        metrics = {"instructions": len(loop) / rounds, "outside": len(path) - len(loop),
                   "in flight": bytes_in_flight(loop, 2)}
        # Outside the loop, plus one iteration.
        of_loop, of_path = counts(loop), counts(path)
        metrics |= {name: of_path[name] - of_loop[name] + math.ceil(of_loop[name] / rounds - 1e-9)
                    for name in of_path}
        hot = loop
    else:
        if (path := kernel.path(row.work)) is None:
            return None
        iterations = bytes_stored(path) / row.element if row.element else 1
        metrics = {"instructions": len(path), "in flight": bytes_in_flight(path), **counts(path)}
        for name in ("instructions", "accesses", "shared"):
            metrics[name] /= iterations
        hot = path
    metrics["bits"] = min((one.bits for one in hot if one.name in GLOBAL_LOADS + GLOBAL_STORES), default=0)
    return metrics, hot, path


def measured(name, row, mine, parts):
    """Returns (metrics, hot code, path) of a row's kernel, of hpk (mine) or hand-written."""
    if mine and row.own is not None:
        row = replace(row, work=row.own)
    ptx, ptxas, sass = parts
    tag = f"{'8with_hpk' if mine else '7by_hand'}{len(name)}{name}(?![a-z_0-9])"
    if mine and name == "transpose":
        tag = "transpose"
    found = [kernel for kernel in ptxas if re.search(tag, kernel) and kernel in ptx
             and (not mine or "7by_hand" not in kernel)]
    # If hpk has several kernels: those that loop over the range, not those that finish.
    found = [kernel for kernel in found if "_walkI" in kernel] or found
    choices = []
    for kernel in found:
        metrics = {**ptxas[kernel], **ptx[kernel]}
        if not sass:
            choices.append((metrics, [], []))
        elif (result := of_sass(row, sass[kernel])) is not None:
            choices.append(({**metrics, **result[0]}, *result[1:]))
    if not choices:
        return None
    # Of several forms of one loop, the common one is the shortest.
    return min(choices, key=lambda one: one[0].get("instructions", one[0]["registers"]))


def read_limits(text):
    """Returns (version of nvcc, {kernel: ({metric: limit}, reason)})."""
    limits, version = {}, ""
    for line in text.splitlines():
        fields = [part.strip() for part in line.split("|")]
        if line.startswith("nvcc "):
            version = line.split()[1]
        elif len(fields) == 3:
            numbers = (one.strip().rpartition(" ") for one in fields[1].split(","))
            limits[fields[0]] = {metric: float(value) for metric, _, value in numbers}, fields[2]
    return version, limits


def show(value):
    return f"{value:.1f}".removesuffix(".0")


def reaches(metric, value, limit):
    return value >= limit - 0.05 if metric in FLOORS else value <= limit + 0.05


def goal(metric, hand):
    return hand * FACTORS.get(metric, 1)


def judged(name, mine, hand, limits):
    """Returns (errors, hints, metrics that miss the goal)."""
    errors, hints, missed = [], [], []
    allowed = limits.get(name, ({}, ""))[0]
    for metric, value in mine.items():
        limit = allowed.get(metric)
        text = f"{name}: {metric} {show(value)}, by hand {show(hand[metric])}"
        if reaches(metric, value, goal(metric, hand[metric])):
            if limit is not None:
                hints.append(f"{text}: reaches the goal, its limit {show(limit)} may go")
            continue
        missed.append(metric)
        if limit is None:
            errors.append(f"{text}: misses the goal {show(goal(metric, hand[metric]))}")
        elif not reaches(metric, value, limit):
            errors.append(f"{text}: exceeds the limit {show(limit)}")
        elif not reaches(metric, limit, value * (1 / 1.05 if metric in FLOORS else 1.05)):
            hints.append(f"{text}: much better than the limit {show(limit)}, which can be tightened")
    return errors, hints, missed


def cell(metric, mine, hand):
    if metric not in mine:
        return ""
    text = f"{show(mine[metric])} / {show(hand[metric])}"
    return text if reaches(metric, mine[metric], goal(metric, hand[metric])) else f"**{text}**"


def table(rows):
    """Returns lines of Markdown without columns that are 0 for all kernels."""
    with_sass = any("instructions" in mine for _, mine, _ in rows)
    columns = (["instructions", "outside", "registers", "in flight", "accesses", "bits", *counts([])] if with_sass
               else [])
    columns += [column for column in ("registers", "stack", "spills", *PTX, "PTX generic", "PTX bits")
                if column not in columns and not (with_sass and "PTX" in column)]
    columns = [c for c in dict.fromkeys(columns) if any(m.get(c) or h.get(c) for _, m, h in rows)]
    return ["| hpk / by hand | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|",
            *(f"| {name} | " + " | ".join(cell(column, mine, hand) for column in columns) + " |"
              for name, mine, hand in rows)]


def reasons(rows, limits):
    return [f"- `{name}`: {limits[name][1]}" for name, _, _ in rows if name in limits]


def tightened(text, rows):
    """Returns the text of limits.txt with limits lowered to the current values, and without limits of kernels that
    reach the goal."""
    measured_rows = {name: (mine, hand) for name, mine, hand in rows}
    lines = []
    for line in text.splitlines():
        fields = [part.strip() for part in line.split("|")]
        if len(fields) == 3 and fields[0] in measured_rows:
            mine, hand = measured_rows[fields[0]]
            old = read_limits(line)[1][fields[0]][0]
            kept = {metric: mine[metric] if reaches(metric, mine[metric], limit) else limit
                    for metric, limit in old.items()
                    if not reaches(metric, mine[metric], goal(metric, hand[metric]))}
            fields[1] = ", ".join(f"{metric} {show(limit)}" for metric, limit in kept.items())
            if not kept:
                continue
            line = " | ".join(fields)
        lines.append(line)
    return "\n".join(lines) + "\n"


def replaced(text, start, lines):
    """Replaces in the text the lines of Markdown that begin with `start` and have the form of the first."""
    old = text.splitlines()
    first = next(at for at, line in enumerate(old) if line.startswith(start))
    last = next(at for at in range(first, len(old)) if not old[at].startswith(start[:1]))
    return "\n".join(old[:first] + lines + old[last:]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--tighten", action="store_true")
    parser.add_argument("--only", choices=ROWS)
    parser.add_argument("--path", choices=ROWS)
    parser.add_argument("--nvdisasm")
    parser.add_argument("nvcc")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not shutil.which(arguments.nvcc):
        print("skipped: there is no nvcc")
        return SKIPPED
    nvdisasm = find_nvdisasm(arguments.nvdisasm, arguments.nvcc)
    limits_file = HERE / "limits.txt"
    version, limits = read_limits(limits_file.read_text(encoding="utf-8"))
    sides = {True: ({}, {}, {}), False: ({}, {}, {})}
    with tempfile.TemporaryDirectory() as folder:
        for source in ("loops.cu", "folds.cu", "by_hand.cu"):
            ptx, report, listing = compiled(HERE / source, arguments.nvcc, arguments.options, nvdisasm,
                                            pathlib.Path(folder))
            side = sides[source != "by_hand.cu"]
            side[0].update(of_ptx(ptx))
            side[1].update(of_ptxas(report))
            side[2].update(kernels(listing))
    rows, errors, hints = [], [], []
    for name, row in ROWS.items():
        if name not in (arguments.only or name, ) or arguments.path and name != arguments.path:
            continue
        mine, hand = (measured(name, row, side, sides[side]) for side in (True, False))
        if mine is None or hand is None:
            errors.append(f"{name}: no kernel {'of hpk' if mine is None else 'by hand'} does the work of its row")
            continue
        rows.append((name, mine[0], hand[0]))
        new_errors, new_hints, missed = judged(name, mine[0], hand[0], limits)
        errors += new_errors
        hints += new_hints
        if nvdisasm and (new_errors or new_hints):
            figures = ", ".join(f"{metric} {show(mine[0][metric])}" for metric in missed)
            hints.append(f"limits.txt would have: {name} | {figures} |")
        if arguments.path:
            for side, (_, hot, path) in (("hpk", mine), ("by hand", hand)):
                print(f"--- {side}", *map(str, hot), sep="\n")
                if hot != path:
                    print(f"--- {side}: the whole path", *map(str, path), sep="\n")
    print(*table(rows), sep="\n")
    if not nvdisasm:
        print("There is no nvdisasm: only what ptxas and PTX tell was compared.")
    if arguments.tighten:
        if not nvdisasm or arguments.only or arguments.path:
            sys.exit("--tighten needs nvdisasm and all kernels")
        limits_file.write_text(tightened(limits_file.read_text(encoding="utf-8"), rows), encoding="utf-8")
        limits = read_limits(limits_file.read_text(encoding="utf-8"))[1]
        text = replaced(DOCS.read_text(encoding="utf-8"), "| hpk / by hand |", table(rows))
        before, why, after = text.partition("Why kernels miss the goal:\n")
        DOCS.write_text(before + why + replaced(after, "- `", reasons(rows, limits) or ["- `none`"]),
                        encoding="utf-8")
    if arguments.table:
        print("", *reasons(rows, limits), "", *hints, *errors, sep="\n")
        return 0
    for line in hints + errors:
        print(line)
    of_nvcc = subprocess.run([arguments.nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    if f"release {version}," not in of_nvcc:
        print(f"skipped: limits.txt is for nvcc {version}")
        return SKIPPED
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
