// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce: values of every arithmetic type into variables and Views, all forms of the call,
// order of joins, and exceptions. fold.cpp and lane_reduce.cpp test the bits of floating-point
// sums.
#include <support/affine.hpp>
#include <support/counter.hpp>
#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace hpk_test::reduce_cases {

constexpr std::int64_t sizes[] = {0,   1,    2,    3,    7,    63,   64,    65,
                                  100, 1000, 1023, 1024, 1025, 4097, 100003};

template <class Exec>
class ParallelReduce : public testing::Test {};
TYPED_TEST_SUITE(ParallelReduce, hpk_test::spaces, hpk_test::space_names);

// Tests that run on host threads only: kernels that throw, plain functions, kernels that cannot be
// copied, and values with constructors and destructors.
template <class Exec>
class ParallelReduceOnHost : public testing::Test {};
TYPED_TEST_SUITE(ParallelReduceOnHost, hpk_test::host_spaces, hpk_test::space_names);

// A generic kernel for any space. nvcc does not support a generic HPK_LAMBDA.
struct subtract {
  template <class I, class T>
  HPK_FUNCTION void operator()(I i, T& s) const {
    s -= i;
  }
};

HPK_TYPED_TEST(ParallelReduce, sums_every_index_once_and_overwrites_the_result) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::int64_t n : sizes) {
      SCOPED_TRACE(n);
      const std::int64_t wanted = n * (n - 1) / 2;
      std::int64_t sum = 77;
      hpk::parallel_reduce(
          hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(std::int64_t i, std::int64_t& s) { s += i; },
          sum);
      EXPECT_EQ(sum, wanted);
      sum = 77;
      hpk::parallel_reduce(
          "dynamic", hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 1, n + 1),
          HPK_LAMBDA(unsigned i, std::int64_t& s) { s += i; }, sum);
      EXPECT_EQ(sum, wanted + n);
      sum = 77;
      hpk::parallel_reduce(
          hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, -n, 0, hpk::ChunkSize(3)),
          subtract(), sum);
      EXPECT_EQ(sum, wanted + n);
      if constexpr (is_on_cpu<TypeParam>) {
        sum = 77;
        hpk::parallel_reduce(hpk::RangePolicy(exec, -n, 0), [](auto i, auto& s) { s -= i; }, sum);
        EXPECT_EQ(sum, wanted + n);
      }
    }
  }
}

template <class T, class Exec>
void expect_counts() {
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    for (const int n : {0, 1, 100, 127}) {
      T count = T(5);
      hpk::parallel_reduce(
          hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(int, T& c) { c = static_cast<T>(c + T(1)); },
          count);
      EXPECT_EQ(count, static_cast<T>(n));
    }
  }
}

HPK_TYPED_TEST(ParallelReduce, takes_every_arithmetic_type) {
  using all =
      hpk::detail::type_list<char, signed char, unsigned char, short, unsigned short, int, unsigned,
                             long, unsigned long, long long, unsigned long long, float, double>;
  hpk::detail::for_each_type(all{}, []<class T>(hpk::detail::type_identity<T>) {
    SCOPED_TRACE(sizeof(T));
    expect_counts<T, TypeParam>();
  });
  // GPUs have no long double.
  if constexpr (is_on_cpu<TypeParam>) expect_counts<long double, TypeParam>();
}

HPK_TYPED_TEST(ParallelReduce, writes_into_views_of_rank_zero) {
  const hpk::View<long, hpk::HostSpace> sum("sum");
  const hpk::View<long, TypeParam> in_space("in space");
  long variable = 5;
  const hpk::View<long, hpk::HostSpace> wrapped(&variable);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto kernel = HPK_LAMBDA(int i, long& s) { s += i; };
    sum() = 9;
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 10001), kernel, sum);
    exec.fence();
    EXPECT_EQ(sum(), 50005000);
    hpk::parallel_reduce("into a temporary View", hpk::RangePolicy(exec, 0, 101), kernel,
                         hpk::View<long, hpk::HostSpace>(&variable));
    exec.fence();
    EXPECT_EQ(variable, 5050);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 0), kernel, wrapped);
    exec.fence();
    EXPECT_EQ(variable, 0);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), kernel, in_space);
    EXPECT_EQ(on_host(in_space)(), 500500);
  }
  EXPECT_EQ(sum.use_count(), 1);
}

HPK_TYPED_TEST(ParallelReduce, reads_the_memory_of_its_space) {
  const hpk::View<int*, TypeParam> data("data", 10001);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10001), HPK_LAMBDA(int i) { data(i) = 3 * i; });
  long sum = -1;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 10001), HPK_LAMBDA(int i, long& s) { s += data(i); }, sum);
  EXPECT_EQ(sum, 3 * 50005000L);
}

HPK_TYPED_TEST(ParallelReduce, refuses_a_view_without_memory) {
  const hpk::View<long, hpk::HostSpace> nowhere;
  const std::string text = error_of([&] {
    hpk::parallel_reduce("into nothing", hpk::RangePolicy<TypeParam>(0, 5),
                         HPK_LAMBDA(int, long&){}, nowhere);
  });
  EXPECT_TRUE(
      contains(text, "hpk::parallel_reduce \"into nothing\": the result View is not allocated"));
  EXPECT_TRUE(contains(text, "reduce.cpp:"));
}

HPK_TYPED_TEST(ParallelReduce, refuses_a_range_that_the_kernels_index_cannot_hold) {
  const std::string text = error_of([&] {
    long sum = 0;
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 40000), HPK_LAMBDA(short, long&){}, sum);
  });
  EXPECT_TRUE(contains(text, "hpk::parallel_reduce: the range [0, 40000) does not fit"));
}

// A kernel that cannot be copied or moved.
template <class Exec>
struct pinned {
  using execution_space = Exec;
  pinned() = default;
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;
  void operator()(int i, long& sum) const { sum += this == self ? i : 1000000; }
  const pinned* self = this;
};

HPK_TYPED_TEST(ParallelReduceOnHost, never_copies_the_kernel) {
  const pinned<TypeParam> kernel;
  long sum = -1;
  hpk::parallel_reduce(100001, kernel, sum);
  EXPECT_EQ(sum, 5000050000);
  hpk::parallel_reduce("labelled", 11u, kernel, hpk::Sum<long>(sum));
  EXPECT_EQ(sum, 55);
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(0, 11), kernel,
                       sum);
  EXPECT_EQ(sum, 55);
}

// Reads memory that kernels of no other space may access.
template <class Exec>
struct sum_own_memory {
  using execution_space = Exec;
  hpk::View<long*, Exec> data;
  HPK_FUNCTION void operator()(int i, long& sum) const { sum += data(i) + i; }
};

HPK_TYPED_TEST(ParallelReduce, takes_the_space_of_the_kernel) {
  const sum_own_memory<TypeParam> kernel{hpk::View<long*, TypeParam>("zeros", 100001)};
  long sum = -1;
  hpk::parallel_reduce(100001, kernel, sum);
  EXPECT_EQ(sum, 5000050000);
  hpk::parallel_reduce("labelled", 11u, kernel, hpk::Sum<long>(sum));
  EXPECT_EQ(sum, 55);
}

void add_index(int i, long& sum) { sum += i; }

HPK_TYPED_TEST(ParallelReduceOnHost, takes_functions) {
  long sum = -1;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 1001), add_index, sum);
  EXPECT_EQ(sum, 500500);
}

HPK_TYPED_TEST(ParallelReduce, joins_own_values_in_index_order) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    ordered_affine wanted;
    for (std::int64_t i = 0; i < n; ++i) wanted += map_of(i);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const auto kernel = HPK_LAMBDA(std::int64_t i, ordered_affine& m) { m += map_of(i); };
      ordered_affine found{{7, 7}};
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, found);
      EXPECT_EQ(found, wanted);
      found = {{7, 7}};
      hpk::parallel_reduce(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                           kernel, found);
      EXPECT_EQ(found, wanted);
    }
  }
}

// Joining strings does not commute, and strings need a destructor.
HPK_TYPED_TEST(ParallelReduceOnHost, joins_strings_in_index_order) {
  for (const int n : {0, 1, 2, 65, 1000, 5000}) {
    SCOPED_TRACE(n);
    std::string wanted;
    for (int i = 0; i < n; ++i) wanted += std::to_string(i) + ",";
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      std::string found = "old";
      const auto kernel = [](int i, std::string& s) { s += std::to_string(i) + ","; };
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, found);
      EXPECT_EQ(found, wanted);
      found = "old";
      hpk::parallel_reduce(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                           kernel, found);
      EXPECT_EQ(found, wanted);
    }
  }
}

// Values with a destructor: as many are alive after a reduction as before, also if a kernel throws.
struct counted {
  static inline std::atomic<int> alive = 0;
  long value = 0;
  counted() { ++alive; }
  counted(const counted& other) : value(other.value) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
  counted& operator+=(const counted& other) {
    value += other.value;
    return *this;
  }
};

HPK_TYPED_TEST(ParallelReduceOnHost, ends_every_value_it_starts) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const int before = counted::alive;
    {
      counted sum;
      hpk::parallel_reduce(
          hpk::RangePolicy(exec, 0, 4097), [](int i, counted& c) { c.value += i; }, sum);
      EXPECT_EQ(sum.value, 4097 * 4096 / 2);
      EXPECT_THROW(hpk::parallel_reduce(
                       hpk::RangePolicy(exec, 0, 4097),
                       [](int i, counted&) {
                         if (i == 2000) throw i;
                       },
                       sum),
                   int);
    }
    EXPECT_EQ(counted::alive, before);
  }
}

struct alignas(64) wide_value {
  long lanes[8] = {};
  HPK_FUNCTION wide_value& operator+=(const wide_value& other) {
    if (reinterpret_cast<std::uintptr_t>(&other) % 64 != 0) lanes[0] += 1000000;
    for (int k = 0; k < 8; ++k) lanes[k] += other.lanes[k];
    return *this;
  }
};

HPK_TYPED_TEST(ParallelReduce, keeps_the_alignment_of_values) {
  const counter<TypeParam> misaligned;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    wide_value sum;
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 100003),
        HPK_LAMBDA(int i, wide_value& s) {
          if (reinterpret_cast<std::uintptr_t>(&s) % 64 != 0) misaligned.add(1);
          s.lanes[i % 8] += i;
        },
        sum);
    long total = 0;
    for (const long lane : sum.lanes) total += lane;
    EXPECT_EQ(total, 100003L * 100002 / 2);
  }
  EXPECT_EQ(misaligned.get(), 0);
}

HPK_TYPED_TEST(ParallelReduceOnHost, reports_the_lowest_failing_iteration_and_keeps_the_result) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto lowest_of = [](const auto& policy, std::vector<int> failing) {
      double sum = 42;
      const int lowest = thrown_by([&] {
        hpk::parallel_reduce(
            policy,
            [&](int i, double& s) {
              for (const int f : failing) {
                if (i == f) throw i;
              }
              s += 1;
            },
            sum);
      });
      if (lowest != -1) {
        EXPECT_EQ(sum, 42);
      }
      return lowest;
    };
    for (const int n : {1, 10, 1000, 10007}) {
      for (const std::vector<int>& failing :
           {std::vector<int>{n - 1}, std::vector<int>{n - 1, n / 2, n / 3},
            std::vector<int>{n - 1, 0}}) {
        SCOPED_TRACE(testing::Message() << n << ", lowest " << failing.back());
        EXPECT_EQ(lowest_of(hpk::RangePolicy(exec, 0, n), failing), failing.back());
        EXPECT_EQ(lowest_of(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                            failing),
                  failing.back());
      }
      EXPECT_EQ(lowest_of(hpk::RangePolicy(exec, 0, n), {}), -1);
    }
  }
}

TEST(ParallelReduceFences, waits_for_its_instance_when_the_result_is_a_variable) {
  const Counting exec(hpk::NewInstance{});
  const auto kernel = [](int i, long& s) { s += i; };
  for (const int n : {0, 1, 100, 100003}) {
    const fence_counts counts(exec);
    long sum = -1;
    hpk::parallel_reduce("variable", hpk::RangePolicy(exec, 0, n), kernel, sum);
    EXPECT_TRUE(counts.only(1));
    EXPECT_EQ(sum, static_cast<long>(n) * (n - 1) / 2);
  }
}

TEST(ParallelReduceFences, does_not_wait_when_the_result_is_a_view) {
  const Counting exec(hpk::NewInstance{});
  const auto kernel = [](int i, long& s) { s += i; };
  const hpk::View<long, hpk::HostSpace> in_host("in host");
  const hpk::View<long, Counting> in_space("in space");
  long memory = -1;
  const fence_counts counts(exec);
  for (const int n : {0, 100, 100003}) {
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, in_host);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, in_space);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel,
                         hpk::View<long, hpk::HostSpace>(&memory));
  }
  EXPECT_TRUE(counts.only(0));
  exec.fence();
  EXPECT_EQ(in_host(), 100003L * 100002 / 2);
  EXPECT_EQ(in_space(), in_host());
  EXPECT_EQ(memory, in_host());
}

// A few long iterations: with ChunkSize(1) no iteration waits for another.
HPK_TYPED_TEST(ParallelReduce, leaves_the_chunks_of_a_busy_worker_to_the_others) {
  if constexpr (std::is_constructible_v<TypeParam, int>) {
    constexpr int n = 64;
    std::atomic<int> done = 0;
    bool waited_in_vain = false;
    const auto kernel = [&](int i, long& sum) {
      const auto start = std::chrono::steady_clock::now();
      while (i == 0 && done < n - 1 && !waited_in_vain) {
        std::this_thread::yield();
        waited_in_vain = std::chrono::steady_clock::now() - start > std::chrono::seconds(60);
      }
      sum += i;
      ++done;
    };
    long sum = -1;
    const TypeParam exec(2);
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n, hpk::ChunkSize(1)),
        kernel, sum);
    EXPECT_EQ(sum, n * (n - 1) / 2);
    EXPECT_FALSE(waited_in_vain);
  }
}

// A member of the functor has the same name as a function of the library.
struct has_a_fold {
  void operator()(int i, long& u) const { u += i; }
  template <class... Any>
  long fold(const Any&...) const {
    return 42;
  }
};
TEST(ParallelReduceOfFunctors, leaves_members_of_their_own_alone) {
  long sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 10), has_a_fold(), sum);
  EXPECT_EQ(sum, 45);
}

// Result Views that the program drops immediately.
HPK_TYPED_TEST(ParallelReduce, keeps_a_result_that_nobody_else_does) {
  const TypeParam exec;
  const hpk::View<int*, TypeParam> slow("slow", 200000);
  for (int round = 0; round < 3; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 200000), HPK_LAMBDA(int i) { slow(i) += i; });
    const auto sum = HPK_LAMBDA(int i, double& u) { u += i; };
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(exec, 0, 100), sum,
                         hpk::View<double, TypeParam>("there"));
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(exec, 0, 100), sum,
                         hpk::View<double, hpk::HostSpace>("here"));
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam>(exec, 0, 100),
        HPK_LAMBDA(int i, double& u, int& v) {
          u += i;
          v += 1;
        },
        hpk::View<double, hpk::HostSpace>("first"), hpk::View<int, TypeParam>("second"));
    hpk::parallel_scan(
        hpk::RangePolicy<TypeParam>(exec, 0, 100), HPK_LAMBDA(int i, double& u, bool) { u += i; },
        hpk::View<double, TypeParam>("total"));
    exec.fence();
  }
}

struct tag_a {};
struct tag_b {};
struct narrow_overloads {
  void operator()(tag_a, short) const {}
  void operator()(tag_b, unsigned char) const {}
  void operator()(tag_b, unsigned char i, long& u) const { u += i; }
};
TEST(ParallelReduceOfFunctors, knows_the_narrow_index_of_an_overload) {
  using exec = hpk::DefaultHostExecutionSpace;
  const auto error = [](auto launch) { return error_of(launch); };
  EXPECT_TRUE(contains(
      error([] { hpk::parallel_for(hpk::RangePolicy<exec, tag_a>(0, 70000), narrow_overloads()); }),
      "does not fit the kernel's index type"));
  EXPECT_TRUE(contains(error([] {
                         long sum = 0;
                         hpk::parallel_reduce(hpk::RangePolicy<exec, tag_b>(0, 1000),
                                              narrow_overloads(), sum);
                       }),
                       "does not fit the kernel's index type"));
  long sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy<exec, tag_b>(0, 200), narrow_overloads(), sum);
  EXPECT_EQ(sum, 19900);
}

}  // namespace hpk_test::reduce_cases
