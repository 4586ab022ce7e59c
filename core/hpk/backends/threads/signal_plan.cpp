// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/threads/signal_plan.hpp>

#include <hpk/base/even_share.hpp>

#include <cstdlib>
#include <utility>

namespace hpk::threads {

namespace {

using host::core_place;

// The nearest level that two neighbouring workers share.
enum class sharing { machine, memory, cache };
sharing shared_by(const core_place& a, const core_place& b) {
  if (a.memory != b.memory) return sharing::machine;
  return a.cache == b.cache ? sharing::cache : sharing::memory;
}

// Returns the first rank of the far half of the ranks [first, end): where neighbours share least,
// close to the middle.
int far_half(const std::vector<core_place>& places, int first, int end) {
  const int middle = first + (end - first + 1) / 2;
  int best = middle;
  sharing least = sharing::cache;
  for (int rank = first + 1; rank < end; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const sharing here = shared_by(places[at - 1], places[at]);
    if (here < least || (here == least && std::abs(rank - middle) < std::abs(best - middle))) {
      least = here;
      best = rank;
    }
  }
  return best;
}

}  // namespace

signal_plan::signal_plan(const std::vector<core_place>& places) {
  plan_waking(places);
  plan_gates(places);
}

void signal_plan::plan_waking(const std::vector<core_place>& places) {
  std::vector<std::vector<int>> woken(places.size());
  wake(places, 0, static_cast<int>(places.size()), woken);
  first_woken_.push_back(0);
  for (const std::vector<int>& ranks : woken) {
    woken_.insert(woken_.end(), ranks.begin(), ranks.end());
    first_woken_.push_back(woken_.size());
  }
}

void signal_plan::wake(const std::vector<core_place>& places, int first, int end,
                       std::vector<std::vector<int>>& woken) {
  while (end - first > 1) {
    const int far = far_half(places, first, end);
    woken[static_cast<std::size_t>(first)].push_back(far);
    wake(places, far, end, woken);
    end = far;
  }
}

void signal_plan::plan_gates(const std::vector<core_place>& places) {
  gates_.resize(1);
  gate_of_.assign(places.size(), last_gate);
  std::vector<arrival> all;
  for (std::size_t rank = 1; rank < places.size(); ++rank)
    all.push_back({static_cast<int>(rank), no_gate});
  for (const sharing level : {sharing::cache, sharing::memory, sharing::machine}) {
    if (all.size() <= most_arrivals) break;
    std::vector<arrival> next;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      const auto place = [&](std::size_t k) {
        return places[static_cast<std::size_t>(all[k].lowest)];
      };
      for (end = begin + 1; end < all.size() && shared_by(place(end - 1), place(end)) >= level;)
        ++end;
      gather(all, begin, end, end - begin != all.size(), next);
    }
    all = std::move(next);
  }
  fill(last_gate, all);
}

// Gathers the arrivals [begin, end) at gates and appends the remaining arrivals: at most
// most_arrivals, or one.
void signal_plan::gather(std::vector<arrival>& all, std::size_t begin, std::size_t end,
                         bool into_one, std::vector<arrival>& out) {
  std::vector<arrival> left(all.begin() + static_cast<std::ptrdiff_t>(begin),
                            all.begin() + static_cast<std::ptrdiff_t>(end));
  while (left.size() > (into_one ? 1 : most_arrivals)) {
    const auto n = static_cast<index_t>(left.size());
    const index_t parts = (n + most_arrivals - 1) / most_arrivals;
    std::vector<arrival> fewer;
    for (index_t part = 0; part < parts; ++part) {
      const index_t from = detail::share_begin(n, part, parts);
      const index_t to = detail::share_begin(n, part + 1, parts);
      const int gate = gates();
      gates_.emplace_back();
      fill(gate, std::span(left).subspan(static_cast<std::size_t>(from),
                                         static_cast<std::size_t>(to - from)));
      fewer.push_back({left[static_cast<std::size_t>(from)].lowest, gate});
    }
    left = std::move(fewer);
  }
  out.insert(out.end(), left.begin(), left.end());
}

void signal_plan::fill(int gate, std::span<const arrival> from) {
  for (const arrival& each : from) {
    gate_place& at = gates_[static_cast<std::size_t>(gate)];
    at.lowest[at.count++] = each.lowest;
    if (each.gate == no_gate) {
      gate_of_[static_cast<std::size_t>(each.lowest)] = gate;
    } else {
      gates_[static_cast<std::size_t>(each.gate)].next = gate;
    }
  }
}

}  // namespace hpk::threads
