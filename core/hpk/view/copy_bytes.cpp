// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/view/copy_bytes.hpp>
#include <hpk/view/copy_loops.hpp>

#include <cstdint>
#include <cstring>

namespace hpk::detail {

namespace {

// Integers that stand for every type of their size, wherever it lies.
template <class T>
struct word {
  using to [[gnu::may_alias, gnu::aligned(1)]] = T;
  using from = to;
  static constexpr bool one_type = true;
};
// The same for sizes that no integer has.
template <std::size_t Size>
struct bytes {
  unsigned char values[Size];
};
template <std::size_t Size>
using chunk = typed_elements<bytes<Size>, bytes<Size>>;

// Calls work with the Elements of a size, if there are any.
template <class Work>
bool for_size(std::size_t size, const Work& work) {
  switch (size) {
    case 1:
      work(word<std::uint8_t>());
      break;
    case 2:
      work(word<std::uint16_t>());
      break;
    case 4:
      work(word<std::uint32_t>());
      break;
    case 8:
      work(word<std::uint64_t>());
      break;
    case 12:
      work(chunk<12>());
      break;
    case 16:
      work(chunk<16>());
      break;
    case 24:
      work(chunk<24>());
      break;
    case 32:
      work(chunk<32>());
      break;
    default:
      return false;
  }
  return true;
}

}  // namespace

copy_words::copy_words(void* to, const void* from, const strided_layout<2>& shape,
                       std::size_t size) noexcept
    : to_(to), from_(from), shape_(shape), size_(size) {
  if (for_size(size, [](auto) {})) return;
  // The bytes of an element are one more dimension, in which all lies alike.
  const auto n = static_cast<index_t>(size);
  for (auto& of_operand : shape_.strides) {
    for (int r = 0; r < shape_.rank; ++r) of_operand[r] *= n;
    of_operand[shape_.rank] = 1;
  }
  shape_.extents[shape_.rank++] = n;
  shape_.simplify();
  size_ = 1;
}

void copy_words::run(index_t begin, index_t end) const noexcept {
  for_size(size_, [&](auto elements) {
    using type = decltype(elements);
    copy_blocks<type>(static_cast<typename type::to*>(to_),
                      static_cast<const typename type::from*>(from_), shape_, begin, end);
  });
}

void fill_words::run(index_t begin, index_t end) const noexcept {
  const bool done = for_size(size, [&](auto elements) {
    using type = decltype(elements);
    typename type::from set;
    std::memcpy(&set, value, sizeof set);
    fill_blocks<type>(static_cast<typename type::to*>(to), shape, set, begin, end);
  });
  if (done) return;
  block_walk<1> walk(shape, choose_blocks(shape, size), begin);
  const auto n = static_cast<index_t>(size);
  for (index_t k = begin; k < end; ++k, walk.advance()) {
    auto* row = static_cast<unsigned char*>(to) + walk.offset(0) * n;
    for (index_t q = 0; q < walk.across(); ++q, row += shape.pitch(0) * n) {
      for (index_t i = 0; i < walk.along(); ++i)
        std::memcpy(row + i * shape.step(0) * n, value, size);
    }
  }
}

void fill_run::run(index_t begin, index_t end) const noexcept {
  const bool done = for_size(size, [&](auto elements) {
    using type = decltype(elements);
    typename type::from set;
    std::memcpy(&set, value, sizeof set);
    fill_row<type>(static_cast<typename type::to*>(to) + begin, 1, set, end - begin);
  });
  if (done) return;
  auto* out = static_cast<unsigned char*>(to) + static_cast<std::size_t>(begin) * size;
  for (index_t i = begin; i < end; ++i, out += size) std::memcpy(out, value, size);
}

}  // namespace hpk::detail
