# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpk: Views that share memory with numpy and others, parallel algorithms, and kernels written as text.

    import hpk, numpy

    x = numpy.arange(4.0)
    y = numpy.ones(4)
    hpk.kernel("x(i) += a * y(i)", x=x, y=y, a=2.0)

docs/python.md describes the module."""

import atexit as _atexit
import contextlib as _contextlib

from . import _hpk
from ._hpk import (
    CheckError,
    CompileError,
    Error,
    Instance,
    Kernel,
    View,
    all,
    any,
    configuration,
    count,
    deep_copy,
    default_host_space,
    default_space,
    dot,
    fence,
    fill,
    fill_random,
    finalize,
    from_dlpack,
    initialize,
    is_initialized,
    kernel,
    max,
    min,
    prod,
    reduce,
    scan,
    sort,
    sort_by_key,
    spaces,
    sum,
    view,
    wrap,
)

__version__ = _hpk.version
__all__ = [
    "CheckError",
    "CompileError",
    "Error",
    "Instance",
    "Kernel",
    "View",
    "all",
    "any",
    "configuration",
    "count",
    "create_mirror",
    "create_mirror_and_copy",
    "deep_copy",
    "default_host_space",
    "default_space",
    "dot",
    "fence",
    "fill",
    "fill_random",
    "finalize",
    "from_dlpack",
    "initialize",
    "is_initialized",
    "kernel",
    "max",
    "min",
    "prod",
    "reduce",
    "region",
    "scan",
    "sort",
    "sort_by_key",
    "spaces",
    "sum",
    "view",
    "wrap",
]


def create_mirror(x, space=None):
    """A View of the same shape in a space (by default memory of the host): x itself if it is there."""
    return wrap(x).mirror(space, copy=False)


def create_mirror_and_copy(x, space=None):
    """As create_mirror, with the elements of x."""
    return wrap(x).mirror(space)


@_contextlib.contextmanager
def region(name):
    """A region of the profile (HPK_PROFILE) and of tools: with hpk.region("step"): ..."""
    _hpk._push_region(name)
    try:
        yield
    finally:
        _hpk._pop_region()


_hpk._expect_main_interpreter()
# Once Python ends, no thread may touch its objects.
_atexit.register(_hpk._begin_exit)
