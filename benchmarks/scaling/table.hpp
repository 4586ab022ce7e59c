// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of rows over numbers of workers: how one is taken, and how the table of all is printed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace scaling {

/// A row: what was done, by whom, and its time for each number of workers.
struct row {
  std::string what, by;
  std::vector<double> seconds;
};

class table {
 public:
  /// With check_only nothing is timed.
  table(std::vector<int> workers, bool check_only);

  /// From now on, times belong to this number of workers.
  void begin(int workers) { now_ = workers; }

  /// Runs the work once, expects right() to hold, and takes the median time of a call.
  void add(const std::string& what, const std::string& by, const std::function<void()>& work,
           const std::function<bool()>& right);

  /// Prints the rows: microseconds, and in brackets how much faster than one worker.
  void print() const;

  /// How many rows had a wrong result.
  int wrong() const { return wrong_; }

 private:
  std::vector<int> workers_;
  bool check_only_;
  int now_ = 0;
  int wrong_ = 0;
  std::vector<row> rows_;
};

}  // namespace scaling
