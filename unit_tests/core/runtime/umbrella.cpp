// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <hpk/core.hpp> alone brings what programs expect of it, for host code and for kernels.
#include <hpk/core.hpp>
// Behind it, so that nothing else brings the names.
#include <support/spaces.hpp>

namespace runtime_umbrella_test {
namespace {

template <class Exec>
class Umbrella : public testing::Test {};
TYPED_TEST_SUITE(Umbrella, hpk_test::spaces, hpk_test::space_names);

// 0 where a kernel finds what it should.
template <class Exec>
int count_wrong() {
  const hpk::View<int*, Exec> counter("counter", 1);
  int wrong = -1;
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(0, 1),
      HPK_LAMBDA(int, int& u) {
        const hpk::Array<int, 3> numbers{1, 2, 3};
        u += numbers[2] != 3;
        const hpk::pair<int, double> two = hpk::make_pair(1, 0.5);
        u += two.first != 1 || two.second != 0.5;
        u += hpk::complex<double>(0, 1) * hpk::complex<double>(0, 1) != hpk::complex<double>(-1, 0);
        u += hpk::abs(hpk::complex<double>(3, 4)) != 5.0;
        const hpk::Experimental::half_t half(1.5f);
        u += static_cast<float>(half + half) != 3.0f;
        u += hpk::sqrt(4.0) != 2.0 || hpk::min(1, 2) != 1 || hpk::max(1, 2) != 2;
        u += hpk::clamp(7, 1, 5) != 5 || hpk::minmax(3, 2).first != 2;
        u += hpk::numbers::pi < 3.14 || hpk::Experimental::finite_max_v<float> < 1e38f;
        u += hpk::bit_ceil(5u) != 8u || hpk::popcount(7u) != 3;
        int a = 1;
        int b = 2;
        hpk::hpk_swap(a, b);
        u += a != 2;
        u += hpk::atomic_fetch_add(&counter(0), 2) != 0;
        u += hpk::erf(0.0) != 0.0;
      },
      wrong);
  return wrong;
}

HPK_TYPED_TEST(Umbrella, brings_the_names_to_kernels) { EXPECT_EQ(count_wrong<TypeParam>(), 0); }

HPK_TYPED_TEST(Umbrella, brings_the_names_to_host_code) {
  const hpk::MemoryPool<TypeParam> pool(typename TypeParam::memory_space(), 4096);
  EXPECT_EQ(pool.capacity(), 4096u);
  const hpk::Experimental::UniqueToken<TypeParam> tokens;
  EXPECT_GT(tokens.size(), 0);
  const hpk::Timer timer;
  EXPECT_GE(timer.seconds(), 0.0);
  const hpk::Crs<int, TypeParam, void, int> graph;
  EXPECT_EQ(graph.numRows(), 0);
  EXPECT_FALSE(hpk::type_name<TypeParam>().empty());
  static_assert(hpk::is_detected_v<hpk::complex, double>);
  std::string label = hpk::View<int*, TypeParam>("label", 1).label();
  EXPECT_EQ(label, "label");
  hpk::printf("%s", "");
}

}  // namespace
}  // namespace runtime_umbrella_test
