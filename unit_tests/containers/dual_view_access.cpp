// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles that synchronise a DualView and mark their side as modified, and accesses to a stale
// side, which checked builds detect. Tests are compiled with HPK_CHECKS=1.
#include <hpk/containers/dual_view_access.hpp>

#include <hpk/containers/dual_view.hpp>

#include <support/spaces.hpp>
#include <support/strict_dual_views.hpp>

#include <optional>
#include <string>
#include <utility>

namespace dual_view_access_test {
namespace {

using hpk::DualView;
using hpk_test::contains;
using hpk_test::error_of;
using hpk_test::expect_error;

template <class V>
struct set {
  V view;
  int what;
  HPK_FUNCTION void operator()(int i) const { view(i) = what + i; }
};
template <class V>
void set_on_device(const V& view, int what) {
  hpk::parallel_for("set", hpk::RangePolicy<typename V::execution_space>(0, view.extent_int(0)),
                    set<V>{view, what});
}

// The host side is hpk::HostSpace if every space has two memories.
template <class D>
using host_of = typename D::t_host::device_type;
template <class D>
using device_of = typename D::t_dev::device_type;

template <class Exec>
class DualAccess : public testing::Test {};
TYPED_TEST_SUITE(DualAccess, hpk_test::spaces, hpk_test::space_names);

// Device types in one memory differ only by their execution space. If both sides have the same
// device type, it names the device side, and the test does not apply.
template <class D>
constexpr bool has_two_names = !std::is_same_v<host_of<D>, device_of<D>>;

HPK_TYPED_TEST(DualAccess, handles_synchronise_and_note_what_they_write) {
  using dual = DualView<int*, TypeParam>;
  if constexpr (has_two_names<dual>) {
    const dual d("d", 10);
    {
      const auto to = d.template write<TypeParam>();
      static_assert(!std::is_const_v<typename std::decay_t<decltype(to)>::view_type::value_type>);
      EXPECT_TRUE(d.need_sync_host());
      set_on_device(to.view(), 5);
    }
    {
      const auto from = d.template read<host_of<dual>>();
      static_assert(std::is_const_v<typename std::decay_t<decltype(from)>::view_type::value_type>);
      EXPECT_FALSE(d.need_sync_host());
      EXPECT_EQ(from(3), 8);
      EXPECT_EQ(from.extent(0), 10u);
      const typename dual::t_host_const view = from;
      EXPECT_EQ(view(9), 14);
    }
    {
      const auto both = d.template read_write<host_of<dual>>();
      EXPECT_EQ(both(3), 8);
      both(3) = 100;
      EXPECT_TRUE(d.need_sync_device());
    }
    const TypeParam exec;
    {
      const auto from = d.template read<TypeParam>(exec);
      EXPECT_FALSE(d.need_sync_device());
    }
    {
      const auto both = d.template read_write<TypeParam>(exec);
      EXPECT_TRUE(d.need_sync_host());
    }
    EXPECT_EQ(d.template read<host_of<dual>>()(3), 100);
    // Writing a whole side discards changes of the other; writing a part first copies them.
    set_on_device(d.view_device(), 7);
    d.modify_device();
    {
      const auto part = hpk::subview(d, std::pair<int, int>(0, 2));
      const auto to = part.template write<host_of<decltype(part)>>();
      to(0) = to(1) = 1;
    }
    EXPECT_EQ(d.template read<TypeParam>().view().extent(0), 10u);
    EXPECT_EQ(d.template read<host_of<dual>>()(9), 16);
    EXPECT_EQ(d.template read<host_of<dual>>()(0), 1);
  }
}

HPK_TYPED_TEST(DualAccess, handles_that_exclude_each_other_are_an_error) {
  using dual = DualView<int*, TypeParam>;
  if constexpr (has_two_names<dual>) {
    dual d("d", 10);
    const int line = __LINE__ + 1;
    auto writer = std::optional(d.template write<TypeParam>());
    const std::string text = error_of([&] { auto w = d.template write<host_of<dual>>(); });
    EXPECT_TRUE(contains(text, "hpk::DualView \"d\": the host side can't be opened for writing"));
    EXPECT_TRUE(
        contains(text, "while the device side is open for writing by the handle opened at"));
    EXPECT_TRUE(contains(text, "dual_view_access.cpp:" + std::to_string(line)));
    EXPECT_TRUE(contains(text, "(at "));
    expect_error([&] { auto r = d.template read<host_of<dual>>(); },
                 {"the host side can't be opened for reading", "open for writing"});
    expect_error([&] { d.sync_host(); },
                 {"the host side can't be synchronised while the device side is being written"});
    expect_error([&] { d.modify_host(); }, {"both sides are modified"});
    expect_error([&] { d.resize(20); }, {"resize() is called while the device side"});
    expect_error([&] { hpk::realloc(d, 20); }, {"realloc() is called"});
    // Another handle of the same side is allowed, and failed handles leave no trace.
    {
      const auto more = d.template read<TypeParam>();
    }
    writer.reset();
    auto reader = std::optional(d.template read<host_of<dual>>());
    expect_error([&] { auto w = d.template read_write<TypeParam>(); },
                 {"the device side can't be opened for writing", "open for reading"});
    const auto second = d.template read<TypeParam>();
    const auto moved = std::move(*reader);
    reader.reset();
    expect_error([&] { auto w = d.template write<TypeParam>(); }, {"open for reading"});
  }
}

HPK_TYPED_TEST(DualAccess, the_host_does_not_read_a_stale_side_unnoticed) {
  const hpk_test::strict_dual_views two_memories;
  using dual = DualView<int*, TypeParam>;
  const dual d("d", 10);
  const typename dual::t_host h = d.view_host();  // obtained before
  set_on_device(d.view_device(), 1);
  const int line = __LINE__ + 1;
  d.modify_device();
  const std::string text = error_of([&] { static_cast<void>(h(3)); });
  EXPECT_TRUE(contains(text,
                       "hpk::View \"d_mirror\": index (3) of extents [10] is stale: the device "
                       "side of DualView \"d\" was modified at "));
  EXPECT_TRUE(contains(text, "dual_view_access.cpp:" + std::to_string(line)));
  EXPECT_TRUE(contains(text, "call sync_host() first"));
  expect_error([&] { static_cast<void>(d.view_host()(0)); }, {"is stale"});
  expect_error([&] { static_cast<void>(hpk::subview(h, 4)()); }, {"is stale"});
  const hpk::View<int*, hpk::LayoutRight, hpk::HostSpace> to("to", 10);
  expect_error([&] { hpk::deep_copy(to, h); }, {"hpk::deep_copy", "is stale"});
  d.sync_host();
  EXPECT_EQ(h(3), 4);
  // Modifying a part makes the whole other side stale.
  const auto part = hpk::subview(d, std::pair<int, int>(4, 6));
  part.modify_device();
  expect_error([&] { static_cast<void>(h(0)); }, {"is stale"});
  d.clear_sync_state();
  EXPECT_EQ(h(0), 1);
  h(0) = 2;
  // Destroying the DualView removes its records.
  {
    const dual gone("gone", 10);
    hpk::View<int*, typename dual::t_host::array_layout, typename dual::t_host::device_type> kept =
        gone.view_host();
    gone.modify_device();
    EXPECT_THROW(kept(0) = 1, hpk::error);
  }
}

template <class Exec>
class StaleDevice : public testing::Test {};
TYPED_TEST_SUITE(StaleDevice, hpk_test::cpu_spaces, hpk_test::space_names);

HPK_TYPED_TEST(StaleDevice, kernels_do_not_read_a_stale_side_unnoticed) {
  const hpk_test::strict_dual_views two_memories;
  const DualView<int*, TypeParam> d("d", 10);
  // The kernel has already been launched once.
  set_on_device(d.view_device(), 1);
  d.modify_host();
  const auto run = [&] {
    set_on_device(d.view_device(), 2);
    hpk::fence();
  };
  if constexpr (hpk_test::is_host<TypeParam>) {
    expect_error(run,
                 {"hpk::View \"d\"", "is stale: the host side of DualView \"d\" was modified at",
                  "call sync_device() first", "parallel_for \"set\""});
  } else {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run(), "is stale: the host side of DualView \"d\" was modified at .*cpp:");
  }
  d.sync_device();
  run();
}

// Syncs after a write without a modify call.

struct check_dual_views {
  bool before = hpk::set_check_dual_views(true);
  ~check_dual_views() { hpk::set_check_dual_views(before); }
};

template <class Exec>
class DualForgets : public testing::Test {};
TYPED_TEST_SUITE(DualForgets, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DualForgets, to_note_a_write_of_the_host) {
  const hpk_test::strict_dual_views two_memories;
  const check_dual_views on;
  const DualView<double*, TypeParam> d("field", 10);
  d.view_host()(3) = 1;
  expect_error([&] { d.sync_device(); },
               {"hpk::DualView \"field\": the host side was changed without a call of "
                "modify_host(), so sync_device() copies nothing; call modify_host() where it "
                "is written, or clear_sync_state()",
                "dual_view_access.cpp"});
  d.modify_host();
  d.sync_device();
  d.sync_host();
  d.view_host()(4) = 1;  // by a later step
  expect_error([&] { d.sync_host(); }, {"the host side was changed", "sync_host() copies nothing"});
}

HPK_TYPED_TEST(DualForgets, to_note_a_write_of_the_device) {
  const hpk_test::strict_dual_views two_memories;
  const check_dual_views on;
  const DualView<int*, TypeParam> d("field", 10);
  set_on_device(d.view_device(), 7);
  expect_error([&] { d.sync_host(); },
               {"hpk::DualView \"field\": the device side was changed without a call of "
                "modify_device(), so sync_host() copies nothing"});
}

// The option emu-check=all includes this check.
HPK_TYPED_TEST(DualForgets, in_the_search_for_all_mistakes) {
  if (!hpk_test::is_emulated<TypeParam>) GTEST_SKIP() << "only Emu has such a search";
  const hpk::ScopeGuard all{hpk::InitializationSettings().set_option("emu-check", "all")};
  const DualView<double*, TypeParam> d("field", 10);
  d.view_host()(3) = 1;
  expect_error([&] { d.sync_device(); }, {"hpk::DualView \"field\": the host side was changed"});
  d.clear_sync_state();
  set_on_device(d.view_device(), 7);
  expect_error([&] { d.sync_host(); }, {"hpk::DualView \"field\": the device side was changed"});
}

// If the program copies the elements itself, no change is lost.
HPK_TYPED_TEST(DualForgets, a_note_but_not_the_copy) {
  const hpk_test::strict_dual_views two_memories;
  const check_dual_views on;
  const DualView<double*, TypeParam> d("field", 10);
  d.view_host()(3) = 1;
  hpk::deep_copy(d.view_device(), d.view_host());
  d.sync_device();
  d.sync_host();
  EXPECT_EQ(d.view_host()(3), 1);
}

HPK_TYPED_TEST(DualForgets, nothing_where_writes_are_noted) {
  const hpk_test::strict_dual_views two_memories;
  const check_dual_views on;
  DualView<int*, TypeParam> d(hpk::view_alloc("field", hpk::WithoutInitializing), 10);
  d.sync_device();
  for (int step = 0; step < 3; ++step) {
    d.view_host()(3) = step;
    d.modify_host();
    d.sync_device();
    set_on_device(d.view_device(), step);
    d.modify_device();
    d.sync_host(TypeParam());
    d.sync_device();
    EXPECT_EQ(d.view_host()(3), step + 3);
  }
  d.resize(20);
  d.sync_host();
  d.realloc(20);
  d.sync_host();
  set_on_device(d.view_device(), 1);
  d.clear_sync_state();  // the sides may differ then
  d.sync_host();
  const auto part = hpk::subview(d, std::pair(0, 5));
  part.view_host()(0) = 9;
  part.modify_host();
  d.sync_device();
  d.sync_host();
  EXPECT_EQ(d.view_host()(0), 9);
}

HPK_TYPED_TEST(DualForgets, in_silence_unless_asked) {
  hpk::InitializationSettings defaults;
  if (hpk_test::is_emulated<TypeParam>) defaults.set_option("emu-mirrors", 0);
  const hpk::ScopeGuard guard(defaults);
  const hpk_test::strict_dual_views two_memories;
  const bool before = hpk::set_check_dual_views(false);
  const DualView<double*, TypeParam> d("field", 10);
  d.view_host()(3) = 1;
  d.sync_device();
  EXPECT_FALSE(d.need_sync_device());
  hpk::set_check_dual_views(before);
}

}  // namespace
}  // namespace dual_view_access_test
