// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A typical application file with Views: ten types, each allocated, mirrored, cut and copied.
#include <hpk/core.hpp>

namespace {

using hpk::ALL;
using hpk::View;

// A View, its mirror, a part of it, and the copies between them.
template <class V, class... Slices>
void use(const V& view, const Slices&... slices) {
  const auto mirror = hpk::create_mirror_view(view);
  hpk::deep_copy(mirror, view);
  hpk::deep_copy(hpk::subview(view, slices...), typename V::value_type(1));
  hpk::deep_copy(view, mirror);
}

}  // namespace

void use_ten_views(int n) {
  use(View<double*>("a", n), std::pair(0, n));
  use(View<int*>("b", n), std::pair(0, n));
  use(View<float*, hpk::HostSpace>("c", n), std::pair(0, n));
  use(View<double**>("d", n, n), 0, ALL);
  use(View<double**, hpk::LayoutLeft>("e", n, n), 0, ALL);
  use(View<double* [3]>("f", n), ALL, 1);
  use(View<float***>("g", n, n, n), 0, ALL, ALL);
  use(View<double***, hpk::LayoutLeft>("h", n, n, n), ALL, 0, ALL);
  use(View<long****>("i", n, n, n, n), ALL, ALL, 0, 0);
  use(View<double**, hpk::LayoutStride>("j", hpk::LayoutStride(n, 1, n, n)), ALL, ALL);
}
