// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random sequences of all functions of DynamicView, compared with a std::vector.
#include <hpk/containers/dynamic_view.hpp>

#include <support/elements.hpp>

#include <random>
#include <vector>

namespace dynamic_view_test {
namespace {

using hpk::DynamicView;
using hpk::HostSpace;

template <class Exec, class Away>
void run_sequences(int sequences, int steps, unsigned most) {
  std::mt19937 random(5);
  for (int sequence = 0; sequence < sequences; ++sequence) {
    SCOPED_TRACE(sequence);
    const std::size_t chunk = random() % 9;
    const DynamicView<int*, Exec> view("view", chunk, most);
    auto other = view;
    std::vector<int> expected;
    for (int step = 0; step < steps; ++step) {
      switch (random() % 5) {
        case 0:
        case 1: {
          const std::size_t size = random() % (most + 1);
          other.resize_serial(size);
          expected.resize(size);
          break;
        }
        case 2: {
          const int value = static_cast<int>(random() % 100);
          deep_copy(view, value);
          expected.assign(expected.size(), value);
          break;
        }
        case 3: {
          const DynamicView<int*, Away> away("away", random() % 5, most);
          away.resize_serial(expected.size());
          deep_copy(away, view);
          deep_copy(view, -1);
          deep_copy(view, away);
          break;
        }
        default: {
          const auto host = hpk::create_mirror_view_and_copy(HostSpace(), view);
          for (int k = 0; k < 5 && !expected.empty(); ++k) {
            const std::size_t i = random() % expected.size();
            host(i) = expected[i] = static_cast<int>(random() % 1000);
          }
          if (!expected.empty()) deep_copy(view, host);
          break;
        }
      }
      ASSERT_EQ(view.size(), expected.size());
      const auto host = hpk::create_mirror_view_and_copy(HostSpace(), view);
      for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(host(i), expected[i]) << step;
    }
  }
}

TEST(DynamicViewHost, random_sequences) { run_sequences<hpk::Serial, hpk::Serial>(10000, 6, 40); }

TEST(DynamicViewHost, elements_that_are_views_give_up_what_they_refer_to) {
  using inner = hpk::View<int*, HostSpace>;
  const inner shared("inner", 2);
  DynamicView<inner*, HostSpace> lists("lists", 8, 100);
  lists.resize_serial(5);
  lists(4) = shared;
  lists.resize_serial(3);
  EXPECT_EQ(shared.use_count(), 1);
  lists.resize_serial(5);
  EXPECT_FALSE(lists(4).is_allocated());
}

template <class Exec>
class DynamicView_ : public testing::Test {};
TYPED_TEST_SUITE(DynamicView_, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DynamicView_, random_sequences_through_its_memory) {
  run_sequences<TypeParam, HostSpace>(60, 8, 300);
  run_sequences<HostSpace, TypeParam>(60, 8, 300);
}

// Particles that leave a rank are removed, arriving particles are appended.
HPK_TYPED_TEST(DynamicView_, grows_between_kernels) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const DynamicView<double*, TypeParam> particles("particles", 64, 10000);
    for (int round = 1; round <= 20; ++round) {
      const int before = static_cast<int>(particles.size());
      particles.resize_serial(static_cast<std::size_t>(before + 100 * round % 700));
      hpk::parallel_for(
          hpk::RangePolicy<TypeParam>(exec, before, static_cast<int>(particles.size())),
          HPK_LAMBDA(int i) { particles(i) += i; });
      exec.fence();
    }
    double sum = 0;
    const int n = static_cast<int>(particles.size());
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam>(exec, 0, n),
        HPK_LAMBDA(int i, double& s) { s += particles(i); }, sum);
    EXPECT_EQ(sum, 0.5 * n * (n - 1));
  }
}

}  // namespace
}  // namespace dynamic_view_test
