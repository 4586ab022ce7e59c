// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 08, atomics: groups that update one word lose nothing. On machines whose lanes are host
// threads the operations are those of std::atomic_ref, which patterns use for tickets and dynamic
// schedules.
#pragma once

#include <conformance/findings.hpp>

#include <atomic>

namespace hpk_conformance {

template <class Exec>
struct contend {
  index_t* sum;
  index_t* highest;
  index_t* tickets;
  int rounds;
  void operator()(lane_of<Exec>& lane) const {
    for (int round = 0; round < rounds; ++round) {
      std::atomic_ref<index_t>(*sum).fetch_add(lane.group() + 1, std::memory_order_relaxed);
      std::atomic_ref<index_t> top(*highest);
      const index_t mine = lane.group() * rounds + round;
      index_t seen = top.load(std::memory_order_relaxed);
      while (seen < mine && !top.compare_exchange_weak(seen, mine, std::memory_order_relaxed)) {
      }
    }
    const index_t ticket = std::atomic_ref<index_t>(tickets[0]).fetch_add(1);
    tickets[1 + ticket] = lane.group();
  }
};

template <class Exec>
void step_08_atomics(const Exec& exec, findings& found) {
  if constexpr (machine_of<Exec>::runs_on_host) {
    auto& machine = exec.instance();
    const index_t groups = 64;
    const int rounds = 500;
    const buffer<index_t, Exec> words(exec, 3 + static_cast<std::size_t>(groups));
    machine.fill(words.data(), 0, (3 + static_cast<std::size_t>(groups)) * sizeof(index_t));
    machine.launch({.groups = groups},
                   contend<Exec>{words.data(), words.data() + 1, words.data() + 2, rounds},
                   ladder_info());
    const auto seen = words.host();
    found.expect(seen[0] == rounds * groups * (groups + 1) / 2, "no addition is lost");
    found.expect(seen[1] == groups * rounds - 1, "no maximum is lost");
    found.expect(seen[2] == groups, "every group takes a ticket");
    index_t sum = 0;
    for (std::size_t k = 3; k < seen.size(); ++k) sum += seen[k];
    found.expect(sum == groups * (groups - 1) / 2, "no two groups take the same ticket");
  }
}

}  // namespace hpk_conformance
