// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dimensions of the matrix, one line per entry, and the missing combinations, each with its
// reason. All other combinations have to run: a pattern over a policy, or in a loop inside a team,
// with a kind of result.
#pragma once

#include <matrix/record.hpp>

#include <concepts>
#include <limits>
#include <string_view>
#include <utility>

namespace matrix {

using hpk::detail::type_list;
using hpk_test::factor_of;
using hpk_test::times;

/// Returns the contribution of iteration k.
HPK_FUNCTION inline std::int64_t term(std::int64_t k) { return (k * 7919 + 13) % 101 - 50; }
/// Properties of entries, for the list of missing combinations.
enum class group {
  all,
  count,
  policy,
  middle_rank,  // is also a policy
  teams,
  nested_range,
  nested_mdrange,
  variable,
  reducer,
  located_reducer,  // is also a reducer
  several,
  array,
  tagged
};
enum class pattern { all, loop, reduce, scan };
inline constexpr std::string_view pattern_names[] = {"", "parallel_for", "parallel_reduce",
                                                     "parallel_scan"};
/// "parallel_reduce/Rank<2> in tiles/Sum"
inline std::string name_of(pattern what, std::string_view where, bool tiled,
                           std::string_view kind) {
  std::string name(pattern_names[static_cast<int>(what)]);
  name.append("/").append(where).append(tiled ? " in tiles/" : "/").append(kind);
  return name;
}

/// The tag of tagged kernels.
struct own_tag {};

struct no_hooks {};
struct own_hooks {
  HPK_FUNCTION void init(factor& value) const { value = {1, 0, 0, 1}; }
  HPK_FUNCTION void join(factor& to, const factor& from) const { to = times(to, from); }
  HPK_FUNCTION void final(factor& value) const { value.a += 1; }
};
struct own_tagged_hooks {
  HPK_FUNCTION void init(own_tag, factor& value) const { value = {1, 0, 0, 1}; }
  HPK_FUNCTION void join(own_tag, factor& to, const factor& from) const { to = times(to, from); }
  HPK_FUNCTION void final(own_tag, factor& value) const { value.a += 1; }
};
/// A user-defined reducer.
struct own_product : own_hooks {
  using reducer = own_product;
  using value_type = factor;
  factor* result;
  HPK_FUNCTION explicit own_product(factor& value) : result(&value) {}
  HPK_FUNCTION factor& reference() const { return *result; }
};

/// The defaults of a kind of result: a variable holds the result.
template <class T>
struct by_variable {
  using value_type = T;
  using tag = void;
  using hooks = no_hooks;
  static constexpr matrix::group group = matrix::group::variable;
  static constexpr bool exact = true;     ///< not rounded: equal on all spaces
  static constexpr bool in_view = false;  ///< the result is a View
  HPK_FUNCTION static T& into(T& value) { return value; }
  static T start() { return T(); }
  static void finish(T&) {}
};
template <class R>
struct by_reducer : by_variable<typename R::value_type> {
  using value_type = typename R::value_type;
  static constexpr matrix::group group = matrix::group::reducer;
  HPK_FUNCTION static R into(value_type& value) { return R(value); }
  static value_type start() {
    value_type value;
    R(value).init(value);
    return value;
  }
};
template <class R>
struct by_located : by_reducer<R> {
  static constexpr matrix::group group = matrix::group::located_reducer;
};
/// A user-defined order: by the distance from 7.
struct nearer_to_7 {
  HPK_FUNCTION bool operator()(std::int64_t a, std::int64_t b) const {
    return (a - 7) * (a - 7) < (b - 7) * (b - 7);
  }
};
template <class R>
struct by_compare : by_located<R> {
  using value_type = typename R::value_type;
  HPK_FUNCTION static R into(value_type& value) { return R(value, nearer_to_7()); }
  static value_type start() {
    value_type value;
    into(value).init(value);
    return value;
  }
  // Joins a value at k as the reducer does.
  HPK_FUNCTION static void join_at(std::int64_t k, value_type& u) {
    if constexpr (requires { u.loc; }) {
      into(u).join(u, {term(k), k});
    } else {
      into(u).join(u, {term(k), term(k), k, k});
    }
  }
};
struct sum_and_most {
  std::int64_t sum;
  std::int64_t most;
};
HPK_FUNCTION inline words words_of(const sum_and_most& value) {
  return {{word_of(value.sum), word_of(value.most), 0, 0}};
}
struct by_several : by_variable<sum_and_most> {
  static constexpr matrix::group group = matrix::group::several;
  static sum_and_most start() { return {0, std::numeric_limits<std::int64_t>::lowest()}; }
};
struct three_sums {
  std::int64_t v[3];
};
HPK_FUNCTION inline words words_of(const three_sums& value) {
  return {{word_of(value.v[0]), word_of(value.v[1]), word_of(value.v[2]), 0}};
}
struct by_array : by_variable<three_sums> {
  static constexpr matrix::group group = matrix::group::array;
};
struct by_rounding : by_variable<double> {
  static constexpr bool exact = false;
};
struct by_view : by_variable<std::int64_t> {
  static constexpr bool in_view = true;
};
struct by_own_reducer : by_reducer<own_product> {
  static void finish(factor& value) { value.a += 1; }
};
struct by_hooks : by_variable<factor> {
  using hooks = own_hooks;
  static factor start() { return {1, 0, 0, 1}; }
  static void finish(factor& value) { value.a += 1; }
};
struct by_tag : by_variable<std::int64_t> {
  using tag = own_tag;
  static constexpr matrix::group group = matrix::group::tagged;
};
struct by_tagged_hooks : by_hooks {
  using tag = own_tag;
  using hooks = own_tagged_hooks;
  static constexpr matrix::group group = matrix::group::tagged;
};

#define MATRIX_KIND(type, base, ...)                                              \
  struct type : base {                                                            \
    static constexpr std::string_view name = #type;                               \
    HPK_FUNCTION static void fold(std::int64_t k, value_type& u) { __VA_ARGS__; } \
  };
// Kinds of results: a base class from above, and the contribution of iteration k to the update.
namespace kind {
using whole = std::int64_t;
using at_min = by_reducer<hpk::MinLoc<whole, whole>>;
using at_max = by_reducer<hpk::MaxLoc<whole, whole>>;
using at_both = by_reducer<hpk::MinMaxLoc<whole, whole>>;
using first_min = by_located<hpk::MinFirstLoc<whole, whole>>;
using first_max = by_located<hpk::MaxFirstLoc<whole, whole>>;
using first_and_last = by_located<hpk::MinMaxFirstLastLoc<whole, whole>>;
using first_nearest = by_compare<hpk::MinFirstLocCustomComparator<whole, whole, nearer_to_7>>;
using first_farthest = by_compare<hpk::MaxFirstLocCustomComparator<whole, whole, nearer_to_7>>;
using nearest_and_farthest =
    by_compare<hpk::MinMaxFirstLastLocCustomComparator<whole, whole, nearer_to_7>>;

// The built-in reducers. A test finds missing ones through their header. Values repeat, and the
// location is that of the first.
MATRIX_KIND(Sum, by_reducer<hpk::Sum<whole>>, u += term(k))
MATRIX_KIND(Prod, by_reducer<hpk::Prod<word>>, u *= 2 * static_cast<word>(k) + 1)
MATRIX_KIND(Min, by_reducer<hpk::Min<whole>>, if (term(k) < u) u = term(k))
MATRIX_KIND(Max, by_reducer<hpk::Max<whole>>, if (term(k) > u) u = term(k))
MATRIX_KIND(LAnd, by_reducer<hpk::LAnd<int>>, u = u && term(k) != 37)
MATRIX_KIND(LOr, by_reducer<hpk::LOr<int>>, u = u || term(k) == 37)
MATRIX_KIND(BAnd, by_reducer<hpk::BAnd<unsigned>>, u &= ~(1u << (term(k) + 50) % 31))
MATRIX_KIND(BOr, by_reducer<hpk::BOr<unsigned>>, u |= 1u << (term(k) + 50) % 31)
MATRIX_KIND(MinLoc, at_min, if (term(k) < u.val) u = {term(k), k})
MATRIX_KIND(MaxLoc, at_max, if (term(k) > u.val) u = {term(k), k})
MATRIX_KIND(MinMax, by_reducer<hpk::MinMax<whole>>, if (term(k) < u.min_val) u.min_val = term(k);
            if (term(k) > u.max_val) u.max_val = term(k))
MATRIX_KIND(
    MinMaxLoc, at_both,
    if (term(k) < u.min_val) {
      u.min_val = term(k);
      u.min_loc = k;
    } if (term(k) > u.max_val) {
      u.max_val = term(k);
      u.max_loc = k;
    })
MATRIX_KIND(FirstLoc, by_located<hpk::FirstLoc<whole>>,
            if (term(k) > 40 && k < u.min_loc_true) u.min_loc_true = k)
MATRIX_KIND(LastLoc, by_located<hpk::LastLoc<whole>>,
            if (term(k) > 40 && k > u.max_loc_true) u.max_loc_true = k)
MATRIX_KIND(StdIsPartitioned, by_located<hpk::StdIsPartitioned<whole>>,
            if (term(k) > 0 && k > u.max_loc_true) u.max_loc_true = k;
            if (term(k) <= 0 && k < u.min_loc_false) u.min_loc_false = k)
MATRIX_KIND(StdPartitionPoint, by_located<hpk::StdPartitionPoint<whole>>,
            if (term(k) <= 0 && k < u.min_loc_false) u.min_loc_false = k)
MATRIX_KIND(MinFirstLoc, first_min, into(u).join(u, {term(k), k}))
MATRIX_KIND(MaxFirstLoc, first_max, into(u).join(u, {term(k), k}))
MATRIX_KIND(MinMaxFirstLastLoc, first_and_last, into(u).join(u, {term(k), term(k), k, k}))
MATRIX_KIND(MinFirstLocCustomComparator, first_nearest, join_at(k, u))
MATRIX_KIND(MaxFirstLocCustomComparator, first_farthest, join_at(k, u))
MATRIX_KIND(MinMaxFirstLastLocCustomComparator, nearest_and_farthest, join_at(k, u))
MATRIX_KIND(own_reducer, by_own_reducer, u = times(u, factor_of(k)))
MATRIX_KIND(plus, by_variable<whole>, u += term(k))
MATRIX_KIND(rounded_plus, by_rounding, u += 1.0 / (1.0 + static_cast<double>(k)))
MATRIX_KIND(into_a_view, by_view, u += term(k))
MATRIX_KIND(with_hooks, by_hooks, u = times(u, factor_of(k)))
MATRIX_KIND(with_tag, by_tag, u += term(k))
MATRIX_KIND(with_tag_and_hooks, by_tagged_hooks, u = times(u, factor_of(k)))
MATRIX_KIND(several_results, by_several, u.sum += term(k); if (term(k) > u.most) u.most = term(k))
MATRIX_KIND(array_of_results, by_array, u.v[k % 3] += term(k))
}  // namespace kind
#undef MATRIX_KIND

using kinds =
    type_list<kind::Sum, kind::Prod, kind::Min, kind::Max, kind::LAnd, kind::LOr, kind::BAnd,
              kind::BOr, kind::MinLoc, kind::MaxLoc, kind::MinMax, kind::MinMaxLoc, kind::FirstLoc,
              kind::LastLoc, kind::StdIsPartitioned, kind::StdPartitionPoint, kind::MinFirstLoc,
              kind::MaxFirstLoc, kind::MinMaxFirstLastLoc, kind::MinFirstLocCustomComparator,
              kind::MaxFirstLocCustomComparator, kind::MinMaxFirstLastLocCustomComparator,
              kind::own_reducer, kind::plus, kind::rounded_plus, kind::into_a_view,
              kind::with_hooks, kind::with_tag, kind::with_tag_and_hooks, kind::several_results,
              kind::array_of_results>;
// A loop has no result; it has a tag or none.
using loop_kinds = type_list<kind::plus, kind::with_tag>;
template <class Kind>
inline constexpr bool is_loop_kind =
    std::is_same_v<Kind, kind::plus> || std::is_same_v<Kind, kind::with_tag>;

// The policies. Each defines the number of indices of its kernel, its sizes, a policy of one size,
// and the numbers of its iterations in their order.
struct count {
  static constexpr std::string_view name = "count";
  static constexpr matrix::group group = matrix::group::count;
  static constexpr int rank = 1;
  static constexpr bool has_tiles = false;
  static constexpr bool is_tiled(int) { return false; }
  static constexpr int sizes[] = {0, 1, 5, 33, 100, 3000, 20000};
  // A count runs on the default space. Other spaces use the equivalent policy.
  template <class Exec, class Tag>
  static auto policy(const Exec& exec, int n) {
    if constexpr (std::is_same_v<Exec, hpk::DefaultExecutionSpace>) {
      return n;
    } else {
      return hpk::RangePolicy<Exec>(exec, 0, n);
    }
  }
  template <class Visit>
  static void for_numbers(int n, const Visit& visit) {
    for (int k = 0; k < n; ++k) visit(k);
  }
};

struct range : count {
  static constexpr matrix::group group = matrix::group::policy;
  static constexpr std::string_view name = "RangePolicy";
  template <class Exec, class Tag>
  static auto policy(const Exec& exec, int n) {
    return hpk::RangePolicy<Exec, Tag>(exec, 3, n + 3);
  }
  template <class Visit>
  static void for_numbers(int n, const Visit& visit) {
    for (int k = 3; k < n + 3; ++k) visit(k);
  }
};

/// Appends an index to the number of an iteration. For points, each dimension has up to 16 indices.
HPK_FUNCTION inline void count_on(std::int64_t& number, int index) { number = number * 16 + index; }
HPK_FUNCTION inline void count_on(std::int64_t&, own_tag) {}
template <hpk::TeamHandle Member>
HPK_FUNCTION void count_on(std::int64_t& number, const Member& team) {
  number = team.league_rank() * 1024 + team.team_rank();
}

/// Boxes of N dimensions in four sizes, each as a whole and in tiles.
template <int N>
struct box {
  static constexpr std::string_view names[8] = {"Rank<1>", "Rank<2>", "Rank<3>", "Rank<4>",
                                                "Rank<5>", "Rank<6>", "Rank<7>", "Rank<8>"};
  static constexpr std::string_view name = names[N - 1];
  static constexpr matrix::group group =
      N >= 4 && N <= 7 ? matrix::group::middle_rank : matrix::group::policy;
  static constexpr int rank = N;
  static constexpr int sizes[] = {0, 1, 2, 3, 4, 5, 6, 7};
  static constexpr bool has_tiles = true;
  static constexpr bool is_tiled(int size) { return size >= 4; }
  static constexpr int extents[4][8] = {{4, 3, 2, 0, 1, 2, 1, 2},
                                        {1, 1, 1, 1, 1, 1, 1, 1},
                                        {5, 3, 4, 2, 3, 1, 2, 2},
                                        {40, 7, 2, 1, 3, 1, 2, 2}};
  static constexpr int tiles[8] = {3, 2, 0, 2, 1, 3, 1, 2};
  template <class Exec, class Tag>
  static auto policy(const Exec& exec, int size) {
    int lower[N];
    int upper[N];
    int tile[N];
    for (int r = 0; r < N; ++r) {
      lower[r] = r % 3 + 1;
      upper[r] = lower[r] + extents[size % 4][r];
      tile[r] = is_tiled(size) ? tiles[r] : 0;
    }
    return hpk::MDRangePolicy<Exec, hpk::Rank<N, hpk::Iterate::Right, hpk::Iterate::Right>, Tag>(
        exec, lower, upper, tile);
  }
  template <class Visit>
  static void for_numbers(int size, const Visit& visit) {
    visit_rows(size, 0, 0, visit);
  }
  template <class Visit>
  static void visit_rows(int size, int r, std::int64_t number, const Visit& visit) {
    for (int i = 0; i < extents[size % 4][r]; ++i) {
      std::int64_t mine = number;
      count_on(mine, i + r % 3 + 1);
      if (r + 1 == N) {
        visit(mine);
      } else {
        visit_rows(size, r + 1, mine, visit);
      }
    }
  }
};

/// Teams, whose threads contribute to results.
struct team {
  static constexpr std::string_view name = "TeamPolicy";
  static constexpr matrix::group group = matrix::group::teams;
  static constexpr int rank = 0;
  static constexpr bool has_tiles = false;
  static constexpr bool is_tiled(int) { return false; }
  static constexpr int sizes[] = {0, 1, 2, 3, 4};
  static constexpr int shapes[][2] = {{0, 1}, {700, 1}, {5, 2}, {9, 7}, {3, 64}};
  template <class Exec, class Tag>
  static auto policy(const Exec& exec, int size) {
    return hpk::TeamPolicy<Exec, Tag>(exec, shapes[size][0], shapes[size][1]);
  }
  template <class Visit>
  static void for_numbers(int size, const Visit& visit) {
    for (int l = 0; l < shapes[size][0]; ++l)
      for (int t = 0; t < shapes[size][1]; ++t) visit(l * 1024 + t);
  }
};

template <class>
struct policies_of_rank;
template <int... Ns>
struct policies_of_rank<std::integer_sequence<int, Ns...>> {
  using type = type_list<count, range, box<Ns + 1>..., team>;
};
using policies = policies_of_rank<std::make_integer_sequence<int, 8>>::type;

// The ranges inside a team. Sizes are those of a range or of a three-dimensional box.
inline constexpr int nested_sizes = 4;
HPK_FUNCTION constexpr int nested_length(int size) {
  return size == 0 ? 0 : size == 1 ? 1 : size == 2 ? 37 : 210;
}
HPK_FUNCTION constexpr int nested_extent(int size, int r) {
  return size == 0 ? 2 * r : size == 1 ? 1 : size == 2 ? 2 + r : 10 - r;
}

#define MATRIX_RANGE(type, is_shared)                                   \
  struct type {                                                         \
    static constexpr std::string_view name = #type;                     \
    static constexpr matrix::group group = matrix::group::nested_range; \
    static constexpr int rank = 1;                                      \
    static constexpr bool shared = is_shared;                           \
    template <class Member>                                             \
    HPK_FUNCTION static auto range(const Member& team, int size) {      \
      return hpk::type(team, 3, 3 + nested_length(size));               \
    }                                                                   \
  };
#define MATRIX_BOX(type, is_shared)                                                         \
  struct type {                                                                             \
    static constexpr std::string_view name = #type;                                         \
    static constexpr matrix::group group = matrix::group::nested_mdrange;                   \
    static constexpr int rank = 3;                                                          \
    static constexpr bool shared = is_shared;                                               \
    template <class Member>                                                                 \
    HPK_FUNCTION static auto range(const Member& team, int size) {                          \
      using order = hpk::Rank<3, hpk::Iterate::Right, hpk::Iterate::Right>;                 \
      return hpk::type<order, Member>(team, nested_extent(size, 0), nested_extent(size, 1), \
                                      nested_extent(size, 2));                              \
    }                                                                                       \
  };
namespace level {
MATRIX_RANGE(TeamThreadRange, true)
MATRIX_RANGE(TeamVectorRange, true)
MATRIX_RANGE(ThreadVectorRange, false)
MATRIX_BOX(TeamThreadMDRange, true)
MATRIX_BOX(TeamVectorMDRange, true)
MATRIX_BOX(ThreadVectorMDRange, false)
}  // namespace level
#undef MATRIX_RANGE
#undef MATRIX_BOX

using levels =
    type_list<level::TeamThreadRange, level::TeamVectorRange, level::ThreadVectorRange,
              level::TeamThreadMDRange, level::TeamVectorMDRange, level::ThreadVectorMDRange>;

/// A missing combination.
struct hole {
  matrix::pattern pattern;
  group where;
  group kind;
  std::string_view reason;
};
inline constexpr hole holes[] = {
    {pattern::all, group::count, group::tagged, "a count is no policy and has no tag"},
    {pattern::all, group::nested_range, group::tagged,
     "bodies of loops inside of a team take no tag in Kokkos either"},
    {pattern::all, group::nested_mdrange, group::tagged, "the same"},
    {pattern::scan, group::teams, group::all, "Kokkos has no scan over teams either"},
    {pattern::scan, group::count, group::reducer,
     "Kokkos takes no reducer in a scan either: the functor has a join"},
    {pattern::scan, group::policy, group::reducer, "the same"},
    {pattern::reduce, group::middle_rank, group::located_reducer,
     "a reducer knows of no ranks: 1, 2, 3 and 8 have all of them; so this compiles in time"},
    {pattern::scan, group::count, group::several, "a scan has one total in Kokkos too"},
    {pattern::scan, group::policy, group::several, "the same"},
    {pattern::scan, group::nested_range, group::several, "the same"},
    {pattern::scan, group::count, group::array, "not there yet"},
    {pattern::scan, group::policy, group::array, "not there yet"},
    {pattern::all, group::nested_range, group::array,
     "Kokkos has no arrays of results inside of a team either"},
    {pattern::all, group::nested_mdrange, group::array, "the same"},
    {pattern::scan, group::nested_mdrange, group::all,
     "Kokkos has no scan over boxes inside of a team either"},
};

/// Returns whether a line of the list covers a group.
constexpr bool is_meant(group line, group one) {
  return line == group::all || line == one ||
         (line == group::policy && one == group::middle_rank) ||
         (line == group::reducer && one == group::located_reducer);
}
/// Returns whether a combination is missing: a pattern over Where, a policy or level, into Kind.
constexpr bool is_hole(pattern what, group where, group kind) {
  for (const hole& h : holes) {
    if ((h.pattern == pattern::all || h.pattern == what) && is_meant(h.where, where) &&
        is_meant(h.kind, kind))
      return true;
  }
  return false;
}
template <pattern What, class Where, class Kind>
inline constexpr bool exists =
    (What != pattern::loop || is_loop_kind<Kind>) && !is_hole(What, Where::group, Kind::group);

}  // namespace matrix
