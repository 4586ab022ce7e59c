// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exact_dot: the dot product of two distributed vectors, rounded once. Its bits do not depend on
// the number of ranks or workers.
#pragma once

#include <hpk/mpi/exact_sum.hpp>
#include <hpk/mpi/reductions.hpp>

#include <hpk/core.hpp>

#include <source_location>
#include <string>
#include <type_traits>

namespace hpk::mpi {

namespace detail {

template <class T>
HPK_FUNCTION void add_exactly(exact_sum& sum, T x, T y) {
  if constexpr (std::is_same_v<T, float>) {
    sum += static_cast<double>(x) * static_cast<double>(y);  // exact in double
  } else {
    sum.add_product(x, y);
  }
}
template <class Exec, class X, class Y>
exact_sum exact_dot_here(const Exec& exec, const X& x, const Y& y) {
  exact_sum total;
  parallel_reduce(
      "hpk::mpi::exact_dot", RangePolicy<Exec>(exec, 0, x.extent(0)),
      HPK_LAMBDA(index_t i, exact_sum & sum) {
        add_exactly<typename X::non_const_value_type>(sum, x(i), y(i));
      },
      total);
  return total;
}
/// Returns the exact dot product of contiguous doubles in memory that host code can access.
template <class Exec, class X, class Y>
exact_sum exact_dot_by_blocks(const Exec& exec, const X& x, const Y& y) {
  constexpr index_t block = 4096;
  const auto n = static_cast<index_t>(x.extent(0));
  exact_sum total;
  parallel_reduce(
      "hpk::mpi::exact_dot", RangePolicy<Exec>(exec, 0, (n + block - 1) / block),
      [=](index_t k, exact_sum& sum) {
        const index_t begin = k * block;
        sum.add_products(x.data() + begin, y.data() + begin, n - begin < block ? n - begin : block);
      },
      total);
  return total;
}

}  // namespace detail

/// Returns the sum of x(i) * y(i) over all ranks, each of which has its parts of x and y. Exact
/// except for one rounding at the end (see exact_sum::add_product for products that are too small
/// or too large). The result has the same bits on all ranks and for any number of ranks and
/// workers. Runs after work launched earlier in the instance. Collective: one allreduce of 568
/// bytes.
///
/// Throws hpk::error (on all ranks in communicators that check messages) if the parts of x and y
/// have different lengths.
///
/// \tparam Exec a host execution space, or Emu
template <ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
double exact_dot(const Communicator& comm, const Exec& exec, const View<D, Ps...>& x,
                 const View<E, Qs...>& y,
                 const std::source_location& where = std::source_location::current()) {
  using value = typename View<D, Ps...>::non_const_value_type;
  static_assert(
      std::is_same_v<value, typename View<E, Qs...>::non_const_value_type> &&
          (std::is_same_v<value, double> || std::is_same_v<value, float>),
      "hpk::mpi::exact_dot: both vectors have elements of type double, or both of type float");
  static_assert(View<D, Ps...>::rank() == 1 && View<E, Qs...>::rank() == 1,
                "hpk::mpi::exact_dot: both vectors are Views of rank 1");
  const detail::call what =
      detail::about("hpk::mpi::exact_dot", x, detail::not_given, detail::not_given, where);
  error_message why;
  if (x.extent(0) != y.extent(0))
    why << "the other View, \"" << y.label() << "\", has " << y.extent(0) << " elements";
  detail::expect_agreement(comm, what, {.type = type_name<value>()}, why.str());
  exact_sum total;
  if constexpr (std::is_same_v<value, double> && SpaceAccessibility<Exec, HostSpace>::accessible) {
    total = detail::is_packed(x) && detail::is_packed(y) ? detail::exact_dot_by_blocks(exec, x, y)
                                                         : detail::exact_dot_here(exec, x, y);
  } else {
    total = detail::exact_dot_here(exec, x, y);
  }
  allreduce(comm, Sum(total), where);
  return total.value();
}

}  // namespace hpk::mpi
