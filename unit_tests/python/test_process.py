# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes: forks, the end of Python, and the folder of compiled kernels."""

import array
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import hpk
from hpk import _compiler
from support import needs_emu, run_python

try:
    import _xxsubinterpreters as subinterpreters
except ImportError:
    subinterpreters = None

CLANG = next(filter(None, (shutil.which(f"clang++-{version}") for version in range(16, 30))), None)
AXPY = """
import array, hpk
x = array.array("d", [1, 2, 3])
hpk.kernel("x(i) += a * 1", x=x, a=2.0)
assert x.tolist() == [3, 4, 5]
"""


class Forks(unittest.TestCase):
    def test_child_launches(self):
        x = array.array("d", [1, 2, 3])
        k = hpk.Kernel("x(i) += 1")
        k(x=x)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                k(x=x)
                hpk.sort(x, descending=True)
                status = 0 if x.tolist() == [5, 4, 3] and hpk.sum(x) == 12 else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(x.tolist(), [2, 3, 4])

    def test_child_compiles_while_the_parent_does(self):
        with tempfile.TemporaryDirectory() as folder:
            program = f"""
import array, hpk, os, pathlib, signal, sys, threading, time
from hpk import _compiler
x, y = array.array("d", [1]), array.array("d", [1])
compile = _compiler._compile
compiles = threading.Event()

def slow(*args):
    compiles.set()
    time.sleep(0.3)
    return compile(*args)

_compiler._compile = slow
thread = threading.Thread(target=lambda: hpk.kernel("x(i) += 1", x=x))
thread.start()
compiles.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    hpk.kernel("y(i) += 2", y=y)
    os._exit(int(y[0]))
thread.join()
print(x[0], os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
            done = run_python(program, HPK_CACHE_DIR=folder)
        self.assertEqual((done.returncode, done.stdout), (0, "2.0 3\n"), done.stderr)

    def test_multiprocessing(self):
        program = """
import array, multiprocessing, hpk

def work(n):
    x = array.array("d", range(n))
    hpk.kernel("x(i) *= 2", x=x)
    return hpk.sum(x)

if __name__ == "__main__":
    print(work(3))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, [10, 100]))
"""
        done = run_python(program)
        self.assertEqual((done.returncode, done.stdout), (0, "6.0\n[90.0, 9900.0]\n"), done.stderr)


class Ends(unittest.TestCase):
    def end(self, program):
        done = run_python(program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_live_views(self):
        self.end("import array, hpk; x = hpk.wrap(array.array('d', [1])); y = x[0:1]; m = memoryview(y)")

    def test_views_in_cycles(self):
        self.end("import array, hpk; l = [hpk.wrap(array.array('d', [1])), hpk.view(3)]; l.append(l)")

    def test_view_used_by_an_exit_function(self):
        self.end(
            "import atexit; x = []; atexit.register(lambda: x[0].tolist())\n"
            "import array, hpk; x.append(hpk.wrap(array.array('d', [1])))"
        )

    @needs_emu
    def test_running_kernels(self):
        self.end(
            "import hpk; x = hpk.view(1000, space='Emu')\n"
            "for _ in range(20): hpk.kernel('x(i) += 1', x=x, wait=False)"
        )

    def test_daemon_thread_in_a_kernel(self):
        self.end(
            """
import array, hpk, threading, time
x = hpk.view(1, space="Host")
k = hpk.Kernel("volatile double v = 0; for (int k = 0; k < n; ++k) v = v + 1; x(i) = v")
k.compile(x=x, n=1)
threading.Thread(target=lambda: k(x=x, n=200_000_000), daemon=True).start()
time.sleep(0.05)
"""
        )

    def test_finalized_hpk(self):
        self.end("import hpk; x = hpk.view(3); hpk.initialize() if not hpk.is_initialized() else 0; hpk.finalize()")


class Interpreters(unittest.TestCase):
    @unittest.skipIf(subinterpreters is None, "this Python has no _xxsubinterpreters")
    def test_only_the_main_one(self):
        for first in ("", "import hpk\n"):
            done = run_python(
                first + "import _xxsubinterpreters as s\n"
                "s.run_string(s.create(), 'try: import hpk\\nexcept ImportError as e: print(e, flush=True)')\n"
                "import hpk; print(hpk.sum(b'ab'))"
            )
            self.assertEqual(
                done.stdout,
                "hpk: a process has one hpk, which only the main interpreter can import\n195\n",
                done.stderr,
            )


class Cache(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.cache = pathlib.Path(self.folder.name) / "cache"
        self.addCleanup(self.folder.cleanup)

    def run_axpy(self, **environment):
        done = run_python(AXPY, HPK_CACHE_DIR=str(self.cache), **environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def files(self):
        return sorted(path.name for path in self.cache.iterdir())

    def test_reuse(self):
        self.run_axpy()
        self.assertEqual(len(self.files()), 1)
        self.assertEqual(stat.S_IMODE(self.cache.stat().st_mode), 0o700)
        # A compiler that does not work is not needed any more, but is part of the hash.
        before = next(self.cache.iterdir()).stat().st_mtime_ns
        self.run_axpy()
        self.assertEqual(next(self.cache.iterdir()).stat().st_mtime_ns, before)
        self.run_axpy(HPK_CXXFLAGS="-O1")
        self.assertEqual(len(self.files()), 2)

    def test_two_processes_at_once(self):
        environment = {**os.environ, "HPK_CACHE_DIR": str(self.cache)}
        processes = [
            subprocess.Popen([sys.executable, "-c", AXPY], env=environment) for _ in range(2)
        ]
        self.assertEqual([process.wait(120) for process in processes], [0, 0])
        self.assertEqual(len(self.files()), 1)

    def test_folder_is_deleted_meanwhile(self):
        program = (
            "import array, hpk, os, shutil\n"
            "from hpk import _compiler, _kernels\n"
            "run = lambda: _kernels.prepare('x(i) = 1', None, '', ('x',), "
            "(('view', 'float64', 1, 'right', False, 'Host'),))[0]\n"
            "path = run(); shutil.rmtree(os.environ['HPK_CACHE_DIR'])\n"
            "assert run() == path and os.path.exists(path)\n"
        )
        done = run_python(program, HPK_CACHE_DIR=str(self.cache))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_folder_without_utf8(self):
        self.cache = pathlib.Path(os.fsdecode(os.fsencode(self.cache) + b"\xff"))
        self.run_axpy()
        self.assertEqual(len(self.files()), 1)

    def test_processor_of_native_code(self):
        key = _compiler.key_of("", ["/bin/sh", "-march=native"])
        with unittest.mock.patch.object(_compiler, "_processor", lambda: "another"):
            self.assertNotEqual(_compiler.key_of("", ["/bin/sh", "-march=native"]), key)
            other = _compiler.key_of("", ["/bin/sh"])
        self.assertEqual(_compiler.key_of("", ["/bin/sh"]), other)
        self.assertTrue(_compiler._processor())

    @unittest.skipIf(CLANG is None, "no clang++-16 or newer is installed")
    def test_clang(self):
        self.run_axpy(HPK_CXX=CLANG, HPK_CXXFLAGS="")

    @unittest.skipIf(os.geteuid() == 0, "root may write to every folder")
    def test_read_only_folder(self):
        self.cache.mkdir(mode=0o500)
        self.run_axpy()
        self.assertEqual(self.files(), [])

    def test_folder_that_can_not_exist(self):
        self.cache.write_text("a file")
        self.run_axpy()
        self.assertEqual(self.cache.read_text(), "a file")

    def test_folder_of_others(self):
        self.cache.mkdir()
        self.cache.chmod(0o777)
        self.run_axpy()
        self.assertEqual(self.files(), [])

    def test_no_compiler(self):
        done = run_python(AXPY, HPK_CACHE_DIR=str(self.cache), HPK_CXX="no-such-compiler")
        self.assertIn("hpk.CompileError", done.stderr)
        self.assertIn("'no-such-compiler' was not found; install g++", done.stderr)


if __name__ == "__main__":
    unittest.main()
