// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program with 1, 2, ... workers and compares the hashes with those of one worker. The first
// two runs have one worker: if they differ, the number of workers can't be judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs.hpp"

namespace hpk_diff {

struct self_options {
  std::uint64_t workers = 0;         ///< largest number of workers
  std::string folder;                ///< for the files of the runs; empty: a temporary folder
  std::vector<std::string> command;  ///< program and arguments
  run_options compare;
  bool as_json = false;
};

/// Prints the report. Returns whether all runs are equal. Throws failure if a run fails.
bool compare_with_itself(const self_options& options);

}  // namespace hpk_diff
