// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions of the functions in control.hpp. Included only by runtime.cpp.
#pragma once

#include <gpu/pretend/state.hpp>

namespace hpk_test::pretend {

namespace {
std::lock_guard<std::recursive_mutex> locked() {
  return std::lock_guard<std::recursive_mutex>(all().guard);
}
}  // namespace

void reset() {
  const auto lock = locked();
  state& s = all();
  s.held = false;
  s.failing_launch = 0;
  for (const auto stream : s.streams) static_cast<void>(finish(stream));
  for (device& d : used_devices()) {
    static_cast<void>(finish(&d.null_stream));
    d.broken = d.failing = ok;
    d.possible_peers.clear();
  }
  s.device_count = all_devices;
  s.pools = true;
  s.reads_pageable = false;
  s.unloaded = false;
  s.limits.fill(SIZE_MAX);
  s.failures.clear();
  s.argument_bytes = 0;
  s.misuses.clear();
  clear_calls();
  last = ok;
}
void set_devices(int count, int why) {
  const auto lock = locked();
  all().device_count = count;
  all().why_none = static_cast<status>(why);
}
void set_peers(int device, int other, bool may) {
  const auto lock = locked();
  if (may) {
    of(device).possible_peers.insert(other);
  } else {
    of(device).possible_peers.erase(other);
  }
}
void set_pools(bool supported) {
  const auto lock = locked();
  all().pools = supported;
}
void set_pageable_access(bool direct) {
  const auto lock = locked();
  all().reads_pageable = direct;
}
void set_limit(memory kind, std::size_t bytes) {
  const auto lock = locked();
  all().limits[static_cast<std::size_t>(kind)] = bytes;
}
void fail(std::string_view function, int at, int error) {
  const auto lock = locked();
  all().failures.push_back({std::string(function), at, static_cast<status>(error)});
}
void break_device(int device, int error) {
  const auto lock = locked();
  of(device).broken = static_cast<status>(error);
}
void fail_kernel(int at, int error) {
  const auto lock = locked();
  all().failing_launch = at;
  all().kernel_error = static_cast<status>(error);
}
void set_argument_bytes(std::size_t bytes) {
  const auto lock = locked();
  all().argument_bytes = bytes;
}
void hold() {
  const auto lock = locked();
  all().held = true;
}
void release() {
  const auto lock = locked();
  all().held = false;
  for (const auto stream : all().streams) run_queue(stream);
  for (device& d : used_devices()) run_queue(&d.null_stream);
}
void unload() {
  const auto lock = locked();
  all().unloaded = true;
}
std::vector<call> calls() {
  const auto lock = locked();
  return all().calls;
}
int count(std::string_view function) {
  const auto lock = locked();
  return static_cast<int>(
      std::count_if(all().calls.begin(), all().calls.end(),
                    [&](const call& made) { return made.function == function; }));
}
void clear_calls() {
  const auto lock = locked();
  all().calls.clear();
  all().launches.clear();
}
living alive() {
  const auto lock = locked();
  const state& s = all();
  living found{.streams = static_cast<int>(s.streams.size()),
               .events = static_cast<int>(s.events.size()),
               .graphs = static_cast<int>(s.graphs.size()),
               .executables = static_cast<int>(s.executables.size()),
               .blocks = static_cast<int>(s.blocks.size())};
  for (const auto stream : s.streams)
    if (stream->capture != SPELLED(StreamCaptureStatusNone)) ++found.captures;
  for (const std::size_t bytes : s.used) found.bytes += bytes;
  return found;
}
std::ostream& operator<<(std::ostream& out, const living& all) {
  return out << all.streams << " streams, " << all.events << " events, " << all.graphs
             << " graphs, " << all.executables << " executable graphs, " << all.captures
             << " captures, " << all.blocks << " blocks of " << all.bytes << " bytes";
}
std::vector<std::string> misuses() {
  const auto lock = locked();
  return all().misuses;
}
bool has_context(int device) {
  const auto lock = locked();
  return of(device).has_context;
}
void clear_contexts() {
  const auto lock = locked();
  for (device& d : used_devices()) d.has_context = false;
}
bool reaches(int device, const void* data) {
  const auto lock = locked();
  const auto found = find(data);
  if (found == all().blocks.end()) return false;
  const block& b = found->second;
  if (b.device == device || b.kind == memory::managed || b.kind == memory::pinned) return true;
  if (b.kind == memory::pool) return b.pool->accessors.count(device) != 0;
  return of(device).peers.count(b.device) != 0;
}
int device_of(const void* data) {
  const auto lock = locked();
  const auto found = find(data);
  return found == all().blocks.end() ? -1 : found->second.device;
}
memory kind_of(const void* data) {
  const auto lock = locked();
  return find(data)->second.kind;
}
unsigned long long kept_by_pool_of(const void* data) {
  const auto lock = locked();
  const auto found = find(data);
  return found == all().blocks.end() || found->second.pool == nullptr
             ? 0
             : found->second.pool->threshold;
}
std::vector<launch> launches() {
  const auto lock = locked();
  return all().launches;
}
bool is_ordered(const void* stream) {
  const auto lock = locked();
  return static_cast<const HPK_PRETEND_STREAM*>(stream)->ordered;
}
int last_error() { return last; }

}  // namespace hpk_test::pretend
