// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lifetime of the memory of a View: counts, scopes, threads, statics, and kernels, which do not
// change the count (rule "borrowed copies").
#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace view_ownership_test {
namespace {

using hpk::HostSpace;
using hpk::View;

// Counts its living objects.
struct tracked {
  static std::atomic<int> live;
  tracked() noexcept { ++live; }
  tracked(const tracked& other) noexcept : value(other.value) { ++live; }
  tracked& operator=(const tracked&) = default;
  ~tracked() { --live; }
  int value = 0;
};
std::atomic<int> tracked::live{0};

TEST(ViewOwnership, copies_share_and_the_last_one_ends_it) {
  ASSERT_EQ(tracked::live, 0);
  {
    View<tracked*, HostSpace> first("shared", 10);
    EXPECT_EQ(tracked::live, 10);
    EXPECT_EQ(first.use_count(), 1);
    {
      const View<tracked*, HostSpace> second = first;
      EXPECT_EQ(first.use_count(), 2);
      second(3).value = 7;
      EXPECT_EQ(first(3).value, 7);
      first = View<tracked*, HostSpace>();
      EXPECT_EQ(second.use_count(), 1);
      EXPECT_EQ(tracked::live, 10);
      first = second;
    }
    EXPECT_EQ(first.use_count(), 1);
    EXPECT_EQ(first(3).value, 7);
    EXPECT_EQ(tracked::live, 10);
  }
  EXPECT_EQ(tracked::live, 0);
}

TEST(ViewOwnership, assignment_drops_what_was_held) {
  View<tracked*, HostSpace> a("a", 3);
  View<tracked*, HostSpace> b("b", 5);
  ASSERT_EQ(tracked::live, 8);
  a = b;
  EXPECT_EQ(tracked::live, 5);
  EXPECT_EQ(a.label(), "b");
  a = *&a;
  EXPECT_EQ(a.use_count(), 2);
  b = std::move(a);
  EXPECT_EQ(b.use_count(), 1);
  EXPECT_EQ(tracked::live, 5);
}

TEST(ViewOwnership, converted_views_share) {
  View<const int*, hpk::LayoutStride, HostSpace> outlives;
  {
    const View<int*, HostSpace> source("source", 4);
    source(2) = 9;
    outlives = source;
    EXPECT_EQ(source.use_count(), 2);
  }
  EXPECT_EQ(outlives.use_count(), 1);
  EXPECT_EQ(outlives.label(), "source");
  EXPECT_EQ(outlives(2), 9);
}

TEST(ViewOwnership, wrapped_memory_belongs_to_its_owner) {
  std::vector<int> memory = {1, 2, 3};
  {
    const View<int*, HostSpace> wrapped(memory.data(), 3);
    const View<int*, HostSpace> copy = wrapped;
    EXPECT_EQ(copy.use_count(), 0);
    copy(1) = 20;
  }
  EXPECT_EQ(memory[1], 20);
}

TEST(ViewOwnership, lives_in_containers) {
  std::map<std::string, std::vector<View<tracked*, HostSpace>>> fields;
  for (int k = 0; k < 20; ++k) fields[std::to_string(k % 3)].emplace_back("field", 4);
  EXPECT_EQ(tracked::live, 80);
  for (const auto& [name, views] : fields) {
    for (const auto& view : views) EXPECT_EQ(view.use_count(), 1);
  }
  fields.erase("0");
  EXPECT_EQ(tracked::live, 13 * 4);
  fields.clear();
  EXPECT_EQ(tracked::live, 0);
}

struct overflow {};

// Holds three Views at each depth, one of them on the heap.
void descend(const View<tracked*, HostSpace>& above, int depth) {
  const View<tracked*, HostSpace> copy = above;
  const View<tracked*, HostSpace> own("of a depth", depth);
  const auto part =
      std::make_unique<View<tracked*, HostSpace>>(hpk::subview(own, std::pair(0, depth / 2)));
  EXPECT_EQ(own.use_count(), 2);
  if (depth == 1) throw overflow();
  descend(own, depth - 1);
}

TEST(ViewOwnership, ends_when_an_exception_unwinds_the_stack) {
  const View<tracked*, HostSpace> top("top", 5);
  EXPECT_THROW(descend(top, 20), overflow);
  EXPECT_EQ(tracked::live, 5);
  EXPECT_EQ(top.use_count(), 1);
}

// A View in raw memory lives from its constructor to its destructor.
TEST(ViewOwnership, of_a_handle_in_raw_memory_begins_with_its_constructor) {
  using view = View<tracked*, HostSpace>;
  alignas(view) unsigned char memory[2][sizeof(view)];
  std::memset(memory, 0xa5, sizeof memory);
  view* const first = ::new (static_cast<void*>(memory[0])) view("first", 4);
  view* const second = ::new (static_cast<void*>(memory[1])) view();
  EXPECT_EQ(tracked::live, 4);
  *second = *first;
  EXPECT_EQ(first->use_count(), 2);
  first->~view();
  EXPECT_EQ(second->use_count(), 1);
  EXPECT_EQ(tracked::live, 4);
  second->~view();
  EXPECT_EQ(tracked::live, 0);
}

// Counts how often it is copied.
struct copied {
  static inline std::atomic<int> times{0};
  copied() noexcept = default;
  copied(const copied& other) noexcept : value(other.value) { ++times; }
  copied& operator=(const copied& other) noexcept {
    value = other.value;
    ++times;
    return *this;
  }
  int value = 0;
};

TEST(ViewOwnership, takes_no_copies_of_elements_but_by_deep_copy) {
  using view = View<copied**, HostSpace>;
  const view source("source", 3, 4);
  copied::times = 0;
  view copy = source;
  copy = view(source);
  const View<const copied**, hpk::LayoutStride, HostSpace> converted = source;
  const auto row = hpk::subview(source, 1, hpk::ALL);
  const std::vector<view> many(10, source);
  const auto by_value = [](view v) { return v; };
  const view passed = by_value(source);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 3),
                    [=](int i) { passed(i, 0).value = static_cast<int>(row.extent(0)); });
  EXPECT_EQ(hpk::create_mirror_view(source).data(), source.data());
  EXPECT_EQ(hpk::create_mirror_view_and_copy(HostSpace(), source).data(), source.data());
  hpk::deep_copy(copy, source);
  static_cast<void>(hpk::create_mirror(source));
  EXPECT_EQ(copied::times, 0);
  EXPECT_EQ(converted(2, 0).value, 4);
  const view other("other", 3, 4);
  hpk::deep_copy(other, source);
  EXPECT_EQ(copied::times, 12);
}

TEST(ViewOwnership, threads_copy_and_drop_at_the_same_time) {
  {
    const View<tracked*, HostSpace> shared("shared", 8);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      // Each thread ends with its own copy.
      threads.emplace_back([own = shared] {
        for (int k = 0; k < 1000; ++k) {
          const View<tracked*, HostSpace> copy = own;
          const View<const tracked*, HostSpace> reading = copy;
          View<tracked*, HostSpace> assigned;
          assigned = copy;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    threads.clear();
    EXPECT_EQ(shared.use_count(), 1);
    EXPECT_EQ(tracked::live, 8);
  }
  EXPECT_EQ(tracked::live, 0);
}

TEST(ViewOwnership, another_thread_may_be_the_last) {
  View<tracked*, HostSpace> made("made here", 4);
  std::thread([last = std::move(made)]() mutable {
    EXPECT_EQ(last.use_count(), 1);
    last = View<tracked*, HostSpace>();
  }).join();
  EXPECT_EQ(tracked::live, 0);
}

// Statics end after main, perhaps after the spaces. The test is that the process exits normally.
static_assert(noexcept(View<int*, HostSpace>()));
View<tracked*, HostSpace> at_namespace_scope;

TEST(ViewOwnership, static_and_thread_local_views_end_well) {
  at_namespace_scope = View<tracked*, HostSpace>("namespace scope", 3);
  static const View<std::string*, HostSpace> in_function("function scope", 3);
  in_function(0) = std::string(100, 'x');
  const int before = tracked::live;
  std::thread([&] {
    static thread_local View<tracked*, HostSpace> of_thread;
    of_thread = View<tracked*, HostSpace>("thread", 7);
    EXPECT_EQ(tracked::live, before + 7);
  }).join();
  EXPECT_EQ(tracked::live, before);
  hpk::initialize();
  hpk::finalize();
  EXPECT_EQ(in_function(0).size(), 100u);
  at_namespace_scope = View<tracked*, HostSpace>();
}

TEST(ViewOwnership, elements_survive_finalize) {
  hpk::initialize();
  const View<int*, HostSpace> view("survivor", 1000);
  view(999) = 1;
  hpk::finalize();
  EXPECT_EQ(view(999), 1);
  EXPECT_EQ((View<int*, HostSpace>("started again", 1000)(999)), 0);
}

template <class Exec>
class ViewInKernel : public testing::Test {};
TYPED_TEST_SUITE(ViewInKernel, hpk_test::spaces, hpk_test::space_names);

// Kernels on host threads may query the count and use variables of the test.
template <class Exec>
class ViewInHostKernel : public testing::Test {};
TYPED_TEST_SUITE(ViewInHostKernel, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ViewInHostKernel, copies_touch_no_count) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int*, TypeParam> view("counted", 200);
    const View<int*, TypeParam> second = view;
    std::atomic<int> wrong{0};
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 200), [&](int i) {
      const View<int*, TypeParam> copy = view;
      const View<const int*, hpk::LayoutStride, TypeParam> converted = copy;
      View<int*, TypeParam> assigned;
      assigned = copy;
      assigned(i) = i;
      if (view.use_count() != 2 || copy.use_count() != 2 || assigned.use_count() != 2 ||
          converted.data() != view.data() || copy.label() != "counted")
        ++wrong;
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(view.use_count(), 2);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(view(i), i);
  }
}

HPK_TYPED_TEST(ViewInKernel, copies_leave_the_count_as_it_was) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int*, TypeParam> view("counted", 2000);
    const View<int*, TypeParam> second = view;
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 2000), HPK_LAMBDA(int i) {
          const View<int*, TypeParam> copy = view;
          const View<const int*, hpk::LayoutStride, TypeParam> converted = copy;
          View<int*, TypeParam> assigned;
          assigned = copy;
          assigned(i) = converted(i) + i;
        });
    exec.fence();
    EXPECT_EQ(view.use_count(), 2);
    const auto found = hpk_test::on_host(view);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(found(i), i);
  }
}

HPK_TYPED_TEST(ViewInHostKernel, capturing_by_value_counts_at_the_call_only) {
  const View<int*, TypeParam> view("captured", 100);
  std::atomic<int> highest{0};
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), [view, &highest](int) {
    int seen = highest;
    while (seen < view.use_count() && !highest.compare_exchange_weak(seen, view.use_count())) {
    }
  });
  // The View, the lambda, and at most one copy of the lambda by the launch.
  EXPECT_GE(highest, 2);
  EXPECT_LE(highest, 3);
  EXPECT_EQ(view.use_count(), 1);
}

HPK_TYPED_TEST(ViewInKernel, a_launch_gives_its_shares_back_when_it_is_done) {
  const View<int*, TypeParam> view("captured", 100);
  for (int round = 0; round < 20; ++round) {
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) { view(i) += 1; });
  }
  TypeParam().fence();
  EXPECT_EQ(view.use_count(), 1);
  EXPECT_EQ(hpk_test::value_at(view, 99), 20);
}

HPK_TYPED_TEST(ViewInKernel, reductions_and_scans_leave_the_count_alone) {
  const View<double*, TypeParam> view("reduced", 1000);
  hpk::deep_copy(view, 0.5);
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 1000), HPK_LAMBDA(int i, double& s) { s += view(i); }, sum);
  EXPECT_EQ(sum, 500);
  hpk::fence();
  EXPECT_EQ(view.use_count(), 1);
  hpk::parallel_scan(
      hpk::RangePolicy<TypeParam>(0, 1000), HPK_LAMBDA(int i, double& s, bool final) {
        s += 1;
        if (final) view(i) = s;
      });
  EXPECT_EQ(hpk_test::value_at(view, 999), 1000);
  EXPECT_EQ(view.use_count(), 1);
}

HPK_TYPED_TEST(ViewInHostKernel, a_view_may_be_made_and_dropped_inside) {
  std::atomic<int> wrong{0};
  const int before = tracked::live;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 20), [&](int i) {
    const View<tracked*, TypeParam> local("local", 5);
    local(4).value = i;
    if (local(4).value != i || local.use_count() != 1) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(tracked::live, before);
}

template <class Device>
class ViewOfMemory : public testing::Test {};
TYPED_TEST_SUITE(ViewOfMemory, hpk_test::devices, hpk_test::device_names);

// A launch shares ownership of the captured Views, however long it waits for its turn.
HPK_TYPED_TEST(ViewOfMemory, the_last_one_may_go_while_a_kernel_is_still_to_run) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<long, TypeParam> sum("sum");
  for (int round = 0; round < 50; ++round) {
    View<long*, TypeParam> short_lived("short-lived", 5000);
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 5000), HPK_LAMBDA(int i) { short_lived(i) += i; });
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 5000),
        HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), short_lived(i)); });
  }
  exec.fence();
  EXPECT_EQ(hpk_test::value_at(sum), 50L * 5000 * 4999 / 2);
  EXPECT_EQ(sum.use_count(), 1);
}

// The destructor counts in the variable that `ends` points to, if any.
struct counts_its_end {
  HPK_FUNCTION counts_its_end() noexcept : ends(nullptr) {}
  counts_its_end(const counts_its_end&) = default;
  counts_its_end& operator=(const counts_its_end&) = default;
  HPK_FUNCTION ~counts_its_end() {
    if (ends != nullptr) hpk::atomic_add(ends, 1);
  }
  int* ends;
};

HPK_TYPED_TEST(ViewOfMemory, elements_end_with_the_launch_that_held_the_last_one) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<int, TypeParam> ended("ended");
  for (int round = 0; round < 20; ++round) {
    const View<counts_its_end*, TypeParam> elements("elements", 300);
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 300),
        HPK_LAMBDA(int i) { elements(i).ends = &ended(); });
  }
  exec.fence();
  EXPECT_EQ(hpk_test::value_at(ended), 20 * 300);
}

// Statics end after main. The test is that the process exits normally.
HPK_TYPED_TEST(ViewOfMemory, may_be_static) {
  static View<counts_its_end*, TypeParam> replaced;
  static const View<counts_its_end*, TypeParam> made("static", 10);
  replaced = made;
  replaced = View<counts_its_end*, TypeParam>("static", 20);
  static const View<double*, TypeParam> plain("static", 1000);
  EXPECT_EQ(hpk_test::value_at(plain, 999), 0);
}

HPK_TYPED_TEST(ViewOfMemory, elements_survive_finalize) {
  hpk::initialize();
  const View<int*, TypeParam> view("survivor", 1000);
  hpk::deep_copy(view, 1);
  hpk::finalize();
  EXPECT_EQ(hpk_test::value_at(view, 999), 1);
  EXPECT_EQ(hpk_test::value_at(View<int*, TypeParam>("started again", 1000), 999), 0);
}

HPK_TYPED_TEST(ViewOfMemory, threads_make_and_drop_at_the_same_time) {
  using exec_type = typename TypeParam::execution_space;
  const View<int, TypeParam> sum("sum");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([sum] {
      for (int k = 0; k < 20; ++k) {
        const View<int*, TypeParam> view("mine", 500);
        hpk::parallel_for(
            hpk::RangePolicy<exec_type>(0, 500), HPK_LAMBDA(int i) {
              view(i) = 1;
              hpk::atomic_add(&sum(), view(i));
            });
      }
    });
  }
  for (auto& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(hpk_test::value_at(sum), 4 * 20 * 500);
}

}  // namespace
}  // namespace view_ownership_test
