// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/byte_hash.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/parallel.hpp>
#include <hpk/recording/view_content.hpp>
#include <hpk/seam/turn.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <cstring>
#include <numeric>
#include <string_view>

namespace hpk::detail {

namespace {

// Bytes of elements that a worker hashes at a time. Smaller Views are hashed by the calling thread.
constexpr std::size_t part_bytes = 64 * hash_block_bytes;

constexpr index_t divided_up(index_t n, index_t by) noexcept { return n / by + (n % by != 0); }

unset_words unset_of(std::size_t element_bytes, int byte) noexcept {
  if (byte < 0 || element_bytes % 4 != 0) return {};
  return {element_bytes % 8 == 0 ? std::size_t{8} : std::size_t{4},
          static_cast<unsigned char>(byte)};
}

bool consists_of(const std::byte* bytes, std::size_t count, int byte) noexcept {
  return byte >= 0 && *bytes == static_cast<std::byte>(byte) &&
         std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

}  // namespace

bool view_content::is_readable(const seam::view_facts& view) noexcept {
  const seam::view_type& type = *view.type;
  return type.element.is_bytes && (type.on_host || type.copy != nullptr);
}

view_content::view_content(const seam::view_facts& view)
    : view_(view), element_bytes_(view.type->element.bytes) {
  if (!view.is_strided || view.rank == 0) {
    // A layout without strides is read in memory order, because only that is known.
    view_.rank = 1;
    view_.extents[0] = view.is_strided ? 1 : view.span;
    view_.strides[0] = 1;
  }
  for (int r = view_.rank - 1; r >= 0; --r) {
    if (view_.extents[r] != 1 && view_.strides[r] != size_) is_in_order_ = false;
    size_ *= view_.extents[r];
  }
  const element_type& element = view.type->element;
  is_plain_ = element.clear_padding == nullptr && !element.is_extended;
  if (size_ == 0) return;
  data_ = static_cast<const std::byte*>(view.data);
  if (view.type->on_host) return;
  copy_.resize(static_cast<std::size_t>(view.span) * element_bytes_);
  view.type->copy(copy_.data(), view.data, copy_.size());
  data_ = copy_.data();
}

// Returns the offset of a row in elements. A row runs along the last dimension.
index_t view_content::offset_of_row(index_t row) const noexcept {
  index_t offset = 0;
  for (int r = view_.rank - 2; r >= 0; --r) {
    offset += row % view_.extents[r] * view_.strides[r];
    row /= view_.extents[r];
  }
  return offset;
}

// Copies elements of one row.
void view_content::gather_row(index_t begin, index_t end, std::byte* to) const {
  const int last = view_.rank - 1;
  const std::size_t bytes = element_bytes_;
  const index_t columns = view_.extents[last];
  const std::byte* from = data_ + static_cast<std::size_t>(offset_of_row(begin / columns) +
                                                           begin % columns * view_.strides[last]) *
                                      bytes;
  const std::size_t step = static_cast<std::size_t>(view_.strides[last]) * bytes;
  if (step == bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(end - begin) * bytes);
    return;
  }
  for (index_t k = begin; k < end; ++k, from += step, to += bytes) std::memcpy(to, from, bytes);
}

// Copies elements, numbered in index order.
void view_content::gather(index_t begin, index_t end, std::byte* to) const {
  const int last = view_.rank - 1;
  const std::size_t bytes = element_bytes_;
  const index_t columns = view_.extents[last];
  const bool turns = last > 0 && view_.strides[last - 1] == 1 && view_.strides[last] != 1 &&
                     (bytes == 8 || bytes == 4);
  while (begin < end) {
    const index_t row = begin / columns;
    index_t rows = 1;
    if (turns && begin % columns == 0) {
      // Neighbours in memory are in neighbouring rows, so several rows are copied at once.
      rows = view_.extents[last - 1] - row % view_.extents[last - 1];
      rows = rows < 8 ? rows : 8;
      rows = rows < (end - begin) / columns ? rows : (end - begin) / columns;
    }
    if (rows > 1) {
      const std::byte* const from = data_ + static_cast<std::size_t>(offset_of_row(row)) * bytes;
      const std::size_t step = static_cast<std::size_t>(view_.strides[last]) * bytes;
      const auto turn = [&]<class Word>(Word word) {
        // Square tiles use whole cache lines on both sides.
        constexpr index_t side = 64 / sizeof(Word);
        for (index_t c0 = 0; c0 < columns; c0 += side) {
          const index_t c1 = c0 + side < columns ? c0 + side : columns;
          for (index_t c = c1; c < c1 + side && c < columns; ++c)
            __builtin_prefetch(from + static_cast<std::size_t>(c + 3 * side) * step);
          for (index_t r = 0; r < rows; ++r) {
            for (index_t c = c0; c < c1; ++c) {
              std::memcpy(&word,
                          from + static_cast<std::size_t>(c) * step +
                              static_cast<std::size_t>(r) * sizeof(Word),
                          sizeof(Word));
              std::memcpy(to + static_cast<std::size_t>(r * columns + c) * sizeof(Word), &word,
                          sizeof(Word));
            }
          }
        }
      };
      if (bytes == 8) {
        turn(std::uint64_t{});
      } else {
        turn(std::uint32_t{});
      }
      begin += rows * columns;
      to += static_cast<std::size_t>(rows * columns) * bytes;
    } else {
      const index_t stop = (row + 1) * columns < end ? (row + 1) * columns : end;
      gather_row(begin, stop, to);
      to += static_cast<std::size_t>(stop - begin) * bytes;
      begin = stop;
    }
  }
}

void view_content::clear_ignored_bytes(std::byte* elements, std::size_t count, int unset) const {
  const element_type& element = view_.type->element;
  for (std::size_t k = 0; k != count; ++k, elements += element_bytes_) {
    if (consists_of(elements, element_bytes_, unset)) continue;
    if (element.clear_padding != nullptr) element.clear_padding(elements);
    if (element.is_extended) {
      for (std::size_t at = 0; at != element_bytes_; at += 16)
        std::memset(elements + at + 10, 0, 6);
    }
  }
}

std::uint64_t view_content::hash(int unset) const {
  if (size_ == 0) return 0;
  const unset_words unset_here = unset_of(element_bytes_, unset);
  // A part consists of whole blocks and whole elements; if elements are gathered, it spans several
  // rows.
  std::size_t blocks = part_bytes / hash_block_bytes;
  if (!is_in_order_) {
    const std::size_t row =
        static_cast<std::size_t>(view_.extents[view_.rank - 1]) * element_bytes_;
    constexpr std::size_t most_blocks = 1024;
    const std::size_t wanted = 16 * row / hash_block_bytes;
    blocks = wanted < blocks ? blocks : wanted < most_blocks ? wanted : most_blocks;
  }
  const std::size_t unit = hash_block_bytes / std::gcd(hash_block_bytes, element_bytes_);
  const std::size_t units = blocks * hash_block_bytes / element_bytes_ / unit;
  const auto part = static_cast<index_t>((units == 0 ? 1 : units) * unit);
  const std::size_t part_blocks =
      static_cast<std::size_t>(part) * element_bytes_ / hash_block_bytes;
  const auto hash_part = [&](index_t number) {
    const index_t begin = number * part;
    const index_t end = begin + part < size_ ? begin + part : size_;
    const std::size_t count = static_cast<std::size_t>(end - begin);
    const auto first_block = static_cast<std::uint64_t>(number) * part_blocks;
    if (is_in_order_ && is_plain_)
      return hash_blocks(data_ + static_cast<std::size_t>(begin) * element_bytes_,
                         count * element_bytes_, first_block, unset_here);
    std::vector<std::byte> elements(count * element_bytes_);
    gather(begin, end, elements.data());
    if (!is_plain_) clear_ignored_bytes(elements.data(), count, unset);
    return hash_blocks(elements.data(), elements.size(), first_block, unset_here);
  };
  const index_t parts = divided_up(size_, part);
  std::uint64_t sum = 0;
  if (parts == 1 || seam::load_occupation() != seam::occupation::none) {
    for (index_t k = 0; k < parts; ++k) sum += hash_part(k);
    return sum;
  }
  const hidden_launches hidden;
  parallel_reduce(
      "hpk::hash",
      RangePolicy<DefaultHostExecutionSpace, IndexType<index_t>>(0, parts, ChunkSize(1)),
      [&](index_t k, std::uint64_t& total) { total += hash_part(k); }, sum);
  return sum;
}

std::vector<std::byte> view_content::read(index_t begin, index_t end, int unset) const {
  const auto count = static_cast<std::size_t>(end - begin);
  std::vector<std::byte> found(count * element_bytes_);
  gather(begin, end, found.data());
  if (!is_plain_) clear_ignored_bytes(found.data(), count, unset);
  return found;
}

bool view_content::has(const std::vector<std::byte>& elements) const {
  if (elements.size() != bytes()) return false;
  constexpr index_t part = 65536;
  for (index_t begin = 0; begin < size_; begin += part) {
    const std::vector<std::byte> some = read(begin, begin + part < size_ ? begin + part : size_);
    const auto at = static_cast<std::size_t>(begin) * element_bytes_;
    if (std::memcmp(some.data(), elements.data() + at, some.size()) != 0) return false;
  }
  return true;
}

void view_content::write(const seam::view_facts& view, const std::vector<std::byte>& elements) {
  // Gaps between the elements are not written: they belong to no View or to another one.
  const view_content at(view);
  if (at.size_ == 0) return;
  const std::size_t bytes = at.element_bytes_;
  auto* const to = const_cast<std::byte*>(at.data_);
  const index_t columns = at.view_.extents[at.view_.rank - 1];
  const index_t stride = at.view_.strides[at.view_.rank - 1];
  for (index_t k = 0; k < at.size_; ++k) {
    const index_t offset = at.offset_of_row(k / columns) + k % columns * stride;
    std::memcpy(to + static_cast<std::size_t>(offset) * bytes,
                elements.data() + static_cast<std::size_t>(k) * bytes, bytes);
  }
  if (!view.type->on_host) {
    view.type->copy(static_cast<std::byte*>(const_cast<void*>(view.data)), at.copy_.data(),
                    at.copy_.size());
  }
}

std::string label_of(const seam::view_facts& view) {
  if (view.record != nullptr) return view.record->label;
  seam::allocation_place place;
  return seam::find_allocation(view.data, place) ? place.label : std::string();
}

std::string name_of_elements(const element_type& element) {
  static constexpr std::string_view names[] = {"x", "f", "bf", "i", "u", "b"};
  text name;
  name << names[static_cast<int>(element.kind)];
  if (element.kind == scalar_kind::opaque) {
    name << element.bytes;
  } else {
    name << (element.is_extended ? 80 : element.scalar_bytes * 8);
    if (element.bytes != element.scalar_bytes) name << '*' << element.bytes / element.scalar_bytes;
  }
  return name.str();
}

std::string name_of_shape(const seam::view_facts& view) {
  if (view.rank == 0) return "-";
  text name;
  for (int r = 0; r < view.rank; ++r) {
    if (r != 0) name << 'x';
    name << view.extents[r];
  }
  return name.str();
}

}  // namespace hpk::detail
