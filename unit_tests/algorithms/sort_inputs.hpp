// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs for the tests of sorts: keys of every kind and number, and Views with them.
#pragma once

#include <support/spaces.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk_test {

/// The order with greater numbers first.
struct down {
  HPK_FUNCTION bool operator()(int a, int b) const { return a > b; }
};

inline const std::vector<std::string> kinds_of_input = {
    "random", "sorted", "reversed", "equal", "few values", "two runs", "narrow"};

/// Returns n keys, the same for the same arguments.
template <class T>
std::vector<T> make_keys(const std::string& kind, std::size_t n) {
  std::mt19937_64 random(n + 17);
  const auto number = [&](std::uint64_t bound) {
    const auto drawn = random() % bound;
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(static_cast<double>(drawn) - static_cast<double>(bound) / 3) *
             static_cast<T>(0.37);
    } else {
      return static_cast<T>(drawn);
    }
  };
  std::vector<T> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == "random") keys[i] = number(std::numeric_limits<std::uint64_t>::max());
    if (kind == "sorted") keys[i] = static_cast<T>(static_cast<int>(i * 100 / n));
    if (kind == "reversed") keys[i] = static_cast<T>(static_cast<int>((n - i) * 100 / n));
    if (kind == "equal") keys[i] = static_cast<T>(7);
    if (kind == "few values") keys[i] = number(5);
    if (kind == "two runs") keys[i] = static_cast<T>(static_cast<int>(i % (n / 2 + 1) * 90 / n));
    if (kind == "narrow") keys[i] = static_cast<T>(static_cast<int>(100 + random() % 27));
  }
  return keys;
}

/// Returns a View with the elements in memory of a space.
template <class Exec, class Layout = typename Exec::array_layout, class T>
hpk::View<T*, Layout, Exec> to_view(const std::vector<T>& elements) {
  const hpk::View<T*, Layout, Exec> view("elements", elements.size());
  const auto host = hpk::create_mirror_view(view);
  for (std::size_t i = 0; i < elements.size(); ++i) host(i) = elements[i];
  hpk::deep_copy(view, host);
  return view;
}
template <class V>
auto to_vector(const V& view) {
  std::vector<typename V::non_const_value_type> elements(view.extent(0));
  const hpk::View<typename V::non_const_value_type*, typename V::memory_space> plain(
      "plain", view.extent(0));
  hpk::deep_copy(typename V::execution_space(), plain, view);
  const auto host = on_host(plain);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = host(i);
  return elements;
}

}  // namespace hpk_test
