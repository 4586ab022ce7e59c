// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-dimensional Lagrangian shock hydrodynamics as many small loops over a Domain of Views, with
// loop macros, index typedefs and two minima that limit the time step.
#include <Kokkos_Core.hpp>

typedef double Real_t;
typedef int Index_t;
typedef Kokkos::View<Real_t*> Real_View;

constexpr Real_t gamma_law = Real_t(1.4);

#define PARALLEL_FOR(name, n, i) Kokkos::parallel_for(name, n, KOKKOS_LAMBDA(const Index_t i)
#define DOMAIN_FIELD(type, name)                                                 \
  KOKKOS_INLINE_FUNCTION type& name(Index_t idx) const { return m_##name(idx); } \
  Kokkos::View<type*> m_##name

class Domain {
 public:
  explicit Domain(Index_t n) : numElem(n), numNode(n + 1) {
    Index_t k = 0;
    for (Real_View* view : {&m_x, &m_xd, &m_xdd, &m_nodalMass})
      *view = Real_View("node" + std::to_string(k++), numNode);
    for (Real_View* view : {&m_e, &m_p, &m_q, &m_v, &m_volo, &m_delv, &m_vdov, &m_ss, &m_elemMass})
      *view = Real_View("elem" + std::to_string(k++), numElem);
    m_symm = Kokkos::View<Index_t*>("symm", 2);
  }
  DOMAIN_FIELD(Real_t, x);
  DOMAIN_FIELD(Real_t, xd);
  DOMAIN_FIELD(Real_t, xdd);
  DOMAIN_FIELD(Real_t, nodalMass);
  DOMAIN_FIELD(Real_t, e);
  DOMAIN_FIELD(Real_t, p);
  DOMAIN_FIELD(Real_t, q);
  DOMAIN_FIELD(Real_t, v);
  DOMAIN_FIELD(Real_t, volo);
  DOMAIN_FIELD(Real_t, delv);
  DOMAIN_FIELD(Real_t, vdov);
  DOMAIN_FIELD(Real_t, ss);
  DOMAIN_FIELD(Real_t, elemMass);
  DOMAIN_FIELD(Index_t, symm);
  Index_t numElem, numNode;
};

static void InitDomain(Domain& domain) {
  const Real_t h = Real_t(1.0) / domain.numElem;
  const Index_t half = domain.numElem / 2;
  PARALLEL_FOR("InitNodes", domain.numNode, i) { domain.x(i) = i * h; });
  PARALLEL_FOR("InitElems", domain.numElem, k) {
    const Real_t rho = k < half ? Real_t(1.0) : Real_t(0.125);
    domain.volo(k) = h;
    domain.v(k) = 1;
    domain.elemMass(k) = rho * h;
    domain.p(k) = k < half ? Real_t(1.0) : Real_t(0.1);
    domain.e(k) = domain.p(k) / ((gamma_law - 1) * rho);
    domain.ss(k) = Kokkos::sqrt(gamma_law * domain.p(k) / rho);
    Kokkos::atomic_add(&domain.nodalMass(k), Real_t(0.5) * rho * h);
    Kokkos::atomic_add(&domain.nodalMass(k + 1), Real_t(0.5) * rho * h);
  });
  auto symm = Kokkos::create_mirror_view(domain.m_symm);
  symm(0) = 0, symm(1) = domain.numElem;
  Kokkos::deep_copy(domain.m_symm, symm);
}

static void CalcTimeConstraintsForElems(Domain& domain, Real_t& dtcourant, Real_t& dthydro) {
  Kokkos::parallel_reduce(
      "CalcTimeConstraints", domain.numElem,
      KOKKOS_LAMBDA(const Index_t k, Real_t& courant, Real_t& hydro) {
        const Real_t dtf = (domain.x(k + 1) - domain.x(k)) / domain.ss(k);
        if (dtf < courant) courant = dtf;
        const Real_t vdov = domain.vdov(k);
        if (vdov != Real_t(0.)) hydro = Kokkos::fmin(hydro, 0.1 / (Kokkos::fabs(vdov) + 1.e-20));
      },
      Kokkos::Min<Real_t>(dtcourant), Kokkos::Min<Real_t>(dthydro));
  dthydro = std::min(dthydro, Real_t(1.0e+20));  // no bound as long as nothing moves
}

static void LagrangeLeapFrog(Domain& domain, const Real_t dt) {
  const Index_t numElem = domain.numElem;
  PARALLEL_FOR("CalcForceAndAcceleration", domain.numNode, i) {
    const Real_t left = i > 0 ? domain.p(i - 1) + domain.q(i - 1) : Real_t(0);
    const Real_t right = i < numElem ? domain.p(i) + domain.q(i) : Real_t(0);
    domain.xdd(i) = (left - right) / domain.nodalMass(i);
  });
  PARALLEL_FOR("ApplyBoundary", domain.m_symm.extent(0), i) { domain.xdd(domain.symm(i)) = 0; });
  PARALLEL_FOR("CalcVelocityAndPosition", domain.numNode, i) {
    domain.xd(i) += domain.xdd(i) * dt;
    domain.x(i) += domain.xd(i) * dt;
  });
  PARALLEL_FOR("CalcKinematics", numElem, k) {
    const Real_t relativeVolume = (domain.x(k + 1) - domain.x(k)) / domain.volo(k);
    domain.delv(k) = relativeVolume - domain.v(k);
    domain.vdov(k) = (domain.xd(k + 1) - domain.xd(k)) / (domain.x(k + 1) - domain.x(k));
    domain.v(k) = relativeVolume;
  });
  PARALLEL_FOR("CalcQ", numElem, k) {
    const Real_t du = domain.xd(k + 1) - domain.xd(k);
    const Real_t rho = domain.elemMass(k) / (domain.v(k) * domain.volo(k));
    domain.q(k) = du < 0 ? rho * du * (2 * du - Real_t(0.5) * domain.ss(k)) : Real_t(0);
  });
  PARALLEL_FOR("EvalEOS", numElem, k) {
    const Real_t work = (domain.p(k) + domain.q(k)) * domain.delv(k) * domain.volo(k);
    domain.e(k) -= work / domain.elemMass(k);
    const Real_t rho = domain.elemMass(k) / (domain.v(k) * domain.volo(k));
    domain.p(k) = (gamma_law - 1) * rho * domain.e(k);
    domain.ss(k) = Kokkos::sqrt(gamma_law * domain.p(k) / rho);
  });
}

// The same scheme on std::vectors, which differs only by rounding (such as contraction).
struct HostHydro {
  Index_t n;
  std::vector<Real_t> x, u, mass, e, p, q, v, ss, m, vdov;
  explicit HostHydro(Index_t n_)
      : n(n_), x(n + 1), u(n + 1), mass(n + 1), e(n), p(n), q(n), v(n, 1.0), ss(n), m(n), vdov(n) {
    for (Index_t k = 0; k <= n; ++k) x[k] = k * (1.0 / n);
    for (Index_t k = 0; k < n; ++k) {
      const Real_t rho = k < n / 2 ? 1.0 : 0.125;
      m[k] = rho / n, p[k] = k < n / 2 ? 1.0 : 0.1, e[k] = p[k] / (0.4 * rho);
      ss[k] = std::sqrt(1.4 * p[k] / rho), mass[k] += m[k] / 2, mass[k + 1] += m[k] / 2;
    }
  }
  void step(Real_t dt) {
    for (Index_t i = 1; i < n; ++i) u[i] += (p[i - 1] + q[i - 1] - p[i] - q[i]) / mass[i] * dt;
    for (Index_t i = 1; i < n; ++i) x[i] += u[i] * dt;
    for (Index_t k = 0; k < n; ++k) {
      const Real_t dx = x[k + 1] - x[k], du = u[k + 1] - u[k], old = v[k];
      v[k] = dx * n, vdov[k] = du / dx;
      q[k] = du < 0 ? m[k] / dx * du * (2 * du - 0.5 * ss[k]) : 0;
      e[k] -= (p[k] + q[k]) * (v[k] - old) / n / m[k];
      p[k] = 0.4 * m[k] / dx * e[k], ss[k] = std::sqrt(1.4 * p[k] / (m[k] / dx));
    }
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  int status = 0;
  {
    const Index_t n = 64, cycles = 40;
    Domain domain(n);
    InitDomain(domain);
    HostHydro host(n);
    Real_t time = 0;
    Index_t off = 0;
    for (Index_t cycle = 0; cycle < cycles; ++cycle) {
      Real_t dtcourant, dthydro, courant = 1e+20, hydro = 1e+20;
      CalcTimeConstraintsForElems(domain, dtcourant, dthydro);
      for (Index_t k = 0; k < n; ++k) {
        courant = std::min(courant, (host.x[k + 1] - host.x[k]) / host.ss[k]);
        if (host.vdov[k] != 0) hydro = std::min(hydro, 0.1 / (std::fabs(host.vdov[k]) + 1e-20));
      }
      for (Real_t r : {dtcourant / courant, dthydro / hydro}) off += !(std::fabs(r - 1) < 1e-11);
      const Real_t dt = 0.5 * std::min(dtcourant, dthydro);
      LagrangeLeapFrog(domain, dt);
      host.step(dt);
      time += dt;
    }
    auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), domain.m_x);
    auto p = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), domain.m_p);
    Kokkos::MinMaxScalar<Real_t> range;
    Kokkos::parallel_reduce(
        "MaxQ", n,
        KOKKOS_LAMBDA(const Index_t k, Kokkos::MinMaxScalar<Real_t>& r) {
          if (domain.q(k) < r.min_val) r.min_val = domain.q(k);
          if (domain.q(k) > r.max_val) r.max_val = domain.q(k);
        },
        Kokkos::MinMax<Real_t>(range));
    for (Index_t k = 0; k < n; ++k)
      off += !(std::fabs(x(k) - host.x[k]) < 1e-11) + !(std::fabs(p(k) - host.p[k]) < 1e-11);
    if (off != 0) status = 1, std::cout << "FAILED: " << off << " values\n";
    if (range.max_val > 1.0e+3 || range.min_val != 0.0 || !(range.max_val > 0.01))
      status = 1, std::cout << "FAILED: range of q\n";
    if (!(p(n - 1) < p(n / 2) && p(n / 2) < p(0))) status = 1, std::cout << "FAILED: no shock\n";
    std::cout << std::fixed << std::setprecision(6) << "time " << time << " x(mid) " << x(n / 2)
              << " p(mid) " << p(n / 2) << " max q " << range.max_val << std::endl;
  }
  Kokkos::finalize();
  return status;
}
