// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private copies: many threads, the same bits, and a warning when contributions would be lost.
#include <hpk/containers/detail/scatter_copies.hpp>

#include "scatter.hpp"

#include <thread>
#include <vector>

namespace {

using namespace scatter_test;

template <class Exec>
class ScatterOnHost : public testing::Test {};
TYPED_TEST_SUITE(ScatterOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScatterOnHost, takes_contributions_of_many_threads) {
  constexpr int n = 3000;
  const hpk::View<int*, TypeParam> view("view", 11);
  const auto scatter = hpk::create_scatter_view(view);
  const TypeParam exec;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&] {
        add_all(exec, scatter, n, 11);
        for (int k = 0; k < 100; ++k) scatter.access()(k % 11) += 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  hpk::contribute(view, scatter);
  expect_sums(view, added(n, 11), 32, 0);
}

// As many copies as workers, so that the workers' shares are joined in order.
HPK_TYPED_TEST(ScatterOnHost, has_the_same_bits_with_the_same_workers) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::vector<double> first;
    for (int round = 0; round < 5; ++round) {
      const hpk::View<double*, TypeParam> view("view", 5);
      auto scatter = hpk::create_scatter_view(view);
      scatter = decltype(scatter)(exec, view);
      hpk::parallel_for(
          hpk::Experimental::require(hpk::RangePolicy<TypeParam>(exec, 0, 9000),
                                     hpk::Experimental::WorkItemProperty::HintHeavyWeight),
          HPK_LAMBDA(int i) { scatter.access()(i % 5) += 1.0 / (1 + i); });
      hpk::contribute(view, scatter);
      std::vector<double> sums(view.data(), view.data() + 5);
      if (round == 0) first = sums;
      EXPECT_EQ(sums, first);
    }
  }
}

template <class Scatter>
struct add_to_bins {
  Scatter scatter;
  HPK_FUNCTION void operator()(int i) const { scatter.access()(i % 10) += 1; }
};

// Returns the text that a ScatterView prints to stderr when it is destroyed after `use`.
template <class Exec, class Use>
std::string warning_after(const Use& use) {
  const hpk::View<int*, Exec> view("bins", 10);
  testing::internal::CaptureStderr();
  {
    auto scatter = hpk::create_scatter_view(view);
    hpk::parallel_for(hpk::RangePolicy<Exec>(0, 100), add_to_bins{scatter});
    use(view, scatter);
    hpk::fence();  // otherwise the last copy may be in a kernel, where it cannot check
  }
  return testing::internal::GetCapturedStderr();
}

template <class Exec>
class ScatterLoss : public testing::Test {};
TYPED_TEST_SUITE(ScatterLoss, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScatterLoss, causes_a_warning_on_every_space) {
  if (HPK_CHECKS == 0 && !hpk_test::is_emulated<TypeParam>)
    GTEST_SKIP() << "only in builds that check, and on Emu";
  const auto nothing = [](const auto&, const auto&) {};
  EXPECT_TRUE(hpk_test::contains(warning_after<TypeParam>(nothing),
                                 "ScatterView \"bins\" is destroyed with contributions that were "
                                 "never contributed; call contribute(view, scatter_view)"));
  const auto again = [](const auto& view, const auto& scatter) {
    hpk::contribute(view, scatter);
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1), add_to_bins{scatter});
  };
  EXPECT_TRUE(hpk_test::contains(warning_after<TypeParam>(again), "ScatterView \"bins\""));
}

HPK_TYPED_TEST(ScatterLoss, causes_no_warning_if_there_is_none) {
  const auto contributes = [](const auto& view, const auto& scatter) {
    hpk::contribute(view, scatter);
  };
  EXPECT_EQ(warning_after<TypeParam>(contributes), "");
  EXPECT_EQ(warning_after<TypeParam>([](const auto&, auto& scatter) { scatter.reset(); }), "");
  EXPECT_EQ(warning_after<TypeParam>([](const auto& view, auto& scatter) {
              scatter.resize(12);
              const hpk::View<int*, TypeParam> larger("larger", 12);
              hpk::contribute(larger, scatter);
              static_cast<void>(view);
            }),
            "");
  testing::internal::CaptureStderr();
  {
    const hpk::View<int*, TypeParam> view("bins", 10);
    const auto scatter =
        hpk::create_scatter_view(hpk::ScatterSum(), hpk::ScatterNonDuplicated(), view);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) { scatter.access()(i) += 1; });
    const auto unused = hpk::create_scatter_view(view);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ScatterWarning, tells_of_contributions_that_are_lost) {
  if (HPK_CHECKS == 0) GTEST_SKIP() << "only in builds that check";
  const hpk::View<int*, hpk::HostSpace> view("bins", 10);
  testing::internal::CaptureStderr();
  {
    const auto scatter = hpk::create_scatter_view(view);
    scatter.access()(1) += 1;
  }
  EXPECT_TRUE(hpk_test::contains(testing::internal::GetCapturedStderr(),
                                 "ScatterView \"bins\" is destroyed with contributions"));
  testing::internal::CaptureStderr();
  {
    const auto scatter = hpk::create_scatter_view(view);
    scatter.access()(1) += 1;
    hpk::contribute(view, scatter);
    const auto unused = hpk::create_scatter_view(view);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
