// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares all files of two runs, rank by rank, and holds what reports need: totals, remarks, and
// the first difference with the files that it is in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comparison.hpp"

namespace hpk_diff {

/// Holds a fact in which the runs differ.
struct fact_difference {
  std::string key, a, b;
};

/// Holds a line of --all.
struct listed_difference {
  std::optional<std::uint64_t> rank;
  difference_kind kind;
  std::optional<std::uint64_t> launch_a, launch_b;
  std::string text;
};

struct run_options : comparison_options {
  bool lists_all = false;
  bool asks_for_second_runs = true;  ///< where the files lack the values of the first difference
};

struct first_difference {
  std::optional<std::uint64_t> rank;
  std::unique_ptr<file_pair> files;
  comparison found;
  std::vector<view_difference> views;

  const difference& what() const { return found.differences.front(); }
};

struct run_comparison {
  bool equal() const { return differences == 0 && ranks_in_a.empty() && ranks_in_b.empty(); }

  std::string name_a, name_b;
  run_options options;
  std::uint64_t ranks = 0, launches = 0, views = 0;
  std::uint64_t differences = 0, sequence_differences = 0, own_in_a = 0, own_in_b = 0;
  std::vector<std::uint64_t> ranks_in_a, ranks_in_b;  ///< that one run has alone
  std::vector<fact_difference> facts;
  std::vector<std::string> notes;
  std::optional<first_difference> first;
  std::vector<listed_difference> all;
  std::string workers_b;  ///< of the spaces of b, joined by '+'; empty if its file does not say
};

/// Compares two hash files or two sets of rank files. Throws failure.
run_comparison compare_runs(const std::string& name_a, const std::string& name_b,
                            const run_options& options);

}  // namespace hpk_diff
