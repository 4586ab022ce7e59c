// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop nests in kernels, whose inner loops the compiler must vectorise. Each is marked, and
// check.py compares the marks with the compiler's report. In kernels of rank 1 the loop is in the
// library (walk.hpp), one per kernel. Kernels that copy Views and make subviews must not count
// owners.
#include <hpk/core.hpp>

#include <utility>

namespace codegen {

using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;

template <class Data, class Layout = LayoutRight>
using view = hpk::View<Data, Layout, hpk::HostSpace>;

template <class Space, class Kernel>
void run(index_t n, const Kernel& kernel) {
  hpk::parallel_for(hpk::RangePolicy<Space>(index_t{0}, n), kernel);
}
template <class V>
index_t extent(const V& v, std::size_t r) {
  return static_cast<index_t>(v.extent(r));
}

template <class Space>
void rank1(const view<double*>& a, const view<const double*>& b, double s) {
  run<Space>(extent(a, 0), [=](index_t i) { a(i) = s * b(i); });
}
template <class Space>
void rank1_int(const view<double*>& a, const view<const double*>& b, double s) {
  hpk::parallel_for(hpk::RangePolicy<Space>(0, static_cast<int>(a.extent(0))),
                    [=](int i) { a(i) = s * b(i); });
}
template <class Space>
void rank1_fixed(const view<double[4096]>& a, const view<const double[4096]>& b, double s) {
  run<Space>(4096, [=](index_t i) { a(i) = s * b(i); });
}

template <class Space>
void rank2(const view<double**>& a, const view<const double**>& b, double s) {
  run<Space>(extent(a, 0), [=](index_t i) {
    for (index_t j = 0; j < extent(a, 1); ++j) a(i, j) = s * b(i, j);  // vectorised
  });
}
template <class Space>
void rank2_left(const view<double**, LayoutLeft>& a, const view<const double**, LayoutLeft>& b,
                double s) {
  run<Space>(extent(a, 1), [=](index_t j) {
    for (index_t i = 0; i < extent(a, 0); ++i) a(i, j) = s * b(i, j);  // vectorised
  });
}
template <class Space>
void rank2_fixed(const view<double[64][64]>& a, const view<const double[64][64]>& b, double s) {
  run<Space>(64, [=](index_t i) {
    for (index_t j = 0; j < 64; ++j) a(i, j) = s * b(i, j);  // vectorised
  });
}
template <class Space>
void rank2_left_fixed(const view<double[64][64], LayoutLeft>& a,
                      const view<const double[64][64], LayoutLeft>& b, double s) {
  run<Space>(64, [=](index_t j) {
    for (index_t i = 0; i < 64; ++i) a(i, j) = s * b(i, j);  // vectorised
  });
}

template <class Space>
void rank3(const view<double***>& a, const view<const double***>& b, double s) {
  run<Space>(extent(a, 0), [=](index_t i) {
    for (index_t j = 0; j < extent(a, 1); ++j)
      for (index_t k = 0; k < extent(a, 2); ++k) a(i, j, k) = s * b(i, j, k);  // vectorised
  });
}
template <class Space>
void rank3_left(const view<double***, LayoutLeft>& a, const view<const double***, LayoutLeft>& b,
                double s) {
  run<Space>(extent(a, 2), [=](index_t k) {
    for (index_t j = 0; j < extent(a, 1); ++j)
      for (index_t i = 0; i < extent(a, 0); ++i) a(i, j, k) = s * b(i, j, k);  // vectorised
  });
}
template <class Space>
void rank3_fixed(const view<double[16][16][64]>& a, const view<const double[16][16][64]>& b,
                 double s) {
  run<Space>(16, [=](index_t i) {
    for (index_t j = 0; j < 16; ++j)
      for (index_t k = 0; k < 64; ++k) a(i, j, k) = s * b(i, j, k);  // vectorised
  });
}

template <class Space>
void rank4(const view<double****>& a, const view<const double****>& b, double s) {
  run<Space>(extent(a, 0), [=](index_t i) {
    for (index_t j = 0; j < extent(a, 1); ++j)
      for (index_t k = 0; k < extent(a, 2); ++k)
        for (index_t l = 0; l < extent(a, 3); ++l) a(i, j, k, l) = s * b(i, j, k, l);  // vectorised
  });
}
template <class Space>
void rank4_left(const view<double****, LayoutLeft>& a, const view<const double****, LayoutLeft>& b,
                double s) {
  run<Space>(extent(a, 3), [=](index_t l) {
    for (index_t k = 0; k < extent(a, 2); ++k)
      for (index_t j = 0; j < extent(a, 1); ++j)
        for (index_t i = 0; i < extent(a, 0); ++i) a(i, j, k, l) = s * b(i, j, k, l);  // vectorised
  });
}

// Subviews of rows made in the kernel.
template <class Space>
void rows(const view<double**>& a, const view<const double**>& b, double s) {
  run<Space>(extent(a, 0), [=](index_t i) {
    const auto to = hpk::subview(a, i, hpk::ALL);
    const auto from = hpk::subview(b, i, hpk::ALL);
    for (index_t j = 0; j < extent(to, 0); ++j) to(j) = s * from(j);  // vectorised
  });
}

// Views with the Restrict trait: the loop has no second form for overlapping memory.
template <class Data>
using alone = hpk::View<Data, LayoutRight, hpk::HostSpace, hpk::MemoryTraits<hpk::Restrict>>;
template <class Space>
void rank2_restrict(const alone<double**>& a, const alone<const double**>& b, double s) {
  run<Space>(extent(a, 0), [=](index_t i) {
    for (index_t j = 0; j < extent(a, 1); ++j) a(i, j) = s * b(i, j);  // vectorised, not versioned
  });
}

// Copies of Views, and subviews of subviews. The kernels are small: one that the compiler calls
// instead of inlining it into its loop tests whether it runs in a kernel.
template <class Space>
void copies(const view<double**>& a, const view<double*>& b) {
  const hpk::RangePolicy<Space> policy(0, static_cast<int>(a.extent(0)));
  hpk::parallel_for(policy, [=](int i) {
    const view<double*> mine = b;
    const auto rows = hpk::subview(a, std::pair(0, i + 1), hpk::ALL);
    const auto row = hpk::subview(rows, i, hpk::ALL);
    mine(i) = row(0) + row(1);
  });
  double total = 0;
  hpk::parallel_reduce(
      policy, [=](int i, double& sum) { sum += hpk::subview(a, i, hpk::ALL)(0); }, total);
  hpk::parallel_scan(policy, [=](int i, double& sum, bool last) {
    sum += hpk::subview(a, i, hpk::ALL)(0);
    if (last) b(i) = sum;
  });
}

// Non-temporal stores, which bypass the caches.
template <class Space>
void streams(const view<const double*>& a, const view<double*>& b) {
  const hpk::View<double*, hpk::HostSpace, hpk::MemoryTraits<hpk::Streaming>> stored = b;
  hpk::parallel_for(hpk::RangePolicy<Space>(0, a.extent_int(0)),
                    [=](int i) { stored(i) = 2 * a(i); });
}

template <class Space>
void all() {
  const view<double*> one("one", 4096);
  const view<double[4096]> one_fixed("one fixed");
  const view<double**> two("two", 64, 64);
  const view<double**, LayoutLeft> two_left("two left", 64, 64);
  const view<double[64][64]> two_fixed("two fixed");
  const view<double[64][64], LayoutLeft> two_left_fixed("two left fixed");
  const view<double***> three("three", 16, 16, 16);
  const view<double***, LayoutLeft> three_left("three left", 16, 16, 16);
  const view<double[16][16][64]> three_fixed("three fixed");
  const view<double****> four("four", 8, 8, 8, 8);
  const view<double****, LayoutLeft> four_left("four left", 8, 8, 8, 8);
  rank1<Space>(one, one, 2);
  rank1_int<Space>(one, one, 2);
  rank1_fixed<Space>(one_fixed, one_fixed, 2);
  rank2<Space>(two, two, 2);
  rank2_left<Space>(two_left, two_left, 2);
  rank2_fixed<Space>(two_fixed, two_fixed, 2);
  rank2_left_fixed<Space>(two_left_fixed, two_left_fixed, 2);
  rank3<Space>(three, three, 2);
  rank3_left<Space>(three_left, three_left, 2);
  rank3_fixed<Space>(three_fixed, three_fixed, 2);
  rank4<Space>(four, four, 2);
  rank4_left<Space>(four_left, four_left, 2);
  rows<Space>(two, two, 2);
  rank2_restrict<Space>(two, two, 2);
  copies<Space>(two, one);
  streams<Space>(one, one);
}

template void all<SPACE>();

}  // namespace codegen
