// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: the part of an array in a file that a rank writes or reads, the checks of the parts of
// all ranks, and the copies of elements between a View and a file.
#pragma once

#include <hpk/mpi/block.hpp>
#include <hpk/mpi/detail/call.hpp>
#include <hpk/mpi/detail/message.hpp>

#include <hpk/io.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hpk::mpi::detail {

/// A rank's part of an array.
struct file_part {
  std::string type;  ///< element type, as npy_type() returns it
  std::size_t element_bytes = 0;
  bool is_left = false;            ///< whether the first index is the fastest, in file and buffer
  bool takes_part = true;          ///< false if the part has no elements
  std::vector<index_t> extents;    ///< extents of the array
  std::vector<index_t> begin;      ///< index of the part's first element in the array
  std::vector<index_t> sizes;      ///< extents of the part
  index_t count() const;           ///< number of elements of the part
  index_t count_of_array() const;  ///< number of elements of the array
  /// Returns the r-th dimension, counted from the fastest one.
  std::size_t dimension(std::size_t r) const { return is_left ? r : sizes.size() - 1 - r; }
};

/// Whether elements of V are stored with the first index fastest.
template <class V>
inline constexpr bool is_stored_left =
    V::rank() > 1 && std::is_same_v<typename V::array_layout, LayoutLeft>;

template <class V>
file_part part_of(const V& view, const Subarray<static_cast<int>(V::rank())>& place) {
  file_part result{.type = npy_type<typename V::non_const_value_type>(),
                   .element_bytes = sizeof(typename V::value_type),
                   .is_left = is_stored_left<V>,
                   .extents = {},
                   .begin = {},
                   .sizes = {}};
  for (std::size_t r = 0; r != V::rank(); ++r) {
    result.extents.push_back(place.extents[r]);
    result.begin.push_back(place.begin[r]);
    result.sizes.push_back(static_cast<index_t>(view.extent(r)));
  }
  return result;
}
/// Returns the part that is the whole array; empty on ranks that do not take part.
template <class V>
file_part whole_of(const V& view, bool takes_part) {
  Subarray<static_cast<int>(V::rank())> place;
  for (std::size_t r = 0; r != V::rank(); ++r)
    place.extents[r] = static_cast<index_t>(view.extent(r));
  file_part result = part_of(view, place);
  result.takes_part = takes_part;
  return result;
}

/// Returns, for example, "f8, 3 x 4".
std::string describe_array(std::string_view type, const std::vector<index_t>& extents);

/// Throws hpk::error on all ranks if `fault` is not empty on one of them. Collective; costs an
/// allreduce of a number.
void expect_on_all(const Communicator& comm, const call& what, std::string_view fault);
/// Returns the text of rank `root` on all ranks. Collective.
std::string broadcast_text(const Communicator& comm, const call& what, std::string text, int root);
/// Returns the largest number of all ranks. Collective.
index_t largest_of_all(const Communicator& comm, const call& what, index_t mine);
/// Returns the sum over all ranks, modulo 2^64. Collective.
std::uint64_t sum_of_all(const Communicator& comm, const call& what, std::uint64_t mine);

/// Returns what is wrong with a part: it is outside the array, or the array is too large. Empty if
/// the part is valid.
std::string fault_of_part(const file_part& part);
/// Throws hpk::error on all ranks if a part is wrong, or if a rank passes another file, type, order
/// or extents than rank 0. `name` is the file or array that the ranks write or read. Collective.
void expect_same_array(const Communicator& comm, const call& what, const std::string& name,
                       const file_part& part);
/// Returns, on all ranks, what is wrong with their parts together: some elements are in no part or
/// in several. Empty if each element is in exactly one part. Collective; costs an allreduce of two
/// numbers, because the signed corners of parts that tile an array cancel, except for the corners
/// of the array.
std::string fault_of_cover(const Communicator& comm, const call& what, const file_part& part);
/// Returns how the type or extents of an array in a file differ from the part's array; empty if
/// they are equal.
std::string fault_of_array(const std::string& type, const std::vector<index_t>& extents,
                           const file_part& part);

/// Returns a checksum of a part's elements. The sum over all parts, modulo 2^64, does not depend on
/// how the array is divided.
std::uint64_t checksum_of(const file_part& part, const void* elements);

/// Calls a function. Returns the text of the exception that it throws; empty if it does not throw.
template <class F>
std::string fault_in(const F& run) {
  try {
    run();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

template <class V, class Layout>
using file_copy = View<typename V::non_const_data_type, Layout,
                       typename staging<typename V::memory_space>::space>;
template <class Layout, class V>
file_copy<V, Layout> make_file_copy(const V& view) {
  Layout extents;
  for (std::size_t r = 0; r != V::rank(); ++r) extents.dimension[r] = view.extent(r);
  return file_copy<V, Layout>(
      view_alloc(WithoutInitializing, "hpk::mpi: a View and its part of a file"), extents);
}
/// Calls `run` with the elements of a View in host memory, in the order of the file. Throws on all
/// ranks if one lacks the memory for a copy. `run` is collective.
template <class Layout, class V, class F>
void with_elements(const Communicator& comm, const call& what, const V& view, const F& run) {
  if constexpr (is_reached_by_mpi<typename V::memory_space> &&
                std::is_same_v<typename V::array_layout, Layout>) {
    const bool is_whole = view.span_is_contiguous();
    file_copy<V, Layout> copy;
    expect_on_all(comm, what, fault_in([&] {
                    fence("hpk::mpi: before the elements of a file are written");
                    if (is_whole) return;
                    copy = make_file_copy<Layout>(view);
                    deep_copy(copy, view);
                  }));
    run(is_whole ? static_cast<const void*>(view.data()) : copy.data());
  } else {
    file_copy<V, Layout> copy;
    expect_on_all(comm, what, fault_in([&] {
                    fence("hpk::mpi: before the elements of a file are written");
                    copy = make_file_copy<Layout>(view);
                    deep_copy(copy, view);
                  }));
    run(static_cast<const void*>(copy.data()));
  }
}
/// Calls `run` with host memory for the elements of a View, and copies them to the View if `run`
/// does not throw.
template <class Layout, class V, class F>
void fill_elements(const Communicator& comm, const call& what, const V& view, const F& run) {
  file_copy<V, Layout> copy;
  expect_on_all(comm, what, fault_in([&] { copy = make_file_copy<Layout>(view); }));
  run(static_cast<void*>(copy.data()));
  deep_copy(view, copy);
}
template <class V, class F>
void fill_elements(const Communicator& comm, const call& what, const V& view, bool is_left,
                   const F& run) {
  static_assert(!std::is_const_v<typename V::value_type>,
                "hpk::mpi: the elements are written; write a View of non-const elements");
  if (is_left) {
    fill_elements<LayoutLeft>(comm, what, view, run);
  } else {
    fill_elements<LayoutRight>(comm, what, view, run);
  }
}

}  // namespace hpk::mpi::detail
