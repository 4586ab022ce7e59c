// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program with 1, 2, ... workers and compares its hashes with those of one worker. Two runs
// with one worker come first: a program that does not repeat itself says nothing about workers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs.hpp"

namespace hpk_diff {

struct self_options {
  std::uint64_t workers = 0;         ///< the most
  std::string folder;                ///< for the files of the runs; empty: a temporary one
  std::vector<std::string> command;  ///< the program and its arguments
  run_options compare;
  bool as_json = false;
};

/// Prints the report. Returns whether all runs are equal; throws failure if one does not end well.
bool compare_with_itself(const self_options& options);

}  // namespace hpk_diff
