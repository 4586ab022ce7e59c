# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of check.py about runs, launches and whole files."""
import os
import time

from __main__ import call, diff, error, expect, has, one, report, values_of
from hash_files import Run, View


def facts():
    a = Run(ranks="4").launch("x", View("u", [1.0]))
    b = Run(program="/other/app", space="Serial", workers="1", compiler="clang 14", version="0.2.0", ranks="4")
    b.launch("x", View("u", [1.0]))
    text, found = diff(a, b, status=0)
    expect(text == "a: OpenMP, 2 workers, g++ 12.2, hpk 0.1.0; b: Serial, 1 worker, clang 14, hpk 0.2.0\n"
           "run a and run b are equal: 1 launch, 1 View\n", text)
    expect(found["facts"]["space"] == {"a": "OpenMP", "b": "Serial"} and "program" not in found["facts"], str(found))
    # A run may use several spaces.
    a.lines += ["p\tspace\tSerial", "p\tworkers\t1"]
    has(diff(a, b, status=0)[0], "a: OpenMP+Serial, 2+1 workers, ")


def missing_values():
    a = Run(command="./app 'x y'").launch("x").launch("y", View("u", [1.0], has_values=False), View("w", [1.0]))
    b = Run(command="mpirun ./b", unset="a7").launch("hpk::own").launch("x")
    b.launch("y", View("u", [2.0], has_values=False), View("w", [2.0]))
    text, found = diff(a, b)
    has(text, "first difference: launch 2, ", "; in b: launch 3\n", "    HPK_HASH=a.hash,unset=c9,keep=2 ./app 'x y'\n",
        "    HPK_HASH=b.hash,unset=a7,keep=3 mpirun ./b\n", "    hpk-diff a.hash b.hash\n",
        'View "w" (double, 1): 1 of 1 element differs', '    View "u" (double, 1)\n')
    expect(found["first"]["second_runs"]["a"] == "HPK_HASH=a.hash,unset=c9,keep=2 ./app 'x y'", str(found))
    expect(values_of(found) is None and found["first"]["views"][1]["values"]["different"] == 1, str(found))
    options = {"every": "2", "label": "y", "regions": "1"}
    text = diff(one([1.0], has_values=False, **options), one([2.0], has_values=False, **options), "--ignore", "a b")[0]
    has(text, "HPK_HASH=a.hash,every=2,label=y,regions,keep=1 ./app 7\n", "hpk-diff --ignore 'a b' a.hash b.hash\n")
    # Names with characters that a shell would interpret.
    one([1.0], has_values=False).write("a b.hash")
    one([2.0], has_values=False).write("b.hash")
    has(report("a b.hash", "b.hash")[0], "HPK_HASH='a b.hash,keep=1' ./app 7\n", "hpk-diff 'a b.hash' b.hash\n")


def torn_values():
    a, b = one([1.0, 2.0]), one([1.0, 3.0])
    a.write("a.hash")
    b.write("b.hash")
    os.truncate("b.hash.values", 12)
    has(report("a.hash", "b.hash")[0], 'View "u" (double, 2) differs\n', "HPK_HASH=a.hash,keep=1")
    os.remove("b.hash.values")
    has(report("a.hash", "b.hash")[0], "HPK_HASH=a.hash,keep=1")
    big = one([1.0, 2.0], endian="big")
    big.write("a.hash")
    b.write("b.hash")
    expect(error("a.hash", "b.hash") == "a.hash.values has big-endian values, and hpk-diff reads little-endian ones; "
           "remove the file to compare hashes alone", error("a.hash", "b.hash"))
    # The hashes differ, but the values are equal.
    text, found = diff(one([1.0], hash=1), one([1.0], hash=2))
    has(text, "the hashes differ, but no element does")
    expect(values_of(found)["different"] == 0, str(found))


def layout_with_gaps():
    # The file has values for all of the memory, more than the shape has elements.
    text, found = diff(one([1.0, 2.0, 3.0, 4.0, 5.0], shape="2x2"), one([1.0, 2.0, 3.0, 4.0, 6.0], shape="2x2"))
    has(text, "1 of 5 elements differs, the first at (4):")


def other_views():
    def text_of(*views):
        text, found = diff(Run().launch("x", View("u", [1.0]), View("v", [2.0])), Run().launch("x", *views))
        expect(found["first"]["kind"] == "views" and found["first"]["text"] in text, text)
        has(text, 'first difference: launch 1, the 1st parallel_for "x" (app.cpp:12)\n')
        return found["first"]["text"]
    for views, expected in (
            ([View("u", [1.0])], 'The launch writes 2 Views in a and 1 in b; the 2nd is View "v" (double, 1) and in a only.'),
            ([View("v", [2.0])], 'The launch writes 2 Views in a and 1 in b; the 1st is View "u" (double, 1) in a and '
                                 'View "v" (double, 1) in b.'),
            ([View("u", [1.0]), View("w", [2.0])],
             'The 2nd View of the launch is View "v" (double, 1) in a and View "w" (double, 1) in b.'),
            ([View("u", [1.0]), View("v", [2.0, 3.0])],
             'The View "v" has another shape: f64, 1 in a and f64, 2 in b.'),
            ([View("u", [1.0]), View("v", [2.0], "f32")],
             'The View "v" has other elements: f64, 1 in a and f32, 1 in b.')):
        found = text_of(*views)
        expect(found == expected, found)


def views_as_elements():
    # A result is not a View. The names of types do not matter, the kinds of elements do.
    a, b = one([1.0]), one([1.0], flags="r")
    has(diff(a, b)[0], 'The 1st View of the launch is View "u" (double, 1) in a and result "u" (double, 1) in b.')
    diff(one([1.0]), one([1.0], type="real"), status=0)
    diff(one([1.0]), one([1.0], flags="p"), status=0)


def sequence(*labels, values={}):
    run = Run()
    for k, label in enumerate(labels):
        run.launch(label, View("u", [values.get(label, 1.0)]))
    return run


def sequence_insert():
    text, found = diff(sequence(*"abcdef"), sequence(*"abXYcdef"))
    has(text, "first difference: the runs launch other kernels\n", "  run a launches nothing here\n  run b launches:\n"
        '    launch 3, the 1st parallel_for "X" (app.cpp:12)\n    launch 4, the 1st parallel_for "Y" (app.cpp:12)\n'
        '  They agree again from launch 3 of a and 5 of b: parallel_for "c"\n',
        "The 4 later launches are equal: the runs agree again.\n")
    first = found["first"]
    expect(first["kind"] == "sequence" and first["next"] == {"a": 3, "b": 5} and first["a"] == [], str(first))
    expect([l["label"] for l in first["b"]] == ["X", "Y"] and first["count"] == {"a": 0, "b": 2}, str(first))
    expect(found["sequence"]["differences"] == 1 and found["later"]["equal_at_end"] == 4, str(found))


def sequence_delete():
    text, found = diff(sequence(*"abcdef"), sequence(*"abdef"))
    has(text, "  run b launches nothing here\n", "They agree again from launch 4 of a and 3 of b")
    # One launch in common is not enough to continue the comparison there.
    text, found = diff(sequence(*"sABCDE"), sequence(*"sQBABCDE"))
    expect(found["first"]["count"] == {"a": 0, "b": 2} and found["sequence"]["differences"] == 1, str(found))


def sequence_replace():
    # Another error follows, and another place.
    text, found = diff(sequence(*"abcdefghij"), sequence(*"aXcdefgYij", values={"e": 2.0}))
    has(text, "They agree again from launch 3 of a and 3 of b", "Of 7 later launches, 1 differs too; the last 2 are equal",
        "The runs launch other kernels in 1 later place.\n")
    expect(found["sequence"]["differences"] == 2, str(found))
    text, found = diff(sequence(*"abcd"), sequence(*"abXX"))
    expect(found["first"]["next"] is None and found["first"]["count"] == {"a": 2, "b": 2}, str(found))
    # The next agreement is too far away.
    text, found = diff(sequence("a", *["b"] * 1500, "end"), sequence("a", *["c"] * 1500, "end"))
    has(text, "    and 1493 more\n", "They do not agree again within 1000 launches; later launches were not compared.")


def sequence_to_the_end():
    text, found = diff(sequence(*"abc"), sequence(*"abcde"))
    has(text, "  run a launches nothing here\n", '    launch 4, the 1st parallel_for "d"', "Run a launches nothing after that.",
        "No later launch is in both runs.")
    expect(found["first"]["next"] is None, str(found))
    # The runs do not agree again.
    text, found = diff(sequence(*"abc"), sequence(*"abcde", values={"a": 2.0}))
    expect(found["later"] == {"launches": 2, "different": 0, "equal_at_end": 0} and "agree again" not in text, text)


def sequence_loop():
    # One run has an additional iteration of a loop with the same body.
    body = ["flux", "update", "sum"]
    text, found = diff(sequence(*body * 40, "end"), sequence(*body * 41, "end"))
    expect(found["first"]["count"] == {"a": 0, "b": 3}, str(found["first"]))
    expect(found["first"]["next"] == {"a": 121, "b": 124}, str(found["first"]))
    # One kernel replaces another in a loop.
    text, found = diff(sequence(*body * 9), sequence(*body * 4, "fast", *body[1:], *body * 4))
    expect([l["launch"] for l in found["first"]["a"]] == [13] and found["first"]["next"] == {"a": 14, "b": 14},
           str(found["first"]))
    text, found = diff(sequence(*"ABABABAB"), sequence(*"ABXBABAB"))
    expect(found["first"]["count"] == {"a": 1, "b": 1} and found["first"]["next"] == {"a": 4, "b": 4}, str(found["first"]))


def own_kernels():
    a = Run().launch("a").launch("hpk::fill").launch("Kokkos::sort").launch("b", View("u", [1.0])).launch("hpk::end")
    b = Run().launch("hpk::start").launch("a").launch("hpk::copy").launch("b", View("u", [1.0]))
    text, found = diff(a, b, status=0)
    expect(text == "run a and run b are equal: 2 launches, 1 View\nnote: launches that only one run has, of hpk itself or "
           "for mirrors, were left out: 3 of a and 2 of b\n", text)
    expect(found["sequence"]["own_only"] == {"a": 3, "b": 2}, str(found))
    # Launches that both runs have are compared.
    a, b = Run().launch("hpk::sort", View("k", [1.0])), Run().launch("hpk::sort", View("k", [2.0]))
    diff(a, b)
    text, found = diff(sequence("a", "hpk::x", "own", "b"), sequence("a", "b"))
    expect(found["first"]["count"] == {"a": 2, "b": 0}, str(found))


def every():
    # With every second launch in the files, only launches with the same number correspond.
    a = Run(every="2").launch("x", View("u", [1.0]), skip=1).launch("x", View("u", [2.0]), skip=1)
    b = Run(every="2").launch("x", View("u", [1.0]), skip=1)
    b.counts["x"] += 1
    b.launch("x", View("u", [3.0]), skip=1)
    text, found = diff(a, b)
    expect(found["first"]["kind"] == "sequence", str(found))
    diff(a, a, status=0)


def unlabelled():
    # Without a label, functor and file name identify the kernel; folder and line do not matter.
    a = Run().launch("", View("u", [1.0]), file="/x/app.cpp", line=3, functor="main()::lambda")
    b = Run().launch("", View("u", [2.0]), file="/y/app.cpp", line=4, functor="main()::lambda")
    text, found = diff(a, b)
    has(text, "the 1st parallel_for without label of main()::lambda (/x/app.cpp:3); in b: /y/app.cpp:4\n")
    b = Run().launch("", View("u", [1.0]), file="/y/app.cpp", line=4, functor="other")
    expect(diff(a, b)[1]["first"]["kind"] == "sequence", "another functor")
    a, b = Run().launch("x", pattern="parallel_for"), Run().launch("x", pattern="parallel_reduce")
    expect(diff(a, b)[1]["first"]["kind"] == "sequence", "another pattern")


def failed_launch():
    a = Run().launch("x", View("u", [1.0]))
    b = Run().launch("x", View("u", [2.0]), error="index 7\tis out of bounds")
    text, found = diff(a, b)
    has(text, "first difference: launch 1", "It failed in b only: index 7\\tis out of bounds\n")
    expect(found["first"]["kind"] == "failure" and found["first"]["a"]["error"] is None, str(found))
    expect(found["first"]["b"]["error"] == "index 7\tis out of bounds", str(found))
    a = Run().launch("x", View("u", [1.0]), error="another text")
    diff(a, Run().launch("x", View("u", [1.0]), error="text"), status=0)


def torn():
    run = sequence(*"abcdef")
    run.write("a.hash")
    run.write("b.hash")
    content = run.text()
    # Cut at any byte after the fourth launch: the remaining launches are equal.
    for size in [*range(content.index("\nl\t5") + 1, len(content), 6), len(content) - 1]:
        with open("b.hash", "w") as file:
            file.write(content[:size])
        done = call("a.hash", "b.hash")
        expect(done.returncode == 1 and "run b ended early, after launch" in done.stdout, f"{size}: {done.stdout}{done.stderr}")
    has(done.stdout, "first difference: run b ended early, after launch 6; up to there the runs are equal: 6 launches\n")
    sequence(*"abcd").write("b.hash", complete=False)
    text, found = report("a.hash", "b.hash", status=1)
    has(text, "note: run b ended early, after launch 4: its file has no last line\n", "note: 2 launches were not compared")
    expect(found["first"]["kind"] == "ended_early" and found["first"]["complete"] == {"a": True, "b": False}, str(found))
    # Both runs ended early: the common launches count.
    run.write("a.hash", complete=False)
    expect(report("a.hash", "b.hash", status=0)[1]["launches"] == 4, "both")
    # A difference before the end.
    sequence(*"abcd", values={"b": 2.0}).write("b.hash", complete=False)
    expect(report("a.hash", "b.hash", status=1)[1]["first"]["a"]["launch"] == 2, "before")
    with open("b.hash", "w") as file:
        file.write("hpk-hash\t1\n")
    has(report("a.hash", "b.hash")[0], "note: run b ended early, before its first launch")


def limit():
    a = sequence(*"abcdef")
    b = sequence(*"abc").message("the limit of the files is reached; write limit=BYTES")
    a.write("a.hash")
    for complete in (True, False):
        b.write("b.hash", complete)
        text, found = report("a.hash", "b.hash", status=0)
        expect(text == "run a and run b are equal: 3 launches, 3 Views\nnote: run b says: the limit of the files is "
               "reached; write limit=BYTES\nnote: 3 launches were not compared: the file of the other run stops before\n", text)


def foreign():
    run = one([1.0])
    run.write("a.hash")
    expect(error("a.hash", "none.hash") == "there is no file none.hash; write HPK_HASH=none.hash ./app to make one", "missing")
    for content, expected in (
            (b"", "b.hash is not a file of HPK_HASH; write HPK_HASH=run.hash ./app to make one"),
            (b"\x7fELF\2\1\1\0\n\n", "b.hash is not a file of HPK_HASH; write HPK_HASH=run.hash ./app to make one"),
            (b"hpk-hash\t2\np\tx\ty\n", "b.hash has format 2, and this hpk-diff reads format 1; use the hpk-diff of the "
             "hpk that wrote the file")):
        with open("b.hash", "wb") as file:
            file.write(content)
        expect(error("a.hash", "b.hash") == expected, error("a.hash", "b.hash"))
    os.mkdir("folder")
    has(error("a.hash", "folder"), "can't read folder: ")


def malformed():
    one([1.0]).write("a.hash")
    lines = one([1.0]).text().splitlines()
    number = {line[0]: k for k, line in enumerate(lines)}
    h = lines[number["h"]]
    for kind, line, what in (
            ("l", "l\t1\t0", "the line 'l' has 3 fields instead of 5"), ("l", "l\tx\t0\t1\t1", "'x' is not a valid launch number"),
            ("l", "l\t1\t0\t9\t1", "no line before this one defines the kernel 9"),
            ("l", h, "a hash precedes the first launch"), ("l", "", "the line type '' is unknown"),
            ("l", "f\ttext", "an error precedes the first launch"),
            ("h", "h\t1\t123", "'123' is not a valid hash"), ("h", h[:-1] + "7", "can't have 7 bytes"),
            ("h", "h\t7\t0123456789abcdef", "no line before this one defines the View 7"),
            ("v", "v\t1\tq8\t1\t-\tT\tu", "'q8' is not a valid element"), ("v", "v\t1\tf64\t1xx\t-\tT\tu", "'1xx' is not a valid shape"),
            ("v", "v\t1\tf64\t99999999999x99999999999\t-\tT\tu", "is not a valid shape"),
            ("v", "v\t1\tf64\t1\tz\tT\tu", "'z' is not a valid list of flags"), ("v", "v" + "\tx" * 9, "the line has too many fields"),
            ("e", "q\t1", "the line type 'q' is unknown"), ("e", "e\t1\ne\t1", "the line comes after the last one"), ("e", "e\t1\nl", "the line comes after the last one")):
        changed = list(lines)
        changed[number[kind]] = line
        with open("b.hash", "w") as file:
            file.write("\n".join(changed) + ("" if line.endswith("\nl") else "\n"))
        place = number[kind] + 1 + line.count("\n")
        text = error("a.hash", "b.hash")
        has(text, f"b.hash:{place}: ", what, "; the file is damaged, let the run write it again")


def ranks():
    def write(name, rank, value, more=()):
        run = Run(rank=str(rank), ranks="12")
        for k in range(6):
            run.launch("x", View("u", [value if k == rank % 4 + 1 else 1.0]))
        run.write(f"{name}.rank{rank}")
    for rank in range(12):
        write("a", rank, 1.0)
        write("b", rank, 1.0)
    text, found = report("a", "b", status=0)
    expect(text == "run a and run b are equal: 12 ranks, 72 launches, 72 Views\n", text)
    for rank in (3, 4, 9):
        write("b", rank, 2.0)
    text, found = report("a", "b", "--all", status=1)
    has(text, "first difference: rank 4, launch 2, the 2nd", "  rank 9, launch 3, the 3rd parallel_for \"x\" (app.cpp:12): "
        "View \"u\" (double, 1)\n")
    expect(found["first"]["rank"] == 4 and [d["rank"] for d in found["all"]] == [3, 4, 9], str(found))
    os.remove("a.rank11")
    os.remove("b.rank0")
    text, found = report("a", "b", status=1)
    has(text, "only run a has files of these ranks: 0\nonly run b has files of these ranks: 11\n")
    expect(found["sequence"]["ranks_only"] == {"a": [0], "b": [11]} and found["ranks"] == 10, str(found))


def ranks_of_one_run():
    os.mkdir("x")
    for name in ("x/a.rank0", "x/a.rank1", "b"):
        Run(rank=name[-1]).launch("x", View("u", [2.0 if name == "x/a.rank1" else 1.0], has_values=False)).write(name)
    expect(error("x/a", "b") == "b is one file, and x/a has files of several ranks; name one of them, as in x/a.rank0",
           error("x/a", "b"))
    report("x/a.rank0", "b", status=0)
    # The command for a second run has the file name without the rank.
    has(report("x/a.rank1", "b", status=1)[0], "HPK_HASH=x/a,keep=1 ./app 7\n")
    os.remove("x/a.rank0")
    report("x/a", "b", status=1)


def threads():
    def run(order, values=(1.0, 1.0), swapped=False):
        made = Run()
        for thread in order:
            made.launch(f"of {thread}", View("u", [values[thread]]), thread=1 - thread if swapped else thread)
        return made
    # The interleaving of threads does not matter.
    diff(run([0, 1, 0, 1]), run([0, 0, 1, 1]), status=0)
    text, found = diff(run([0, 1, 0, 1]), run([0, 0, 1, 1], (1.0, 2.0)))
    has(text, 'launch 2, the 1st parallel_for "of 1" (app.cpp:12), thread 1; in b: launch 3\n')
    expect(found["later"] == {"launches": 2, "different": 1, "equal_at_end": 0}, str(found["later"]))
    # The order of threads does not matter, either.
    diff(run([0, 1, 0]), run([1, 0, 0], swapped=True), status=0)
    text, found = diff(run([0, 1, 0]), run([1, 0, 0], (1.0, 2.0), swapped=True))
    has(text, 'launch 2, the 1st parallel_for "of 1" (app.cpp:12), thread 1; in b: launch 1')
    expect(found["later"] == {"launches": 1, "different": 0, "equal_at_end": 1}, str(found["later"]))
    # Only one run may have kernels of hpk, and a killed run lacks its end.
    a = Run()
    for thread in (0, 1):
        a.launch(f"of {thread}", View("u", [1.0]), thread=thread).launch("hpk::own", View("v", [1.0]), thread=thread)
    diff(a, run([1, 0], swapped=True), status=0)
    run([0, 1, 0, 1]).write("a.hash")
    run([1, 0, 1], swapped=True).write("b.hash", complete=False)
    has(report("a.hash", "b.hash", status=1)[0], "run b ended early", "up to there the runs are equal: 3 launches")
    text, found = diff(run([0, 0, 1]), run([0, 0]))
    has(text, "first difference: thread 1, the runs launch other kernels\n", "run b launches nothing here")


def ignore():
    a = Run().launch("x", View("time", [1.0]), View("u", [1.0]))
    b = Run().launch("x", View("time", [2.0]), View("u", [1.0]))
    diff(a, b)
    text = diff(a, b, "--ignore", "time", status=0)[0]
    expect(text == "run a and run b are equal: 1 launch, 1 View\n", text)
    diff(a, Run().launch("x", View("u", [1.0])), "--ignore", "time", status=0)
    text = diff(a, b, "--ignore", "u", "--ignore", "tim")[0]
    has(text, 'View "time"', 'note: --ignore: no View has the label "tim"\n')


def other_options():
    run = one([1.0])
    for option, a, b, expected in (
            ("every", "1", "10", "a.hash was written with every=1, and b.hash with every=10"),
            ("label", "", "x", "a.hash was written without label, and b.hash with label=x"),
            ("regions", "1", "0", "a.hash was written with regions=1, and b.hash with regions=0")):
        one([1.0], **{option: a}).write("a.hash")
        one([1.0], **{option: b}).write("b.hash")
        expect(error("a.hash", "b.hash") == expected + "; let both runs write with the same options", error("a.hash", "b.hash"))
    diff(run, one([1.0], every=None, keep="7", limit="9"), status=0)


def escapes():
    label = 'tab\tnewline\nback\\slash "quote"'
    a, b = Run(), Run()
    for run, value in ((a, 1.0), (b, 2.0)):
        run.launch(label, View(label, [value], type="t\te"), functor="f\n")
    text, found = diff(a, b)
    has(text, 'parallel_for "tab\\tnewline\\nback\\slash "quote"" (app.cpp:12)\n', "(t\\te, 1)")
    expect(found["first"]["a"]["label"] == label and found["first"]["views"][0]["label"] == label, str(found))
    expect(diff(a, b, "--ignore", label, status=0)[1]["equal"], "ignored")
    # Bytes that are not UTF-8.
    for name in ("a.hash", "b.hash"):
        with open(name, "rb") as file:
            content = file.read().replace(b"slash", b"\xff\xc3\xa9")
        with open(name, "wb") as file:
            file.write(content)
    has(call("--json", "a.hash", "b.hash").stdout, "back\\\\\\ufffd\u00e9")


def list_all():
    a = Run().launch("x", View("u", [1.0]), View("v", [1.0])).launch("y").launch("z", View("u", [1.0])).launch("w")
    b = Run().launch("x", View("u", [2.0]), View("v", [2.0])).launch("z", View("u", [1.0, 1.0])).launch("w", error="no")
    text, found = diff(a, b, "--all")
    has(text, 'all differences:\n  launch 1, the 1st parallel_for "x" (app.cpp:12): View "u" (double, 1), View "v" (double, 1)\n'
        '  1 launch of a and 0 of b have no counterpart, the first is launch 2, the 1st parallel_for "y" (app.cpp:12) of a\n'
        '  launch 3, the 1st parallel_for "z" (app.cpp:12): The View "u" has another shape: f64, 1 in a and f64, 2 in b.\n'
        '  launch 4, the 1st parallel_for "w" (app.cpp:12): failed in b only\n')
    expect([d["kind"] for d in found["all"]] == ["values", "sequence", "views", "failure"], str(found))
    expect(found["all"][1]["launch"] == {"a": 2, "b": None}, str(found))


def later():
    def run(*values):
        made = Run()
        for value in values:
            made.launch("x", View("u", [value]))
        return made
    right = run(*range(6))
    for values, expected in (([0, 9, 2, 3, 4, 5], "The 4 later launches are equal: the runs agree again.\n"),
                             ([0, 9, 2, 9, 4, 5], "Of 4 later launches, 1 differs too; the last 2 are equal: the runs"),
                             ([0, 9, 9, 9, 9, 9], "Of 4 later launches, 4 differ too.\n"),
                             ([0, 1, 2, 3, 9, 5], "The launch after it is equal: the runs agree again.\n"),
                             ([0, 1, 2, 3, 4, 9], "No later launch is in both runs.\n")):
        has(diff(right, run(*values))[0], expected)


def padding():
    text = diff(one(bytes(8), "x8", shape="1", flags="p"), one(bytes(7) + b"1", "x8", shape="1", flags="p"))[0]
    has(text, "Elements may have padding bytes; if they alone differ, the difference means nothing.")


def arguments():
    done = call("--help")
    expect(done.returncode == 0 and done.stdout.startswith("usage: hpk-diff ") and done.stderr == "", done.stdout)
    expect(max(map(len, done.stdout.splitlines())) <= 100, "long lines")
    done = call("--version")
    expect(done.returncode == 0 and done.stdout.startswith("hpk-diff "), done.stdout)
    for words, expected in (([], "two files are needed"), (["a"], "two files are needed"), (["--bad", "a", "b"], "there is no option --bad"),
                            (["--ulp", "-1", "a", "b"], "--ulp takes a number from 0 on, not '-1'"),
                            (["a", "b", "--ulp"], "--ulp needs a value"), (["--keep-files", "x", "a", "b"], "--keep-files needs"),
                            (["--against-self", "0", "./app"], "--against-self takes a number from 1 on"),
                            (["--against-self", "2"], "write hpk-diff --against-self N ./app"),
                            (["--against-self", "2", "./missing"], "can't start ./missing: ")):
        has(error(*words), expected)
    one([1.0]).write("-a")
    expect(call("--", "-a", "-a").returncode == 0, "--")


def large():
    # The test does not measure speed; ctest ends it after a minute.
    def write(name, changed):
        run = Run()
        run.launch("x", View("u", [1.0])).launch("y", View("v", [1.0]), View("w", [1.0]))
        lines = run.lines
        for number in range(3, 1000001):
            k = 2 - number % 2
            lines.append(f"l\t{number}\t0\t{k}\t{(number + 1) // 2}")
            for view in range(k, 2 * k):
                lines.append(f"h\t{view}\t{number + (number == changed):016x}")
        run.number = 1000000
        run.write(name)
    write("a.hash", 0)
    write("b.hash", 777777)
    start = time.time()
    text, found = report("a.hash", "b.hash", status=1)
    expect(found["first"]["a"]["launch"] == 777777 and found["launches"] == 1000000, text)
    print(f"{(time.time() - start) / 2:.2f} s for 1e6 launches")
