// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_scan: prefixes before and after each index, totals, joins that do not commute, exactly
// one final call per index, and exceptions in either pass.
#include <support/bits.hpp>
#include <support/counter.hpp>
#include <support/counting_space.hpp>
#include <support/scans.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace hpk_test::scan_cases {

constexpr std::int64_t sizes[] = {0,   1,   2,   3,    7,    63,   64,   65,   100,
                                  255, 256, 257, 1000, 1023, 1024, 1025, 4097, 100003};

template <class Exec>
class ParallelScan : public testing::Test {};
TYPED_TEST_SUITE(ParallelScan, hpk_test::spaces, hpk_test::space_names);

// Tests that run on host threads only: kernels that throw or cannot be copied, and values with a
// destructor.
template <class Exec>
class ParallelScanOnHost : public testing::Test {};
TYPED_TEST_SUITE(ParallelScanOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ParallelScan, gives_the_prefix_before_and_after_each_index) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::int64_t n : sizes) {
      SCOPED_TRACE(n);
      expect_sums_of_weights<walk::forward, long>(exec, 0, n);
      expect_sums_of_weights<walk::forward, double>(exec, 0, n);
    }
    expect_sums_of_weights<walk::forward, int>(exec, -500, 1000);
    expect_sums_of_weights<walk::forward, float>(exec, std::int64_t{1} << 40, 4097);
  }
}

// A generic kernel for any space. nvcc does not support a generic HPK_LAMBDA.
struct add_index {
  template <class I, class T>
  HPK_FUNCTION void operator()(I i, T& update, bool) const {
    update += static_cast<double>(i);
  }
};

HPK_TYPED_TEST(ParallelScan, takes_every_form_of_the_call) {
  const index_sums<TypeParam> kernel;
  const auto expect_sums = [&] {
    const auto found = on_host(kernel.found);
    EXPECT_EQ(found(0), 0);
    EXPECT_EQ(found(999), 499500);
    hpk::deep_copy(kernel.found, -1);
  };
  const hpk::RangePolicy<TypeParam> policy(0, 1000);
  hpk::parallel_scan(policy, kernel);
  expect_sums();
  hpk::parallel_scan("label", policy, kernel);
  expect_sums();
  hpk::parallel_scan(1000, kernel);
  expect_sums();
  hpk::parallel_scan("label", 1000u, kernel);
  expect_sums();
  hpk::parallel_scan(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(0, 1000), kernel);
  expect_sums();
  const hpk::View<long, hpk::HostSpace> total("total");
  hpk::parallel_scan(policy, kernel, total);
  expect_sums();
  EXPECT_EQ(total(), 499500);
  const hpk::View<long, TypeParam> in_space("in space");
  hpk::parallel_scan(policy, kernel, in_space);
  expect_sums();
  EXPECT_EQ(on_host(in_space)(), 499500);
  hpk::parallel_scan("empty", hpk::RangePolicy<TypeParam>(5, 5), kernel, total);
  hpk::fence();
  EXPECT_EQ(total(), 0);
  double wider = -1;
  hpk::parallel_scan(policy, add_index(), wider);
  EXPECT_EQ(wider, 499500);
  if constexpr (is_on_cpu<TypeParam>) {
    wider = -1;
    hpk::parallel_scan(
        policy, [](auto i, auto& update, bool) { update += static_cast<double>(i); }, wider);
    EXPECT_EQ(wider, 499500);
  }
}

HPK_TYPED_TEST(ParallelScan, refuses_a_view_without_memory) {
  const hpk::View<long, hpk::HostSpace> nowhere;
  EXPECT_TRUE(contains(error_of([&] {
                         hpk::parallel_scan("nowhere", hpk::RangePolicy<TypeParam>(0, 5),
                                            HPK_LAMBDA(int, long&, bool){}, nowhere);
                       }),
                       "hpk::parallel_scan \"nowhere\": the result View is not allocated"));
}

HPK_TYPED_TEST(ParallelScan, joins_in_index_order) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    std::vector<affine> wanted(static_cast<std::size_t>(n));
    affine all;
    for (std::int64_t i = 0; i < n; ++i) {
      wanted[static_cast<std::size_t>(i)] = all;
      all = then(all, map_of(i));
    }
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const hpk::View<affine*, shared_device<TypeParam>> found("found", n);
      affine total{7, 7};
      hpk::parallel_scan(hpk::RangePolicy<composing, TypeParam>(exec, 0, n), compose{found.data()},
                         total);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), found.data()));
      EXPECT_EQ(total, all);
    }
  }
}

HPK_TYPED_TEST(ParallelScanOnHost, takes_values_with_a_destructor) {
  std::vector<std::string> wanted;
  std::string all;
  for (int i = 0; i < 600; ++i) {
    wanted.push_back(all);
    all += std::to_string(i) + ";";
  }
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::vector<std::string> found(600);
    std::string total = "old";
    hpk::parallel_scan(
        hpk::RangePolicy(exec, 0, 600),
        [&](int i, std::string& update, bool final) {
          if (final) found[static_cast<std::size_t>(i)] = update;
          update += std::to_string(i) + ";";
        },
        total);
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(total, all);
  }
}

HPK_TYPED_TEST(ParallelScanOnHost, never_copies_the_kernel) {
  const pinned_scan<TypeParam> kernel;
  long total = -1;
  hpk::parallel_scan(100001, kernel, total);
  EXPECT_EQ(total, 5000050000);
}

// A kernel that fails in both passes, then only in the final pass.
HPK_TYPED_TEST(ParallelScanOnHost, reports_the_lowest_failing_iteration_of_either_pass) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto lowest_of = [&](int n, auto zero, bool only_final, std::vector<int> failing) {
      using value = decltype(zero);
      return thrown_by([&] {
        hpk::parallel_scan(hpk::RangePolicy(exec, 0, n), [&](int i, value& update, bool final) {
          update += static_cast<value>(i);
          if (only_final && !final) return;
          for (const int f : failing) {
            if (i == f) throw i;
          }
        });
      });
    };
    for (const int n : {1, 10, 1000, 10007}) {
      for (const std::vector<int>& failing :
           {std::vector<int>{n - 1}, std::vector<int>{n - 1, n / 2, n / 3},
            std::vector<int>{n - 1, 0},
            std::vector<int>{n / 2, n / 2 + 1, n / 2 - 1 < 0 ? 0 : n / 2 - 1},
            std::vector<int>{n / 2 + 64 < n ? n / 2 + 64 : n - 1, n / 2}}) {
        for (const bool only_final : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << n << ", lowest " << failing.back() << ", " << only_final);
          EXPECT_EQ(lowest_of(n, 0L, only_final, failing), failing.back());
          EXPECT_EQ(lowest_of(n, 0.0, only_final, failing), failing.back());
        }
      }
      EXPECT_EQ(lowest_of(n, 0.0, false, {}), -1);
    }
    // Where neighbouring blocks are scanned concurrently, 200 fails before 100.
    EXPECT_EQ(lowest_of(1000, 0.0, true, {200, 100}), 100);
    EXPECT_EQ(lowest_of(10007, 0.0, true, {200, 100}), 100);
    expect_sums_of_weights<walk::forward, double>(exec, 0, 1000);
  }
}

HPK_TYPED_TEST(ParallelScan, takes_a_temporary_view_as_total) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    long total = -1;
    hpk::parallel_scan(
        hpk::RangePolicy(exec, 0, 1000), HPK_LAMBDA(int i, long& update, bool) { update += i; },
        hpk::View<long, hpk::HostSpace>(&total));
    exec.fence();
    EXPECT_EQ(total, 499500);
  }
}

// Built-in reducers as the operation: prefixes before and after each index.
template <class Exec>
void expect_extremes(const Exec& exec, int n) {
  const hpk::View<int*, shared_device<Exec>> before("before", n);
  const hpk::View<double*, shared_device<Exec>> after("after", n);
  int most = -1;
  hpk::parallel_scan(
      "largest before", hpk::RangePolicy(exec, 0, n),
      HPK_LAMBDA(int i, int& update, bool final) {
        if (final) before(i) = update;
        const int here = i % 1009 * 7919 % 1009;
        if (here > update) update = here;
      },
      hpk::Max<int>(most));
  const hpk::View<double, shared_device<Exec>> least("least");
  const hpk::Min<double, typename shared_memory<Exec>::type> reducer(least);
  hpk::parallel_scan(
      hpk::RangePolicy(exec, 0, n),
      HPK_LAMBDA(int i, double& update, bool final) {
        const double here = i % 1009 * 7919 % 1009;
        if (here < update) update = here;
        if (final) after(i) = update;
      },
      reducer);
  exec.fence();
  int largest = std::numeric_limits<int>::lowest();
  double smallest = std::numeric_limits<double>::infinity();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += before(i) != largest;
    largest = std::max(largest, i % 1009 * 7919 % 1009);
    smallest = std::min<double>(smallest, i % 1009 * 7919 % 1009);
    wrong += after(i) != smallest;
  }
  EXPECT_EQ(wrong, 0) << n;
  EXPECT_EQ(most, largest) << n;
  EXPECT_EQ(least(), smallest) << n;
}

// Values with a location, over a box.
template <class Exec>
void expect_places(const Exec& exec, int rows) {
  using place = hpk::ValLocScalar<int, int>;
  using right = hpk::Rank<2, hpk::Iterate::Right, hpk::Iterate::Right>;
  const hpk::View<int**, shared_device<Exec>> found("found", rows, 9);
  place total{-1, -1};
  hpk::parallel_scan(
      "places", hpk::MDRangePolicy<Exec, right>(exec, {0, 0}, {rows, 9}),
      HPK_LAMBDA(int i, int j, place& update, bool final) {
        const int k = i * 9 + j;
        const int here = (k * 7919) % 1009;
        if (here > update.val) update = {here, k};
        if (final) found(i, j) = update.loc;
      },
      hpk::MaxLoc<int, int>(total));
  place most{-1, -1};
  int wrong = 0;
  for (int k = 0; k < rows * 9; ++k) {
    if ((k * 7919) % 1009 > most.val) most = {(k * 7919) % 1009, k};
    wrong += found(k / 9, k % 9) != most.loc;
  }
  EXPECT_EQ(wrong, 0) << rows;
  if (rows > 0) {
    EXPECT_EQ(total, most) << rows;
  }
}

HPK_TYPED_TEST(ParallelScan, takes_a_reducer_as_its_operation) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 512, 1000, 10007, 300007}) expect_extremes(exec, n);
    for (const int rows : {0, 1, 100, 1500}) expect_places(exec, rows);
  }
}

// A reducer of the program that does not commute. A scan does not call its final.
struct composition {
  using reducer = composition;
  using value_type = affine;
  affine* result;
  HPK_FUNCTION void init(affine& m) const { m = affine(); }
  HPK_FUNCTION void join(affine& to, const affine& from) const { to = then(to, from); }
  HPK_FUNCTION void final(affine& m) const { m = {0, 0}; }
  HPK_FUNCTION affine& reference() const { return *result; }
};
template <class Exec>
void expect_composed(const Exec& exec, int n) {
  const hpk::View<affine*, shared_device<Exec>> found("found", n);
  affine all{7, 7};
  const composition reducer{&all};
  hpk::parallel_scan(
      hpk::RangePolicy(exec, 0, n),
      HPK_LAMBDA(int i, affine& update, bool final) {
        update = then(update, map_of(i));
        if (final) found(i) = update;
      },
      reducer);
  affine sum;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    sum = then(sum, map_of(i));
    wrong += !(found(i) == sum);
  }
  EXPECT_EQ(wrong, 0) << n;
  EXPECT_EQ(all, sum) << n;
}
HPK_TYPED_TEST(ParallelScan, takes_a_reducer_of_the_program) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 513, 10007}) expect_composed(exec, n);
  }
}

// += of the program that does not commute. A scan needs no declaration of that.
struct composed : affine {
  HPK_FUNCTION composed& operator+=(const composed& next) {
    static_cast<affine&>(*this) = then(*this, next);
    return *this;
  }
};
HPK_TYPED_TEST(ParallelScan, keeps_the_order_of_objects) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {1, 513, 2000, 100003}) {
      const hpk::View<affine*, shared_device<TypeParam>> found("found", n);
      composed all;
      hpk::parallel_scan(
          hpk::RangePolicy(exec, 0, n),
          HPK_LAMBDA(int i, composed& update, bool final) {
            update += composed{map_of(i)};
            if (final) found(i) = update;
          },
          all);
      affine sum;
      int right = 0;
      for (int i = 0; i < n; ++i) right += found(i) == (sum = then(sum, map_of(i)));
      EXPECT_EQ(right, n);
      EXPECT_TRUE(all == sum) << n;
    }
  }
}

HPK_TYPED_TEST(ParallelScan, refuses_a_reducer_without_memory) {
  const hpk::View<long, hpk::HostSpace> nowhere;
  EXPECT_TRUE(contains(error_of([&] {
                         hpk::parallel_scan("nowhere", hpk::RangePolicy<TypeParam>(0, 5),
                                            HPK_LAMBDA(int, long&, bool){},
                                            hpk::Sum<long, hpk::HostSpace>(nowhere));
                       }),
                       "hpk::parallel_scan \"nowhere\": the result View is not allocated"));
}

// Sums over boxes whose bits depend on the order: they are the same for any number of workers.
HPK_TYPED_TEST(ParallelScanOnHost, has_the_same_bits_over_boxes_for_any_number_of_workers) {
  for (const int rows : {3, 70, 5000}) {
    std::vector<double> wanted;
    for (const bool back : {false, true}) {
      wanted.clear();
      for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
        std::vector<double> found(static_cast<std::size_t>(rows) * 61);
        const hpk::MDRangePolicy<TypeParam, hpk::Rank<2>> policy(exec, {0, 0}, {rows, 61});
        const auto kernel = [&](int i, int j, double& update, bool final) {
          update += wild<double>(i * 61 + j);
          if (final) found[static_cast<std::size_t>(i * 61 + j)] = update;
        };
        if (back) {
          hpk::parallel_scan(hpk::backward(policy), kernel);
        } else {
          hpk::parallel_scan(policy, kernel);
        }
        if (wanted.empty()) wanted = found;
        EXPECT_EQ(std::memcmp(wanted.data(), found.data(), wanted.size() * 8), 0) << rows;
      }
    }
  }
}

// final ends a reduction. A scan does not call it.
template <class Exec>
struct with_final {
  using value_type = long;
  counter<Exec> calls;
  HPK_FUNCTION void operator()(int i, long& update, bool) const { update += i; }
  HPK_FUNCTION void final(long& update) const {
    calls.add(1);
    update = -1;
  }
};

HPK_TYPED_TEST(ParallelScan, leaves_a_final_hook_alone) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 1000, 100003}) {
      const with_final<TypeParam> kernel;
      long total = -7;
      hpk::parallel_scan(hpk::RangePolicy(exec, 0, n), kernel, total);
      EXPECT_EQ(kernel.calls.get(), 0);
      EXPECT_EQ(total, static_cast<long>(n) * (n - 1) / 2);
    }
  }
}

TEST(ParallelScanFences, waits_for_its_instance_when_the_total_is_a_variable_only) {
  const Counting exec(hpk::NewInstance{});
  const auto kernel = [](int i, long& update, bool) { update += i; };
  const hpk::View<long, hpk::HostSpace> view("total");
  for (const int n : {0, 1, 1000, 100003}) {
    const hpk::RangePolicy policy(exec, 0, n);
    {
      const fence_counts counts(exec);
      hpk::parallel_scan(policy, kernel);
      hpk::parallel_scan("view", policy, kernel, view);
      EXPECT_TRUE(counts.only(0));
    }
    const fence_counts counts(exec);
    long total = -1;
    hpk::parallel_scan(policy, kernel, total);
    EXPECT_TRUE(counts.only(1));
    EXPECT_EQ(total, static_cast<long>(n) * (n - 1) / 2);
    EXPECT_EQ(view(), total);
  }
}

TEST(ParallelScanErrors, names_a_launch_whose_values_find_no_memory) {
  if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
    GTEST_SKIP() << "sanitizers end the program when memory is spent";
  const hpk::DefaultHostExecutionSpace exec;
  if (exec.concurrency() < 2) GTEST_SKIP() << "one worker keeps no values";
  const auto scan = [&] {
    hpk::parallel_scan("huge", hpk::RangePolicy(exec, 0L, std::numeric_limits<long>::max()),
                       [](long, double&, bool) {});
  };
  const std::string text = hpk_test::error_of(scan);
  EXPECT_THROW(scan(), std::bad_alloc);
  EXPECT_TRUE(hpk_test::contains(text, "\"huge\": no memory is left for")) << text;
  EXPECT_TRUE(hpk_test::contains(text, "scan.cpp")) << text;
}

}  // namespace hpk_test::scan_cases
