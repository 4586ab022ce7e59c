// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/machine.hpp>
#include <hpk/backends/host/placement.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/even_share.hpp>
#include <hpk/base/spin_lock.hpp>
#include <hpk/base/text.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/seam/fork.hpp>

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>
#include <vector>

namespace hpk::host {

namespace {

std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// Scratch memory that the groups of a worker use one after another.
class group_scratch {
 public:
  explicit group_scratch(const erased_launch& launched)
      : level1_(launched.with_scratch() ? padded(launched.shape().scratch[0]) : 0),
        memory_(launched.with_scratch() ? level1_ + padded(launched.shape().scratch[1]) : 0) {}
  lane make_lane(index_t group, index_t groups) const {
    std::byte* level0 = memory_.data();
    return {group, groups, level0, level0 == nullptr ? nullptr : level0 + level1_};
  }

 private:
  std::size_t level1_;
  arena_lease memory_;
};

// Calls work for the lane's share [begin, end) of the bytes, cut at cache lines.
template <class Work>
void on_own_chunk(lane& l, std::size_t bytes, Work work) {
  const auto lines = static_cast<index_t>(padded(bytes) / 64);
  const auto cut = [&](index_t group) {
    return static_cast<std::size_t>(detail::share_begin(lines, group, l.groups())) * 64;
  };
  const std::size_t begin = cut(l.group());
  const std::size_t end = std::min(cut(l.group() + 1), bytes);
  if (begin < end) work(begin, end - begin);
}

// Runs all groups on the calling thread: a single group, or a launch from inside a kernel.
void run_inline(const erased_launch& launched) {
  const seam::working_scope working;
  const seam::kernel_scope scope(launched.frame());
  const group_scratch scratch(launched);
  for (index_t group = 0; group < launched.groups(); ++group) {
    lane l = scratch.make_lane(group, launched.groups());
    launched.call(l);
  }
}

// A host group has one lane.
[[noreturn]] void reject_lanes(const seam::shape& shape, const seam::launch_info& info) {
  detail::raise((detail::text() << info.pattern << " \"" << info.label
                                << "\": a host group has one lane, not " << shape.lanes)
                    .str(),
                info.where);
}

// Every machine of a host space, for fence_all(). Fences hold the lock while they look for busy
// machines.
struct machine_list {
  detail::spin_lock guard;
  std::vector<machine*> all;
};
machine_list& all_machines() {
  // Never destroyed: destructors of static objects may fence.
  static machine_list& list = *[] {
    seam::on_fork([] { seam::make_anew(all_machines().guard); });
    return new machine_list;
  }();
  return list;
}

// Whether any machine works for another thread. The lock drains this thread's streaming stores.
bool is_any_busy() noexcept {
  machine_list& list = all_machines();
  const std::lock_guard lock(list.guard);
  bool busy = false;
  for (const machine* each : list.all) busy |= !each->turns.is_free();
  return busy;
}

// Waits for busy machines without the lock, because a kernel may create or destroy machines.
HPK_NOINLINE void wait_for_busy() {
  std::list<seam::turn_mark> busy;
  {
    machine_list& list = all_machines();
    const std::lock_guard lock(list.guard);
    for (machine* each : list.all) {
      if (!each->turns.is_free()) busy.emplace_back(each->turns);
    }
  }
  for (const seam::turn_mark& mark : busy) mark.wait();
}

}  // namespace

machine::machine() {
  machine_list& list = all_machines();
  const std::lock_guard lock(list.guard);
  list.all.push_back(this);
}

machine::~machine() {
  machine_list& list = all_machines();
  const std::lock_guard lock(list.guard);
  std::erase(list.all, this);
}

void machine::fence_all() {
  if (seam::load_occupation() != seam::occupation::none) return detail::drain_streaming_stores();
  if (is_any_busy()) [[unlikely]]
    wait_for_busy();
}

int machine::memory_domains() noexcept { return host::memory_domains(); }

void run_groups(index_t rank, index_t workers, const erased_launch& launched) noexcept {
  const seam::working_scope working;
  const seam::kernel_scope scope(
      launched.frame());  // by address, because only rank 0 has the frame in its cache
  std::int64_t* const own = rank == 0 ? launched.shape().caller_elapsed_ns : nullptr;
  const std::int64_t start = own != nullptr ? detail::steady_nanoseconds() : 0;
  for (index_t group = rank; group < launched.groups(); group += workers) {
    index_t position = group;
    try {
      const group_scratch scratch(launched);
      lane l = scratch.make_lane(group, launched.groups());
      try {
        launched.call(l);
      } catch (...) {
        position = l.position();
        throw;
      }
    } catch (...) {
      launched.frame().failures.record(position);
    }
  }
  if (own != nullptr) *own = detail::steady_nanoseconds() - start;
  detail::drain_streaming_stores();
}

void check_request(const NewInstance& what, std::string_view space) {
  if (what.device >= 0) seam::check_device(what.device, 1, space);
}

int expect_workers(int workers, std::string_view space) {
  if (workers < 1) {
    detail::raise(
        (detail::text() << "hpk::" << space << '(' << workers << "): write at least one worker")
            .str());
  }
  return workers;
}

// The machine that runs the launches of all machines, or null.
static constinit detail::atomic_word<machine*> machine_of_all{nullptr};
void machine::take_all_launches() noexcept {
  machine_of_all.store(this, detail::memory_order::relaxed);
}

void machine::launch_erased(const seam::shape& shape, erased_launch& launched,
                            const seam::launch_info& info) {
  if (shape.lanes != 1) reject_lanes(shape, info);
  const seam::turn held_turn(*this);
  if (shape.groups == 1 && shape.scratch[0] + shape.scratch[1] == 0) {
    run_erased(launched, info);
    return;
  }
  launch_frame frame{info, shape, {}};
  launched.place(frame);
  if (shape.groups > 1 && !seam::is_nested()) {
    detail::drain_streaming_stores();
    machine* const other = machine_of_all.load(detail::memory_order::relaxed);
    (other == nullptr ? this : other)->run(launched);
    frame.failures.rethrow_lowest();
  } else {
    run_inline(launched);
  }
}

void machine::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes >= single_group_bytes) return copy_shared(to, from, bytes);
  if (bytes == 0) return;
  const seam::turn held_turn(*this);
  std::memcpy(to, from, bytes);
}

void machine::fill(void* to, int value, std::size_t bytes) {
  if (bytes >= single_group_bytes) return fill_shared(to, value, bytes);
  if (bytes == 0) return;
  const seam::turn held_turn(*this);
  std::memset(to, value, bytes);
}

void machine::copy_shared(void* to, const void* from, std::size_t bytes) {
  launch({.groups = workers()},
         [=](lane& l) {
           on_own_chunk(l, bytes, [=](std::size_t begin, std::size_t count) {
             std::memcpy(static_cast<std::byte*>(to) + begin,
                         static_cast<const std::byte*>(from) + begin, count);
           });
         },
         {.pattern = "copy", .label = {}, .where = {}});
}

void machine::fill_shared(void* to, int value, std::size_t bytes) {
  launch({.groups = workers()},
         [=](lane& l) {
           on_own_chunk(l, bytes, [=](std::size_t begin, std::size_t count) {
             std::memset(static_cast<std::byte*>(to) + begin, value, count);
           });
         },
         {.pattern = "fill", .label = {}, .where = {}});
}

}  // namespace hpk::host
