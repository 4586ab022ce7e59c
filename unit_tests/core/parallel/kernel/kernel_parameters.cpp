// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameter types of kernels for indices and updates. Kernels with every combination of
// qualifiers compute the same results in every policy and pattern. An index type that cannot hold
// the range causes an error that names the type, and an update that is a copy is detected in every
// form of kernel.
#include <hpk/parallel/kernel/kernel_parameters.hpp>

#include <hpk/launch_task.hpp>

#include <support/spaces.hpp>

#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace parallel_kernel_parameters_test {

using hpk::MDRangePolicy;
using hpk::RangePolicy;
using hpk::Rank;
using hpk::TeamPolicy;
using hpk::detail::index_parameter_t;
using hpk::detail::kernel_index_t;
using hpk::detail::loses_an_update;
using hpk::detail::loses_update;
using hpk::detail::type_list;
using hpk_test::contains;
using hpk_test::error_of;

using exec = hpk::DefaultExecutionSpace;
using member = TeamPolicy<exec>::member_type;

// A kernel with one signature that calls its body.
#define HPK_TEST_KERNEL(name, ...)                             \
  struct name {                                                \
    template <class Body, class... Ps>                         \
    struct kernel {                                            \
      Body body;                                               \
      HPK_FUNCTION void operator()(Ps... ps) __VA_ARGS__ {     \
        const_cast<const Body&>(body)(static_cast<Ps>(ps)...); \
      }                                                        \
    };                                                         \
  };
HPK_TEST_KERNEL(on_const, const)
HPK_TEST_KERNEL(on_const_lvalue, const&)
HPK_TEST_KERNEL(on_const_noexcept, const noexcept)
HPK_TEST_KERNEL(on_const_lvalue_noexcept, const& noexcept)
HPK_TEST_KERNEL(on_const_volatile, const volatile)
HPK_TEST_KERNEL(on_const_volatile_lvalue, const volatile&)
HPK_TEST_KERNEL(on_const_volatile_noexcept, const volatile noexcept)
HPK_TEST_KERNEL(on_const_volatile_lvalue_noexcept, const volatile& noexcept)
using qualified =
    testing::Types<on_const, on_const_lvalue, on_const_noexcept, on_const_lvalue_noexcept,
                   on_const_volatile, on_const_volatile_lvalue, on_const_volatile_noexcept,
                   on_const_volatile_lvalue_noexcept>;

// The bodies: they count visits of the points of a box of extents 3; scans store 0, 1, 3, 6, ...
struct count {
  hpk::View<int*, exec, hpk::MemoryTraits<hpk::Atomic>> seen;
  template <class... Is>
  HPK_FUNCTION void operator()(Is... is) const {
    int k = 0;
    ((k = 3 * k + static_cast<int>(is)), ...);
    seen(k) += 1;
  }
};
struct add {
  HPK_FUNCTION void operator()(int i, long& sum) const { sum += i; }
  HPK_FUNCTION void operator()(int i, int j, long& sum) const { sum += 3 * i + j; }
  HPK_FUNCTION void operator()(const member& team, long& sum) const {
    if (team.team_rank() == 0) sum += team.league_rank();
  }
};
struct scan {
  hpk::View<long*, exec> prefixes;
  HPK_FUNCTION void operator()(int i, long& sum, bool final) const {
    sum += i;
    if (final) prefixes(i) = sum;
  }
  HPK_FUNCTION void operator()(int i, int j, long& sum, bool final) const {
    (*this)(3 * i + j, sum, final);
  }
};
// Runs bodies over ranges and boxes inside a team.
template <class For, class Reduce, class Scan>
struct run_nested {
  For visit;
  Reduce fold;
  Scan prefix;
  hpk::View<long*, exec> sums;
  template <class Range>
  HPK_FUNCTION void run(const member& team, const Range& range, int at) const {
    hpk::parallel_for(range, visit);
    long sum = 0;
    hpk::parallel_reduce(range, fold, sum);
    long total = 0;
    hpk::parallel_scan(range, prefix, total);
    if (team.team_rank() == 0) {
      sums(at) = sum;
      sums(at + 1) = total;
    }
  }
};

template <class View>
auto values(const View& view) {
  const auto host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
  std::vector<typename View::non_const_value_type> all;
  for (std::size_t i = 0; i < host.size(); ++i) all.push_back(host(i));
  return all;
}
using counts = std::vector<int>;
using longs = std::vector<long>;

template <class Qualifiers>
class QualifiedKernels : public testing::Test {
 public:
  template <class Body, class... Ps>
  using kernel = typename Qualifiers::template kernel<Body, Ps...>;
  hpk::View<int*, exec> seen{"seen", 9};
  hpk::View<long*, exec> prefixes{"prefixes", 9};
  long sum = -1;
};
TYPED_TEST_SUITE(QualifiedKernels, qualified);

const longs triangular{0, 1, 3, 6, 10, 15, 21, 28, 36};

// Expects errors for kernels with an index of type short over 40,000 iterations.
template <class Policy, class Visit, class Fold, class Prefix>
void expect_refused_as_wide(const Policy& wide, const Visit& visit, const Fold& fold,
                            const Prefix& prefix) {
  long sum = 0;
  for (const std::string& message :
       {error_of([&] { hpk::parallel_for("wide", wide, visit); }),
        error_of([&] { hpk::parallel_reduce("wide", wide, fold, sum); }),
        error_of([&] { hpk::parallel_scan("wide", wide, prefix, sum); })}) {
    EXPECT_TRUE(contains(message, "\"wide\""));
    EXPECT_TRUE(
        contains(message, "[0, 40000) does not fit the kernel's index type, which ends at 32767"));
  }
}

HPK_TYPED_TEST(QualifiedKernels, run_over_ranges) {
  const typename TestFixture::template kernel<count, short> visit{{this->seen}};
  const typename TestFixture::template kernel<add, short, long&> fold{};
  const typename TestFixture::template kernel<scan, short, long&, bool> prefix{{this->prefixes}};
  hpk::parallel_for(RangePolicy<exec>(0, 9), visit);
  EXPECT_EQ(values(this->seen), counts(9, 1));
  hpk::parallel_reduce(RangePolicy<exec>(0, 9), fold, this->sum);
  EXPECT_EQ(this->sum, 36);
  hpk::parallel_scan(RangePolicy<exec>(0, 9), prefix, this->sum);
  EXPECT_EQ(this->sum, 36);
  EXPECT_EQ(values(this->prefixes), triangular);

  const RangePolicy<exec> wide(0, 40000);
  expect_refused_as_wide(wide, visit, fold, prefix);
}

HPK_TYPED_TEST(QualifiedKernels, run_over_boxes) {
  using box = MDRangePolicy<exec, Rank<2>>;
  const typename TestFixture::template kernel<count, int, short> visit{{this->seen}};
  const typename TestFixture::template kernel<add, int, short, long&> fold{};
  const typename TestFixture::template kernel<scan, int, short, long&, bool> prefix{
      {this->prefixes}};
  hpk::parallel_for(box({0, 0}, {3, 3}), visit);
  EXPECT_EQ(values(this->seen), counts(9, 1));
  hpk::parallel_reduce(box({0, 0}, {3, 3}), fold, this->sum);
  EXPECT_EQ(this->sum, 36);
  hpk::parallel_scan(box({0, 0}, {3, 3}), prefix, this->sum);
  EXPECT_EQ(this->sum, 36);

  const box wide({0, 0}, {1, 40000});
  expect_refused_as_wide(wide, visit, fold, prefix);
}

HPK_TYPED_TEST(QualifiedKernels, run_over_teams) {
  using on_team = typename TestFixture::template kernel<add, const member&, long&>;
  hpk::parallel_reduce(TeamPolicy<exec>(9, 1), on_team{}, this->sum);
  EXPECT_EQ(this->sum, 36);
}

template <class Qualifiers>
struct over_range {
  template <class Body, class... Ps>
  using kernel = typename Qualifiers::template kernel<Body, Ps...>;
  using nested =
      run_nested<kernel<count, short>, kernel<add, short, long&>, kernel<scan, short, long&, bool>>;
  nested loops;
  int end;
  HPK_FUNCTION void operator()(const member& team) const {
    loops.run(team, hpk::TeamThreadRange(team, end), 0);
  }
};
template <class Qualifiers>
struct over_box {
  template <class Body, class... Ps>
  using kernel = typename Qualifiers::template kernel<Body, Ps...>;
  using nested = run_nested<kernel<count, int, short>, kernel<add, int, short, long&>,
                            kernel<scan, int, short, long&, bool>>;
  nested loops;
  int first;
  int second;
  HPK_FUNCTION void operator()(const member& team) const {
    loops.run(team, hpk::TeamThreadMDRange(team, first, second), 0);
  }
};

HPK_TYPED_TEST(QualifiedKernels, run_inside_of_teams) {
  using in_range = over_range<TypeParam>;
  using in_box = over_box<TypeParam>;
  using by_team = typename TestFixture::template kernel<in_range, const member&>;
  using by_team_in_box = typename TestFixture::template kernel<in_box, const member&>;
  const hpk::View<long*, exec> sums("sums", 2);
  const typename in_range::nested loops{{{this->seen}}, {}, {{this->prefixes}}, sums};
  hpk::parallel_for(TeamPolicy<exec>(1, 1), by_team{{loops, 9}});
  EXPECT_EQ(values(this->seen), counts(9, 1));
  EXPECT_EQ(values(sums), longs(2, 36));
  EXPECT_EQ(values(this->prefixes), triangular);
  const typename in_box::nested box_loops{{{this->seen}}, {}, {{this->prefixes}}, sums};
  hpk::parallel_for(TeamPolicy<exec>(1, 1), by_team_in_box{{box_loops, 3, 3}});
  EXPECT_EQ(values(this->seen), counts(9, 2));
  EXPECT_EQ(values(sums), longs(2, 36));
}

// All checks work for kernels with several signatures too.
struct tag {};
struct other {};
struct of_short {
  hpk::View<int*, exec, hpk::MemoryTraits<hpk::Atomic>> seen;
  HPK_FUNCTION void operator()(tag, short i) const { seen(i) += 1; }
  HPK_FUNCTION void operator()(const other&, char i) const& { seen(i) += 1; }
};
struct of_templates {
  template <class T>
  HPK_FUNCTION void operator()(int, short, T& sum) const {
    sum += 1;
  }
  template <class T>
  HPK_FUNCTION void operator()(unsigned char, T& sum, bool) const {
    sum += 1;
  }
};
struct of_float {
  HPK_FUNCTION void operator()(float, long& sum) const { sum += 1; }
};
struct of_bool {
  HPK_FUNCTION void operator()(bool odd, long& sum) const { sum += odd ? 10 : 1; }
};
struct behind_number {
  HPK_FUNCTION void operator()(double, tag, short, long& sum) const { sum += 1; }
  HPK_FUNCTION void operator()(double, other, int, long& sum) const { sum += 1; }
};

TEST(NarrowIndices, of_overloads_and_templates_are_told) {
  const of_short kernel{hpk::View<int*, exec>("seen", 9)};
  hpk::parallel_for(RangePolicy<exec, tag>(0, 9), kernel);
  const std::string ends = "does not fit the kernel's index type, which ends at ";
  EXPECT_TRUE(
      contains(error_of([&] { hpk::parallel_for(RangePolicy<exec, tag>(0, 40000), kernel); }),
               ends + "32767"));
  EXPECT_TRUE(
      contains(error_of([&] { hpk::parallel_for(RangePolicy<exec, other>(0, 300), kernel); }),
               ends + std::to_string(std::numeric_limits<char>::max())));
  long sum = 0;
  using box = MDRangePolicy<exec, Rank<2>>;
  hpk::parallel_reduce(box({0, 0}, {40000, 1}), of_templates(), sum);
  EXPECT_EQ(sum, 40000);
  EXPECT_TRUE(contains(
      error_of([&] { hpk::parallel_reduce(box({0, 0}, {1, 40000}), of_templates(), sum); }),
      ends + "32767"));
  EXPECT_TRUE(contains(
      error_of([&] { hpk::parallel_scan(RangePolicy<exec>(0, 256), of_templates(), sum); }),
      ends + "255"));
  EXPECT_TRUE(contains(error_of([&] {
                         hpk::parallel_reduce(RangePolicy<exec, tag>(0, 40000),
                                              hpk::with_args(behind_number(), 0.5), sum);
                       }),
                       ends + "32767"));
}

HPK_TEST(NarrowIndices, that_are_no_integers_are_told) {
  const std::string ends = "does not fit the kernel's index type, which ends at ";
  long sum = 0;
  hpk::parallel_reduce(RangePolicy<exec>(0, 2), of_bool(), sum);
  EXPECT_EQ(sum, 11);
  EXPECT_TRUE(
      contains(error_of([&] { hpk::parallel_reduce(RangePolicy<exec>(0, 3), of_bool(), sum); }),
               ends + "1"));
  const long most = 1 << 24;
  hpk::parallel_reduce(RangePolicy<exec>(most - 10, most), of_float(), sum);
  EXPECT_EQ(sum, 10);
  EXPECT_TRUE(contains(
      error_of([&] { hpk::parallel_reduce(RangePolicy<exec>(most, most + 1), of_float(), sum); }),
      ends + "16777216"));
  using box = MDRangePolicy<exec, Rank<2>>;
  EXPECT_TRUE(
      contains(error_of([&] { hpk::parallel_for(box({0, 0}, {1, 3}), HPK_LAMBDA(int, bool){}); }),
               ends + "1"));
}

TEST(NarrowIndices, in_boxes_inside_of_teams_are_told) {
  using teams = TeamPolicy<hpk::DefaultHostExecutionSpace>;
  const auto run = [](int first, int second) {
    hpk::parallel_for(teams(1, 1), [=](const teams::member_type& team) {
      hpk::parallel_for(hpk::TeamThreadMDRange(team, first, second), [](int, signed char) {});
    });
  };
  run(200, 127);
  EXPECT_TRUE(contains(error_of([&] { run(1, 128); }),
                       "does not fit the index type of its body, which ends at 127"));
}

template <class Wanted, class Tag, class... Rest, class F>
constexpr bool indexed_by(const F&) {
  return std::is_same_v<kernel_index_t<hpk::index_t, F, Tag, Rest...>, Wanted>;
}

void function(unsigned) {}
struct overloaded {
  void operator()(tag, int) const {}
  void operator()(const other&, std::size_t) const {}
  void operator()(unsigned, double&) const {}
};
// Instantiating the body with a type other than index_t would be an error.
constexpr auto picky = [](auto i) { static_assert(std::is_same_v<decltype(i), hpk::index_t>); };

TEST(KernelIndex, is_the_type_of_the_parameter) {
  static_assert(indexed_by<int, void>([](int) {}));
  static_assert(indexed_by<short, void>([](const short&) {}));
  static_assert(indexed_by<std::size_t, void>([](std::size_t) noexcept {}));
  static_assert(indexed_by<unsigned, void, double&>([](unsigned, double&) {}));
  static_assert(indexed_by<int, tag>([](tag, int) {}));
  static_assert(indexed_by<unsigned, void>(function));
  static_assert(indexed_by<unsigned, void>(&function));
}

TEST(KernelIndex, is_found_among_overloads) {
  static_assert(indexed_by<int, tag>(overloaded()));
  static_assert(indexed_by<std::size_t, other>(overloaded()));
  static_assert(indexed_by<unsigned, void, double&>(overloaded()));
}

TEST(KernelIndex, is_the_policys_for_generic_kernels_without_instantiating_them) {
  static_assert(indexed_by<hpk::index_t, void>(picky));
  static_assert(indexed_by<hpk::index_t, void, double&>([](auto, auto&) {}));
  static_assert(indexed_by<int, void, double&>([](int, auto&) {}));
  static_assert(indexed_by<hpk::index_t, void>([](double) {}));
  static_assert(indexed_by<hpk::index_t, void>([](bool) {}));
}

struct takes_int_and_long {
  void operator()(int) const {}
  void operator()(std::int64_t) const {}
};

TEST(KernelIndex, is_the_policys_among_overloads_that_have_it) {
  EXPECT_TRUE(
      (std::is_same_v<kernel_index_t<std::int64_t, takes_int_and_long, void>, std::int64_t>));
  EXPECT_TRUE((std::is_same_v<kernel_index_t<int, takes_int_and_long, void>, int>));
}

template <class F, class Tag = void>
inline constexpr bool loses =
    loses_update<F, Tag, double, type_list<index_parameter_t<0, 1, hpk::index_t, F, Tag, double&>>,
                 type_list<>, type_list<>>;
template <class Update, class... Qualifiers>
constexpr bool all_lose(testing::Types<Qualifiers...>) {
  return (loses<typename Qualifiers::template kernel<count, int, Update>> && ...);
}
template <class Update, class... Qualifiers>
constexpr bool none_loses(testing::Types<Qualifiers...>) {
  return (!loses<typename Qualifiers::template kernel<count, int, Update>> && ...);
}

TEST(Updates, by_value_are_found_whatever_the_qualifiers) {
  static_assert(all_lose<double>(qualified()));
  static_assert(all_lose<const double&>(qualified()));
  static_assert(all_lose<float>(qualified()));
  static_assert(none_loses<double&>(qualified()));
}

struct overloads {
  void operator()(tag, int, double) const {}
  void operator()(const other&, int, double&) const {}
  void operator()(int, double&) const {}
  void operator()(int, float) const {}
};
struct tagged_templates {
  template <class T>
  void operator()(const tag&, int, T) const {}
  template <class T>
  void operator()(const other&, int, T&&) const {}
};
struct converts_to_function {
  using function = void (*)(int, double);
  operator function() const;
};
struct takes_anything {
  void operator()(int, ...) const {}
};

template <class F>
constexpr bool loses_it(const F&) {
  return loses<F>;
}

TEST(Updates, by_value_are_found_among_overloads_and_templates) {
  static_assert(loses<overloads, tag> && !loses<overloads, other> && !loses<overloads>);
  static_assert(loses<tagged_templates, tag> && !loses<tagged_templates, other>);
  static_assert(loses<converts_to_function> && loses<takes_anything>);
  static_assert(loses<void(int, double)> && !loses<void(int, double&)>);
  static_assert(loses<std::function<void(int, double)>>);
  EXPECT_TRUE(loses_it([](int, auto) {}) && loses_it([](auto, auto) {}) &&
              loses_it([](auto, double) {}));
  EXPECT_TRUE(loses_it([](auto, float) {}) && loses_it([](auto, const auto&) {}));
  EXPECT_FALSE(loses_it([](int, auto&) {}) || loses_it([](auto, auto&) {}) ||
               loses_it([](auto, double&) {}));
  EXPECT_FALSE(loses_it([](int, auto&&) {}) || loses_it([](auto, auto&&) noexcept {}) ||
               loses_it([](const auto&, auto&&) {}) || loses_it([](auto&&, auto&&) {}));
}

// An alias, because nvcc 13 repeats a list in a template argument as first written, without
// typename.
using indices = type_list<hpk::index_t>;
template <class F>
constexpr bool loses_one(const F&) {
  return loses_an_update<F, void, indices, double, int[3], long>;
}

TEST(Updates, of_several_results_are_found_at_each_place) {
  EXPECT_FALSE(loses_one([](hpk::index_t, double&, int*, long&) {}));
  EXPECT_FALSE(loses_one([](auto, auto&&, auto&&, auto&&) {}));
  EXPECT_TRUE(loses_one([](hpk::index_t, double, int*, long&) {}));
  EXPECT_TRUE(loses_one([](hpk::index_t, double&, int*, long) {}));
  EXPECT_TRUE(loses_one([](auto, auto&, auto&, auto) {}));
  EXPECT_TRUE(loses_one([](auto, auto, auto&, auto&) {}));
}

}  // namespace parallel_kernel_parameters_test
