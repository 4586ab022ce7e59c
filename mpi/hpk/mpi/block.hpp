// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block distribution: n things in order, divided evenly among parts. It needs no table:
// arithmetic on n, the number of parts and an index finds the part that has a thing.
#pragma once

#include <hpk/core.hpp>

namespace hpk::mpi {

/// Returns the first of the things 0, ..., n-1 that part k of `parts` has; n for k = parts. Part
/// sizes differ by at most one. n * parts must fit into index_t.
HPK_FUNCTION constexpr index_t block_begin(index_t n, index_t parts, index_t k) {
  return n * k / parts;
}
/// Returns the part that has a thing: the k with block_begin(n, parts, k) <= index < block_begin(n,
/// parts, k + 1), for 0 <= index < n.
HPK_FUNCTION constexpr index_t block_of(index_t n, index_t parts, index_t index) {
  return ((index + 1) * parts - 1) / n;
}

/// The position of a rank's View in a global array with the same number of dimensions (in HDF5: a
/// hyperslab).
///
/// \tparam N number of dimensions
template <int N>
struct Subarray {
  Array<index_t, std::size_t{N}> extents = {};  ///< extents of the global array
  Array<index_t, std::size_t{N}> begin = {};    ///< the global index of the View's first element
};

}  // namespace hpk::mpi
