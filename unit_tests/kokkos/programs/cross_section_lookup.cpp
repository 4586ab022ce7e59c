// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neutron cross-section look-ups: each picks an energy and a material with its own random numbers,
// searches a unionised grid and interpolates; a hash over all look-ups verifies the run.
#include <Kokkos_Core.hpp>

typedef struct NuclideGridPoint {
  double energy, total_xs, elastic_xs, absorbtion_xs, fission_xs, nu_fission_xs;
} NuclideGridPoint;

typedef struct {
  long n_isotopes, n_gridpoints;
  int lookups, n_mats, max_num_nucs;
} Inputs;

using exec_space = Kokkos::DefaultExecutionSpace;
template <class T>
using device_array = Kokkos::View<T*, exec_space, Kokkos::MemoryTraits<Kokkos::RandomAccess>>;

struct SimulationData {
  device_array<const int> num_nucs;
  device_array<const double> concs;
  device_array<const int> mats;
  device_array<const double> unionized_energy_array;
  device_array<const int> index_grid;
  device_array<const NuclideGridPoint> nuclide_grid;
};

static constexpr uint64_t STARTING_SEED = 1070;

KOKKOS_INLINE_FUNCTION
double LCG_random_double(uint64_t* seed) {
  const uint64_t m = 9223372036854775808ULL;  // 2^63
  *seed = (2806196910506780709ULL * (*seed) + 1ULL) % m;
  return (double)(*seed) / (double)m;
}

// seed after n numbers, in log(n) steps
KOKKOS_INLINE_FUNCTION
uint64_t fast_forward_LCG(uint64_t seed, uint64_t n) {
  const uint64_t m = 9223372036854775808ULL;
  uint64_t a = 2806196910506780709ULL, c = 1ULL, a_new = 1, c_new = 0;
  for (n = n % m; n > 0; n >>= 1) {
    if (n & 1) {
      a_new *= a;
      c_new = c_new * a + c;
    }
    c *= (a + 1);
    a *= a;
  }
  return (a_new * seed + c_new) % m;
}

// index of the last grid energy that is not above the quarry
template <class Array>
KOKKOS_INLINE_FUNCTION long grid_search(long n, double quarry, const Array& A) {
  long lowerLimit = 0, upperLimit = n - 1;
  while (upperLimit - lowerLimit > 1) {
    const long examinationPoint = lowerLimit + (upperLimit - lowerLimit) / 2;
    (A[examinationPoint] > quarry ? upperLimit : lowerLimit) = examinationPoint;
  }
  return lowerLimit;
}

KOKKOS_INLINE_FUNCTION int pick_mat(uint64_t* seed, const int n_mats) {
  const double roll = LCG_random_double(seed);
  double running = 0.5;
  int mat = 0;
  for (; roll >= running && mat < n_mats - 1; mat++) running += 0.5 / (n_mats - 1);
  return mat;
}

KOKKOS_INLINE_FUNCTION void calculate_macro_xs(double p_energy, int mat, Inputs in,
                                               const SimulationData& SD, double* macro_xs_vector) {
  const auto& energies = SD.unionized_energy_array;
  const long idx = grid_search(energies.extent(0), p_energy, energies);
  for (int j = 0; j < SD.num_nucs(mat); j++) {
    const int p_nuc = SD.mats[mat * in.max_num_nucs + j];
    const double conc = SD.concs[mat * in.max_num_nucs + j];
    const long low_idx = SD.index_grid[idx * in.n_isotopes + p_nuc];
    const NuclideGridPoint* low = &SD.nuclide_grid[p_nuc * in.n_gridpoints + low_idx];
    const NuclideGridPoint* high = low + 1;
    const double f = (high->energy - p_energy) / (high->energy - low->energy);
#define ADD_XS(k, xs) macro_xs_vector[k] += conc * (high->xs - f * (high->xs - low->xs))
    ADD_XS(0, total_xs);
    ADD_XS(1, elastic_xs);
    ADD_XS(2, absorbtion_xs);
    ADD_XS(3, fission_xs);
    ADD_XS(4, nu_fission_xs);
#undef ADD_XS
  }
}

template <class T>
device_array<const T> to_device(const std::string& label, const std::vector<T>& host) {
  Kokkos::View<T*, exec_space> d(label, host.size());
  Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> h(host.data(), host.size());
  Kokkos::deep_copy(d, h);
  return d;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const Inputs in = {12, 40, 3000, 4, 6};
  uint64_t seed = 42;
  std::vector<NuclideGridPoint> grid(in.n_isotopes * in.n_gridpoints);
  std::vector<double> energies, concs(in.n_mats * in.max_num_nucs);
  std::vector<int> num_nucs{6, 3, 4, 5}, mats(concs.size()), index_grid;
  auto random = [&] { return LCG_random_double(&seed); };
  for (auto& p : grid) p = {random(), random(), random(), random(), random(), random()};
  auto by_energy = [](auto& a, auto& b) { return a.energy < b.energy; };
  for (long i = 0; i < in.n_isotopes; i++)
    std::sort(&grid[i * in.n_gridpoints], &grid[i * in.n_gridpoints] + in.n_gridpoints, by_energy);
  for (const auto& p : grid) energies.push_back(p.energy);
  std::sort(energies.begin(), energies.end());
  auto search_linear = [&](long iso, double e) {
    long k = 0;
    while (k + 2 < in.n_gridpoints && grid[iso * in.n_gridpoints + k + 1].energy <= e) ++k;
    return k;
  };
  for (double e : energies)
    for (long i = 0; i < in.n_isotopes; i++) index_grid.push_back((int)search_linear(i, e));
  for (int m = 0; m < in.n_mats; m++)
    for (int j = 0; j < in.max_num_nucs; j++) {
      mats[m * in.max_num_nucs + j] = (5 * m + 2 * j) % (int)in.n_isotopes;
      concs[m * in.max_num_nucs + j] = random();
    }
  SimulationData SD{to_device("num_nucs", num_nucs),
                    to_device("concs", concs),
                    to_device("mats", mats),
                    to_device("energies", energies),
                    to_device("index_grid", index_grid),
                    to_device("nuclide_grid", grid)};
  unsigned long long verification = 0;
  double total = 0, h_total = 0;
  Kokkos::parallel_reduce(
      "xs_lookup", Kokkos::RangePolicy<exec_space>(0, in.lookups),
      KOKKOS_LAMBDA(const int i, unsigned long long& hash, double& sum) {
        uint64_t my_seed = fast_forward_LCG(STARTING_SEED, 2 * (uint64_t)i);
        const double p_energy = LCG_random_double(&my_seed);
        const int mat = pick_mat(&my_seed, in.n_mats);
        double macro_xs_vector[5] = {0};
        calculate_macro_xs(p_energy, mat, in, SD, macro_xs_vector);
        int max_idx = 0;
        for (int j = 1; j < 5; j++)
          if (macro_xs_vector[j] > macro_xs_vector[max_idx]) max_idx = j;
        hash += max_idx + 1;
        sum += macro_xs_vector[0];
      },
      verification, total);

  // On the host: sequential random numbers and linear searches in the nuclides' own grids.
  using Point = NuclideGridPoint;
  double Point::* const fields[] = {&Point::total_xs, &Point::elastic_xs, &Point::absorbtion_xs,
                                    &Point::fission_xs, &Point::nu_fission_xs};
  unsigned long long expected = 0;
  seed = STARTING_SEED;
  for (int i = 0; i < in.lookups; i++) {
    const double e = LCG_random_double(&seed);
    const int mat = pick_mat(&seed, in.n_mats);
    double xs[5] = {};
    for (int j = 0; j < num_nucs[mat]; j++) {
      const int nuc = mats[mat * in.max_num_nucs + j];
      const auto* low = &grid[nuc * in.n_gridpoints + search_linear(nuc, e)];
      const double f = (low[1].energy - e) / (low[1].energy - low->energy);
      for (int k = 0; k < 5; k++)
        xs[k] += concs[mat * in.max_num_nucs + j] *
                 (low[1].*fields[k] - f * (low[1].*fields[k] - low->*fields[k]));
    }
    expected += std::max_element(xs, xs + 5) - xs + 1;
    h_total += xs[0];
  }
  // The order of the sum depends on the space: some 3000 roundings of values below 1e4.
  const bool near = std::fabs(total - h_total) < 1e-8;
  if (verification != expected)
    std::printf("FAILED: checksum %llu, not %llu\n", verification, expected);
  if (!near) std::printf("FAILED: sum %.17g, not %.17g\n", total, h_total);
  std::printf("lookups %d checksum %llu mean %.9f\n", in.lookups, verification, total / in.lookups);
  return verification == expected && near ? 0 : 1;
}
