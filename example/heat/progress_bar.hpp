// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A progress bar on the last line of a terminal. Writes nothing if standard output is not a
// terminal (a file, a pipe, a test).
#pragma once

#include <unistd.h>
#include <cstdio>
#include <string>

namespace heat {

/// Draws at most 50 times and clears its line at the end.
class progress_bar {
 public:
  progress_bar(std::string title, int steps)
      : title_(std::move(title)), steps_(steps), visible_(isatty(STDOUT_FILENO) != 0) {
    draw(0);
  }
  ~progress_bar() {
    if (visible_) std::fputs("\r\033[K", stdout);
    std::fflush(stdout);
  }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// Shows the number of finished steps.
  void show(int done) {
    const int filled = static_cast<int>(static_cast<long long>(done) * width / steps_);
    if (filled != filled_) draw(filled);
  }

 private:
  static constexpr int width = 50;

  void draw(int filled) {
    filled_ = filled;
    if (!visible_) return;
    std::string bar(width, '.');
    bar.replace(0, static_cast<std::size_t>(filled), static_cast<std::size_t>(filled), '#');
    std::printf("\r%-10s [%s] %3d %%", title_.c_str(), bar.c_str(), filled * 100 / width);
    std::fflush(stdout);
  }

  std::string title_;
  int steps_;
  int filled_ = 0;
  bool visible_;
};

}  // namespace heat
