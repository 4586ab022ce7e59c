// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans the signals at the beginning and the end of a launch: two trees over the workers of a pool.
// A cache line takes one message after another, so few workers write to each line, and a worker
// that is far away is signalled first. The trees follow from the number of workers and the caches
// and memories that they are near to; hpk measures no times.
//
// At the beginning each worker wakes others, each through a separate line: the first worker of the
// far half of its workers, which wakes that half, and so on. Halves are cut between NUMA domains or
// caches where possible, so that as few messages as possible cross from one to another.
//
// At the end workers arrive at gates. The last worker to arrive at a gate arrives at the next gate;
// only the launching thread waits, at the last gate. A gate takes at most most_arrivals arrivals.
// Gates gather the workers of one cache, then of one NUMA domain, then all.
#pragma once

#include <hpk/backends/host/placement.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace hpk::threads {

/// The trees of a pool. Rank 0 launches: it wakes others, but arrives at no gate.
class signal_plan {
 public:
  /// Largest number of arrivals at a gate. With more, they wait longer for the line of the gate;
  /// with fewer, there are more gates in a row.
  static constexpr int most_arrivals = 8;
  /// The gate at which the launching thread waits.
  static constexpr int last_gate = 0;

  /// Plans for as many workers as there are places.
  explicit signal_plan(const std::vector<host::core_place>& places);

  /// The ranks that a rank wakes if they take part, in this order.
  std::span<const int> woken_by(int rank) const noexcept {
    const auto at = static_cast<std::size_t>(rank);
    return {woken_.data() + first_woken_[at], woken_.data() + first_woken_[at + 1]};
  }
  /// The gate at which a rank other than 0 arrives.
  int gate_of(int rank) const noexcept { return gate_of_[static_cast<std::size_t>(rank)]; }
  /// Returns the next gate, at which the last worker to arrive at `gate` arrives. Not for
  /// last_gate.
  int next_gate(int gate) const noexcept { return gates_[static_cast<std::size_t>(gate)].next; }
  /// The number of arrivals at a gate in a launch for the ranks below `participants`.
  int arrivals(int gate, int participants) const noexcept {
    const gate_place& at = gates_[static_cast<std::size_t>(gate)];
    int count = 0;
    for (const int rank : std::span(at.lowest, static_cast<std::size_t>(at.count)))
      count += rank < participants ? 1 : 0;
    return count;
  }
  int gates() const noexcept { return static_cast<int>(gates_.size()); }

 private:
  struct gate_place {
    int next = last_gate;
    int count = 0;
    int lowest[most_arrivals] = {};  // by arrival: its lowest rank
  };
  // A rank, or a gate with all ranks that arrive at it.
  struct arrival {
    int lowest;
    int gate;  // or no_gate
  };
  static constexpr int no_gate = -1;

  void plan_waking(const std::vector<host::core_place>& places);
  void wake(const std::vector<host::core_place>& places, int first, int end,
            std::vector<std::vector<int>>& woken);
  void plan_gates(const std::vector<host::core_place>& places);
  void gather(std::vector<arrival>& all, std::size_t begin, std::size_t end, bool into_one,
              std::vector<arrival>& out);
  void fill(int gate, std::span<const arrival> from);

  std::vector<int> woken_;
  std::vector<std::size_t> first_woken_;
  std::vector<int> gate_of_;
  std::vector<gate_place> gates_;
};

}  // namespace hpk::threads
