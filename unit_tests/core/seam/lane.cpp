// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The concept lane_context: the lane of every backend models it, and incomplete lanes do not. The
// conformance ladder tests its laws.
#include <hpk/seam/lane.hpp>

#include <support/spaces.hpp>

namespace seam_lane_test {

struct complete_lane {
  static constexpr bool single = false;
  hpk::index_t group() const { return 0; }
  hpk::index_t groups() const { return 1; }
  int lane_index() const { return 0; }
  int lanes() const { return 4; }
  int subgroup() const { return 4; }
  void barrier() {}
  std::byte* scratch(int) { return nullptr; }
  template <class T>
  T shuffle(T value, int, int = 4) {
    return value;
  }
  bool any(bool flag) { return flag; }
  std::uint64_t ballot(bool flag) { return flag ? 15 : 0; }
  void sync(int) {}
  void at(hpk::index_t) {}
};
struct no_barrier : complete_lane {
  void barrier() = delete;
};
struct no_ballot : complete_lane {
  std::uint64_t ballot(bool) = delete;
};
struct float_scratch : complete_lane {
  float* scratch(int) { return nullptr; }
};

static_assert(hpk::seam::lane_context<complete_lane>);
static_assert(!hpk::seam::lane_context<no_barrier>);
static_assert(!hpk::seam::lane_context<no_ballot>);
static_assert(!hpk::seam::lane_context<float_scratch>);
static_assert(!hpk::seam::lane_context<int>);

template <class Exec>
class Lane : public testing::Test {};
TYPED_TEST_SUITE(Lane, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Lane, of_every_space_models_the_concept) {
  using machine = hpk::seam::machine<TypeParam>;
  static_assert(hpk::seam::lane_context<typename machine::lane>);
  const hpk::View<bool, hpk_test::shared_device<TypeParam>> ran("ran");
  TypeParam().instance().launch(
      {}, HPK_LAMBDA(typename machine::lane & lane) { ran() = lane.groups() == 1; },
      {.pattern = "test", .label = {}, .where = {}});
  hpk::fence();
  EXPECT_TRUE(ran());
}

}  // namespace seam_lane_test
