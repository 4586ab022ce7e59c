// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of UnorderedMap that only tests of Kokkos use.
#pragma once

#include <hpk/containers/unordered_map.hpp>
#include <hpk/printf.hpp>

#include <cstddef>
#include <type_traits>

namespace hpk::Impl {

/// Prints from a kernel the slots of a map that hold keys, with keys and values that are numbers.
template <class Map>
struct UnorderedMapPrint {
  using map_type = Map;
  using execution_space = typename map_type::execution_space;
  using size_type = typename map_type::size_type;
  map_type m_map;

  explicit UnorderedMapPrint(const map_type& map) : m_map(map) {}
  void apply() const {
    parallel_for("hpk::UnorderedMap: print",
                 RangePolicy<execution_space, IndexType<size_type>>(0, m_map.capacity()), *this);
  }
  HPK_FUNCTION void operator()(size_type slot) const {
    if (!m_map.valid_at(slot)) return;
    hpk::printf("%llu:", static_cast<unsigned long long>(slot));
    print(m_map.key_at(slot));
    if constexpr (!map_type::is_set) {
      hpk::printf(" ->");
      print(m_map.value_at(slot));
    }
    hpk::printf("\n");
  }

 private:
  template <class T>
  HPK_FUNCTION static void print(const T& value) {
    if constexpr (std::is_integral_v<T>) {
      hpk::printf(" %lld", static_cast<long long>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      hpk::printf(" %g", static_cast<double>(value));
    }
  }
};

/// The statistics of a map.
template <class Map>
using UnorderedMapHistogram = typename Map::histogram_type;

}  // namespace hpk::Impl
