// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A seam::library_sort that runs on the host, for memory of any space.
#pragma once

#include <hpk/algorithms/sort_order.hpp>
#include <hpk/library_sort.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace hpk_test {

/// Sorts as libraries do: by some of the bits, into a buffer that depends on the number of bits.
struct host_library {
  template <class Exec, class T>
  static std::vector<T> read(const Exec&, T* data, hpk::index_t n) {
    std::vector<T> out(static_cast<std::size_t>(n));
    hpk::deep_copy(hpk::View<T*, hpk::HostSpace>(out.data(), n), view_of<Exec>(data, n));
    return out;
  }
  template <class Exec, class T>
  static auto view_of(T* data, hpk::index_t n) {
    return hpk::View<T*, hpk::Device<Exec, typename Exec::memory_space>,
                     hpk::MemoryTraits<hpk::Unmanaged>>(data, n);
  }
  template <class Exec, class T>
  static void write(const Exec&, T* data, std::vector<T>& from) {
    const auto n = static_cast<hpk::index_t>(from.size());
    hpk::deep_copy(view_of<Exec>(data, n), hpk::View<T*, hpk::HostSpace>(from.data(), n));
  }
  template <bool Descending, class Exec, class Key>
  static std::vector<hpk::index_t> order_of(const Exec& exec, const Key* keys, hpk::index_t n,
                                            int first, int end) {
    const auto all = read(exec, const_cast<Key*>(keys), n);
    std::vector<hpk::index_t> order(all.size());
    std::iota(order.begin(), order.end(), hpk::index_t{0});
    const auto digits = [&](hpk::index_t i) {
      std::uint64_t bits =
          hpk::detail::sorting::key_order<Key>::to_bits(all[static_cast<std::size_t>(i)]);
      if (end < 64) bits &= (std::uint64_t{1} << end) - 1;
      return bits >> first;
    };
    std::stable_sort(order.begin(), order.end(), [&](hpk::index_t a, hpk::index_t b) {
      return Descending ? digits(b) < digits(a) : digits(a) < digits(b);
    });
    return order;
  }
  template <class Exec, class T>
  static void permute(const Exec& exec, hpk::seam::sort_buffers<T>& both,
                      const std::vector<hpk::index_t>& order, bool to_spare) {
    const auto old = read(exec, both.elements, static_cast<hpk::index_t>(order.size()));
    std::vector<T> sorted;
    for (const hpk::index_t i : order) sorted.push_back(old[static_cast<std::size_t>(i)]);
    if (to_spare) std::swap(both.elements, both.spare);
    write(exec, both.elements, sorted);
  }
  template <bool Descending, class Exec, class Key>
  static void sort(const Exec& exec, hpk::seam::sort_buffers<Key>& keys, hpk::index_t n, int first,
                   int end) {
    exec.fence();
    const auto order = order_of<Descending>(exec, keys.elements, n, first, end);
    permute(exec, keys, order, (end - first + 7) / 8 % 2 != 0);
  }
  template <bool Descending, class Exec, class Key, class Value>
  static void sort_pairs(const Exec& exec, hpk::seam::sort_buffers<Key>& keys,
                         hpk::seam::sort_buffers<Value>& values, hpk::index_t n, int first,
                         int end) {
    exec.fence();
    const auto order = order_of<Descending>(exec, keys.elements, n, first, end);
    const bool to_spare = (end - first + 7) / 8 % 2 != 0;
    permute(exec, keys, order, to_spare);
    permute(exec, values, order, to_spare);
  }
  template <bool Descending, class Exec, class Key>
  static void sort_segments(const Exec& exec, hpk::seam::sort_buffers<Key>& keys, hpk::index_t n,
                            const hpk::index_t* offsets, hpk::index_t segments) {
    exec.fence();
    auto all = read(exec, keys.elements, n);
    const auto begins = read(exec, const_cast<hpk::index_t*>(offsets), segments + 1);
    EXPECT_EQ(begins.front(), 0);
    EXPECT_EQ(begins.back(), n);
    for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
      const auto first = all.begin() + begins[s];
      const auto last = all.begin() + begins[s + 1];
      Descending ? std::sort(first, last, std::greater<>()) : std::sort(first, last);
    }
    if (sizeof(Key) % 3 != 1) std::swap(keys.elements, keys.spare);
    write(exec, keys.elements, all);
  }
};

}  // namespace hpk_test
