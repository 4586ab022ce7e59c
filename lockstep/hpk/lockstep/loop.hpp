// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of lockstep kernels: the workers of a block divide the indices of a domain and call a
// functor for each. Loops are plain, conditional, collective, or over packs of indices.
#pragma once

#include <hpk/lockstep/variable.hpp>
#include <hpk/lockstep/worker.hpp>
#include <hpk/parallel.hpp>

namespace hpk::detail {

template <class V>
using slot_reference = std::conditional_t<std::is_const_v<std::remove_reference_t<V>>,
                                          const typename std::remove_cvref_t<V>::value_type&,
                                          typename std::remove_cvref_t<V>::value_type&>;
template <class V>
using slot_pointer = std::remove_reference_t<slot_reference<V>>*;

/// Whether all arguments after a functor are variables of the loop's shape; if not, a static_assert
/// fails.
template <class Shape, class... Vs>
constexpr bool variables_fit() {
  constexpr bool variables = (lockstep::is_variable_v<std::remove_cvref_t<Vs>> && ...);
  static_assert(variables,
                "hpk::lockstep::for_each: the arguments after the functor must be context "
                "variables; write auto v = hpk::lockstep::make_variable<double>(each), and "
                "capture everything else");
  if constexpr (variables) {
    constexpr bool same =
        (std::is_same_v<typename std::remove_cvref_t<Vs>::impl_shape, Shape> && ...);
    static_assert(same,
                  "hpk::lockstep::for_each: a context variable is used in a loop of another shape "
                  "than its own; make it by a loop over the same domain of the same worker");
    return same;
  } else {
    return false;
  }
}

/// Converts the index to the functor's parameter: the idx itself, or an integer.
template <class Shape, class F, class... Rest>
HPK_FORCEINLINE_FUNCTION constexpr auto index_for(const lockstep::idx& i) noexcept {
  using parameter = index_parameter_t<0, 1, lockstep::idx, F, void, Rest...>;
  if constexpr (std::is_arithmetic_v<parameter>) {
    constexpr std::uint32_t end = Shape::domain;
    constexpr bool holds = holds_bound<parameter>(is_index_v<parameter> ? end - 1 : end);
    static_assert(holds,
                  "hpk::lockstep: the domain does not fit the index type of the functor; write "
                  "[&](hpk::lockstep::idx i)");
  }
  return static_cast<kernel_index_t<lockstep::idx, F, void, Rest...>>(i);
}

/// Calls a functor with the index, if it takes one, and the values of the variables.
HPK_CALLS_EITHER
template <class Shape, class F, class... Ts>
HPK_FORCEINLINE_FUNCTION decltype(auto) call_lockstep(const F& f, const lockstep::idx& i,
                                                      Ts&... values) {
  if constexpr (std::is_invocable_v<const F&, const lockstep::idx&, Ts&...>) {
    return f(detail::index_for<Shape, F, Ts&...>(i), values...);
  } else if constexpr (std::is_invocable_v<const F&, Ts&...>) {
    return f(values...);
  } else {
    static_assert(always_false<F>,
                  "hpk::lockstep::for_each: the functor is called as const, with the index and a "
                  "reference to the value of each variable; write [&](hpk::lockstep::idx i, "
                  "double& value) { ... }");
  }
}

/// Marks the worker as inside a loop, in checked builds.
template <class Worker>
class inside_loop {
 public:
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION explicit inside_loop(const Worker& w) : worker_(w) {
    w.expect_no_loop("a loop");
    if constexpr (static_cast<bool>(HPK_CHECKS)) before_ = w.impl_enter_loop();
  }
  inside_loop(const inside_loop&) = delete;
  inside_loop& operator=(const inside_loop&) = delete;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION ~inside_loop() {
    if constexpr (static_cast<bool>(HPK_CHECKS)) worker_.impl_leave_loop(before_);
  }

 private:
  const Worker& worker_;
  // The index of the enclosing collective loop.
  std::uint32_t before_ = no_index;
};

}  // namespace hpk::detail

namespace hpk::lockstep {

template <class Loop, class Condition>
class masked_loop;

/// A loop over a domain, from for_each<N>(w) or for_each(w): the workers of a block call a functor
/// once for each index, in unspecified order, without a barrier before or after. A loop object may
/// be called repeatedly; a worker runs the same indices in all loops of a shape. All workers of the
/// block must call a loop, outside of other loops (an error in checked builds).
///
///   const auto each = lockstep::for_each<256>(w);
///   auto v = each([&](lockstep::idx i) { return x(i); });      // a variable, one value an index
///   each([&](lockstep::idx i, double& value) { value *= 2; }, v);
template <class Worker, class Shape>
class loop {
 public:
  /// The number of indices; the number in a pack; the largest number of packs of a worker.
  ///@{
  static constexpr std::uint32_t domain_size = Shape::domain;
  static constexpr std::uint32_t simd_width = Shape::simd;
  static constexpr std::uint32_t rounds =
      detail::packs_of(Shape::packs, static_cast<std::uint32_t>(Worker::least));
  ///@}
  using worker_type = Worker;  ///< divides the indices with the others of its block
  /// For the library: loops and variables must have the same shape.
  using impl_shape = Shape;

  /// A loop for the worker, which must outlive it.
  HPK_FUNCTION explicit constexpr loop(const Worker& w) noexcept : worker_(w) {}
  /// The worker passed to the constructor.
  HPK_FUNCTION constexpr const Worker& worker() const noexcept { return worker_; }

  /// Calls f(i, values...) for each index. i converts to std::uint32_t; a functor may omit it.
  /// `values` are the values of the variables at this index, const for const variables. If f
  /// returns a value, the call returns a variable that holds it for each index.
  HPK_CALLS_EITHER
  template <class F, class... Vs>
  HPK_FORCEINLINE_FUNCTION auto operator()(const F& f, Vs&&... vs) const {
    constexpr bool fits = detail::variables_fit<Shape, Vs...>();
    if constexpr (fits) {
      using result = decltype(detail::call_lockstep<Shape>(
          f, std::declval<const idx&>(), std::declval<detail::slot_reference<Vs>>()...));
      const detail::inside_loop<Worker> mark(worker_);
      const auto body = [&](std::uint32_t index, std::uint32_t place) -> decltype(auto) {
        return detail::call_lockstep<Shape>(f, make_idx(index, place), vs.impl_at(place)...);
      };
      if constexpr (std::is_void_v<result>) {
        impl_visit(body);
      } else {
        return variable<std::remove_cvref_t<result>, Shape>(detail::from_functor(), *this, body);
      }
    }
  }

  /// Returns the loop over the indices for which `condition` is true: a context variable of bool,
  /// or a functor of the index. Use: where(c)(f, vs...).
  HPK_CALLS_EITHER
  template <class Condition>
  HPK_FUNCTION constexpr auto where(const Condition& condition) const {
    return masked_loop<loop, Condition>(*this, condition);
  }

  /// Calls f(i, active) equally often on every worker of the block, so that f may call collective
  /// functions: sync(), and operations of w.member(). `active` is false in the extra calls, whose i
  /// is not in the domain. Collective.
  HPK_CALLS_EITHER
  template <class F>
  HPK_FORCEINLINE_FUNCTION void collective(const F& f) const {
    constexpr bool callable = std::is_invocable_v<const F&, const idx&, bool>;
    static_assert(callable,
                  "hpk::lockstep: the functor of a collective loop is called as const, with the "
                  "index and whether it is active; write "
                  "[&](hpk::lockstep::idx i, bool active) { ... }");
    worker_.expect_no_loop("a collective loop");
    const auto size = static_cast<std::uint32_t>(worker_.size());
    const auto rank = static_cast<std::uint32_t>(worker_.rank());
    const std::uint32_t packs = detail::packs_of(Shape::packs, size);
    for (std::uint32_t k = 0; k < packs * simd_width; ++k) {
      const std::uint32_t pack =
          Worker::has_all_places ? rank * packs + k / simd_width : k / simd_width * size + rank;
      const std::uint32_t index = pack * simd_width + k % simd_width;
      const std::uint32_t place = Worker::has_all_places ? index : k;
      if constexpr (callable)
        f(detail::index_for<Shape, F, bool>(make_idx(index, place)), index < domain_size);
    }
    worker_.impl_run(detail::no_index);
  }

  /// Calls f(p, pointers...) once for each pack of consecutive indices; each pointer refers to
  /// p.size() values of a variable.
  HPK_CALLS_EITHER
  template <class F, class... Vs>
  HPK_FORCEINLINE_FUNCTION void packs(const F& f, Vs&&... vs) const {
    constexpr bool fits = detail::variables_fit<Shape, Vs...>();
    if constexpr (fits) {
      constexpr bool callable =
          std::is_invocable_v<const F&, const pack&, detail::slot_pointer<Vs>...>;
      static_assert(callable,
                    "hpk::lockstep: the functor of packs is called as const, with the pack and a "
                    "pointer to the values of each variable; write [&](hpk::lockstep::pack p, "
                    "double* values) { ... }");
      const detail::inside_loop<Worker> mark(worker_);
      visit_packs([&](std::uint32_t index, std::uint32_t place) {
        const std::uint32_t left = domain_size - index;
        const std::uint32_t size = left < simd_width ? left : simd_width;
        if constexpr (callable)
          f(detail::lockstep_access::make_pack(index, size), &vs.impl_at(place)...);
      });
    }
  }

  /// Returns the number of indices of the domain for which `condition` is true; whether it is true
  /// for any index; for all. Every worker receives the result. Collective.
  ///@{
  HPK_CALLS_EITHER
  template <class Condition>
  HPK_FUNCTION std::uint32_t count(const Condition& condition) const {
    std::uint32_t own_count = 0;
    {
      const detail::inside_loop<Worker> mark(worker_);
      impl_visit([&](std::uint32_t index, std::uint32_t place) {
        if (impl_holds(condition, index, place)) ++own_count;
      });
    }
    return worker_.impl_sum(own_count);
  }
  HPK_CALLS_EITHER
  template <class Condition>
  HPK_FUNCTION bool any(const Condition& condition) const {
    return count(condition) != 0;
  }
  HPK_CALLS_EITHER
  template <class Condition>
  HPK_FUNCTION bool all(const Condition& condition) const {
    return count(condition) == domain_size;
  }
  ///@}

  /// For the library: calls f(index, place) for the indices of this worker.
  HPK_CALLS_EITHER
  template <class F>
  HPK_FORCEINLINE_FUNCTION void impl_visit(const F& f) const {
    if constexpr (Worker::has_all_places) {
      // A separate loop of constant length for a single worker, the common case on hosts.
      if (worker_.size() == 1) [[likely]] {
        for (std::uint32_t i = 0; i < domain_size; ++i) f(i, i);
      } else {
        const detail::index_range own = own_indices();
        for (auto i = static_cast<std::uint32_t>(own.begin);
             i < static_cast<std::uint32_t>(own.end); ++i)
          f(i, i);
      }
    } else {
      visit_packs([&](std::uint32_t index, std::uint32_t place) {
        HPK_UNROLL_16
        for (std::uint32_t k = 0; k < simd_width; ++k) {
          if (domain_size % simd_width == 0 || index + k < domain_size) f(index + k, place + k);
        }
      });
    }
  }
  /// For the library: the rank of the worker.
  HPK_FUNCTION constexpr int impl_rank() const noexcept { return worker_.rank(); }
  /// For the library: whether a condition is true for an index.
  HPK_CALLS_EITHER
  template <class Condition>
  HPK_FORCEINLINE_FUNCTION bool impl_holds(const Condition& condition, std::uint32_t index,
                                           std::uint32_t place) const {
    if constexpr (is_variable_v<Condition>) {
      constexpr bool fits = detail::variables_fit<Shape, Condition>();
      if constexpr (fits) {
        return static_cast<bool>(condition.impl_at(place));
      } else {
        return false;
      }
    } else {
      constexpr bool callable = std::is_invocable_r_v<bool, const Condition&, const idx&>;
      static_assert(callable,
                    "hpk::lockstep: a condition is a context variable of bool or a functor of the "
                    "index; write [&](hpk::lockstep::idx i) { return x(i) > 0; }");
      if constexpr (callable) {
        return condition(detail::index_for<Shape, Condition>(make_idx(index, place)));
      } else {
        return false;
      }
    }
  }

 private:
  HPK_FORCEINLINE_FUNCTION constexpr idx make_idx(std::uint32_t index,
                                                  std::uint32_t place) const noexcept {
    return detail::lockstep_access::make_idx<Shape>(index, place, worker_.rank(),
                                                    worker_.impl_run(index));
  }
  // A chunk of neighbouring packs; all workers have chunks of the same size, except at the end.
  HPK_FORCEINLINE_FUNCTION constexpr detail::index_range own_indices() const noexcept {
    if (worker_.size() == 1) return {0, domain_size};
    const index_t chunk =
        index_t{detail::packs_of(Shape::packs, static_cast<std::uint32_t>(worker_.size()))} *
        simd_width;
    const index_t begin = chunk * worker_.rank();
    const index_t end = begin + chunk;
    return {begin < domain_size ? begin : domain_size, end < domain_size ? end : domain_size};
  }
  // Calls f(first index, its place) for the packs of this worker. On devices neighbouring workers
  // run neighbouring packs.
  HPK_CALLS_EITHER
  template <class F>
  HPK_FORCEINLINE_FUNCTION void visit_packs(const F& f) const {
    if constexpr (Worker::has_all_places) {
      const detail::index_range own = own_indices();
      for (auto i = static_cast<std::uint32_t>(own.begin); i < static_cast<std::uint32_t>(own.end);
           i += simd_width)
        f(i, i);
    } else {
      const auto size = static_cast<std::uint32_t>(worker_.size());
      const auto rank = static_cast<std::uint32_t>(worker_.rank());
      if constexpr (rounds <= 16) {
        HPK_UNROLL_16
        for (std::uint32_t r = 0; r < rounds; ++r) {
          const std::uint32_t pack = r * size + rank;
          if (pack < Shape::packs) f(pack * simd_width, r * simd_width);
        }
      } else {
        std::uint32_t place = 0;
        for (std::uint32_t pack = rank; pack < Shape::packs; pack += size, place += simd_width)
          f(pack * simd_width, place);
      }
    }
  }

  const Worker& worker_;
};

/// The loop over the indices for which a condition is true, from loop::where. Stores a copy of a
/// functor, a reference to a variable.
template <class Loop, class Condition>
class masked_loop {
 public:
  /// For the library: made by loop::where.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr masked_loop(const Loop& each, const Condition& condition)
      : each_(each), condition_(condition) {}

  /// Calls f(i, values...) for each index for which the condition is true. Returns nothing.
  HPK_CALLS_EITHER
  template <class F, class... Vs>
  HPK_FORCEINLINE_FUNCTION void operator()(const F& f, Vs&&... vs) const {
    using shape = typename Loop::impl_shape;
    constexpr bool fits = detail::variables_fit<shape, Vs...>();
    if constexpr (fits) {
      using result = decltype(detail::call_lockstep<shape>(
          f, std::declval<const idx&>(), std::declval<detail::slot_reference<Vs>>()...));
      static_assert(std::is_void_v<result>,
                    "hpk::lockstep: a loop with a condition makes no variable, since the other "
                    "indices would have no value; let the functor return nothing");
      const detail::inside_loop<typename Loop::worker_type> mark(each_.worker());
      each_.impl_visit([&](std::uint32_t index, std::uint32_t place) {
        if (each_.impl_holds(condition_, index, place)) {
          detail::call_lockstep<shape>(
              f,
              detail::lockstep_access::make_idx<shape>(index, place, each_.impl_rank(),
                                                       each_.worker().impl_run(index)),
              vs.impl_at(place)...);
        }
      });
    }
  }

 private:
  Loop each_;
  // Variables can't be copied.
  std::conditional_t<is_variable_v<Condition>, const Condition&, const Condition> condition_;
};

/// A loop over N indices for the workers of a block, or over the block domain; callable without
/// `template` where the type of w depends on a template argument.
///@{
HPK_CALLS_EITHER
template <std::uint32_t N, class Member, class Config, int Fixed>
HPK_FUNCTION auto for_each(const worker<Member, Config, Fixed>& w) {
  return w.template for_each<N>();
}
HPK_CALLS_EITHER
template <class Member, class Config, int Fixed>
HPK_FUNCTION auto for_each(const worker<Member, Config, Fixed>& w) {
  return w.for_each();
}
///@}
/// Creates a loop and runs it once: for_each<N>(w)(f, vs...).
///@{
HPK_CALLS_EITHER
template <std::uint32_t N, class Member, class Config, int Fixed, class F, class... Vs>
HPK_FORCEINLINE_FUNCTION auto for_each(const worker<Member, Config, Fixed>& w, const F& f,
                                       Vs&&... vs) {
  return w.template for_each<N>()(f, vs...);
}
HPK_CALLS_EITHER
template <class Member, class Config, int Fixed, class F, class... Vs>
HPK_FORCEINLINE_FUNCTION auto for_each(const worker<Member, Config, Fixed>& w, const F& f,
                                       Vs&&... vs) {
  return w.for_each()(f, vs...);
}
///@}

/// A context variable of T for the loops of a shape. Without arguments the values are T(), or
/// uninitialised for plain types; with arguments each value is T(args...).
HPK_CALLS_EITHER
template <class T, class Worker, class Shape, class... Args>
HPK_FORCEINLINE_FUNCTION variable<T, Shape> make_variable(const loop<Worker, Shape>& each,
                                                          const Args&... args) {
  if constexpr (sizeof...(Args) == 0) {
    return variable<T, Shape>(detail::from_nothing(), each);
  } else {
    static_assert(std::is_constructible_v<T, const Args&...>,
                  "hpk::lockstep::make_variable: the type has no constructor for these arguments; "
                  "write make_variable<T>(each, arguments of T...)");
    return variable<T, Shape>(detail::from_arguments(), each, args...);
  }
}

}  // namespace hpk::lockstep
