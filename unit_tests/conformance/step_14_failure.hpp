// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 14, failure paths: exceptions of host kernels reach the caller, the exception of the lowest
// position wins (rule "errors from kernels"), impossible requests are rejected, and the machine
// still works. Under a sanitizer the program needs allocator_may_return_null=1, see
// unit_tests/support/sanitizer_options.cpp.
#pragma once

#include <conformance/findings.hpp>
#include <conformance/step_03_each_lane_once.hpp>

#include <atomic>
#include <limits>

namespace hpk_conformance {

/// The exception of the kernels of this step.
struct thrown_at {
  index_t position;
};

// Groups with numbers of at least `first` throw their number.
template <class Exec>
struct throw_from {
  index_t first;
  void operator()(lane_of<Exec>& lane) const {
    if (lane.group() >= first) throw thrown_at{lane.group()};
  }
};

// Groups claim positions from a counter, report them, and throw from position `first` on.
template <class Exec>
struct claim_and_throw {
  index_t* counter;
  index_t first;
  void operator()(lane_of<Exec>& lane) const {
    for (;;) {
      const index_t position = std::atomic_ref<index_t>(*counter).fetch_add(1);
      lane.at(position);
      if (position >= first) throw thrown_at{position};
    }
  }
};

template <class Exec, class Body>
index_t position_thrown(const Exec& exec, index_t groups, const Body& body) {
  try {
    exec.instance().launch({.groups = groups}, body, ladder_info());
  } catch (const thrown_at& caught) {
    return caught.position;
  }
  return -1;
}

template <class Exec>
void step_14_failure(const Exec& exec, findings& found) {
  found.expect(memory_of<Exec>::allocate(std::size_t{1} << 62, 64) == nullptr,
               "allocate gives null when there is not so much");

  if constexpr (machine_of<Exec>::runs_on_host) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (const index_t first : {0, 1, 5, 63}) {
        found.expect(position_thrown(exec, 64, throw_from<Exec>{first}) == first,
                     "the exception of the lowest failing group reaches the caller");
        index_t counter = 0;
        found.expect(position_thrown(exec, 16, claim_and_throw<Exec>{&counter, first}) == first,
                     "positions told by at() decide which exception is the lowest");
        found.expect(!hpk::seam::inside_kernel(), "a failed launch has ended");
      }
    }
    found.expect(position_thrown(exec, 64, throw_from<Exec>{64}) == -1, "no failure, no exception");
  } else {
    found.leave_out("exceptions of kernels", "kernels of a device throw none");
  }

  const int too_many = exec.instance().properties().largest_lanes + 1;
  for (const index_t groups : {1, 8}) {
    std::string text;
    try {
      exec.instance().launch({.groups = groups, .lanes = too_many}, hpk::seam::empty_body{},
                             ladder_info());
    } catch (const hpk::error& refused) {
      text = refused.what();
    }
    found.expect(text.find("conformance") != std::string::npos &&
                     text.find(std::to_string(too_many)) != std::string::npos,
                 "too many lanes are refused with the kernel's label and the number");
  }
  step_03_each_lane_once(exec, found);
}

}  // namespace hpk_conformance
