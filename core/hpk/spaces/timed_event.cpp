// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/spaces/timed_event.hpp>

#include <chrono>

namespace hpk {

namespace seam {

namespace {
struct past_point : event_point {
  bool ready() override { return true; }
  void wait() override {}
  std::int64_t done_at() override { return time; }
  const std::int64_t time = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                std::chrono::steady_clock::now().time_since_epoch())
                                .count();
};
}  // namespace

Event event_of_now() { return Event(new past_point); }

bool event_point::seconds_since(event_point& earlier, double& seconds) {
  const std::int64_t begin = earlier.done_at();
  const std::int64_t end = done_at();
  seconds = static_cast<double>(end - begin) * 1e-9;
  return begin >= 0 && end >= 0;
}

}  // namespace seam

double elapsed_seconds(const Event& from, const Event& to, const std::source_location& where) {
  from.wait("hpk::elapsed_seconds");
  to.wait("hpk::elapsed_seconds");
  double seconds = 0;
  if (from.point() == nullptr || to.point() == nullptr ||
      !to.point()->seconds_since(*from.point(), seconds)) {
    detail::raise(
        "hpk::elapsed_seconds: the events have no times on one clock; write "
        "hpk::record_timed(exec) "
        "for both, on instances of the same space",
        where);
  }
  return seconds;
}

}  // namespace hpk
