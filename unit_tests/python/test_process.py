# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes: forks, the end of Python, and the folder of compiled kernels."""

import array
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

import hpk
from support import needs_emu, run_python

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
