// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/threads/pool.hpp>

#include <hpk/backends/host/placement.hpp>
#include <hpk/backends/host/topology.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/seam/fork.hpp>

#include <algorithm>
#include <mutex>

namespace hpk::threads {

namespace {

void relax() noexcept {
#if HPK_HAS_X86_PAUSE
  __builtin_ia32_pause();
#endif
}

// Whether value differs from `old` within `spin`. Pauses for a few microseconds, then yields.
bool changes_soon(const std::atomic<std::uint32_t>& value, std::uint32_t old,
                  std::chrono::microseconds spin) noexcept {
  using clock = std::chrono::steady_clock;
  if (spin.count() == 0) return false;
  constexpr int pause_rounds = 50;
  for (int round = 0; round < pause_rounds; ++round) {
    if (value.load(std::memory_order_acquire) != old) return true;
    relax();
  }
  for (const auto end = clock::now() + spin; clock::now() < end;) {
    std::this_thread::yield();
    if (value.load(std::memory_order_acquire) != old) return true;
  }
  return false;
}

constinit thread_local int rank_of_this_thread = 0;

}  // namespace

// A list of all pools, for forks.
class pool::list {
 public:
  static void add(pool* made) {
    const std::lock_guard lock(all().guard_);
    all().pools_.push_back(made);
  }
  static void remove(pool* ended) {
    const std::lock_guard lock(all().guard_);
    std::erase(all().pools_, ended);
  }

 private:
  static void repair() {
    seam::make_anew(all().guard_);
    for (pool* each : all().pools_) each->workers_are_lost_ = true;
  }
  static list& all() {
    // Never destroyed, because pools may outlive static objects.
    static list& only = *[] {
      seam::on_fork(&repair);
      return new list;
    }();
    return only;
  }

  std::mutex guard_;
  std::vector<pool*> pools_;
};

// With more workers than CPUs a spinning worker only takes CPU time from another.
pool::pool(int workers, bool pin, std::chrono::microseconds spin)
    : spin_(workers <= host::worker_count(0) ? spin : std::chrono::microseconds(0)),
      pin_(pin && workers > 1),
      cores_(pin_ ? host::usable_cores() : std::vector<host::core>()),
      signals_(host::places_of_workers(cores_, workers)),
      all_arrivals_(signals_.arrivals(signal_plan::last_gate, workers)),
      boxes_(static_cast<std::size_t>(workers)),
      gates_(static_cast<std::size_t>(signals_.gates())),
      pinned_(pin_) {
  start();
  list::add(this);
}

pool::~pool() {
  list::remove(this);
  if (workers_are_lost_) {
    forget_workers();
  } else {
    stop();
  }
}

void pool::start() {
  for (std::size_t rank = 0; rank < boxes_.size(); ++rank) {
    const std::span<const int> woken = signals_.woken_by(static_cast<int>(rank));
    boxes_[rank].far = woken.first(woken.empty() ? 0 : woken.size() - 1);
    boxes_[rank].near = woken.empty() ? 0 : woken.back();
    boxes_[rank].gate = signals_.gate_of(static_cast<int>(rank));
  }
  try {
    for (int rank = 1; rank < static_cast<int>(boxes_.size()); ++rank)
      boxes_[static_cast<std::size_t>(rank)].thread = std::thread([this, rank] { serve(rank); });
  } catch (...) {
    stop();
    throw;
  }
}

void pool::start_again() {
  forget_workers();
  start();
  workers_are_lost_ = false;
}

// The threads are not in this process, so they can't be joined.
void pool::forget_workers() noexcept {
  for (mailbox& box : boxes_) seam::make_anew(box);
  asleep_.store(0, std::memory_order_relaxed);
  for (gate& each : gates_) seam::make_anew(each);
}

void pool::stop() noexcept {
  for (std::size_t rank = 1; rank < boxes_.size(); ++rank) {
    if (boxes_[rank].thread.joinable()) wake(static_cast<int>(rank), {});
  }
  for (mailbox& box : boxes_) {
    if (box.thread.joinable()) box.thread.join();
  }
}

int pool::participants(const host::erased_launch& launched) const noexcept {
  return static_cast<int>(std::min(launched.groups(), static_cast<index_t>(boxes_.size())));
}

bool pool::let_sleep() noexcept {
  if (asleep_.load(std::memory_order_relaxed) == 0) return false;
  constexpr int period = 16;
  left_asleep_ = left_asleep_ == period - 1 ? 0 : left_asleep_ + 1;
  return left_asleep_ != 0;
}

void pool::wake(int rank, const host::erased_launch& launched) noexcept {
  mailbox& box = boxes_[static_cast<std::size_t>(rank)];
  box.launch = launched;
  box.signal.fetch_add(1, std::memory_order_release);
  box.signal.notify_one();
}

void pool::wake_others(const mailbox& box, int participants,
                       const host::erased_launch& launched) noexcept {
  for (const int other : box.far) {
    if (other < participants) wake(other, launched);
  }
  if (box.near != 0 && box.near < participants) wake(box.near, launched);
}

// The last worker to arrive at a gate resets the gate for the next launch and arrives at the next
// gate.
void pool::arrive(int gate, int participants) noexcept {
  for (; gate != signal_plan::last_gate; gate = signals_.next_gate(gate)) {
    std::atomic<std::uint32_t>& arrivals = gates_[static_cast<std::size_t>(gate)].arrivals;
    const auto all = static_cast<std::uint32_t>(signals_.arrivals(gate, participants));
    if (arrivals.fetch_add(1, std::memory_order_acq_rel) + 1 != all) return;
    arrivals.store(0, std::memory_order_relaxed);
  }
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
}

bool pool::bind(int rank) const noexcept {
  if (cores_.empty()) return false;
  const int own =
      host::core_of_worker(rank, static_cast<int>(boxes_.size()), static_cast<int>(cores_.size()));
  return host::bind_to(cores_[static_cast<std::size_t>(own)]);
}

int pool::rank_of_thread() noexcept { return rank_of_this_thread; }

void pool::serve(int rank) noexcept {
  rank_of_this_thread = rank;
  if (pin_ && !bind(rank)) pinned_.store(false, std::memory_order_relaxed);
  mailbox& box = boxes_[static_cast<std::size_t>(rank)];
  for (std::uint32_t seen = 0;;) {
    if (!changes_soon(box.signal, seen, spin_)) {
      asleep_.fetch_add(1, std::memory_order_relaxed);
      box.signal.wait(seen, std::memory_order_acquire);
      asleep_.fetch_sub(1, std::memory_order_relaxed);
    }
    seen = box.signal.load(std::memory_order_acquire);
    if (box.launch.groups() == 0) return;
    const int workers = participants(box.launch);
    wake_others(box, workers, box.launch);
    host::run_groups(rank, workers, box.launch);
    arrive(box.gate, workers);
  }
}

void pool::run(const host::erased_launch& launched) {
  const int workers = participants(launched);
  if (workers <= 1) {
    host::run_groups(0, 1, launched);
    return;
  }
  if (workers_are_lost_) [[unlikely]]
    start_again();
  const bool all = workers == static_cast<int>(boxes_.size());
  const int arrivals = all ? all_arrivals_ : signals_.arrivals(signal_plan::last_gate, workers);
  unfinished_.store(static_cast<std::uint32_t>(arrivals), std::memory_order_relaxed);
  wake_others(boxes_[0], workers, launched);
  host::run_groups(0, workers, launched);
  if (workers_are_lost_) [[unlikely]]
    detail::raise("hpk::Threads: fork() inside a kernel left the other workers in the parent");
  for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire)) {
    if (!changes_soon(unfinished_, left, spin_)) unfinished_.wait(left, std::memory_order_acquire);
  }
}

}  // namespace hpk::threads
