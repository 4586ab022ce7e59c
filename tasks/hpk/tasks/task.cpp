// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/error.hpp>
#include <hpk/tasks/detail/task_queue.hpp>

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>
#include <vector>

namespace hpk::detail {

namespace {

constexpr task_type when_all_type{nullptr, nullptr, nullptr, nullptr, 0};
// Offset of the links of a when_all, which follow its node.
constexpr std::size_t links_offset = (sizeof(task_node) + 15) / 16 * 16;

[[noreturn]] void fail(text& message, const std::source_location& where) {
  hpk::raise(std::move(message), where);
}
void add_place(text& out, const std::source_location& where) {
  if (where.line() != 0) out << " (spawned at " << where.file_name() << ':' << where.line() << ')';
}
text about(const char* call, const task_node& task) {
  text out;
  out << call << ": the task \"" << task.info.label << '"';
  add_place(out, task.info.where);
  return out;
}

[[noreturn]] void reject_missing(const char* call, const std::source_location& where) {
  fail(text() << call
              << ": the future is null, because its spawn or when_all found no memory in the pool "
                 "of the scheduler; give TaskScheduler a larger capacity, or ask is_null() and "
                 "spawn less at a time",
       where);
}

task_queue* make(int workers, std::string_view space, MemoryPool<HostSpace> pool) {
  return new task_queue(workers, space, std::move(pool));
}

}  // namespace

task_share task_share::missing(task_queue& queue) noexcept {
  task_share share;
  detail::retain(queue);
  share.word_ = reinterpret_cast<std::uintptr_t>(&queue) | tag;
  return share;
}

void task_share::copy_from(const task_share& other) noexcept {
  std::uintptr_t word = other.load();
  // The mark "unchecked" moves to the copy: only one of the two must be checked.
  if ((word & tag) != 0)
    word = word_ref<std::uintptr_t>(other.word_).exchange(0, memory_order::relaxed);
  word_ = word;
  if (word != 0 && (word & tag) == 0) as_task(word)->owners.fetch_add(1, memory_order::relaxed);
}

void task_share::release() noexcept {
  if ((word_ & tag) == 0) {
    task_node* const task = as_task(word_);
    task->queue->release_task(*task);
    return;
  }
  task_queue& queue = *reinterpret_cast<task_queue*>(word_ & ~tag);
  {
    const std::lock_guard lock(queue.failures_guard);
    ++queue.refused;
  }
  detail::release(queue);
}

void task_share::forgive() const noexcept {
  const std::uintptr_t word = word_ref<std::uintptr_t>(word_).exchange(0, memory_order::relaxed);
  if ((word & tag) != 0) detail::release(*reinterpret_cast<task_queue*>(word & ~tag));
}

task_node& task_share::expect(const char* call, const std::source_location& where) const {
  if (is_missing()) {
    forgive();
    reject_missing(call, where);
  }
  task_node* const task = look();
  if (task == nullptr) {
    fail(text() << call
                << ": the future is null: nothing was spawned, or the pool had no memory for it; "
                   "ask is_null()",
         where);
  }
  return *task;
}

task_queue* make_task_queue(int workers, std::string_view space, const task_pool_sizes& sizes) {
  seam::expect_outside_kernel("hpk::TaskScheduler");
  return make(workers, space,
              MemoryPool<HostSpace>("hpk::TaskScheduler", HostSpace(), sizes.capacity,
                                    sizes.min_block, sizes.max_block, sizes.superblock));
}
task_queue* make_task_queue(int workers, std::string_view space,
                            const MemoryPool<HostSpace>& pool) {
  seam::expect_outside_kernel("hpk::TaskScheduler");
  return make(workers, space, pool);
}

void retain(task_queue& queue) noexcept { queue.handles.fetch_add(1, std::memory_order_relaxed); }

void release(task_queue& queue) {
  if (queue.handles.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  text message;
  message << "hpk::TaskScheduler on " << queue.space;
  {
    // Keeps the queue alive while dropped tasks destroy their futures.
    queue.handles.store(1, std::memory_order_relaxed);
    std::string lost = queue.drop_ready();
    const std::string waiting = queue.drop_waiting();
    if (!lost.empty() && !waiting.empty()) lost += ", ";
    lost += waiting;
    if (!lost.empty()) {
      message << ": the scheduler ends and has tasks that did not run: " << lost
              << "; call hpk::wait(scheduler) first";
      if (std::uncaught_exceptions() == 0) abort_program(message.str().c_str());
      std::fprintf(stderr, "hpk: %s\n", message.str().c_str());
    } else if (queue.refused != 0) {
      message << ": " << queue.refused
              << " tasks were lost, because the pool had no memory and the program did not check "
                 "their null futures; "
              << queue.refused_text;
      std::fprintf(stderr, "hpk: %s\n", message.str().c_str());
    }
  }
  bool last = false;
  {
    const std::lock_guard lock(queue.outside);
    queue.closing = true;
    last = counts_of(queue).now == 0;
  }
  if (last) delete &queue;
}

void* allocate_task(task_queue& queue, std::size_t bytes, std::string_view label,
                    const std::source_location& where) {
  if (bytes > queue.pool.max_block_size()) {
    fail(
        text() << "hpk::TaskScheduler: the task \"" << label << "\" takes " << bytes
               << " bytes, and blocks of the pool have " << queue.pool.max_block_size()
               << " at most; give TaskScheduler a larger max_block, or keep large members in Views",
        where);
  }
  void* const memory = queue.allocate(bytes);
  if (memory == nullptr) {
    text out;
    out << "the last was \"" << label << "\" of " << bytes << " bytes";
    add_place(out, where);
    out << " in a pool of " << queue.pool.capacity() << "; give TaskScheduler a larger capacity";
    const std::lock_guard lock(queue.failures_guard);
    queue.refused_text = out.str();
  }
  return memory;
}
void deallocate_task(task_queue& queue, void* memory, std::size_t bytes) noexcept {
  queue.deallocate(memory, bytes);
}

void submit_task(task_node& task, task_node* behind) { task.queue->submit(task, behind, true); }

task_share make_when_all(task_queue& queue, const task_share* const* futures, int count,
                         const std::source_location& where) {
  constexpr const char* call = "hpk::TaskScheduler::when_all";
  expect_may_spawn(call, false, where);
  std::vector<task_node*> tasks;
  tasks.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int k = 0; k < count; ++k) {
    if (futures[k]->is_missing()) reject_missing(call, where);
    task_node* const task = futures[k]->look();
    if (task == nullptr) continue;
    expect_same_queue(queue, *task, call, where);
    tasks.push_back(task);
  }
  const int waits = static_cast<int>(tasks.size());
  const std::size_t bytes = when_all_bytes(waits);
  void* const memory = allocate_task(queue, bytes, "when_all", where);
  if (memory == nullptr) return task_share::missing(queue);
  auto* const all = ::new (memory) task_node(queue, when_all_type, "when_all", where, bytes);
  all->owners.store(2, memory_order::relaxed);
  auto* const links = reinterpret_cast<task_link*>(static_cast<std::byte*>(memory) + links_offset);
  for (int k = 0; k < waits; ++k) ::new (static_cast<void*>(links + k)) task_link;
  queue.wait_for_all(*all, links, tasks.data(), waits);
  return task_share(all);
}
std::size_t when_all_bytes(int count) noexcept {
  return links_offset + sizeof(task_link) * static_cast<std::size_t>(std::max(count, 0));
}

bool is_done(const task_node& task) noexcept {
  return is_mark(task.waiters.load(memory_order::acquire));
}

void expect_result(const task_node& task, const std::source_location& where) {
  const task_link* const waiters = task.waiters.load(memory_order::acquire);
  if (waiters == &done_mark) return;
  if (waiters == &failed_mark) {
    fail(about("hpk::BasicFuture::get", task)
             << " has no result: it threw, or waited for a task that failed",
         where);
  }
  fail(about("hpk::BasicFuture::get", task) << " is not done; call hpk::wait(scheduler) first, or "
                                               "hpk::respawn(this, future) in a task",
       where);
}

void expect_same_queue(const task_queue& queue, const task_node& of, const char* call,
                       const std::source_location& where) {
  if (&queue == of.queue) return;
  fail(about(call, of) << " is of another scheduler, on " << of.queue->space
                       << ", and can't be waited for here; call hpk::wait() of that one first",
       where);
}

void expect_may_spawn(const char* call, bool task, const std::source_location& where) {
  if (seam::inside_kernel()) seam::expect_outside_kernel(call);
  if (!task || find_worker() != nullptr) return;
  fail(text() << call << ": called outside of a task; write hpk::host_spawn", where);
}

void respawn_task(const void* self, const task_share* behind, TaskPriority priority,
                  const std::source_location& where) {
  constexpr const char* call = "hpk::respawn";
  if (seam::inside_kernel()) seam::expect_outside_kernel(call);
  const worker_state* const worker = find_worker();
  task_node* const task = worker == nullptr ? nullptr : worker->task;
  if (task == nullptr)
    fail(text() << call << ": called outside of a task; write hpk::host_spawn", where);
  const auto* const functor = static_cast<const std::byte*>(task->type->functor(*task));
  const auto* const given = static_cast<const std::byte*>(self);
  if (given < functor || given >= functor + task->type->functor_bytes)
    fail(text() << call << ": the object is not the task that runs; write hpk::respawn(this, ...)",
         where);
  if (task->respawned)
    fail(text() << call << ": called twice; wait for several tasks by scheduler.when_all", where);
  if (behind != nullptr) {
    task_node& other = behind->expect(call, where);
    expect_same_queue(*task->queue, other, call, where);
    if (&other == task) fail(text() << call << ": the task would wait for itself", where);
    other.owners.fetch_add(1, memory_order::relaxed);
    task->behind = &other;
  }
  task->respawned = true;
  task->priority = priority;
}

void expect_may_wait(const char* call, const std::source_location& where) {
  if (seam::inside_kernel()) seam::expect_outside_kernel(call);
  if (seam::load_task() == nullptr) return;
  fail(text() << call
              << ": called inside of a task, which would wait for itself; write hpk::respawn(this, "
                 "future), which runs the task again when the future is ready",
       where);
}

int begin_work(task_queue& queue) {
  if (!queue.any_ready()) return 0;
  queue.activity.store(0, std::memory_order_relaxed);
  queue.finished.store(false, std::memory_order_release);
  return queue.workers;
}

void work(task_queue& queue, int rank, void* member) noexcept { queue.work(rank, member); }

void end_work(task_queue& queue, const std::source_location& where) {
  std::exception_ptr failure;
  int refused = 0;
  std::string refused_text;
  {
    const std::lock_guard lock(queue.failures_guard);
    failure = std::exchange(queue.failure, nullptr);
    refused = std::exchange(queue.refused, 0);
    refused_text = queue.refused_text;
  }
  std::string waiting;
  // Calls any_waiting() first: a task that waits for a task just spawned by another thread is not
  // an error.
  if (queue.any_waiting() && !queue.any_ready()) waiting = queue.drop_waiting();
  if (failure != nullptr) std::rethrow_exception(failure);
  if (!waiting.empty()) {
    fail(text() << "hpk::wait: nothing is ready, and these tasks wait for each other, or for "
                   "themselves: "
                << waiting << "; they were dropped",
         where);
  }
  if (refused != 0) {
    fail(text() << "hpk::wait: " << refused
                << " tasks were lost, because the pool had no memory and the program did not check "
                   "their null futures; "
                << refused_text,
         where);
  }
}

task_counts counts_of(const task_queue& queue) noexcept {
  task_counts counts{queue.pool.capacity(), 0, 0, 0};
  std::int64_t made = 0;
  std::int64_t ended = 0;
  std::int64_t most = 0;
  for (int k = 0; k <= queue.workers; ++k) {
    const task_slot& slot = queue.slots[static_cast<std::size_t>(k)];
    made += slot.made.load(std::memory_order_relaxed);
    ended += slot.ended.load(std::memory_order_relaxed);
    most += slot.most.load(std::memory_order_relaxed);
  }
  counts.now = static_cast<std::size_t>(std::max<std::int64_t>(0, made - ended));
  counts.most = static_cast<std::size_t>(most);
  counts.all = static_cast<std::size_t>(made);
  return counts;
}

}  // namespace hpk::detail
