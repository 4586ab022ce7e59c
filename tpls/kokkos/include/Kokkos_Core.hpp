// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk for programs that are written for Kokkos: all of core, the KOKKOS_ macros, older names, and
// the standard headers on which such programs rely.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/kokkos/standard.hpp>
#if defined(_OPENMP) && HPK_ENABLE_OPENMP
#include <omp.h>
#endif

#include <hpk/core.hpp>

#include <desul/atomics.hpp>
#include <hpk/kokkos/array.hpp>
#include <hpk/kokkos/layer.hpp>
#include <hpk/kokkos/names.hpp>
#include <hpk/kokkos/older_names.hpp>
#include <hpk/kokkos/pair.hpp>
#include <hpk/kokkos/private_names.hpp>
#include <hpk/kokkos/profiling.hpp>
#if HPK_KOKKOS_OLDER_NAMES && HPK_KOKKOS_VERSION < 50000 && __has_include(<hpk/tasks.hpp>)
#include <hpk/tasks.hpp>
#endif
// begin, end and distance are in Kokkos' core since 5.2; older programs do without them, and
// compile faster.
#if HPK_KOKKOS_VERSION >= 50200 && __has_include(<hpk/algorithms/iterator.hpp>)
#include <hpk/algorithms/iterator.hpp>
#endif
