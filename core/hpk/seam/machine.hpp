// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first half of the seam: what a backend supplies so that every pattern and policy runs on it.
// A backend specialises machine<Exec> for its execution space Exec, and memory<Space> (memory.hpp)
// for its memory spaces, and nothing else; for, reduce and scan are written once, in parallel/.
// docs/backends.md walks through a complete backend.
#pragma once

#include <hpk/base/meta.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/lane.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/settings.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// Specialised by a backend for its execution space. The primary template is undefined: a compile
/// error that leads here means that Exec is not an hpk execution space; see docs/backends.md.
template <class Exec>
class machine;

/// Numbers that describe an instance. Patterns tune themselves by these numbers, not by code per
/// backend.
struct machine_properties {
  std::string_view name;                  ///< the space's name
  index_t workers = 1;                    ///< number of groups that run at the same time
  int preferred_lanes = 1;                ///< lanes per group if the pattern has no preference
  int largest_lanes = 1;                  ///< maximum number of lanes in a group
  std::size_t scratch_bytes[2] = {0, 0};  ///< scratch available to a group, per level
  std::size_t single_group_bytes = 0;     ///< copies and fills below this size run on one group
  int subgroup = 1;  ///< lanes that exchange values by shuffle; lane::subgroup() in a kernel
  index_t lane_iterations = 1;  ///< independent iterations per lane, if there are enough
  index_t lanes_at_once = 0;    ///< lanes that run at the same time; 0: one per worker
  int folding_lanes = 256;  ///< lanes of groups that reduce or scan, a power of two. Determines the
                            ///< bits of scans: change it only if 256 lanes are not possible
};

/// The number of lanes of a machine that can run at the same time; on hosts the number of workers.
inline int lanes_at_once(const machine_properties& facts) {
  return static_cast<int>(facts.lanes_at_once != 0 ? facts.lanes_at_once : facts.workers);
}

/// Receives facts for print_configuration: a section, then key and value.
class fact_sink {
 public:
  virtual ~fact_sink() = default;
  virtual void section(std::string_view name) = 0;
  virtual void fact(std::string_view key, std::string_view value) = 0;
};

/// The body of an empty launch.
struct empty_body {
  template <class Lane>
  HPK_FUNCTION void operator()(Lane&) const {}
};

/// Requirements on machine<Exec>. Launches, copies and fills of one instance take effect in the
/// order of submission. launch() may return before the work is done; fence() waits for it. Optional
/// abilities: abilities.hpp.
template <class M>
concept machine_like = requires(M& m, const settings& s, fact_sink& sink, const launch_info& info,
                                std::size_t bytes, void* to, const void* from) {
  typename M::lane;       // models lane_context
  typename M::workspace;  // workspace(m, bytes): data() is accessible to launches that are
                          // submitted until it is destroyed, even if they run later
  requires lane_context<typename M::lane>;
  { M::runs_on_host } -> std::convertible_to<bool>;  // lanes are host threads
  { M::synchronous } -> std::convertible_to<bool>;   // launch returns when the work is done
  { m.properties() } -> std::convertible_to<machine_properties>;
  m.launch(shape{}, empty_body{}, info);  // runs the body for every lane of every group
  m.copy(to, from, bytes);
  m.fill(to, 0, bytes);
  m.fence();
  M::fence_all();
  { M::default_instance() } -> std::same_as<M&>;  // starts on first use; thread-safe
  M::start(s);                                    // once per initialize
  M::stop();                                      // the next use starts again
  m.describe(sink);
  { m.tool_id() } -> std::convertible_to<std::uint32_t>;
};

template <class Exec>
constexpr bool find_launches_here() {
  if constexpr (limits_launching_files<machine<Exec>>) {
    return machine<Exec>::launches_here;
  } else {
    return true;
  }
}
/// Whether this translation unit may launch kernels on Exec; false for a GPU space if the GPU
/// compiler does not see the file. Functions whose code depends on it take it as a template
/// argument. Thereby a program may link both kinds of files without violating the one-definition
/// rule.
template <class Exec>
inline constexpr bool launches_here = find_launches_here<Exec>();

template <class M>
constexpr auto find_team_lane() {
  if constexpr (has_team_lanes<M>) {
    return detail::type_identity<typename M::team_lane>{};
  } else {
    return detail::type_identity<typename M::lane>{};
  }
}
/// The lane type of teams.
template <class M>
using team_lane_t = typename decltype(find_team_lane<M>())::type;

template <class M>
constexpr auto find_zeroed_workspace() {
  if constexpr (has_zeroed_workspaces<M>) {
    return detail::type_identity<typename M::zeroed_workspace>{};
  } else {
    return detail::type_identity<typename M::workspace>{};
  }
}
/// The type of a machine's zeroed workspaces if it has them, else its usual workspaces.
template <class M>
using zeroed_workspace_t = typename decltype(find_zeroed_workspace<M>())::type;

/// Whether no other device of the backend is in use, so that the machine's kernels can access all
/// memory of the backend.
template <class M>
bool is_only_device([[maybe_unused]] const M& machine) {
  if constexpr (counts_devices_in_use<M>) {
    return machine.is_only_device();
  } else {
    return true;
  }
}

/// The maximum number of lanes in a team.
template <class M>
int largest_team(const M& machine) {
  if constexpr (limits_teams<M>) {
    return M::largest_team;
  } else {
    return machine.properties().largest_lanes;
  }
}

/// The maximum number of scratch bytes of level 0 or 1 that a team may request. On hosts a
/// recommendation.
template <class Exec>
std::size_t largest_scratch(const Exec& exec, int level) {
  if constexpr (limits_scratch<machine<Exec>>) {
    return machine<Exec>::scratch_bytes[level];
  } else {
    return exec.instance().properties().scratch_bytes[level];
  }
}

/// The number of lanes in a sub-group of a team.
template <class M>
int team_subgroup(const M& machine) {
  if constexpr (requires { team_lane_t<M>::subgroup_lanes; }) {
    return team_lane_t<M>::subgroup_lanes;
  } else {
    return machine.properties().subgroup;
  }
}

template <class Exec>
constexpr bool find_deallocation_waits() {
  if constexpr (decides_on_deallocation<machine<Exec>>) {
    return machine<Exec>::deallocation_waits;
  } else {
    return false;
  }
}
/// Whether memory of Exec is freed only after the device has finished.
template <class Exec>
inline constexpr bool deallocation_waits = find_deallocation_waits<Exec>();

/// An execution space: a class that names itself as `execution_space` and has a machine.
template <class E>
concept execution_space = requires(const E& e) {
  typename E::execution_space;
  requires std::same_as<typename E::execution_space, E>;
  typename E::memory_space;
  { e.instance() } -> std::convertible_to<machine<E>&>;
};

}  // namespace hpk::seam
