// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The storage of vectors and masks: N lanes in parts of W lanes each. A part is a vector of the
// compiler that fits a register, or, if W = 1, one number. W is the largest power of two that
// divides N and fits. Also the basic operations on parts: pick, join, convert and compare.
#pragma once

#include <hpk/simd/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// Executes an expression for each index k = 0 .. count - 1 of a part, unrolled: parts indexed by a
/// variable would be in memory instead of registers.
#define HPK_DETAIL_PARTS(count, ...)                                                  \
  if constexpr ((count) == 1) {                                                       \
    constexpr int k = 0;                                                              \
    __VA_ARGS__;                                                                      \
  } else if constexpr ((count) <= 16) {                                               \
    [&]<int... k> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, k...>) { \
      ((__VA_ARGS__), ...);                                                           \
    }(std::make_integer_sequence<int, (count)>());                                    \
  } else {                                                                            \
    for (int k = 0; k < (count); ++k) {                                               \
      __VA_ARGS__;                                                                    \
    }                                                                                 \
  }

namespace hpk::detail::vectors {

/// The division of N lanes of T into parts.
template <class T, int N>
struct simd_shape {
  /// Number of lanes that a register, or a part of it, can hold.
  static constexpr int possible = [] {
    constexpr int even = N & -N;
    constexpr auto most = static_cast<int>(simd_bytes / sizeof(T));
    constexpr int w = even < most ? even : most;
    return static_cast<std::size_t>(w) * sizeof(T) < simd_least_bytes || w < 2 ? 1 : w;
  }();
  static constexpr int width = simd_has_vectors ? possible : 1;
  static constexpr int count = N / width;
  static constexpr std::size_t alignment = static_cast<std::size_t>(possible) * sizeof(T);
};

/// The lanes of a vector.
template <class T, int N>
struct alignas(simd_shape<T, N>::alignment) simd_parts {
  using shape = simd_shape<T, N>;
  static constexpr int width = shape::width;
  static constexpr int count = shape::count;
  using part = register_t<T, width>;
  struct lanes {
    T of[std::size_t{width}];
  };
  part v[std::size_t{count}];

  HPK_FORCEINLINE_FUNCTION constexpr T lane(int i) const {
    if constexpr (width == 1) {
      return v[i];
    } else if (__builtin_is_constant_evaluated()) {
      return __builtin_bit_cast(lanes, v[i / width]).of[i % width];
    } else if constexpr (count == 1) {
      return v[0][i];
    } else {
      return v[i / width][i % width];
    }
  }
  HPK_FORCEINLINE_FUNCTION constexpr void set(int i, T x) {
    if constexpr (width == 1) {
      v[i] = x;
    } else if constexpr (count == 1) {
      v[0][i] = x;
    } else {
      v[i / width][i % width] = x;
    }
  }
};

/// The integer type of a mask's lane, which is 0 or -1: as wide as T.
template <class T>
using mask_lane_t = typename integers_of_size<sizeof(T)>::signed_type;
template <class T, int N>
using mask_parts = simd_parts<mask_lane_t<T>, N>;

/// The index of a lane as a constant: a std::integral_constant that kernels may also call.
template <int I>
struct lane_index : std::integral_constant<std::size_t, static_cast<std::size_t>(I)> {
  HPK_FORCEINLINE_FUNCTION constexpr operator std::size_t() const noexcept { return I; }
  HPK_FORCEINLINE_FUNCTION constexpr std::size_t operator()() const noexcept { return I; }
};

/// Returns a part with the lanes f(lane_index<First>), f(lane_index<First + 1>), ...
HPK_CALLS_EITHER
template <class T, int First, int... J, class F>
HPK_FORCEINLINE_FUNCTION constexpr auto make_part(F& f, std::integer_sequence<int, J...>) {
  if constexpr (sizeof...(J) == 1) {
    return static_cast<T>(f(lane_index<First>()));
  } else {
    return register_t<T, static_cast<int>(sizeof...(J))>{
        static_cast<T>(f(lane_index<First + J>()))...};
  }
}
/// Returns all parts of a vector with the lanes f(lane_index<0>), f(lane_index<1>), ...
HPK_CALLS_EITHER
template <class T, int N, class F>
HPK_FORCEINLINE_FUNCTION constexpr simd_parts<T, N> make_parts(F&& f) {
  using parts = simd_parts<T, N>;
  return [&]<int... K> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, K...>) {
    return parts{
        {make_part<T, K * parts::width>(f, std::make_integer_sequence<int, parts::width>())...}};
  }(std::make_integer_sequence<int, parts::count>());
}

/// Returns a part whose lanes are all x.
template <class T, int... J>
HPK_FORCEINLINE_FUNCTION constexpr auto same_lanes(T x, std::integer_sequence<int, J...>) {
  if constexpr (sizeof...(J) == 1) {
    return x;
  } else {
    return register_t<T, static_cast<int>(sizeof...(J))>{(static_cast<void>(J), x)...};
  }
}
template <class T, int N>
HPK_FORCEINLINE_FUNCTION constexpr simd_parts<T, N> broadcast(T x) {
  using parts = simd_parts<T, N>;
  const auto part = same_lanes(x, std::make_integer_sequence<int, parts::width>());
  parts r{};
  HPK_DETAIL_PARTS(parts::count, r.v[k] = part)
  return r;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
/// Reinterprets a vector of the compiler as another one of the same size. In constant expressions
/// g++ and clang both accept only C's cast between vectors.
template <class To, class From>
HPK_FORCEINLINE_FUNCTION constexpr To vector_cast(From v) {
  return (To)v;
}
#pragma GCC diagnostic pop
/// Converts a vector of comparison results, or a bool, to a part of a mask.
template <class M, class C>
HPK_FORCEINLINE_FUNCTION constexpr M as_mask_part(C c) {
  if constexpr (std::is_same_v<C, bool>) {
    return static_cast<M>(-static_cast<int>(c));
  } else {
    return vector_cast<M>(c);
  }
}
/// Returns the lanes of a where the mask is set, of b where it is not.
template <class M, class P>
HPK_FORCEINLINE_FUNCTION constexpr P choose(M m, P a, P b) {
  return m != M{} ? a : b;
}

/// take_lanes() returns lanes First, First + 1, ... of a vector; join_lanes() concatenates two
/// vectors.
template <class T, int First, int... J, class P>
HPK_FORCEINLINE_FUNCTION constexpr auto take_lanes(P p, std::integer_sequence<int, J...>) {
  if constexpr (sizeof...(J) == 1) {
    return p[First];
  } else {
    return HPK_DETAIL_SHUFFLE(p, p, (First + J)...);
  }
}
template <int... J, class P>
HPK_FORCEINLINE_FUNCTION constexpr auto join_lanes(P a, [[maybe_unused]] P b,
                                                   std::integer_sequence<int, J...>) {
  return HPK_DETAIL_SHUFFLE(a, b, J...);
}

/// Converts parts First .. First + Count - 1 to one vector of U with all their lanes.
template <class U, int First, int Count, class From>
HPK_FORCEINLINE_FUNCTION constexpr auto convert_joined(const From& from) {
  using to = register_t<U, From::width>;
  if constexpr (Count == 1) {
    return HPK_DETAIL_CONVERT(from.v[First], to);
  } else {
    return join_lanes(convert_joined<U, First, Count / 2>(from),
                      convert_joined<U, First + Count / 2, Count / 2>(from),
                      std::make_integer_sequence<int, Count * From::width>());
  }
}

/// Converts the lanes to another type as static_cast does.
template <class U, class T, int N>
HPK_FORCEINLINE_FUNCTION constexpr simd_parts<U, N> convert(const simd_parts<T, N>& from) {
  using to = simd_parts<U, N>;
  constexpr int w = simd_shape<T, N>::width;
  if constexpr (std::is_same_v<T, U>) {
    return from;
  } else if constexpr (w == 1 || to::width == 1) {
    return make_parts<U, N>([&](auto i) { return from.lane(static_cast<int>(i())); });
  } else {
    to r{};
    if constexpr (w == to::width) {
      HPK_DETAIL_PARTS(to::count, r.v[k] = HPK_DETAIL_CONVERT(from.v[k], typename to::part))
    } else if constexpr (w < to::width) {
      constexpr int ratio = to::width / w;
      [&]<int... K> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, K...>) {
        ((r.v[K] = convert_joined<U, K * ratio, ratio>(from)), ...);
      }(std::make_integer_sequence<int, to::count>());
    } else {
      constexpr int ratio = w / to::width;
      [&]<int... K> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, K...>) {
        ((r.v[K] = HPK_DETAIL_CONVERT(
              (take_lanes<T, K % ratio * to::width>(from.v[K / ratio],
                                                    std::make_integer_sequence<int, to::width>())),
              typename to::part)),
         ...);
      }(std::make_integer_sequence<int, to::count>());
    }
    return r;
  }
}

/// Gives free functions access to the parts.
struct simd_access {
  template <class V>
  HPK_FORCEINLINE_FUNCTION static constexpr auto& parts(V& v) {
    return v.parts_;
  }
  template <class V, class P>
  HPK_FORCEINLINE_FUNCTION static constexpr V make(const P& parts) {
    V v{};
    v.parts_ = parts;
    return v;
  }
};
template <class V>
HPK_FORCEINLINE_FUNCTION constexpr auto& parts_of(V& v) {
  return simd_access::parts(v);
}

/// The unsigned integer type for arithmetic on a lane, so that it wraps: in a vector the lane's
/// size, for a single lane at least the size of unsigned.
template <class T>
using wrapped_lane_t = typename integers_of_size<sizeof(T)>::unsigned_type;
template <class T>
using wrapped_scalar_t =
    std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, wrapped_lane_t<T>>;

// Define a + b, a - b and a * b of parts. Integers wrap, also signed ones.
#define HPK_DETAIL_WRAPPING(name, op)                                                     \
  template <class T, int W>                                                               \
  HPK_FORCEINLINE_FUNCTION constexpr register_t<T, W> name(register_t<T, W> a,            \
                                                           register_t<T, W> b) {          \
    if constexpr (!std::is_integral_v<T>) {                                               \
      return a op b;                                                                      \
    } else if constexpr (W == 1) {                                                        \
      using wide = wrapped_scalar_t<T>;                                                   \
      return static_cast<T>(static_cast<wide>(a) op static_cast<wide>(b));                \
    } else {                                                                              \
      using wide = register_t<wrapped_lane_t<T>, W>;                                      \
      return vector_cast<register_t<T, W>>(vector_cast<wide>(a) op vector_cast<wide>(b)); \
    }                                                                                     \
  }
HPK_DETAIL_WRAPPING(wrapped_plus, +)
HPK_DETAIL_WRAPPING(wrapped_minus, -)
HPK_DETAIL_WRAPPING(wrapped_times, *)
#undef HPK_DETAIL_WRAPPING

}  // namespace hpk::detail::vectors
