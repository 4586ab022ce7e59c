// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions of tensors with four to eight indices: MDRange policies of rank 4 and 6, nested
// multi-dimensional ranges of a team, both layouts and user-defined tiles.
#include <Kokkos_Core.hpp>

namespace {
using exec = Kokkos::DefaultExecutionSpace;
using tensor4 = Kokkos::View<double****, exec>;
using tensor4_left = Kokkos::View<double****, Kokkos::LayoutLeft, exec>;
using tensor6_right = Kokkos::View<double******, Kokkos::LayoutRight, exec>;
using tensor8 = Kokkos::View<int********, exec>;

// Small integers: all sums are exact.
KOKKOS_INLINE_FUNCTION double entry_a(int i, int j, int k, int l) {
  return (i + 2 * j + 3 * k + 5 * l) % 7 - 3;
}
KOKKOS_INLINE_FUNCTION double entry_b(int i, int j, int k, int l) {
  return (2 * i + j * k + 3 * l) % 5 - 2;
}

int errors = 0;
void check(bool good, const std::string& what) {
  if (!good) ++errors, std::cerr << "FAILED: " << what << std::endl;
}
}  // namespace

// C(a,b,c,d) = sum over e, f of A(a,b,e,f) B(e,f,c,d)
template <class TA, class TB, class TC>
struct Contract {
  TA A;
  TB B;
  TC C;
  struct Accumulate {};

  KOKKOS_FUNCTION void operator()(const int a, const int b, const int c, const int d) const {
    typename TC::non_const_value_type sum = 0;
    for (size_t e = 0; e < A.extent(2); ++e)
      for (size_t f = 0; f < A.extent(3); ++f) sum += A(a, b, e, f) * B(e, f, c, d);
    C(a, b, c, d) = sum;
  }
  KOKKOS_FUNCTION void operator()(Accumulate, const int a, const int b, const int c, const int d,
                                  const int e, const int f) const {
    Kokkos::atomic_add(&C(a, b, c, d), A(a, b, e, f) * B(e, f, c, d));
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard scope(argc, argv);
  constexpr int na = 5, nb = 4, nc = 3, nd = 6, ne = 4, nf = 7;
  tensor4 A("A", na, nb, ne, nf);
  tensor4_left B("B", ne, nf, nc, nd);
  using policy4 = Kokkos::MDRangePolicy<Kokkos::Rank<4>>;
  Kokkos::parallel_for(
      "fill A", policy4({0, 0, 0, 0}, {na, nb, ne, nf}),
      KOKKOS_LAMBDA(int i, int j, int k, int l) { A(i, j, k, l) = entry_a(i, j, k, l); });
  Kokkos::parallel_for(
      "fill B",
      Kokkos::MDRangePolicy<exec, Kokkos::Rank<4, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                            Kokkos::IndexType<int>>({{0, 0, 0, 0}}, {{ne, nf, nc, nd}},
                                                    {{2, 2, 2, 3}}),
      KOKKOS_LAMBDA(int i, int j, int k, int l) { B(i, j, k, l) = entry_b(i, j, k, l); });

  double expected[na][nb][nc][nd] = {};
  double trace = 0;
  for (int a = 0; a < na; ++a)
    for (int b = 0; b < nb; ++b)
      for (int c = 0; c < nc; ++c)
        for (int d = 0; d < nd; ++d) {
          for (int ef = 0; ef < ne * nf; ++ef)
            expected[a][b][c][d] +=
                entry_a(a, b, ef / nf, ef % nf) * entry_b(ef / nf, ef % nf, c, d);
          trace += (a + 1) * expected[a][b][c][d];
        }
  auto compare = [&](const auto& C, const char* what) {
    auto h_C = Kokkos::create_mirror_view(C);
    Kokkos::deep_copy(h_C, C);
    int bad = 0;
    for (int a = 0; a < na; ++a)
      for (int b = 0; b < nb; ++b)
        for (int c = 0; c < nc; ++c)
          for (int d = 0; d < nd; ++d) bad += h_C(a, b, c, d) != expected[a][b][c][d];
    check(bad == 0, what);
  };

  Kokkos::View<double** [nc][nd]> C("C", na, nb);
  using F = Contract<tensor4::const_type, tensor4_left::const_type, decltype(C)>;
  const F contract{A, B, C};
  Kokkos::parallel_for("contract", policy4({0, 0, 0, 0}, {na, nb, nc, nd}, {1, 2, 3, 2}), contract);
  compare(C, "rank 4");

  Kokkos::deep_copy(C, 0);
  Kokkos::Array<int, 6> lower{0, 0, 0, 0, 0, 0}, upper{na, nb, nc, nd, ne, nf};
  Kokkos::MDRangePolicy<Kokkos::Rank<6>, F::Accumulate> policy6(lower, upper);
  Kokkos::parallel_for("accumulate", policy6, contract);
  compare(C, "rank 6 with atomics");

  double weighted = 0;
  Kokkos::parallel_reduce(
      "weighted",
      Kokkos::MDRangePolicy<Kokkos::Rank<6>>({0, 0, 0, 0, 0, 0}, {na, nb, nc, nd, ne, nf}),
      KOKKOS_LAMBDA(int a, int b, int c, int d, int e, int f, double& sum) {
        sum += (a + 1) * A(a, b, e, f) * B(e, f, c, d);
      },
      weighted);
  check(weighted == trace, "sum of rank 6");

  // A team for each (a, b): its threads share the pairs (c, d) or all of (c, d, e, f).
  Kokkos::deep_copy(C, -1.0);
  Kokkos::View<double**> row_sum("row_sum", na, nb);
  using team_policy = Kokkos::TeamPolicy<exec>;
  using member_type = team_policy::member_type;
  Kokkos::parallel_for(
      "teams", team_policy(na * nb, Kokkos::AUTO), KOKKOS_LAMBDA(const member_type& team) {
        const int a = team.league_rank() / nb, b = team.league_rank() % nb;
        Kokkos::parallel_for(Kokkos::TeamThreadMDRange<Kokkos::Rank<2>, member_type>(team, nc, nd),
                             [&](const int c, const int d) { contract(a, b, c, d); });
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadMDRange<Kokkos::Rank<4>, member_type>(team, nc, nd, ne, nf),
            [&](const int c, const int d, const int e, const int f, double& update) {
              update += A(a, b, e, f) * B(e, f, c, d);
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&]() { row_sum(a, b) = sum; });
      });
  compare(C, "TeamThreadMDRange");
  auto h_row = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), row_sum);
  for (int a = 0; a < na; ++a)
    for (int b = 0; b < nb; ++b)
      check(h_row(a, b) ==
                std::accumulate(&expected[a][b][0][0], &expected[a][b][0][0] + nc * nd, 0.),
            "sum of a team");

  // Six indices in the other order and layout.
  tensor6_right P("P", nf, ne, nd, nc, nb, na);
  Kokkos::parallel_for(
      "outer", Kokkos::MDRangePolicy<exec, Kokkos::Rank<6>>(lower, upper, {na, 2, 1, 0, 0, 3}),
      KOKKOS_LAMBDA(int a, int b, int c, int d, int e, int f) {
        P(f, e, d, c, b, a) = A(a, b, e, f) * B(e, f, c, d);
      });
  auto slab = Kokkos::subview(P, 3, 2, Kokkos::ALL, Kokkos::ALL, 1, std::make_pair(1, 4));
  static_assert(decltype(slab)::rank() == 3);
  double slab_sum = 0, h_slab_sum = 0;
  Kokkos::parallel_reduce(
      "slab", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {nd, nc, 3}),
      KOKKOS_LAMBDA(int d, int c, int a, double& sum) { sum += (d + 1) * slab(d, c, a); },
      slab_sum);
  for (int d = 0; d < nd; ++d)
    for (int ca = 0; ca < nc * 3; ++ca)
      h_slab_sum += (d + 1) * entry_a(1 + ca % 3, 1, 2, 3) * entry_b(2, 3, ca / 3, d);
  check(slab_sum == h_slab_sum && slab_sum != 0, "slab of six indices");

  // Eight indices of extent two are the bits of a number.
  tensor8 bits("bits", 2, 2, 2, 2, 2, 2, 2, 2);
  Kokkos::parallel_for(
      "bits", 256, KOKKOS_LAMBDA(const int n) {
        bits(n >> 7 & 1, n >> 6 & 1, n >> 5 & 1, n >> 4 & 1, n >> 3 & 1, n >> 2 & 1, n >> 1 & 1,
             n & 1) = n;
      });
  auto h_bits = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bits);
  check(h_bits(1, 0, 1, 1, 0, 0, 1, 0) == 178 && h_bits(0, 1, 1, 0, 1, 1, 0, 1) == 109, "rank 8");
  std::cout << "C(4,3,2,5) = " << expected[4][3][2][5] << ", weighted sum " << weighted << ", slab "
            << slab_sum << std::endl;
  return errors != 0;
}
