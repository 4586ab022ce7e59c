// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a program are found for containers, with any name.
#include <hpk/containers.hpp>

#include <support/own_functions.hpp>
#include <support/spaces.hpp>

namespace own_functions_test {
namespace {

using dual = hpk::DualView<double*>;
using scatter = hpk::ScatterView<double*>;
using dyn_rank = hpk::DynRankView<double>;
using offset = hpk::OffsetView<double*>;
#define HPK_TEST_TYPE(...) std::remove_cvref_t<decltype(__VA_ARGS__)>

static_assert(hpk_test::finds_own_functions<
              hpk::Bitset<>, hpk::ConstBitset<>, dual, hpk::DualView<const int**>, dual::t_dev,
              dual::t_host, hpk::DualViewAccess<dual::t_dev>, scatter,
              HPK_TEST_TYPE(std::declval<scatter&>().access()),
              HPK_TEST_TYPE(std::declval<scatter&>().access()(0)), dyn_rank,
              HPK_TEST_TYPE(hpk::subview(std::declval<dyn_rank>(), 0)), hpk::DynamicView<double*>,
              offset, HPK_TEST_TYPE(hpk::subview(std::declval<offset>(), std::pair(0, 1))),
              hpk::UnorderedMap<int, double>, hpk::UnorderedMap<int, void>,
              hpk::UnorderedMapInsertResult, hpk::ErrorReporter<int>, hpk::vector<int>,
              hpk::JaggedView<double>, hpk::AppendBuffer<program::particle>, hpk::WorkQueue<int>,
              hpk::StaticCrsGraph<int, hpk::DefaultExecutionSpace>>);
static_assert(hpk_test::finds_own_range_functions<dual, dyn_rank, offset, hpk::Bitset<>>);
static_assert(hpk_test::finds_own_number_functions<dual, dyn_rank, offset, hpk::Bitset<>>);

TEST(OwnFunctionsOfContainers, are_called_with_objects_of_hpk) {
  EXPECT_EQ(program_user::call_all(hpk::Bitset<>(8)), program_user::number_of_calls);
  EXPECT_EQ(program_user::call_all(dual("d", 1)), program_user::number_of_calls);
}

}  // namespace
}  // namespace own_functions_test

#undef HPK_TEST_TYPE
