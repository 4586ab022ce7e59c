// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global variables and constants of devices: scalars, arrays and structs that copies set and
// kernels use, with one object per memory.
#include <hpk/device_global.hpp>

#include <support/elements.hpp>

#include <string>

namespace view_device_global_test {

struct pair_of_numbers {
  int first;
  double second;
};
HPK_DEVICE_GLOBAL(double, scale);
HPK_DEVICE_GLOBAL(long[100], table);
HPK_DEVICE_GLOBAL(int[3][4], matrix);
HPK_DEVICE_GLOBAL(pair_of_numbers, numbers);
HPK_DEVICE_CONSTANT(double[8], weights);
HPK_DEVICE_GLOBAL(int, untouched);

namespace {

static_assert(hpk::is_device_global_v<std::remove_const_t<decltype(scale)>>);
static_assert(decltype(weights)::is_constant && !decltype(scale)::is_constant);
static_assert(
    std::is_same_v<decltype(weights.get<hpk::DefaultHostExecutionSpace>()), const double (&)[8]>);
// A kernel that uses them captures nothing.
static_assert(std::is_empty_v<decltype(table)>);

template <class Exec>
class DeviceGlobal : public testing::Test {};
TYPED_TEST_SUITE(DeviceGlobal, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DeviceGlobal, is_set_used_and_read) {
  const TypeParam exec;
  const hpk::View<double*, TypeParam> out("out", 100);
  for (const double value : {2.5, -1.0}) {
    hpk::deep_copy(exec, scale, value);
    const double w[8] = {value, 2, 3, 4, 5, 6, 7, 8};
    hpk::deep_copy(exec, weights, w);
    hpk::deep_copy(exec, numbers, pair_of_numbers{3, value});
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 100), HPK_LAMBDA(int i) {
          table.template get<TypeParam>()[i] = 3L * i;
          if (i < 12) matrix.template get<TypeParam>()[i % 3][i % 4] = i;
          const pair_of_numbers& n = numbers.template get<TypeParam>();
          out(i) = scale.template get<TypeParam>() * i + weights.template get<TypeParam>()[i % 8] +
                   n.first * n.second;
        });
    const auto seen = hpk_test::on_host(out);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(seen(i), value * i + w[i % 8] + 3 * value);
    long filled[100] = {};
    hpk::deep_copy(exec, filled, table);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(filled[i], 3L * i);
    int points[3][4] = {};
    hpk::deep_copy(exec, points, matrix);
    EXPECT_EQ(points[2][3], 11);
    double read = 0;
    hpk::deep_copy(exec, read, scale);
    EXPECT_EQ(read, value);
  }
}

HPK_TYPED_TEST(DeviceGlobal, is_copied_behind_the_work_of_its_instance) {
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  hpk::deep_copy(exec, scale, 0.0);
  for (int round = 0; round < 10; ++round)
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 1),
        HPK_LAMBDA(int) { scale.template get<TypeParam>() += 1; });
  double read = -1;
  hpk::deep_copy(exec, read, scale);
  EXPECT_EQ(read, 10.0);
}

HPK_TYPED_TEST(DeviceGlobal, is_copied_from_and_to_views) {
  const TypeParam exec;
  const hpk::View<long*, hpk::HostSpace> host("host", 100);
  for (int i = 0; i < 100; ++i) host(i) = 7L * i;
  hpk::deep_copy(exec, table, host);
  const hpk::View<long[10][10], TypeParam> there("there");
  hpk::deep_copy(exec, there, table);
  const auto seen = hpk_test::on_host(there);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(seen.data()[i], 7L * i);
  const hpk::View<const long*, hpk::HostSpace> read_only = host;
  hpk::deep_copy(exec, table, read_only);
  const hpk::View<long*, hpk::HostSpace> few("few", 99);
  const std::string text = hpk_test::error_of([&] { hpk::deep_copy(exec, table, few); });
  EXPECT_TRUE(hpk_test::contains(text,
                                 "hpk::deep_copy: View \"few\" has 99 elements and the device "
                                 "global 100; write a View of as many elements without gaps"));
  EXPECT_TRUE(hpk_test::contains(text, "device_global.cpp:"));
}

HPK_TYPED_TEST(DeviceGlobal, begins_as_zeros) {
  int read = 1;
  hpk::deep_copy(TypeParam(), read, untouched);
  EXPECT_EQ(read, 0);
}

HPK_TYPED_TEST(DeviceGlobal, of_a_device_is_not_that_of_the_host) {
  if constexpr (hpk_test::is_host<TypeParam>) return;
  hpk::deep_copy(TypeParam(), scale, 5.0);
  hpk::deep_copy(hpk::DefaultHostExecutionSpace(), scale, 6.0);
  double read = 0;
  hpk::deep_copy(TypeParam(), read, scale);
  EXPECT_EQ(read, 5.0);
}

template <class Exec>
class DeviceGlobalOnHost : public testing::Test {};
TYPED_TEST_SUITE(DeviceGlobalOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(DeviceGlobalOnHost, is_one_for_all_host_spaces_and_host_code) {
  hpk::deep_copy(TypeParam(), scale, 1.25);
  EXPECT_EQ(scale.get<hpk::DefaultHostExecutionSpace>(), 1.25);
  EXPECT_EQ(scale.get<TypeParam>(), 1.25);
  const std::string text = hpk_test::error_of([] {
    hpk::parallel_for("inner", hpk::RangePolicy<TypeParam>(0, 1),
                      [](int) { hpk::deep_copy(TypeParam(), scale, 1.0); });
  });
  EXPECT_TRUE(hpk_test::contains(text, "hpk::deep_copy"));
  EXPECT_TRUE(hpk_test::contains(text, "inner"));
}

}  // namespace
}  // namespace view_device_global_test
