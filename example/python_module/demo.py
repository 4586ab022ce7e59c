# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heat on a plate: arrays of numpy, or of hpk, and kernels of the module heat."""

import heat

try:
    import numpy
except ImportError:
    numpy = None


def make_arrays(rows, columns):
    if numpy is None:
        import hpk

        return [hpk.wrap(heat.make_field(rows, columns)) for _ in range(2)]
    fields = [numpy.zeros((rows, columns)) for _ in range(2)]
    for field in fields:
        field[0] = 1
    return fields


old, new = make_arrays(20, 10)
steps = 0
change = 1.0
while change > 1e-3:
    change = heat.step(new, old, 0.2)
    old, new = new, old
    steps += 1
print(f"{steps} steps; the middle has {old[10, 5]:.6f}")
