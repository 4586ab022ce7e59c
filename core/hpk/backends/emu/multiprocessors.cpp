// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/detectors/kernel_watch.hpp>
#include <hpk/backends/emu/detectors/lane_probe.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/detectors/schedule_shuffler.hpp>
#include <hpk/backends/emu/detectors/scratch_memory.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/emu/profile/launch_sample.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace hpk::emu {

constinit thread_local running_group* running_group::on_this_thread = nullptr;

namespace {

// Memory that an OS thread reuses from group to group.
struct workplace {
  fibers::fiber_group fibers;
  std::vector<exchange_slot> slots;
  std::vector<unsigned char> parity;
  std::vector<int> order;
};

// Describes the kernel and the group for the message of a stack overflow.
void describe_group(const void* context, fibers::lane_place& place) noexcept {
  const running_group& me = *static_cast<const running_group*>(context);
  const seam::launch_info& kernel = *me.kernel->info;
  place.pattern = kernel.pattern;
  place.label = kernel.label;
  place.file = kernel.where.file_name();
  place.line = kernel.where.line();
  place.group = me.group;
}

void run_lane(void* context, int) {
  group_watch::on_lane();
  const running_group& me = *static_cast<running_group*>(context);
  me.kernel->run_lane(me);
}

void run_probed_lane(void* context, int lane) {
  const lane_probe::scope probe(*static_cast<running_group*>(context)->kernel->probe);
  run_lane(context, lane);
}

void run_group(const kernel_call& kernel, index_t number) {
  static thread_local workplace place;
  const int lanes = kernel.shape.lanes;
  const options& how = current_options();
  const auto width = static_cast<std::size_t>(lanes);
  if (place.parity.size() < width) {
    place.slots.resize(2 * running_group::widths * width);
    place.parity.resize(width);
  }
  std::memset(place.parity.data(), 0, width);
  const std::size_t* const bytes = kernel.shape.scratch;
  scratch_memory& level0 = scratch_memory::of_this_thread(0);
  scratch_memory& level1 = scratch_memory::of_this_thread(1);
  running_group group{&kernel,
                      &place.fibers,
                      number,
                      kernel.shape.groups,
                      lanes,
                      how.subgroup,
                      {level0.take(bytes[0]), level1.take(bytes[1])},
                      place.slots.data(),
                      place.parity.data()};
  running_group* const outer = running_group::on_this_thread;
  running_group::on_this_thread = &group;
  const group_watch watch(level0.pages_of(bytes[0]), level1.pages_of(bytes[1]));
  const fibers::fiber_result result =
      place.fibers.run({.lanes = lanes,
                        .subgroup = how.subgroup,
                        .order = shuffle_lanes(kernel, number, place.order),
                        .call = kernel.probe == nullptr ? &run_lane : &run_probed_lane,
                        .paused = group_watch::pause_handler(),
                        .describe = &describe_group,
                        .context = &group,
                        .is_ordered = launch_recorder::is_recording()});
  if (result.how == fibers::fiber_result::kind::diverged) report_divergence(result, group);
  if (result.how == fibers::fiber_result::kind::threw) report_exception(result);
  running_group::on_this_thread = outer;
}

// A kernel that several OS threads run.
struct shared_kernel {
  const kernel_call* kernel;
  int device;
  const seam::device_profile* profile;  // the profile that counts the kernel, or null
  std::vector<index_t> order;           // order of the groups; empty if ascending
  std::atomic<index_t> next{0};
  int helpers = 0;

  void work() {
    const seam::kernel_scope scope(*kernel->info);
    const translation_scope as_kernel(device, kernel_watch::access_watcher(profile != nullptr),
                                      kernel_watch::scratch_watcher(profile != nullptr));
    const kernel_watch watch(*kernel, profile);
    for (;;) {
      const index_t k = next.fetch_add(1, std::memory_order_relaxed);
      if (k >= kernel->shape.groups) return;
      run_group(*kernel, order.empty() ? k : order[static_cast<std::size_t>(k)]);
    }
  }
  bool has_groups_left() const {
    return next.load(std::memory_order_relaxed) < kernel->shape.groups;
  }
};

class multiprocessors {
 public:
  void run(const kernel_call& kernel) {
    shared_kernel shared{&kernel, current_device, sample_launch(kernel), shuffled_groups(kernel)};
    const bool alone = kernel.shape.groups == 1 || current_options().workers_now() == 1;
    if (!alone) offer(shared);
    shared.work();
    if (!alone) wait_for_helpers(shared);
  }

 private:
  void offer(shared_kernel& shared) {
    const std::lock_guard lock(guard_);
    for (auto k = static_cast<int>(threads_.size()); k < current_options().workers - 1; ++k)
      threads_.emplace_back([this] { help(); });
    kernels_.push_back(&shared);
    wake_.notify_all();
  }
  void wait_for_helpers(shared_kernel& shared) {
    std::unique_lock lock(guard_);
    std::erase(kernels_, &shared);
    done_.wait(lock, [&] { return shared.helpers == 0; });
  }
  [[noreturn]] void help() {
    std::unique_lock lock(guard_);
    for (;;) {
      shared_kernel* found = nullptr;
      for (shared_kernel* k : kernels_) {
        if (k->has_groups_left()) found = k;
      }
      if (found == nullptr) {
        wake_.wait(lock);
        continue;
      }
      ++found->helpers;
      lock.unlock();
      found->work();
      lock.lock();
      if (--found->helpers == 0) done_.notify_all();
    }
  }

  std::mutex guard_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<shared_kernel*> kernels_;
  std::vector<std::thread> threads_;
};

// Never destroyed, and its threads never end, because a static object may launch in its destructor.
multiprocessors& all_multiprocessors() {
  static multiprocessors& only = *new multiprocessors;
  return only;
}

}  // namespace

std::ptrdiff_t running_group::scratch_offset(const void* address) const noexcept {
  for (int level = 0; level < 2; ++level) {
    const std::ptrdiff_t offset = static_cast<const std::byte*>(address) - scratch[level];
    if (offset >= 0 && offset < static_cast<std::ptrdiff_t>(kernel->shape.scratch[level]))
      return offset;
  }
  return -1;
}

void running_group::barrier(const void* kind) {
  const bool probed = lane_probe::pause();
  fibers->barrier(kind);
  if (probed) lane_probe::resume();
  group_watch::on_sync(0);
}

void running_group::sync(int width) {
  const bool probed = lane_probe::pause();
  fibers->sync(width);
  if (probed) lane_probe::resume();
  group_watch::on_sync(width);
}

void run_kernel(const kernel_call& kernel) { all_multiprocessors().run(kernel); }

}  // namespace hpk::emu
