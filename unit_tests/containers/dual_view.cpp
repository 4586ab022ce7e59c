// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dual_view.hpp>

#include <support/spaces.hpp>

#include <random>
#include <utility>
#include <vector>

namespace dual_view_test {
namespace {

using hpk::DualView;
using hpk::View;
using hpk_test::contains;
using hpk_test::error_of;
using hpk_test::expect_error;

template <class V>
struct add {
  V view;
  int what;
  HPK_FUNCTION void operator()(int i) const { view(i) += what + i; }
};
template <class V>
void add_on_device(const V& view, int what) {
  hpk::parallel_for(hpk::RangePolicy<typename V::execution_space>(0, view.extent_int(0)),
                    add<V>{view, what});
}
// A functor that holds a DualView and gets its side in the kernel.
template <class D>
struct by_space {
  D dual;
  HPK_FUNCTION void operator()(int i) const {
    const auto v = dual.template view<typename D::execution_space>();
    v(i) = dual.view_device().extent_int(0) + i;
  }
};

template <class Exec>
class DualViews : public testing::Test {};
TYPED_TEST_SUITE(DualViews, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DualViews, sync_copies_what_was_modified_to_the_other_side) {
  using dual = DualView<int*, TypeParam>;
  using host = typename dual::t_host;
  using dev = typename dual::t_dev;
  const dual d("d", 100);
  EXPECT_EQ(d.label(), "d");
  EXPECT_TRUE(d.is_allocated());
  EXPECT_EQ(d.extent(0), 100u);
  EXPECT_EQ(d.extent_int(1), 1);
  EXPECT_EQ(d.span(), 100u);
  EXPECT_EQ(d.size(), 100u);
  EXPECT_EQ(d.stride(0), 1u);
  std::size_t strides[2] = {};
  d.stride(strides);
  EXPECT_EQ(strides[1], 100u);
  EXPECT_TRUE(d.span_is_contiguous());
  EXPECT_FALSE(d.need_sync_host() || d.need_sync_device());
  EXPECT_EQ(d.view_host()(99), 0);

  add_on_device(d.view_device(), 5);
  d.modify_device();
  EXPECT_TRUE(d.need_sync_host());
  EXPECT_FALSE(d.need_sync_device());
  d.sync_device();  // already up to date
  EXPECT_TRUE(d.need_sync_host());
  d.sync_host();
  EXPECT_FALSE(d.need_sync_host());
  EXPECT_EQ(d.view_host()(99), 104);

  d.view_host()(7) = 1000;
  d.modify_host();
  EXPECT_TRUE(d.need_sync_device());
  EXPECT_TRUE(d.template need_sync<typename dev::device_type>());
  EXPECT_FALSE(d.need_sync_host());
  d.modify_host();  // a second call is allowed
  d.template sync<TypeParam>();
  EXPECT_FALSE(d.need_sync_device());
  add_on_device(d.view_device(), 0);
  d.template modify<TypeParam>();
  // With an instance.
  const TypeParam exec;
  d.sync_host(exec);
  exec.fence();
  EXPECT_FALSE(d.need_sync_host());
  EXPECT_EQ(d.view_host()(7), 1007);
  d.view_host()(7) = 1;
  d.modify_host();
  d.sync_device(exec);
  add_on_device(d.view_device(), 0);
  d.modify_device();
  d.sync_host(exec);
  exec.fence();
  EXPECT_EQ(d.view_host()(7), 8);
  // A space names the side with its type, and the device side if both have it.
  constexpr bool two = !std::is_same_v<typename dev::memory_space, typename host::memory_space>;
  EXPECT_EQ(dual::template get_device_side<typename dev::device_type>(), 1);
  EXPECT_EQ(dual::template get_device_side<typename host::memory_space>(), two ? 0 : 1);
  EXPECT_EQ(dual::template get_device_side<int>(), -1);
  // Returned by value, so that decltype gives a View.
  static_assert(std::is_same_v<decltype(d.template view<typename dev::memory_space>()), dev>);
  EXPECT_EQ(d.template view<dev>().data(), d.view_device().data());
  EXPECT_EQ(d.template view<host>().data(), d.view_host().data());
  d.template modify<dev>();
  EXPECT_TRUE(d.template need_sync<host>() || d.view_host().data() == d.view_device().data());
  d.template sync<host>();
  EXPECT_FALSE(d.template need_sync<host>());
  d.template modify<typename host::memory_space>();
  EXPECT_EQ(d.need_sync_device(), two);
  EXPECT_EQ(d.template need_sync<typename dev::device_type>(), two);
  d.template sync<typename dev::device_type>(exec);
  exec.fence();
  EXPECT_FALSE(d.template need_sync<typename dev::device_type>());
  d.clear_sync_state();

  d.modify_device();
  d.clear_sync_state();
  EXPECT_FALSE(d.need_sync_host() || d.need_sync_device());
  d.modify_host();
  d.clear_sync_state();
}

HPK_TYPED_TEST(DualViews, copies_and_subviews_share_elements_and_notes) {
  using dual = DualView<int**, TypeParam>;
  dual d("d", 4, 5);
  const dual copy = d;
  const auto row = hpk::subview(d, 2, hpk::ALL);
  static_assert(hpk::is_dual_view_v<decltype(row)> && decltype(row)::t_dev::rank() == 1);
  const DualView<const int**, TypeParam> read = d;
  add_on_device(row.view_device(), 10);
  row.modify_device();
  EXPECT_TRUE(d.need_sync_host() && copy.need_sync_host() && read.need_sync_host());
  read.sync_host();
  EXPECT_FALSE(row.need_sync_host());
  EXPECT_EQ(copy.view_host()(2, 3), 13);
  EXPECT_EQ(row.view_host()(3), 13);
  EXPECT_EQ(read.view_host()(1, 3), 0);
  d.view_host()(2, 1) = 7;
  copy.modify_host();
  row.sync_device();
  add_on_device(row.view_device(), 0);
  row.modify_device();
  d.sync_host();
  EXPECT_EQ(row.view_host()(1), 8);
  // A part made by the constructor, and an assigned part.
  const DualView<int*, hpk::LayoutStride, TypeParam> column(d, hpk::ALL, 1);
  EXPECT_EQ(column.view_host()(2), 8);
  column.modify_host();
  EXPECT_TRUE(d.need_sync_device());
  d.clear_sync_state();
  d = dual("other", 2, 2);
  d.modify_host();
  EXPECT_FALSE(copy.need_sync_device());
}

HPK_TYPED_TEST(DualViews, one_that_is_empty_keeps_notes_too) {
  DualView<int*, TypeParam> d;
  EXPECT_FALSE(d.is_allocated());
  EXPECT_FALSE(d.need_sync_device());
  d.modify_host();
  const DualView<int*, TypeParam> copy = d;
  EXPECT_TRUE(d.need_sync_device());
  EXPECT_TRUE(copy.need_sync_device());
  expect_error([&] { copy.modify_device(); }, {"both sides are modified", "dual_view.cpp"});
  d.sync_device();
  EXPECT_FALSE(copy.need_sync_device());
  d = DualView<int*, TypeParam>("d", 3);
  EXPECT_EQ(d.extent(0), 3u);
}

HPK_TYPED_TEST(DualViews, are_made_with_properties_and_of_two_views) {
  using dual = DualView<int*, TypeParam>;
  const TypeParam exec;
  const dual a(hpk::view_alloc("a", exec), 10);
  exec.fence();
  EXPECT_EQ(a.view_host()(9), 0);
  const dual b(hpk::view_alloc(hpk::WithoutInitializing, std::string("b")), 10);
  EXPECT_EQ(b.label(), "b");
  const DualView<double*, TypeParam> c(hpk::view_alloc("c", hpk::SequentialHostInit), 10);
  EXPECT_EQ(c.view_host()(9), 0);
  const DualView<double**, hpk::LayoutRight, TypeParam> padded(
      hpk::view_alloc("padded", hpk::AllowPadding), 3, 17);
  EXPECT_EQ(padded.stride(0), 24u);
  EXPECT_EQ(padded.view_host().stride(0), 24u);
  const DualView<int, TypeParam> one("one");
  one.view_host()() = 4;
  one.modify_host();
  one.sync_device();
  const DualView<int* [3], hpk::LayoutRight, TypeParam> fixed("fixed", 2);
  EXPECT_EQ(fixed.view_host().extent(1), 3u);
  const dual empty("empty", 0);
  EXPECT_TRUE(empty.is_allocated());
  empty.modify_device();
  empty.sync_host();

  const typename dual::t_dev v("v", 10);
  const auto h = hpk::create_mirror_view(v);
  const dual pair(v, h);
  h(3) = 5;
  pair.modify_host();
  pair.sync_device();
  add_on_device(pair.d_view, 1);
  pair.modify_device();
  pair.sync_host();
  EXPECT_EQ(h(3), 9);
  const typename dual::t_host other("other", 11);
  expect_error([&] { const dual bad(v, other); }, {"hpk::DualView", "\"v\"", "\"other\"",
                                                   "extents or strides differ", "dual_view.cpp"});
  const typename dual::t_host second("second", 10);
  if constexpr (hpk_test::is_host<TypeParam>) {
    expect_error([&] { const dual bad(v, second); },
                 {"\"v\"", "\"second\"", "have to be the same View"});
  }
  // Older programs use void properties and the data members.
  const DualView<int*, hpk::LayoutRight, TypeParam, void> older("older", 3);
  EXPECT_EQ(older.h_view.extent(0), older.d_view.extent(0));
  const DualView<int*, TypeParam, void, void> oldest = a;
  EXPECT_EQ(oldest.view_device().data(), a.view_device().data());
}

HPK_TYPED_TEST(DualViews, kernels_may_hold_them) {
  using dual = DualView<int*, TypeParam>;
  const dual d("d", 20);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 20), by_space<dual>{d});
  d.modify_device();
  d.sync_host();
  EXPECT_EQ(d.view_host()(19), 39);
}

HPK_TYPED_TEST(DualViews, of_const_elements_sync_only_the_host) {
  const DualView<int*, TypeParam> d("d", 10);
  const DualView<const int*, TypeParam> read = d;
  read.sync_device();
  read.sync_host();
  add_on_device(d.view_device(), 3);
  d.modify_device();
  read.sync_host();
  EXPECT_EQ(read.view_host()(9), 12);
  d.modify_host();
  if (d.view_device().data() == static_cast<void*>(d.view_host().data())) {
    read.sync_device();
  } else {
    expect_error([&] { read.sync_device(); },
                 {"hpk::DualView \"d\"", "elements are const", "sync_device()", "dual_view.cpp"});
    EXPECT_TRUE(read.need_sync_device());
    d.sync_device();
  }
  EXPECT_FALSE(read.need_sync_device());
}

HPK_TYPED_TEST(DualViews, shared_memory_waits_for_the_device) {
  using dual = DualView<int*, hpk_test::shared_device<TypeParam>>;
  const dual d("d", 1000);
  EXPECT_EQ(d.view_device().data(), d.view_host().data());
  for (int k = 0; k != 10; ++k) {
    add_on_device(d.view_device(), 1);
    d.modify_device();
    EXPECT_TRUE(d.need_sync_host());
    d.sync_host();
    EXPECT_EQ(d.view_host()(999), (k + 1) * 1000);
  }
}

HPK_TYPED_TEST(DualViews, modifying_both_sides_names_both_places) {
  const DualView<int*, TypeParam> d("twice", 3);
  const int first = __LINE__ + 1;
  d.modify_device();
  const int second = __LINE__ + 1;
  const std::string text = error_of([&] { d.modify_host(); });
  EXPECT_TRUE(contains(text, "hpk::DualView \"twice\": both sides are modified"));
  EXPECT_TRUE(contains(text, "the device side was modified at "));
  EXPECT_TRUE(contains(text, "dual_view.cpp:" + std::to_string(first) + ", and now the host side"));
  EXPECT_TRUE(contains(text, "dual_view.cpp:" + std::to_string(second) + "; call sync_host()"));
  EXPECT_TRUE(d.need_sync_host());
  EXPECT_FALSE(d.need_sync_device());
  d.sync_host();
  d.modify_host();
  expect_error([&] { d.modify_device(); },
               {"the host side was modified at ", "call sync_device()"});
}

// If both sides share memory, a space may name both sides. A program that is correct with two
// memories must get no error then.
TEST(DualView, a_space_that_names_both_sides_fits_either) {
  using exec = hpk::DefaultHostExecutionSpace;
  const DualView<int*, exec> d("d", 3);
  static_assert(DualView<int*, exec>::names_both_sides<exec>());
  static_assert(DualView<int*, exec>::names_both_sides<hpk::HostSpace>());
  const bool host_first[] = {true, false};
  for (const bool host : host_first) {
    d.modify<exec>();
    EXPECT_FALSE(d.need_sync_host() || d.need_sync_device());
    host ? d.sync_host() : d.sync_device();
    d.modify_host();
    EXPECT_TRUE(d.need_sync<exec>());
    d.sync<hpk::HostSpace>();
    d.modify_device();
    EXPECT_TRUE(d.need_sync<exec>());
    d.sync<exec>();
    host ? d.modify_host() : d.modify_device();
    d.modify<hpk::HostSpace>();
    host ? d.modify_host() : d.modify_device();
    d.clear_sync_state();
  }
}

// Random sequences compared with two arrays, in strict mode and with sides that the host can
// access.
TEST(DualView, keeps_notes_as_two_arrays_and_a_flag_do) {
  const bool before = hpk::set_strict_dual_views(true);
  std::mt19937 random(7);
  const auto draw = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  // Runs the small kernels on the calling thread.
  using exec = hpk::Serial;
  for (int sequence = 0; sequence != 10000; ++sequence) {
    const int n = 1 + draw(4);
    DualView<int*, exec> d("d", n);
    std::vector<int> sides[2] = {std::vector<int>(static_cast<std::size_t>(n)),
                                 std::vector<int>(static_cast<std::size_t>(n))};
    int newer = -1;
    const auto view = [&](int side) {
      return side == 0 ? View<int*, hpk::HostSpace>(d.view_host())
                       : View<int*, hpk::HostSpace>(d.view_device());
    };
    for (int step = 0; step != 8; ++step) {
      const int side = draw(2);
      switch (draw(6)) {
        case 0:
        case 1: {  // a write and its modify call
          if (newer == 1 - side) {
            EXPECT_THROW(side == 0 ? d.modify_host() : d.modify_device(), hpk::error);
            EXPECT_THROW(view(side)(0) = 1, hpk::error);
            break;
          }
          const int at = draw(n);
          view(side)(at) = sides[side][static_cast<std::size_t>(at)] = step + 1;
          side == 0 ? d.modify_host() : d.modify_device();
          newer = side;
          break;
        }
        case 2:
        case 3:
          side == 0 ? d.sync_host() : d.sync_device();
          if (newer == 1 - side) {
            sides[side] = sides[1 - side];
            newer = -1;
          }
          break;
        case 4:
          if (draw(3) != 0) break;
          d.clear_sync_state();
          newer = -1;
          break;
        default: {
          const auto part = hpk::subview(d, std::pair<int, int>(0, 1 + draw(n)));
          ASSERT_EQ(part.need_sync_host(), newer == 1);
          const DualView<int*, exec> copy = d;
          ASSERT_EQ(copy.need_sync_device(), newer == 0);
        }
      }
      for (int s = 0; s != 2; ++s) {
        if (newer == 1 - s) continue;
        const int at = draw(n);
        ASSERT_EQ(view(s)(at), sides[s][static_cast<std::size_t>(at)]) << sequence;
      }
    }
  }
  hpk::set_strict_dual_views(before);
}

}  // namespace
}  // namespace dual_view_test
