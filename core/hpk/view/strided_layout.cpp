// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/view/strided_layout.hpp>

#include <utility>

namespace hpk::detail {

namespace {

void copy_dimension(strided_layout& layout, int to, int from) {
  layout.extents[to] = layout.extents[from];
  for (auto& strides : layout.strides) strides[to] = strides[from];
}
// Moves dimension r to position `to`; the dimensions in between shift by one.
void move_dimension(strided_layout& layout, int r, int to) {
  for (const int way = r < to ? 1 : -1; r != to; r += way) {
    std::swap(layout.extents[r], layout.extents[r + way]);
    for (auto& strides : layout.strides) std::swap(strides[r], strides[r + way]);
  }
}
// Whether dimension r continues dimension `before` without a gap, in both operands.
bool joins(const strided_layout& layout, int before, int r) {
  bool joined = true;
  for (const auto& strides : layout.strides)
    joined = joined && strides[before] == strides[r] * layout.extents[r];
  return joined;
}

index_t block_step(const strided_layout& layout, block_size size, int r) {
  return r == layout.rank - 1 ? size.along : r == layout.rank - 2 ? size.across : 1;
}
index_t blocks_in(const strided_layout& layout, block_size size, int r) {
  const index_t step = block_step(layout, size, r);
  return (layout.extents[r] + step - 1) / step;
}

}  // namespace

std::size_t strided_layout::traffic(std::size_t bytes) const noexcept {
  constexpr std::size_t most_apart = 256;
  std::size_t each = 0;
  for (const auto& steps : strides) {
    index_t least = 0;  // the smallest stride; 0 if one element is repeated
    for (int r = 0; r < rank; ++r) {
      if (steps[r] != 0 && (least == 0 || steps[r] < least)) least = steps[r];
    }
    const std::size_t apart = static_cast<std::size_t>(least) * bytes;
    each += least <= 1 || bytes >= most_apart ? bytes * (least != 0)
            : apart < most_apart              ? apart
                                              : most_apart;
  }
  return static_cast<std::size_t>(outer() * inner()) * each / 2;
}

void strided_layout::simplify() noexcept {
  int kept = 0;
  index_t only = 1;  // the extent if no dimension remains
  for (int r = 0; r < rank; ++r) {
    if (extents[r] == 0) only = 0;
    if (extents[r] != 1) copy_dimension(*this, kept++, r);
  }
  if (kept == 0 || only == 0) {
    rank = 1;
    extents[0] = only;
    strides[0][0] = strides[1][0] = 1;
    return;
  }
  for (int r = 1; r < kept; ++r) {
    int to = r;
    while (to > 0 && strides[0][to - 1] < strides[0][r]) --to;
    move_dimension(*this, r, to);
  }
  rank = 1;
  for (int r = 1; r < kept; ++r) {
    const bool joined = joins(*this, rank - 1, r);
    const index_t before = extents[rank - 1];
    if (!joined) ++rank;
    copy_dimension(*this, rank - 1, r);
    if (joined) extents[rank - 1] *= before;
  }
  int densest = rank - 1;
  for (int r = 0; r < rank; ++r) {
    if (strides[1][r] != 0 && strides[1][r] < strides[1][densest]) densest = r;
  }
  if (densest < rank - 1) move_dimension(*this, densest, rank - 2);
}

block_size choose_blocks(const strided_layout& layout, std::size_t bytes) noexcept {
  constexpr index_t row = index_t{1} << 13;
  const index_t inner = layout.inner();
  if (!layout.is_transposed()) {
    constexpr index_t rows_bytes = index_t{1} << 14;
    const index_t row_bytes = inner * static_cast<index_t>(bytes);
    return {0 < row_bytes && row_bytes < rows_bytes ? rows_bytes / row_bytes : 1, row};
  }
  constexpr index_t tile = index_t{1} << 12;
  const index_t line = line_elements(bytes);
  constexpr index_t across = 128;
  const index_t sources = layout.extents[layout.rank - 2];
  const index_t used = sources < across ? sources : across;
  const index_t lines = (tile / used + line - 1) / line;
  const index_t along = (lines < 4 ? 4 : lines) * line;
  return {along <= inner ? used : tile / inner + 1, along};
}

index_t count_blocks(const strided_layout& layout, block_size size) noexcept {
  index_t blocks = 1;
  for (int r = 0; r < layout.rank; ++r) blocks *= blocks_in(layout, size, r);
  return blocks;
}

int shared_dimension(const strided_layout& layout) noexcept {
  constexpr index_t enough = 256;
  int slowest = 0;
  for (int r = 1; r < layout.rank; ++r) {
    if (layout.strides[0][r] > layout.strides[0][slowest]) slowest = r;
  }
  return layout.rank > 1 && layout.extents[slowest] >= enough ? slowest : -1;
}

unit_blocks::unit_blocks(const strided_layout& layout, std::size_t bytes, index_t first,
                         index_t last) noexcept
    : part(layout), begin(first), end(last) {
  const int shared = shared_dimension(layout);
  if (shared >= 0) {
    part.extents[shared] = last - first;
    for (int o = 0; o < 2; ++o) offsets[o] = first * layout.strides[o][shared];
  }
  size = choose_blocks(part, bytes);
  if (shared >= 0) {
    begin = 0;
    end = count_blocks(part, size);
  }
}

block_walk::block_walk(const strided_layout& layout, block_size size, index_t k) noexcept
    : layout_(layout), size_(size) {
  for (int r = layout_.rank - 1; r >= 0; --r) {
    const index_t blocks = blocks_in(layout, size, r);
    at_[r] = (r == 0 ? k : k % blocks) * block_step(layout, size, r);
    k /= blocks;
    for (int o = 0; o < 2; ++o) offsets_[o] += at_[r] * layout_.strides[o][r];
  }
}

}  // namespace hpk::detail
