// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/streaming.hpp>
#include <hpk/base/text.hpp>
#include <hpk/spaces/instance.hpp>

#include <ostream>

namespace hpk::seam {

namespace {
class line_sink : public fact_sink {
 public:
  explicit line_sink(std::ostream& out) : out_(out) {}
  void section(std::string_view name) override { out_ << name << '\n'; }
  void fact(std::string_view key, std::string_view value) override {
    out_ << "  " << key << ": " << value << '\n';
  }

 private:
  std::ostream& out_;
};

class turns_point : public event_point {
 public:
  explicit turns_point(turn_queue& turns) : mark_(turns) {}
  bool ready() override { return mark_.is_past(); }
  void wait() override { mark_.wait(); }

 private:
  const turn_mark mark_;
};
}  // namespace

void check_device(int device, int devices, std::string_view space) {
  if (device >= 0 && device < devices) return;
  detail::text message;
  message << "hpk::" << space << ": device " << device << " was asked for, but there ";
  if (devices == 1) {
    message << "is 1, device 0";
  } else {
    message << "are " << devices << ", from device 0 on";
  }
  detail::raise(message.str());
}

Event event_of_turns(turn_queue& turns) {
  detail::drain_streaming_stores();
  if (turns.is_free() || load_occupation() == occupation::submits) return {};
  return Event(new turns_point(turns));
}

bool start_gate::enter() noexcept {
  static thread_local const char mark_of_thread = 0;
  const void* inside = nullptr;
  for (int round = 0;
       !inside_.compare_exchange(inside, &mark_of_thread, detail::memory_order::acquire); ++round) {
    if (inside == &mark_of_thread) return false;
    inside = nullptr;
    pause_between_polls(round);
  }
  return true;
}

void print(std::ostream& out, void (*describe)(const void*, fact_sink&), const void* machine) {
  line_sink sink(out);
  describe(machine, sink);
}

}  // namespace hpk::seam
