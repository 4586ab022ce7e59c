// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/host_call.hpp>
#include <hpk/seam/turn.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hpk::seam {

namespace {

struct failure {
  const void* machine;
  std::exception_ptr thrown;
  std::string label;
};
struct retired {
  const void* machine;
  std::unique_ptr<host_call> call;
};
// Finished calls of all machines that await a fence. The lists are short.
struct call_list {
  std::atomic<std::size_t> waiting{0};  // size of both vectors; most fences read only this word
  std::mutex guard;
  std::vector<failure> failures;
  std::vector<retired> calls;
};
call_list& all_calls() {
  // Never destroyed, because destructors of static objects may fence.
  static call_list& list = *new call_list;
  return list;
}

template <class Entry>
std::vector<Entry> take(std::vector<Entry>& from, const void* machine) {
  std::vector<Entry> taken;
  std::vector<Entry> remaining;
  for (Entry& entry : from)
    (machine == nullptr || entry.machine == machine ? taken : remaining)
        .push_back(std::move(entry));
  from = std::move(remaining);
  return taken;
}

// Destructors of the captured objects may launch and fence, so they run after the list is unlocked.
std::vector<failure> take_failures(const void* machine) {
  call_list& list = all_calls();
  std::vector<retired> calls;
  std::vector<failure> failures;
  {
    const std::lock_guard lock(list.guard);
    calls = take(list.calls, machine);
    failures = take(list.failures, machine);
    list.waiting.fetch_sub(calls.size() + failures.size(), std::memory_order_relaxed);
  }
  return failures;
}

}  // namespace

void host_call::run() noexcept {
  const working_scope working;
  const task_scope inside(info_);
  try {
    call();
  } catch (...) {
    call_list& list = all_calls();
    const std::lock_guard lock(list.guard);
    list.failures.push_back({machine_, std::current_exception(), label_});
    list.waiting.fetch_add(1, std::memory_order_release);
  }
}

void host_call::retire() noexcept {
  call_list& list = all_calls();
  const std::lock_guard lock(list.guard);
  list.calls.push_back({machine_, std::unique_ptr<host_call>(this)});
  list.waiting.fetch_add(1, std::memory_order_release);
}

void settle_host_calls(const void* machine) {
  if (all_calls().waiting.load(std::memory_order_acquire) == 0) [[likely]]
    return;
  const std::vector<failure> failures = take_failures(machine);
  if (!failures.empty()) std::rethrow_exception(failures.front().thrown);
}

void forget_host_calls(const void* machine) noexcept {
  for (const failure& failed : take_failures(machine)) {
    const char* what = "something that is no std::exception";
    try {
      std::rethrow_exception(failed.thrown);
    } catch (const std::exception& thrown) {
      what = thrown.what();
    } catch (...) {
    }
    std::fprintf(stderr,
                 "hpk: hpk::host_task \"%s\" threw, and its instance ended without a fence: %s\n",
                 failed.label.c_str(), what);
  }
}

}  // namespace hpk::seam
