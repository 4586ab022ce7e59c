// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements whose type is a value, in kernels. A kernel exists once for each wide type, in which it
// adds, multiplies and compares, and chooses the element type when it runs: a build would otherwise
// take minutes for 15 types, each operation and each space.
#pragma once

#include <hpk/c/detail/copies.hpp>

#include <hpk/parallel.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail::c {

template <class T>
inline constexpr bool is_complex_number = type_number<T>() >= HPK_TYPE_COMPLEX64;
template <class T>
inline constexpr bool is_half =
    std::is_same_v<T, Experimental::half_t> || std::is_same_v<T, Experimental::bhalf_t>;

/// The wide type of an element type: 64 bits, complex numbers twice as many.
template <class T>
using wide_of = std::conditional_t<
    is_complex_number<T>, complex<double>,
    std::conditional_t<std::is_integral_v<T>,
                       std::conditional_t<std::is_signed_v<T> || std::is_same_v<T, bool>,
                                          std::int64_t, std::uint64_t>,
                       double>>;

template <class T>
HPK_FORCEINLINE_FUNCTION wide_of<T> widen(const T& value) {
  if constexpr (is_half<T>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<wide_of<T>>(value);
  }
}
template <class T, class Wide>
HPK_FORCEINLINE_FUNCTION T narrow(const Wide& value) {
  if constexpr (is_half<T>) {
    return static_cast<T>(static_cast<float>(value));
  } else if constexpr (is_complex_number<T>) {
    using real = typename T::value_type;
    return T(static_cast<real>(value.real()), static_cast<real>(value.imag()));
  } else {
    return static_cast<T>(value);
  }
}

/// Calls f(std::type_identity<T>()) for the element type, one of those whose wide type is Wide. In
/// kernels too.
template <class Wide, class F>
HPK_FORCEINLINE_FUNCTION void with_type_of(hpk_type type, const F& f) {
  const auto try_type = [&]<class T>(std::type_identity<T> identity) {
    if constexpr (std::is_same_v<wide_of<T>, Wide>) {
      if (static_cast<int>(type) == type_number<T>()) f(identity);
    }
  };
  try_type(std::type_identity<bool>());
  try_type(std::type_identity<std::int8_t>());
  try_type(std::type_identity<std::int16_t>());
  try_type(std::type_identity<std::int32_t>());
  try_type(std::type_identity<std::int64_t>());
  try_type(std::type_identity<std::uint8_t>());
  try_type(std::type_identity<std::uint16_t>());
  try_type(std::type_identity<std::uint32_t>());
  try_type(std::type_identity<std::uint64_t>());
  try_type(std::type_identity<Experimental::half_t>());
  try_type(std::type_identity<Experimental::bhalf_t>());
  try_type(std::type_identity<float>());
  try_type(std::type_identity<double>());
  try_type(std::type_identity<complex<float>>());
  try_type(std::type_identity<complex<double>>());
}
/// Calls f(std::type_identity<Wide>()) with the wide type of an element type.
template <class F>
void with_wide_type(hpk_type type, const F& f) {
  if (type <= HPK_TYPE_INT64) return f(std::type_identity<std::int64_t>());
  if (type <= HPK_TYPE_UINT64) return f(std::type_identity<std::uint64_t>());
  if (type <= HPK_TYPE_FLOAT64) return f(std::type_identity<double>());
  f(std::type_identity<complex<double>>());
}

/// The bytes of a view without gaps, for kernels.
template <class M>
using bytes_in = View<std::byte*, LayoutRight, M>;
template <class M>
bytes_in<M> bytes_of(const hpk_view& view) {
  return bytes_in<M>(
      view_wrap(static_cast<std::byte*>(view.info.data), view.memory),
      static_cast<std::size_t>(view.info.size) * static_cast<std::size_t>(view.info.item_size));
}
/// The elements in such bytes, in a kernel.
template <class T, class M>
HPK_FORCEINLINE_FUNCTION auto elements_in(const bytes_in<M>& bytes) {
  return View<T*, LayoutRight, M, MemoryTraits<Unmanaged>>(reinterpret_cast<T*>(bytes.data()),
                                                           bytes.extent(0) / sizeof(T));
}

/// Calls f(exec, std::type_identity<M>(), std::type_identity<Wide>()) for the memory space and the
/// wide type of a view.
template <class F>
void with_numbers(const char* function, const hpk_view& view, const hpk_instance* on, const F& f) {
  with_memory_space(view.info.space, [&]<class M>(std::type_identity<M> memory) {
    with_instance<M>(function, view.info.label, on, [&](const auto& exec) {
      with_wide_type(view.info.type, [&](auto wide) { f(exec, memory, wide); });
    });
  });
}

/// The number of elements of one iteration. Host threads take a block of them, so that they choose
/// the element type outside of their loops; lanes of a GPU take one, as their neighbours do.
template <class Exec>
inline constexpr index_t block_of = SpaceAccessibility<Exec, HostSpace>::accessible ? 2048 : 1;
/// The iterations over so many elements.
template <class Exec>
RangePolicy<Exec> blocks_of(const Exec& exec, index_t elements) {
  return {exec, 0, (elements + block_of<Exec> - 1) / block_of<Exec>};
}
/// Calls f(begin, end) for the elements of iteration b.
template <index_t block, class F>
HPK_FORCEINLINE_FUNCTION void with_block(index_t b, index_t elements, const F& f) {
  const index_t begin = b * block;
  f(begin, begin + block < elements ? begin + block : elements);
}

/// Calls body.element<T>(i) for the elements of a block, whose type is T.
template <class Wide, class Body, index_t block>
struct element_blocks {
  Body body;
  hpk_type type;
  index_t elements;
  HPK_FUNCTION void operator()(index_t b) const {
    with_type_of<Wide>(type, [&]<class T>(std::type_identity<T>) {
      with_block<block>(b, elements, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) body.template element<T>(i);
      });
    });
  }
};
/// Calls body.element<T>(i) for all elements of a view.
template <class Wide, class Exec, class Body>
void for_each_element(const char* label, const Exec& exec, const hpk_view& view, const Body& body) {
  parallel_for(label, blocks_of(exec, view.info.size),
               element_blocks<Wide, Body, block_of<Exec>>{body, view.info.type, view.info.size});
}

/// An operation on numbers.
enum class operation { sum, prod, min, max, count };

/// Joins two numbers. Integers wrap around. A NaN is less and greater than all others. Complex
/// numbers have no order.
template <class Wide>
HPK_FORCEINLINE_FUNCTION Wide join_numbers(operation by, const Wide& a, const Wide& b) {
  // Signed integers that overflow are undefined behavior.
  using bits = std::conditional_t<std::is_integral_v<Wide>, std::uint64_t, Wide>;
  if (by == operation::prod) return static_cast<Wide>(static_cast<bits>(a) * static_cast<bits>(b));
  if constexpr (!is_complex_number<Wide>) {
    if (by == operation::min) return b < a || b != b ? b : a;
    if (by == operation::max) return b > a || b != b ? b : a;
  }
  return static_cast<Wide>(static_cast<bits>(a) + static_cast<bits>(b));
}
/// The number that changes no other one.
template <class Wide>
HPK_FORCEINLINE_FUNCTION Wide identity_of(operation by) {
  if (by == operation::prod) return Wide(1);
  if constexpr (!is_complex_number<Wide>) {
    if (by == operation::min) return reduction_identity<Wide>::min();
    if (by == operation::max) return reduction_identity<Wide>::max();
  }
  return Wide(0);
}
/// The same for elements of a type, which that type has too: the largest int8, for example.
template <class Wide>
Wide identity_of(operation by, hpk_type type) {
  Wide result = identity_of<Wide>(by);
  if constexpr (!is_complex_number<Wide>) {
    with_type(type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_same_v<wide_of<T>, Wide> && !std::is_same_v<T, bool>) {
        if (by == operation::min) result = widen(reduction_identity<T>::min());
        if (by == operation::max) result = widen(reduction_identity<T>::max());
      }
    });
  }
  return result;
}

/// A number as a scalar of the C interface with this type.
template <class Wide>
hpk_scalar scalar_of(const Wide& value, hpk_type type) {
  hpk_scalar result{};
  result.type = type;
  if constexpr (is_complex_number<Wide>) {
    result.f = value.real();
    result.imag = value.imag();
  } else if constexpr (std::is_integral_v<Wide>) {
    result.i = static_cast<std::int64_t>(value);
    result.u = static_cast<std::uint64_t>(value);
  } else {
    result.f = value;
  }
  return result;
}

/// Calls f(view) with the view if it has no gaps, otherwise with a copy without gaps.
template <class F>
void with_dense(const char* function, const hpk_view& view, const F& f) {
  if (is_dense(view.info)) return f(view);
  const owned_view copy(make_dense(function, view, HPK_LAYOUT_RIGHT));
  f(*copy.get());
}
/// Likewise, and copies the elements back.
template <class F>
void with_dense_in_place(const char* function, const hpk_view& view, const F& f) {
  if (is_dense(view.info)) return f(view);
  const owned_view dense(make_dense(function, view, HPK_LAYOUT_RIGHT));
  f(*dense.get());
  copy_view(function, view, *dense.get());
}

}  // namespace hpk::detail::c
