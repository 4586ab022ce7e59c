#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes special_values.inc: the values of special functions at some hundred points, to 17 digits, computed with
mpmath (https://mpmath.org, tested with 1.3.0). Run it again only to change the points.

usage: unit_tests/support/special_values.py > unit_tests/support/special_values.inc

The coordinates of points are exact in float, so that the table serves float and double. A row is {function, x,
y, real part, imaginary part, size}. Errors of f are measured in units of size, which is
|f| + min(1, |z|) |f'|: near a zero no program can do better than for a z changed in its last digit.
"""
import math
import struct

from mpmath import besseli, besselj, besselk, bessely, conj, e1, erf, erfc, exp, mp, mpc, mpf, nstr, pi, sqrt

# Enough digits for functions that are small differences of large numbers at the points below.
mp.dps = 200


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def text(x, digits):
    return nstr(x, digits) if abs(x) > 1e-307 else "0.0"


def hankel(kind, n, z):
    if z.imag < 0:
        return conj(hankel(3 - kind, n, conj(z)))
    first = 2 / (pi * mpc(0, 1) ** (n + 1)) * besselk(n, mpc(z.imag, -z.real))
    return first if kind == 1 else 2 * besselj(n, z) - first


PAIRS = {
    "j": besselj, "y": bessely, "i": besseli, "k": besselk,
    "h1": lambda n, z: hankel(1, n, z), "h2": lambda n, z: hankel(2, n, z),
}


def row(name, x, y, value, slope):
    size = abs(value) + min(mpf(1), abs(mpc(x, y))) * abs(slope)
    if size > 1e300 or abs(value) < 1e-290:
        return
    value = mpc(value)
    digits = [repr(x), repr(y), text(value.real, 17), text(value.imag, 17), text(size, 3)]
    print("{" + ", ".join([name] + digits) + "},")


def bessel_rows(x, y):
    z = mpc(x, y)
    for kind, f in PAIRS.items():
        zero, one = f(0, z), f(1, z)
        row(kind + "0", x, y, zero, one)
        row(kind + "1", x, y, one, (-zero if kind == "k" else zero) - one / z)


def erf_rows(x, y):
    z = mpc(x, y)
    row("erf", x, y, erf(z), 2 / sqrt(pi) * exp(-z * z))
    scaled = exp(z * z) * erfc(z)
    row("erfcx", x, y, scaled, 2 * z * scaled - 2 / sqrt(pi))


def real_rows(x):
    if x > 0:
        row("expint1", x, 0.0, e1(mpf(x)), exp(-mpf(x)) / x)
    scaled = exp(mpf(x) ** 2) * erfc(mpf(x))
    row("erfcx_real", x, 0.0, scaled, 2 * x * scaled - 2 / sqrt(pi))


def circle(radius, *degrees):
    for d in degrees:
        x, y = radius * math.cos(math.radians(d)), radius * math.sin(math.radians(d))
        yield single(0.0 if d % 180 == 90 else x), single(0.0 if d % 180 == 0 else y)


print("// Written by special_values.py; see there.")
# Both axes, all quadrants, both sides of the radii where methods change (2, 12, 25), points near the axes.
POINTS = [*circle(1e-30, 30), *circle(1e-3, 0, 135), *circle(0.5, 0, 90, 200, -60),
          *circle(1.99, 0, 45, 90, 170, -100), *circle(2.01, 0, 30, 90, 180, -60),
          *circle(4, 0, 75, 120, -91), *circle(7, 0, 89, 180, -150), *circle(11.9, 0, 60, 90, -45),
          *circle(12.1, 20, 90.01, -90, -120), *circle(18, 0, 92, 150, -20),
          *circle(24.9, 0, 45, 90, 135, -89), *circle(25.1, 0, 30, 90.5, 180, -60, -135),
          *circle(50, 0, 88, 160, -30), *circle(85, 0, 60, 90.1, -170)]
# Near zeros of J0, J1, Y0, Y1 and one of H1.
POINTS += [(single(x), single(y)) for x, y in [(2.404825557695773, 0), (3.831705970207512, 0),
                                              (0.8935769662791675, 0), (2.197141326031017, 0),
                                              (21.2116366298793, 0), (-2.4048, 0.3473)]]
for point in POINTS:
    bessel_rows(*point)
POINTS = [*circle(1e-30, 60), *circle(1e-3, 0, 90, 170)]
for radius in (0.5, 0.99, 1.01, 2, 3.25, 4.5, 6.28, 6.3, 9, 13):
    POINTS += circle(radius, 0, 20, 44, 46, 75, 90, 100, 130, 140, 175, 180, -10, -60, -90, -125)
POINTS += [*circle(23, 0, 47, 90, 180, -45), *circle(1e5, 0, 10, 90, -60), *circle(1e20, 0, 45, -90)]
# Near a zero of erf, and near one of its complement.
POINTS += [(single(x), single(y)) for x, y in [(1.4506161632, 1.8809430002), (-1.3548101281, 1.9914668430)]]
for point in POINTS:
    erf_rows(*point)
for x in (1e-30, 1e-5, 0.125, 0.5, 1, 1.4999, 1.5, 1.5001, 2, 3, 5, 6.28, 6.3, 9, 13, 26, 30, 45, 88, 300, 650, 1e6,
          1e9, 1e20):
    real_rows(single(x))
    real_rows(single(-x)) if x < 26.5 else None
