// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of a vendor's library, and the launches that may have caused them, written once for all
// vendors. Included only by device_calls.hpp.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <source_location>
#include <string>
#include <vector>

namespace hpk::gpu {

namespace {

using status = HPK_GPU(Error_t);
constexpr status success = HPK_GPU(Success);

// Calls the library; throws with the name of the call if it fails. `origin` is the launch_info of
// the launch that the call is for, or null.
#define HPK_GPU_CALL(A, origin, Name, ...) \
  ::hpk::gpu::expect<A>(HPK_GPU(Name)(__VA_ARGS__), #Name, origin)

// Whether this is the child of a process that has used the library, where no call of it works.
constinit std::atomic<bool> is_forked = false;

// Ignores an error. Otherwise the library would report it again when it is asked for the last
// error.
void ignore(status error) noexcept {
  if (error != success) static_cast<void>(HPK_GPU(GetLastError)());
}

// Whether a kernel that ran earlier caused the error. It breaks the device: all later calls return
// it too. Both libraries use the same numbers.
bool is_of_kernel(status error) noexcept {
  switch (static_cast<int>(error)) {
    case 214:  // memory error that was not corrected
    case 220:  // error of a link between devices
    case 226:  // contained by the hardware
    case 700:  // illegal address
    case 702:  // the kernel ran too long
    case 710:  // assert
    case 714:  // stack
    case 715:  // illegal instruction
    case 716:  // misaligned address
    case 717:  // address space
    case 718:  // program counter
    case 719:  // trap, and others
    case 721:  // tensor memory that was not freed
      return true;
    default:
      return false;
  }
}

// A launch that an error may have to name.
struct last_launch {
  std::string_view pattern;
  char label[64] = {};
  std::source_location where;
  bool recorded = false;  // into a graph
};

// The last launch of a stream. Launches of all streams share one numbering, so that a wait need not
// know which launches it waits for: all up to the newest number at its beginning.
struct launch_record {
  explicit launch_record(int number) : device(number) {}
  const int device;
  std::mutex guard;
  last_launch last;
  std::uint64_t number = 0;
  std::uint64_t finished = 0;  // largest number that a wait has waited for
};

// All streams, and the devices that a kernel has broken.
struct launch_log {
  // An error of a device that has been thrown or written.
  struct failure {
    int device;
    std::string culprits;
  };
  std::atomic<std::uint64_t> newest = 0;  // number of the last launch
  std::mutex guard;
  std::vector<launch_record*> streams;
  std::vector<failure> failures;
  std::atomic<bool> has_failures = false;
};
launch_log& all_launches() {
  static launch_log& only = *new launch_log;
  return only;
}

void append(detail::text& to, const last_launch& launch) {
  if (launch.recorded) to << "a graph that ends with ";
  to << launch.pattern;
  if (launch.label[0] != '\0') to << " \"" << static_cast<const char*>(launch.label) << '"';
  if (launch.where.line() != 0)
    to << " (at " << launch.where.file_name() << ':' << launch.where.line() << ')';
}

last_launch launch_of(const seam::launch_info& info) {
  last_launch made{info.pattern, {}, info.where};
  made.label[info.label.copy(made.label, sizeof made.label - 1)] = '\0';
  return made;
}

void remember(launch_record& stream, const last_launch& launch) {
  const std::lock_guard lock(stream.guard);
  stream.last = launch;
  stream.number = ++all_launches().newest;
}

// Notes a launch that runs later, as part of a graph.
void note_recorded(launch_record& stream, const seam::launch_info& info) {
  const std::lock_guard lock(stream.guard);
  stream.last = launch_of(info);
  stream.last.recorded = true;
}

last_launch launch_before(launch_record& stream) {
  const std::lock_guard lock(stream.guard);
  return stream.last;
}

// Notes that a wait for a stream, or for all streams of a device, has ended without an error: the
// device works, maybe again.
void note_success(int device) noexcept {
  launch_log& all = all_launches();
  if (!all.has_failures) return;
  const std::lock_guard lock(all.guard);
  std::erase_if(all.failures, [&](const auto& failed) { return failed.device == device; });
  all.has_failures = !all.failures.empty();
}
void note_wait(launch_record& stream, std::uint64_t begun) noexcept {
  note_success(stream.device);
  const std::lock_guard lock(stream.guard);
  stream.finished = std::max(stream.finished, begun);
}
void note_wait_for_device(int device, std::uint64_t begun) noexcept {
  note_success(device);
  launch_log& all = all_launches();
  const std::lock_guard lock(all.guard);
  for (launch_record* stream : all.streams) {
    if (stream->device != device) continue;
    const std::lock_guard own(stream->guard);
    stream->finished = std::max(stream->finished, begun);
  }
}

bool is_reported(int device) {
  launch_log& all = all_launches();
  const std::lock_guard lock(all.guard);
  return std::any_of(all.failures.begin(), all.failures.end(),
                     [&](const auto& failed) { return failed.device == device; });
}

// Returns the launches, one for each stream of a device, that may not have run to the end. Once a
// kernel has broken the device: the launches at the first report. Names `fallback` if there is no
// launch.
std::string culprits_on(int device, bool broken, const last_launch* fallback) {
  constexpr int most = 4;
  launch_log& all = all_launches();
  const std::lock_guard lock(all.guard);
  const auto known = std::find_if(all.failures.begin(), all.failures.end(),
                                  [&](const auto& failed) { return failed.device == device; });
  if (broken && known != all.failures.end()) return known->culprits;
  detail::text list;
  int count = 0;
  for (launch_record* stream : all.streams) {
    if (stream->device != device) continue;
    const std::lock_guard own(stream->guard);
    if (stream->number <= stream->finished || ++count > most) continue;
    if (count > 1) list << ", ";
    append(list, stream->last);
  }
  if (count == 0 && fallback != nullptr && !fallback->pattern.empty()) {
    append(list, *fallback);
    count = 1;
  }
  detail::text named;
  if (count > 0) named << (count == 1 ? ", in " : ", in one of these: ") << list.str();
  if (count > most) named << " and " << count - most << " more";
  if (broken) {
    all.failures.push_back({device, named.str()});
    all.has_failures = true;
  }
  return named.str();
}

// The purpose of a failed call.
struct origin {
  const seam::launch_info* info = nullptr;  // the launch that the call is for
  int device = -1;                          // -1: the current one
  bool waits = false;                 // the call waits, so the error may come from any earlier work
  const last_launch* last = nullptr;  // the launch that the call waited for
};

// Returns the text of the error that a call returned.
template <class A>
std::string explain(status error, const char* call, const origin& from) {
  ignore(error);
  detail::text message;
  message << "hpk::" << A::name << ": " << library::prefix << call
          << " failed: " << HPK_GPU(GetErrorString)(error) << " (" << HPK_GPU(GetErrorName)(error)
          << ')';
  const bool broken = is_of_kernel(error);
  if (broken || from.waits) {
    int device = from.device;
    if (device < 0) ignore(HPK_GPU(GetDevice)(&device));
    message << culprits_on(device, broken, from.last);
  } else if (from.info != nullptr) {
    message << ", in ";
    append(message, launch_of(*from.info));
  }
  return message.str();
}

template <class A>
[[noreturn]] void fail(status error, const char* call, const origin& from) {
  detail::raise(explain<A>(error, call, from));
}

template <class A>
void expect(status error, const char* call, const seam::launch_info* info) {
  if (error == success) [[likely]]
    return;
  fail<A>(error, call, {.info = info});
}

}  // namespace

}  // namespace hpk::gpu
