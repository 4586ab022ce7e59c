// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that hpk/core.hpp provides, used in host code and in kernels of every space. The tests
// of each header test the behaviour.
#include <hpk/core.hpp>

namespace core_test {

using hpk::Experimental::half_t;

template <class T>
using value_type_of = typename T::value_type;

// The types are complete with this include alone.
static_assert(sizeof(hpk::complex<double>) == 2 * sizeof(double));
static_assert(sizeof(hpk::pair<int, int>) == 2 * sizeof(int));
static_assert(sizeof(hpk::Array<int, 3>) == 3 * sizeof(int));
static_assert(sizeof(half_t) == 2 && sizeof(hpk::Experimental::bhalf_t) == 2);
static_assert(sizeof(hpk::Timer) != 0 && sizeof(hpk::Crs<int, hpk::DefaultExecutionSpace>) != 0);
static_assert(sizeof(hpk::MemoryPool<hpk::DefaultExecutionSpace>) != 0);
static_assert(sizeof(hpk::WorkGraphPolicy<hpk::DefaultExecutionSpace>) != 0);
static_assert(sizeof(hpk::Experimental::UniqueToken<>) != 0);
static_assert(hpk::is_detected_v<value_type_of, hpk::View<int*>>);
static_assert(!hpk::is_detected_v<value_type_of, int>);
static_assert(hpk::Experimental::finite_max_v<int> == 2147483647);
static_assert(hpk::numbers::pi > 3.14 && hpk::numbers::pi < 3.15);
static_assert(hpk::type_name<double>() == "double");

/// Uses the names. Returns the number of checks that pass.
HPK_INLINE_FUNCTION int count_right(int i) {
  int right = 0;
  const hpk::pair<int, double> both = hpk::make_pair(i, 0.5);
  right += both.first == i && both.second == 0.5;
  const hpk::Array<int, 3> three{i, i + 1, i + 2};
  right += three.size() == 3 && three[2] == i + 2;
  const hpk::complex<double> turned = hpk::complex<double>(0, 1) * hpk::complex<double>(i, 2);
  right += turned.real() == -2 && turned.imag() == i;
  right += hpk::abs(hpk::complex<double>(3, 4)) == 5;
  right += static_cast<float>(half_t(1.5f) + half_t(0.5f)) == 2;
  right += hpk::sqrt(16.0) == 4 && hpk::sqrt(16.0f) == 4 && hpk::fmax(i, i + 1.0) == i + 1.0;
  right += !hpk::isnan(1.0) && hpk::isfinite(hpk::exp(1.0)) && hpk::signbit(-1.0);
  right += hpk::popcount(7u) == 3 && hpk::bit_ceil(5u) == 8 && hpk::countr_zero(8u) == 3;
  right += hpk::min(i, i + 1) == i && hpk::max(i, i + 1) == i + 1 && hpk::clamp(i, -1, -1) == -1;
  const hpk::pair<int, int> ends = hpk::minmax({i + 2, i, i + 1});
  right += ends.first == i && ends.second == i + 2;
  int a = i;
  int b = -1;
  hpk::hpk_swap(a, b);
  right += a == -1 && b == i;
  const hpk::complex<double> erf = hpk::Experimental::erf(hpk::complex<double>(0, 0));
  right += erf.real() == 0 && hpk::Experimental::expint1(1.0) > 0.21;
  right += hpk::Experimental::epsilon_v<double> > 0 && hpk::numbers::sqrt2 > 1.41;
  HPK_ASSERT(right >= 0);
  if (right < 0) hpk::abort("never");
  if (right < 0) hpk::printf("%d\n", right);
  return right;
}
constexpr int groups = 13;

/// Whether an hpk::error can be caught.
inline bool catches(void (*fail)()) {
  try {
    fail();
  } catch (const hpk::error& caught) {
    return caught.what()[0] != 0;
  }
  return false;
}

}  // namespace core_test

// Headers that programs include, for code that uses both namespaces.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <string>

namespace core_test {

/// Code that uses both namespaces: names that the argument types select, and names of the C
/// library.
inline double behind_both(double x) {
  using namespace hpk;
  using namespace std;
  char text[32];
  snprintf(text, sizeof text, "%.1f", x);
  const double first = sqrt(x) + pow(x, 2.0) + fabs(-x);
  const string known = "9.0";
  const View<double*, HostSpace> three("three", 3);
  return first + (known == text ? 1 : 0) + static_cast<double>(three.extent(0));
}
/// Code that uses namespace hpk only: unqualified names are those of hpk, unless the C library has
/// the name.
inline int behind_hpk(int i) {
  using namespace hpk;
  const pair<int, int> ends = minmax({i, 2 * i});
  printf("%s", "");
  return min(ends.first, ends.second) + max(i, 1) + static_cast<int>(sqrt(16.0));
}

}  // namespace core_test

#include <support/spaces.hpp>

namespace core_test {

template <class Exec>
class Core : public testing::Test {};
TYPED_TEST_SUITE(Core, hpk_test::spaces, hpk_test::space_names);

TEST(CoreOnHost, brings_its_names) {
  EXPECT_EQ(count_right(3), groups);
  EXPECT_TRUE(catches([] { hpk::detail::raise("no"); }));
}

TEST(CoreOnHost, goes_with_the_standard_library) {
  EXPECT_EQ(behind_both(9.0), 3.0 + 81.0 + 9.0 + 1.0 + 3.0);
  EXPECT_EQ(behind_hpk(2), 2 + 2 + 4);
  const std::complex<double> there = hpk::complex<double>(1, 2);
  EXPECT_EQ(hpk::complex<double>(there), hpk::complex<double>(1, 2));
}

HPK_TYPED_TEST(Core, brings_names_for_kernels) {
  int right = 0;
  hpk::parallel_reduce(
      "names", hpk::RangePolicy<TypeParam>(0, 50),
      HPK_LAMBDA(int i, int& update) { update += count_right(i); }, right);
  EXPECT_EQ(right, 50 * groups);
}

HPK_TYPED_TEST(Core, brings_pools_tokens_and_graphs) {
  const hpk::MemoryPool<TypeParam> pool("pool", typename TypeParam::memory_space(), 1 << 20, 64, 64,
                                        1 << 16);
  const hpk::Experimental::UniqueToken<TypeParam> token;
  int right = 0;
  hpk::parallel_reduce(
      "tools", hpk::RangePolicy<TypeParam>(0, 50),
      HPK_LAMBDA(int, int& update) {
        void* const block = pool.allocate(64);
        const int id = token.acquire();
        update += block != nullptr && id >= 0 && id < token.size();
        token.release(id);
        pool.deallocate(block);
      },
      right);
  EXPECT_EQ(right, 50);

  hpk::Crs<int, TypeParam, void, int> graph;
  graph.row_map = hpk::View<int*, TypeParam>("row_map", 11);
  graph.entries = hpk::View<int*, TypeParam>("entries", 0);
  const hpk::View<int, TypeParam> calls("calls");
  hpk::parallel_for(
      "items", hpk::WorkGraphPolicy<TypeParam, int>(graph),
      HPK_LAMBDA(int) { hpk::atomic_inc(&calls()); });
  EXPECT_EQ(hpk_test::on_host(calls)(), 10);
}

}  // namespace core_test
