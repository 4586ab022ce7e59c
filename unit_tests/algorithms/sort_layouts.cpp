// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of Views whose elements are not contiguous or have no address.
#include <hpk/algorithms/sort.hpp>
#include <hpk/algorithms/sort_by_key.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>

namespace {

using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

/// A layout that places the last element first in memory.
struct LayoutReversed : hpk::LayoutBase<LayoutReversed> {
  using LayoutBase::LayoutBase;
  template <class Extents>
  class mapping {
   public:
    using index_type = typename Extents::index_type;
    mapping() = default;
    HPK_FUNCTION constexpr explicit mapping(const Extents& extents) : extents_(extents) {}
    HPK_FUNCTION constexpr const Extents& extents() const { return extents_; }
    template <class I>
    HPK_FUNCTION constexpr index_type operator()(I i) const {
      return extents_.extent(0) - 1 - static_cast<index_type>(i);
    }
    HPK_FUNCTION constexpr index_type required_span_size() const { return extents_.extent(0); }
    HPK_FUNCTION constexpr bool is_exhaustive() const { return true; }

   private:
    Extents extents_;
  };
};

using hpk_test::down;

template <class Exec>
class SortLayouts : public testing::Test {};
TYPED_TEST_SUITE(SortLayouts, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(SortLayouts, own_layouts_strides_and_atomics) {
  const TypeParam exec;
  auto keys = make_keys<int>("random", 700);
  const hpk::View<int*, LayoutReversed, TypeParam> reversed("reversed", 700);
  const hpk::View<int*, hpk::LayoutStride, TypeParam> apart("apart", hpk::LayoutStride(700, 3));
  const auto plain = to_view<TypeParam>(keys);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 700), HPK_LAMBDA(int i) {
        reversed(i) = plain(i);
        apart(i) = plain(i);
      });
  hpk::sort(exec, reversed, 100, 700);
  hpk::sort(exec, apart, down());
  const hpk::View<int*, TypeParam, hpk::MemoryTraits<hpk::Atomic>> atomic = plain;
  hpk::sort(exec, atomic);
  const hpk::View<int*, TypeParam> back("back", 700);
  const hpk::View<int*, TypeParam> fallen("fallen", 700);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 700), HPK_LAMBDA(int i) {
        back(i) = reversed(i);
        fallen(i) = apart(i);
      });
  auto part = keys;
  std::sort(part.begin() + 100, part.end());
  EXPECT_EQ(to_vector(back), part);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(to_vector(plain), keys);
  std::reverse(keys.begin(), keys.end());
  EXPECT_EQ(to_vector(fallen), keys);
}

}  // namespace
