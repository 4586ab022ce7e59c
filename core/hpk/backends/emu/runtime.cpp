// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/fork.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/emu/profile/copy_recorder.hpp>
#include <hpk/backends/emu/profile/launch_recorder.hpp>
#include <hpk/backends/emu/queue.hpp>
#include <hpk/backends/emu/runtime.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/spaces/instance.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hpk::emu {

constinit thread_local address_translation thread_translation{0, &reject_host_access, nullptr,
                                                              nullptr};
constinit thread_local int current_device = 0;

namespace {

// The living queues, and the queues that their own thread destroyed because a kernel had captured
// the last handle: another thread must join their threads. Never destroyed.
struct queue_list {
  std::mutex guard;
  std::vector<std::shared_ptr<queue>> queues;
  std::vector<std::shared_ptr<queue>> stopping;
};
queue_list& all_queues() {
  static queue_list& only = *new queue_list;
  return only;
}
std::vector<std::shared_ptr<queue>> take_stopping() {
  queue_list& list = all_queues();
  const std::lock_guard lock(list.guard);
  queue::unfinished.fetch_sub(list.stopping.size());
  return std::exchange(list.stopping, {});
}

// A point in the work of a queue.
struct point : seam::event_point {
  bool ready() override {
    const bool is_done = done.load(std::memory_order_acquire);
    if (is_done) host_access_detector::on_host_wait();
    return is_done;
  }
  void wait() override {
    if (!done.load(std::memory_order_acquire)) expect_not_forked();
    done.wait(false, std::memory_order_acquire);
    // A queue that waits for another queue is no host code.
    if (!queue::is_queue_thread()) host_access_detector::on_host_wait();
  }
  std::int64_t done_at() override { return time; }
  void mark_reached() noexcept {
    time = detail::steady_nanoseconds();
    done.store(true, std::memory_order_release);
    done.notify_all();
  }
  std::atomic<bool> done{false};
  std::int64_t time = 0;
};

// The task that marks a point in the work of a queue as reached.
class point_task : public task {
 public:
  explicit point_task(point* made) : made_(made), event_(made) {}
  const Event& event() const { return event_; }
  void run(std::uint64_t) override {}
  bool completes() const noexcept override { return true; }
  void complete() noexcept override { made_->mark_reached(); }

 private:
  point* made_;
  Event event_;
};

// A program may end without a fence and without hpk::finalize. Its last kernels still run, so that
// the detectors see them.
void finish_at_exit() noexcept {
  if (queue::unfinished.load() != 0) runtime::synchronize_all();
}

}  // namespace

int runtime::device_of(queue* stream) noexcept { return stream->device(); }

queue* runtime::create_stream(int device) {
  expect_not_forked();
  note_use();
  [[maybe_unused]] static const int registered = std::atexit(&finish_at_exit);
  if (device < 0) {
    device = current_options().device;
  } else {
    seam::check_device(device, current_options().devices, "Emu");
  }
  if (!queue::is_queue_thread()) take_stopping();
  auto created = std::make_shared<queue>(device);
  queue_list& list = all_queues();
  const std::lock_guard lock(list.guard);
  list.queues.push_back(created);
  return created.get();
}

void runtime::destroy_stream(queue* stream) noexcept {
  if (is_forked()) return;  // a thread that is in the parent can't be joined
  std::shared_ptr<queue> stopping;
  queue_list& list = all_queues();
  const std::lock_guard lock(list.guard);
  const auto found = std::find_if(list.queues.begin(), list.queues.end(),
                                  [&](const auto& q) { return q.get() == stream; });
  stopping = std::move(*found);
  list.queues.erase(found);
  if (stream->on_own_thread()) {
    stream->request_stop();
    list.stopping.push_back(std::move(stopping));
    queue::unfinished.fetch_add(1);
  }
}

void runtime::submit(queue* stream, task* work) {
  stream->submit_or_run(std::unique_ptr<task>(work));
}

bool runtime::is_counted() noexcept { return launch_recorder::is_recording(); }
void runtime::begin_iteration() noexcept { launch_recorder::on_iteration(); }

void runtime::synchronize(queue* stream) { stream->drain(); }

void runtime::synchronize_all() {
  if (is_forked()) return;
  if (queue::unfinished.load() == 0 && !queue::is_queue_thread()) [[likely]]
    return host_access_detector::on_host_wait();
  std::vector<std::shared_ptr<queue>> queues;
  {
    queue_list& list = all_queues();
    const std::lock_guard lock(list.guard);
    queues = list.queues;
  }
  for (const auto& q : queues) q->drain();
  if (!queue::is_queue_thread()) take_stopping();
}

Event runtime::record(queue* stream) {
  auto made = std::make_unique<point_task>(new point);
  Event event = made->event();
  stream->submit(std::move(made));
  return event;
}

void runtime::wait(queue* stream, const Event& event) {
  stream->submit(make_task([event] { event.wait(); }));
}

bool runtime::is_idle(queue* stream) noexcept { return stream->is_idle(); }

void runtime::call(queue* stream, seam::host_call* work) {
  stream->submit(make_task([work = std::unique_ptr<seam::host_call>(work)] {
    host_access_detector::on_host_wait();  // `work` is host code that runs after earlier kernels
    work->run();
  }));
}

void* runtime::allocate_workspace(queue* stream, std::size_t bytes) {
  void* data = arena::allocate(bytes, 64, arena::access::device, stream->device());
  if (data == nullptr) {
    detail::raise_bad_alloc((detail::text() << "hpk::Emu: no device memory left for " << bytes
                                            << " bytes of a workspace")
                                .str());
  }
  return arena::resolve(data);
}

void runtime::free_workspace(void* data, std::size_t) noexcept { arena::deallocate(data); }

void runtime::copy(queue* stream, void* to, const void* from, std::size_t bytes) {
  const bool fills_mirror = host_access_detector::on_copy(to, from, bytes);
  stream->submit_or_run(make_task([=] {
    if (const auto* profile = counting_for()) record_copy(*profile, to, from, bytes);
    std::memmove(arena::resolve(to), arena::resolve(from), bytes);
    if (fills_mirror) host_access_detector::on_mirror_filled(to, bytes);
  }));
}

void runtime::fill(queue* stream, void* to, int value, std::size_t bytes) {
  host_access_detector::on_fill(to);
  stream->submit_or_run(make_task([=] { std::memset(arena::resolve(to), value, bytes); }));
}

seam::machine_properties runtime::properties(queue*) {
  const options& o = current_options();
  seam::machine_properties p;
  p.name = "Emu";
  p.workers = o.workers_now();
  p.largest_lanes = 1024;
  p.lanes_at_once = p.workers * p.largest_lanes;
  p.scratch_bytes[0] = std::size_t{48} << 10;  // the minimum of all GPUs of both vendors
  p.scratch_bytes[1] = std::size_t{20} << 20;
  p.subgroup = o.subgroup;
  // Shuffled iterations need separate lanes. Otherwise a lane runs many iterations, so that the
  // time to start it does not matter.
  p.preferred_lanes = o.lane_per_iteration() ? 256 : 32;
  p.lane_iterations = o.lane_per_iteration() ? 1 : 64;
  return p;
}

}  // namespace hpk::emu
