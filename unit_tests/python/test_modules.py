# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example's module, twice in one process, beside the module hpk: three copies of a static hpk exchange
arrays. HEAT_FOLDER is the folder with the built module."""

import array
import ctypes
import gc
import glob
import importlib.machinery
import importlib.util
import os
import shutil
import sys
import tempfile
import threading
import unittest

import hpk
from support import needs_numpy, numpy, run_python

MODULE = glob.glob(os.path.join(os.environ["HEAT_FOLDER"], "heat*.so"))[0]


def load(path):
    loader = importlib.machinery.ExtensionFileLoader("heat", path)
    spec = importlib.util.spec_from_loader("heat", loader)
    return importlib.util.module_from_spec(spec)


heat = load(MODULE)
# A copy of the file is a second module, with symbols of its own.
_folder = tempfile.TemporaryDirectory()
other = load(shutil.copy(MODULE, _folder.name))


def matrix(rows, columns):
    return hpk.view((rows, columns), space="Host")


class Modules(unittest.TestCase):
    def test_they_are_two(self):
        self.assertIsNot(heat.step, other.step)

    def test_arrays_of_one_in_the_others(self):
        a, b = heat.make_field(5, 6), other.make_field(5, 6)
        self.assertIsInstance(a, hpk.View)
        self.assertEqual((a.shape, a.dtype, a.space, a[0, 3], a[1, 3]), ((5, 6), "float64", "Host", 1, 0))
        self.assertEqual(heat.step(b, a, 0.25), 0.25)
        self.assertEqual(other.step(a, b, 0.25), 0.125)
        hpk.kernel("a(i, j) += b(i, j)", a=a, b=b)
        self.assertEqual(hpk.sum(b), 6 + 4 * 0.25)

    def test_buffer_without_strides(self):
        a, b = (((ctypes.c_double * 4) * 3)() for _ in range(2))
        for row in range(3):
            a[row][:] = [row * row] * 4
        self.assertEqual(heat.step(b, a, 0.25), 0.5)
        self.assertEqual([list(row) for row in b], [[0] * 4, [0, 1.5, 1.5, 0], [0] * 4])

    def test_lifetime(self):
        part = heat.make_field(3, 4)[1:, ::2]
        gc.collect()
        part[...] = 2
        self.assertEqual(hpk.sum(part), 8)

    @needs_numpy
    def test_numpy(self):
        a, b = numpy.zeros((4, 4)), numpy.ones((4, 4))
        before = sys.getrefcount(a)
        b[1, 1] = 0
        self.assertEqual(heat.step(a, b, 0.25), 1)
        self.assertEqual(a[1, 1], 1)
        self.assertEqual(sys.getrefcount(a), before)

    def test_errors(self):
        a = matrix(4, 4)
        cases = (
            (hpk.view((4, 4), "float32", "Host"), TypeError, 'from_python "to".*the View has double'),
            (matrix(4, 4)[0], TypeError, "1 dimensions; the View has 2"),
            (matrix(4, 8)[:, ::2], ValueError, 'from_python "to".*strides'),
            (hpk.view((4, 4), space="Host", layout="left"), ValueError, "strides"),
            (matrix(4, 5), ValueError, "different shapes"),
            ([[1.0]], TypeError, "neither the buffer protocol nor __dlpack__"),
            (memoryview(bytes(128)).cast("d", (4, 4)), ValueError, "read-only"),
        )
        for wrong, error, text in cases:
            with self.assertRaisesRegex(error, text):
                heat.step(wrong, a, 0.1)
        with self.assertRaises(TypeError):
            heat.step(a)

    def test_threads(self):
        fields = [(heat.make_field(20, 20), heat.make_field(20, 20)) for _ in range(4)]

        def run(module, a, b):
            for _ in range(50):
                module.step(a, b, 0.1)

        threads = [
            threading.Thread(target=run, args=(heat if k % 2 else other, *fields[k])) for k in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(fields[0][0].tolist(), fields[3][0].tolist())

    def test_without_module_hpk(self):
        program = f"""
import sys, gc
sys.path.insert(0, {os.path.dirname(MODULE)!r})
sys.modules["hpk"] = None
import heat
capsule = heat.make_field(3, 4)
print(type(capsule).__name__)
del capsule
gc.collect()
"""
        done = run_python(program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "PyCapsule\n", ""))


if __name__ == "__main__":
    unittest.main()
