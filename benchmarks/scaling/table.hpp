// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of rows for several numbers of workers: takes the times and prints the table.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace scaling {

/// A row: the name of the work, its implementation, and its time for each number of workers.
struct row {
  std::string what, by;
  std::vector<double> seconds;
};

class table {
 public:
  /// With check_only, times nothing.
  table(std::vector<int> workers, bool check_only);

  /// Sets the number of workers for the following times.
  void begin(int workers) { now_ = workers; }

  /// Runs the work once, expects right() to be true, and takes the median time of a call.
  void add(const std::string& what, const std::string& by, const std::function<void()>& work,
           const std::function<bool()>& right);

  /// Prints the rows: microseconds, and in brackets the speedup over one worker.
  void print() const;

  /// Returns the number of rows with a wrong result.
  int wrong() const { return wrong_; }

 private:
  std::vector<int> workers_;
  bool check_only_;
  int now_ = 0;
  int wrong_ = 0;
  std::vector<row> rows_;
};

}  // namespace scaling
