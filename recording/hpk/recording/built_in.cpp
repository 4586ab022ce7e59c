// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions by which the runtime starts and ends hashes, captures and replay.
#include <hpk/base/text.hpp>
#include <hpk/recording/hash_recorder.hpp>
#include <hpk/recording/hash_request.hpp>
#include <hpk/recording/launch_capture.hpp>
#include <hpk/recording/launch_replay.hpp>
#include <hpk/runtime/built_in_tools.hpp>
#include <hpk/runtime/early_end.hpp>
#include <hpk/tools/launch_observer.hpp>
#include <hpk/version.hpp>

namespace hpk::detail {

namespace {

run_facts facts_of_hashes() {
  run_facts facts = {
      {"version",
       (text() << HPK_VERSION_MAJOR << '.' << HPK_VERSION_MINOR << '.' << HPK_VERSION_PATCH).str()},
      {"compiler", __VERSION__}};
  for (const auto& [key, value] : facts_of_run()) {
    if (key == "program") facts.emplace_back(key, value);
    if (key == "command line") facts.emplace_back("command", value);
  }
  return facts;
}

void flush_recording_early(const char*) {
  flush_hashes();
  flush_capture();
}

}  // namespace

void begin_recording(const recording_request& request, void (*end_tools)()) {
  launch_observer* observer = nullptr;
  if (hash_request wanted; read_hash_request(request.hash, wanted)) {
    observer = &begin_hashes(wanted, facts_of_hashes());
    watch_for_early_end(&flush_recording_early);
  }
  if (capture_request wanted; read_capture_request(request.capture, wanted)) {
    observer = &make_capture(wanted, observer);
    watch_for_early_end(&flush_recording_early);
  }
  if (replay_request wanted; read_replay_request(request.replay, wanted))
    observer = &make_replay(wanted, observer, end_tools);
  set_observer(observer);
}

bool end_recording() {
  set_observer(nullptr);
  stop_watching_for_early_end(&flush_recording_early);
  const bool has_replayed = end_replay();
  end_capture();
  end_hashes();
  return has_replayed;
}

bool is_hash(std::string_view text) {
  hash_request request;
  return read_hash_request(text, request);
}
bool is_capture(std::string_view text) {
  capture_request request;
  return read_capture_request(text, request);
}
bool is_replay(std::string_view text) {
  replay_request request;
  return read_replay_request(text, request);
}

}  // namespace hpk::detail
