// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/view/copy_bytes.hpp>
#include <hpk/view/copy_loops.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hpk::detail {

namespace {

// An integer type that copies objects of any type of its size, at any address.
template <class T>
struct word {
  using to [[gnu::may_alias, gnu::aligned(1)]] = T;
  using from = to;
  static constexpr bool one_type = true;
  static constexpr bool is_trivial = true;
};
// An array of bytes, for sizes without an integer type.
template <std::size_t Size>
struct byte_array {
  unsigned char values[Size];
};
template <std::size_t Size>
using byte_arrays = typed_elements<byte_array<Size>, byte_array<Size>>;

// Calls work with the first of Elements that has the size. Returns whether one has it.
template <class... Elements, class Work>
bool find_size(std::size_t size, const Work& work) {
  return ((sizeof(typename Elements::to) == size && (work(Elements()), true)) || ...);
}
template <class Work>
bool for_size(std::size_t size, const Work& work) {
  return find_size<word<std::uint64_t>, word<std::uint32_t>, word<std::uint8_t>,
                   word<std::uint16_t>, byte_arrays<12>, byte_arrays<16>, byte_arrays<24>,
                   byte_arrays<32>>(size, work);
}

// Whether rows are so long that one memcpy per row is faster than a loop.
bool has_long_rows(const strided_layout& layout, std::size_t element_bytes) noexcept {
  return static_cast<std::size_t>(layout.inner()) * element_bytes >= 64;
}
// Whether rows of the destination have no gaps, and rows of the source have no gaps or repeat one
// element.
bool has_dense_rows(const strided_layout& layout) noexcept {
  return layout.step(0) == 1 && (layout.step(1) == 0 || layout.step(1) == 1);
}

// Whether to fill so many bytes, the total of all workers, by copies. Beyond the caches copies take
// twice the time of stores; within the caches, a half to three quarters.
bool fills_by_copies(std::size_t all_bytes) noexcept { return all_bytes <= std::size_t{4} << 20; }

// A loop sets the first elements, and memcpy copies them to the others: the C library uses the
// widest stores of the processor, while this file is compiled for stores that every processor has.
void fill_run(void* to, const void* element, std::size_t element_bytes, std::size_t bytes,
              bool by_copies) noexcept {
  const std::size_t first_bytes = by_copies ? 512 : bytes;
  // The copied block stays in the first-level cache. It is shorter than a page, because processors
  // first compare only the lowest 12 bits of addresses of loads and stores.
  constexpr std::size_t most_bytes = 2048;
  std::size_t done = std::min(element_bytes, bytes);
  if (!for_size(element_bytes, [&](auto elements) {
        using type = decltype(elements);
        constexpr std::size_t size = sizeof(typename type::to);
        done = std::min(bytes, first_bytes / size * size);
        copy_row<type>(static_cast<typename type::to*>(to), 1,
                       static_cast<const typename type::from*>(element), 0,
                       static_cast<index_t>(done / size));
      }))
    std::memcpy(to, element, done);
  for (std::size_t piece = done; done < bytes;) {
    const std::size_t next = std::min(piece, bytes - done);
    std::memcpy(static_cast<std::byte*>(to) + done, to, next);
    done += next;
    if (piece < most_bytes) piece = done;
  }
}

}  // namespace

void fill_bytes(void* to, const void* element, std::size_t element_bytes,
                std::size_t bytes) noexcept {
  fill_run(to, element, element_bytes, bytes, fills_by_copies(bytes));
}

byte_copy::byte_copy(void* to, const void* from, strided_layout& layout,
                     std::size_t element_bytes) noexcept
    : to_(to), from_(from), layout_(layout), element_bytes_(element_bytes) {
  if (for_size(element_bytes, [](auto) {}) ||
      (has_dense_rows(layout) && has_long_rows(layout, element_bytes)))
    return;
  // Treats the bytes of an element as another dimension, with the same order in both operands.
  const auto n = static_cast<index_t>(element_bytes);
  for (auto& strides : layout.strides) {
    for (int r = 0; r < layout.rank; ++r) strides[r] *= n;
    strides[layout.rank] = 1;
  }
  layout.extents[layout.rank++] = n;
  layout.simplify();
  element_bytes_ = 1;
}

void byte_copy::run(index_t begin, index_t end) const noexcept {
  if (has_dense_rows(layout_) && has_long_rows(layout_, element_bytes_))
    return run_dense(begin, end);
  for_size(element_bytes_, [&](auto elements) {
    using type = decltype(elements);
    copy_units<type>(static_cast<typename type::to*>(to_),
                     static_cast<const typename type::from*>(from_), layout_, begin, end);
  });
}

void byte_copy::run_dense(index_t begin, index_t end) const noexcept {
  auto* const to = static_cast<std::byte*>(to_);
  const auto* const from = static_cast<const std::byte*>(from_);
  const auto size = static_cast<index_t>(element_bytes_);
  const bool fills = layout_.step(1) == 0;
  const bool by_copies = fills && fills_by_copies(traffic());
  const auto copy = [&](index_t out, index_t in, index_t n) {
    const auto bytes = static_cast<std::size_t>(n * size);
    if (fills) {
      fill_run(to + out * size, from + in * size, element_bytes_, bytes, by_copies);
    } else {
      std::memcpy(to + out * size, from + in * size, bytes);
    }
  };
  if (layout_.rank == 1) return copy(begin, fills ? 0 : begin, end - begin);
  const index_t out_pitch = layout_.pitch(0);
  const index_t in_pitch = layout_.pitch(1);
  const unit_blocks blocks(layout_, element_bytes_, begin, end);
  block_walk walk(blocks.part, blocks.size, blocks.begin);
  for (index_t k = blocks.begin; k < blocks.end; ++k, walk.advance()) {
    const index_t out = blocks.offsets[0] + walk.offset(0);
    const index_t in = blocks.offsets[1] + walk.offset(1);
    copy(out, in, walk.along());
    for (index_t q = 1; q < walk.across(); ++q) {
      if (by_copies && in_pitch == 0) {
        std::memcpy(to + (out + q * out_pitch) * size, to + out * size,
                    static_cast<std::size_t>(walk.along() * size));
      } else {
        copy(out + q * out_pitch, in + q * in_pitch, walk.along());
      }
    }
  }
}

}  // namespace hpk::detail
