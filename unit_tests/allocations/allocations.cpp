// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches do not allocate memory: of the policies only WorkGraphPolicy allocates. On host spaces a
// launch of any pattern over any policy allocates nothing once its instance has run a similar one;
// on Emu it allocates a few objects. Counts every operator new of the program, and on glibc every
// malloc.
#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sched.h>
#endif

namespace {
std::atomic<long> allocations{0};
}  // namespace

#if defined(__GLIBC__) && !HPK_HAS_ADDRESS_SANITIZER && !HPK_HAS_THREAD_SANITIZER
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t bytes) { return ++allocations, __libc_malloc(bytes); }
void* calloc(std::size_t n, std::size_t bytes) { return ++allocations, __libc_calloc(n, bytes); }
void* realloc(void* p, std::size_t bytes) { return ++allocations, __libc_realloc(p, bytes); }
void* aligned_alloc(std::size_t to, std::size_t bytes) {
  return ++allocations, __libc_memalign(to, bytes);
}
}
#else
static void* counted(std::size_t bytes, std::size_t to) {
  ++allocations;
  bytes = (bytes + to - 1) / to * to;
  void* found = std::aligned_alloc(to, bytes == 0 ? to : bytes);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}
void* operator new(std::size_t bytes) { return counted(bytes, 16); }
void* operator new[](std::size_t bytes) { return counted(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t to) {
  return counted(bytes, static_cast<std::size_t>(to));
}
void* operator new[](std::size_t bytes, std::align_val_t to) {
  return counted(bytes, static_cast<std::size_t>(to));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#endif

namespace hpk_test::allocation_cases {

using dynamic = hpk::Schedule<hpk::Dynamic>;
using hints = hpk::Experimental::WorkItemProperty;

// Returns the number of allocations by `work`.
template <class Work>
long allocations_of(const Work& work) {
  const long before = allocations.load();
  work();
  return allocations.load() - before;
}

template <class Exec>
class Allocations : public testing::Test {};
TYPED_TEST_SUITE(Allocations, host_spaces, space_names);

template <class Exec>
class AllocationsAnywhere : public testing::Test {};
TYPED_TEST_SUITE(AllocationsAnywhere, spaces, space_names);

TEST(AllocationsOfTheProgram, are_counted) {
  EXPECT_GE(allocations_of([] { delete new volatile int(1); }), 1);
  EXPECT_GE(allocations_of([] { ::operator delete(::operator new(100)); }), 1);
}

TYPED_TEST(AllocationsAnywhere, of_policies_never_happen) {
  TypeParam().fence();  // initializes the space
  const int lower[2] = {0, 0}, upper[2] = {10, 20};
  EXPECT_EQ(allocations_of([&] {
              const hpk::RangePolicy<TypeParam> range(0, 100);
              const hpk::RangePolicy<TypeParam, dynamic> claimed(0, 100, hpk::ChunkSize(4));
              const hpk::MDRangePolicy<TypeParam, hpk::Rank<2>> box(lower, upper);
              const hpk::MDRangePolicy<TypeParam, hpk::Rank<2>> tiles({0, 0}, {10, 20}, {2, 5});
              hpk::TeamPolicy<TypeParam> teams(10, hpk::AUTO);
              teams.set_scratch_size(0, hpk::PerTeam(100));
              const auto heavy = hpk::Experimental::require(range, hints::HintHeavyWeight);
              const auto copy = heavy;
              EXPECT_EQ(copy.end() + claimed.end() + box.upper(0) + tiles.upper(0), 220);
            }),
            0);
}

struct sums_of_four {
  using value_type = double[];
  int value_count = 4;
  void operator()(int i, double* sums) const { sums[i % 4] += 1; }
};

// Launches every pattern over every policy, with n iterations each; the graph has a fixed number of
// items.
template <class Exec>
void launch_all(const Exec& exec, int n, double* data,
                const hpk::WorkGraphPolicy<Exec, int>& graph) {
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  const hpk::RangePolicy<Exec> range(exec, 0, n);
  const hpk::RangePolicy<Exec, dynamic> claimed(exec, 0, n);
  const hpk::MDRangePolicy<Exec, hpk::Rank<2>> box(exec, {0, 0}, {n, 4});
  const hpk::MDRangePolicy<Exec, hpk::Rank<2>> tiles(exec, {0, 0}, {n, 4}, {16, 2});
  hpk::TeamPolicy<Exec> teams(exec, n, hpk::AUTO);
  teams.set_scratch_size(0, hpk::PerTeam(256)).set_scratch_size(1, hpk::PerThread(4096));
  double sum = 0;
  hpk::parallel_for("range", range, [=](int i) { data[i] += 1; });
  hpk::parallel_for("dynamic", claimed, [=](int i) { data[i] += 1; });
  hpk::parallel_for("box", box, [=](int i, int j) { data[4 * i + j] += 1; });
  hpk::parallel_for("tiles", tiles, [=](int i, int j) { data[4 * i + j] += 1; });
  hpk::parallel_for("teams", teams, [=](const member& team) { data[team.league_rank()] += 1; });
  hpk::parallel_reduce("range", range, [=](int i, double& s) { s += data[i]; }, sum);
  hpk::parallel_reduce("dynamic", claimed, [=](int i, double& s) { s += data[i]; }, sum);
  hpk::parallel_reduce(
      "max", range, [=](int i, double& s) { s = data[i] > s ? data[i] : s; },
      hpk::Max<double>(sum));
  hpk::parallel_reduce("box", box, [=](int i, int j, double& s) { s += data[4 * i + j]; }, sum);
  hpk::parallel_reduce(
      "teams", teams, [=](const member& team, double& s) { s += data[team.league_rank()]; }, sum);
  hpk::parallel_scan(
      "range", range,
      [=](int i, double& s, bool last) {
        s += 1;
        if (last) data[i] = s;
      },
      sum);
  hpk::parallel_scan("box", box, [=](int i, int j, double& s, bool) { s += i + j; }, sum);
  double count = 0, four[4];
  hpk::parallel_reduce(
      "two", range, [=](int i, double& s, double& k) { s += data[i], k += 1; }, sum, count);
  hpk::parallel_reduce("array", range, sums_of_four(), four);
  hpk::parallel_for("nested", range, [=](int i) {
    hpk::parallel_for("inner", hpk::RangePolicy<Exec>(0, 2), [=](int k) { data[2 * i + k] = 1; });
  });
  hpk::parallel_for("graph", graph, [=](int i) { data[i % n] += 1; });
  const hpk::View<double*, hpk::HostSpace, hpk::MemoryUnmanaged> all(data, 4 * n);
  hpk::deep_copy(exec, all, 1.0);
  exec.fence();
}

// The rows of a graph in which item i depends on item i - 1.
struct chain {
  int length;
  HPK_FUNCTION int operator()(int i, int* next) const {
    if (i + 1 == length) return 0;
    if (next != nullptr) next[0] = i + 1;
    return 1;
  }
};

template <class Exec>
void expect_no_allocations(const Exec& exec) {
  hpk::Crs<int, Exec, void, int> rows;
  hpk::count_and_fill_crs(rows, 50, chain{50});
  const hpk::WorkGraphPolicy<Exec, int> graph(rows);
  for (const int n : {1, 7, 1000, 20000}) {
    const hpk::View<double*, hpk::HostSpace> data("data", 4 * n);
    launch_all(exec, n, data.data(), graph);
    // Workers that are late for the first launch allocate their block of memory in a later one.
    long last = 1;
    for (int k = 0; k < 50 && last != 0; ++k) {
      last = allocations_of([&] {
        for (int launch = 0; launch < 20; ++launch) launch_all(exec, n, data.data(), graph);
      });
    }
    EXPECT_EQ(last, 0) << n;
  }
}

TYPED_TEST(Allocations, of_launches_happen_at_most_once) {
  for (const long inline_launches : {0L, -1L, 100000L}) {
    SCOPED_TRACE(inline_launches);
    hpk::initialize(hpk::InitializationSettings().set_inline_launches(inline_launches));
    expect_no_allocations(TypeParam());
    if constexpr (has_workers<TypeParam>) expect_no_allocations(TypeParam(3));
    hpk::finalize();
  }
}

// Returns the smallest count of several calls: late workers allocate their blocks of memory in some
// of them.
template <class Work>
long fewest_allocations_of(const Work& work) {
  long fewest = allocations_of(work);
  for (int k = 0; k < 50; ++k) {
    hpk::fence();
    fewest = std::min(fewest, allocations_of(work));
  }
  hpk::fence();
  return fewest;
}

// The queue of Emu owns a launch until it has run.
HPK_TYPED_TEST(AllocationsAnywhere, of_launches_are_few_where_a_launch_outlives_its_call) {
  if constexpr (!is_on_cpu<TypeParam>) return;  // vendor libraries allocate
  const int n = 1000;
  const hpk::View<double*, TypeParam> data("data", n);
  const hpk::View<double, TypeParam> sum("sum");
  const hpk::RangePolicy<TypeParam> range(0, n);
  EXPECT_LE(fewest_allocations_of(
                [&] { hpk::parallel_for("for", range, HPK_LAMBDA(int i) { data(i) = i; }); }),
            is_host<TypeParam> ? 0 : 1);
  EXPECT_LE(fewest_allocations_of([&] {
              hpk::parallel_reduce(
                  "reduce", range, HPK_LAMBDA(int i, double& s) { s += data(i); }, sum);
            }),
            is_host<TypeParam> ? 0 : 5);
  EXPECT_LE(fewest_allocations_of([&] {
              hpk::parallel_scan(
                  "scan", range, HPK_LAMBDA(int i, double& s, bool) { s += data(i); }, sum);
            }),
            is_host<TypeParam> ? 0 : 5);
}

#if defined(__linux__)
// Narrows the CPU mask of the calling thread; the destructor restores the mask.
class narrowed_mask {
 public:
  narrowed_mask() { sched_getaffinity(0, sizeof before_, &before_); }
  ~narrowed_mask() { sched_setaffinity(0, sizeof before_, &before_); }
  narrowed_mask(const narrowed_mask&) = delete;
  narrowed_mask& operator=(const narrowed_mask&) = delete;

  void stay_on(int cpu) const {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
  }

 private:
  cpu_set_t before_;
};

// A worker that has shared the CPU of its caller for some milliseconds moves to another CPU. Here
// the caller follows, so that the worker moves repeatedly.
TYPED_TEST(Allocations, of_workers_that_move_do_not_happen) {
  if constexpr (!has_workers<TypeParam>) return;
  const narrowed_mask mask;
  hpk::initialize(hpk::InitializationSettings().set_inline_launches(0));
  {
    const TypeParam exec;
    const hpk::View<int*, hpk::HostSpace> cpu("cpu", exec.concurrency());
    const auto follow = [&] {
      hpk::parallel_for("cpu", hpk::RangePolicy<TypeParam>(0, exec.concurrency()),
                        [=](int i) { cpu(i) = sched_getcpu(); });
      if (exec.concurrency() > 1) mask.stay_on(cpu(exec.concurrency() - 1));
    };
    follow();
    EXPECT_EQ(allocations_of([&] { repeat_for(std::chrono::milliseconds(100), follow); }), 0);
  }
  hpk::finalize();
}
#endif

}  // namespace hpk_test::allocation_cases
