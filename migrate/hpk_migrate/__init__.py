# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules of hpk-migrate, which moves programs from Kokkos' spelling to hpk's."""
