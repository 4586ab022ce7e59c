// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/view/copy_bytes.hpp>
#include <hpk/view/copy_loops.hpp>

#include <cstdint>

namespace hpk::detail {

namespace {

// An integer that copies any type of its size, at any address.
template <class T>
struct word {
  using to [[gnu::may_alias, gnu::aligned(1)]] = T;
  using from = to;
  static constexpr bool one_type = true;
  static constexpr bool is_trivial = true;
};
// The same for sizes without an integer type.
template <std::size_t Size>
struct byte_array {
  unsigned char values[Size];
};
template <std::size_t Size>
using byte_arrays = typed_elements<byte_array<Size>, byte_array<Size>>;

// Calls work with the first of Elements that has the size; returns whether there is one.
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

}  // namespace

byte_copy::byte_copy(void* to, const void* from, strided_layout& layout,
                     std::size_t element_bytes) noexcept
    : to_(to), from_(from), layout_(layout), element_bytes_(element_bytes) {
  if (for_size(element_bytes, [](auto) {})) return;
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
  for_size(element_bytes_, [&](auto elements) {
    using type = decltype(elements);
    copy_units<type>(static_cast<typename type::to*>(to_),
                     static_cast<const typename type::from*>(from_), layout_, begin, end);
  });
}

}  // namespace hpk::detail
