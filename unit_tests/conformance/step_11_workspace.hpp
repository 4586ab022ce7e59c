// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 11, workspace: memory of any size that the machine can access, disjoint from other live
// workspaces, until it is destroyed.
#pragma once

#include <conformance/findings.hpp>

#include <cstdint>

namespace hpk_conformance {

template <class Exec>
struct write_bytes {
  unsigned char* to;
  std::size_t bytes;
  unsigned char value;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    const auto parts = static_cast<std::size_t>(lane.groups());
    for (auto k = static_cast<std::size_t>(lane.group()); k < bytes; k += parts) to[k] = value;
  }
};

template <class Exec>
void step_11_workspace(const Exec& exec, findings& found) {
  auto& machine = exec.instance();
  using workspace = typename machine_of<Exec>::workspace;
  const auto write = [&](const workspace& space, std::size_t bytes, unsigned char value) {
    machine.launch({.groups = 16},
                   write_bytes<Exec>{static_cast<unsigned char*>(space.data()), bytes, value},
                   ladder_info());
  };
  const auto holds = [&](const workspace& space, std::size_t bytes, unsigned char value) {
    std::vector<unsigned char> seen(bytes);
    machine.copy(seen.data(), space.data(), bytes);
    machine.fence();
    return count_other(seen, value) == 0;
  };
  const std::size_t sizes[] = {1, 8192, 8193, 300'000};
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (const std::size_t first : sizes) {
      const workspace outer(machine, first);
      found.expect(reinterpret_cast<std::uintptr_t>(outer.data()) % 64 == 0,
                   "a workspace starts on a cache line");
      write(outer, first, 1);
      for (const std::size_t second : sizes) {
        const workspace inner(machine, second);
        write(inner, second, 2);
        found.expect(holds(inner, second, 2), "kernels reach all of a workspace");
      }
      found.expect(holds(outer, first, 1), "a workspace is its owner's until it is destroyed");
    }
  }
}

}  // namespace hpk_conformance
