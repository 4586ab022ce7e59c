# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program with tools and compares their output. usage: check.py WAY PROGRAM TOOL_A TOOL_B [CHAIN]"""
import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import trace_check  # noqa: E402, beside this file

way, program, tool_a, tool_b, *others = sys.argv[1:]
chain = "".join(others)
KIND = 0  # the kind of Serial

# The events without handles. A handle follows each begin, and its end repeats it.
EVENTS = """push outer
new Host x 800 1
new Host y 800 1
begin for fill
end for
begin for Functor/Tag
end for
begin reduce sum
end reduce
begin fence hpk::parallel_reduce: fence due to result being value, not view
end fence
begin reduce ends
end reduce
begin fence hpk::parallel_reduce: fence due to result being value, not view
end fence
begin scan scan
end scan
begin for teams
end for
begin for box
end for
copy Host y <- Host x 800 1
copied
begin fence mine
end fence
free Host y 800 1
free Host x 800 1
pop
event fence now
fact mine yes
section s
start
stop
destroy""".split("\n")


def run(arguments=(), **environment):
    """Returns the finished process (exit code, stdout, stderr) and the lines of each tool."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=50,
                              env={**os.environ, "HPK_TEST_TOOL_LOG": log, **environment})
        lines = open(log).read().splitlines() if os.path.exists(log) else []
    return done, {name: [l[2:] for l in lines if l.startswith(name + " ")] for name in "ab"}


def expect(condition, what):
    if not condition:
        sys.exit(f"tools.{way}: {what}")


def check_handles(lines):
    """Checks that each begin has an end with its handle. Returns the lines without handles and devices."""
    open_handles, plain = [], []
    for line in lines:
        if match := re.fullmatch(r"(begin .*) kind (\d+) instance (one|all) (\d+)", line):
            open_handles.append((line.split()[1], match[4]))
            expect(match[3] == "all" or match[2] == str(KIND), f"wrong device: {line}")
            expect(match[3] == ("all" if "finalize" in line else "one"),
                   f"wrong instance: {line}")
            plain.append(match[1])
        elif match := re.fullmatch(r"end (\w+) (\d+)", line):
            expect(open_handles and open_handles.pop() == (match[1], match[2]), f"no begin: {line}")
            plain.append("end " + match[1])
        elif match := re.fullmatch(r"(section s|start|stop|destroy) (\d+)", line):
            plain.append(match[1])
        else:
            plain.append(line)
    expect(not open_handles, f"no end: {open_handles}")
    return plain


def work_of(lines):
    """Returns the lines from the region to the end of the section."""
    plain = check_handles(lines)
    expect("push outer" in plain and "destroy" in plain, "no work was told:\n" + "\n".join(lines))
    return plain[plain.index("push outer"):plain.index("destroy") + 1]


def expect_work(lines, events=EVENTS):
    work = work_of(lines)
    expect(work == events, "other events:\n" + "\n".join(work))


if way == "one":
    done, told = run(HPK_TOOLS_LIBS=tool_a)
    expect(done.returncode == 0 and done.stderr == "", done.stderr)
    expect(told["a"][:3] == ["init 0 20240906 0 null", "settings 1 fencing 1", "interface 1"], "start: " + str(told["a"][:4]))
    expect(any(line.startswith("fact version ") for line in told["a"]), "no configuration")
    expect(told["a"][-1] == "finalize", "no end")
    expect_work(told["a"])
elif way == "fencing":
    # Fences that a tool requests are no events of the program. The case "fail" shows that they wait.
    done, told = run(HPK_TOOLS_LIBS=tool_b)
    expect_work(told["b"])
elif way == "fail":
    # With a profile each launch waits for its work; with tool b each launch and each region waits.
    has_emu = "task" in run(["fail"])[0].stdout
    for setting, kernel, region in (({}, ", at the fence task failed", ", at the fence task failed"),
                                    ({"HPK_PROFILE": "summary=" + os.devnull}, " task failed", ", at the fence task failed"),
                                    ({"HPK_TOOLS_LIBS": tool_b}, " task failed", " task failed")):
        done, told = run(["fail"], **setting)
        pending = "" if "HPK_TOOLS_LIBS" in setting else ", at the fence task failed"
        expect(done.returncode == 0 and done.stdout == "for: kernel failed\nreduce: kernel failed\n" + (
            f"task and kernel:{kernel}\nregion:{region}\nregion left by an error: the first error{pending}\n" if has_emu else ""),
            f"{setting}: {done.stdout}{done.stderr}")
    first = [" ".join(l.split()[:2]) for l in told["b"]]
    for what in ("for", "reduce"):
        expect(first.count("begin " + what) == first.count("end " + what) == 1, f"a {what} without an end")
    expect(first.count("push of") == first.count("pop") == (2 if has_emu else 0), "regions without an end")
elif way == "two":
    done, told = run(HPK_TOOLS_LIBS=f"{tool_a};{tool_a}x;{tool_b}")
    expect("can't be loaded" in done.stderr, "the missing one was not reported")
    expect(told["a"][0].startswith("init 0") and told["b"][0].startswith("init 1"), "sequence")
    for name in "ab":
        plain = [line for line in check_handles(told[name])]
        for event in ("begin for fill", "begin scan scan", "section s", "copied", "finalize"):
            expect(plain.count(event) == 1, f"{name}: {event}")
elif way == "callbacks":
    # A program's callbacks are called at start and end, as a tool is. Fences that callbacks request are no
    # events.
    start = "init 0 20240906 0 null\nfence of init\nsettings 1 fencing 1\ninterface 1\n"
    for how, told in (([], (start + "fence mine\nfinalize\n") * 2), (["late"], (start + "fence mine\nfinalize\n") * 2),
                      (["bare"], start.replace("fence of init\n", "") + "fence first\nfinalize\n")):
        done, lines = run(["callbacks", *how])
        expect(done.returncode == 0 and done.stdout == told, f"{how}: {done.stdout}{done.stderr}")
    # Callbacks and a tool are both called, and neither after the first end.
    done, told = run(["callbacks"], HPK_TOOLS_LIBS=tool_a)
    expect(done.stdout == start + "fence mine\nfinalize\n", done.stdout)
    expect(told["a"].count("init 0 20240906 0 null") == 2 and told["a"].count("finalize") == 2, str(told))
elif way == "chain":
    # With the variables of Kokkos the first tool is loaded and loads the next itself; hpk's own variables
    # load all.
    both = chain + ";" + tool_b
    for arguments in ([], ["--kokkos-tools-libs=" + both]):
        done, told = run(["layer", *arguments], KOKKOS_TOOLS_LIBS=both)
        expect(done.returncode == 0 and done.stderr == "", done.stderr)
        expect([re.sub(r" \d+$", "", l) for l in told["b"]] == [
            "init 1 20240906 0 null", "begin for fill kind 0 instance one", "end for", "finalize"], str(told["b"]))
    done, told = run(["layer", "--hpk-tools-libs=" + tool_a + ";" + tool_b], KOKKOS_TOOLS_LIBS=both)
    expect(told["a"][0].startswith("init 0") and told["b"][0].startswith("init 1"), "sequence")
    # Without the Kokkos layer, hpk ignores these variables.
    done, told = run(KOKKOS_TOOLS_LIBS=both)
    expect(done.returncode == 0 and not told["b"], "the word of another")
elif way == "arguments":
    done, told = run(["--hpk-tools-libs=" + tool_a, "--hpk-tools-args=one two  three"])
    expect([l for l in told["a"] if l.startswith("argument")] ==
           ["argument 1 of 4: one", "argument 2 of 4: two", "argument 3 of 4: three"], "arguments")
    done, told = run(HPK_TOOLS_LIBS=tool_a, HPK_TOOLS_ARGS="x")
    expect("argument 1 of 2: x" in told["a"], "arguments of the environment")
    # Options and settings override the environment.
    for arguments, wanted in ((["--hpk-tools-libs=" + tool_a], "event fence now"), (["settings", tool_a], "event by settings")):
        done, told = run(arguments, HPK_TOOLS_LIBS=tool_b, HPK_TOOLS_ARGS="of the environment")
        expect(wanted in told["a"] and not told["b"], f"{arguments}: {told}")
        expect(("argument 3 of 4: program" in told["a"]) == ("settings" in arguments), f"{arguments}: arguments")
elif way == "help":
    done, told = run(["--hpk-tools-libs=" + tool_a, "--hpk-tools-help"])
    expect(done.returncode == 0 and done.stdout == f"help of a for {program}\n", done.stdout)
    expect("push outer" not in told["a"], "the program went on")
    done, told = run(["--hpk-tools-help"])
    expect(done.returncode == 0 and "no tool is loaded" in done.stderr, done.stderr)
elif way == "missing":
    done, told = run(HPK_TOOLS_LIBS="/nowhere/tool.so")
    expect(done.returncode == 0 and "the tool /nowhere/tool.so can't be loaded" in done.stderr, done.stderr)
elif way == "bare":
    done, told = run(["bare"], HPK_TOOLS_LIBS=tool_a)
    plain = check_handles(told["a"])
    expect("begin fence first" in plain and "event bare" in plain and plain[-1] == "finalize", "\n".join(plain))
elif way == "summary":
    done, told = run(HPK_PROFILE="summary")
    rows = {line.rsplit(None, 5)[0].strip(): line.split()[-5:] for line in done.stderr.splitlines() if line.endswith("%")}
    expect(done.returncode == 0 and done.stderr.startswith("hpk profile: "), done.stderr)
    for name in ("fill (for)", "Functor/Tag (for)", "sum (reduce)", "ends (reduce)", "scan (scan)", "teams (for)", "outer"):
        expect(rows.get(name, ["?"])[0] == "1", f"row {name}:\n{done.stderr}")
    expect("nested (for)" not in rows, "a nested launch is counted")
    expect(re.search(r"^Host <- Host +1 .* 800 B +[\d.]+$", done.stderr, re.M), "no copy")
    expect("memory of Host: at most 1.6 KiB, at the end 0 B; held at most by\n       800 B  x\n       800 B  y" in done.stderr, "no memory")
    # Regions that do not match are reported and end with the program.
    done, told = run(["regions"], HPK_PROFILE="summary")
    expect(done.returncode == 0 and done.stderr.endswith(
        'hpk profile: the region "outer" was not closed\n\nhpk profile: the region "outer/<inner>" was not closed\n\n'
        'hpk profile: popRegion() was called 1 times without an open region\n'), done.stderr)
    expect(re.search(r"^outer/<inner> +1 ", done.stderr, re.M), "an open region has no row")
    # A profile and a tool are both called.
    done, told = run(HPK_PROFILE="summary", HPK_TOOLS_LIBS=tool_a)
    expect_work(told["a"])
    expect("fill (for)" in done.stderr, "no summary beside a tool")
elif way == "trace":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        done, told = run(["--hpk-profile=trace=" + path])
        expect(done.returncode == 0 and done.stderr == "", done.stderr)
        events = json.load(open(path))
    trace_check.check(events, float("inf"))
    spans = [e for e in events if e["ph"] == "X"]
    host = [e for e in spans if e["pid"] == 1]
    expect([e["name"] for e in host if e["cat"].startswith("parallel")] == ["fill", "Functor/Tag", "sum", "ends", "scan", "teams", "box"], "kernels")
    outer = next(e for e in host if e["name"] == "outer")
    expect(all(outer["ts"] <= e["ts"] and e["ts"] + e["dur"] <= outer["ts"] + outer["dur"] for e in host if e["name"] == "fill"), "outside of its region")
    expect([e["args"]["bytes"] for e in events if e["ph"] == "C"] == [800, 1600, 800, 0], "memory counters")
elif way == "html":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.html")
        done, told = run(HPK_PROFILE="html=" + path)
        page = open(path).read()
    closed = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            expect(tag not in ("script", "link", "img"), "the page loads something")
            if tag != "meta":
                closed.append(tag)

        def handle_endtag(self, tag):
            expect(closed and closed.pop() == tag, f"{tag} is not closed in order")

    Reader().feed(page)
    expect(not closed and "<td>fill (for)</td>" in page and "<td>x</td>" in page, page)
    facts = dict(re.findall(r'<tr><td>([^<]*)</td><td class="fact">([^<]*)</td>', page))
    expect(facts["program"] == os.path.basename(program) and facts["command line"] == program, facts)
    expect(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}", facts["began"]), facts)
    expect(facts["default execution space"] and facts["default host space"], facts)
    expect(int(facts["workers of the default host space"]) >= 1, facts)
elif way == "gpu":
    with tempfile.TemporaryDirectory() as folder:
        data, page, limits = (os.path.join(folder, name) for name in ("gpu.json", "gpu.html", "limits"))
        profile = f"gpu,gpu-html={page},gpu-json={data},summary={folder}/summary"
        # A program that does not initialize also gets a profile, from its first launch on.
        for mode in (["gpu"], ["gpu", "bare"]):
            done, told = run(mode, HPK_PROFILE=profile, HPK_GPU_MODEL="a100")
            expect(done.returncode == 0, done.stderr)
            report = json.load(open(data))
            expect((report["format"], report["version"]) == ("hpk-gpu-profile", 1), report)
            expect(report["model"]["name"] == "NVIDIA A100 SXM4 80 GB", report["model"])
            kernel, = report["kernels"]
            expect(kernel["label"] == 'a "quoted" kernel' and kernel["launches"] == 3, kernel)
            access, = kernel["accesses"]
            expect((access["sectors"], access["ideal_sectors"], access["line"]) == (3 * 3200, 3 * 400, 7), access)
            expect(kernel["seconds"]["bound"] == max(kernel["seconds"][t] for t in ("dram", "l1", "l2", "launch")), kernel)
            expect([c["repeated"] for c in report["copies"]] == [1], report["copies"])
            expect("32 sectors per request, 4 would do" in report["advice"][0]["text"], report["advice"])
            expect('parallel_for "a "quoted" kernel"' in done.stderr, done.stderr)
            expect("a &quot;quoted&quot; kernel" in open(page).read(), "the page")
            open(limits, "w").write("kernel * launches <= 2\n")
            done, told = run(mode, HPK_GPU_LIMITS=limits)
            expect(done.returncode == 3 and "launches is 3, at most 2" in done.stderr, done.stderr)
            expect(done.stdout == "worked\n", "the program did not go on to its end")
        # An uncaught error ends the program as without hpk, but limits are still checked.
        done, told = run(["gpu", "uncaught"], HPK_GPU_LIMITS=limits, HPK_PROFILE="gpu")
        expect(done.returncode == -signal.SIGABRT and "launches is 3" in done.stderr, done.stderr)
        expect("the program was ended by an uncaught error" in done.stderr, done.stderr)
        open(limits, "w").write("kernel * launches < 2\n")
        for mode in (["gpu"], ["gpu", "bare"]):
            done, told = run(mode, HPK_GPU_LIMITS=limits)
            expect(done.returncode not in (0, 3) and f"HPK_GPU_LIMITS: {limits}:1: 'launches' is followed by '<'" in done.stderr, done.stderr)
    done, told = run(["bare"], HPK_PROFILE="gpu")
    expect("-DHPK_DEFAULT_EXECUTION_SPACE=hpk::Emu" in done.stderr, done.stderr)
elif way == "early":
    # After an uncaught error, SIGINT or SIGTERM the files are complete; the program ends as it would without
    # hpk.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        page = os.path.join(folder, "page.html")
        profile = f"summary,trace={path},html={page}"
        for arguments, status, reason in ((["uncaught"], -signal.SIGABRT, "an uncaught error"),
                                          (["signal", "2"], -signal.SIGINT, "SIGINT"),
                                          (["signal", "15"], -signal.SIGTERM, "SIGTERM")):
            done, told = run(arguments, HPK_PROFILE=profile)
            expect(done.returncode == status, f"{reason}: {done.returncode}\n{done.stderr}")
            expect(f"hpk profile: the program was ended by {reason}\n" in done.stderr, done.stderr)
            expect(re.search(r"^before \(for\) +1 ", done.stderr, re.M), done.stderr)
            expect("before" in [e["name"] for e in json.load(open(path))], "the trace is not whole")
            expect("workers of the default host space" in open(page).read(), "the page has no workers")
        # SIGKILL cannot be handled: the file contains whole events.
        done, told = run(["signal", "9"], HPK_PROFILE=profile)
        expect(done.returncode == -signal.SIGKILL, done.stderr)
        events = json.loads(open(path).read() + "]")
        expect("last" in [e["name"] for e in events], "events are missing")
    done, told = run(["signal", "2"])
    expect(done.returncode == -signal.SIGINT and done.stderr == "", "without a profile")
elif way == "html_in_browser":
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
    if browser is None:
        print("skipped: there is no chromium to open the page with")
        sys.exit(77)

    class Cells(html.parser.HTMLParser):
        """Collects the first cell of each row, and the width of the row's bar."""
        def __init__(self):
            super().__init__()
            self.rows, self.place = [], None

        def handle_starttag(self, tag, attributes):
            if tag == "tr":
                self.rows.append(["", None])
                self.place = -1
            elif tag == "td":
                self.place += 1
            elif tag == "div" and "style" in dict(attributes):
                self.rows[-1][1] = float(re.fullmatch(r"width: ?([\d.]+)%;?", dict(attributes)["style"])[1])

        def handle_data(self, data):
            if self.rows and self.place == 0:
                self.rows[-1][0] += data.strip()

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.html")
        for mode in ([], ["regions"]):
            done, told = run(mode, HPK_PROFILE="html=" + path)
            # The page as markup after a browser without network access has run it.
            opened = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder,
                                     "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom", "file://" + path],
                                    capture_output=True, text=True, timeout=100)
            cells = Cells()
            cells.feed(opened.stdout)
            widths = dict(cells.rows)
            names = ["outer", "outer/<inner>"] if mode else ["fill (for)", "Functor/Tag (for)", "sum (reduce)", "scan (scan)",
                                                             "Host <- Host", "outer", "x"]
            for name in names:
                expect(widths.get(name) is not None, f"{name} is not in the page:\n{opened.stdout}{opened.stderr}")
            if not mode:
                kernels = [width for name, width in cells.rows if re.search(r"\((for|reduce|scan)\)$", name)]
                expect(len(kernels) == 7 and kernels[0] == 100 and kernels == sorted(kernels, reverse=True), f"bars: {kernels}")
            expect("http" not in opened.stdout and "url(" not in opened.stdout, "the page names another place")
elif way == "log":
    done, told = run(HPK_PROFILE="log")
    for piece in ('thread 1: region "outer" begins', 'thread 1: parallel_for "fill" begins', 'allocates "x", 800 bytes in Host',
                  'deep_copy of 800 bytes, "y" in Host <- "x" in Host', 'fence "mine"', 'event "fence now"'):
        expect(piece in done.stderr, f"no line: {piece}")
elif way == "leaks":
    done, told = run(HPK_PROFILE="leaks")
    expect(done.stderr == "hpk: nothing is still allocated\n", done.stderr)
    done, told = run(["leak"], HPK_PROFILE="leaks")
    expect(re.fullmatch(r'hpk: still allocated in Host: 800 B\n       800 B  forgotten\n  800 B "forgotten" was allocated in '
                        r'the region "setup"; addr2line:( \S+\+0x[0-9a-f]+)+\n', done.stderr), done.stderr)
    expect(os.path.basename(program) + "+0x" in done.stderr, "not of this program")
elif way == "refused":
    for arguments in ([], ["bare"]):
        done, told = run(arguments, HPK_PROFILE="trace=/nowhere/file")
        expect(done.returncode != 0 and "HPK_PROFILE: the file '/nowhere/file' can't be written" in done.stderr, done.stderr)
    done, told = run(HPK_PROFILE="picture")
    expect(done.returncode != 0 and "HPK_PROFILE has the value 'picture'; write summary, leaks, log, html, trace, gpu, gpu-html or gpu-json" in done.stderr, done.stderr)
elif way == "dual_view":
    done, told = run(HPK_TOOLS_LIBS=tool_a)
    seen = [l for l in told["a"] if l.split()[0] in ("event", "sync", "modify", "copy")]
    expect(seen[seen.index("event begin"):] == [
        "event begin", "modify d 1 host", "copy Host d <- Host d_mirror 80 1", "sync d 1 device", "modify d 1 device",
        "copy Host d_mirror <- Host d 80 1", "sync d 1 host", "event shared", "modify one memory 1 device",
        "sync one memory 1 host", "modify mine 1 host", "event end"], "\n".join(seen))
elif way == "tune":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tuned")
        done, told = run(["tune"], HPK_TUNE=path)
        expect(done.returncode == 0 and "1 kernels ran too rarely" in done.stderr and "kernel_name: once" in done.stderr, done.stderr)
        expect(os.listdir(folder) == ["tuned"], str(os.listdir(folder)))
        text = open(path).read()
        expect(re.fullmatch(r"hpk tuning 1\nkokkos.kernel_name: twice; kokkos.kernel_type: parallel_for; "
                            r"hpk.execution_space: Serial; hpk.log2_iterations: 10\thpk.tile_0=\d+,hpk.tile_1=\d+\nend 1\n", text), text)
        # The values of the file are used and not searched for again. A tool gets the same values.
        open(path, "w").write(re.sub(r"tile_0=\d+,hpk.tile_1=\d+", "tile_0=8,hpk.tile_1=4", text))
        for variable in ("HPK_TUNE", "HPK_TUNE_USE"):
            done, told = run(["tune"], **{variable: path})
            expect(done.returncode == 0 and (done.stderr == "") == (variable == "HPK_TUNE_USE"), done.stderr)
            expect("tile_0=8,hpk.tile_1=4\n" in open(path).read(), "the file changed")
    done, told = run(["tune"])
    expect(done.returncode == 0 and done.stderr == "", done.stderr)
elif way == "tune_by_tool":
    done, told = run(["tune"], HPK_TOOLS_LIBS=tool_a)
    expect(not [l for l in told["a"] if "context" in l or "request" in l], "tuned without being asked")
    done, told = run(["tune", "--hpk-tune-internals"], HPK_TOOLS_LIBS=tool_a)
    expect(done.returncode == 0, done.stderr)
    lines = [l for l in told["a"] if re.match("(output|input|context|request|end of)", l)]
    expect(lines.count("request twice parallel_for") == 200 and lines.count("request once parallel_for") == 1, "requests")
    expect(lines.count("context 1") == 201 and lines.count("end of context 1 1") == 201, "contexts")
    expect(not [l for l in lines if "given" in l], "a kernel with tiles was tuned")
    for declared in ("output hpk.tile_0 1 type 1", "output hpk.tile_1 1 type 1", "input kokkos.kernel_name 1 type 2",
                     "input kokkos.kernel_type 1 type 2", "input hpk.log2_iterations 1 type 1"):
        expect(lines.count(declared) == 1, declared)
elif way == "tune_refused":
    good = "hpk tuning 1\na\tb=1\nend 1\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tuned")
        for content, what in (("", "line 1: the file is empty"), ("{}\n", "line 1: this is not a file of the tuner of hpk"),
                              (good[:-6], "line 3: the end is missing, the file is incomplete"), (good[:-1], "line 3: the line has no end"),
                              (good[:15], "line 2: the line has no end"), (good.replace("end 1", "end 2"), "line 3: the number of contexts"),
                              (good.replace("=1", "=x"), "line 2: this is not a context"), (good + "x\n", "line 3: there is text after"),
                              (good.replace("\t", " "), "line 2: this is not a context")):
            open(path, "w").write(content)
            for variable in ("HPK_TUNE", "HPK_TUNE_USE"):
                done, told = run(["tune"], **{variable: path})
                expect(done.returncode != 0 and f"{variable}: the file '{path}', {what}" in done.stderr, f"{content!r}: {done.stderr}")
            expect(open(path).read() == content, "the file was changed")
        open(path, "w").write(good)
        done, told = run(["tune"], HPK_TUNE=path, HPK_TUNE_USE=path)
        expect(done.returncode != 0 and "HPK_TUNE and HPK_TUNE_USE are both set; write one" in done.stderr, done.stderr)
    done, told = run(["tune"], HPK_TUNE="/nowhere/file")
    expect(done.returncode != 0 and "HPK_TUNE: the file '/nowhere/file' cannot be written: No such file" in done.stderr, done.stderr)
    done, told = run(["tune"], HPK_TUNE_USE="/nowhere/file")
    expect(done.returncode != 0 and "HPK_TUNE_USE: the file '/nowhere/file' can't be read" in done.stderr, done.stderr)
elif way == "configuration":
    done, told = run(HPK_PRINT_CONFIGURATION="json", HPK_TOOLS_LIBS=tool_a, OMP_PROC_BIND="a\"b\\\n\x7f")
    facts = json.loads(done.stdout)
    expect({"version", "commit", "system", "CPUs of the calling thread"} <= set(facts["hpk"]), str(facts["hpk"]))
    expect({"compiler", "C++", "flags", "checks", "fibres", "hwloc", "default execution space"} <= set(facts["library"]),
           str(facts["library"]))
    expect(facts["program"]["files that use hpk"] == "1", str(facts["program"]))
    expect(facts["hpk"]["tools"] == tool_a, facts["hpk"]["tools"])
    expect(facts["settings"]["print-configuration"] == "json (environment)", "settings")
    expect(facts["environment"]["OMP_PROC_BIND"] == "a\"b\\??" and facts["environment"]["HPK_TOOLS_LIBS"] == tool_a, "environment")
    expect("workers" in facts["Serial"], "spaces")
    done, told = run(["--hpk-print-configuration=json"])
    expect(json.loads(done.stdout)["hpk"]["tools"] == "none", "by a flag")
    # Without hpk::initialize the first use prints the configuration; the program's own output does not
    # change.
    plain, told = run(["bare"])
    done, told = run(["bare"], HPK_PRINT_CONFIGURATION="json")
    expect(done.returncode == 0 and done.stdout.endswith(plain.stdout), done.stdout)
    facts = json.loads(done.stdout[:len(done.stdout) - len(plain.stdout)])
    expect("workers" in facts["Serial"] and facts["program"]["files that use hpk"] == "1", str(facts))
    done, told = run(["bare"], HPK_PRINT_CONFIGURATION="1")
    expect(done.stdout.count("default host execution space: ") == 1, done.stdout)
    done, told = run(["bare"], HPK_PRINT_CONFIGURATION="0")
    expect(done.stdout == plain.stdout, done.stdout)
    # First used, then initialized: the configuration is printed once.
    done, told = run(["late"], HPK_PRINT_CONFIGURATION="1")
    expect(done.returncode == 0 and done.stdout.count("default host execution space: ") == 1, done.stdout)
    done, told = run(["late", "--hpk-print-configuration"])
    expect(done.returncode == 0 and done.stdout.count("default host execution space: ") == 1, done.stdout)
    done, told = run(HPK_PRINT_CONFIGURATION="xml")
    expect(done.returncode != 0 and "HPK_PRINT_CONFIGURATION has the value 'xml'; write true, false or json" in done.stderr, done.stderr)
elif way == "none":
    done, told = run()
    expect(done.returncode == 0 and not told["a"] and not told["b"], "somebody was told")
else:
    sys.exit("no such way")
