// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of hpk over ranges and MDRanges, whose machine code machine_code.py compares with
// by_hand.cu. Their functors have the names of the kernels there. The kernels are not run.
#include <hpk/core.hpp>

namespace with_hpk {

using space = hpk::Cuda;
using hpk::index_t;
using vector = hpk::View<double*, space>;
using indices = hpk::View<int*, space>;
using range = hpk::RangePolicy<space>;
using matrix = hpk::View<double**, space>;
using matrix_right = hpk::View<double**, hpk::LayoutRight, space>;

struct axpy {
  vector x, y;
  double a;
  HPK_FUNCTION void operator()(index_t i) const { y(i) += a * x(i); }
};

struct triad {
  vector a, b, c;
  double s;
  HPK_FUNCTION void operator()(index_t i) const { a(i) = b(i) + s * c(i); }
};

struct gather {
  vector out, in;
  indices from;
  HPK_FUNCTION void operator()(index_t i) const { out(i) = in(from(i)); }
};

struct histogram {
  vector counts;
  indices in;
  HPK_FUNCTION void operator()(index_t i) const { hpk::atomic_add(&counts(in(i)), 1.0); }
};

template <class View>
struct four_neighbours {
  View out, in;
  HPK_FUNCTION void operator()(int i, int j) const {
    out(i, j) = 0.25 * (in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1));
  }
};
struct stencil_2d_left : four_neighbours<matrix> {};
struct stencil_2d_right : four_neighbours<matrix_right> {};

template <class View>
struct six_neighbours {
  View out, in;
  HPK_FUNCTION void operator()(int i, int j, int k) const {
    out(i, j, k) = in(i, j, k) * -6.0 + in(i - 1, j, k) + in(i + 1, j, k) + in(i, j - 1, k) +
                   in(i, j + 1, k) + in(i, j, k - 1) + in(i, j, k + 1);
  }
};
struct stencil_3d_left : six_neighbours<hpk::View<double***, space>> {};
struct stencil_3d_right : six_neighbours<hpk::View<double***, hpk::LayoutRight, space>> {};

void loops(const vector& x, const vector& y, const vector& z, const indices& at) {
  const range all(0, static_cast<index_t>(x.size()));
  hpk::parallel_for(all, axpy{x, y, 2.0});
  hpk::parallel_for(all, triad{x, y, z, 2.0});
  hpk::parallel_for(all, gather{x, y, at});
  hpk::parallel_for(all, histogram{x, at});
}

template <class Stencil, class View>
void stencil_2d(const View& out, const View& in) {
  hpk::parallel_for(
      hpk::MDRangePolicy<space, hpk::Rank<2>>({1, 1}, {in.extent(0) - 1, in.extent(1) - 1}),
      Stencil{{out, in}});
}
template <class Stencil, class View>
void stencil_3d(const View& out, const View& in) {
  hpk::parallel_for(hpk::MDRangePolicy<space, hpk::Rank<3>>(
                        {1, 1, 1}, {in.extent(0) - 1, in.extent(1) - 1, in.extent(2) - 1}),
                    Stencil{{out, in}});
}
template void stencil_2d<stencil_2d_left>(const matrix&, const matrix&);
template void stencil_2d<stencil_2d_right>(const matrix_right&, const matrix_right&);
template void stencil_3d<stencil_3d_left>(const hpk::View<double***, space>&,
                                          const hpk::View<double***, space>&);
template void stencil_3d<stencil_3d_right>(const hpk::View<double***, hpk::LayoutRight, space>&,
                                           const hpk::View<double***, hpk::LayoutRight, space>&);

void transpose(const matrix_right& out, const matrix& in) { hpk::deep_copy(space(), out, in); }

}  // namespace with_hpk
