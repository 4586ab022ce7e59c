# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of hpk::Progress on a terminal of 60 columns, and without one. Usage: check.py PROGRAM"""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

program = sys.argv[1]


def environment(**settings):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HPK_")}
    return {**clean, "TERM": "xterm", **settings}


def on_terminal(case, *flags, **settings):
    """Returns what the program writes to a terminal as standard error."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    with subprocess.Popen([program, case, *flags], stderr=its, env=environment(**settings)) as running:
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
    os.close(ours)
    assert running.returncode == 0, running.returncode
    return shown.decode().replace("\r\n", "\n")


def in_pipe(case, **settings):
    done = subprocess.run([program, case], capture_output=True, text=True, check=True,
                          env=environment(**settings))
    return done.stderr


def shows(case, *lines, end="\n", **settings):
    """The lines of a case on a terminal, each of which replaces the one before."""
    shown = on_terminal(case, **settings)
    wanted = "".join(f"\r{line}\033[K" for line in lines) + end
    assert shown == wanted, f"{case} shows\n{shown!r}\nwanted\n{wanted!r}"


def writes(case, text, **settings):
    """The text of a case whose standard error is a pipe."""
    written = in_pipe(case, **settings)
    assert written == text, f"{case} writes\n{written!r}\nwanted\n{text!r}"


# A line is replaced after 250 ms, at the end of a step.
shows("loop", "steps  0  0:00", "steps  3  10.0/s  0:00", "steps  6  10.0/s  0:01", "steps  8  10.0/s  0:01")
# The clock is read every 16 steps at most, and after each step if steps are slow.
shows("fast", "steps  0  0:00", "steps  250015  1.00M/s  0:00", "steps  500015  1.00M/s  0:01",
      "steps  750015  1.00M/s  0:01", "steps  1000015  62.5k/s  0:16", "steps  1000016  58.8k/s  0:17",
      "steps  1000017  55.6k/s  0:18", "steps  1000018  52.6k/s  0:19", "steps  1000019  50.0k/s  0:20",
      "steps  1000020  47.6k/s  0:21", "steps  1000020  47.6k/s  0:21")
shows("known", "steps     0/1000  0 %", "steps   400/1000  40 %  1.00k/s  0:01 left",
      "steps   700/1000  70 %  1.00k/s  0:00 left", "steps  1000/1000  100 %  1.00k/s  0:00 left",
      "steps  1000/1000  100 %  1.00k/s  0:01")
shows("back", "steps     0/5000  0 %", "steps     7/5000  0 %  23.3/s  3:34 left", "steps     7/5000  0 %  23.3/s  0:00")
shows("clear", "steps  0/3  0 %", "", end="")
# The line is cut, so that it does not wrap.
# Lines are cut, so that they do not wrap.
shows("nest", "outer  0/3  0 %", "outer  0/3  0 %  |  inner           3/1000000000  0 %",
      "outer  1/3  33 %  1.67/s  0:01 left  |  inner           3/1",
      "outer  2/3  66 %  2.22/s  0:00 left  |  inner           3/1", "outer  3/3  100 %  3.33/s  0:01")
# Of two loops at the same time, the one that began first may also end first.
first = ("first  0/2  0 %", "first  0/2  0 %  |  second  0/2  0 %", "first  1/2  50 %  1.00/s  0:01")
second = ("second  0/2  0 %", "second  1/2  50 %  1.00/s  0:01 left", "second  1/2  50 %  1.00/s  0:01")
shows("overlap", *first, end="\n" + "".join(f"\r{line}\033[K" for line in second) + "\n")
shows("error", "steps   0/10  0 %", "steps   4/10  40 %  0:00", end="\nthe end\n")
assert set(in_pipe("kernel", HPK_PROGRESS="on").splitlines()) == {"steps  200000/200000  100 %  0:00"}
writes("long", "steps  10/25  40 %  1.00/s  0:15 left\nsteps  20/25  80 %  1.00/s  0:05 left\n"
       "steps  25/25  100 %  1.00/s  0:25\n", HPK_PROGRESS="on")
writes("error", "steps   4/10  40 %  0:00\nthe end\n", HPK_PROGRESS="on")
writes("clear", "", HPK_PROGRESS="on")
writes("long", "")
assert on_terminal("error", HPK_PROGRESS="off") == "the end\n"
assert on_terminal("error", "--hpk-progress=off") == "the end\n"
assert on_terminal("error", TERM="dumb") == "the end\n"
