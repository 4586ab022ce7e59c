// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fill_random writes random numbers to all elements of a View of any rank, layout and element type.
// The number of an element depends on its indices, the extents and the seed, but not on layout,
// space, workers or schedule.
//   hpk::fill_random(view, hpk::CounterRandom<>(seed), 0.0, 1.0);
//   hpk::fill_random(view, pool, 10);  // from [0, 10)
#pragma once

#include <hpk/algorithms/random_counter.hpp>
#include <hpk/algorithms/random_pool.hpp>

#include <hpk/complex.hpp>
#include <hpk/core.hpp>
#include <hpk/numeric_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// Throw hpk::error for bounds without a number between them.
[[noreturn]] void reject_fill_integers(const std::string& label, long long begin, long long end,
                                       const std::source_location& where);
[[noreturn]] void reject_fill_integers(const std::string& label, unsigned long long begin,
                                       unsigned long long end, const std::source_location& where);
[[noreturn]] void reject_fill(const std::string& label, double begin, double end,
                              const std::source_location& where);

/// Throws hpk::error unless the interval from begin to end contains a value of type T.
template <class T>
void check_fill(const std::string& label, const T& begin, const T& end,
                const std::source_location& where) {
  if constexpr (std::is_integral_v<T>) {
    using wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
    if (!(begin < end))
      reject_fill_integers(label, static_cast<wide>(begin), static_cast<wide>(end), where);
  } else if constexpr (is_complex_v<T>) {
    check_fill(label, begin.real(), end.real(), where);
    check_fill(label, begin.imag(), end.imag(), where);
  } else if constexpr (std::is_floating_point_v<T> || random_half<T>) {
    const auto b = static_cast<double>(begin);
    const auto e = static_cast<double>(end);
    // Rejects NaN and infinity.
    if (!(b <= e) || !(e - e == 0) || !(b - b == 0)) reject_fill(label, b, e, where);
  }
}

/// The floating-point type of T if T is float, double, or a complex number of one of them; else
/// void.
template <class T>
using real_part_t = std::conditional_t<
    std::is_same_v<T, float> || std::is_same_v<T, complex<float>>, float,
    std::conditional_t<std::is_same_v<T, double> || std::is_same_v<T, complex<double>>, double,
                       void>>;

/// Returns the number of elements of type T that one block of a counter-based algorithm gives.
template <class T, int Words>
HPK_FUNCTION constexpr int elements_of_block() {
  if constexpr (is_complex_v<T>) {
    return sizeof(T) <= 8 ? Words : Words / 2;
  } else if constexpr (std::is_arithmetic_v<T> || random_half<T>) {
    return sizeof(T) <= 4 ? 2 * Words : Words;
  } else {
    return 1;
  }
}

/// Numbers for groups of `group` neighbouring elements along the last dimension. each(k, count,
/// draw) calls draw(j, generator) for the first `count` elements j of group k; the next numbers of
/// the generator belong to element j. reals(k, real) calls real(n, x) `Parts` times for each
/// element of the group; x in [0, 1) is the number that drand() or frand() would draw.
template <class Algorithm, class T>
struct counter_groups {
  CounterRandom<Algorithm> random;
  static constexpr int group = elements_of_block<T, Algorithm::words>();

  HPK_FORCEINLINE_FUNCTION auto at(std::uint64_t k) const { return random.at(k); }
  template <class Draw>
  HPK_FORCEINLINE_FUNCTION void each(std::uint64_t k, int count, const Draw& draw) const {
    auto from = random.at(k);
    HPK_UNROLL_16
    for (int j = 0; j < count; ++j) draw(j, from);
  }
  // Reads the words of the single block that all elements of a group use, without the state of a
  // generator.
  template <class Part, int Parts, class Real>
  HPK_FORCEINLINE_FUNCTION void reals(std::uint64_t k, const Real& real) const {
    constexpr int count = group * Parts;
    const auto block = Algorithm::bits(random.seed(), random.stream(), k, 0);
    HPK_UNROLL_16
    for (int j = 0; j < count; ++j) {
      if constexpr (sizeof(Part) == 8) {
        real(j, unit_double(block.impl_elements[j]));
      } else {
        const std::uint64_t word = block.impl_elements[j / 2];
        real(j, unit_float(static_cast<std::uint32_t>(j % 2 == 0 ? word : word >> 32)));
      }
    }
  }
};
template <class Fill>
struct pool_groups {
  Fill random;
  static constexpr int group = Fill::group;
  static constexpr int lanes = Fill::lanes;
  using generator = decltype(std::declval<const Fill&>().at(0));

  HPK_FORCEINLINE_FUNCTION auto at(std::uint64_t k) const { return random.at(k); }
  template <class Draw>
  HPK_FORCEINLINE_FUNCTION void each(std::uint64_t k, int count, const Draw& draw) const {
    for (int lane = 0; lane < lanes && lane < count; ++lane) {
      generator from = random.at(k * lanes + static_cast<unsigned>(lane));
      for (int j = lane; j < count; j += lanes) draw(j, from);
    }
  }
  template <class Part, int Parts, class Real>
  HPK_FORCEINLINE_FUNCTION void reals(std::uint64_t k, const Real& real) const {
    if constexpr (lanes > 1) {
      std::uint64_t states[std::size_t{lanes}];
      for (int lane = 0; lane < lanes; ++lane)
        states[lane] = random.state(k * lanes + static_cast<unsigned>(lane));
      for (int first = 0; first < group; first += lanes) {
        HPK_UNROLL_16
        for (int lane = 0; lane < lanes; ++lane) {
          for (int part = 0; part < Parts; ++part) {
            const std::uint64_t bits = pool_access::next<generator>(states[lane]);
            const int n = (first + lane) * Parts + part;
            if constexpr (sizeof(Part) == 8) {
              real(n, unit_double(bits));
            } else {
              real(n, unit_float(static_cast<std::uint32_t>(bits >> 32)));
            }
          }
        }
      }
    } else {
      generator from = random.at(k);
      for (int first = 0; first < group * Parts; first += 16) {
        pool_access::align(from);
        HPK_UNROLL_16
        for (int j = 0; j < 16; ++j) {
          if constexpr (sizeof(Part) == 8) {
            real(first + j, from.drand());
          } else {
            real(first + j, from.frand());
          }
        }
      }
    }
  }
};
template <class T, class Algorithm>
auto groups_of(const CounterRandom<Algorithm>& random) {
  return counter_groups<Algorithm, T>{random};
}
template <class T, class Fill>
  requires(Fill::lanes > 0)
auto groups_of(const Fill& random) {
  return pool_groups<Fill>{random};
}
template <class T, class Generator, class Device>
auto groups_of(const RandomPool<Generator, Device>& pool) {
  return groups_of<T>(pool.impl_next_fill());
}

/// Fills `length` consecutive groups in one iteration. Groups are numbered by their indices with
/// the last index running fastest, but are visited in the order of memory.
template <class V, class Groups>
struct fill_kernel {
  using value = typename V::non_const_value_type;
  using part = real_part_t<value>;
  using generator = decltype(std::declval<const Groups&>().at(0));
  static constexpr int rank = static_cast<int>(V::rank());
  static constexpr int dims = rank > 0 ? rank : 1;

  V view;
  Groups groups;
  value begin;
  value end;
  index_t width;           ///< elements of a row along the last dimension
  index_t groups_per_row;  ///< rounded up
  index_t total;           ///< groups of all rows
  index_t length;
  index_t count[std::size_t{dims}];  ///< extents; the last one counts groups
  bool first_fastest;
  bool from_zero;  ///< end * unit computes the numbers

  HPK_FUNCTION void operator()(index_t piece) const {
    if constexpr (std::is_void_v<part>) {
      run<false>(piece);
    } else {
      // Two separate loops avoid a branch per element.
      from_zero ? run<true>(piece) : run<false>(piece);
    }
  }

  template <bool FromZero>
  HPK_FORCEINLINE_FUNCTION void run(index_t piece) const {
    const index_t from = piece * length;
    const index_t to = from + length < total ? from + length : total;
    if constexpr (rank <= 1) {
      // A loop over complete groups, then the rest.
      constexpr std::make_index_sequence<0> no_row;
      const index_t whole = rank == 0 ? 0 : width / Groups::group;
      const index_t stop = to < whole ? to : whole;
      for (index_t k = from; k < stop; ++k)
        fill_whole<FromZero>(no_row, nullptr, k, static_cast<std::uint64_t>(k));
      for (index_t k = from < whole ? whole : from; k < to; ++k)
        fill<FromZero>(no_row, nullptr, k, static_cast<std::uint64_t>(k));
    } else {
      index_t at[std::size_t{dims}];
      locate(from, at);
      for (index_t k = from; k < to; ++k) {
        index_t row = at[0];
        for (int r = 1; r < rank - 1; ++r) row = row * count[r] + at[r];
        fill<FromZero>(std::make_index_sequence<static_cast<std::size_t>(dims - 1)>(), at,
                       at[dims - 1],
                       static_cast<std::uint64_t>(row * groups_per_row + at[dims - 1]));
        step(at);
      }
    }
  }

  HPK_FUNCTION void locate(index_t k, index_t (&at)[std::size_t{dims}]) const {
    for (int d = 0; d < dims; ++d) {
      const int r = first_fastest ? d : dims - 1 - d;
      at[r] = k % count[r];
      k /= count[r];
    }
  }
  HPK_FUNCTION void step(index_t (&at)[std::size_t{dims}]) const {
    for (int d = 0; d < dims; ++d) {
      const int r = first_fastest ? d : dims - 1 - d;
      if (++at[r] < count[r]) return;
      at[r] = 0;
    }
  }

  /// Fills group k, which is group g of its row.
  template <bool FromZero, std::size_t... Rs>
  HPK_FORCEINLINE_FUNCTION void fill(std::index_sequence<Rs...> row,
                                     [[maybe_unused]] const index_t* at, index_t g,
                                     std::uint64_t k) const {
    if constexpr (rank == 0) {
      groups.each(k, 1, [&](int, generator& from) {
        view() = rand<generator, value>::draw(from, begin, end);
      });
    } else {
      const index_t first = g * Groups::group;
      if (first + Groups::group <= width) {
        fill_whole<FromZero>(row, at, g, k);
      } else {
        draw_each(row, at, first, static_cast<int>(width - first), k);
      }
    }
  }
  /// Does the same for a group that is completely in its row.
  template <bool FromZero, std::size_t... Rs>
  HPK_FORCEINLINE_FUNCTION void fill_whole(std::index_sequence<Rs...> row,
                                           [[maybe_unused]] const index_t* at, index_t g,
                                           std::uint64_t k) const {
    const index_t first = g * Groups::group;
    if constexpr (rank == 0) {
      static_cast<void>(first);
    } else if constexpr (!std::is_void_v<part>) {
      constexpr int parts = sizeof(value) / sizeof(part);
      part real = 0;
      groups.template reals<part, parts>(k, [&](int j, part unit) {
        if constexpr (parts == 1) {
          view(at[Rs]..., first + j) = scale<FromZero>(begin, end, unit);
        } else if (j % 2 == 0) {
          real = scale<FromZero>(begin.real(), end.real(), unit);
        } else {
          view(at[Rs]..., first + j / 2) = {real, scale<FromZero>(begin.imag(), end.imag(), unit)};
        }
      });
    } else {
      draw_each(row, at, first, Groups::group, k);
    }
  }
  /// Draws `size` elements from `first` on, one at a time.
  template <std::size_t... Rs>
  HPK_FORCEINLINE_FUNCTION void draw_each(std::index_sequence<Rs...>,
                                          [[maybe_unused]] const index_t* at, index_t first,
                                          int size, std::uint64_t k) const {
    groups.each(k, size, [&](int j, generator& from) {
      view(at[Rs]..., first + j) = rand<generator, value>::draw(from, begin, end);
    });
  }
  template <bool FromZero, class Part>
  HPK_FORCEINLINE_FUNCTION static Part scale(Part from, Part to, Part unit) {
    if constexpr (FromZero) {
      // Rounds to a number below `to`, because `to` is large enough (fills_from_zero).
      return to * unit;
    } else {
      return place_between(from, to, unit);
    }
  }
};

/// Whether end * unit computes the numbers: begin is 0 and end is not close to the smallest normal
/// number.
template <class T>
bool fills_from_zero(const T& begin, const T& end) {
  if constexpr (is_complex_v<T>) {
    return fills_from_zero(begin.real(), end.real()) && fills_from_zero(begin.imag(), end.imag());
  } else {
    return begin == T(0) && end >= norm_min_v<T> / epsilon_v<T>;
  }
}

template <class V>
constexpr bool check_fill_view() {
  constexpr bool may_change = !std::is_const_v<typename V::value_type>;
  static_assert(may_change,
                "hpk::fill_random: the View is one of const elements; write to a View of elements "
                "that are not const");
  return may_change;
}

template <class Exec, class V, class Groups>
void launch_fill(const Exec& exec, const V& view, const Groups& groups,
                 const typename V::non_const_value_type& begin,
                 const typename V::non_const_value_type& end, const std::source_location& where) {
  using kernel = fill_kernel<V, Groups>;
  constexpr int group = Groups::group;
  constexpr bool on_host = SpaceAccessibility<Exec, HostSpace>::accessible;
  kernel fill{view, groups, begin, end, 1, 1, 1, 1, {}, false, false};
  if constexpr (!std::is_void_v<typename kernel::part>)
    fill.from_zero = fills_from_zero(begin, end);
  if constexpr (kernel::rank > 0) {
    constexpr int last = kernel::rank - 1;
    fill.width = static_cast<index_t>(view.extent(static_cast<std::size_t>(last)));
    fill.groups_per_row = (fill.width + group - 1) / group;
    for (int r = 0; r < last; ++r) {
      fill.count[r] = static_cast<index_t>(view.extent(static_cast<std::size_t>(r)));
      fill.total *= fill.count[r];
    }
    fill.count[last] = fill.groups_per_row;
    fill.total *= fill.groups_per_row;
    fill.first_fastest = view.stride(0) < view.stride(last);
  }
  // Hosts process about 2048 elements per iteration.
  fill.length = on_host && group < 2048 ? 2048 / group : 1;
  const index_t pieces = (fill.total + fill.length - 1) / fill.length;
  parallel_for("hpk::fill_random", RangePolicy<Exec>(exec, 0, pieces), fill, where);
}

template <class Exec, class V, class R>
void run_fill(const Exec& exec, const V& view, const R& random,
              const typename V::non_const_value_type& begin,
              const typename V::non_const_value_type& end, const std::source_location& where) {
  using value = typename V::non_const_value_type;
  constexpr bool reaches = SpaceAccessibility<Exec, typename V::memory_space>::accessible;
  static_assert(reaches,
                "hpk::fill_random: the execution space can't access the memory of the View; write "
                "an instance of the View's execution_space");
  constexpr bool is_random = requires { groups_of<value>(random); };
  static_assert(is_random,
                "hpk::fill_random: the numbers come from a pool or a CounterRandom; write "
                "hpk::CounterRandom<>(seed)");
  if constexpr (check_fill_view<V>() && reaches && is_random) {
    using generator = decltype(groups_of<value>(random).at(0));
    // If hpk::rand does not support the type, its static_assert has already reported this.
    if constexpr (requires(generator& g) { rand<generator, value>::draw(g, begin, end); }) {
      check_fill(view.label(), begin, end, where);
      const auto groups = groups_of<value>(random);
      if (view.size() == 0) return;
      launch_fill(exec, view, groups, begin, end, where);
    }
  }
}

/// A function object that accepts Views of any rank. (Not a lambda, which nvcc rejects in a
/// concept.)
struct takes_any_view {
  template <class V>
  HPK_FUNCTION void operator()(const V&) const {}
};
/// A View, or a DynRankView, for which visit_rank calls a function with the View of its rank.
template <class V>
concept fillable = is_view_v<V> || requires(const V& view) { visit_rank(takes_any_view(), view); };

}  // namespace hpk::detail

namespace hpk {

/// Fills a View or DynRankView with random numbers from [begin, end), or from [0, range): integers
/// without bias, floating-point numbers that include begin but never end, complex numbers part by
/// part. It supports the types of hpk::rand, which programs may extend.
///
/// `random` is a CounterRandom or a pool. A CounterRandom gives the same numbers every time. A pool
/// gives new numbers every time: pools with equal seeds give the same numbers in their first fill,
/// the same in their second, and so on, for any number of states. The states are neither used nor
/// changed.
///
/// The number of an element depends on its indices and the extents, not on layout, space or
/// workers. A row along the last dimension is drawn in groups. Group k, counted from 0 over all
/// rows, draws the numbers of its elements in order from the generator random.at(k). A
/// CounterRandom has groups of the elements that one block gives: with Philox 2 doubles or 4
/// floats. So element j of a View of 1000 doubles is the (j % 2)-th drand() of random.at(j / 2).
/// Pools make generators in the same way, for groups of 128 elements (Random_SFC64: 32).
/// Random_XorShift64_Pool has 8 generators per group, which consecutive elements use in turn.
///
/// With an instance it is a launch like parallel_for. Without an instance it runs on
/// the View's space and returns after the work is done. Any thread may call it.
///
/// Errors: hpk::error if there is no number between the bounds (for integers begin >= end, for
/// others begin > end, or an infinite or NaN bound). An empty View is not an error.
///@{
template <ExecutionSpace Exec, class V, class R>
  requires detail::fillable<V>
void fill_random(const Exec& exec, const V& view, const R& random,
                 typename V::const_value_type& begin, typename V::const_value_type& end,
                 const std::source_location& where = std::source_location::current()) {
  if constexpr (is_view_v<V>) {
    detail::run_fill(exec, view, random, begin, end, where);
  } else {
    visit_rank(
        [&](const auto& of_rank) { detail::run_fill(exec, of_rank, random, begin, end, where); },
        view);
  }
}
template <ExecutionSpace Exec, class V, class R>
  requires detail::fillable<V>
void fill_random(const Exec& exec, const V& view, const R& random,
                 typename V::const_value_type& range,
                 const std::source_location& where = std::source_location::current()) {
  fill_random(exec, view, random, typename V::non_const_value_type(), range, where);
}
template <class V, class R>
  requires detail::fillable<V>
void fill_random(const V& view, const R& random, typename V::const_value_type& begin,
                 typename V::const_value_type& end,
                 const std::source_location& where = std::source_location::current()) {
  const typename V::execution_space exec;
  fill_random(exec, view, random, begin, end, where);
  exec.fence("hpk::fill_random");
}
template <class V, class R>
  requires detail::fillable<V>
void fill_random(const V& view, const R& random, typename V::const_value_type& range,
                 const std::source_location& where = std::source_location::current()) {
  const typename V::execution_space exec;
  fill_random(exec, view, random, typename V::non_const_value_type(), range, where);
  exec.fence("hpk::fill_random");
}
///@}

}  // namespace hpk
