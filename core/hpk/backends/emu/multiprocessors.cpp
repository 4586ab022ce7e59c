// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/detectors/kernel_watch.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/detectors/schedule_shuffler.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/options.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace hpk::emu {

namespace {

// The scratch of one level on one OS thread: it ends where a page begins that nobody has.
class scratch_memory {
 public:
  scratch_memory() = default;
  scratch_memory(const scratch_memory&) = delete;
  scratch_memory& operator=(const scratch_memory&) = delete;
  ~scratch_memory() {
    if (begin_ != nullptr) munmap(begin_, size_ + page);
  }
  std::byte* of(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    if (bytes > size_) grow(bytes);
    std::byte* data = begin_ + size_ - (bytes + 15) / 16 * 16;
    poison_scratch(data, bytes);
    return data;
  }
  // The pages of what of() gave.
  scratch_pages pages_of(std::size_t bytes) const {
    const std::size_t whole = (bytes + page - 1) / page * page;
    return {begin_ + size_ - whole, whole};
  }
  bool is_behind(const void* address) const noexcept {
    return begin_ != nullptr && address >= begin_ + size_ && address < begin_ + size_ + page;
  }

 private:
  static constexpr std::size_t page = 4096;
  void grow(std::size_t bytes) {
    if (begin_ != nullptr) munmap(begin_, size_ + page);
    size_ = (bytes + page - 1) / page * page;
    void* place = mmap(nullptr, size_ + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<std::byte*>(place);
    mprotect(begin_ + size_, page, PROT_NONE);
  }
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

// What an OS thread keeps from group to group.
struct workplace {
  fibers::fiber_group fibers;
  scratch_memory scratch[2];
  std::vector<exchange_slot> slots;
  std::vector<unsigned char> parity;
  std::vector<int> order;
};

workplace& my_workplace() {
  static thread_local workplace place;
  return place;
}

void run_group(const kernel_call& kernel, index_t number) {
  workplace& place = my_workplace();
  const int lanes = kernel.shape.lanes;
  const options& how = current_options();
  const auto width = static_cast<std::size_t>(lanes);
  if (place.parity.size() < width) {
    place.slots.resize(2 * running_group::widths * width);
    place.parity.resize(width);
  }
  std::memset(place.parity.data(), 0, width);
  running_group group{
      &kernel,
      &place.fibers,
      number,
      kernel.shape.groups,
      lanes,
      how.subgroup,
      {place.scratch[0].of(kernel.shape.scratch[0]), place.scratch[1].of(kernel.shape.scratch[1])},
      place.slots.data(),
      place.parity.data(),
  };
  running_group* const outer = running_group::on_this_thread;
  running_group::on_this_thread = &group;
  const group_watch watch(place.scratch[0].pages_of(kernel.shape.scratch[0]),
                          place.scratch[1].pages_of(kernel.shape.scratch[1]));
  const fibers::fiber_result result =
      place.fibers.run({.lanes = lanes,
                        .subgroup = how.subgroup,
                        .order = shuffle_lanes(kernel, number, place.order),
                        .call =
                            [](void* context, int) {
                              group_watch::on_lane();
                              const running_group& me = *static_cast<running_group*>(context);
                              me.kernel->run_lane(me);
                            },
                        .paused = group_watch::pause_handler(),
                        .context = &group});
  if (result.how == fibers::fiber_result::kind::diverged) report_divergence(result, group);
  if (result.how == fibers::fiber_result::kind::threw) report_exception(result);
  running_group::on_this_thread = outer;
}

// A kernel that several OS threads run.
struct shared_kernel {
  const kernel_call* kernel;
  int device;
  std::vector<index_t> order;  // of the groups; empty: as they are
  std::atomic<index_t> next{0};
  int helpers = 0;

  void work() {
    const seam::kernel_scope scope(*kernel->info);
    const translation_scope as_kernel(device, kernel_watch::access_watcher());
    const kernel_watch watch(kernel->traps);
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
    shared_kernel shared{&kernel, current_device, shuffled_groups(kernel)};
    const bool alone = kernel.shape.groups == 1 || current_options().workers == 1;
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

// Never destroyed, nor are its threads ended: a static may launch in its destructor.
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
  fibers->barrier(kind);
  group_watch::on_sync(0);
}

void running_group::sync(int width) {
  fibers->sync(width);
  group_watch::on_sync(width);
}

void run_kernel(const kernel_call& kernel) { all_multiprocessors().run(kernel); }

bool is_behind_scratch(const void* address) noexcept {
  const workplace& place = my_workplace();
  return place.scratch[0].is_behind(address) || place.scratch[1].is_behind(address);
}

}  // namespace hpk::emu
