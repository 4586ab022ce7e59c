// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/streaming.hpp>
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

Event event_of_turns(turn_queue& turns) {
  detail::drain_streaming_stores();
  if (turns.is_free() || load_occupation() == occupation::submits) return {};
  return Event(new turns_point(turns));
}

void print(std::ostream& out, void (*describe)(const void*, fact_sink&), const void* machine) {
  line_sink sink(out);
  describe(machine, sink);
}

}  // namespace hpk::seam
