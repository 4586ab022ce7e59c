// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the matrix: one per pattern, for any policy or range. Is are the types of the
// arguments before the update: the tag if there is one, then indices or the handle of a team.
#pragma once

#include <matrix/dimensions.hpp>

namespace matrix {

/// The sums of the marks of iterations.
template <class Exec>
using marks = hpk::View<word*, Exec>;

template <class Kind, class Exec, class... Is>
struct for_body {
  marks<Exec> sums;
  int place = 0;
  std::int64_t origin = 0;
  HPK_FUNCTION void operator()(const Is&... is) const {
    std::int64_t number = origin;
    (count_on(number, is), ...);
    hpk::atomic_add(&sums(place), mark(number));
  }
};

template <class Kind, class Exec, class... Is>
struct reduce_body : Kind::hooks {
  using value_type = typename Kind::value_type;
  std::int64_t origin = 0;
  HPK_FUNCTION explicit reduce_body(std::int64_t first = 0) : origin(first) {}
  HPK_FUNCTION void operator()(const Is&... is, value_type& update) const {
    std::int64_t number = origin;
    (count_on(number, is), ...);
    Kind::fold(number, update);
  }
};

template <class Kind, class Exec, class... Is>
struct several_body {
  std::int64_t origin = 0;
  HPK_FUNCTION explicit several_body(std::int64_t first = 0) : origin(first) {}
  HPK_FUNCTION void operator()(const Is&... is, std::int64_t& sum, std::int64_t& most) const {
    std::int64_t number = origin;
    (count_on(number, is), ...);
    sum += term(number);
    if (term(number) > most) most = term(number);
  }
};

template <class Kind, class Exec, class... Is>
struct array_body {
  using value_type = std::int64_t[];
  static constexpr unsigned value_count = 3;
  HPK_FUNCTION void operator()(const Is&... is, std::int64_t* update) const {
    std::int64_t number = 0;
    (count_on(number, is), ...);
    update[number % 3] += term(number);
  }
};

/// Marks the value of the update before and after each iteration.
template <class Kind, class Exec, class... Is>
struct scan_body : Kind::hooks {
  using value_type = typename Kind::value_type;
  marks<Exec> sums;
  int place = 0;
  std::int64_t origin = 0;
  HPK_FUNCTION scan_body(const marks<Exec>& s, int p, std::int64_t first)
      : sums(s), place(p), origin(first) {}
  HPK_FUNCTION void operator()(const Is&... is, value_type& update, bool last) const {
    std::int64_t number = origin;
    (count_on(number, is), ...);
    if (last) hpk::atomic_add(&sums(place), mark(number, update));
    Kind::fold(number, update);
    if (last) hpk::atomic_add(&sums(place), mark(-number, update));
  }
};

template <template <class...> class Body, class Kind, class Exec, class Where>
struct find_body {
  template <std::size_t... Rs>
  static auto find(std::index_sequence<Rs...>) {
    using tag = typename Kind::tag;
    if constexpr (Where::rank == 0) {
      using member = typename hpk::TeamPolicy<Exec>::member_type;
      if constexpr (std::is_void_v<tag>) {
        return hpk::detail::type_identity<Body<Kind, Exec, member>>();
      } else {
        return hpk::detail::type_identity<Body<Kind, Exec, tag, member>>();
      }
    } else if constexpr (std::is_void_v<tag>) {
      return hpk::detail::type_identity<
          Body<Kind, Exec, std::conditional_t<Rs != 0, int, int>...>>();
    } else {
      return hpk::detail::type_identity<
          Body<Kind, Exec, tag, std::conditional_t<Rs != 0, int, int>...>>();
    }
  }
  using type = typename decltype(find(
      std::make_index_sequence<static_cast<std::size_t>(Where::rank)>()))::type;
};
/// The kernel of a pattern into Kind over Where, a policy or a range inside a team.
template <template <class...> class Body, class Kind, class Exec, class Where>
using body_of = typename find_body<Body, Kind, Exec, Where>::type;

}  // namespace matrix
