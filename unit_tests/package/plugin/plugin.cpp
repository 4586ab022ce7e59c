// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on every host space, with Views and with teams.
#include <hpk/core.hpp>

namespace {

template <class Exec>
long sum_of_squares(long below) {
  const hpk::View<long*, Exec> squares("squares", static_cast<std::size_t>(below));
  hpk::parallel_for(hpk::RangePolicy<Exec>(0, below), [=](long i) { squares(i) = i * i; });
  long sum = 0;
  hpk::parallel_reduce(
      hpk::TeamPolicy<Exec>(4, 8),
      [=](const typename hpk::TeamPolicy<Exec>::member_type& team, long& partial) {
        long part = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, below),
            [=](long i, long& update) {
              if (i % team.league_size() == team.league_rank()) update += squares(i);
            },
            part);
        hpk::single(hpk::PerTeam(team), [&] { partial += part; });
      },
      sum);
  return sum;
}

}  // namespace

extern "C" long plugin_sum(long below) {
  const long sum = sum_of_squares<hpk::DefaultHostExecutionSpace>(below);
  return sum_of_squares<hpk::Serial>(below) == sum ? sum : -1;
}
