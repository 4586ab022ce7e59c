// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/order_trial.hpp>

#include <hpk/base/timer.hpp>

#include <algorithm>

namespace hpk::detail {

bool order_memory::asks() noexcept {
  knowledge known = known_.load(memory_order::relaxed);
  if (known.agreed == settled) return false;
  if (known.pause == 0) return true;
  --known.pause;
  known_.store(known, memory_order::relaxed);
  return false;
}

bool order_memory::learn(bool other) noexcept {
  knowledge known = known_.load(memory_order::relaxed);
  if (known.other == other) {
    known.agreed = std::min<std::uint8_t>(known.agreed + 1, settled);
  } else {
    if (known.agreed <= 1) known.other = other;
    known.agreed = 1;
  }
  // Launches 1, 2 and 3 find out, then 12, 77 and 590.
  known.pause = static_cast<std::uint16_t>(known.agreed < 3 ? 0 : 1 << (3 * (known.agreed - 2)));
  known_.store(known, memory_order::relaxed);
  return known.other;
}

namespace {

// First two probes, a few points each, which tell kernels apart whose points take long: these want
// all workers at once, and how memory is walked through matters little to them.
constexpr index_t probes = 2;
constexpr index_t points_of_probe = shortest_side_on_trial;
// A probe that takes longer is of a heavy kernel: a microsecond for each point.
constexpr double longest_probe = points_of_probe * 1e-6;

// Then a corner of the box behind the probes, cut in one dimension into parts that run in one order
// and the other, in turn: in the second if there are three, so that rows of neither order are cut.
constexpr index_t parts = 6;
// A part that takes longer ends the trial, once each order has run: the other workers wait
// meanwhile. A slow order, or memory that is touched for the first time, may take as long.
constexpr double longest_part = 50e-6;
// How much faster the other order must be: what is measured has noise, and the space's order is the
// usual one.
constexpr double clearly = 1.25;

class trial {
 public:
  trial(int rank, const box_part& shape, const part_runner& runner)
      : rank_(rank), shape_(shape), behind_(shape), runner_(runner) {
    behind_.lower[0] += probes;
    behind_.extent[0] -= probes;
    part_ = behind_;
  }

  // Finds the sizes of a part; false if the box is too small.
  bool fits() {
    constexpr index_t thinnest = 8;  // of parts that are cut in the first dimension
    constexpr index_t longest = 64;
    constexpr index_t points = 4096;  // of a part, if the box has so many
    constexpr unsigned share = 2;     // the box has so many times the points of all parts
    const int last = rank_ - 1;
    cut_ = rank_ > 2 && behind_.extent[1] >= parts ? 1 : 0;
    const auto most_of = [&](int r) {
      return r == cut_ ? behind_.extent[r] / parts : behind_.extent[r];
    };
    if (most_of(0) < (cut_ == 0 ? thinnest : shortest_side_on_trial) ||
        behind_.extent[last] < shortest_side_on_trial)
      return false;
    std::uint64_t all = 1;
    for (int r = 0; r < rank_; ++r) {
      if (behind_.extent[r] == 0) return false;
      all *= static_cast<std::uint64_t>(behind_.extent[r]);
    }
    index_t* const part = part_.extent;
    part[0] = std::min(most_of(0), longest);
    part[last] = std::min(most_of(last), longest);
    index_t size = part[0] * part[last];
    for (int r = 1; r < last; ++r) {
      part[r] = std::clamp<index_t>(points / size, 1, most_of(r));
      size *= part[r];
    }
    const auto most = static_cast<index_t>(all / (share * parts));
    while (size > most && part[last] >= 2 * shortest_side_on_trial) {
      size = size / part[last] * (part[last] / 2);
      part[last] /= 2;
    }
    return size <= most;
  }

  void run(order_memory& memory) {
    box_part probed = shape_;
    for (int r = 0; r < rank_; ++r) probed.extent[r] = 1;
    probed.extent[rank_ - 1] = points_of_probe;
    const double first = time(probed, false);
    probed.lower[0] += 1;
    const double second = time(probed, false);
    probed.extent[0] = probes;
    if (std::min(first, second) > longest_probe) {
      run_behind(shape_, probed, 0, memory.learn(false));
      return;
    }
    const bool other_is_faster = compare_orders();
    const bool other = memory.learn(other_is_faster);
    run_behind(behind_, part_, 0, other);
    run_behind(shape_, probed, 1, other);
  }

 private:
  // How many seconds the calling thread takes for a part.
  double time(const box_part& part, bool other) const {
    const Timer timer;
    runner_.run(runner_.launch, crew::caller, other, part);
    return timer.seconds();
  }

  // Runs the parts and makes part_ the corner of those that have run.
  bool compare_orders() {
    const index_t each = part_.extent[cut_];
    double least[2] = {0, 0};
    box_part part = part_;
    index_t done = 0;
    for (bool in_time = true; done < parts && (in_time || done < 2); ++done) {
      const double seconds = time(part, done % 2 != 0);
      double& best = least[done % 2];
      if (done < 2 || seconds < best) best = seconds;
      in_time = in_time && seconds < longest_part;
      part.lower[cut_] += each;
    }
    part_.extent[cut_] = each * done;
    return least[0] > clearly * least[1];
  }

  // All workers run what of `whole` is not in a corner of it: what lies behind the corner in one
  // dimension after another, from `first` on.
  void run_behind(const box_part& whole, const box_part& corner, int first, bool other) const {
    for (int r = first; r < rank_; ++r) {
      box_part rest = whole;
      for (int before = 0; before < r; ++before) rest.extent[before] = corner.extent[before];
      rest.lower[r] = whole.lower[r] + corner.extent[r];
      rest.extent[r] = whole.extent[r] - corner.extent[r];
      runner_.run(runner_.launch, crew::all, other, rest);
    }
  }

  int rank_;
  int cut_ = 0;
  const box_part& shape_;
  box_part behind_;  // the probes
  box_part part_;
  const part_runner& runner_;
};

}  // namespace

void run_in_faster_order(order_memory& memory, int rank, const box_part& shape,
                         const part_runner& runner) {
  trial attempt(rank, shape, runner);
  if (attempt.fits() && memory.asks()) {
    attempt.run(memory);
  } else {
    runner.run(runner.launch, crew::all, memory.other(), shape);
  }
}

}  // namespace hpk::detail
