// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the first template argument of View determines: element, rank, run-time and fixed extents,
// and the data types with const added or removed.
#include <hpk/view/data_type.hpp>

#include <hpk/view.hpp>

#include <gtest/gtest.h>

#include <string>

namespace view_data_type_test {
namespace {

template <class DataType, class Element, std::size_t Rank, std::size_t RankDynamic>
constexpr bool reads_as() {
  using view = hpk::View<DataType>;
  return std::is_same_v<typename view::value_type, Element> && view::rank() == Rank &&
         view::rank_dynamic() == RankDynamic && view::rank == Rank &&
         view::rank_dynamic == RankDynamic;
}
static_assert(reads_as<double, double, 0, 0>());
static_assert(reads_as<double*, double, 1, 1>());
static_assert(reads_as<double[], double, 1, 1>());
static_assert(reads_as<double[7], double, 1, 0>());
static_assert(reads_as<const int** [3], const int, 3, 2>());
static_assert(reads_as<int* [2][3], int, 3, 1>());
static_assert(reads_as<int[][3], int, 2, 1>());
static_assert(reads_as<char********, char, 8, 8>());
static_assert(reads_as<char**** [1][2][3][4], char, 8, 4>());
static_assert(reads_as<char[1][2][3][4][5][6][7][8], char, 8, 0>());
static_assert(reads_as<std::string*, std::string, 1, 1>());

using mixed = hpk::View<int** [3][5]>;
static_assert(mixed::static_extent(0) == 0 && mixed::static_extent(1) == 0);
static_assert(mixed::static_extent(2) == 3 && mixed::static_extent(3) == 5);
static_assert(mixed::static_extent(4) == 1, "past the rank");

template <class DataType, class Const, class NonConst>
constexpr bool toggles_const() {
  using view = hpk::View<DataType>;
  return std::is_same_v<typename view::data_type, DataType> &&
         std::is_same_v<typename view::const_data_type, Const> &&
         std::is_same_v<typename view::non_const_data_type, NonConst>;
}
static_assert(toggles_const<int, const int, int>());
static_assert(toggles_const<int**, const int**, int**>());
static_assert(toggles_const<const int* [3], const int* [3], int* [3]>());
static_assert(toggles_const<int[2][3], const int[2][3], int[2][3]>());

using const_view = hpk::View<const double*, hpk::LayoutLeft, hpk::HostSpace>;
static_assert(std::is_same_v<const_view::value_type, const double>);
static_assert(std::is_same_v<const_view::const_value_type, const double>);
static_assert(std::is_same_v<const_view::non_const_value_type, double>);
static_assert(std::is_same_v<const_view::reference_type, const double&>);
static_assert(std::is_same_v<const_view::pointer_type, const double*>);

// Only const changes: layout, space and memory traits stay.
using hinted = hpk::MemoryTraits<hpk::RandomAccess>;
using hinted_view = hpk::View<int*, hinted>;
static_assert(std::is_same_v<hinted_view::const_type::memory_traits, hinted>);
static_assert(std::is_same_v<hinted_view::non_const_type::memory_traits, hinted>);
static_assert(std::is_same_v<hpk::View<const int*, hinted>::non_const_type::memory_traits, hinted>);
static_assert(std::is_same_v<hinted_view::const_type::value_type, const int>);

TEST(DataType, const_and_non_const_types_are_each_others) {
  using view = hpk::View<int**, hpk::LayoutLeft, hpk::HostSpace>;
  using back = view::const_type::non_const_type;
  static_assert(std::is_same_v<back::value_type, int>);
  static_assert(std::is_same_v<back::array_layout, hpk::LayoutLeft>);
  const view filled("filled", 2, 3);
  filled(1, 2) = 6;
  const view::const_type reading = filled;
  EXPECT_EQ(reading(1, 2), 6);
  EXPECT_EQ(reading.data(), filled.data());
}

}  // namespace
}  // namespace view_data_type_test
