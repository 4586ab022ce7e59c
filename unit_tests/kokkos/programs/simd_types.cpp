// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test of vectors for each ABI and each type of lanes, as libraries test their kernels: the
// lists of types, stores to arrays and through iterators, masks, numbers that lanes do not have,
// functions in namespace Experimental, halves and empty masks. Then one lane in a kernel.
#include <Kokkos_Core.hpp>
#include <Kokkos_SIMD.hpp>

#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

namespace KE = Kokkos::Experimental;

struct Count {
  int tests = 0;
  int failures = 0;
  void expect(bool good, const char* what) {
    ++tests;
    if (!good) ++failures, std::printf("FAILED: %s\n", what);
  }
};

template <class V>
void try_memory(Count& count) {
  using T = typename V::value_type;
  constexpr KE::simd_size_t lanes = V::size();
  T from[lanes];
  for (int i = 0; i < lanes; ++i) from[i] = static_cast<T>(i + 1);
  const V v = KE::simd_unchecked_load<V>(from, KE::simd_flag_default);
  const typename V::mask_type first([](std::size_t i) { return i == 0; });

  T plain[lanes + 1] = {};
  KE::simd_unchecked_store(v, plain, KE::simd_flag_default);
  count.expect(plain[lanes - 1] == from[lanes - 1] && plain[lanes] == T(0), "store to an array");
  KE::simd_partial_store(v + 6, plain, first, KE::simd_flag_default);
  count.expect(plain[0] == T(7) && (lanes == 1 || plain[1] == T(2)), "store of a lane to an array");
  alignas(V) T aligned[lanes];
  KE::simd_unchecked_store(v, aligned, KE::simd_flag_aligned);
  count.expect(KE::all_of(V(aligned, KE::simd_flag_aligned) == v), "aligned array");

  std::vector<T> elements(lanes);
  KE::simd_unchecked_store(v, elements.begin());
  count.expect(elements.back() == from[lanes - 1], "store through an iterator");
  KE::simd_partial_store(v * 3, elements.begin(), first);
  const V mixed = KE::simd_unchecked_load<V>(elements.cbegin(), KE::simd_flag_default);
  count.expect(mixed[0] == T(3) && mixed[lanes - 1] == elements.back(), "load through one");
  const V one = KE::simd_partial_load<V>(elements.begin(), first, KE::simd_flag_default);
  count.expect(KE::reduce(one) == T(3), "load of a lane");
  std::array<T, lanes> array;
  KE::simd_unchecked_store(v, array);
  count.expect(array.back() == from[lanes - 1], "store to a std::array");
}

template <class V>
void try_choices(Count& count) {
  using T = typename V::value_type;
  using limits = std::numeric_limits<T>;
  using mask = typename V::mask_type;
  constexpr int lanes = V::size();
  const V v([](std::size_t i) { return static_cast<T>(i + 1); });
  const V twos(2);
  const mask none(0), all(1);  // from numbers, as with any bool
  count.expect(KE::all_of(all) && KE::none_of(none), "masks of numbers");
  count.expect(KE::all_of(KE::min(KE::max(v, twos), twos) == twos), "min and max");
  count.expect(KE::reduce_min(v, none) == limits::max(), "least of no lane");
  count.expect(KE::reduce_max(v, none) == limits::lowest(), "greatest of no lane");
  const T nothing = KE::Impl::Identity<T, std::multiplies<>>();
  count.expect(KE::reduce(v, none, std::multiplies<>(), nothing) == T(1), "product of no lane");
  count.expect(KE::reduce(v, all, std::plus<>()) == T(lanes * (lanes + 1) / 2), "sum");
  V w = v;
  KE::where(v > 1.5, w) = 9.0;
  count.expect(w[0] == T(1) && KE::hmax(KE::where(all, w)) == T(lanes == 1 ? 1 : 9), "where");

  // Values that the type T may not represent.
  auto halves = v * 0.5;
  static_assert(std::is_same_v<typename decltype(halves)::value_type, double>);
  count.expect(halves[0] == 0.5 && (8.0 / halves)[0] == 16, "double beside lanes");
  w = 2.0;
  w *= 3.0;
  count.expect(KE::all_of(w == 6.0), "double to lanes");
}

template <class V>
void try_functions(Count& count) {
  using T = typename V::value_type;
  const V four(4);
  if constexpr (std::is_integral_v<T>) {
    count.expect((four << 1)[0] == T(8) && (four >> 2L)[0] == T(1), "shifts");
    static_assert(std::is_same_v<decltype(four >> 2u), V>);
  } else {
    const auto is = [&](const V& v, double x, const char* what) {
      count.expect(Kokkos::abs(v[0] - x) < 1e-6, what);
    };
    const V tie(T(-2.5));
    is(KE::abs(tie), 2.5, "abs"), is(KE::sqrt(four), 2, "sqrt"), is(KE::floor(tie), -3, "floor");
    is(KE::ceil(tie), -2, "ceil"), is(KE::trunc(tie), -2, "trunc"), is(KE::exp(V(0)), 1, "exp");
    is(KE::pow(four, V(3)), 64, "pow"), is(KE::fma(four, four, tie), 13.5, "fma");
    is(KE::hypot(four, V(3)), 5, "hypot"), is(KE::copysign(four, tie), -4, "copysign");
    is(KE::log2(four), 2, "log2"), is(KE::cbrt(V(27)), 3, "cbrt"), is(KE::sin(V(0)), 0, "sin");
    // Ties round to the even number.
    is(Kokkos::round(tie), -2, "round"), is(KE::round(V(T(3.5))), 4, "round to four");
    is(KE::round_half_to_nearest_even(tie), -2, "round_half_to_nearest_even");
    count.expect(KE::round_half_to_nearest_even(T(0.5)) == 0, "the same of a number");
  }
}

template <class Abi, class... Ts>
void try_types(Count& count, KE::Impl::data_types<Ts...>) {
  (try_memory<KE::basic_simd<Ts, Abi>>(count), ...);
  (try_choices<KE::basic_simd<Ts, Abi>>(count), ...);
  (try_functions<KE::basic_simd<Ts, Abi>>(count), ...);
}
template <class... Abis>
int try_all(KE::Impl::abi_set<Abis...>) {
  Count count;
  (try_types<Abis>(count, KE::Impl::data_type_set()), ...);
  return count.failures;
}

struct OneLane {
  KOKKOS_FUNCTION void operator()(int i, int& wrong) const {
    using V = KE::basic_simd<double, KE::simd_abi::scalar>;
    double to[1] = {};
    KE::simd_unchecked_store(V(i) * 2, to, KE::simd_flag_default);
    if (to[0] != 2.0 * i || KE::sqrt(V(i) * V(i))[0] != i) ++wrong;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  std::printf("host: %d wrong\n", try_all(KE::Impl::host_abi_set()));
  std::printf("one lane: %d wrong\n", try_all(KE::Impl::device_abi_set()));
  Count one;
  try_types<KE::simd_abi::Impl::host_native>(one, KE::Impl::data_types<double>());
  std::printf("native: %d of %d wrong\n", one.failures, one.tests);
  int wrong = -1;
  Kokkos::parallel_reduce("one lane", Kokkos::RangePolicy<>(0, 10), OneLane(), wrong);
  std::printf("kernel: %d wrong\n", wrong);
}
