// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compressible gas in finite volumes, with the dimension as template parameter: Views whose rank
// depends on it, allocated in branches of which one applies, functors with an operator for each
// dimension, and a helper that passes all sizes of a View on to realloc, set or not.
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

using real_t = double;
using DataArray2d = Kokkos::View<real_t***>;
using DataArray3d = Kokkos::View<real_t****>;
template <int dim>
using DataArray = std::conditional_t<dim == 2, DataArray2d, DataArray3d>;
template <int dim>
using DataArrayHost = typename DataArray<dim>::HostMirror;
using Slopes = Kokkos::View<real_t*>;

struct HydroParams {
  int isize, jsize, ksize, nbvar;
  real_t gamma0 = 1.4;
};

// Sizes that are not set keep their default, for any rank.
template <class Exec, class ViewType>
void reallocate(const Exec& exec, ViewType& view, const size_t n0 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n1 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n2 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n3 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n4 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n5 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n6 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
                const size_t n7 = KOKKOS_IMPL_CTOR_DEFAULT_ARG) {
  bool differs = false;
  const size_t wanted[] = {n0, n1, n2, n3, n4, n5, n6, n7};
  for (unsigned r = 0; r < unsigned(ViewType::rank); ++r)
    differs = differs || wanted[r] != size_t(view.extent(r));
  if (differs)
    Kokkos::realloc(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing), view, n0, n1, n2, n3, n4,
                    n5, n6, n7);
}

template <int dim>
struct State {
  real_t v[dim + 2];  // density, energy, momenta
};

// Rusanov's flux along a direction.
template <int dim>
KOKKOS_INLINE_FUNCTION State<dim> flux(const State<dim>& left, const State<dim>& right,
                                       const int dir, const real_t gamma0) {
  State<dim> f[2], result;
  real_t speed = 0;
  for (int side = 0; side < 2; ++side) {
    const State<dim>& q = side == 0 ? left : right;
    const real_t u = q.v[2 + dir] / q.v[0];
    real_t kinetic = 0;
    for (int d = 0; d < dim; ++d) kinetic += 0.5 * q.v[2 + d] * q.v[2 + d] / q.v[0];
    const real_t p = (gamma0 - 1) * (q.v[1] - kinetic);
    for (int n = 0; n < dim + 2; ++n) f[side].v[n] = u * q.v[n];
    f[side].v[1] += u * p;
    f[side].v[2 + dir] += p;
    speed = Kokkos::fmax(speed, Kokkos::fabs(u) + Kokkos::sqrt(gamma0 * p / q.v[0]));
  }
  for (int n = 0; n < dim + 2; ++n)
    result.v[n] = 0.5 * (f[0].v[n] + f[1].v[n]) - 0.5 * speed * (right.v[n] - left.v[n]);
  return result;
}

// One step in all cells, direction by direction; the box is periodic.
template <int dim>
class UpdateFunctor {
 public:
  UpdateFunctor(HydroParams params_, DataArray<dim> from_, DataArray<dim> to_, real_t dtdx_)
      : params(params_), from(from_), to(to_), dtdx(dtdx_) {}

  static void apply(HydroParams params, DataArray<dim> from, DataArray<dim> to, real_t dtdx) {
    const int cells =
        dim == 2 ? params.isize * params.jsize : params.isize * params.jsize * params.ksize;
    Kokkos::parallel_for("update", cells, UpdateFunctor(params, from, to, dtdx));
  }

  template <int dim_ = dim>
  KOKKOS_INLINE_FUNCTION void operator()(
      const typename std::enable_if<dim_ == 2, int>::type& index) const {
    const int i = index % params.isize, j = index / params.isize;
    State<2> q = get(i, j);
    const State<2> at = q;
    const int left = wrap(i - 1, params.isize), right = wrap(i + 1, params.isize);
    const int below = wrap(j - 1, params.jsize), above = wrap(j + 1, params.jsize);
    update(q, get(left, j), at, get(right, j), 0);
    update(q, get(i, below), at, get(i, above), 1);
    for (int n = 0; n < 4; ++n) to(i, j, n) = q.v[n];
  }
  template <int dim_ = dim>
  KOKKOS_INLINE_FUNCTION void operator()(
      const typename std::enable_if<dim_ == 3, int>::type& index) const {
    const int i = index % params.isize, j = index / params.isize % params.jsize;
    const int k = index / params.isize / params.jsize;
    State<3> q = get(i, j, k);
    const State<3> at = q;
    const int left = wrap(i - 1, params.isize), right = wrap(i + 1, params.isize);
    const int below = wrap(j - 1, params.jsize), above = wrap(j + 1, params.jsize);
    const int behind = wrap(k - 1, params.ksize), before = wrap(k + 1, params.ksize);
    update(q, get(left, j, k), at, get(right, j, k), 0);
    update(q, get(i, below, k), at, get(i, above, k), 1);
    update(q, get(i, j, behind), at, get(i, j, before), 2);
    for (int n = 0; n < 5; ++n) to(i, j, k, n) = q.v[n];
  }

 private:
  KOKKOS_INLINE_FUNCTION static int wrap(const int i, const int n) {
    return i < 0 ? i + n : i >= n ? i - n : i;
  }
  template <class... Index>
  KOKKOS_INLINE_FUNCTION State<dim> get(const Index... at) const {
    State<dim> q;
    for (int n = 0; n < dim + 2; ++n) q.v[n] = from(at..., n);
    return q;
  }
  KOKKOS_INLINE_FUNCTION void update(State<dim>& q, const State<dim>& left, const State<dim>& at,
                                     const State<dim>& right, const int dir) const {
    const State<dim> in = flux<dim>(left, at, dir, params.gamma0);
    const State<dim> out = flux<dim>(at, right, dir, params.gamma0);
    for (int n = 0; n < dim + 2; ++n) q.v[n] += dtdx * (in.v[n] - out.v[n]);
  }

  HydroParams params;
  DataArray<dim> from, to;
  real_t dtdx;
};

KOKKOS_INLINE_FUNCTION real_t in_row(const DataArray2d& u, int i, int n) { return u(i, 3, n); }
KOKKOS_INLINE_FUNCTION real_t in_row(const DataArray3d& u, int i, int n) { return u(i, 3, 1, n); }

template <int dim>
class SolverHydro {
 public:
  HydroParams params;
  DataArray<dim> U, U2;
  DataArrayHost<dim> Uhost;
  Slopes work;

  explicit SolverHydro(const HydroParams& p) : params(p) {
    const int isize = params.isize, jsize = params.jsize, ksize = params.ksize;
    if (dim == 2) {
      U = DataArray<dim>("U", isize, jsize, params.nbvar);
      U2 = DataArray<dim>("U2", isize, jsize, params.nbvar);
    } else {
      U = DataArray<dim>("U", isize, jsize, ksize, params.nbvar);
      U2 = DataArray<dim>("U2", isize, jsize, ksize, params.nbvar);
    }
    // The unused sizes of a work array are omitted, with two spellings.
    work = Slopes("work", isize, KOKKOS_INVALID_INDEX);
    reallocate(Kokkos::DefaultExecutionSpace(), work, 2 * isize);
    if (dim == 2)
      reallocate(Kokkos::DefaultExecutionSpace(), U2, isize, jsize, params.nbvar);
    else
      reallocate(Kokkos::DefaultExecutionSpace(), U2, isize, jsize, ksize, params.nbvar);
    Uhost = Kokkos::create_mirror_view(U);
    for (int index = 0; index < isize * jsize * (dim == 2 ? 1 : ksize); ++index) {
      const int i = index % isize, j = index / isize % jsize;
      const bool inside = (i - 8) * (i - 8) + (j - 6) * (j - 6) < 16;
      set(index, 0, inside ? 1.0 : 0.5);
      set(index, 1, inside ? 2.5 : 1.0);
    }
    Kokkos::deep_copy(U, Uhost);
  }

  void run(const int steps) {
    for (int s = 0; s < steps; ++s) {
      UpdateFunctor<dim>::apply(params, U, U2, 0.1);
      std::swap(U, U2);
    }
    Kokkos::deep_copy(Uhost, U);
  }
  // A sum along the first direction, using the work array.
  real_t row_of(const int n) const {
    const auto u = U;
    const auto w = work;
    real_t sum = 0;
    Kokkos::parallel_for(
        "row", u.extent(0), KOKKOS_LAMBDA(const int i) { w(i) = in_row(u, i, n); });
    Kokkos::parallel_reduce(
        "sum", u.extent(0), KOKKOS_LAMBDA(const int i, real_t& s) { s += w(i); }, sum);
    return sum;
  }
  real_t get(const int index, const int n) const {
    const int i = index % params.isize, j = index / params.isize % params.jsize;
    if constexpr (dim == 2)
      return Uhost(i, j, n);
    else
      return Uhost(i, j, index / params.isize / params.jsize, n);
  }
  void set(const int index, const int n, const real_t value) {
    const int i = index % params.isize, j = index / params.isize % params.jsize;
    if constexpr (dim == 2)
      Uhost(i, j, n) = value;
    else
      Uhost(i, j, index / params.isize / params.jsize, n) = value;
  }
};

// The plane, computed in plain loops.
std::vector<State<2>> plain(const HydroParams& p, std::vector<State<2>> u, const int steps) {
  for (int s = 0; s < steps; ++s) {
    std::vector<State<2>> next = u;
    for (int j = 0; j < p.jsize; ++j)
      for (int i = 0; i < p.isize; ++i)
        for (int dir = 0; dir < 2; ++dir) {
          auto at = [&](int by) {
            const int x = (i + (dir == 0 ? by : 0) + p.isize) % p.isize;
            const int y = (j + (dir == 1 ? by : 0) + p.jsize) % p.jsize;
            return u[x + y * p.isize];
          };
          const State<2> in = flux<2>(at(-1), at(0), dir, p.gamma0);
          const State<2> out = flux<2>(at(0), at(1), dir, p.gamma0);
          for (int n = 0; n < 4; ++n) next[i + j * p.isize].v[n] += 0.1 * (in.v[n] - out.v[n]);
        }
    u = next;
  }
  return u;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int steps = 25;
  SolverHydro<2> plane({20, 16, 1, 4});
  SolverHydro<3> space({20, 16, 4, 5});
  std::vector<State<2>> expected(20 * 16);
  for (int c = 0; c < 320; ++c)
    for (int n = 0; n < 4; ++n) expected[c].v[n] = plane.get(c, n);
  expected = plain(plane.params, expected, steps);
  plane.run(steps);
  space.run(steps);
  real_t mass = 0, energy = 0, error2 = 0, error3 = 0, row = 0;
  for (int c = 0; c < 320; ++c) {
    mass += plane.get(c, 0);
    energy += plane.get(c, 1);
    if (c / 20 == 3) row += expected[c].v[0];
    for (int n = 0; n < 4; ++n) {
      error2 = std::fmax(error2, std::fabs(plane.get(c, n) - expected[c].v[n]));
      for (int k = 0; k < 4; ++k)
        error3 = std::fmax(error3, std::fabs(space.get(c + 320 * k, n) - expected[c].v[n]));
    }
  }
  const bool rows =
      std::fabs(plane.row_of(0) - row) < 1e-10 && std::fabs(space.row_of(0) - row) < 1e-10;
  std::printf("sizes %d %d, ranks %d %d, work %d\n", int(plane.U.size()), int(space.U.size()),
              int(plane.U.rank), int(space.U.rank), int(space.work.size()));
  std::printf("mass %.6f, energy %.6f, density %.4f to %.4f\n", mass, energy,
              plane.get(8 + 6 * 20, 0), plane.get(18 + 14 * 20, 0));
  std::printf("plane %s, space %s, rows %s\n", error2 < 1e-12 ? "ok" : "WRONG",
              error3 < 1e-12 ? "ok" : "WRONG", rows ? "ok" : "WRONG");
  return error2 < 1e-12 && error3 < 1e-12 && rows ? 0 : 1;
}
