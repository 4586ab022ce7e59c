// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a DynamicView: the chunks, which own memory; the table of chunk addresses, which
// kernels read; and the state on the host that copies share.
#pragma once

#include <hpk/core.hpp>
#include <hpk/error.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk {

/// A chunk size that is a power of two: DynamicView("label", exact_chunk(64), most).
struct exact_chunk {
  std::size_t size;  ///< Elements of a chunk.
  /// Takes any number: the constructor of DynamicView checks it.
  explicit constexpr exact_chunk(std::size_t elements) noexcept : size(elements) {}
};

namespace detail {

/// The chunk size, as the number of bits of an index within a chunk.
struct chunk_bits {
  int shift;
};

/// Returns the bits of the smallest power of two >= `least`. Throws hpk::error if the sizes are too
/// large.
chunk_bits chunk_shift(std::string_view label, std::size_t least, std::size_t most);
/// Returns the bits of `size`. Throws hpk::error if `size` is not a power of two.
chunk_bits exact_chunk_shift(std::string_view label, std::size_t size, std::size_t most);
/// Throws hpk::error: a size is larger than the largest size.
[[noreturn]] void reject_dynamic_size(std::string_view label, std::size_t asked, std::size_t most,
                                      const std::source_location& where);
/// Throws hpk::error: an index is not below the size, or further indices are not 0.
[[noreturn]] void reject_dynamic_access(std::string_view label_of_table, index_t index,
                                        index_t size, bool no_surplus, const call_place& place);
/// The suffix of the DynamicView's label in the label of its table.
inline constexpr std::string_view table_suffix = " (table of chunks)";

/// The elements of a chunk, as kernels see them: an access loads `data`. Null and 0 for chunks that
/// are not allocated.
template <class T>
struct dynamic_part {
  T* data = nullptr;
  index_t size = 0;
};

/// The state that copies of a DynamicView of T share. In host memory, for host code.
template <class T, class Mem>
struct dynamic_state {
  using table_type = View<dynamic_part<T>*, LayoutRight, Mem>;

  std::string label;
  index_t size = 0;
  index_t most = 0;
  int shift = 0;
  bool initialize = true;
  std::vector<View<T*, LayoutRight, Mem>> chunks;
  typename table_type::host_mirror_type host_table;

  index_t chunk_size() const { return index_t{1} << shift; }
  /// The allocated elements from `first` to the end of its chunk, at most `count` elements.
  auto piece(index_t first, index_t count) const {
    const index_t begin = first & (chunk_size() - 1);
    const index_t end = count < chunk_size() - begin ? begin + count : chunk_size();
    return subview(chunks[static_cast<std::size_t>(first >> shift)],
                   hpk::pair<index_t, index_t>(begin, end));
  }
};

/// Calls f(piece) for the pieces of [first, end), each within one chunk.
template <class State, class F>
void for_each_piece(const State& state, index_t first, index_t end, const F& f) {
  while (first < end) {
    const auto piece = state.piece(first, end - first);
    f(piece);
    first += static_cast<index_t>(piece.extent(0));
  }
}

/// Gives a DynamicView n elements. n must not exceed its largest size.
template <class Device, class T, class Mem>
void resize_chunks(dynamic_state<T, Mem>& state,
                   const typename dynamic_state<T, Mem>::table_type& table, index_t n) {
  static_assert(std::is_default_constructible_v<T> && std::is_copy_assignable_v<T>,
                "hpk::DynamicView: the elements must be default constructible and assignable");
  if (n == state.size) return;
  fence("hpk::DynamicView::resize_serial: before");
  const auto old_chunks = static_cast<index_t>(state.chunks.size());
  const index_t needed = (n + state.chunk_size() - 1) >> state.shift;
  // Allocations come first: if one throws, nothing has changed.
  std::vector<View<T*, LayoutRight, Mem>> new_chunks;
  for (index_t c = old_chunks; c < needed; ++c) {
    using chunk = View<T*, LayoutRight, Device>;
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!state.initialize) {
        new_chunks.push_back(
            chunk(view_alloc(state.label, WithoutInitializing), state.chunk_size()));
        continue;
      }
    }
    new_chunks.push_back(chunk(view_alloc(state.label), state.chunk_size()));
  }
  state.chunks.reserve(static_cast<std::size_t>(needed));
  // Elements that leave the array but stay in memory are reset, so that they free what they own.
  // Trivial elements are reset when they come back, so that they are initialised like new ones.
  const index_t common_chunks = needed < old_chunks ? needed : old_chunks;
  const index_t common_elements = common_chunks << state.shift;
  const auto reset = [](const auto& piece) { set_elements(piece, T()); };
  if constexpr (!std::is_trivially_destructible_v<T>) {
    if (n < state.size)
      for_each_piece(state, n, state.size < common_elements ? state.size : common_elements, reset);
  } else {
    if (state.initialize)
      for_each_piece(state, state.size, n < common_elements ? n : common_elements, reset);
  }
  const index_t changed_end = needed < old_chunks ? old_chunks : needed;
  const index_t last = (n < state.size ? n : state.size) >> state.shift;
  const index_t changed_begin = last < changed_end ? last : changed_end;
  std::vector<View<T*, LayoutRight, Mem>> dropped;
  while (static_cast<index_t>(state.chunks.size()) > needed) {
    dropped.push_back(std::move(state.chunks.back()));
    state.chunks.pop_back();
  }
  for (auto& chunk : new_chunks) state.chunks.push_back(std::move(chunk));
  for (index_t c = changed_begin; c < changed_end; ++c) {
    dynamic_part<T> part;
    if (c < needed) {
      const index_t left = n - (c << state.shift);
      part = {state.chunks[static_cast<std::size_t>(c)].data(),
              left < state.chunk_size() ? left : state.chunk_size()};
    }
    state.host_table(c) = part;
  }
  const hpk::pair<index_t, index_t> changed(changed_begin, changed_end);
  deep_copy(subview(table, changed), subview(state.host_table, changed));
  state.size = n;
}

/// Access to the private members of a DynamicView, for functions of this library.
struct dynamic_access {
  template <class V>
  static const auto& state(const V& view) {
    return view.state_();
  }
};

}  // namespace detail

}  // namespace hpk
