// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dual_view_types.hpp>

#include <hpk/containers/dual_view.hpp>

#include <support/spaces.hpp>

#include <type_traits>

namespace dual_view_types_test {
namespace {

using hpk::DualView;
using hpk::View;
template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;

template <class Exec>
class DualTypes : public testing::Test {};
TYPED_TEST_SUITE(DualTypes, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DualTypes, are_those_of_the_view_and_its_mirror) {
  using dual = DualView<double**, hpk::LayoutLeft, TypeParam>;
  using dev = typename dual::t_dev;
  using host = typename dual::t_host;
  static_assert(same<dev, View<double**, hpk::LayoutLeft, TypeParam>>);
  static_assert(same<host, typename dev::host_mirror_type>);
  static_assert(same<typename dual::traits, typename dev::traits>);
  static_assert(std::is_base_of_v<typename dual::traits, dual>);
  static_assert(same<typename dual::value_type, double>);
  static_assert(same<typename dual::array_layout, hpk::LayoutLeft>);
  static_assert(same<typename dual::execution_space, TypeParam>);
  static_assert(same<typename dual::host_mirror_space, typename dev::host_mirror_space>);
  static_assert(dual::rank == 2);

  static_assert(same<typename dual::t_dev_const::value_type, const double>);
  static_assert(same<typename dual::t_host_const::value_type, const double>);
  static_assert(dual::t_dev_const_randomread::memory_traits::is_random_access);
  static_assert(dual::t_host_const_randomread::memory_traits::is_random_access);
  static_assert(dual::t_dev_um::memory_traits::is_unmanaged);
  static_assert(same<typename dual::t_dev_um::value_type, double>);
  static_assert(dual::t_host_um::memory_traits::is_unmanaged);
  static_assert(dual::t_dev_const_um::memory_traits::is_unmanaged);
  static_assert(dual::t_host_const_um::memory_traits::is_unmanaged);
  // The type of the device side uses the memory of the device.
  static_assert(
      same<typename dual::t_dev_const_randomread_um::device_type, typename dev::device_type>);
  static_assert(
      same<typename dual::t_host_const_randomread_um::device_type, typename host::device_type>);
  static_assert(dual::t_dev_const_randomread_um::memory_traits::is_unmanaged &&
                dual::t_dev_const_randomread_um::memory_traits::is_random_access);

  const dual d("d", 2, 3);
  const typename dual::t_dev_const_randomread a = d.view_device();
  const typename dual::t_host_um b = d.view_host();
  const typename dual::t_dev_const_randomread_um c = d.view_device();
  EXPECT_EQ(a.data(), d.view_device().data());
  EXPECT_EQ(b.data(), d.view_host().data());
  EXPECT_EQ(c.use_count(), 0);

  static_assert(hpk::is_dual_view_v<dual> && hpk::is_dual_view_v<const dual>);
  static_assert(hpk::is_dual_view<const volatile dual>::value);
  static_assert(!hpk::is_dual_view_v<dual&> && !hpk::is_dual_view_v<dev>);
  // Void properties have no effect.
  static_assert(
      same<typename DualView<double**, void, TypeParam, void>::t_dev, View<double**, TypeParam>>);
  static_assert(same<typename DualView<int*, void, void, void>::t_dev, View<int*>>);
  static_assert(dual::impl_dualview_is_single_device ==
                same<typename dev::device_type, typename host::device_type>);
  static_assert(dual::impl_dualview_stores_single_view ==
                same<typename dev::memory_space, typename host::memory_space>);
  // A View type names its side.
  static_assert(dual::template get_device_side<dev>() == 1);
  static_assert(dual::template get_device_side<host>() ==
                dual::template get_device_side<typename host::device_type>());
  static_assert(dual::template get_device_side<int>() == -1);
}

}  // namespace
}  // namespace dual_view_types_test
