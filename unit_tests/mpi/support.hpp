// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for the tests of hpk::mpi.
#pragma once

#include <hpk/mpi.hpp>

#include <support/spaces.hpp>

namespace mpi_test {

using hpk::mpi::Communicator;
using hpk::mpi::world;

inline int next_rank(const Communicator& c) { return (c.rank() + 1) % c.size(); }
inline int previous_rank(const Communicator& c) { return (c.rank() + c.size() - 1) % c.size(); }

/// Sets every element of a View, in a kernel of its space, to 1000 * rank + the number of the
/// element in the order of its indices.
template <class Exec, class V>
void number(const V& view, int rank) {
  using value = typename V::non_const_value_type;
  if constexpr (V::rank() == 0) {
    hpk::deep_copy(view, static_cast<value>(1000 * rank));
  } else if constexpr (V::rank() == 1) {
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, view.extent(0)),
        HPK_LAMBDA(int i) { view(i) = static_cast<value>(1000 * rank + i); });
  } else if constexpr (V::rank() == 2) {
    const int columns = static_cast<int>(view.extent(1));
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, view.size()), HPK_LAMBDA(int k) {
          view(k / columns, k % columns) = static_cast<value>(1000 * rank + k);
        });
  } else {
    const int rows = static_cast<int>(view.extent(1)), columns = static_cast<int>(view.extent(2));
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, view.size()), HPK_LAMBDA(int k) {
          view(k / columns / rows, k / columns % rows, k % columns) =
              static_cast<value>(1000 * rank + k);
        });
  }
}
/// Returns the number of elements that differ from the values of number().
template <class V>
int count_wrong(const V& view, int rank) {
  using value = typename V::non_const_value_type;
  const auto host = hpk_test::on_host(view);
  int wrong = 0, k = 0;
  const auto check = [&](const value& x) { wrong += x != static_cast<value>(1000 * rank + k++); };
  if constexpr (V::rank() == 0) {
    check(host());
  } else if constexpr (V::rank() == 1) {
    for (std::size_t i = 0; i < host.extent(0); ++i) check(host(i));
  } else if constexpr (V::rank() == 2) {
    for (std::size_t i = 0; i < host.extent(0); ++i)
      for (std::size_t j = 0; j < host.extent(1); ++j) check(host(i, j));
  } else {
    for (std::size_t i = 0; i < host.extent(0); ++i)
      for (std::size_t j = 0; j < host.extent(1); ++j)
        for (std::size_t l = 0; l < host.extent(2); ++l) check(host(i, j, l));
  }
  return wrong;
}

}  // namespace mpi_test
