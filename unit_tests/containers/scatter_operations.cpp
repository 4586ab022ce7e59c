// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of ScatterView, and a user-defined one.
#include <hpk/containers/scatter_operations.hpp>

#include "scatter.hpp"

#include <vector>

namespace {

using namespace scatter_test;
using hpk::ScatterAtomic;
using hpk::ScatterMax;
using hpk::ScatterMin;
using hpk::ScatterNonDuplicated;
using hpk::ScatterProd;
using hpk::ScatterSum;

template <class Exec>
class ScatterOps : public testing::Test {};
TYPED_TEST_SUITE(ScatterOps, hpk_test::spaces, hpk_test::space_names);

// A user-defined operation: the union of sets of 32.
struct set_union {
  template <class T>
  HPK_FUNCTION void init(T& value) const {
    value = T{0};
  }
  template <class T>
  HPK_FUNCTION void join(T& to, const T& value) const {
    to = static_cast<T>(to | value);
  }
};

static_assert(hpk::ScatterOperation<set_union, int>);

template <class Exec, class Scatter, class V>
void update_all(const Exec& exec, const Scatter& scatter, const V& given) {
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, static_cast<int>(given.extent(0))), HPK_LAMBDA(int i) {
        const auto access = scatter.access();
        if (i % 2 == 0) {
          access(0).update(given(i));
        } else {
          access[0].join(given(i));
        }
      });
}

template <class Op, class T, class Exec>
void expect_operation(const Exec& exec, const std::vector<T>& values, T first, T wanted) {
  const hpk::View<T*, Exec> given("given", values.size());
  const auto mirror = hpk::create_mirror_view(given);
  for (std::size_t k = 0; k < values.size(); ++k) mirror(k) = values[k];
  hpk::deep_copy(given, mirror);
  const auto check = [&](const auto& make) {
    const hpk::View<T[1], Exec> view("view");
    hpk::deep_copy(view, first);
    const auto scatter = make(view);
    update_all(exec, scatter, given);
    hpk::contribute(view, scatter);
    EXPECT_EQ(hpk_test::on_host(view)(0), wanted);
  };
  check([](const auto& view) { return hpk::create_scatter_view(Op(), view); });
  check([](const auto& view) {
    return hpk::create_scatter_view(Op(), ScatterNonDuplicated(), ScatterAtomic(), view);
  });
}

HPK_TYPED_TEST(ScatterOps, has_four_operations_and_those_of_programs) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    expect_operation<ScatterSum, int>(exec, {1, 2, 3, 4, 5, -6}, 10, 19);
    expect_operation<ScatterProd, double>(exec, {2, 0.5, 4, 3, -1}, 2, -24);
    expect_operation<ScatterMin, int>(exec, {3, -2, 9, 5}, 4, -2);
    expect_operation<ScatterMax, long>(exec, {3, -2, 9, 5}, 4, 9);
    expect_operation<set_union, unsigned>(exec, {1, 2, 8, 2, 1}, 16, 27);
  }
}

}  // namespace
