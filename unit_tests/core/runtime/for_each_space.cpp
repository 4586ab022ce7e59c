// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for_each_space visits every enabled space once, in registration order, and the spaces can run
// kernels.
#include <hpk/core.hpp>

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

TEST(for_each_space, visits_every_enabled_space_once) {
  std::vector<std::string> names;
  hpk::for_each_space([&](auto space) {
    static_assert(hpk::is_execution_space_v<decltype(space)>);
    names.push_back(space.name());
  });
  std::vector<std::string> enabled;
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{},
                             [&](auto space) { enabled.push_back(decltype(space)::type::name()); });
  EXPECT_EQ(names, enabled);
}

struct add_index {
  HPK_FUNCTION void operator()(int i, long& part) const { part += i; }
};

TEST(for_each_space, gives_default_instances_that_run_kernels) {
  int spaces = 0;
  hpk::for_each_space([&]<class Space>(const Space& space) {
    EXPECT_TRUE(space == Space());
    long sum = 0;
    hpk::parallel_reduce(hpk::RangePolicy(space, 0, 1000), add_index(), sum);
    EXPECT_EQ(sum, 499500);
    ++spaces;
  });
  EXPECT_GT(spaces, 0);
}

TEST(for_each_space, ends_at_an_exception) {
  int visited = 0;
  EXPECT_THROW(hpk::for_each_space([&](auto) {
                 ++visited;
                 throw std::runtime_error("enough");
               }),
               std::runtime_error);
  EXPECT_EQ(visited, 1);
}

}  // namespace
