// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of hpk, compared with a hand-written radix sort on one thread, least significant digit
// first, as programs often contain it; sorts by a comparison function, compared with std::sort. The
// keys are copied before each sort, on both sides. Also sort_by_key, compared with hpk's sort of
// the same keys.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/algorithms/sort.hpp>
#include <hpk/algorithms/sort_by_key.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

namespace {

// Digits of 8 bits. `a` and `b` swap roles after each digit, an even number of times.
template <class U>
__attribute__((noinline)) void radix_by_hand(U* a, U* b, std::size_t n) {
  constexpr int digits = sizeof(U);
  std::vector<std::size_t> places(digits * 256);
  for (std::size_t i = 0; i < n; ++i)
    for (int d = 0; d < digits; ++d)
      ++places[static_cast<std::size_t>(d) * 256 + (a[i] >> (8 * d) & 255)];
  for (int d = 0; d < digits; ++d) {
    std::size_t* const next = places.data() + d * 256;
    std::size_t sum = 0;
    for (int k = 0; k < 256; ++k) {
      const std::size_t count = next[k];
      next[k] = sum;
      sum += count;
    }
    for (std::size_t i = 0; i < n; ++i) b[next[a[i] >> (8 * d) & 255]++] = a[i];
    std::swap(a, b);
  }
}
void sort_by_hand(std::uint32_t* keys, std::uint32_t* other, std::size_t n) {
  radix_by_hand(keys, other, n);
}
void sort_by_hand(double* keys, double* other, std::size_t n) {
  auto* const bits = reinterpret_cast<std::uint64_t*>(keys);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  for (std::size_t i = 0; i < n; ++i) bits[i] ^= bits[i] >> 63 != 0 ? ~std::uint64_t{0} : sign;
  radix_by_hand(bits, reinterpret_cast<std::uint64_t*>(other), n);
  for (std::size_t i = 0; i < n; ++i) bits[i] ^= bits[i] >> 63 != 0 ? sign : ~std::uint64_t{0};
}

template <class T>
std::vector<T> random_keys(index_t n) {
  std::vector<T> keys(static_cast<std::size_t>(n));
  std::uint64_t x = 88172645463325252u;
  for (T& key : keys) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    if constexpr (std::is_floating_point_v<T>) {
      key = static_cast<T>(static_cast<double>(x >> 11) * 0x1p-53);
    } else {
      key = static_cast<T>(x);
    }
  }
  return keys;
}

template <class Space, class T>
using row = hpk::View<T*, Space>;

// The input of both sides of a pair, and the memory of the hand-written side.
template <class Space, class T>
struct input {
  std::vector<T> keys;
  row<Space, T> a;
  row<Space, T> b;
  row<Space, T> other;
  explicit input(index_t n) : keys(random_keys<T>(n)), a("a", n), b("b", n), other("other", n) {}
  void fill(const row<Space, T>& to) const {
    std::memcpy(to.data(), keys.data(), keys.size() * sizeof(T));
  }
  template <class Hpk, class Hand>
  void compare(comparison& pair, const Hpk& hpk, const Hand& hand) const {
    hpk();
    hand();
    bool same = true;
    for (index_t i = 0; i < a.extent_int(0); ++i) same = same && a(i) == b(i);
    pair.agree(same);
    pair.time(hpk, hand);
  }
};

template <class Space, class T>
void compare_sort(comparison& pair, index_t n) {
  const input<Space, T> data(n);
  const Space space;
  data.compare(
      pair,
      [&] {
        data.fill(data.a);
        hpk::sort(space, data.a);
      },
      [&] {
        data.fill(data.b);
        sort_by_hand(data.b.data(), data.other.data(), data.keys.size());
      });
}

struct less_than {
  template <class T>
  HPK_FUNCTION bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
template <class Space, class T>
void compare_comparison(comparison& pair, index_t n) {
  const input<Space, T> data(n);
  const Space space;
  data.compare(
      pair,
      [&] {
        data.fill(data.a);
        hpk::sort(space, data.a, less_than());
      },
      [&] {
        data.fill(data.b);
        std::sort(data.b.data(), data.b.data() + n, less_than());
      });
}

template <class Space, class T>
void compare_by_key(comparison& pair, index_t n) {
  const input<Space, T> data(n);
  const row<Space, int> values("values", n);
  const Space space;
  data.compare(
      pair,
      [&] {
        data.fill(data.a);
        hpk::sort_by_key(space, data.a, values);
      },
      [&] {
        data.fill(data.b);
        hpk::sort(space, data.b);
      });
}

}  // namespace

void add_sort() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const index_t n : {index_t{10240}, index_t{8} << 20}) {
      const auto with = [n](void (*compare)(comparison&, index_t)) {
        return [=](comparison& pair) { compare(pair, n); };
      };
      add("sort", type::name(), "uint32", n, with(compare_sort<type, std::uint32_t>));
      add("sort", type::name(), "double", n, with(compare_sort<type, double>));
      add("sort", type::name(), "uint32_less", n, with(compare_comparison<type, std::uint32_t>));
      add("sort", type::name(), "double_less", n, with(compare_comparison<type, double>));
      add("sort", type::name(), "by_key_uint32", n, with(compare_by_key<type, std::uint32_t>));
      add("sort", type::name(), "by_key_double", n, with(compare_by_key<type, double>));
    }
  });
}

}  // namespace bench
