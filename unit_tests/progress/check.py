# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of hpk::Progress on a terminal of 60 columns, and without one. Usage: check.py PROGRAM"""
import concurrent.futures
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

program = sys.argv[1]
LINE_START, LINE_END = "\r", "\033[K"


def environment(**settings):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HPK_")}
    return {**clean, "TERM": "xterm", **settings}


def on_terminal(case, *flags, **settings):
    """Returns what the program writes to standard output, and to a terminal as standard error."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    with subprocess.Popen([program, case, *flags], stdout=subprocess.PIPE, stderr=its,
                          env=environment(**settings)) as running:
        os.close(its)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the terminal is closed
                break
            if not piece:
                break
            shown += piece
        printed = running.stdout.read().decode()
    os.close(ours)
    assert running.returncode == 0, running.returncode
    return printed, shown.decode().replace("\r\n", "\n")


def in_pipe(case, **settings):
    done = subprocess.run([program, case], capture_output=True, text=True, check=True,
                          env=environment(**settings))
    return done.stderr


def lines_of(shown):
    """The lines that replaced each other; fails unless each begins and ends as such a line."""
    lines = shown.rstrip("\n").split(LINE_START)
    assert lines[0] == "", shown
    for line in lines[1:]:
        assert line.endswith(LINE_END), repr(line)
    return [line.removesuffix(LINE_END) for line in lines[1:]]


def loop():
    printed, shown = on_terminal("loop")
    lines = lines_of(shown)
    assert shown.endswith(LINE_END + "\n"), shown
    assert lines[0] == "steps  0  0:00", lines
    assert 3 <= len(lines) <= 6, lines  # 0.8 s: the first, three or so, the last
    counts = [int(re.fullmatch(r"steps  (\d+)  ([\d.]+[kMG]?/s  )?0:0\d", line)[1]) for line in lines]
    assert counts == sorted(counts), counts
    assert counts[-1] == int(printed), (counts, printed)


def known():
    _, shown = on_terminal("known")
    lines = lines_of(shown)
    assert lines[0] == "steps     0/1000  0 %", lines
    assert re.fullmatch(r"steps   \d\d\d/1000  \d\d %  [\d.]+k?/s  0:0\d left", lines[1]), lines
    assert re.fullmatch(r"steps  1000/1000  100 %  [\d.]+k?/s  0:0\d", lines[-1]), lines


def clear():
    _, shown = on_terminal("clear")
    assert lines_of(shown) == ["steps  0/3  0 %", ""], repr(shown)


def nest():
    _, shown = on_terminal("nest")
    lines = lines_of(shown)
    assert any(re.search(r"^outer  [12]/3 .* left  \|  inner  +\d+/1", line) for line in lines), lines
    assert max(len(line) for line in lines) == 59, lines  # cut, so that the line does not wrap
    assert re.fullmatch(r"outer  3/3  100 %  [\d.]+/s  0:0\d", lines[-1]), lines
    assert shown.count("\n") == 1, shown


def error():
    _, shown = on_terminal("error")
    assert re.search(r"\rsteps   4/10  40 %  .*\n" + "the end\n$", shown), repr(shown)


def kernel():
    assert in_pipe("kernel", HPK_PROGRESS="on").startswith("steps  800000/800000  100 %"), "kernel"


def settings():
    assert in_pipe("clear") == ""
    assert in_pipe("clear", HPK_PROGRESS="on") == ""
    assert re.fullmatch(r"steps   4/10  40 %  .*\nthe end\n", in_pipe("error", HPK_PROGRESS="on"))
    assert on_terminal("error", HPK_PROGRESS="off")[1] == "the end\n"
    assert on_terminal("error", "--hpk-progress=off")[1] == "the end\n"
    assert on_terminal("error", TERM="dumb")[1] == "the end\n"


cases = [loop, known, clear, nest, error, kernel, settings]
with concurrent.futures.ThreadPoolExecutor() as pool:
    for name, result in [(case.__name__, pool.submit(case)) for case in cases]:
        try:
            result.result()
        except AssertionError:
            print(f"{name}:", file=sys.stderr)
            raise
