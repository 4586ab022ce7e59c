// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/vector.hpp>

#include <support/spaces.hpp>

#include <list>
#include <random>
#include <string>
#include <vector>

namespace {

template <class Exec>
class Vector : public testing::Test {
 public:
  using type = hpk::vector<int, Exec>;
};
TYPED_TEST_SUITE(Vector, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Vector, goes_to_kernels_and_back) {
  typename TestFixture::type v(10, 3);
  v.push_back(4);
  EXPECT_EQ(v.size(), 11u);
  v.host_to_device();
  const auto elements = v.view_device();
  const auto twice = [&] {
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 11), HPK_LAMBDA(int i) { elements(i) *= 2; });
  };
  v.on_device();
  twice();
  v.on_host();
  EXPECT_EQ(v[0], 6);
  EXPECT_EQ(v.back(), 8);
  v[0] = 1;
  v.on_device();
  twice();
  v.device_to_host();
  EXPECT_EQ(v.front(), 2);
  EXPECT_EQ(v(10), 16);
  v.on_host();
  v.on_device();
  // Growth keeps changes by kernels.
  twice();
  v.reserve(1000);
  EXPECT_EQ(v[0], 4);
  EXPECT_EQ(v.span(), 1000u);
  EXPECT_EQ(v.view_device().extent(0), 1000u);
}

TEST(VectorOnHost, has_the_members_of_a_vector) {
  using type = hpk::vector<int, hpk::HostSpace>;
  type v;
  EXPECT_TRUE(v.empty());
  EXPECT_FALSE(v.is_allocated());
  EXPECT_EQ(v.find(3), v.end());
  for (int k = 0; k < 5; ++k) v.push_back(2 * k);
  EXPECT_EQ(v.insert(v.begin() + 1, 7) - v.begin(), 1);
  v.insert(v.end(), 2, 9);
  const std::list<int> more{11, 12};
  v.insert(v.begin(), more.begin(), more.end());
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()),
            (std::vector<int>{11, 12, 0, 7, 2, 4, 6, 8, 9, 9}));
  EXPECT_EQ(v.find(4) - v.begin(), 5);
  v.pop_back();
  v.resize(3);
  v.resize(5, -1);
  EXPECT_EQ(std::vector<int>(v.cbegin(), v.cend()), (std::vector<int>{11, 12, 0, -1, -1}));
  v.assign(more.begin(), more.end());
  EXPECT_EQ(v.size(), 2u);
  v.assign(4, 6);
  EXPECT_EQ(v.data()[3], 6);
  v.clear();
  EXPECT_TRUE(v.empty());
  v.set_overallocation(1.0F);
  v.resize(100);
  EXPECT_GE(v.capacity(), 200u);
  EXPECT_GE(v.max_size(), 1000u);
  for (int k = 0; k < 100; ++k) v[static_cast<std::size_t>(k)] = 2 * k;
  EXPECT_EQ(v.lower_bound(0, 99, 11), 6u);
  EXPECT_EQ(v.lower_bound(10, 20, 0), 10u);
  EXPECT_EQ(v.lower_bound(10, 20, 500), 20u);
  EXPECT_EQ(v.lower_bound(7, 7, 500), 7u);
  // Arguments that are elements of the vector itself.
  v.assign(1, 5);
  for (int k = 0; k < 100; ++k) v.push_back(v[0]);
  EXPECT_EQ(v.back(), 5);
}

TEST(VectorOnHost, says_what_is_wrong) {
  hpk::vector<int, hpk::HostSpace> v(3, 1);
  hpk_test::expect_error([&] { v.insert(v.begin() + 5, 1); },
                         {"hpk::vector: insert() at 5 is outside of its 3 elements", "vector.cpp"});
  v.clear();
  hpk_test::expect_error([&] { v.pop_back(); }, {"pop_back()", "0 elements", "vector.cpp"});
  v.on_host();
  v.on_device();
  v.on_host();
  if (HPK_CHECKS == 0) return;
  hpk_test::expect_error([&] { v[3] = 1; }, {"index 3 is outside of its 0 elements"});
}

HPK_TYPED_TEST(Vector, tells_when_both_sides_have_changed) {
  typename TestFixture::type v(3, 1);
  v.on_device();
  hpk_test::expect_error([&] { v.modify_host(); },
                         {"hpk::vector", "both sides are modified", "vector.cpp"});
}

HPK_TYPED_TEST(Vector, is_a_dual_view) {
  typename TestFixture::type v(3, 1);
  hpk::DualView<int*, hpk::LayoutLeft, TypeParam>& dual = v;
  static_assert(std::is_base_of_v<hpk::DualView<int*, hpk::LayoutLeft>, hpk::vector<int>>);
  static_assert(std::is_same_v<typename TestFixture::type::t_host, decltype(v.h_view)>);
  EXPECT_TRUE(v.need_sync_device());
  v.sync_device();
  EXPECT_FALSE(dual.need_sync_device());
  const auto elements = v.d_view;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 3), HPK_LAMBDA(int i) { elements(i) += i; });
  dual.modify_device();
  EXPECT_TRUE(v.need_sync_host());
  // Edits keep changes by kernels.
  v.push_back(7);
  EXPECT_FALSE(v.need_sync_host());
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{1, 2, 3, 7}));
  v.template sync<TypeParam>();
  const auto all = hpk_test::on_host(v.view_device());
  EXPECT_EQ(all(2), 3);
  EXPECT_EQ(all(3), 7);
}

// Random edits, compared with std::vector.
TEST(VectorOnHost, is_a_std_vector) {
  std::mt19937 random(2);
  hpk::vector<std::string, hpk::Serial> v;
  std::vector<std::string> model;
  for (int step = 0; step < 80'000; ++step) {
    if (step % 8 == 0) {  // a new sequence
      v = {};
      model.clear();
    }
    const std::string value = std::to_string(step);
    const auto at = static_cast<std::ptrdiff_t>(random() % (model.size() + 1));
    switch (random() % 6) {
      case 0:
        v.push_back(value);
        model.push_back(value);
        break;
      case 1:
        if (!model.empty()) {
          v.pop_back();
          model.pop_back();
        }
        break;
      case 2:
        v.insert(v.begin() + at, value);
        model.insert(model.begin() + at, value);
        break;
      case 3:
        v.resize(model.size() / 2, value);
        model.resize(model.size() / 2, value);
        break;
      case 4:
        v.insert(v.begin() + at, 3, value);
        model.insert(model.begin() + at, 3, value);
        break;
      default:
        ASSERT_EQ(v.find(value) == v.end(), true);
    }
    ASSERT_EQ(v.size(), model.size());
    ASSERT_TRUE(std::equal(v.begin(), v.end(), model.begin()));
  }
}

}  // namespace
