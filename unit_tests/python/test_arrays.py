# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that hpk shares with other libraries: the buffer protocol, array interfaces and DLPack."""

import array
import ctypes
import gc
import itertools
import sys
import threading
import unittest
import weakref

import hpk
from support import needs_numpy, needs_torch, numpy, torch

NUMPY_TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
).split()


class Buffers(unittest.TestCase):
    def test_memoryview(self):
        x = hpk.view((2, 3), "float64", "Host", "left")
        m = memoryview(x)
        self.assertEqual((m.format, m.shape, m.strides, m.readonly), ("d", (2, 3), (8, 16), False))
        m[1, 2] = 4.5
        self.assertEqual(x[1, 2], 4.5)

    def test_view_outlives_its_name(self):
        m = memoryview(hpk.view(3))
        gc.collect()
        m[2] = 1.0
        self.assertEqual(m.tolist(), [0.0, 0.0, 1.0])

    def test_contiguous_requests(self):
        x = hpk.view((4, 4), "int8", "Host")
        self.assertEqual(bytes(x), bytes(16))
        with self.assertRaises((BufferError, TypeError)):
            (ctypes.c_char * 8).from_buffer(x[:, ::2])
        self.assertEqual(len((ctypes.c_char * 16).from_buffer(x)), 16)

    def test_bfloat16_has_no_format(self):
        with self.assertRaisesRegex(BufferError, "bfloat16"):
            memoryview(hpk.view(2, "bfloat16"))
        x = hpk.view(2, "bfloat16", "Host")
        x[...] = 1
        self.assertEqual(b"".join([x]), b"\x80\x3f" * 2)

    def test_rank_0(self):
        x = hpk.view((), "int32", "Host")
        x[...] = 5
        m = memoryview(x)
        self.assertEqual((m.shape, m.strides, m.tolist()), ((), (), 5))

    def test_wrap(self):
        a = array.array("d", [1.0, 2.0, 3.0])
        x = hpk.wrap(a, "a")
        self.assertEqual((x.dtype, x.shape, x.label, x.read_only), ("float64", (3,), "a", False))
        self.assertEqual(x.data, a.buffer_info()[0])
        x[1] = 7
        self.assertEqual(a[1], 7.0)

    def test_buffer_without_strides(self):
        a = ((ctypes.c_int32 * 3) * 2)((1, 2, 3), (4, 5, 6))
        x = hpk.wrap(a)
        self.assertEqual((x.strides, x.tolist()), ((12, 4), [[1, 2, 3], [4, 5, 6]]))
        self.assertEqual(hpk.wrap(ctypes.c_double(2)).item(), 2.0)

    def test_wrap_keeps_the_object(self):
        a = array.array("d", [1.0])
        x = hpk.wrap(a)
        part = x[0:1]
        del x
        gc.collect()
        with self.assertRaises(BufferError):
            a.append(2.0)  # its memory must not move
        del part
        gc.collect()
        a.append(2.0)
        self.assertEqual(len(a), 2)

    def test_read_only(self):
        x = hpk.wrap(b"abc")
        self.assertTrue(x.read_only)
        self.assertEqual(x.tolist(), [97, 98, 99])
        self.assertTrue(memoryview(x).readonly)
        with self.assertRaisesRegex(ValueError, "read-only"):
            x[0] = 1
        with self.assertRaises((TypeError, ValueError)):
            hpk.fill(x, 1)
        self.assertFalse(x.copy().read_only)

    def test_no_array(self):
        for wrong in ([1, 2], 3, None, "text", object()):
            with self.assertRaisesRegex(TypeError, "no array"):
                hpk.wrap(wrong)

    def test_wrap_of_a_view_is_the_view(self):
        x = hpk.view(1)
        self.assertIs(hpk.wrap(x), x)

    def test_array_interface_of_others(self):
        owner = hpk.view(3, "int32", "Host")

        class Other:
            __array_interface__ = {
                "typestr": "<i4", "shape": (3,), "data": (owner.data, False), "version": 3
            }

        other = Other()
        references = sys.getrefcount(other)
        x = hpk.wrap(other)
        self.assertEqual(x.data, owner.data)
        self.assertEqual(sys.getrefcount(other), references + 1)
        del x
        self.assertEqual(sys.getrefcount(other), references)
        for broken in ({}, {"typestr": "<i4", "shape": 3, "data": (0, False)},
                       {"typestr": ">i4", "shape": (3,), "data": (owner.data, False)},
                       {"typestr": "<i4", "shape": (3,), "data": (owner.data + 1, False)},
                       {"typestr": "<i4", "shape": (3,), "strides": (-4,), "data": (owner.data, False)}):
            Other.__array_interface__ = broken
            with self.assertRaises((TypeError, ValueError)):
                hpk.wrap(Other())

    @needs_numpy
    def test_objects_that_call_hpk_when_they_end(self):
        ends = []

        class Array(numpy.ndarray):
            def __del__(self):
                x = hpk.view(3, space="Host")
                x[...] = 2
                ends.append(hpk.sum(x))

        x = hpk.wrap(numpy.zeros(3).view(Array))
        part = x[1:]
        del x
        self.assertEqual(ends, [])
        del part
        self.assertEqual(ends, [6])

    def test_last_view_on_another_thread(self):
        for _ in range(50):
            a = array.array("d", bytes(80))
            views = [hpk.wrap(a)]
            r = weakref.ref(views[0])
            thread = threading.Thread(target=views.clear)
            thread.start()
            thread.join()
            self.assertIsNone(r())
            a.append(1.0)


@needs_numpy
class Numpy(unittest.TestCase):
    def test_pointer_identity_both_ways(self):
        for dtype, order in itertools.product(NUMPY_TYPES, "CF"):
            a = numpy.zeros((3, 4), dtype, order)
            x = hpk.wrap(a)
            self.assertEqual(x.data, a.__array_interface__["data"][0])
            self.assertEqual((x.shape, x.strides, x.dtype), (a.shape, a.strides, dtype))
            self.assertEqual(x.layout, "right" if order == "C" else "left")
            b = x.numpy()
            self.assertTrue(numpy.shares_memory(a, b))
            self.assertEqual((b.dtype, b.strides), (a.dtype, a.strides))
            c = numpy.asarray(hpk.view((2, 2), dtype, "Host", "left"))
            self.assertEqual((c.dtype, c.flags.f_contiguous), (numpy.dtype(dtype), True))

    def test_all_ranks(self):
        for rank in range(9):
            a = numpy.arange(2**rank, dtype="float64").reshape((2,) * rank)
            x = hpk.wrap(a)
            self.assertEqual(x.ndim, rank)
            self.assertTrue((x.numpy() == a).all())
        with self.assertRaisesRegex(ValueError, "at most 8"):
            hpk.wrap(numpy.zeros((1,) * 9))

    def test_slices_share(self):
        a = numpy.arange(24.0).reshape(4, 6)
        x = hpk.wrap(a[1:, ::2])
        self.assertEqual(x.layout, "stride")
        self.assertTrue((x.numpy() == a[1:, ::2]).all())
        self.assertTrue(numpy.shares_memory(x.numpy(), a))

    def test_refused(self):
        cases = (
            (numpy.zeros(4)[::-1], ValueError, "backwards"),
            (numpy.zeros(4, ">f8"), ValueError, "byte order"),
            (numpy.zeros(4, "U3"), TypeError, "not supported"),
            (numpy.zeros(4, object), TypeError, "not supported"),
            (numpy.zeros(4, "longdouble"), TypeError, "not supported"),
            (numpy.zeros(4, [("a", "i4"), ("b", "f8")]), TypeError, "not supported"),
            (numpy.zeros(4, [("a", "i1"), ("b", "f8")])["b"], ValueError, "multiple|aligned"),
            (numpy.zeros(33, "u1")[1:].view("f8"), ValueError, "aligned"),
        )
        for a, error, text in cases:
            with self.subTest(a=a), self.assertRaisesRegex(error, text):
                hpk.wrap(a)

    def test_read_only(self):
        a = numpy.arange(3.0)
        a.flags.writeable = False
        x = hpk.wrap(a)
        self.assertTrue(x.read_only)
        self.assertFalse(numpy.asarray(x).flags.writeable)
        self.assertTrue(hpk.wrap(numpy.broadcast_to(1.0, (3, 4))).read_only)
        self.assertEqual(hpk.wrap(numpy.broadcast_to(1.0, (3, 4))).strides, (0, 0))

    def test_zero_extents(self):
        for shape in ((0,), (0, 3), (3, 0)):
            x = hpk.wrap(numpy.zeros(shape))
            self.assertEqual(x.shape, shape)
            self.assertEqual(x.numpy().shape, shape)

    def test_references(self):
        a = numpy.zeros(3)
        before = sys.getrefcount(a)
        x = hpk.wrap(a)
        y = x[1:]
        b = y.numpy()
        del x, y
        self.assertGreater(sys.getrefcount(a), before)
        del b
        gc.collect()
        self.assertEqual(sys.getrefcount(a), before)

    def test_assignment_and_scalars(self):
        x = hpk.view((2, 3), "float64", "Host")
        x[...] = numpy.arange(6.0).reshape(2, 3)
        self.assertEqual(x[1].tolist(), [3, 4, 5])
        x[0] = numpy.float32(0.5)
        self.assertEqual(x[0, 0], 0.5)
        hpk.fill(x, numpy.int8(-3))
        self.assertEqual(x[1, 1], -3.0)
        self.assertEqual(hpk.view(2, numpy.float32).dtype, "float32")
        self.assertEqual(hpk.view(2, numpy.dtype("i4")).dtype, "int32")

    def test_array_interface(self):
        x = hpk.view((2, 3), "float32", "Host", "left")
        interface = x.__array_interface__
        self.assertEqual(interface["typestr"], "<f4" if sys.byteorder == "little" else ">f4")
        self.assertEqual((interface["shape"], interface["strides"]), ((2, 3), (4, 8)))
        self.assertEqual(interface["data"], (x.data, False))


class DLPack(unittest.TestCase):
    def test_device(self):
        self.assertEqual(hpk.view(1, space="Host").__dlpack_device__(), (1, 0))

    def test_round_trip(self):
        for layout, dtype in itertools.product(("right", "left"), ("float64", "int8", "bfloat16", "bool")):
            x = hpk.view((3, 4), dtype, "Host", layout)
            for version in (None, (1, 0)):
                capsule = x.__dlpack__(max_version=version)
                self.assertIn("dltensor_versioned" if version else "dltensor", repr(capsule))
                y = hpk.from_dlpack(capsule)
                self.assertEqual((y.data, y.shape, y.strides, y.dtype), (x.data, x.shape, x.strides, dtype))
                self.assertIn("used_dltensor", repr(capsule))
                with self.assertRaises(TypeError):
                    hpk.from_dlpack(capsule)

    def test_capsule_that_nobody_takes(self):
        x = hpk.view(1000, space="Host")
        for _ in range(100):
            x.__dlpack__()
            x.__dlpack__(max_version=(1, 0))

    def test_lifetime(self):
        y = hpk.from_dlpack(hpk.view(3, "int32", "Host"))
        gc.collect()
        y[2] = 5
        self.assertEqual(y.tolist(), [0, 0, 5])

    def test_read_only(self):
        x = hpk.wrap(b"abc")
        with self.assertRaisesRegex(BufferError, "read-only"):
            x.__dlpack__()
        y = hpk.from_dlpack(x.__dlpack__(max_version=(1, 0)))
        self.assertTrue(y.read_only)

    def test_wrong_arguments(self):
        x = hpk.view(3, space="Host")
        for name in ("max_version", "dl_device"):
            for value in (1, [1, 0], (1,), ("a", 0)):
                with self.subTest(name=name, value=value), self.assertRaises(TypeError):
                    x.__dlpack__(**{name: value})

    def test_copies_and_devices(self):
        x = hpk.view(3, space="Host")
        y = hpk.from_dlpack(x.__dlpack__(copy=True))
        self.assertNotEqual(y.data, x.data)
        self.assertEqual(hpk.from_dlpack(x.__dlpack__(dl_device=(1, 0))).data, x.data)
        with self.assertRaises(BufferError):
            x.__dlpack__(dl_device=(2, 0))

    @needs_numpy
    def test_numpy(self):
        x = hpk.view((2, 3), "float64", "Host", "left")
        a = numpy.from_dlpack(x)
        self.assertEqual(a.__array_interface__["data"][0], x.data)
        self.assertEqual(a.strides, x.strides)
        b = numpy.arange(3.0)
        y = hpk.from_dlpack(b)
        self.assertEqual(y.data, b.__array_interface__["data"][0])
        before = sys.getrefcount(b)
        del y
        self.assertEqual(sys.getrefcount(b), before - 1)

    @needs_torch
    def test_torch(self):
        t = torch.zeros(2, 3)
        x = hpk.wrap(t)
        self.assertEqual((x.data, x.shape, x.dtype), (t.data_ptr(), (2, 3), "float32"))
        self.assertEqual(torch.from_dlpack(hpk.view(3, space="Host")).shape, (3,))


if __name__ == "__main__":
    unittest.main()
