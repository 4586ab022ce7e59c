// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a program are found for arguments such as iterators of Views and generators, also
// when algorithms have the same names.
#include <hpk/algorithms.hpp>

#include <support/own_functions.hpp>
#include <support/spaces.hpp>

namespace own_functions_test {
namespace {

using exec = hpk::DefaultExecutionSpace;
using view = hpk::View<int*>;
using row = hpk::View<int*, hpk::LayoutStride>;
using atomic = hpk::View<int*, hpk::MemoryTraits<hpk::Atomic>>;
template <class V>
using iterator = decltype(hpk::Experimental::begin(std::declval<const V&>()));

static_assert(
    hpk_test::finds_own_functions<
        iterator<view>, iterator<row>, iterator<atomic>, view,
        hpk::View<hpk::Experimental::half_t*>, hpk::Experimental::half_t,
        hpk::RangePolicy<hpk::Experimental::DesiredOccupancy>, hpk::Experimental::UniqueToken<exec>,
        hpk::Random_XorShift64<exec>, hpk::Random_XorShift1024<exec>, hpk::Random_SFC64<exec>,
        hpk::Random_XorShift64_Pool<exec>, hpk::CounterRandom<>, hpk::NormalDistribution,
        hpk::BinOp1D<view>, hpk::BinSort<view, hpk::BinOp1D<view>>>);
static_assert(hpk_test::finds_own_range_functions<iterator<view>, view>);
static_assert(hpk_test::finds_own_view_functions<iterator<view>, hpk::Random_XorShift64<exec>>);
static_assert(hpk_test::finds_own_number_functions<
              iterator<view>, view, hpk::View<hpk::Experimental::half_t*>,
              hpk::RangePolicy<hpk::Experimental::DesiredOccupancy>>);

TEST(OwnFunctionsOfAlgorithms, are_called_with_objects_of_hpk) {
  const hpk::View<int*, hpk::HostSpace> v("v", 1);
  EXPECT_EQ(program_user::call_all(hpk::Experimental::begin(v)), program_user::number_of_calls);
  EXPECT_EQ(program_user::call_all(hpk::Experimental::half_t(1)), program_user::number_of_calls);
}

}  // namespace
}  // namespace own_functions_test
