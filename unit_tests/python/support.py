# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the Python module share."""

import os
import subprocess
import sys
import unittest

import hpk

try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
except ImportError:
    torch = None

needs_numpy = unittest.skipIf(numpy is None, "numpy is not installed")
needs_torch = unittest.skipIf(torch is None, "torch is not installed")
needs_emu = unittest.skipUnless("Emu" in hpk.spaces(), "this hpk has no Emu")


def run_python(program, **environment):
    """Runs a program in a Python of its own."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
