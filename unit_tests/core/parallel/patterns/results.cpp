// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce into several results, over counts, ranges, boxes and teams: every kind of result,
// tags, the order of joins, bits, fences and exceptions. Also results in C arrays.
#include <support/bits.hpp>
#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace hpk_test::results_cases {

constexpr std::int64_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 4097, 100003};

template <class Exec>
class Results : public testing::Test {};
TYPED_TEST_SUITE(Results, hpk_test::spaces, hpk_test::space_names);

// Tests with kernels that throw or cannot be copied, plain functions, and values with destructors.
template <class Exec>
class ResultsOnHost : public testing::Test {};
TYPED_TEST_SUITE(ResultsOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_FUNCTION int weight(std::int64_t i) { return static_cast<int>((i * 7919) % 10007) - 500; }

// The sum, the largest weight, the count, and whether there is a 17.
struct survey {
  HPK_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, int& most, unsigned& count,
                               bool& found) const {
    sum += i;
    most = weight(i) > most ? weight(i) : most;
    ++count;
    found = found || i == 17;
  }
};

HPK_TYPED_TEST(Results, of_every_kind_are_folded_together) {
  const hpk::View<unsigned, hpk::HostSpace> count("count");
  const hpk::View<bool, TypeParam> found("found");
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::int64_t n : sizes) {
      SCOPED_TRACE(n);
      int wanted = std::numeric_limits<int>::lowest();
      for (std::int64_t i = 0; i < n; ++i) wanted = std::max(wanted, weight(i));
      std::int64_t sum = 77;
      int most = 77;
      const auto check = [&] {
        EXPECT_EQ(sum, n * (n - 1) / 2);
        EXPECT_EQ(most, wanted);
        EXPECT_EQ(count(), n);
        EXPECT_EQ(on_host(found)(), n > 17);
        sum = most = 77;
      };
      hpk::parallel_reduce("survey", hpk::RangePolicy(exec, 0, n), survey(), sum, hpk::Max(most),
                           count, hpk::LOr(found));
      check();
      hpk::parallel_reduce(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                           survey(), sum, hpk::Max<int>(most),
                           hpk::View<unsigned, hpk::HostSpace>(count.data()), hpk::LOr(found));
      check();
    }
  }
}

template <class Exec>
struct sum_and_count {
  using execution_space = Exec;
  hpk::View<long*, Exec> zeros;
  HPK_FUNCTION void operator()(int i, long& sum, long& count) const {
    sum += i + zeros(i);
    ++count;
  }
};

HPK_TYPED_TEST(Results, reach_views_in_the_order_of_the_instance) {
  const hpk::View<long, TypeParam> sum("sum"), count("count");
  const hpk::View<long[2], TypeParam> seen("seen");
  const sum_and_count<TypeParam> kernel{hpk::View<long*, TypeParam>("zeros", 20000)};
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::RangePolicy<TypeParam> once(exec, 0, 1);
    hpk::parallel_for(once, HPK_LAMBDA(int) { sum() = count() = -5; });
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 20000), kernel, sum, count);
    hpk::parallel_for(once, HPK_LAMBDA(int) { seen(0) = sum(), seen(1) = count(), sum() = -7; });
    exec.fence();
    EXPECT_EQ(on_host(seen)(0), 19999L * 10000);
    EXPECT_EQ(on_host(seen)(1) - on_host(sum)(), 20007);
  }
}

HPK_TYPED_TEST(Results, of_a_count_use_the_space_of_the_kernel) {
  const sum_and_count<TypeParam> kernel{hpk::View<long*, TypeParam>("zeros", 20001)};
  long sum = -1;
  long count = -1;
  hpk::parallel_reduce(20001, kernel, sum, count);
  EXPECT_EQ(sum, 200010000);
  EXPECT_EQ(count, 20001);
  hpk::parallel_reduce(std::string("label"), 11u, kernel, sum, hpk::Sum(count));
  EXPECT_EQ(sum, 55);
  EXPECT_EQ(count, 11);
}

struct eight {
  HPK_FUNCTION void operator()(int i, long& a, long& b, long& c, long& d, long& e, long& f, long& g,
                               long& h) const {
    a += i;
    b += 2 * i;
    c += 3 * i;
    d += 4 * i;
    e += 5 * i;
    f += 6 * i;
    g += 7 * i;
    h += 8 * i;
  }
};

HPK_TYPED_TEST(Results, may_be_eight) {
  long s[8] = {};
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 1001), eight(), s[0], s[1], s[2], s[3], s[4],
                       s[5], s[6], s[7]);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(s[k], 500500L * (k + 1));
}

struct whole {};
struct odd {};
struct tagged {
  HPK_FUNCTION void operator()(whole, int i, long& sum, int& count) const {
    sum += i;
    ++count;
  }
  HPK_FUNCTION void operator()(const odd&, int i, long& sum, int& count) const {
    if (i % 2 == 0) return;
    sum += i;
    ++count;
  }
  HPK_FUNCTION void operator()(odd, int i, int j, long& sum, int& count) const {
    if ((i + j) % 2 == 0) return;
    sum += i;
    ++count;
  }
  // Reductions into several results ignore these members.
  HPK_FUNCTION void init(odd, long& sum) const { sum = 1000000; }
  HPK_FUNCTION void join(odd, long& to, const long&) const { to = 5; }
};

HPK_TYPED_TEST(Results, of_a_tag_ignore_hooks) {
  long sum = -1;
  int count = -1;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam, whole>(0, 1001), tagged(), sum, count);
  EXPECT_EQ(sum, 500500);
  EXPECT_EQ(count, 1001);
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam, odd>(0, 1001), tagged(), sum, count);
  EXPECT_EQ(sum, 250000);
  EXPECT_EQ(count, 500);
  hpk::parallel_reduce(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>, odd>({0, 0}, {4, 5}), tagged(),
                       sum, count);
  EXPECT_EQ(sum, 2 * 0 + 3 * 1 + 2 * 2 + 3 * 3);
  EXPECT_EQ(count, 10);
}

// Indices of different types, and of any type.
struct of_points {
  HPK_FUNCTION void operator()(short i, long j, int k, long& sum, double& last) const {
    sum += 100 * i + 10 * j + k;
    last = 10 * i + static_cast<double>(j) > last ? 10 * i + static_cast<double>(j) : last;
  }
};
struct of_any_points {
  template <class I>
  HPK_FUNCTION void operator()(I i, I j, long& sum, double& halves) const {
    sum += 10 * i + j;
    halves += 0.5;
  }
};

HPK_TYPED_TEST(Results, of_boxes) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 3, 41}) {
      SCOPED_TRACE(n);
      long wanted = 0;
      for (int i = 1; i < 6; ++i) {
        for (int j = -2; j < 7; ++j) {
          for (int k = 0; k < n; ++k) wanted += 100 * i + 10 * j + k;
        }
      }
      long sum = -1;
      double last = -1;
      hpk::parallel_reduce("box",
                           hpk::MDRangePolicy<TypeParam, hpk::Rank<3>>(exec, {1, -2, 0}, {6, 7, n}),
                           of_points(), sum, hpk::Max(last));
      EXPECT_EQ(sum, wanted);
      EXPECT_EQ(last, n == 0 ? -std::numeric_limits<double>::infinity() : 56);
      hpk::parallel_reduce(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {n, 100}),
                           of_any_points(), sum, last);
      EXPECT_EQ(sum, 10L * 100 * n * (n - 1) / 2 + n * 4950L);
      EXPECT_EQ(last, 50.0 * n);
    }
  }
}

template <class Exec>
struct of_teams {
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  HPK_FUNCTION void operator()(const member& team, long& ranks, int& threads, double& most) const {
    ranks += team.league_rank();
    ++threads;
    most = team.team_rank() > most ? team.team_rank() : most;
    int* const shared = static_cast<int*>(team.team_shmem().get_shmem(sizeof(int)));
    if (shared == nullptr) ranks += 1000000;
  }
  std::size_t team_shmem_size(int) const { return 64; }
};

HPK_TYPED_TEST(Results, of_teams) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int league : {0, 1, 100, 2000}) {
      SCOPED_TRACE(league);
      long ranks = -1;
      int threads = -1;
      const hpk::View<double, TypeParam> most("most");
      const int vector =
          league % 3 == 0 ? 1 : std::min(4, hpk::TeamPolicy<TypeParam>::vector_length_max());
      hpk::parallel_reduce(hpk::TeamPolicy<TypeParam>(exec, league, 4, vector),
                           of_teams<TypeParam>(), ranks, threads, hpk::Max(most));
      EXPECT_EQ(ranks, 4L * league * (league - 1) / 2);
      EXPECT_EQ(threads, 4 * league);
      EXPECT_EQ(on_host(most)(), league == 0 ? -std::numeric_limits<double>::infinity() : 3);
    }
  }
}

// x -> a x + b, composed in index order by a reducer of the program.
struct affine {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
// A function of the program with a common name, which must not be found for the values of hpk.
template <std::size_t K, class F>
HPK_FUNCTION const std::uint64_t& get(F&& f) {
  return K == 0 ? f.a : f.b;
}
HPK_FUNCTION void compose(affine& f, const affine& next) {
  f.b = next.a * f.b + next.b;
  f.a *= next.a;
}
struct composition {
  using reducer = composition;
  using value_type = affine;
  affine* result;
  HPK_FUNCTION void join(affine& to, const affine& from) const { compose(to, from); }
  HPK_FUNCTION affine& reference() const { return *result; }
  HPK_FUNCTION void final(affine& f) const { f.b ^= 1; }
};

HPK_TYPED_TEST(Results, are_joined_in_index_order) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    const auto map_of = HPK_LAMBDA(std::int64_t i) {
      return affine{2 * static_cast<std::uint64_t>(i) + 3, static_cast<std::uint64_t>(i * i + 1)};
    };
    affine wanted;
    for (std::int64_t i = 0; i < n; ++i) compose(wanted, map_of(i));
    wanted.b ^= 1;
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      affine found{7, 7};
      double count = -1;
      hpk::parallel_reduce(
          hpk::RangePolicy(exec, 0, n),
          HPK_LAMBDA(std::int64_t i, affine& f, double& c) {
            compose(f, map_of(i));
            c += 1;
          },
          composition{&found}, count);
      EXPECT_EQ(found, wanted);
      EXPECT_EQ(count, static_cast<double>(n));
    }
  }
}

// In each space the bits are the same for any number of workers, over boxes too.
HPK_TYPED_TEST(Results, have_the_same_bits_for_any_number_of_workers) {
  double wanted[4] = {};
  bool first = true;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    double found[4] = {};
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 50021),
        HPK_LAMBDA(int i, double& s, double& t) {
          s += 1.0 / (i + 1);
          t += 1.0 / (3 * i + 1);
        },
        found[0], found[1]);
    hpk::parallel_reduce(
        hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {300, 171}),
        HPK_LAMBDA(int i, int j, double& s, double& t) {
          s += 1.0 / (i + 3 * j + 1);
          t += 1.0 / (3 * i + j + 1);
        },
        found[2], found[3]);
    for (int k = 0; k < 4; ++k) {
      if (first) wanted[k] = found[k];
      EXPECT_TRUE(same_bits(found[k], wanted[k])) << k;
    }
    first = false;
  }
}

HPK_TYPED_TEST(Results, refuse_a_view_without_memory) {
  const hpk::View<long, hpk::HostSpace> nowhere;
  long sum = 42;
  const std::string text = error_of([&] {
    hpk::parallel_reduce("into nothing", hpk::RangePolicy<TypeParam>(0, 5),
                         HPK_LAMBDA(int, long&, long&){}, sum, nowhere);
  });
  EXPECT_TRUE(
      contains(text, "hpk::parallel_reduce \"into nothing\": the result View is not allocated"));
  EXPECT_TRUE(contains(text, "results.cpp:"));
  EXPECT_EQ(sum, 42);
}

HPK_TYPED_TEST(ResultsOnHost, are_kept_when_a_kernel_throws) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {1, 1000, 10007}) {
      SCOPED_TRACE(n);
      double sum = 42;
      const hpk::View<long, hpk::HostSpace> count("count");
      const int caught = thrown_by([&] {
        hpk::parallel_reduce(
            hpk::RangePolicy(exec, 0, n),
            [n](int i, double&, long&) {
              if (i == n / 2 || i == n - 1) throw i;
            },
            sum, count);
      });
      EXPECT_EQ(caught, n / 2);
      EXPECT_EQ(sum, 42);
      EXPECT_EQ(count(), 0);
    }
  }
}

// A kernel that cannot be copied or moved.
struct pinned {
  pinned() = default;
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;
  void operator()(int i, long& sum, std::string& text) const {
    sum += this == self ? i : 1000000;
    text += static_cast<char>('a' + i % 26);
  }
  const pinned* self = this;
};
void add_both(int i, long& sum, std::string& text) {
  sum += i;
  text += static_cast<char>('a' + i % 26);
}

HPK_TYPED_TEST(ResultsOnHost, take_functions_and_kernels_that_cannot_be_copied) {
  std::string wanted;
  for (int i = 0; i < 2001; ++i) wanted += static_cast<char>('a' + i % 26);
  const pinned kernel;
  long sum = -1;
  std::string text = "old";
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 2001), kernel, sum, text);
  EXPECT_EQ(sum, 2001000);
  EXPECT_EQ(text, wanted);
  sum = -1;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 2001), add_both, sum, text);
  EXPECT_EQ(sum, 2001000);
  EXPECT_EQ(text, wanted);
}

TEST(ResultsFences, are_waited_for_when_one_is_a_variable) {
  const Counting exec(hpk::NewInstance{});
  const hpk::View<long, hpk::HostSpace> in_host("in host");
  const hpk::View<long, Counting> in_space("in space");
  long variable = -1;
  const auto kernel = [](int i, long& s, long& t) {
    s += i;
    t += 2 * i;
  };
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), kernel, in_host, in_space);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), kernel, in_host, hpk::Sum(in_space));
    EXPECT_TRUE(counts.only(0));
  }
  EXPECT_EQ(in_host(), 500500);
  EXPECT_EQ(in_space(), 1001000);
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), kernel, in_host, variable);
    EXPECT_TRUE(counts.only(1));
  }
  EXPECT_EQ(variable, 1001000);
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), kernel, hpk::Sum(variable), in_space);
    EXPECT_TRUE(counts.only(1));
  }
  EXPECT_EQ(variable, 500500);
}

// Arrays whose type contains the length.
HPK_TYPED_TEST(Results, may_be_arrays) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 64, 1000, 30011}) {
      SCOPED_TRACE(n);
      long wanted[3] = {};
      for (int i = 0; i < n; ++i) wanted[i % 3] += i;
      long found[3] = {7, 7, 7};
      hpk::parallel_reduce(
          hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(int i, long(&sums)[3]) { sums[i % 3] += i; },
          found);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(found[k], wanted[k]);
      long again[3] = {7, 7, 7};
      int most = 0;
      hpk::parallel_reduce(
          "with a maximum", hpk::RangePolicy(exec, 0, n),
          HPK_LAMBDA(int i, long* sums, int& m) {
            sums[i % 3] += i;
            m = i > m ? i : m;
          },
          again, hpk::Max(most));
      for (int k = 0; k < 3; ++k) EXPECT_EQ(again[k], wanted[k]);
      EXPECT_EQ(most, n == 0 ? std::numeric_limits<int>::lowest() : n - 1);
    }
  }
}

}  // namespace hpk_test::results_cases
