// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After: cuda_before.cu in hpk. It runs on every space of the build, so main() adds a loop over the
// spaces.
#include <hpk/core.hpp>

#include <cstdio>

constexpr int samples = 100'003;  // not a multiple of the width
constexpr int width = 256;        // samples per team
constexpr int radius = 4;

template <class Exec>
void smooth(const Exec& exec, const hpk::View<double*, Exec>& x,
            const hpk::View<double*, Exec>& y) {
  using policy = hpk::TeamPolicy<Exec>;
  using member = typename policy::member_type;
  using tile_type = hpk::View<double[width + 2 * radius], typename member::scratch_memory_space,
                              hpk::MemoryUnmanaged>;
  policy teams(exec, (samples + width - 1) / width, hpk::AUTO);
  teams.set_scratch_size(0, hpk::PerTeam(tile_type::shmem_size()));
  hpk::parallel_for(
      "smooth", teams, HPK_LAMBDA(const member& team) {
        const tile_type tile(team.team_scratch(0));
        const int first = team.league_rank() * width;
        hpk::parallel_for(hpk::TeamVectorRange(team, width + 2 * radius), [&](int k) {
          const int i = first + k - radius;
          tile(k) = i >= 0 && i < samples ? x(i) : 0;
        });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamVectorRange(team, width), [&](int t) {
          if (first + t >= samples) return;
          double sum = 0;
          for (int k = 0; k <= 2 * radius; ++k) sum += tile(t + k);
          y(first + t) = sum;
        });
      });
}

template <class Exec>
bool run() {
  using view = hpk::View<double*, Exec>;
  const auto stream = hpk::Experimental::partition_space(Exec(), 1, 1);
  const view x[2] = {view("x0", samples), view("x1", samples)};
  const view y[2] = {view("y0", samples), view("y1", samples)};
  const typename view::HostMirror host[2] = {hpk::create_mirror(x[0]), hpk::create_mirror(x[1])};
  for (std::size_t s = 0; s < 2; ++s) {
    for (int i = 0; i < samples; ++i) host[s](i) = i % (s == 0 ? 17 : 18);
    hpk::deep_copy(stream[s], x[s], host[s]);
    smooth(stream[s], x[s], y[s]);
  }
  stream[0].wait(stream[1].record());
  const view a = y[0], b = y[1];
  double result = 0;
  hpk::parallel_reduce(
      "multiply", hpk::RangePolicy<Exec>(stream[0], 0, samples),
      HPK_LAMBDA(int i, double& sum) { sum += a(i) * b(i); }, result);

  // The expected result, by loops: values are integers, so sums are exact in any order.
  double expected = 0;
  for (int i = 0; i < samples; ++i) {
    double sum[2] = {};
    for (int s = 0; s < 2; ++s)
      for (int k = i - radius; k <= i + radius; ++k)
        if (k >= 0 && k < samples) sum[s] += host[s](k);
    expected += sum[0] * sum[1];
  }
  std::printf("%s: product %.0f, by loops %.0f\n", Exec::name(), result, expected);
  return result == expected;
}

int main() {
  bool right = true;
  hpk::for_each_space([&](auto space) { right = run<decltype(space)>() && right; });
  return right ? 0 : 1;
}
