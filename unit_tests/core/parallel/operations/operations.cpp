// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of reductions: all model one concept. Also how they are selected.
#include <hpk/half.hpp>

#include <support/spaces.hpp>

#include <type_traits>

namespace hpk_test::operations_cases {

using hpk::detail::accumulating;
using hpk::detail::operations_like;
using hpk::detail::operations_of;
using hpk::detail::operations_of_results;
using hpk::Experimental::half_t;

struct sum_of_elements {
  using value_type = long[];
  int value_count;
};
struct largest {
  HPK_FUNCTION void init(int& m) const { m = -1; }
  HPK_FUNCTION void join(int& to, const int& from) const { to = to < from ? from : to; }
  HPK_FUNCTION void final(int& m) const { m *= 2; }
};
struct doubled {
  HPK_FUNCTION void final(half_t& h) const { h = static_cast<half_t>(2.0f * float(h)); }
};
struct plain {};

template <class V, class F, class Result>
using operations_t =
    decltype(operations_of<void, V>(std::declval<const F&>(), std::declval<const Result*>()));
template <class Operations>
using accumulating_t = decltype(accumulating(std::declval<const Operations&>()));

// One value: by +=, by members of the functor, by a reducer.
using added = operations_t<int, plain, int>;
using hooked = operations_t<int, largest, int>;
using smallest = operations_t<double, largest, hpk::Min<double>>;
static_assert(operations_like<added> && added::exact && added::interleave);
static_assert(operations_like<hooked> && !hooked::exact && !hooked::interleave);
static_assert(operations_like<smallest> && !smallest::exact && smallest::interleave);
static_assert(std::is_same_v<accumulating_t<added>, added> && std::is_empty_v<added>);

// Arrays of constant and of run-time length.
using row = operations_t<int[3], plain, int[3]>;
using elements = hpk::detail::functor_operations<sum_of_elements, void, long[]>;
static_assert(operations_like<row> && row::exact && !row::interleave);
static_assert(operations_like<elements> && elements::exact);

// Values with several accumulators: small objects that += or a reducer of hpk joins, unless their
// class declares that joins do not commute; with joins of the program only if it declares that they
// commute.
template <bool Commutes>
struct says {
  static constexpr bool commutes = Commutes;
  double sum = 0;
  HPK_FUNCTION says& operator+=(const says& other) {
    sum += other.sum;
    return *this;
  }
};
template <bool Commutes>
struct joins {
  static constexpr bool commutes = Commutes;
  HPK_FUNCTION void join(int& to, const int& from) const { to += from; }
};
// Members with the same name and another meaning.
struct other_names {
  bool commutes = false;
  static bool ask();
};
struct a_function {
  static constexpr bool commutes() { return false; }
};
struct not_constant {
  static inline bool commutes = false;
};
template <class V>
concept may_interleave = operations_t<V, plain, V>::interleave;
static_assert(may_interleave<hpk::complex<double>> && may_interleave<says<true>>);
static_assert(!may_interleave<says<false>> && !may_interleave<bool>);
static_assert(may_interleave<hpk::Array<double, 8>> && !may_interleave<hpk::Array<double, 9>>);
static_assert(may_interleave<other_names> && may_interleave<a_function>);
static_assert(may_interleave<not_constant>);
static_assert(operations_t<int, joins<true>, int>::interleave);
static_assert(!operations_t<int, joins<false>, int>::interleave);
template <class V, class Reducer>
concept interleaves_by = operations_t<V, plain, Reducer>::interleave;
static_assert(interleaves_by<says<true>, hpk::Sum<says<true>>>);
static_assert(!interleaves_by<says<false>, hpk::Sum<says<false>>>);
using located = hpk::ValLocScalar<double, int>;
static_assert(interleaves_by<located, hpk::MinLoc<double, int>>);
static_assert(interleaves_by<located, hpk::MaxFirstLoc<double, int>>);
// Ties of locations that are not numbers, and products of objects, keep the order.
using apart = hpk::ValLocScalar<double, says<true>>;
static_assert(!interleaves_by<apart, hpk::MinLoc<double, says<true>>>);
static_assert(!interleaves_by<hpk::complex<float>, hpk::Prod<hpk::complex<float>>>);
// A reducer of the program keeps the order too, even if its base class does not.
struct last_of_ties : hpk::MinLoc<double, int> {
  using reducer = last_of_ties;
  using hpk::MinLoc<double, int>::MinLoc;
  HPK_FUNCTION void join(located& to, const located& from) const {
    if (!(to.val < from.val)) to = from;
  }
};
static_assert(!interleaves_by<located, last_of_ties>);

// Small numbers are accumulated in a wider type, unless the program provides the join.
using halves = accumulating_t<operations_t<half_t, plain, half_t>>;
using products = accumulating_t<operations_t<half_t, plain, hpk::Prod<half_t>>>;
using least = accumulating_t<operations_t<half_t, plain, hpk::Min<half_t>>>;
static_assert(operations_like<halves> && std::is_same_v<halves::value_type, float>);
static_assert(operations_like<products> && std::is_same_v<products::value_type, float>);
static_assert(operations_like<least> && std::is_same_v<least::value_type, half_t>);

// Several results.
using several = decltype(operations_of_results(std::declval<int&>(), std::declval<half_t&>(),
                                               std::declval<hpk::Max<int>&>()));
static_assert(operations_like<several> && !several::exact && several::interleave);
static_assert(operations_like<decltype(operations_of_results(std::declval<int (&)[2]>()))>);
static_assert(!operations_like<plain>);

TEST(Operations, start_from_the_identity) {
  const int* none = nullptr;
  int i = 7;
  operations_of<void, int>(plain(), none).init(i);
  EXPECT_EQ(i, 0);
  const largest functor;
  operations_of<void, int>(functor, none).init(i);
  EXPECT_EQ(i, -1);
  half_t h(5);
  float w = 5;
  accumulating(operations_of<void, half_t>(plain(), &h)).init(w);
  EXPECT_EQ(w, 0);
  const hpk::Prod<half_t> product(h);
  accumulating(operations_of<void, half_t>(plain(), &product)).init(w);
  EXPECT_EQ(w, 1);
  long array[3] = {1, 2, 3};
  const sum_of_elements counted{3};
  elements(counted, 3).init(array);
  EXPECT_EQ(array[0] + array[1] + array[2], 0);
}

TEST(Operations, join_the_second_value_to_the_first) {
  const int* none = nullptr;
  const largest functor;
  int to = 3;
  operations_of<void, int>(plain(), none).join(to, 4);
  EXPECT_EQ(to, 7);
  operations_of<void, int>(functor, none).join(to, 4);
  EXPECT_EQ(to, 7);
  long array[2] = {1, 2};
  const long other[2] = {10, 20};
  const sum_of_elements counted{2};
  elements(counted, 2).join(array, other);
  EXPECT_EQ(array[0], 11);
  EXPECT_EQ(array[1], 22);
  int row_to[2] = {1, 2};
  const int row_from[2] = {3, 4};
  operations_of<void, int[2]>(plain(), &row_to).join(row_to, row_from);
  EXPECT_EQ(row_to[0], 4);
  EXPECT_EQ(row_to[1], 6);
}

TEST(Operations, give_final_the_rounded_value) {
  const half_t* none = nullptr;
  const doubled functor;
  float sum = 2049;  // no half; the nearest is 2048
  accumulating(operations_of<void, half_t>(functor, none)).final(sum);
  EXPECT_EQ(sum, 4096);
}

TEST(Operations, of_a_run_time_length_know_it) {
  const sum_of_elements counted{5};
  EXPECT_EQ(elements(counted, 5).length(), 5);
  EXPECT_EQ(elements(counted, 5).of(counted).length(), 5);
}

}  // namespace hpk_test::operations_cases
