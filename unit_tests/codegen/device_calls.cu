// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that call many functions of hpk. device_calls.py compiles them so that nvcc reports every
// call of a host function from device code. The kernels are not run.
#include <hpk/algorithms.hpp>
#include <hpk/containers.hpp>
#include <hpk/core.hpp>
#include <hpk/mdspan.hpp>

namespace device_calls_test {

using space = hpk::DefaultExecutionSpace;
using policy = hpk::TeamPolicy<space>;
using member = policy::member_type;
using numbers = hpk::View<double*, space>;

struct wide {
  double a[5];
  HPK_FUNCTION wide() : a{} {}
  HPK_FUNCTION wide& operator+=(const wide& other) {
    for (int k = 0; k < 5; ++k) a[k] += other.a[k];
    return *this;
  }
  HPK_FUNCTION friend bool operator<(const wide& x, const wide& y) { return x.a[0] < y.a[0]; }
};

struct in_team {
  numbers out;
  HPK_FUNCTION void operator()(const member& team) const {
    double sum = 0;
    double most = 0;
    wide all;
    hpk::parallel_reduce(hpk::TeamThreadRange(team, 100), [&](int i, double& s) { s += i; }, sum);
    hpk::parallel_reduce(
        hpk::TeamVectorRange(team, 100), [&](int i, wide& s) { s.a[1] += i; }, all);
    hpk::parallel_reduce(
        hpk::ThreadVectorRange(team, 100),
        [&](int i, double& s, double& m) {
          s += i;
          if (i > m) m = i;
        },
        sum, hpk::Max<double>(most));
    hpk::parallel_scan(hpk::TeamThreadRange(team, 100), [&](int i, double& s, bool last) {
      s += i;
      if (last) out(i) = s;
    });
    hpk::parallel_for(hpk::TeamThreadMDRange(team, 4, 5), [&](int i, int j) { out(i) += j; });
    double broad = team.team_scan(1.0);
    team.team_broadcast(broad, 0);
    team.team_reduce(hpk::Sum<double>(broad));
    const auto tile = team.warp().tile(8);
    broad += tile.shfl_down(broad, 1);
    hpk::View<int*, space::scratch_memory_space, hpk::MemoryTraits<hpk::Unmanaged>> own(
        team.team_scratch(0), 10);
    own(team.team_rank()) = 1;
    team.team_barrier();
    hpk::single(hpk::PerTeam(team), [&] { out(0) = broad + all.a[1] + own(0); });
  }
};

void patterns(const numbers& x, const hpk::View<double***, space>& box) {
  hpk::parallel_for(
      10, HPK_LAMBDA(int i) {
        const hpk::View<double*, space, hpk::MemoryTraits<hpk::Unmanaged>> part(x.data(), 5);
        const auto plane = hpk::subview(box, 1, hpk::ALL, hpk::pair<int, int>(1, 3));
        const auto flat = hpk::reshape<hpk::View<double*, space>>(box, 10);
        x(i) = part(1) + plane(1, 1) + flat(0);
        hpk::atomic_add(&x(0), 1.0);
        hpk::atomic_store(&x(1), 2.0, hpk::MemoryOrderRelease());
        x(2) = hpk::atomic_load(&x(1), hpk::MemoryOrderAcquire());
      });
  hpk::parallel_for(
      hpk::MDRangePolicy<space, hpk::Rank<3>>({0, 0, 0}, {4, 5, 6}),
      HPK_LAMBDA(int i, int j, int k) { box(i, j, k) = i * j * k; });
  wide sum;
  double least = 0;
  hpk::parallel_reduce(10, HPK_LAMBDA(int i, wide& s) { s.a[i % 5] += x(i); }, sum);
  hpk::parallel_reduce(
      10,
      HPK_LAMBDA(int i, double& m) {
        if (x(i) < m) m = x(i);
      },
      hpk::Min<double>(least));
  hpk::parallel_scan(
      10, HPK_LAMBDA(int i, double& s, bool last) {
        s += 1;
        if (last) x(i) = s;
      });
  hpk::parallel_for(policy(10, 32, 4).set_scratch_size(0, hpk::PerTeam(1000)), in_team{x});
}

void forms_of_views(const numbers& x, const hpk::View<double***, space>& box) {
  const hpk::RangePolicy<space> range(0, 10);
  hpk::parallel_for(
      10, HPK_LAMBDA(int i) {
        using narrow = hpk::View<double, hpk::extents<int, 5, hpk::dynamic_extent>, space,
                                 hpk::MemoryTraits<hpk::Unmanaged>>;
        const narrow part(x.data(), 2);
        const auto span = box.to_mdspan();
        const hpk::mdspan<const double, hpk::dextents<int, 3>, hpk::layout_stride> any = box;
        const hpk::View<const double***, hpk::LayoutStride, space> back = any;
        const auto row = hpk::subview<hpk::MemoryTraits<hpk::Atomic>>(part, 1, hpk::ALL);
        const hpk::RangePolicy<space>::WorkRange share(range, i, 4);
        row(0) += span(1, 1, 1) + any(1, 1, 1) + back(0, 0, 0);
        for (auto k = share.begin(); k != share.end(); ++k) x(k) = box.mapping()(1, 2, 3);
      });
}

void containers(const numbers& x) {
  const hpk::UnorderedMap<std::uint64_t, double, space> map(100);
  const hpk::UnorderedMap<hpk::pair<int, long>, double, space> pairs(100);
  const hpk::DynRankView<double, space> any("any", 3, 4);
  const hpk::Bitset<space> bits(100);
  hpk::ScatterView<double*> scatter(x);
  hpk::parallel_for(
      10, HPK_LAMBDA(int i) {
        map.insert(static_cast<std::uint64_t>(i), 1.0);
        pairs.insert({i, 2}, 1.0);
        if (map.exists(3)) map.value_at(map.find(3)) = 2;
        const auto access = scatter.access();
        access(i) += 1;
        any(0, 1) = 2;
        bits.set(static_cast<unsigned>(i));
      });
}

void algorithms(const numbers& x, const hpk::View<wide*, space>& objects) {
  const space exec;
  hpk::sort(exec, x);
  hpk::sort(exec, objects);
  hpk::sort(exec, x, hpk::greater<double>());
  hpk::fill_random(x, hpk::CounterRandom<>(1), 0.0, 1.0);
  hpk::Experimental::unique(exec, x);
  hpk::Experimental::inclusive_scan(exec, x, x);
}

}  // namespace device_calls_test
