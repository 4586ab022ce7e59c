# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What calls of the Python module cost: PYTHONPATH=<build>/python python3 benchmarks/python/launch.py

Each launch has eight iterations on Serial, so that nearly all of its time is the call. The same launch in C++
is launched in a loop by a kernel text of one iteration. Times are the best of seven runs."""

import os
import tempfile
import time
import timeit

os.environ["HPK_CACHE_DIR"] = tempfile.mkdtemp()
import hpk  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

TEXT = "x(i) += a * y(i)"


def report(what, seconds):
    unit, factor = ("ms", 1e3) if seconds > 1e-3 else ("ns", 1e9)
    print(f"{what:48} {seconds * factor:8.0f} {unit}")


def cost(call, count=50000):
    return min(timeit.repeat(call, number=count, repeat=7)) / count


def main():
    x, y = hpk.view(8, space="Host"), hpk.view(8, space="Host")
    serial = hpk.Instance("Serial", default=True)
    begin = time.perf_counter()
    hpk.kernel(TEXT, x=x, y=y, a=2.0, instance=serial)
    report("kernel text, cold, with the compiler", time.perf_counter() - begin)
    n = 1_000_000
    loop = hpk.Kernel(
        "for (int64_t k = 0; k < n; ++k) parallel_for(\"axpy\", RangePolicy<Serial>(0, 8), "
        "[=](int64_t i) { x(i) += a * y(i); }); one(j) = 1"
    )
    one = hpk.view(1, space="Host")
    # Inside a kernel launches run inline: this is less than a launch of a program.
    loop(x=x, y=y, a=2.0, n=1, one=one, instance=serial)
    report(
        "the same launch in a loop in C++",
        cost(lambda: loop(x=x, y=y, a=2.0, n=n, one=one, instance=serial), 1) / n,
    )
    k = hpk.Kernel(TEXT)
    k.compile(x=x, y=y, a=2.0, instance=serial)
    report("launch of a ready kernel, Views", cost(lambda: k(x=x, y=y, a=2.0, instance=serial)))
    report("launch of a text, Views", cost(lambda: hpk.kernel(TEXT, x=x, y=y, a=2.0, instance=serial)))
    report("reduction of a text, Views", cost(lambda: hpk.reduce("x(i) * y(i)", x=x, y=y, instance=serial)))
    if numpy is not None:
        a, b = numpy.zeros(8), numpy.zeros(8)
        report("launch of a ready kernel, arrays of numpy", cost(lambda: k(x=a, y=b, a=2.0, instance=serial)))
        report("a += 2.0 * b in numpy", cost(lambda: numpy.add(a, 2.0 * b, out=a)))
        report("hpk.wrap(a)", cost(lambda: hpk.wrap(a)))
    report("hpk.view(8)", cost(lambda: hpk.view(8, space="Host")))
    report("x[3]", cost(lambda: x[3]))


main()
