// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch observer sees: every launch of the program with its kernel, the completion of its
// work and its results, and copies, fills and regions. It sees nothing that happens inside kernels.
#include <hpk/tools/launch_observer.hpp>

#include <hpk/array.hpp>
#include <hpk/core.hpp>
#include <hpk/graph.hpp>
#include <hpk/profiling.hpp>

#include <support/spaces.hpp>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace hpk_test::launch_observer_cases {

using hpk::detail::launch_event;
using hpk::seam::launch_info;
using hpk::seam::view_facts;
using words = std::vector<std::string>;

template <class Exec>
using numbers = hpk::View<double*, Exec>;

// The elements of a View of rank 0 or 1, which holds doubles.
std::string elements_of(const view_facts& view) {
  std::string text;
  const hpk::index_t count = view.rank == 0 ? 1 : view.extents[0];
  std::vector<double> copy(static_cast<std::size_t>(view.span));
  if (view.type->on_host) {
    std::memcpy(copy.data(), view.data, copy.size() * sizeof(double));
  } else {
    view.type->copy(copy.data(), view.data, copy.size() * sizeof(double));
  }
  for (hpk::index_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(view.rank == 0 ? 0 : k * view.strides[0]);
    text += ' ' + std::to_string(static_cast<int>(copy[at]));
  }
  return text;
}

// Collects the Views of a kernel.
class kernel_views final : public hpk::detail::kernel_reader, public hpk::seam::inspection {
 public:
  void read_policy(const hpk::detail::policy_numbers&) override {}
  void* begin(const void*, std::size_t bytes, std::size_t align) override {
    room_.resize(bytes + align);
    void* place = room_.data();
    std::size_t space = room_.size();
    return std::align(align, bytes, place, space);
  }
  void end() override { is_whole = true; }
  void see(const view_facts& view) noexcept override { seen.push_back(view); }

  std::vector<view_facts> seen;
  bool is_whole = false;

 private:
  std::vector<std::byte> room_;
};

// Writes down all events, at the end of launches with the elements of Views. Observes during its
// lifetime.
class scribe final : public hpk::detail::launch_observer {
 public:
  scribe() { hpk::detail::set_observer(this); }
  ~scribe() { hpk::detail::set_observer(nullptr); }

  std::uint64_t begin(const launch_event& launch) override {
    if (!launch.info.pattern.starts_with("parallel_")) return 0;
    kernel_views found;
    {
      const hpk::seam::inspection_scope inspecting(found);
      const auto types = launch.kernel_types(launch.objects, &found);
      functor = types.functor;
      tag = types.tag;
    }
    EXPECT_TRUE(found.is_whole);
    EXPECT_GT(launch.workers, 0);
    space = launch.space;
    line = launch.info.where.line();
    views.push_back(found.seen);
    seen.push_back("begin " + std::string(launch.info.pattern) + ' ' +
                   std::string(launch.info.label));
    return views.size();
  }
  void end(std::uint64_t launch, bool failed) override {
    ASSERT_EQ(launch, views.size());
    std::string text = failed ? "failed" : "end";
    for (const view_facts& view : views.back()) text += elements_of(view);
    views.pop_back();
    seen.push_back(text);
  }
  void stored(const view_facts& result) override {
    results.push_back(result);
    seen.push_back("stored" + elements_of(result));
  }
  void wrote(const launch_info& info, bool is_fill, const view_facts& to) override {
    results.push_back(to);
    line = info.where.line();
    seen.push_back((is_fill ? "fill" : "copy") + elements_of(to));
  }
  void begin_region(std::string_view name) override { seen.push_back("push " + std::string(name)); }
  void end_region() override { seen.push_back("pop"); }

  words seen;
  std::vector<view_facts> results;
  std::vector<std::vector<view_facts>> views;
  std::string functor, tag, space;
  unsigned line = 0;
};

template <class Exec>
class LaunchObserver : public testing::Test {};
TYPED_TEST_SUITE(LaunchObserver, spaces, space_names);
template <class Exec>
class LaunchObserverOnHost : public testing::Test {};
TYPED_TEST_SUITE(LaunchObserverOnHost, host_spaces, space_names);

template <class Exec>
struct set_kernel {
  numbers<Exec> x;
  HPK_FUNCTION void operator()(int i) const { x(i) = i + 1; }
  HPK_FUNCTION void operator()(int i, int j) const { x(i + j) = 5; }
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team) const {
    x(team.league_rank()) = 7;
  }
};
struct index_sum {
  HPK_FUNCTION void operator()(int i, double& sum) const { sum += i; }
  HPK_FUNCTION void operator()(int i, int j, double& sum) const { sum += i + j; }
  HPK_FUNCTION void operator()(int i, double& sum, double& most) const {
    sum += i;
    if (i > most) most = i;
  }
  template <class Team>
    requires requires(const Team& team) { team.league_rank(); }
  HPK_FUNCTION void operator()(const Team& team, double& sum) const {
    if (team.team_rank() == 0) sum += team.league_rank();
  }
};
template <class Exec>
struct prefix {
  numbers<Exec> x;
  HPK_FUNCTION void operator()(int i, double& sum, bool last) const {
    sum += i;
    if (last) x(i) = sum;
  }
};

HPK_TYPED_TEST(LaunchObserver, sees_loops_and_what_they_wrote) {
  const numbers<TypeParam> x("x", 3);
  const set_kernel<TypeParam> kernel{x};
  scribe by;
  hpk::parallel_for("range", hpk::RangePolicy<TypeParam>(0, 3), kernel);
  EXPECT_EQ(by.space, TypeParam::name());
  EXPECT_EQ(by.line, static_cast<unsigned>(__LINE__) - 2);
  EXPECT_EQ(by.functor, hpk::type_name<set_kernel<TypeParam>>());
  hpk::parallel_for("box", hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {2, 1}), kernel);
  hpk::parallel_for("teams", hpk::TeamPolicy<TypeParam>(1, 1), kernel);
  EXPECT_EQ(by.seen, (words{"begin parallel_for range", "end 1 2 3", "begin parallel_for box",
                            "end 5 5 3", "begin parallel_for teams", "end 7 5 3"}));
}

HPK_TYPED_TEST(LaunchObserver, sees_what_reductions_store_in_variables) {
  scribe by;
  double sum = 0;
  hpk::parallel_reduce("range", hpk::RangePolicy<TypeParam>(0, 4), index_sum(), sum);
  ASSERT_EQ(by.results.size(), 1u);
  EXPECT_EQ(by.results[0].data, &sum);
  EXPECT_EQ(by.results[0].rank, 0);
  EXPECT_TRUE(by.results[0].type->on_host);
  hpk::parallel_reduce("box", hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {3, 2}),
                       index_sum(), sum);
  hpk::parallel_reduce("teams", hpk::TeamPolicy<TypeParam>(5, 1), index_sum(), sum);
  EXPECT_EQ(by.seen,
            (words{"begin parallel_reduce range", "end", "stored 6", "begin parallel_reduce box",
                   "end", "stored 9", "begin parallel_reduce teams", "end", "stored 10"}));
}

HPK_TYPED_TEST(LaunchObserver, sees_what_reductions_store_in_views) {
  const hpk::View<double, TypeParam> there("there");
  const hpk::View<double, hpk::HostSpace> here("here");
  const hpk::RangePolicy<TypeParam> range(0, 4);
  scribe by;
  hpk::parallel_reduce("there", range, index_sum(), there);
  hpk::parallel_reduce("here", range, index_sum(), here);
  ASSERT_EQ(by.results.size(), 2u);
  EXPECT_EQ(by.results[0].data, there.data());
  EXPECT_EQ(by.results[0].type->space, TypeParam::memory_space::name());
  EXPECT_EQ(by.results[1].data, here.data());
  EXPECT_EQ(by.seen, (words{"begin parallel_reduce there", "end", "stored 6",
                            "begin parallel_reduce here", "end", "stored 6"}));
}

HPK_TYPED_TEST(LaunchObserver, sees_what_reducers_store) {
  const hpk::View<double, TypeParam> there("there");
  const hpk::RangePolicy<TypeParam> range(0, 4);
  double sum = 0, most = 0;
  scribe by;
  hpk::parallel_reduce("variable", range, index_sum(), hpk::Sum<double>(sum));
  hpk::parallel_reduce("view", range, index_sum(), hpk::Sum<double, TypeParam>(there));
  hpk::parallel_reduce("two", range, index_sum(), sum, hpk::Max<double>(most));
  EXPECT_EQ(by.seen, (words{"begin parallel_reduce variable", "end", "stored 6",
                            "begin parallel_reduce view", "end", "stored 6",
                            "begin parallel_reduce two", "end", "stored 6", "stored 3"}));
  ASSERT_EQ(by.results.size(), 4u);
  EXPECT_EQ(by.results[0].data, &sum);
  EXPECT_EQ(by.results[1].data, there.data());
  EXPECT_EQ(by.results[2].data, &sum);
  EXPECT_EQ(by.results[3].data, &most);
}

struct bins {
  using value_type = double[];
  int value_count = 2;
  HPK_FUNCTION void operator()(int i, double* sums) const { sums[i % 2] += i; }
};

HPK_TYPED_TEST(LaunchObserver, sees_what_reductions_store_in_arrays) {
  const hpk::RangePolicy<TypeParam> range(0, 6);
  double row[2] = {};
  const numbers<TypeParam> view("view", 2);
  const hpk::View<double* [3], hpk::LayoutRight, TypeParam> table("table", 2);
  scribe by;
  hpk::parallel_reduce("array", range, bins(), row);
  hpk::parallel_reduce("pointer", range, bins(), &row[0]);
  hpk::parallel_reduce("view", range, bins(), view);
  hpk::parallel_reduce("with gaps", range, bins(), hpk::subview(table, hpk::ALL, 1));
  EXPECT_EQ(by.seen, (words{"begin parallel_reduce array", "end", "stored 6 9",
                            "begin parallel_reduce pointer", "end", "stored 6 9",
                            "begin parallel_reduce view", "end", "stored 6 9",
                            "begin parallel_reduce with gaps", "end", "stored 6 9"}));
  ASSERT_EQ(by.results.size(), 4u);
  EXPECT_EQ(by.results[0].data, row);
  EXPECT_EQ(by.results[0].extents[0], 2);
  EXPECT_EQ(by.results[2].data, view.data());
  EXPECT_EQ(by.results[3].strides[0], 3);
}

HPK_TYPED_TEST(LaunchObserver, sees_what_scans_write_and_store) {
  const numbers<TypeParam> x("x", 4);
  const hpk::View<double, TypeParam> there("there");
  const hpk::RangePolicy<TypeParam> range(0, 4);
  double total = 0;
  scribe by;
  hpk::parallel_scan("no total", range, prefix<TypeParam>{x});
  hpk::parallel_scan("total", range, prefix<TypeParam>{x}, total);
  hpk::parallel_scan("view", range, prefix<TypeParam>{x}, there);
  EXPECT_EQ(by.seen, (words{"begin parallel_scan no total", "end 0 1 3 6",
                            "begin parallel_scan total", "end 0 1 3 6", "stored 6",
                            "begin parallel_scan view", "end 0 1 3 6", "stored 6"}));
  ASSERT_EQ(by.results.size(), 2u);
  EXPECT_EQ(by.results[0].data, &total);
  EXPECT_EQ(by.results[1].data, there.data());
}

HPK_TYPED_TEST(LaunchObserver, sees_copies_and_fills) {
  const numbers<TypeParam> x("x", 2), y("y", 2);
  const auto mirror = hpk::create_mirror(y);
  const hpk::View<double* [3], hpk::LayoutRight, TypeParam> table("table", 2);
  const auto column = hpk::subview(table, hpk::ALL, 1);
  const hpk::View<double, TypeParam> one("one");
  double variable = 0;
  scribe by;
  hpk::deep_copy(x, 4.0);
  EXPECT_EQ(by.line, static_cast<unsigned>(__LINE__) - 1);
  hpk::deep_copy(y, x);
  EXPECT_EQ(by.line, static_cast<unsigned>(__LINE__) - 1);
  hpk::deep_copy(TypeParam(), mirror, y);
  hpk::deep_copy(column, 0.0);
  hpk::deep_copy(TypeParam(), column, x);
  hpk::deep_copy(one, 6.0);
  hpk::deep_copy(variable, one);
  hpk::deep_copy(x, 0.0);
  EXPECT_EQ(by.seen, (words{"fill 4 4", "copy 4 4", "copy 4 4", "fill 0 0", "copy 4 4", "fill 6",
                            "copy 6", "fill 0 0"}));
  ASSERT_EQ(by.results.size(), 8u);
  EXPECT_EQ(by.results[1].data, y.data());
  EXPECT_EQ(by.results[1].record, y.record());
  EXPECT_EQ(by.results[2].data, mirror.data());
  EXPECT_EQ(by.results[4].strides[0], 3);
  EXPECT_EQ(by.results[6].data, &variable);
}

template <class Exec>
struct launching_kernel {
  numbers<Exec> x;
  HPK_FUNCTION void operator()(int) const {
    hpk::parallel_for("inner", hpk::RangePolicy<Exec>(0, 2), set_kernel<Exec>{x});
    double sum = 0;
    hpk::parallel_reduce("inner", hpk::RangePolicy<Exec>(0, 3), index_sum(), sum);
    x(1) = sum;
    hpk::Tools::pushRegion("inner");
    hpk::Tools::popRegion();
  }
};

TYPED_TEST(LaunchObserverOnHost, sees_nothing_inside_of_kernels) {
  const numbers<TypeParam> x("x", 2);
  scribe by;
  hpk::parallel_for("outer", hpk::RangePolicy<TypeParam>(0, 1), launching_kernel<TypeParam>{x});
  EXPECT_EQ(by.seen, (words{"begin parallel_for outer", "end 1 3"}));
}

HPK_TYPED_TEST(LaunchObserver, sees_nothing_that_is_hidden) {
  const numbers<TypeParam> x("x", 2), y("y", 2);
  const auto work = [&] {
    double sum = 0;
    hpk::parallel_for("loop", hpk::RangePolicy<TypeParam>(0, 2), set_kernel<TypeParam>{x});
    hpk::parallel_reduce("sum", hpk::RangePolicy<TypeParam>(0, 2), index_sum(), sum);
    hpk::parallel_scan("scan", hpk::RangePolicy<TypeParam>(0, 2), prefix<TypeParam>{x});
    hpk::deep_copy(y, x);
    hpk::deep_copy(y, 1.0);
    const hpk::Tools::ScopedRegion region("region");
  };
  scribe by;
  {
    const hpk::detail::hidden_launches hidden;
    EXPECT_EQ(hpk::detail::observer_of_thread(), nullptr);
    EXPECT_TRUE(hpk::detail::is_hidden());
    // The end of an inner scope does not end the outer one.
    static_cast<void>(hpk::detail::hidden_launches());
    work();
  }
  EXPECT_EQ(by.seen, words());
  EXPECT_EQ(hpk::detail::observer_of_thread(), &by);
  EXPECT_FALSE(hpk::detail::is_hidden());
  work();
  EXPECT_EQ(by.seen.size(), 11u);
}

TEST(LaunchObserverOfThreads, is_hidden_from_one_thread_alone) {
  scribe by;
  const hpk::detail::hidden_launches hidden;
  std::thread([] {
    hpk::parallel_for("seen", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1), [](int) {});
  }).join();
  EXPECT_EQ(by.seen, (words{"begin parallel_for seen", "end"}));
}

template <class Exec>
struct failing_kernel {
  using value_type = double;
  void operator()(int) const { throw std::runtime_error("failed"); }
  void operator()(int, double&) const { throw std::runtime_error("failed"); }
  void operator()(int, double&, bool) const { throw std::runtime_error("failed"); }
};

TYPED_TEST(LaunchObserverOnHost, sees_which_launches_failed) {
  const hpk::RangePolicy<TypeParam> range(0, 1);
  const failing_kernel<TypeParam> kernel;
  double sum = 0;
  scribe by;
  EXPECT_THROW(hpk::parallel_for("loop", range, kernel), std::runtime_error);
  EXPECT_THROW(hpk::parallel_reduce("sum", range, kernel, sum), std::runtime_error);
  EXPECT_THROW(hpk::parallel_scan("scan", range, kernel), std::runtime_error);
  hpk::parallel_for("good", range, [](int) {});
  EXPECT_EQ(by.seen,
            (words{"begin parallel_for loop", "failed", "begin parallel_reduce sum", "failed",
                   "begin parallel_scan scan", "failed", "begin parallel_for good", "end"}));
}

TYPED_TEST(LaunchObserverOnHost, sees_a_launch_that_fails_before_it_begins) {
  scribe by;
  struct uncopied {
    uncopied() = default;
    uncopied(const uncopied&) { throw std::runtime_error("no copies"); }
    void operator()(int) const {}
  };
  EXPECT_THROW(hpk::parallel_for("loop", hpk::RangePolicy<TypeParam>(0, 1), uncopied()),
               std::runtime_error);
  // The copy for the observer failed, so the launch neither began nor ended.
  EXPECT_EQ(by.seen, words());
  hpk::parallel_for("good", hpk::RangePolicy<TypeParam>(0, 1), [](int) {});
  EXPECT_EQ(by.seen.size(), 2u);
}

HPK_TYPED_TEST(LaunchObserver, sees_regions) {
  scribe by;
  {
    const hpk::Tools::ScopedRegion outer("outer");
    hpk::Tools::pushRegion("inner");
    hpk::Tools::popRegion();
  }
  EXPECT_EQ(by.seen, (words{"push outer", "push inner", "pop", "pop"}));
}

// Recording a graph shows nothing; each submit shows every kernel.
HPK_TYPED_TEST(LaunchObserver, sees_the_kernels_of_a_submitted_graph) {
  const numbers<TypeParam> x("x", 2);
  scribe by;
  const hpk::Graph<TypeParam> graph("graph");
  auto first = graph.root_node().then_parallel_for("first", 2, set_kernel<TypeParam>{x});
  first.then_parallel_for("second", hpk::RangePolicy<TypeParam>(0, 1), set_kernel<TypeParam>{x});
  EXPECT_EQ(by.seen, words());
  for (int k = 0; k < 2; ++k) {
    graph.submit(TypeParam());
    TypeParam().fence();
  }
  std::size_t firsts = 0, seconds = 0;
  for (const std::string& what : by.seen) {
    firsts += what == "begin parallel_for first";
    seconds += what == "begin parallel_for second";
  }
  EXPECT_EQ(firsts, 2u);
  EXPECT_EQ(seconds, 2u);
}

struct plus {};
template <class Exec>
struct tagged_kernel {
  numbers<Exec> x;
  HPK_FUNCTION void operator()(plus, int i) const { x(i) += 1; }
};

HPK_TYPED_TEST(LaunchObserver, gets_the_types_of_kernels) {
  const numbers<TypeParam> x("x", 1);
  scribe by;
  hpk::parallel_for(hpk::RangePolicy<TypeParam, plus>(0, 1), tagged_kernel<TypeParam>{x});
  EXPECT_EQ(by.functor, hpk::type_name<tagged_kernel<TypeParam>>());
  EXPECT_EQ(by.tag, hpk::type_name<plus>());
  EXPECT_EQ(by.seen, (words{"begin parallel_for ", "end 1"}));
  double sum = 0, most = 0;
  // The library wraps a kernel with several results. The observer gets the type of the original.
  hpk::parallel_reduce("two", hpk::RangePolicy<TypeParam>(0, 1), index_sum(), sum, most);
  EXPECT_EQ(by.functor, hpk::type_name<index_sum>());
  EXPECT_EQ(by.tag, "");
}

TEST(LaunchObserverOfProgram, is_the_one_that_was_set) {
  EXPECT_EQ(hpk::detail::current_observer(), nullptr);
  words seen;
  {
    scribe by;
    EXPECT_EQ(hpk::detail::current_observer(), &by);
    hpk::parallel_for("seen", 1, [](int) {});
    seen = by.seen;
  }
  EXPECT_EQ(hpk::detail::current_observer(), nullptr);
  hpk::parallel_for("unseen", 1, [](int) {});
  EXPECT_EQ(seen.size(), 2u);
}

// Sets the byte for uninitialised memory, and unsets it at the end.
struct unset_scope {
  explicit unset_scope(int byte) { hpk::detail::set_unset_byte(byte); }
  ~unset_scope() { hpk::detail::set_unset_byte(-1); }
};
template <class T, class Exec>
bool is_filled_with(unsigned char byte) {
  const hpk::View<T*, Exec> view(hpk::view_alloc("view", hpk::WithoutInitializing), 100);
  const auto found = hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
  std::vector<unsigned char> expected(100 * sizeof(T), byte);
  return std::memcmp(expected.data(), found.data(), expected.size()) == 0;
}

HPK_TYPED_TEST(LaunchObserver, has_a_byte_for_unset_memory) {
  EXPECT_EQ(hpk::detail::unset_byte(), -1);
  const unset_scope unset(0xc9);
  EXPECT_EQ(hpk::detail::unset_byte(), 0xc9);
  EXPECT_TRUE((is_filled_with<int, TypeParam>(0xc9)));
  EXPECT_TRUE((is_filled_with<double, TypeParam>(0xc9)));
  EXPECT_TRUE((is_filled_with<float, TypeParam>(0xc9)));
  EXPECT_TRUE((is_filled_with<hpk::Array<float, 3>, TypeParam>(0xc9)));
  // In small elements the pattern could be a value, and other sizes are not a multiple of a word.
  EXPECT_TRUE((is_filled_with<char, TypeParam>(0)));
  EXPECT_TRUE((is_filled_with<short, TypeParam>(0)));
  EXPECT_TRUE((is_filled_with<hpk::Array<short, 3>, TypeParam>(0)));
  const hpk::View<double*, TypeParam> zeros("zeros", 10);
  EXPECT_EQ(on_host(zeros)(9), 0);
}

HPK_TYPED_TEST(LaunchObserver, fills_unset_memory_before_another_instance_writes_it) {
  const unset_scope unset(0xc9);
  const int n = 1000;
  const TypeParam other = new_instance<TypeParam>();
  const numbers<TypeParam> before("before", n);
  const hpk::RangePolicy<TypeParam> range(0, n);
  for (int k = 0; k < 100; ++k) hpk::parallel_for("busy", range, set_kernel<TypeParam>{before});
  const numbers<TypeParam> x(hpk::view_alloc("x", hpk::WithoutInitializing), n);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(other, 0, n), set_kernel<TypeParam>{x});
  other.fence();
  EXPECT_EQ(on_host(x)(n - 1), n);
}

}  // namespace hpk_test::launch_observer_cases
