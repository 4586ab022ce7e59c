// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress: a line on standard error with the count, rate and remaining time of a loop. A step
// costs about ten nanoseconds: it compares its count with the one at which the clock is read next,
// which is at most 16 steps away.
#pragma once

#include <hpk/base/atomic_word.hpp>

#include <cstdint>
#include <string_view>

namespace hpk {

namespace detail {
struct progress_line;
}  // namespace detail

/// What happens to the line of a Progress that ends.
enum class ProgressEnd {
  keep,  ///< it stays, with the time of the loop
  clear  ///< it disappears
};

/// Shows how far a loop is:
///
///     hpk::Progress steps("steps", n);
///     for (int i = 0; i < n; ++i) {
///       step();
///       ++steps;
///     }
///
/// The line is on standard error, if that is a terminal, and is replaced a few times a second. The
/// destructor finishes it, also if the loop ends early. HPK_PROGRESS=on writes a line every ten
/// seconds and at the end to files and pipes too; HPK_PROGRESS=off shows nothing. Loops inside of
/// loops share the line: it shows the outermost one, followed by the counts of the others.
///
/// Threads: ++ and += may be called by several threads, and by kernels on host spaces that capture
/// the Progress by reference; the threads then share a counter, which takes tens of nanoseconds a
/// step. update() and start_at() are for one thread at a time. Kernels run asynchronously on
/// devices: fence, or the line counts launches.
class Progress {
 public:
  /// The number of steps is not known.
  static constexpr std::int64_t unknown = -1;

  /// \param label names the steps
  /// \param total number of steps
  explicit Progress(std::string_view label, std::int64_t total = unknown,
                    ProgressEnd end = ProgressEnd::keep);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// One more step is done.
  Progress& operator++() noexcept { return *this += 1; }
  /// More steps are done.
  Progress& operator+=(std::int64_t steps) noexcept {
    if (line_ == nullptr) return *this;
    const std::int64_t done = done_.fetch_add(steps, detail::memory_order::relaxed) + steps;
    if (done >= next_look_.load(detail::memory_order::relaxed)) look(done);
    return *this;
  }
  /// This many steps are done; also fewer than before.
  void update(std::int64_t done) noexcept {
    if (line_ == nullptr) return;
    const bool is_back = done < done_.load(detail::memory_order::relaxed);
    done_.store(done, detail::memory_order::relaxed);
    if (is_back || done >= next_look_.load(detail::memory_order::relaxed)) look(done);
  }
  /// This many steps were done earlier, as in a program that continues from a checkpoint: rate and
  /// remaining time count from here. Call it before the loop.
  void start_at(std::int64_t done) noexcept;

 private:
  friend struct detail::progress_line;
  // Reads the clock, writes the line if it is old, and chooses the next count to do so.
  void look(std::int64_t done) noexcept;

  detail::progress_line* line_ = nullptr;  // null if nothing is shown
  detail::atomic_word<std::int64_t> done_ = 0;
  detail::atomic_word<std::int64_t> next_look_ = 1;
};

}  // namespace hpk
