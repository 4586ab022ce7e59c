// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups of every width that a space supports, and teams whose threads have several lanes.
//   hpk_test::with_every_width<TypeParam>([] { ... });
//   for (const hpk_test::team_size& t : hpk_test::team_sizes<TypeParam>()) { ... }
#pragma once

#include <support/spaces.hpp>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace hpk_test {

/// Calls work(): on Emu once for each of four widths of a sub-group and several orders of lanes,
/// unless the environment sets the width; on other spaces once.
template <class Exec, class Work>
void with_every_width(const Work& work) {
  if (std::string_view(Exec::name()) != "Emu" || std::getenv("HPK_EMU_SUBGROUP") != nullptr) {
    work();
    return;
  }
  for (const int width : {1, 4, 32, 64}) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, "subgroup " + std::to_string(width));
    const hpk::ScopeGuard guard(hpk::InitializationSettings()
                                    .set_option("emu-subgroup", width)
                                    .set_option("emu-seed", width == 4 ? 0 : width));
    work();
  }
}

/// Numbers of threads and of lanes per thread.
struct team_size {
  int threads;
  int vector;
};

/// Returns teams that the space supports now: every vector length with few and with many threads.
template <class Exec>
std::vector<team_size> team_sizes() {
  std::vector<team_size> sizes;
  const int longest = hpk::TeamPolicy<Exec>::vector_length_max();
  for (const team_size t : {team_size{1, 1}, team_size{3, 1}, team_size{65, 1}, team_size{1, 2},
                            team_size{5, 2}, team_size{3, 4}, team_size{33, 4}, team_size{7, 8},
                            team_size{1, 32}, team_size{3, 32}, team_size{2, 64}}) {
    if (t.vector <= longest) sizes.push_back(t);
  }
  return sizes;
}

}  // namespace hpk_test
