# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with HPK_PROFILE=trace and checks the trace. usage: trace_check.py PROGRAM [ARGUMENT...]

The trace must be in the Trace Event Format: every B has its E, every X a duration, spans of a thread nest. The
spans of the whole run must add up to its wall time, and the spans of each kernel to the row of the summary.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time

# The fields that each phase needs; M: metadata, i: a point in time, C: a counter.
NEEDS = {"X": {"name", "cat", "pid", "tid", "ts", "dur"}, "B": {"name", "pid", "tid", "ts"}, "E": {"pid", "tid", "ts"},
         "M": {"name", "pid", "args"}, "i": {"name", "pid", "tid", "ts", "s"}, "C": {"name", "pid", "ts", "args"}}
ROUNDING = 2e-3  # us: times are written with three digits


def spans_of(events):
    """Returns all spans (pid, tid, name, kind, begin, end), from X and from pairs of B and E. Raises ValueError."""
    spans, begun = [], collections.defaultdict(list)
    for event in events:
        phase = event.get("ph")
        if phase not in NEEDS or not NEEDS[phase] <= set(event):
            raise ValueError(f"incomplete: {event}")
        for key in ("ts", "dur"):
            if key in event and not (isinstance(event[key], (int, float)) and event[key] >= 0):
                raise ValueError(f"{key} is no time: {event}")
        if phase == "C" and not all(isinstance(v, (int, float)) for v in event["args"].values()):
            raise ValueError(f"a counter without numbers: {event}")
        track = (event["pid"], event.get("tid"))
        if phase == "X":
            spans.append((*track, event["name"], event["cat"], event["ts"], event["ts"] + event["dur"]))
        elif phase == "B":
            begun[track].append(event)
        elif phase == "E":
            if not begun[track]:
                raise ValueError(f"an E without B: {event}")
            begin = begun[track].pop()
            spans.append((*track, begin["name"], begin.get("cat", ""), begin["ts"], event["ts"]))
    if left := [b for stack in begun.values() for b in stack]:
        raise ValueError(f"a B without E: {left[0]}")
    return spans


def top_level(spans):
    """Returns the spans of one track that are in no other span. Raises ValueError if two overlap without nesting."""
    open_ends, top = [], []
    for span in sorted(spans, key=lambda s: (s[4], -s[5])):
        while open_ends and span[4] >= open_ends[-1] - ROUNDING:
            open_ends.pop()
        if open_ends and span[5] > open_ends[-1] + ROUNDING:
            raise ValueError(f"spans overlap: {span}")
        if not open_ends:
            top.append(span)
        open_ends.append(span[5])
    return top


def check(events, wall):
    """Checks a trace of a run that took `wall` us including start and end of the process. Returns its spans."""
    spans = spans_of(events)
    tracks = collections.defaultdict(list)
    for span in spans:
        tracks[span[:2]].append(span)
    for track in tracks.values():
        top_level(track)
    whole = [s for s in spans if s[3] == "program"]
    if len(whole) != 1:
        raise ValueError(f"{len(whole)} spans of the whole program")
    begin, end = whole[0][4:]
    if any(s[4] < begin - ROUNDING or s[5] > end + ROUNDING for s in spans):
        raise ValueError("a span outside of the program's")
    # On the thread of the program, work and the measured gaps between it add up to the whole, which is the
    # run.
    inner = top_level([s for s in tracks[whole[0][:2]] if s is not whole[0]])
    busy, gaps, last = 0.0, 0.0, begin
    for span in inner:
        gaps += span[4] - last
        busy += span[5] - span[4]
        last = span[5]
    gaps += end - last
    if not inner or abs(busy + gaps - (end - begin)) > 0.05 * (end - begin):
        raise ValueError(f"{busy} us in spans and {gaps} us between are not {end - begin} us")
    if end - begin > wall:
        raise ValueError(f"the program took {end - begin} us, the process {wall} us")
    return spans


def main():
    with tempfile.TemporaryDirectory() as folder:
        trace, summary = (os.path.join(folder, name) for name in ("trace", "summary"))
        # Another program may use the CPU while the process starts or ends, so try several times.
        for attempt in range(3):
            start = time.monotonic()
            done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, timeout=250,
                                  env={**os.environ, "HPK_PROFILE": f"trace={trace},summary={summary}"})
            wall = 1e6 * (time.monotonic() - start)
            if done.returncode != 0:
                raise ValueError(f"the program ended with {done.returncode}")
            with open(trace) as file:
                spans = check(json.load(file), wall)
            program = next(s[5] - s[4] for s in spans if s[3] == "program")
            if wall - program <= 0.05 * wall:
                break
        else:
            raise ValueError(f"the trace has {program} us of {wall} us")
        text = open(summary).read()
    rows = re.findall(r"^(.+) \((for|reduce|scan)\) +(\d+) +([\d.]+) ", text, re.M)
    if not rows:
        raise ValueError("no kernels in the summary")
    for name, pattern, count, seconds in rows:
        mine = [s[5] - s[4] for s in spans if s[0] == 1 and s[2] == name and s[3] == "parallel_" + pattern]
        if len(mine) != int(count) or abs(sum(mine) - 1e6 * float(seconds)) > 1 + ROUNDING * len(mine):
            raise ValueError(f"{name}: {len(mine)} spans of {sum(mine)} us, in the summary {count} of {seconds} s")


def self_test():
    """Checks that errors in traces are found."""
    def span(name, ts, dur, cat="region"):
        return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": {}}
    good = [span("a", 1, 5), span("b", 2, 2), span("c", 7, 1), span("program", 0, 10, "program")]
    check(good, 11)
    check(good + [{"ph": "B", "name": "d", "pid": 1, "tid": 1, "ts": 8.5}, {"ph": "E", "pid": 1, "tid": 1, "ts": 9}], 11)
    for wrong, wall in ((good[:-1], 11), (good + [span("d", 5, 3)], 11), (good + [span("d", 9, 3)], 11), (good, 9),
                        (good + [{"ph": "B", "name": "d", "pid": 1, "tid": 1, "ts": 9}], 11),
                        (good + [{"ph": "E", "pid": 1, "tid": 1, "ts": 9}], 11), (good + [{"ph": "Z"}], 11),
                        (good[:-1] + [{**good[-1], "dur": -1}], 11), ([good[-1]], 11)):
        try:
            check(wrong, wall)
        except ValueError:
            continue
        sys.exit(f"no fault was found in {wrong}")


if __name__ == "__main__":
    try:
        self_test()
        main()
    except ValueError as wrong:
        sys.exit(f"trace: {wrong}")
