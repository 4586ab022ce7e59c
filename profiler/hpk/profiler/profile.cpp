// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel.hpp>

#include <hpk/base/assert.hpp>
#include <hpk/base/call_stack.hpp>
#include <hpk/base/text.hpp>
#include <hpk/profiler/profile.hpp>
#include <hpk/profiler/report_writing.hpp>
#include <hpk/runtime/built_in_tools.hpp>
#include <hpk/runtime/early_end.hpp>
#include <hpk/runtime/initialize.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace hpk::detail {

namespace {

// An event of this thread that has begun and not ended.
struct open_event {
  std::string name;
  std::string spaces;  // source and destination of a copy
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

// The open events of one kind, innermost last. Entries keep their memory, so that later names reuse
// it.
class open_events {
 public:
  open_event& push(std::string_view name) {
    if (count_ == all_.size()) all_.emplace_back();
    open_event& added = all_[count_++];
    added.name = name;
    return added;
  }
  bool empty() const { return count_ == 0; }
  const open_event& last() const { return all_[count_ - 1]; }
  void pop() { --count_; }

 private:
  std::vector<open_event> all_;
  std::size_t count_ = 0;
};

struct profiler {
  std::mutex guard;
  profile_request request;
  file_handle summary, leaks, log, html, trace;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  profile_totals totals;
  std::uint32_t threads = 0;
  // Complete events that are not in the file yet. A trace that is cut off stays readable.
  std::string pending;
  std::uint64_t written_at = 0;
  bool is_first_line = true;
  std::unordered_map<std::uint32_t, bool> named_instances;
  run_facts facts;
  // The profiler of the program's previous start: an event of another thread may still use it.
  std::unique_ptr<profiler> earlier;

  std::uint64_t now() const {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now() - start)
                                          .count());
  }
};

// Never destroyed: static Views may be destroyed after everything else.
profiler* current = nullptr;

struct thread_state {
  std::uint32_t number = 0;
  open_events kernels, fences, copies, regions;
  std::string path;
};
thread_local thread_state this_thread_events;

// The functions down to total_of() require that the caller holds the guard.

void write_pending(profiler& p) {
  std::fwrite(p.pending.data(), 1, p.pending.size(), p.trace.get());
  std::fflush(p.trace.get());
  p.pending.clear();
  p.written_at = p.now();
}

void put(profiler& p, const std::string& line) {
  p.pending += p.is_first_line ? "[\n" : ",\n";
  p.is_first_line = false;
  p.pending += line;
  constexpr std::size_t most_bytes = 32768;
  constexpr std::uint64_t longest_wait = 100'000'000;  // ns
  if (p.pending.size() >= most_bytes || p.now() - p.written_at >= longest_wait) write_pending(p);
}

void put_name(profiler& p, int process, std::uint32_t track, std::string_view name) {
  put(p, (text() << R"({"ph":"M","name":"thread_name","pid":)" << process << R"(,"tid":)" << track
                 << R"(,"args":{"name":)" << in_quotes(name) << "}}")
             .str());
}

std::uint32_t number_of_thread(profiler& p) {
  if (this_thread_events.number == 0) {
    this_thread_events.number = ++p.threads;
    if (p.trace != nullptr) {
      if (this_thread_events.number == 1) {
        put(p, R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"host threads"}})");
        put(p, R"({"ph":"M","name":"process_name","pid":2,"args":{"name":"instances"}})");
      }
      put_name(p, 1, this_thread_events.number,
               (text() << "host thread " << this_thread_events.number).str());
    }
  }
  return this_thread_events.number;
}

void put_span(profiler& p, int process, std::uint32_t track, std::string_view kind,
              std::string_view name, std::uint64_t begin, std::uint64_t end,
              const std::string& arguments = "{}") {
  char times[80];
  std::snprintf(times, sizeof times, R"("ts":%.3f,"dur":%.3f)", static_cast<double>(begin) / 1e3,
                static_cast<double>(end - begin) / 1e3);
  put(p, (text() << R"({"ph":"X","cat":")" << kind << R"(","name":)" << in_quotes(name)
                 << R"(,"pid":)" << process << R"(,"tid":)" << track << ',' << times
                 << R"(,"args":)" << arguments << '}')
             .str());
}

void put_log(profiler& p, const std::string& line) {
  std::fprintf(p.log.get(), "hpk %11.6f thread %u: %s\n", static_cast<double>(p.now()) / 1e9,
               number_of_thread(p), line.c_str());
  std::fflush(p.log.get());
}

profile_total& total_of(profile_table& all, std::string_view name) {
  if (const auto known = all.find(name); known != all.end()) return known->second;
  return all[std::string(name)];
}

// Writes a line to the log, if there is one.
template <class MakeLine>
void log_event(profiler& p, const MakeLine& make_line) {
  if (p.log == nullptr) return;
  const std::lock_guard lock(p.guard);
  put_log(p, make_line().str());
}

enum kind { of_for, of_reduce, of_scan };
constexpr const char* patterns[] = {"parallel_for", "parallel_reduce", "parallel_scan"};

// Only the thread of an event records its beginning, and reads the time last. The end is added to
// the totals under a single lock.

template <kind Kind>
void begin_kernel(const char* name, std::uint32_t device, std::uint64_t* handle) {
  profiler& p = *current;
  *handle = device;
  log_event(p, [&] { return text() << patterns[Kind] << " \"" << name << "\" begins"; });
  this_thread_events.kernels.push(name).begin = p.now();
}

template <kind Kind>
void end_kernel(std::uint64_t device) {
  profiler& p = *current;
  const std::uint64_t end = p.now();
  open_events& events = this_thread_events.kernels;
  if (events.empty()) return;
  const open_event& e = events.last();
  const std::lock_guard lock(p.guard);
  total_of(p.totals.kernels[Kind], e.name).add(end - e.begin);
  if (p.trace != nullptr) {
    const auto instance = static_cast<std::uint32_t>(device);
    put_span(p, 1, number_of_thread(p), patterns[Kind], e.name, e.begin, end,
             (text() << R"({"instance":)" << instance << '}').str());
    if (!std::exchange(p.named_instances[instance], true)) {
      put_name(
          p, 2, instance,
          (text() << "device kind " << (instance >> 24) << ", instance " << (instance & 0x1ffff))
              .str());
    }
    put_span(p, 2, instance, patterns[Kind], e.name, e.begin, end);
  }
  if (p.log != nullptr)
    put_log(p, (text() << patterns[Kind] << " ended after " << (end - e.begin) << " ns").str());
  events.pop();
}

void begin_fence(const char* name, std::uint32_t, std::uint64_t*) {
  profiler& p = *current;
  log_event(p, [&] { return text() << "fence \"" << name << '"'; });
  this_thread_events.fences.push(name).begin = p.now();
}

void end_fence(std::uint64_t) {
  profiler& p = *current;
  const std::uint64_t end = p.now();
  open_events& events = this_thread_events.fences;
  if (events.empty()) return;
  const open_event& e = events.last();
  const std::lock_guard lock(p.guard);
  total_of(p.totals.fences, e.name).add(end - e.begin);
  if (p.trace != nullptr) put_span(p, 1, number_of_thread(p), "fence", e.name, e.begin, end);
  events.pop();
}

void begin_copy(space_handle to, const char* to_label, const void*, space_handle from,
                const char* from_label, const void*, std::uint64_t bytes) {
  profiler& p = *current;
  log_event(p, [&] {
    return text() << "deep_copy of " << bytes << " bytes, \"" << to_label << "\" in " << to.name
                  << " <- \"" << from_label << "\" in " << from.name;
  });
  open_event& e =
      this_thread_events.copies.push((text() << to_label << " <- " << from_label).str());
  e.spaces = (text() << to.name << " <- " << from.name).str();
  e.bytes = bytes;
  e.begin = p.now();
}

void end_copy() {
  profiler& p = *current;
  const std::uint64_t end = p.now();
  open_events& events = this_thread_events.copies;
  if (events.empty()) return;
  const open_event& e = events.last();
  const std::lock_guard lock(p.guard);
  total_of(p.totals.copies, e.spaces).add(end - e.begin, e.bytes);
  if (p.trace != nullptr) {
    put_span(p, 1, number_of_thread(p), "deep_copy", e.name, e.begin, end,
             (text() << R"({"bytes":)" << e.bytes << '}').str());
  }
  events.pop();
}

void push_region(const char* name) {
  profiler& p = *current;
  const std::lock_guard lock(p.guard);
  if (p.log != nullptr) put_log(p, (text() << "region \"" << name << "\" begins").str());
  if (!this_thread_events.path.empty()) this_thread_events.path += '/';
  this_thread_events.path += name;
  ++p.totals.open_regions[this_thread_events.path];
  this_thread_events.regions.push(name).begin = p.now();
}

void end_region(profiler& p, std::uint64_t end) {
  const open_event& e = this_thread_events.regions.last();
  total_of(p.totals.regions, this_thread_events.path).add(end - e.begin);
  if (p.trace != nullptr) put_span(p, 1, number_of_thread(p), "region", e.name, e.begin, end);
  const std::size_t shorter = this_thread_events.path.size() - e.name.size();
  this_thread_events.path.resize(shorter == 0 ? 0 : shorter - 1);
  this_thread_events.regions.pop();
}

void pop_region() {
  profiler& p = *current;
  const std::uint64_t end = p.now();
  const std::lock_guard lock(p.guard);
  if (this_thread_events.regions.empty()) {
    ++p.totals.stray_pops;
    return;
  }
  if (p.log != nullptr)
    put_log(p,
            (text() << "region \"" << this_thread_events.regions.last().name << "\" ended").str());
  if (const auto open = p.totals.open_regions.find(this_thread_events.path); --open->second == 0)
    p.totals.open_regions.erase(open);
  end_region(p, end);
}

void mark(const char* name) {
  profiler& p = *current;
  const std::lock_guard lock(p.guard);
  if (p.log != nullptr) put_log(p, (text() << "event \"" << name << '"').str());
  if (p.trace == nullptr) return;
  char time[40];
  std::snprintf(time, sizeof time, "%.3f", static_cast<double>(p.now()) / 1e3);
  put(p, (text() << R"({"ph":"i","s":"t","name":)" << in_quotes(name) << R"(,"pid":1,"tid":)"
                 << number_of_thread(p) << R"(,"ts":)" << time << '}')
             .str());
}

void put_memory(profiler& p, const char* space, const profile_memory& memory) {
  if (p.trace == nullptr) return;
  char time[40];
  std::snprintf(time, sizeof time, "%.3f", static_cast<double>(p.now()) / 1e3);
  put(p, (text() << R"({"ph":"C","name":)" << in_quotes((text() << "bytes in " << space).str())
                 << R"(,"pid":1,"ts":)" << time << R"(,"args":{"bytes":)" << memory.bytes << "}}")
             .str());
}

void note_allocation(profiler& p, const char* space, const char* label, const void* data,
                     std::uint64_t bytes) {
  void* calls[24];
  const int count = find_calls(calls, 24);
  p.totals.living[data] = {space, label, bytes, this_thread_events.path,
                           std::vector<void*>(calls, calls + count)};
}

void allocated(space_handle space, const char* label, const void* data, std::uint64_t bytes) {
  profiler& p = *current;
  const std::lock_guard lock(p.guard);
  if (p.leaks != nullptr) note_allocation(p, space.name, label, data, bytes);
  profile_memory& memory = p.totals.memory[space.name];
  memory.bytes += bytes;
  memory.by_label[label] += bytes;
  if (memory.bytes > memory.highest) {
    memory.highest = memory.bytes;
    memory.is_at_highest = true;
  }
  if (p.log != nullptr)
    put_log(
        p,
        (text() << "allocates \"" << label << "\", " << bytes << " bytes in " << space.name).str());
  put_memory(p, space.name, memory);
}

void freed(space_handle space, const char* label, const void* data, std::uint64_t bytes) {
  profiler& p = *current;
  const std::lock_guard lock(p.guard);
  if (p.leaks != nullptr) p.totals.living.erase(data);
  profile_memory& memory = p.totals.memory[space.name];
  // The holders at the peak are saved once per peak, not at each allocation on the way to it.
  if (std::exchange(memory.is_at_highest, false)) memory.at_highest = memory.by_label;
  memory.bytes -= bytes < memory.bytes ? bytes : memory.bytes;
  auto& held = memory.by_label[label];
  held -= bytes < held ? bytes : held;
  if (p.log != nullptr)
    put_log(p,
            (text() << "frees \"" << label << "\", " << bytes << " bytes in " << space.name).str());
  put_memory(p, space.name, memory);
}

// Writes and closes all files. The caller holds the guard.
void write_reports(profiler& p) {
  p.totals.nanoseconds = p.now();
  for (auto& [space, memory] : p.totals.memory) {
    if (memory.is_at_highest) memory.at_highest = memory.by_label;
  }
  if (p.summary != nullptr) std::fputs(summary_of(p.totals).c_str(), p.summary.get());
  if (p.leaks != nullptr) std::fputs(leaks_of(p.totals).c_str(), p.leaks.get());
  if (p.html != nullptr) std::fputs(report_of(p.totals, p.facts).c_str(), p.html.get());
  if (p.trace != nullptr) {
    p.pending += p.is_first_line ? "[]\n" : "\n]\n";
    write_pending(p);
  }
  for (file_handle* file : {&p.summary, &p.leaks, &p.html, &p.trace, &p.log}) file->reset();
}

// While hpk is initialized the space has its workers; before and after it might start them.
void note_workers(profiler& p) {
  if (!is_initialized()) return;
  p.facts.emplace_back("workers of the default host space",
                       std::to_string(DefaultHostExecutionSpace().concurrency()));
}

void finish_early(const char* reason);

void finalize() {
  profiler& p = *current;
  stop_watching_for_early_end(&finish_early);
  note_workers(p);
  const std::lock_guard lock(p.guard);
  const std::uint64_t end = p.now();
  // Closes regions that this thread left open; the report names them.
  while (!this_thread_events.regions.empty()) end_region(p, end);
  if (p.trace != nullptr) put_span(p, 1, number_of_thread(p), "program", "program", 0, end);
  write_reports(p);
  end_gpu_profile(nullptr);
}

// Another thread may be stopped, or this one may have failed, while holding the guard.
void finish_early(const char* reason) {
  profiler& p = *current;
  std::unique_lock lock(p.guard, std::defer_lock);
  for (int tries = 0; tries != 100 && !lock.try_lock(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (!lock.owns_lock()) return;
  p.totals.ended_early_by = reason;
  note_workers(p);
  write_reports(p);
  end_gpu_profile(reason);
}

}  // namespace

bool read_profile(std::string_view text, profile_request& into) {
  into = {};
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const auto equals = word.find('=');
    const std::string_view kind = word.substr(0, equals);
    const std::string path(equals == std::string_view::npos ? "" : word.substr(equals + 1));
    if (equals != std::string_view::npos && path.empty()) return false;
    const auto or_file = [&](const char* name) { return path.empty() ? std::string(name) : path; };
    if (kind == "summary") {
      into.summary = true;
      into.summary_path = path;
    } else if (kind == "log") {
      into.log = true;
      into.log_path = path;
    } else if (kind == "leaks") {
      into.leaks = true;
      into.leaks_path = path;
    } else if (kind == "html") {
      into.html_path = or_file("hpk_profile.html");
    } else if (kind == "trace") {
      into.trace_path = or_file("hpk_trace.json");
    } else if (kind == "gpu") {
      into.gpu.text = true;
      into.gpu.text_path = path;
    } else if (kind == "gpu-html") {
      into.gpu.html_path = or_file("hpk_gpu.html");
    } else if (kind == "gpu-json") {
      into.gpu.json_path = or_file("hpk_gpu.json");
    } else {
      return false;
    }
  }
  return true;
}

tool_events begin_profile(const profile_request& request) {
  auto fresh = std::make_unique<profiler>();
  fresh->request = request;
  if (request.summary) fresh->summary = open_report(request.summary_path);
  if (request.leaks) fresh->leaks = open_report(request.leaks_path);
  if (request.log) fresh->log = open_report(request.log_path);
  if (!request.html_path.empty()) fresh->html = open_report(request.html_path);
  if (!request.trace_path.empty()) fresh->trace = open_report(request.trace_path);
  fresh->facts = facts_of_run();
  if (!request.gpu.is_empty()) begin_gpu_profile(request.gpu);
  fresh->earlier.reset(current);
  current = fresh.release();
  watch_for_early_end(&finish_early);
  tool_events events{};
  events.finalize = &finalize;
  if (!request.has_events()) return events;
  events.begin_parallel_for = &begin_kernel<of_for>;
  events.end_parallel_for = &end_kernel<of_for>;
  events.begin_parallel_reduce = &begin_kernel<of_reduce>;
  events.end_parallel_reduce = &end_kernel<of_reduce>;
  events.begin_parallel_scan = &begin_kernel<of_scan>;
  events.end_parallel_scan = &end_kernel<of_scan>;
  events.push_region = &push_region;
  events.pop_region = &pop_region;
  events.profile_event = &mark;
  events.begin_deep_copy = &begin_copy;
  events.end_deep_copy = &end_copy;
  events.begin_fence = &begin_fence;
  events.end_fence = &end_fence;
  events.allocate_data = &allocated;
  events.deallocate_data = &freed;
  return events;
}

bool is_profile(std::string_view kinds) {
  profile_request request;
  return read_profile(kinds, request);
}

std::optional<started_profile> begin_profile(std::string_view kinds, const std::string& gpu_model,
                                             const std::string& gpu_limits) {
  profile_request request;
  if (!read_profile(kinds, request)) return {};
  request.gpu.model = gpu_model;
  request.gpu.limits = gpu_limits;
  // Limits are checked without a report, too.
  if (!request.has_events() && request.gpu.is_empty()) return {};
  return started_profile{begin_profile(request), request.has_events()};
}

}  // namespace hpk::detail
