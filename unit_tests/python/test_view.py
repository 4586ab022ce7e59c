# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpk.View: construction, attributes, elements, parts and copies."""

import itertools
import unittest
import weakref

import hpk
from support import needs_emu

TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
).split()


class Construction(unittest.TestCase):
    def test_attributes(self):
        x = hpk.view((3, 4), "float32", "Host", label="field")
        self.assertEqual(x.shape, (3, 4))
        self.assertEqual(x.strides, (16, 4))
        self.assertEqual((x.dtype, x.ndim, x.size, x.itemsize, x.nbytes), ("float32", 2, 12, 4, 48))
        self.assertEqual((x.label, x.space, x.layout), ("field", "Host", "right"))
        self.assertIs(x.read_only, False)
        self.assertIs(x.host_accessible, True)
        self.assertEqual(len(x), 3)
        self.assertEqual(repr(x), '<hpk.View "field": float32 (3, 4) in Host>')

    def test_layout_left(self):
        x = hpk.view((3, 4), layout="left")
        self.assertEqual(x.strides, (8, 24))
        self.assertEqual(x.layout, "left")

    def test_all_types_and_ranks(self):
        for dtype, rank in itertools.product(TYPES, range(9)):
            x = hpk.view((2,) * rank, dtype)
            self.assertEqual(x.dtype, dtype)
            self.assertEqual(x.ndim, rank)
            x[...] = 1
            self.assertEqual(x[(1,) * rank], 1)

    def test_dtypes(self):
        for given, name in ((float, "float64"), (int, "int64"), (bool, "bool"), (complex, "complex128"),
                            ("<f4", "float32"), ("|u1", "uint8"), ("=i2", "int16")):
            self.assertEqual(hpk.view(1, given).dtype, name)
        for wrong in ("float", "f8x", "<U5", "", "quad"):
            with self.assertRaisesRegex(TypeError, "not supported"):
                hpk.view(1, wrong)
        with self.assertRaisesRegex(ValueError, "byte order"):
            hpk.view(1, ">f8")
        with self.assertRaises(TypeError):
            hpk.view(1, 3)

    def test_zero_extents(self):
        for shape in (0, (0, 3), (3, 0, 2)):
            x = hpk.view(shape)
            self.assertEqual(x.size, 0)
            self.assertEqual(memoryview(x).nbytes, 0)
            self.assertEqual(hpk.sum(x), 0)
        self.assertEqual(str(hpk.view(0)), "[]")

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(ValueError, r'^hpk: View "x": an extent is negative: \(-1\)$'):
            hpk.view(-1, label="x")
        with self.assertRaisesRegex(ValueError, "dimensions"):
            hpk.view((1,) * 9)
        with self.assertRaisesRegex(ValueError, "layout"):
            hpk.view(1, layout="up")
        with self.assertRaisesRegex(ValueError, "^hpk: there is no space 'Moon'"):
            hpk.view(1, space="Moon")
        with self.assertRaises((ValueError, MemoryError)):
            hpk.view(2**62)
        with self.assertRaises(TypeError):
            hpk.View()

    def test_out_of_memory(self):
        with self.assertRaises(MemoryError):
            hpk.view(2**46, "uint8")

    def test_weak_references(self):
        x = hpk.view(1)
        r = weakref.ref(x)
        del x
        self.assertIsNone(r())


class Elements(unittest.TestCase):
    def setUp(self):
        self.x = hpk.view((4, 6), "int32", "Host", label="x")
        m = memoryview(self.x)
        for i, j in itertools.product(range(4), range(6)):
            m[i, j] = 10 * i + j

    def test_integers(self):
        self.assertEqual(self.x[2, 3], 23)
        self.assertEqual(self.x[-1, -1], 35)
        self.assertEqual(self.x[1].tolist(), [10, 11, 12, 13, 14, 15])
        self.assertEqual([row[0] for row in self.x], [0, 10, 20, 30])

    def test_slices(self):
        self.assertEqual(self.x[1:3, ::2].tolist(), [[10, 12, 14], [20, 22, 24]])
        self.assertEqual(self.x[..., 5].tolist(), [5, 15, 25, 35])
        self.assertEqual(self.x[3, ...].tolist(), [30, 31, 32, 33, 34, 35])
        self.assertEqual(self.x[2:2].shape, (0, 6))
        self.assertEqual(self.x[-3:-1, 1].tolist(), [11, 21])
        part = self.x[::3, 1:]
        self.assertEqual((part.shape, part.strides, part.layout), ((2, 5), (72, 4), "stride"))
        self.assertEqual(part.data, self.x.data + 4)

    def test_bad_indices(self):
        for index in (4, -5, (0, 6), (0, 0, 0), (..., ...)):
            with self.assertRaises(IndexError):
                self.x[index]
        with self.assertRaisesRegex(IndexError, 'index 4 of View "x".*dimension 0 has extent 4'):
            self.x[4]
        with self.assertRaisesRegex(IndexError, "steps from 1"):
            self.x[::-1]
        for index in ("a", 1.0, None, [0, 1], True):
            with self.assertRaises(TypeError):
                self.x[index]

    def test_assignment(self):
        self.x[1] = 7
        self.assertEqual(self.x[1].tolist(), [7] * 6)
        self.x[0, 0] = -1
        self.assertEqual(self.x[0, 0], -1)
        self.x[2:4] = self.x[0:2]
        self.assertEqual(self.x[2, 0], -1)
        self.assertEqual(self.x[3].tolist(), [7] * 6)
        with self.assertRaises(TypeError):
            self.x[0] = hpk.view(6, "float64")
        with self.assertRaises((TypeError, ValueError)):
            self.x[0] = hpk.view(5, "int32")
        with self.assertRaises((TypeError, ValueError)):
            self.x[0] = 0.5
        with self.assertRaises(TypeError):
            del self.x[0]

    def test_transpose_and_reshape(self):
        t = self.x.T
        self.assertEqual((t.shape, t.layout, t[3, 2]), ((6, 4), "left", 23))
        self.assertEqual(self.x.transpose(1, 0).shape, (6, 4))
        self.assertEqual(self.x.reshape(24)[23], 35)
        self.assertEqual(self.x.reshape(2, -1).shape, (2, 12))
        self.assertEqual(self.x.reshape((3, 2, 4))[2, 1, 3], 35)
        with self.assertRaises(ValueError):
            self.x.reshape(5)
        with self.assertRaises((TypeError, ValueError)):
            self.x[:, ::2].reshape(12)
        with self.assertRaises(ValueError):
            self.x.transpose(0)

    def test_copy(self):
        y = self.x.copy()
        self.assertEqual((y.label, y.tolist()), ("x", self.x.tolist()))
        y[0, 0] = 99
        self.assertEqual(self.x[0, 0], 0)
        self.assertEqual(self.x[:, ::2].copy("half").label, "half")

    def test_text(self):
        self.assertEqual(str(self.x[0:2, 0:2]), "[[0, 1],\n [10, 11]]")
        self.assertEqual(str(hpk.view(2000, "int8")), "[0, 0, 0, ..., 0, 0, 0]")

    def test_numbers(self):
        one = self.x[1:2, 2:3]
        self.assertEqual((int(one), float(one), complex(one), one.item()), (12, 12.0, 12 + 0j, 12))
        self.assertTrue(one)
        scalar = hpk.view((), "float64")
        scalar[()] = 2.5
        self.assertEqual((float(scalar), scalar[()], scalar[...].ndim), (2.5, 2.5, 0))
        with self.assertRaises(TypeError):
            float(self.x)
        with self.assertRaises(ValueError):
            bool(self.x)
        with self.assertRaises(TypeError):
            len(scalar)


@needs_emu
class DeviceMemory(unittest.TestCase):
    def test_round_trip(self):
        for layout in ("right", "left"):
            x = hpk.view((3, 5), "int64", "Host", label="x")
            hpk.kernel("x(i, j) = 10 * i + j", x=x)
            d = hpk.view((3, 5), "int64", "Emu", layout)
            self.assertFalse(d.host_accessible)
            hpk.deep_copy(d, x)
            self.assertEqual(d[2, 4], 24)
            d[0, 0] = -5
            self.assertEqual(d.mirror().tolist()[0], [-5, 1, 2, 3, 4])
            self.assertEqual(str(d[0]), "[-5, 1, 2, 3, 4]")
            self.assertEqual(d.tolist()[1], [10, 11, 12, 13, 14])
            self.assertEqual(hpk.sum(d), hpk.sum(x) - 5)

    def test_host_may_not_access(self):
        d = hpk.view(3, space="Emu", label="d")
        with self.assertRaisesRegex(BufferError, r'View "d" is in Emu memory.*x\.mirror\(\)'):
            memoryview(d)
        with self.assertRaises(AttributeError):
            d.__array_interface__

    def test_mirrors(self):
        x = hpk.view(3, space="Host")
        self.assertEqual(x.mirror().data, x.data)
        d = hpk.create_mirror_and_copy(x, "Emu")
        self.assertEqual(d.space, "Emu")
        self.assertEqual(hpk.create_mirror(d).space, "Host")


if __name__ == "__main__":
    unittest.main()
