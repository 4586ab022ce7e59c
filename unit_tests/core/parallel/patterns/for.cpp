// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for visits every index exactly once, for every size, schedule, chunk, index type and
// worker count, and with kernels of every form. On host spaces a functor is never copied, and the
// exception of the lowest index reaches the caller.
#include <support/counter.hpp>
#include <support/counting_space.hpp>
#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace hpk_test::for_cases {

constexpr std::int64_t sizes[] = {0,   1,    2,    3,    7,    63,   64,    65,
                                  100, 1000, 1023, 1024, 1025, 4097, 100003};

// Counts the visits of each index of [begin, begin + n) and of all others.
template <class Index, class Exec>
class visits {
 public:
  visits(Index begin, std::int64_t n) : begin_(begin), hits_("hits", n), outside_("outside") {}
  HPK_FUNCTION void note(Index i) const {
    const auto k = static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(begin_);
    int& hits = k < hits_.size() ? hits_(static_cast<hpk::index_t>(k)) : outside_();
    hpk::atomic_inc(&hits);
  }
  testing::AssertionResult once() const {
    hpk::fence();
    if (outside_() != 0) return testing::AssertionFailure() << outside_() << " indices outside";
    for (std::size_t k = 0; k < hits_.size(); ++k) {
      if (hits_(k) != 1)
        return testing::AssertionFailure()
               << "index begin + " << k << " visited " << hits_(k) << " times";
    }
    return testing::AssertionSuccess();
  }

 private:
  Index begin_;
  hpk::View<int*, shared_device<Exec>> hits_;
  hpk::View<int, shared_device<Exec>> outside_;
};

template <class Exec>
class ParallelFor : public testing::Test {};
TYPED_TEST_SUITE(ParallelFor, hpk_test::spaces, hpk_test::space_names);

// Tests that run on host threads only: kernels that throw, plain functions, and kernels that cannot
// be copied.
template <class Exec>
class ParallelForOnHost : public testing::Test {};
TYPED_TEST_SUITE(ParallelForOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ParallelFor, visits_every_index_once) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::int64_t n : sizes) {
      SCOPED_TRACE(n);
      {
        const visits<std::int64_t, TypeParam> seen(0, n);
        hpk::parallel_for(
            hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(std::int64_t i) { seen.note(i); });
        EXPECT_TRUE(seen.once());
      }
      {
        const visits<std::int64_t, TypeParam> seen(-5, n);
        hpk::parallel_for(
            "dynamic", hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, -5, n - 5),
            HPK_LAMBDA(std::int64_t i) { seen.note(i); });
        EXPECT_TRUE(seen.once());
      }
    }
  }
}

HPK_TYPED_TEST(ParallelFor, visits_every_index_once_with_any_chunk_size) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{64}, std::int64_t{1025}}) {
      for (const int chunk : {1, 2, 3, 7, 64, 1000, 5000, std::numeric_limits<int>::max()}) {
        SCOPED_TRACE(testing::Message() << "n " << n << ", chunk " << chunk);
        const hpk::ChunkSize size(chunk);
        const visits<std::int64_t, TypeParam> fixed(3, n);
        hpk::parallel_for(
            hpk::RangePolicy<TypeParam>(exec, 3, n + 3, size),
            HPK_LAMBDA(std::int64_t i) { fixed.note(i); });
        EXPECT_TRUE(fixed.once());
        const visits<std::int64_t, TypeParam> claimed(3, n);
        hpk::parallel_for(
            hpk::RangePolicy<hpk::Schedule<hpk::Dynamic>, TypeParam>(exec, 3, n + 3, size),
            HPK_LAMBDA(std::int64_t i) { claimed.note(i); });
        EXPECT_TRUE(claimed.once());
      }
    }
  }
}

HPK_TYPED_TEST(ParallelFor, writes_the_memory_of_its_space) {
  for (const int n : {1, 1000, 100003}) {
    const hpk::View<int*, TypeParam> data("data", n);
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) { data(i) = 3 * i; });
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) { data(i) += 1; });
    const auto found = on_host(data);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += found(i) != 3 * i + 1;
    EXPECT_EQ(wrong, 0);
  }
}

// Runs a kernel with an index of type Index over [begin, begin + n).
template <class Index, class Policy>
void expect_once(const Policy& policy, Index begin, std::int64_t n) {
  const visits<Index, typename Policy::execution_space> seen(begin, n);
  hpk::parallel_for(policy, HPK_LAMBDA(Index i) { seen.note(i); });
  EXPECT_TRUE(seen.once());
}

HPK_TYPED_TEST(ParallelFor, takes_the_index_type_of_the_kernel) {
  const hpk::RangePolicy<TypeParam> policy(5, 105);
  expect_once<short>(policy, 5, 100);
  expect_once<unsigned short>(policy, 5, 100);
  expect_once<signed char>(policy, 5, 100);
  expect_once<int>(policy, 5, 100);
  expect_once<unsigned>(policy, 5, 100);
  expect_once<long>(policy, 5, 100);
  expect_once<unsigned long>(policy, 5, 100);
  expect_once<long long>(policy, 5, 100);
  expect_once<std::size_t>(policy, 5, 100);
  const visits<int, TypeParam> by_reference(5, 100);
  hpk::parallel_for(policy, HPK_LAMBDA(const int& i) { by_reference.note(i); });
  EXPECT_TRUE(by_reference.once());
  const visits<long, TypeParam> with_double(5, 100);
  hpk::parallel_for(policy, HPK_LAMBDA(double i) { with_double.note(static_cast<long>(i)); });
  EXPECT_TRUE(with_double.once());
}

// A generic kernel that accepts only Index. nvcc does not support a generic HPK_LAMBDA.
template <class Index, class Exec>
struct note_any {
  visits<Index, Exec> seen;
  template <class I>
  HPK_FUNCTION void operator()(I i) const {
    static_assert(std::is_same_v<I, Index>);
    seen.note(i);
  }
};

HPK_TYPED_TEST(ParallelFor, gives_generic_kernels_the_policys_index_type) {
  const hpk::RangePolicy<TypeParam> policy(0, 10);
  const hpk::RangePolicy<TypeParam, hpk::IndexType<short>> narrow_policy(0, 10);
  const note_any<hpk::index_t, TypeParam> kernel{visits<hpk::index_t, TypeParam>(0, 10)};
  hpk::parallel_for(policy, kernel);
  EXPECT_TRUE(kernel.seen.once());
  const note_any<short, TypeParam> narrow_kernel{visits<short, TypeParam>(0, 10)};
  hpk::parallel_for(narrow_policy, narrow_kernel);
  EXPECT_TRUE(narrow_kernel.seen.once());
  if constexpr (is_on_cpu<TypeParam>) {
    const visits<std::int64_t, TypeParam> seen(0, 10);
    hpk::parallel_for(policy, [=](auto i) {
      static_assert(std::is_same_v<decltype(i), hpk::index_t>);
      seen.note(i);
    });
    EXPECT_TRUE(seen.once());
    const visits<short, TypeParam> narrow(0, 10);
    hpk::parallel_for(narrow_policy, [=](auto i) {
      static_assert(std::is_same_v<decltype(i), short>);
      narrow.note(i);
    });
    EXPECT_TRUE(narrow.once());
  }
}

HPK_TYPED_TEST(ParallelFor, reaches_the_ends_of_every_index_type) {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto range = [&](auto begin, auto end) { return hpk::RangePolicy(exec, begin, end); };
    using huge = hpk::RangePolicy<TypeParam, hpk::IndexType<std::uint64_t>>;
    expect_once<std::int64_t>(range(lowest, lowest + 1000), lowest, 1000);
    expect_once<std::int64_t>(range(highest - 1000, highest), highest - 1000, 1000);
    expect_once<std::int64_t>(range(std::int64_t{1} << 40, (std::int64_t{1} << 40) + 777),
                              std::int64_t{1} << 40, 777);
    constexpr std::uint64_t middle = std::uint64_t{1} << 63;
    expect_once<std::uint64_t>(huge(exec, middle - 500, middle + 500), middle - 500, 1000);
    expect_once<std::uint64_t>(huge(exec, ~std::uint64_t{0} - 1000, ~std::uint64_t{0}),
                               ~std::uint64_t{0} - 1000, 1000);
    constexpr int int_min = std::numeric_limits<int>::min();
    constexpr int int_max = std::numeric_limits<int>::max();
    expect_once<int>(range(int_min, int_min + 1000), int_min, 1000);
    expect_once<int>(range(int_max - 1000, int_max), int_max - 1000, 1000);
    expect_once<short>(range(-32768, 32767), short{-32768}, 65535);
    expect_once<signed char>(range(-128, 127), static_cast<signed char>(-128), 255);
  }
}

HPK_TYPED_TEST(ParallelFor, refuses_a_range_that_the_kernels_index_cannot_hold) {
  const auto message = [](auto begin, auto end, auto kernel) {
    return error_of(
        [&] { hpk::parallel_for("narrow", hpk::RangePolicy<TypeParam>(begin, end), kernel); });
  };
  const std::string wide = message(0, std::int64_t{1} << 31, HPK_LAMBDA(int){});
  EXPECT_TRUE(
      contains(wide, "hpk::parallel_for \"narrow\": the range [0, 2147483648) does not fit"));
  EXPECT_TRUE(contains(wide, "ends at 2147483647; let the kernel take hpk::index_t"));
  EXPECT_TRUE(contains(wide, "for.cpp:"));
  EXPECT_TRUE(contains(message(-1, 5, HPK_LAMBDA(unsigned){}), "[-1, 5) does not fit"));
  EXPECT_TRUE(contains(message(-1, 5, HPK_LAMBDA(std::size_t){}), "ends at 18446744073709551615"));
  EXPECT_NO_THROW(hpk::parallel_for(hpk::RangePolicy<TypeParam>(-1, -1), HPK_LAMBDA(unsigned){}));
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(contains(message(least, 1, HPK_LAMBDA(std::int64_t){}),
                       "more iterations than a signed 64-bit"));
}

struct first {};
struct second {};

template <class Exec>
struct tagged {
  counter<Exec> sums[3];
  HPK_FUNCTION void operator()(first, int i) const { sums[0].add(i); }
  HPK_FUNCTION void operator()(const second&, int i) const { sums[1].add(10 * i); }
  HPK_FUNCTION void operator()(int i) const { sums[2].add(100 * i); }
};

HPK_TYPED_TEST(ParallelFor, passes_the_work_tag_first) {
  const tagged<TypeParam> kernel;
  const auto& sums = kernel.sums;
  hpk::parallel_for(hpk::RangePolicy<TypeParam, first>(0, 11), kernel);
  EXPECT_EQ(sums[0].get(), 55);
  hpk::parallel_for(hpk::RangePolicy<second, TypeParam>(0, 11), kernel);
  EXPECT_EQ(sums[1].get(), 550);
  hpk::parallel_for("untagged", hpk::RangePolicy<TypeParam>(0, 11), kernel);
  EXPECT_EQ(sums[0].get(), 55);
  EXPECT_EQ(sums[1].get(), 550);
  EXPECT_EQ(sums[2].get(), 5500);
  const counter<TypeParam> sum;
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam, first>(0, 3), HPK_LAMBDA(first, long i) { sum.add(1000 * i); });
  EXPECT_EQ(sum.get(), 3000);
}

// A kernel that cannot be copied or moved. The test compiles, so the launch does neither.
template <class Exec>
struct pinned {
  using execution_space = Exec;
  std::atomic<long>* sum;
  explicit pinned(std::atomic<long>* s) : sum(s) {}
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;
  void operator()(int i) const {
    if (seen_by_machine != this) *sum += 1000000;
    *sum += i;
  }
  const pinned* seen_by_machine = this;
};

HPK_TYPED_TEST(ParallelForOnHost, never_copies_the_kernel_and_takes_its_space) {
  std::atomic<long> sum = 0;
  const pinned<TypeParam> kernel(&sum);
  hpk::parallel_for(1001, kernel);
  EXPECT_EQ(sum, 500500);
  hpk::parallel_for("a count of another type", std::size_t{11}, kernel);
  EXPECT_EQ(sum, 500555);
  hpk::parallel_for(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(0, 1001), kernel);
  EXPECT_EQ(sum, 1001055);
}

// A kernel that is called through its base class must not be sliced.
struct adds_nothing {
  std::atomic<long>* sum;
  explicit adds_nothing(std::atomic<long>* s) noexcept : sum(s) {}
  adds_nothing(const adds_nothing&) noexcept = default;
  virtual ~adds_nothing() = default;
  virtual void operator()(int) const {}
};
struct adds : adds_nothing {
  using adds_nothing::adds_nothing;
  void operator()(int i) const override { *sum += i; }
};

HPK_TYPED_TEST(ParallelForOnHost, calls_a_derived_kernel_through_its_base) {
  std::atomic<long> sum = 0;
  const adds kernel(&sum);
  const adds_nothing& base = kernel;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1001), base);
  EXPECT_EQ(sum, 500500);
}

// The base class knows the type of the derived kernel and calls it without a virtual function.
template <class Derived>
struct calls_derived {
  hpk::View<long*, hpk::HostSpace> out;
  void operator()(int i) const { static_cast<const Derived*>(this)->at(i); }
};
struct writes_factor : calls_derived<writes_factor> {
  long factor = 42;
  void at(int i) const { out(i) = factor; }
};

HPK_TYPED_TEST(ParallelForOnHost, calls_a_derived_kernel_through_a_base_without_virtual_functions) {
  writes_factor kernel;
  kernel.out = hpk::View<long*, hpk::HostSpace>("out", 101);
  const calls_derived<writes_factor>& base = kernel;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 101), base);
  EXPECT_EQ(kernel.out(0), 42);
  EXPECT_EQ(kernel.out(100), 42);
}

// Writes memory that kernels of no other space may access.
template <class Exec>
struct fill_own_memory {
  using execution_space = Exec;
  hpk::View<long*, Exec> data;
  HPK_FUNCTION void operator()(int i) const { data(i) = i; }
};

HPK_TYPED_TEST(ParallelFor, takes_the_space_of_the_kernel) {
  const fill_own_memory<TypeParam> kernel{hpk::View<long*, TypeParam>("data", 1001)};
  hpk::parallel_for(1000, kernel);
  EXPECT_EQ(on_host(kernel.data)(999), 999);
  EXPECT_EQ(on_host(kernel.data)(1000), 0);
  hpk::parallel_for("a count of another type", std::size_t{1001}, kernel);
  EXPECT_EQ(on_host(kernel.data)(1000), 1000);
}

HPK_TYPED_TEST(ParallelFor, touches_no_reference_count_of_captured_views) {
  using numbers = hpk::View<int*, shared_device<TypeParam>>;
  numbers data("data", 1000);
  const hpk::View<int, shared_device<TypeParam>> largest("largest");
  const auto kernel = HPK_LAMBDA(int i) {
    const numbers copy = data;
    copy(i) = i;
    [[maybe_unused]] int& most = largest();
    HPK_IF_ON_HOST((hpk::atomic_max(&most, data.use_count());))
  };
  const int before = data.use_count();
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    hpk::parallel_for(hpk::RangePolicy(exec, 0, 1000), kernel);
    exec.fence();
  }
  // nvcc wraps a lambda for hosts and devices in an object that holds a second copy of it.
  constexpr int held = HPK_HAS_CUDA_COMPILER ? 3 : 2;
  EXPECT_EQ(before, held);
  // A launch that returns early holds a copy of the kernel. Kernels of a GPU cannot read the count.
  EXPECT_EQ(largest(), is_host<TypeParam> ? held : is_on_cpu<TypeParam> ? held + 1 : 0);
  EXPECT_EQ(data.use_count(), held);
  EXPECT_EQ(data(999), 999);
}

std::atomic<long> free_sum = 0;
void free_kernel(int i) { free_sum += i; }

HPK_TYPED_TEST(ParallelForOnHost, takes_functions) {
  free_sum = 0;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 5), free_kernel);
  hpk::parallel_for(std::string("label"), hpk::RangePolicy<TypeParam>(0, 5), &free_kernel);
  EXPECT_EQ(free_sum, 20);
}

HPK_TYPED_TEST(ParallelFor, takes_noexcept_lambdas_and_labels_of_any_string) {
  const counter<TypeParam> sum;
  const auto kernel = HPK_LAMBDA(int i) noexcept { sum.add(i); };
  hpk::parallel_for(std::string("label"), hpk::RangePolicy<TypeParam>(0, 5), kernel);
  hpk::parallel_for(std::string_view("label"), hpk::RangePolicy<TypeParam>(0, 5), kernel);
  const char* label = "label";
  hpk::parallel_for(label, hpk::RangePolicy<TypeParam>(0, 5), kernel);
  EXPECT_EQ(sum.get(), 30);
  const counter<hpk::DefaultExecutionSpace> by_count;
  hpk::parallel_for(label, 5, HPK_LAMBDA(unsigned i) { by_count.add(i); });
  EXPECT_EQ(by_count.get(), 10);
}

HPK_TYPED_TEST(ParallelForOnHost, reports_the_lowest_failing_iteration_and_goes_on) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto lowest_of = [](const auto& policy, std::vector<int> failing) {
      return thrown_by([&] {
        hpk::parallel_for("throws", policy, [&](int i) {
          for (const int f : failing) {
            if (i == f) throw i;
          }
        });
      });
    };
    for (const int n : {1, 10, 1000, 10007}) {
      SCOPED_TRACE(n);
      const hpk::RangePolicy<TypeParam> fixed(exec, 0, n);
      const hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>> automatic(exec, 0, n);
      const hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>> claimed(exec, 0, n,
                                                                             hpk::ChunkSize(3));
      for (const std::vector<int>& failing :
           {std::vector<int>{n - 1}, std::vector<int>{n - 1, n / 2, n / 3},
            std::vector<int>{n - 1, 0}}) {
        const int lowest = failing.back();
        EXPECT_EQ(lowest_of(fixed, failing), lowest);
        EXPECT_EQ(lowest_of(automatic, failing), lowest);
        EXPECT_EQ(lowest_of(claimed, failing), lowest);
      }
      EXPECT_EQ(lowest_of(fixed, {}), -1);
    }
    // Every iteration fails, in a range whose indices just fit in an int.
    EXPECT_EQ(thrown_by([&] {
                hpk::parallel_for(hpk::RangePolicy(exec, std::numeric_limits<int>::min(),
                                                   std::numeric_limits<int>::max()),
                                  [](int i) { throw i; });
              }),
              std::numeric_limits<int>::min());
    const visits<int, TypeParam> after(0, 1000);
    hpk::parallel_for(hpk::RangePolicy(exec, 0, 1000), HPK_LAMBDA(int i) { after.note(i); });
    EXPECT_TRUE(after.once());
  }
}

HPK_TYPED_TEST(ParallelFor, takes_an_empty_label_as_none) {
  const hpk::RangePolicy<TypeParam> policy(0, std::int64_t{1} << 40);
  const auto kernel = HPK_LAMBDA(int){};
  const std::string text = error_of([&] { hpk::parallel_for("", policy, kernel); });
  EXPECT_TRUE(contains(text, "hpk::parallel_for: the range [0, 1099511627776) does not fit"));
  EXPECT_EQ(text.find('"'), std::string::npos);
}

// The worker of iteration 0 waits until all others have run. So chunks must not be assigned in
// advance.
HPK_TYPED_TEST(ParallelFor, leaves_the_chunks_of_a_busy_worker_to_the_others) {
  if constexpr (has_workers<TypeParam>) {
    constexpr int n = 100;
    std::atomic<int> ran = 0;
    int seen = 0;
    hpk::parallel_for(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(TypeParam(2), 0, n,
                                                                               hpk::ChunkSize(1)),
                      [&](int i) {
                        if (i == 0) {
                          wait_until([&] { return ran == n - 1; });
                          seen = ran;
                        } else {
                          ++ran;
                        }
                      });
    EXPECT_EQ(seen, n - 1);
  }
}

TEST(ParallelForFences, calls_none) {
  const Counting exec(hpk::NewInstance{});
  int calls = 0;
  const auto kernel = [&calls](int) { ++calls; };
  const fence_counts counts(exec);
  hpk::parallel_for(hpk::RangePolicy(exec, 0, 100), kernel);
  hpk::parallel_for("label", hpk::RangePolicy(exec, 0, 0), kernel);
  hpk::parallel_for(hpk::RangePolicy<Counting, hpk::Schedule<hpk::Dynamic>>(exec, 0, 100), kernel);
  EXPECT_EQ(calls, 200);
  EXPECT_TRUE(counts.only(0));
}

// The index is a copy for the kernel. Changing it does not affect the loop.
template <class Exec>
struct changes_its_index {
  counter<Exec> calls;
  template <class I>
  HPK_FUNCTION void operator()(I&& i) const {
    calls.add(1);
    i += 10;
  }
  template <class I>
  HPK_FUNCTION void operator()(I&& i, long& s) const {
    ++s;
    i += 10;
  }
};

HPK_TYPED_TEST(ParallelFor, keeps_its_counter_to_itself) {
  const changes_its_index<TypeParam> kernel;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), kernel);
  EXPECT_EQ(kernel.calls.get(), 100);
  long sum = -1;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 100), kernel, sum);
  EXPECT_EQ(sum, 100);
}

}  // namespace hpk_test::for_cases
