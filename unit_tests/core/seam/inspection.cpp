// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop order on hosts of an MDRange whose policy names none: the layouts of the captured Views
// decide, in the same way for every launch and every pattern.
#include <hpk/core.hpp>

#include <hpk/array.hpp>
#include <support/spaces.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>

namespace seam_inspection_test {
namespace {

using hpk::HostSpace;
using hpk::Iterate;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;

template <class Exec>
class LoopOrder : public testing::Test {};
TYPED_TEST_SUITE(LoopOrder, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
using plane = hpk::MDRangePolicy<Exec, hpk::Rank<2>>;

// The loop order of a kernel over two indices.
template <class Exec, class F>
Iterate order_of(const F& kernel) {
  return plane<Exec>({0, 0}, {3, 4}).resolved(kernel).order;
}

template <class Exec>
using left = View<double**, LayoutLeft, HostSpace>;
template <class Exec>
using right = View<double**, LayoutRight, HostSpace>;

TYPED_TEST(LoopOrder, is_that_of_most_views) {
  const left<TypeParam> l("l", 5, 6), l2("l2", 5, 6);
  const right<TypeParam> r("r", 5, 6), r2("r2", 5, 6);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { l(i, j) = 1; }), Iterate::Left);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { r(i, j) = 1; }), Iterate::Right);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { l(i, j) = r(i, j) + l2(i, j); }),
            Iterate::Left);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { l(i, j) = r(i, j) + r2(i, j); }),
            Iterate::Right);
}

TYPED_TEST(LoopOrder, is_that_of_the_space_where_views_do_not_decide) {
  const left<TypeParam> l("l", 5, 6);
  const right<TypeParam> r("r", 5, 6);
  const View<double*, LayoutLeft, HostSpace> line("line", 5);
  const left<TypeParam> row("row", 1, 6), column("column", 5, 1);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { l(i, j) = r(i, j); }), Iterate::Right);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int) { line(i) = 1; }), Iterate::Right);
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { row(0, j) = column(i, 0); }), Iterate::Right);
  EXPECT_EQ(order_of<TypeParam>([](int, int) {}), Iterate::Right);
  // Captured by reference: the kernel holds no View.
  EXPECT_EQ(order_of<TypeParam>([&l](int i, int j) { l(i, j) = 1; }), Iterate::Right);
}

TYPED_TEST(LoopOrder, is_the_one_that_was_asked_for) {
  const left<TypeParam> l("l", 5, 6);
  const auto kernel = [=](int i, int j) { l(i, j) = 1; };
  using asked = hpk::MDRangePolicy<TypeParam, hpk::Rank<2, Iterate::Default, Iterate::Right>>;
  EXPECT_EQ(asked({0, 0}, {3, 4}).resolved(kernel).order, Iterate::Right);
}

template <class Exec, class V>
Iterate order_over(const V& v) {
  return order_of<Exec>([=](int i, int j) { static_cast<void>(v.data() + i + j); });
}

TYPED_TEST(LoopOrder, is_decided_by_views_of_every_kind) {
  const left<TypeParam> owner("owner", 5, 6);
  EXPECT_EQ(order_over<TypeParam>(left<TypeParam>(owner.data(), 5, 6)), Iterate::Left);
  EXPECT_EQ((order_over<TypeParam>(View<const double**, LayoutLeft, HostSpace>(owner))),
            Iterate::Left);
  EXPECT_EQ((order_over<TypeParam>(
                View<double**, LayoutLeft, HostSpace, hpk::MemoryTraits<hpk::Atomic>>(owner))),
            Iterate::Left);
  EXPECT_EQ((order_over<TypeParam>(
                View<double**, LayoutLeft, HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>(owner))),
            Iterate::Left);
  EXPECT_EQ((order_over<TypeParam>(View<double[5][6], LayoutLeft, HostSpace>("fixed"))),
            Iterate::Left);
  EXPECT_EQ((order_over<TypeParam>(
                View<double**, LayoutStride, HostSpace>("strided", LayoutStride(5, 2, 6, 20)))),
            Iterate::Left);
  EXPECT_EQ((order_over<TypeParam>(
                View<double**, LayoutStride, HostSpace>("strided", LayoutStride(5, 20, 6, 2)))),
            Iterate::Right);
}

// No stride of the subview is 1, but one stride is shorter than the other.
TYPED_TEST(LoopOrder, is_decided_by_the_shorter_stride) {
  const View<double***, LayoutLeft, HostSpace> l("l", 4, 5, 6);
  const View<double***, LayoutRight, HostSpace> r("r", 4, 5, 6);
  EXPECT_EQ(order_over<TypeParam>(hpk::subview(l, 1, hpk::ALL, hpk::ALL)), Iterate::Left);
  EXPECT_EQ(order_over<TypeParam>(hpk::subview(r, hpk::ALL, hpk::ALL, 1)), Iterate::Right);
}

TYPED_TEST(LoopOrder, counts_the_views_inside_of_other_objects) {
  struct fields {
    left<TypeParam> u, v;
    right<TypeParam> w;
  };
  const fields all{left<TypeParam>("u", 5, 6), left<TypeParam>("v", 5, 6),
                   right<TypeParam>("w", 5, 6)};
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { all.u(i, j) = all.w(i, j); }), Iterate::Left);
  const hpk::Array<left<TypeParam>, 2> pair{all.u, all.v};
  const right<TypeParam> w = all.w;
  EXPECT_EQ(order_of<TypeParam>([=](int i, int j) { w(i, j) = pair[1](i, j); }), Iterate::Left);
}

template <class Exec>
struct functor {
  left<Exec> v;
  void operator()(int i, int j) const { v(i, j) += 1; }
};
template <class Exec>
struct fixed_functor : functor<Exec> {
  explicit fixed_functor(const left<Exec>& v) : functor<Exec>{v} {}
  fixed_functor(const fixed_functor&) = delete;
};
template <class Exec>
struct large_functor : functor<Exec> {
  explicit large_functor(const left<Exec>& v) : functor<Exec>{v} {}
  double table[1000] = {};
};

TYPED_TEST(LoopOrder, is_that_of_the_space_for_functors_that_are_not_copied) {
  const left<TypeParam> v("v", 5, 6);
  EXPECT_EQ(order_of<TypeParam>(functor<TypeParam>{v}), Iterate::Left);
  EXPECT_EQ(order_of<TypeParam>(fixed_functor<TypeParam>(v)), Iterate::Right);
  EXPECT_EQ(order_of<TypeParam>(large_functor<TypeParam>(v)), Iterate::Right);
  hpk::parallel_for(plane<TypeParam>({0, 0}, {5, 6}), fixed_functor<TypeParam>(v));
  EXPECT_EQ(v(4, 5), 1);
}

// The loop order as one worker sees it.
template <class Exec, class V>
Iterate observed_order(const V& v) {
  const View<int**, HostSpace> step("step", 3, 4);
  std::atomic<int> next{0};
  std::atomic<int>* const counter = &next;
  hpk::parallel_for(plane<Exec>({0, 0}, {1, 1}), [](int, int) {});
  hpk::parallel_for(plane<Exec>({0, 0}, {3, 4}), [=](int i, int j) {
    static_cast<void>(v.data());
    step.data()[i * 4 + j] = counter->fetch_add(1);
  });
  // Workers take consecutive pieces of the order, so the first two points are neighbours in it.
  const int* const at = step.data();
  return at[1] - at[0] == 1 ? Iterate::Right : Iterate::Left;
}

TYPED_TEST(LoopOrder, is_the_one_that_one_worker_sees) {
  if constexpr (!hpk_test::is_sequential<TypeParam>) return;
  const left<TypeParam> l("l", 5, 6), l2("l2", 5, 6), l3("l3", 5, 6);
  const right<TypeParam> r("r", 5, 6);
  // Three Views of LayoutLeft outvote `step`, which has LayoutRight.
  struct three {
    left<TypeParam> a, b, c;
    double* data() const { return a.data(); }
  };
  EXPECT_EQ(observed_order<TypeParam>(three{l, l2, l3}), Iterate::Left);
  EXPECT_EQ(observed_order<TypeParam>(r), Iterate::Right);
}

TYPED_TEST(LoopOrder, is_the_same_at_every_launch_and_place) {
  const left<TypeParam> v("v", 40, 60);
  const auto kernel = [=](int i, int j) { v(i, j) += i + 100 * j; };
  std::atomic<int> others{0};
  std::atomic<int>* const count = &others;
  for (int launch = 0; launch < 100; ++launch) {
    hpk::parallel_for(plane<TypeParam>({0, 0}, {40, 60}), kernel);
    if (order_of<TypeParam>(kernel) != Iterate::Left) ++others;
  }
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 3), [=](int) {
    if (order_of<TypeParam>(kernel) != Iterate::Left) count->fetch_add(1);
  });
  std::thread([&] {
    if (order_of<TypeParam>(kernel) != Iterate::Left) ++others;
  }).join();
  EXPECT_EQ(others, 0);
  int wrong = 0;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 60; ++j) wrong += v(i, j) != 100 * (i + 100 * j);
  }
  EXPECT_EQ(wrong, 0);
}

TYPED_TEST(LoopOrder, costs_no_share_of_a_view) {
  const left<TypeParam> v("v", 5, 6);
  std::atomic<int> most{0};
  std::atomic<int>* const seen = &most;
  const auto kernel = [=](int, int) { seen->store(v.use_count()); };
  const int before = v.use_count();
  hpk::parallel_for(plane<TypeParam>({0, 0}, {2, 2}), kernel);
  EXPECT_EQ(most, before);
  EXPECT_EQ(v.use_count(), before);
}

template <class Exec>
struct counted {
  left<Exec> v;
  std::atomic<int>* copies;
  bool throws = false;
  counted(const left<Exec>& view, std::atomic<int>& count, bool t)
      : v(view), copies(&count), throws(t) {}
  counted(const counted& other) : v(other.v), copies(other.copies), throws(other.throws) {
    copies->fetch_add(1);
    if (throws) throw std::runtime_error("no copies");
  }
  void operator()(int i, int j) const { v(i, j) = 1; }
};

TYPED_TEST(LoopOrder, takes_one_copy_and_survives_its_exceptions) {
  const left<TypeParam> v("v", 5, 6);
  std::atomic<int> copies{0};
  hpk::parallel_for(plane<TypeParam>({0, 0}, {5, 6}), counted<TypeParam>(v, copies, false));
  EXPECT_EQ(copies, 1);
  EXPECT_EQ(v(4, 5), 1);
  EXPECT_THROW(
      hpk::parallel_for(plane<TypeParam>({0, 0}, {5, 6}), counted<TypeParam>(v, copies, true)),
      std::runtime_error);
  // A copy made after the failed launch counts as an owner again.
  const int before = v.use_count();
  const left<TypeParam> copy = v;
  EXPECT_EQ(copy.use_count(), before + 1);
}

}  // namespace
}  // namespace seam_inspection_test
