// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/tasks/detail/task_queue.hpp>

#include <hpk/error.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace hpk::detail {

namespace {

constinit thread_local worker_state* this_worker = nullptr;

constexpr std::uint64_t one_wakes = (std::uint64_t{1} << 32) + 1;
constexpr std::uint64_t active_mask = 0xffff'ffff;

int size_class(std::size_t bytes) noexcept {
  return std::max(0, static_cast<int>(std::bit_width(bytes - 1)) - 6);
}

int spares_of(const MemoryPool<HostSpace>& pool, int workers) {
  // All workers together keep at most a quarter of the pool: each keeps up to `share` bytes of the
  // largest size, and at most twice that over all sizes.
  const std::size_t share = pool.capacity() / (8 * static_cast<std::size_t>(workers));
  return static_cast<int>(
      std::min<std::size_t>(64, share / std::max<std::size_t>(1, pool.max_block_size())));
}

}  // namespace

constinit task_link done_mark;
constinit task_link failed_mark;

void task_list::push_front(task_node& task) noexcept {
  task.before = nullptr;
  task.after = first;
  (first != nullptr ? first->before : last) = &task;
  first = &task;
}
void task_list::push_back(task_node& task) noexcept {
  task.after = nullptr;
  task.before = last;
  (last != nullptr ? last->after : first) = &task;
  last = &task;
}
void task_list::remove(task_node& task) noexcept {
  (task.before != nullptr ? task.before->after : first) = task.after;
  (task.after != nullptr ? task.after->before : last) = task.before;
}

task_queue::task_queue(int w, std::string_view s, MemoryPool<HostSpace> p)
    : workers(w),
      space(s),
      pool(std::move(p)),
      most_spares(spares_of(pool, w)),
      slots(new task_slot[static_cast<std::size_t>(w) + 1]) {}

task_queue::~task_queue() = default;

int task_queue::slot_here() const noexcept {
  return this_worker != nullptr && this_worker->queue == this ? this_worker->slot : workers;
}

void* task_queue::allocate(std::size_t bytes) noexcept {
  const int here = slot_here();
  task_slot& slot = slots[static_cast<std::size_t>(here)];
  std::unique_lock<std::mutex> lock;
  if (here == workers) lock = std::unique_lock(outside);
  void* memory = nullptr;
  task_slot::spare& spare = slot.spares[size_class(bytes)];
  if (spare.first != nullptr) {
    memory = spare.first;
    spare.first = *static_cast<void**>(memory);
    --spare.count;
  } else {
    memory = pool.allocate(bytes);
  }
  if (memory == nullptr) return nullptr;
  const std::int64_t made = slot.made.load(std::memory_order_relaxed) + 1;
  slot.made.store(made, std::memory_order_relaxed);
  const std::int64_t now = made - slot.ended.load(std::memory_order_relaxed);
  if (now > slot.most.load(std::memory_order_relaxed))
    slot.most.store(now, std::memory_order_relaxed);
  return memory;
}

void task_queue::deallocate(void* memory, std::size_t bytes) noexcept {
  const int here = slot_here();
  task_slot& slot = slots[static_cast<std::size_t>(here)];
  if (here == workers) {
    bool last = false;
    {
      const std::lock_guard lock(outside);
      pool.deallocate(memory);
      slot.ended.fetch_add(1, std::memory_order_relaxed);
      last = closing && counts_of(*this).now == 0;
    }
    if (last) delete this;
    return;
  }
  slot.ended.store(slot.ended.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  task_slot::spare& spare = slot.spares[size_class(bytes)];
  if (spare.count < most_spares) {
    *static_cast<void**>(memory) = spare.first;
    spare.first = memory;
    ++spare.count;
  } else {
    pool.deallocate(memory);
  }
}

void task_queue::release_task(task_node& task) noexcept {
  if (task.owners.fetch_sub(1, memory_order::acq_rel) != 1) return;
  const std::size_t bytes = task.bytes;
  if (task.type->end_result != nullptr) task.type->end_result(task);
  deallocate(&task, bytes);
}

void task_queue::submit(task_node& task, task_node* behind, bool here) noexcept {
  if (behind == nullptr || is_done(*behind)) {
    if (behind != nullptr && behind->waiters.load(memory_order::acquire) == &failed_mark) {
      finish(task, true);
    } else {
      make_ready(task, here);
    }
    return;
  }
  wait_for_all(task, &task.link, &behind, 1);
}

// With `here`, the task runs next on this worker. Otherwise it goes to the shared list, to run
// after the tasks that are ready now.
void task_queue::make_ready(task_node& task, bool here) noexcept {
  task_slot& slot = slots[static_cast<std::size_t>(here ? slot_here() : workers)];
  slot.guard.lock();
  slot.ready[static_cast<int>(task.priority)].push_front(task);
  // Stores before it checks for sleepers: a worker counts itself as a sleeper before it reads this.
  slot.ready_count.store(slot.ready_count.load(std::memory_order_relaxed) + 1,
                         std::memory_order_seq_cst);
  slot.guard.unlock();
  if (sleepers.load(std::memory_order_seq_cst) != 0) {
    news.fetch_add(1, std::memory_order_seq_cst);
    news.notify_one();
  }
}

void task_queue::wait_for_all(task_node& task, task_link* links, task_node* const* behind,
                              int count) noexcept {
  task_node* done = nullptr;
  {
    std::unique_lock<std::mutex> lock;
    task.slot = slot_here();
    if (task.slot == workers) lock = std::unique_lock(waiting_outside);
    // One more than the number of links, so that the task can't become ready before all links
    // exist.
    task.missing.store(count + 1, memory_order::relaxed);
    task_slot& slot = slots[static_cast<std::size_t>(task.slot)];
    slot.waiting_guard.lock();
    slot.waiting.push_back(task);
    slot.waiting_guard.unlock();
    for (int k = 0; k < count; ++k) {
      links[k].task = &task;
      task_link* seen = behind[k]->waiters.load(memory_order::acquire);
      do {
        links[k].next = seen;
      } while (!is_mark(seen) &&
               !behind[k]->waiters.compare_exchange(seen, &links[k], memory_order::acq_rel));
      if (is_mark(seen)) notify(task, seen == &failed_mark, done);
    }
    notify(task, false, done);
  }
  if (done != nullptr) finish(*done, false);
}

// Called when a predecessor of the task is done. After the last one the task becomes ready; or, if
// it need not run, it is done as well and is put in front of `done`.
void task_queue::notify(task_node& task, bool failed, task_node*& done) noexcept {
  if (failed) task.doomed.store(true, memory_order::relaxed);
  if (task.missing.fetch_sub(1, memory_order::acq_rel) != 1) return;
  {
    task_slot& slot = slots[static_cast<std::size_t>(task.slot)];
    const std::lock_guard lock(slot.waiting_guard);
    slot.waiting.remove(task);
  }
  if (task.type->run != nullptr && !task.doomed.load(memory_order::relaxed)) {
    make_ready(task, true);
  } else {
    task.after = done;
    done = &task;
  }
}

void task_queue::finish(task_node& task, bool failed) noexcept {
  task.after = nullptr;
  if (failed) task.doomed.store(true, memory_order::relaxed);
  for (task_node* done = &task; done != nullptr;) {
    task_node& one = *done;
    done = one.after;
    const bool is_doomed = one.doomed.load(memory_order::relaxed);
    if (one.type->end_functor != nullptr) {
      one.type->end_functor(one);
    }
    task_link* link =
        one.waiters.exchange(is_doomed ? &failed_mark : &done_mark, memory_order::acq_rel);
    while (link != nullptr) {
      task_link* const next = link->next;
      notify(*link->task, is_doomed, done);
      link = next;
    }
    release_task(one);
  }
}

task_node* task_queue::take(int from, bool oldest) noexcept {
  task_slot& slot = slots[static_cast<std::size_t>(from)];
  if (slot.ready_count.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(slot.guard);
  for (task_list& list : slot.ready) {
    task_node* const task = oldest ? list.last : list.first;
    if (task == nullptr) continue;
    list.remove(*task);
    slot.ready_count.store(slot.ready_count.load(std::memory_order_relaxed) - 1,
                           std::memory_order_release);
    return task;
  }
  return nullptr;
}

task_node* task_queue::find(int rank) noexcept {
  if (task_node* task = take(rank, false)) return task;
  for (int k = 1; k <= workers; ++k) {
    if (task_node* task = take((rank + k) % (workers + 1), true)) return task;
  }
  return nullptr;
}

bool task_queue::any_ready() const noexcept {
  for (int k = 0; k <= workers; ++k) {
    if (slots[static_cast<std::size_t>(k)].ready_count.load(std::memory_order_seq_cst) != 0)
      return true;
  }
  return false;
}

void task_queue::run(task_node& task, void* member) noexcept {
  this_worker->task = &task;
  task.respawned = false;
  bool failed = false;
  try {
    const seam::task_scope inside(task.info);
    task.type->run(task, member);
  } catch (...) {
    failed = true;
    const std::lock_guard lock(failures_guard);
    if (failure == nullptr) failure = std::current_exception();
  }
  this_worker->task = nullptr;
  // Functors and results are destroyed as in host code.
  const seam::outside_kernel_scope outside_kernel;
  task_node* const behind = std::exchange(task.behind, nullptr);
  if (task.respawned && !failed) {
    submit(task, behind, false);
  } else {
    finish(task, failed);
  }
  if (behind != nullptr) release_task(*behind);
}

void task_queue::work(int rank, void* member) noexcept {
  if (finished.load(std::memory_order_acquire)) return;
  worker_state state{this, rank, nullptr};
  worker_state* const outer = std::exchange(this_worker, &state);
  activity.fetch_add(one_wakes, std::memory_order_seq_cst);
  do {
    while (task_node* task = find(rank)) run(*task, member);
  } while (become_idle());
  this_worker = outer;
}

// Waits for work. Returns false when all tasks are done: no worker is active, no list has a ready
// task, and no worker woke up during this check.
bool task_queue::become_idle() noexcept {
  activity.fetch_sub(1, std::memory_order_seq_cst);
  constexpr int rounds = 100;  // most tasks end before a sleeping worker would wake up
  for (int round = 0;; ++round) {
    const std::uint32_t seen = news.load(std::memory_order_seq_cst);
    if (finished.load(std::memory_order_acquire)) return false;
    const std::uint64_t before = activity.load(std::memory_order_seq_cst);
    if (any_ready()) {
      activity.fetch_add(one_wakes, std::memory_order_seq_cst);
      return true;
    }
    if ((before & active_mask) == 0 && activity.load(std::memory_order_seq_cst) == before) {
      finished.store(true, std::memory_order_release);
      news.fetch_add(1, std::memory_order_seq_cst);
      news.notify_all();
      return false;
    }
    if (round < rounds) {
      std::this_thread::yield();
      continue;
    }
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    // The last active worker does not sleep, so it detects the end itself.
    if (!any_ready() && (activity.load(std::memory_order_seq_cst) & active_mask) != 0)
      news.wait(seen, std::memory_order_seq_cst);
    sleepers.fetch_sub(1, std::memory_order_seq_cst);
  }
}

bool task_queue::any_waiting() noexcept {
  for (int k = 0; k <= workers; ++k) {
    task_slot& slot = slots[static_cast<std::size_t>(k)];
    const std::lock_guard lock(slot.waiting_guard);
    if (slot.waiting.first != nullptr) return true;
  }
  return false;
}

std::string task_queue::drop(bool ready) {
  text names;
  int count = 0;
  constexpr int most = 5;
  task_list all;
  for (int k = 0; k <= workers; ++k) {
    task_slot& slot = slots[static_cast<std::size_t>(k)];
    for (int list = 0; list < (ready ? 3 : 1); ++list) {
      task_list& from = ready ? slot.ready[list] : slot.waiting;
      while (task_node* task = from.first) {
        from.remove(*task);
        all.push_back(*task);
        task->owners.fetch_add(1, memory_order::relaxed);  // until it leaves the list here
        if (task->type->run == nullptr || ++count > most) continue;
        names << (count == 1 ? "" : ", ") << '"' << task->info.label << "\" (spawned at "
              << task->info.where.file_name() << ':' << task->info.where.line() << ')';
      }
    }
    if (ready) slot.ready_count.store(0, std::memory_order_relaxed);
  }
  if (count > most) names << " and " << count - most << " more";
  // Tasks that wait for a dropped task are dropped too.
  while (task_node* task = all.first) {
    all.remove(*task);
    if (ready) {
      finish(*task, true);
    } else {
      task->doomed.store(true, memory_order::relaxed);
      if (task->type->end_functor != nullptr) task->type->end_functor(*task);
      static_cast<void>(task->waiters.exchange(&failed_mark, memory_order::acq_rel));
      release_task(*task);
    }
    release_task(*task);
  }
  return names.str();
}

std::string task_queue::drop_waiting() {
  const std::lock_guard lock(waiting_outside);
  return drop(false);
}
std::string task_queue::drop_ready() { return drop(true); }

worker_state* find_worker() noexcept { return this_worker; }

}  // namespace hpk::detail
