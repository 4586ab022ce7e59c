// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk for programs that are written for Kokkos: all of its core, the KOKKOS_ macros, older names,
// and the standard headers that such programs came to rely on.
#pragma once

#include <Kokkos_Macros.hpp>

// What hpk includes of these is its own affair; programs that include Kokkos_Core.hpp use them
// unasked.
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iosfwd>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>
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
#if HPK_KOKKOS_OLDER_NAMES && HPK_KOKKOS_VERSION < 50000
#include <hpk/tasks.hpp>
#endif
// begin, end and distance are in the core since 5.2; older programs need not pay for them.
#if HPK_KOKKOS_VERSION >= 50200 && __has_include(<hpk/algorithms/iterator.hpp>)
#include <hpk/algorithms/iterator.hpp>
#endif
