// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/team.hpp>

#include <hpk/backends/fibers/lease.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::host {

namespace {

struct running_team {
  const lane_call* call;
  index_t group;
  int lanes;
};

[[noreturn]] void reject_divergence(const fibers::fiber_result& result, const running_team& team) {
  detail::text out;
  const int waiting_elsewhere = team.lanes - result.waiting - result.finished;
  out << "thread " << result.lane << " of team " << team.group << " waits at "
      << (result.at_subgroup
              ? "an operation of its sub-group that not all lanes of the sub-group reach: "
              : "a barrier that not all threads of the team reach: ")
      << result.waiting << " of " << team.lanes << " wait, " << result.finished
      << " left the kernel";
  if (waiting_elsewhere > 0) out << ", " << waiting_elsewhere << " wait elsewhere";
  out << (result.at_subgroup
              ? "; all lanes of a sub-group must call the same warp().shfl(), ballot() and the like"
              : "; all threads must call the same team_barrier(), team_reduce() and the like");
  seam::raise_in_kernel(out.str());
}

}  // namespace

fibers::fiber_group& sync_group::group() const {
  fibers::fiber_group* const lanes = fibers::fiber_group::current();
  if (lanes != nullptr && lanes->lane() == index_ && lanes->lanes() == lanes_) [[likely]]
    return *lanes;
  seam::raise_in_kernel(
      "the handle of a team is used in a kernel that was launched inside of that team; use the "
      "handle of the innermost kernel");
}

void sync_group::wait_for_all(const void* kind, void (*work)(void*), void* context) const {
  group().barrier(kind, work, context);
}

void sync_group::sync_block(int width) const { group().sync(width); }

const void* sync_group::exchange(const void* own_value, int from, int width) const {
  fibers::fiber_group& lanes = group();
  const int first = index_ & ~(width - 1);
  const bool there = from >= 0 && from < width && first + from < lanes_;
  lanes.publish(own_value);
  lanes.sync(width);
  return lanes.peek(there ? first + from : index_);
}

std::uint64_t sync_group::gather_flags(bool flag) const {
  fibers::fiber_group& lanes = group();
  const int first = index_ & ~(subgroup_lanes - 1);
  lanes.publish(&flag);
  lanes.sync(subgroup_lanes);
  std::uint64_t flags = 0;
  for (int k = 0; k < subgroup_lanes && first + k < lanes_; ++k) {
    if (*static_cast<const bool*>(lanes.peek(first + k))) flags |= std::uint64_t{1} << k;
  }
  lanes.sync(subgroup_lanes);
  return flags;
}

// Describes the kernel and the team for the message of a stack overflow.
static void describe_team(const void* context, fibers::lane_place& place) noexcept {
  if (const seam::launch_info* const kernel = seam::load_launch()) {
    place.pattern = kernel->pattern;
    place.label = kernel->label;
    place.file = kernel->where.file_name();
    place.line = kernel->where.line();
  }
  place.group_kind = "team";
  place.group = static_cast<const running_team*>(context)->group;
  place.lane_kind = "thread";
}

void run_lanes(const lane_call& call, index_t group, int lanes) {
  running_team team{&call, group, lanes};
  const fibers::lease stacks;
  const fibers::fiber_result result =
      stacks.group().run({.lanes = lanes,
                          .subgroup = sync_group::subgroup_lanes,
                          .call =
                              [](void* context, int index) {
                                const running_team& me = *static_cast<const running_team*>(context);
                                me.call->run(me.call->body, index);
                              },
                          .describe = &describe_team,
                          .context = &team});
  if (result.how == fibers::fiber_result::kind::diverged) reject_divergence(result, team);
  if (result.how == fibers::fiber_result::kind::threw) std::rethrow_exception(result.thrown);
}

}  // namespace hpk::host
