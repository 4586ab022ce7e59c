# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Algorithms by name, spaces, instances, settings and regions."""

import array
import threading
import time
import unittest

import hpk
from support import needs_emu, run_python

INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


def view_of(values, dtype, space="Host"):
    x = hpk.view(len(values), dtype, "Host")
    for i, value in enumerate(values):
        x[i] = value
    return x.mirror(space)


class Algorithms(unittest.TestCase):
    spaces = ("Host",)

    def test_reductions(self):
        for space in self.spaces:
            for dtype in INTEGERS + ["float32", "float64"]:
                x = view_of([3, 1, 2, 0], dtype, space)
                self.assertEqual((hpk.sum(x), hpk.prod(x), hpk.min(x), hpk.max(x)), (6, 0, 0, 3))
                self.assertEqual((hpk.all(x), hpk.any(x), hpk.count(x)), (False, True, 3))
            self.assertEqual(hpk.sum(view_of([1j, 2], "complex128", space)), 2 + 1j)
            self.assertIs(hpk.all(view_of([True, True], "bool", space)), True)

    def test_parts(self):
        x = hpk.view((4, 4), "int32", "Host")
        hpk.kernel("x(i, j) = i", x=x)
        self.assertEqual(hpk.sum(x[1:3, ::2]), 6)
        hpk.fill(x[0], 9)
        self.assertEqual(hpk.max(x.T), 9)

    def test_empty(self):
        x = hpk.view(0, space="Host")
        self.assertEqual((hpk.sum(x), hpk.prod(x), hpk.all(x), hpk.any(x)), (0, 1, True, False))
        with self.assertRaises(ValueError):
            hpk.min(x)

    def test_dot(self):
        self.assertEqual(hpk.dot(array.array("d", [1, 2]), array.array("d", [3, 4])), 11)
        z = view_of([1j], "complex128")
        self.assertEqual(hpk.dot(z, z), 1)
        with self.assertRaises((TypeError, ValueError)):
            hpk.dot(hpk.view(2, space="Host"), hpk.view(3, space="Host"))

    def test_fill(self):
        a = array.array("i", [0, 0])
        hpk.fill(a, 7)
        self.assertEqual(a.tolist(), [7, 7])
        for wrong in (1.5, 2**40, "x"):
            with self.assertRaises((TypeError, ValueError)):
                hpk.fill(a, wrong)

    def test_scan(self):
        for space in self.spaces:
            x = view_of([1, 2, 3], "int64", space)
            self.assertEqual(hpk.scan(x).tolist(), [1, 3, 6])
            self.assertEqual(hpk.scan(x, exclusive=True).tolist(), [0, 1, 3])
            self.assertEqual(hpk.scan(x, "prod").tolist(), [1, 2, 6])
            self.assertIs(hpk.scan(x, out=x), x)
            self.assertEqual(x.tolist(), [1, 3, 6])
        with self.assertRaises(ValueError):
            hpk.scan(x, "mean")

    def test_sort(self):
        for space in self.spaces:
            x = view_of([3, 1, 2], "float64", space)
            hpk.sort(x)
            self.assertEqual(x.tolist(), [1, 2, 3])
            hpk.sort(x, descending=True)
            self.assertEqual(x.tolist(), [3, 2, 1])
            y = view_of([10, 20, 30], "int32", space)
            hpk.sort_by_key(x, y)
            self.assertEqual((x.tolist(), y.tolist()), ([1, 2, 3], [30, 20, 10]))

    def test_random(self):
        x, y = hpk.view(1000, space="Host"), hpk.view(1000, space="Host")
        hpk.fill_random(x, seed=7)
        hpk.fill_random(y, "uniform", 0, 1, 7)
        self.assertEqual(x.tolist(), y.tolist())
        self.assertTrue(0 <= hpk.min(x) < 0.1 and 0.9 < hpk.max(x) < 1)
        hpk.fill_random(x, "normal", 5, 2, seed=1)
        self.assertAlmostEqual(hpk.sum(x) / 1000, 5, delta=0.5)
        with self.assertRaises(ValueError):
            hpk.fill_random(x, "poisson")
        for seed in (-1, 2**64):
            with self.assertRaises(OverflowError):
                hpk.fill_random(x, seed=seed)

    def test_deep_copy(self):
        x, y = array.array("d", [1, 2]), hpk.view(2, space="Host")
        hpk.deep_copy(y, x)
        self.assertEqual(y.tolist(), [1, 2])
        hpk.deep_copy(to=x, from_=5)
        hpk.fence(label="copied")
        self.assertEqual(x.tolist(), [5, 5])


@needs_emu
class AlgorithmsOnEmu(Algorithms):
    spaces = ("Emu",)


class Spaces(unittest.TestCase):
    def test_names(self):
        self.assertIn(hpk.default_space(), hpk.spaces())
        self.assertIn(hpk.default_host_space(), hpk.spaces())

    def test_instances(self):
        instance = hpk.Instance(hpk.default_host_space())
        self.assertEqual(instance.space, hpk.default_host_space())
        self.assertGreater(instance.concurrency, 0)
        instance.fence()
        instance.fence("label")
        self.assertEqual(hpk.sum(array.array("d", [1, 2]), instance=instance), 3)
        self.assertEqual(hpk.Instance(default=True).space, hpk.default_space())
        with self.assertRaisesRegex(ValueError, "no execution space 'Moon'"):
            hpk.Instance("Moon")

    def test_configuration(self):
        self.assertIn(hpk.__version__, hpk.configuration())
        self.assertGreaterEqual(len(hpk.configuration(verbose=True)), len(hpk.configuration()))

    def test_initialize_and_finalize(self):
        program = """
import hpk
assert not hpk.is_initialized()
hpk.initialize(threads=2)
assert hpk.is_initialized()
assert hpk.Instance(hpk.default_host_space(), default=True).concurrency in (1, 2)
try:
    hpk.initialize()
except hpk.Error as error:
    print(error)
hpk.finalize()
assert not hpk.is_initialized()
"""
        done = run_python(program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("initialize", done.stdout)

    def test_regions_and_labels_in_profiles(self):
        program = """
import array, hpk
hpk.initialize()  # the profile begins here
x = array.array("d", [1, 2])
with hpk.region("outer"):
    hpk.kernel("x(i) += 1", x=x, name="plus one")
"""
        done = run_python(program, HPK_PROFILE="summary")
        self.assertEqual(done.returncode, 0)
        self.assertIn("plus one", done.stdout + done.stderr)
        self.assertIn("outer", done.stdout + done.stderr)

    def test_other_threads_run_meanwhile(self):
        k = hpk.Kernel("volatile double v = 0; for (int k = 0; k < n; ++k) v = v + 1; x(i) = v")
        x = hpk.view(1, space="Host")
        k.compile(x=x, n=1)
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        k(x=x, n=100_000_000)
        end = time.monotonic()
        done.set()
        thread.join()
        self.assertGreater(end - begin, 0.02)
        self.assertGreater(len([t for t in ticks if begin < t < end]), 3)


if __name__ == "__main__":
    unittest.main()
