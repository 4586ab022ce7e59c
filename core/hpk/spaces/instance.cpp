// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
}  // namespace

void print(std::ostream& out, void (*describe)(const void*, fact_sink&), const void* machine) {
  line_sink sink(out);
  describe(machine, sink);
}

}  // namespace hpk::seam
