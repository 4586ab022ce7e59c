// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of Kokkos that hpk has in another spelling: kokkos_malloc and its kin; kokkos_swap and
// the contracts have headers of their own, older words are in older_names.hpp.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/kokkos/contracts.hpp>
#include <hpk/kokkos/swap.hpp>
#include <hpk/view.hpp>

#include <cstddef>
#include <string>

namespace hpk {

/// hpk::malloc: `bytes` of the memory of Space, null for 0.
template <class Space = DefaultExecutionSpace>
void* kokkos_malloc(const std::string& label, std::size_t bytes) {
  return hpk::malloc<Space>(label, bytes);
}
/// The same without a label.
template <class Space = DefaultExecutionSpace>
void* kokkos_malloc(std::size_t bytes) {
  return hpk::malloc<Space>(bytes);
}
/// hpk::realloc.
template <class Space = DefaultExecutionSpace>
void* kokkos_realloc(void* data, std::size_t bytes) {
  return hpk::realloc<Space>(data, bytes);
}
/// hpk::free.
template <class Space = DefaultExecutionSpace>
void kokkos_free(void* data) {
  hpk::free<Space>(data);
}

namespace Experimental {
using hpk::local_deep_copy;
/// local_deep_copy, of Views without gaps.
HPK_CALLS_EITHER
template <class... Args>
HPK_FUNCTION void local_deep_copy_contiguous(const Args&... args) {
  hpk::local_deep_copy(args...);
}
}  // namespace Experimental
using Experimental::local_deep_copy_contiguous;

/// The highest rank of a View.
inline constexpr unsigned ARRAY_LAYOUT_MAX_RANK = 8;

}  // namespace hpk
