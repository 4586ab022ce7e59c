// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that are marked stale: an access to them through any View is an hpk::error, an access to
// their neighbours is not. The tests are compiled with HPK_CHECKS=1.
#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace view_stale_test {
namespace {

using hpk::stale_mark;
using hpk::View;
using hpk_test::contains;
using hpk_test::error_of;
using hpk_test::expect_error;

using plain = View<int*, hpk::HostSpace>;

TEST(StaleMark, makes_an_access_an_error_that_says_why) {
  const plain v("v", 10);
  const View<const int*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>> other = v;
  stale_mark mark(v);
  EXPECT_FALSE(mark.is_set());
  v(3) = 7;
  mark.set(v, "write sync()");
  EXPECT_TRUE(mark.is_set());
  EXPECT_TRUE(contains(error_of([&] { v(3) = 8; }),
                       "hpk::View \"v\": index (3) of extents [10] is stale: write sync() (at "));
  EXPECT_TRUE(contains(error_of([&] { static_cast<void>(other[4]); }), "index (4)"));
  // An index outside of the extents is reported first.
  EXPECT_TRUE(contains(error_of([&] { v(10) = 8; }), "is outside of the extents"));
  mark.clear();
  EXPECT_FALSE(mark.is_set());
  EXPECT_EQ(v(3), 7);
  mark.set(v, "again");
  mark.set(v, "another reason");
  EXPECT_TRUE(contains(error_of([&] { v(3) = 8; }), "another reason"));
  mark = stale_mark();
  EXPECT_EQ(v(3), 7);
}

TEST(StaleMark, makes_a_copy_from_the_elements_an_error_but_not_one_to_them) {
  const plain v("v", 10);
  const plain to("to", 10);
  const View<double*, hpk::HostSpace> wide("wide", 10);
  const View<int, hpk::HostSpace> one("one");
  stale_mark mark(v);
  stale_mark mark_of_one(one);
  mark.set(v, "why");
  mark_of_one.set(one, "why one");
  expect_error([&] { hpk::deep_copy(to, v); },
               {"hpk::deep_copy", "\"v\"", "is stale: why", "stale.cpp"});
  expect_error([&] { hpk::deep_copy(wide, v); }, {"hpk::deep_copy", "is stale: why"});
  int value = 0;
  expect_error([&] { hpk::deep_copy(value, one); }, {"hpk::deep_copy", "is stale: why one"});
  hpk::deep_copy(v, 3);
  hpk::deep_copy(v, to);
  hpk::deep_copy(v, wide);
  mark.clear();
  EXPECT_EQ(v(9), 0);
}

TEST(StaleMark, leaves_neighbours_alone) {
  // Parts of one allocation: a mark covers only those units of 64 bytes that are entirely in its
  // elements.
  const plain all("all", 100);
  const auto part = [&](int begin, int end) {
    return hpk::subview(all, std::pair<int, int>(begin, end));
  };
  const plain middle = part(10, 60);
  stale_mark mark(middle);
  mark.set(middle, "middle");
  all(0) = 1;
  part(0, 10)(9) = 1;
  part(60, 100)(0) = 1;
  part(10, 60)(0) = 1;  // shares a unit with part(0, 10)
  EXPECT_TRUE(contains(error_of([&] { part(16, 60)(0) = 1; }), "middle"));
  EXPECT_TRUE(contains(error_of([&] { part(47, 60)(0) = 1; }), "middle"));
  part(48, 60)(0) = 1;
  // Two marks on the same elements: either mark causes the error.
  stale_mark second(all);
  second.set(middle, "all");
  EXPECT_TRUE(contains(error_of([&] { all(0) = 1; }), "all"));
  second.clear();
  all(0) = 1;
  EXPECT_TRUE(contains(error_of([&] { part(16, 60)(0) = 1; }), "middle"));
  second.set(all, "all");
  mark.clear();
  EXPECT_TRUE(contains(error_of([&] { part(16, 60)(0) = 1; }), "all"));
}

TEST(StaleMark, keeps_memory_alive_and_marks_no_other) {
  stale_mark mark;
  {
    const plain v("v", 10);
    mark = stale_mark(v);
    EXPECT_EQ(v.use_count(), 1);
    mark.set(v, "why");
    EXPECT_EQ(v.use_count(), 2);
    stale_mark moved(std::move(mark));
    EXPECT_TRUE(moved.is_set());
    EXPECT_FALSE(mark.is_set());
    mark = std::move(moved);
    // A View of another allocation cannot be marked.
    const plain w("w", 10);
    mark.set(w, "why");
    EXPECT_FALSE(mark.is_set());
    w(0) = 1;
    v(0) = 1;
    mark.set(v, "why");
  }
  const plain w("w", 10);
  w(0) = 1;
  mark.clear();
  // There is nothing to mark without memory, without elements, or in wrapped memory.
  int memory[32] = {};
  for (const plain& v : {plain(), plain("empty", 0), plain(memory, 32)}) {
    stale_mark none(v);
    none.set(v, "why");
    EXPECT_FALSE(none.is_set());
  }
  memory[0] = 1;
}

TEST(StaleMark, may_be_set_on_many_threads) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(16);
  for (int t = 0; t != 16; ++t) {
    threads.emplace_back([t, &wrong] {
      const plain v("v", 1000);
      stale_mark mark(v);
      for (int k = 0; k != 50; ++k) {
        mark.set(v, std::to_string(t));
        try {
          v(1) = 1;
          ++wrong[static_cast<std::size_t>(t)];
        } catch (const hpk::error& e) {
          if (std::string(e.what()).find("stale: " + std::to_string(t)) == std::string::npos)
            ++wrong[static_cast<std::size_t>(t)];
        }
        mark.clear();
        v(1) = k;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int w : wrong) EXPECT_EQ(w, 0);
}

template <class V>
struct read_all {
  V from;
  V to;
  HPK_FUNCTION void operator()(int i) const { to(i) = from(i); }
};

template <class Exec>
class StaleInKernels : public testing::Test {};
TYPED_TEST_SUITE(StaleInKernels, hpk_test::cpu_spaces, hpk_test::space_names);

HPK_TYPED_TEST(StaleInKernels, accesses_are_found_where_kernels_run_on_a_cpu) {
  using view = View<int*, TypeParam>;
  const view from("from", 100);
  const view to("to", 100);
  const auto run = [&] {
    hpk::parallel_for("copy", hpk::RangePolicy<TypeParam>(0, 100), read_all<view>{from, to});
  };
  stale_mark mark(from);
  // Kernels that were launched before the mark run without errors.
  for (int k = 0; k != 20; ++k) run();
  mark.set(from, "why");
  if constexpr (hpk_test::is_host<TypeParam>) {
    expect_error(run, {"\"from\"", "of extents [100] is stale: why", "parallel_for \"copy\""});
  } else {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
          run();
          hpk::fence();
        },
        "\"from\": index \\([0-9]+\\) of extents \\[100\\] is stale: why");
  }
  mark.clear();
  run();
  hpk::fence();
}

}  // namespace
}  // namespace view_stale_test
