# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written as text: results, types, ranges, spaces and errors."""

import array
import math
import threading
import unittest

import hpk
from support import needs_emu, needs_numpy, numpy


def doubles(*values):
    return array.array("d", values)


class Launches(unittest.TestCase):
    def test_axpy(self):
        x, y = doubles(1, 2, 3), doubles(10, 20, 30)
        hpk.kernel("x(i) += a * y(i)", x=x, y=y, a=2.0)
        self.assertEqual(x.tolist(), [21, 42, 63])
        hpk.kernel("x(i) += a * y(i)", x=x, y=y, a=-2)
        self.assertEqual(x.tolist(), [1, 2, 3])

    def test_ready_kernel(self):
        k = hpk.Kernel("x(i) *= a", name="scale")
        self.assertEqual((k.name, k.text, k.op), ("scale", "x(i) *= a", None))
        x = hpk.view(5, space="Host")
        x[...] = 3
        k.compile(x=x, a=2.0)
        self.assertEqual(x[0], 3)
        for _ in range(3):
            k(x=x, a=2.0)
        k(**{"a": 0.5, "x": x})
        self.assertEqual(x.tolist(), [12.0] * 5)
        self.assertIn("hpk::View<double*, hpk::LayoutRight, hpk::HostSpace>", k.source(x=x, a=1.0))

    def test_statements(self):
        x = hpk.view(6, "int64", "Host")
        hpk.kernel(
            """
            int sum = 0;
            for (int k = 0; k <= i; ++k) {
              if (k % 2 == 0) continue;  // only odd ones
              sum += k;
            }
            x(i) = max(sum, 1) + abs(-i);
            """,
            x=x,
        )
        self.assertEqual(x.tolist(), [1, 2, 3, 7, 8, 14])

    def test_mathematics(self):
        x = doubles(0.5, 2.0)
        hpk.kernel("x(i) = sqrt(x(i)) + sin(x(i)) + abs(-1.5) + pow(x(i), 2)", x=x)
        for value, v in zip(x, (0.5, 2.0)):
            self.assertAlmostEqual(value, math.sqrt(v) + math.sin(v) + 1.5 + v**2, 15)

    def test_dimensions_and_layouts(self):
        for layout in ("right", "left"):
            a = hpk.view((3, 4), "int32", "Host", layout)
            hpk.kernel("a(i, j) = 10 * i + j", a=a)
            self.assertEqual(a.tolist()[2], [20, 21, 22, 23])
            b = hpk.view((2, 2), "int32", "Host")
            hpk.kernel("b(i, j) = a(i, j)", a=a[::2, 1::2], b=b)
            self.assertEqual(b.tolist(), [[1, 3], [21, 23]])
        c = hpk.view((2, 2, 2, 2, 2, 2), "int32", "Host")
        hpk.kernel("c(i, j, k, l, m, n) = i + j + k + l + m + n", c=c)
        self.assertEqual((c[1, 1, 1, 1, 1, 1], hpk.sum(c)), (6, 3 * 64))

    def test_rank_0(self):
        s, x = hpk.view((), space="Host"), doubles(1, 2, 3)
        s[...] = 4
        hpk.kernel("x(i) += s()", x=x, s=s)
        self.assertEqual(x.tolist(), [5, 6, 7])

    def test_zero_extents(self):
        hpk.kernel("x(i, j) = 1", x=hpk.view((0, 5), space="Host"))
        self.assertEqual(hpk.reduce("x(i)", x=hpk.view(0, space="Host")), 0)

    def test_atomic(self):
        bins = hpk.view(4, "int64", "Host")
        index = hpk.view(1000, "int32", "Host")
        hpk.kernel("index(i) = i % 4", index=index)
        hpk.kernel("atomic_add(&bins(index(i)), 1)", bins=bins, index=index, i=range(1000))
        self.assertEqual(bins.tolist(), [250] * 4)

    def test_ranges(self):
        x, y = doubles(*range(6)), doubles(*range(6))
        hpk.kernel("x(i) = y(i - 1) + y(i + 1)", x=x, y=y, i=range(1, 5))
        self.assertEqual(x.tolist(), [0, 2, 4, 6, 8, 5])
        hpk.kernel("x(i) = -1", x=x, i=(2, 4))
        hpk.kernel("x(i) = -2", x=x, i=range(3, 2))
        hpk.kernel("x(i) = -3", x=x, i=slice(5, 6))
        self.assertEqual(x.tolist(), [0, 2, -1, -1, 8, -3])
        hpk.kernel("x(2 * i + 1) = n", x=x, n=7, i=range(3))
        self.assertEqual(x.tolist(), [0, 7, -1, 7, 8, 7])

    def test_types(self):
        # All types in one text, which is compiled once.
        types = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
        types += "complex64 complex128"
        arrays = {}
        for k, dtype in enumerate(types.split()):
            arrays[f"x{k}"] = hpk.view(2, dtype, "Host")
            arrays[f"y{k}"] = hpk.view(2, dtype, "Host")
            arrays[f"y{k}"][...] = 1
        hpk.kernel("\n".join(f"x{k}(i) = y{k}(i);" for k in range(15)), **arrays)
        for k in range(15):
            self.assertEqual(arrays[f"x{k}"].tolist(), [1, 1])

    def test_scalars(self):
        x = hpk.view(1, "complex128", "Host")
        hpk.kernel("x(i) = a * b + c", x=x, a=1j, b=2.0, c=True)
        self.assertEqual(x[0], 1 + 2j)
        n = hpk.view(1, "int64", "Host")
        hpk.kernel("n(i) = big", n=n, big=2**62 + 1)
        self.assertEqual(n[0], 2**62 + 1)
        hpk.kernel("n(i) = big > 0 && big == ~uint64_t(0)", n=n, big=2**64 - 1)
        self.assertEqual(n[0], 1)
        for big in (2**64, -(2**63) - 1):
            with self.assertRaisesRegex(OverflowError, f"{big} is beyond"):
                hpk.kernel("n(i) = big", n=n, big=big)

    def test_read_only(self):
        x, y = doubles(0, 0, 0), b"abc"
        hpk.kernel("x(i) = y(i)", x=x, y=y)
        self.assertEqual(x.tolist(), [97, 98, 99])
        with self.assertRaisesRegex(hpk.CompileError, "read-only|const"):
            hpk.kernel("y(i) = x(i)", x=x, y=y)

    def test_instances_and_spaces(self):
        for space in hpk.spaces():
            if space == "Emu":
                continue
            x = doubles(1, 2)
            hpk.kernel("x(i) += 1", x=x, space=space)
            with hpk.Instance(space) as instance:
                hpk.kernel("x(i) += 1", x=x, instance=instance, wait=False)
            self.assertEqual(x.tolist(), [3, 4])
        with self.assertRaisesRegex(ValueError, "no execution space 'Moon'"):
            hpk.kernel("x(i) += 1", x=x, space="Moon")
        with self.assertRaises(TypeError):
            hpk.kernel("x(i) += 1", x=x, instance="Serial")

    def test_threads(self):
        k = hpk.Kernel("x(i) += 1")
        arrays = [doubles(*[0] * 100) for _ in range(4)]

        def run(x):
            for _ in range(200):
                k(x=x)

        threads = [threading.Thread(target=run, args=(x,)) for x in arrays]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for x in arrays:
            self.assertEqual(x.tolist(), [200.0] * 100)

    @needs_numpy
    def test_numpy(self):
        x, y = numpy.zeros((3, 4), order="F"), numpy.arange(12.0).reshape(3, 4)
        hpk.kernel("x(i, j) = a * y(i, j)", x=x, y=y, a=numpy.float32(0.5))
        self.assertTrue((x == 0.5 * y).all())
        hpk.kernel("x(i, j) += n", x=x, n=numpy.int8(-2))
        self.assertTrue((x == 0.5 * y - 2).all())
        strided = numpy.zeros((4, 4))
        hpk.kernel("x(i, j) = 1", x=strided[::2, 1:3])
        self.assertEqual(strided.sum(), 4)


class Reductions(unittest.TestCase):
    def test_operations(self):
        x, y = doubles(1, 2, 3), doubles(4, 5, 6)
        self.assertEqual(hpk.reduce("x(i) * y(i)", x=x, y=y), 32.0)
        self.assertEqual(hpk.reduce("x(i)", op="prod", x=x), 6.0)
        self.assertEqual(hpk.reduce("x(i) - y(i)", op="min", x=x, y=y), -3.0)
        self.assertEqual(hpk.reduce("i", op="max", i=range(10)), 9)
        self.assertIs(hpk.reduce("x(i) > 0", x=x, op="all"), True)
        self.assertIs(hpk.reduce("x(i) > 5", x=x, op="any"), False)
        self.assertEqual(hpk.reduce("x(i) > 1", x=x, op="count"), 2)
        self.assertEqual(hpk.reduce("x(i) > 1", x=x), 2)
        k = hpk.Kernel("x(i) * x(i)", op="sum")
        self.assertEqual(k(x=x), 14.0)

    def test_statements(self):
        x = doubles(1, -2, 3)
        text = "const double v = x(i); if (v < 0) return 0.0; return v;"
        self.assertEqual(hpk.reduce(text, x=x), 4.0)

    def test_semicolon(self):
        self.assertEqual(hpk.reduce("x(i); // all", x=doubles(1, 2)), 3)

    def test_names_of_the_source(self):
        # Names of the generated program and of hpk are free for arguments and indices.
        names = dict.fromkeys(("store", "total_t", "hpk", "std", "exp", "View", "label"), 2)
        text = "x(total) * " + " * ".join(names)
        self.assertEqual(hpk.reduce(text, op="max", x=doubles(1, 3), **names), 3 * 2**7)
        self.assertEqual(hpk.reduce("x(i) * total", x=doubles(1, 3), total=2), 8)

    def test_integers_have_64_bits(self):
        x = hpk.view(3, "int8", "Host")
        x[...] = 100
        self.assertEqual(hpk.reduce("x(i)", x=x), 300)

    def test_complex(self):
        z = hpk.view(2, "complex128", "Host")
        z[...] = 1 + 2j
        self.assertEqual(hpk.reduce("z(i)", z=z), 2 + 4j)

    def test_matrix(self):
        a = hpk.view((3, 4), space="Host", layout="left")
        hpk.kernel("a(i, j) = i * j", a=a)
        self.assertEqual(hpk.reduce("a(i, j)", a=a), 18.0)

    def test_most_arguments(self):
        x = doubles(1, 2, 3)
        others = {f"a{k}": 0 for k in range(31)}
        self.assertEqual(hpk.reduce("x(i)", x=x, **others, op="max"), 3)
        for op in ({}, {"op": "max"}):
            with self.assertRaisesRegex(TypeError, "at most 32 arguments"):
                hpk.reduce("x(i)", x=x, **others, a31=0, **op)

    def test_unknown_operation(self):
        for op in (None, 1, ["sum"]):
            with self.assertRaisesRegex(TypeError, "op is the name of an operation"):
                hpk.reduce("x(i)", op=op, x=doubles(1))
        with self.assertRaisesRegex(ValueError, "no operation 'mean'"):
            hpk.reduce("x(i)", op="mean", x=doubles(1))


class Errors(unittest.TestCase):
    def test_extents_differ(self):
        with self.assertRaisesRegex(
            ValueError, "index i has two ranges: x has extent 3 in dimension 0, and y has extent 2"
        ):
            hpk.kernel("x(i) = y(i)", x=doubles(1, 2, 3), y=doubles(1, 2))

    def test_range_exceeds_the_array(self):
        with self.assertRaisesRegex(IndexError, "from 0 to 4, but x has extent 3 in dimension 0"):
            hpk.kernel("x(i) = 1", x=doubles(1, 2, 3), i=range(4))
        with self.assertRaises(ValueError):
            hpk.kernel("x(i) = 1", x=doubles(1, 2, 3), i=range(0, 3, 2))

    def test_no_index(self):
        with self.assertRaisesRegex(ValueError, "no name stands alone"):
            hpk.kernel("x(n) = 1", x=doubles(1), n=0)
        with self.assertRaisesRegex(ValueError, "no array"):
            hpk.kernel("a", a=1.0)

    def test_tuple_as_array(self):
        with self.assertRaisesRegex(TypeError, "x as an array, but its argument is the range"):
            hpk.kernel("x(i) = 1", x=(1.0, 2.0), i=range(2))

    def test_race(self):
        with self.assertRaisesRegex(ValueError, r"y\(i\) is assigned for every j"):
            hpk.kernel("y(i) += a(i, j)", y=doubles(0, 0), a=hpk.view((2, 3), space="Host"))

    def test_rank(self):
        with self.assertRaisesRegex(TypeError, "x has 1 dimension, but the text gives it 2 indices"):
            hpk.kernel("x(i, j) = 1", x=doubles(1))

    def test_arguments(self):
        x = doubles(1)
        with self.assertRaisesRegex(TypeError, "by the names"):
            hpk.kernel("x(i) = 1", x)
        with self.assertRaisesRegex(TypeError, "names"):
            hpk.Kernel("x(i) = 1")(x)
        with self.assertRaisesRegex(TypeError, "no array"):
            hpk.kernel("x(i) = 1", x=[1.0])
        for option in ("space", "name"):
            with self.assertRaisesRegex(TypeError, f"'{option}' of a kernel is text or None.*another name"):
                hpk.kernel("x(i) = 1", x=x, **{option: x})
        with self.assertRaisesRegex(TypeError, "at most 32 arguments"):
            hpk.Kernel("x(i) = 1").__call__(x=x, **{f"a{k}": 0 for k in range(32)})
        with self.assertRaisesRegex(ValueError, "can't be a name in C"):
            hpk.kernel("x(i) = int", x=x, int=1)

    def test_name_without_utf8(self):
        x = doubles(1)
        with self.assertRaises(UnicodeEncodeError):
            hpk.Kernel("x(i) = 1", name="\ud800")(x=x)

    def test_compile_error_shows_the_line(self):
        text = "double t = x(i);\nx(i) = t +* 2;\n"
        with self.assertRaises(hpk.CompileError) as caught:
            hpk.kernel(text, x=doubles(1), name="broken")
        error = caught.exception
        self.assertRegex(str(error), "the compiler refuses kernel '.*'")
        self.assertIn("line 2:", str(error))
        self.assertIn("\n    x(i) = t +* 2;\n              ^", str(error))
        self.assertNotIn("core/hpk", str(error))
        self.assertIn("error", error.log)
        self.assertIn("#include", error.source)

    def test_unknown_name(self):
        with self.assertRaisesRegex(hpk.CompileError, r"add the argument i=range"):
            hpk.kernel("x(j) = y(i + 1)", x=doubles(1), y=doubles(1))
        with self.assertRaisesRegex(hpk.CompileError, r"add the argument factor=\.\.\."):
            hpk.kernel("x(i) = factor", x=doubles(1))

    def test_exceptions_of_kernels(self):
        with self.assertRaisesRegex(hpk.Error, "not negative"):
            hpk.kernel('if (x(i) < 0) throw std::runtime_error("not negative")', x=doubles(1, -1), i=range(2))

    @needs_emu
    def test_mixed_memory(self):
        x, d = doubles(1, 2), hpk.view(2, space="Emu")
        with self.assertRaisesRegex(TypeError, r"d is in Emu memory and x in host memory.*mirror\('Emu'\)"):
            hpk.kernel("x(i) = d(i)", x=x, d=d)
        with self.assertRaisesRegex(TypeError, "can't access d"):
            hpk.kernel("d(i) = 1", d=d, space="Serial")


@needs_emu
class Emu(unittest.TestCase):
    def test_device_arrays(self):
        x = hpk.view((3, 4), "float64", "Emu", "left", "x")
        hpk.kernel("x(i, j) = 10 * i + j", x=x)
        self.assertEqual(x.mirror().tolist()[2], [20, 21, 22, 23])
        self.assertEqual(hpk.reduce("x(i, j)", x=x), hpk.sum(x))
        with hpk.Instance("Emu") as instance:
            hpk.kernel("x(i, j) = 0", x=x, instance=instance)
        self.assertEqual(hpk.sum(x), 0)

    def test_check_passes(self):
        x, y = doubles(1, 2, 3), doubles(1, 1, 1)
        hpk.kernel("x(i) += a * y(i)", x=x, y=y, a=2.0, check=True)
        self.assertEqual(x.tolist(), [3, 4, 5])
        self.assertEqual(hpk.reduce("x(i)", x=x, check=True), 12.0)

    def test_check_of_all_types(self):
        types = "bool int8 uint64 float16 bfloat16 float32 complex64 complex128".split()
        arrays = {f"x{k}": hpk.view((2, 0 if k == 0 else 3), t, "Host") for k, t in enumerate(types)}
        arrays["s"] = hpk.view((), "complex64", "Host")
        arrays["s"][...] = 1j
        hpk.kernel(
            "x7(i, j) = s() * z * double(u)", **arrays, z=1 + 1j, u=2**64 - 1, check=True, i=range(2), j=range(3)
        )
        self.assertEqual(arrays["x7"][1, 2], 1j * (1 + 1j) * 2.0**64)

    @needs_numpy
    def test_check_with_numbers_of_numpy(self):
        x = numpy.zeros(1, numpy.complex64)
        hpk.kernel("x(i) = z * f", x=x, z=numpy.complex64(2j), f=numpy.float32(0.5), check=True)
        self.assertEqual(x[0], 1j)

    def test_check_finds_an_index_out_of_bounds(self):
        x, y = hpk.wrap(doubles(1, 2, 3), "x"), hpk.wrap(doubles(1, 2, 3), "temperature")
        with self.assertRaises(hpk.CheckError) as caught:
            hpk.kernel("x(i) = y(i + 1)", x=x, y=y, check=True, name="shift")
        self.assertRegex(str(caught.exception), '(?s)temperature.*test_kernels.py')
        self.assertEqual(x.tolist(), [1, 2, 3])

    def test_check_finds_a_race(self):
        x, p = doubles(0, 0), hpk.view(4, "int64", "Host")
        with self.assertRaisesRegex(hpk.CheckError, "race"):
            hpk.kernel("x(p(i)) += 1", x=x, p=p, check=True)


if __name__ == "__main__":
    unittest.main()
