// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads and which space initialise the elements of a View.
#include <hpk/core.hpp>

#include <support/counting_space.hpp>

#include <atomic>
#include <set>
#include <thread>
#include <type_traits>

namespace view_workers_test {
namespace {

using hpk::HostSpace;
using hpk::View;

// Stores the thread that constructed it.
struct begun_by {
  begun_by() noexcept : thread(std::this_thread::get_id()) {}
  std::thread::id thread;
};

template <class Exec>
class ViewWorkersOnHost : public testing::Test {};
TYPED_TEST_SUITE(ViewWorkersOnHost, hpk_test::host_spaces, hpk_test::space_names);

// In a kernel over the first dimension each thread gets the elements that it constructed.
HPK_TYPED_TEST(ViewWorkersOnHost, begin_the_elements_that_they_use) {
  constexpr int rows = 240;  // a multiple of every number of workers here
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    if (rows % exec.concurrency() != 0) continue;
    const View<begun_by**, hpk::LayoutRight, TypeParam> elements(hpk::view_alloc("begun", exec),
                                                                 rows, 50);
    std::atomic<int> on_other_threads{0};
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, rows), [&](int i) {
      for (int j = 0; j < 50; ++j)
        on_other_threads += elements(i, j).thread == std::this_thread::get_id() ? 0 : 1;
    });
    EXPECT_EQ(on_other_threads, 0);
    std::set<std::thread::id> threads;
    for (int i = 0; i < rows; ++i) threads.insert(elements(i, 0).thread);
    EXPECT_EQ(threads.size(), static_cast<std::size_t>(exec.concurrency()));
  }
}

// The execution space of a Device does not restrict who may access the elements. It only
// constructs, copies and resizes them.
TEST(ViewWorkers, are_of_the_space_that_a_device_names) {
  using hpk_test::fence_counts;
  using counting_view = View<double*, hpk::Device<hpk_test::Counting, HostSpace>>;
  using host_view = View<double*, HostSpace>;
  static_assert(std::is_same_v<counting_view::memory_space, host_view::memory_space>);
  const auto begins_and_ends_its_work = [](auto view, int fences) {
    const fence_counts counts;
    view = decltype(view)("begins", 5);
    EXPECT_EQ(counts.of_instance(), fences);
    view(4) = 3;
    hpk::resize(view, 6);
    EXPECT_EQ(counts.of_instance(), 2 * fences);
    EXPECT_EQ(view(4), 3);
    return view;
  };
  counting_view a = begins_and_ends_its_work(counting_view(), 1);
  const host_view b = begins_and_ends_its_work(host_view(), 0);
  const host_view same = a;
  EXPECT_EQ(&same(4), &a(4));
  a = b;
  EXPECT_EQ(a.data(), b.data());
}

}  // namespace
}  // namespace view_workers_test
