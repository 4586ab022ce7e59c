// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/team.hpp>

#include <hpk/backends/fibers/fiber.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace hpk::host {

namespace {

constinit thread_local bool kept_are_gone = false;

// The stacks that a thread keeps: one set for each group in progress, since a lane may run a nested
// group.
class kept_fibers {
 public:
  kept_fibers() = default;
  kept_fibers(const kept_fibers&) = delete;
  kept_fibers& operator=(const kept_fibers&) = delete;
  ~kept_fibers() { kept_are_gone = true; }
  fibers::fiber_group& take() {
    const in_turn now(turn_);
    if (taken_ == groups_.size()) groups_.push_back(std::make_unique<fibers::fiber_group>());
    return *groups_[taken_++];
  }
  void give_back() noexcept {
    const in_turn now(turn_);
    --taken_;
  }

 private:
  // Tells ThreadSanitizer that lanes run one after another on this thread; it would consider them
  // unordered.
  class in_turn {
   public:
    explicit in_turn(std::atomic<int>& turn) noexcept : turn_(turn) {
      turn_.load(std::memory_order_acquire);
    }
    ~in_turn() { turn_.store(0, std::memory_order_release); }
    in_turn(const in_turn&) = delete;
    in_turn& operator=(const in_turn&) = delete;

   private:
    std::atomic<int>& turn_;
  };

  std::vector<std::unique_ptr<fibers::fiber_group>> groups_;
  std::size_t taken_ = 0;
  std::atomic<int> turn_{0};
};

kept_fibers& fibers_of_this_thread() {
  static thread_local kept_fibers kept;
  return kept;
}

// Borrows a set of stacks for the lifetime of the object. Makes a new one if the thread's own are
// gone, in the destructor of a static object.
class fibers_lease {
 public:
  fibers_lease()
      : own_(kept_are_gone ? std::make_unique<fibers::fiber_group>() : nullptr),
        group_(own_ != nullptr ? *own_ : fibers_of_this_thread().take()) {}
  ~fibers_lease() {
    if (own_ == nullptr) fibers_of_this_thread().give_back();
  }
  fibers_lease(const fibers_lease&) = delete;
  fibers_lease& operator=(const fibers_lease&) = delete;
  fibers::fiber_group& group() const noexcept { return group_; }

 private:
  std::unique_ptr<fibers::fiber_group> own_;
  fibers::fiber_group& group_;
};

struct running_team {
  const lane_call* call;
  index_t group;
  int lanes;
};

[[noreturn]] void reject_divergence(const fibers::fiber_result& result, const running_team& team) {
  detail::text out;
  const int elsewhere = team.lanes - result.waiting - result.finished;
  out << "thread " << result.lane << " of team " << team.group << " waits at "
      << (result.at_subgroup
              ? "an operation of its sub-group that not all lanes of the sub-group reach: "
              : "a barrier that not all threads of the team reach: ")
      << result.waiting << " of " << team.lanes << " wait, " << result.finished
      << " left the kernel";
  if (elsewhere > 0) out << ", " << elsewhere << " wait elsewhere";
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

const void* sync_group::exchange(const void* mine, int from, int width) const {
  fibers::fiber_group& lanes = group();
  const int first = index_ & ~(width - 1);
  const bool there = from >= 0 && from < width && first + from < lanes_;
  lanes.publish(mine);
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

void run_lanes(const lane_call& call, index_t group, int lanes) {
  running_team team{&call, group, lanes};
  const fibers_lease fibers;
  const fibers::fiber_result result =
      fibers.group().run({.lanes = lanes,
                          .subgroup = sync_group::subgroup_lanes,
                          .call =
                              [](void* context, int index) {
                                const running_team& me = *static_cast<const running_team*>(context);
                                me.call->run(me.call->body, index);
                              },
                          .context = &team});
  if (result.how == fibers::fiber_result::kind::diverged) reject_divergence(result, team);
  if (result.how == fibers::fiber_result::kind::threw) std::rethrow_exception(result.thrown);
}

}  // namespace hpk::host
