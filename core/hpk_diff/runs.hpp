// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares all files of two runs, rank by rank, and stores the data of the reports: totals,
// remarks, and the first difference with its files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comparison.hpp"

namespace hpk_diff {

/// A fact that differs between the runs.
struct fact_difference {
  std::string key, a, b;
};

/// A line of --all.
struct listed_difference {
  std::optional<std::uint64_t> rank;
  difference_kind kind;
  std::optional<std::uint64_t> launch_a, launch_b;
  std::string text;
};

struct run_options : comparison_options {
  bool lists_all = false;
  bool asks_for_second_runs = true;  ///< whether to suggest second runs if the files lack the
                                     ///< values of the first difference
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
  std::vector<std::uint64_t> ranks_in_a, ranks_in_b;  ///< ranks that only one run has
  std::vector<fact_difference> facts;
  std::vector<std::string> notes;
  std::optional<first_difference> first;
  std::vector<listed_difference> all;
  std::string workers_b;  ///< workers of the spaces of b, joined by '+'; empty if the file does not
                          ///< contain them
};

/// Compares two hash files or two sets of rank files. Throws failure.
run_comparison compare_runs(const std::string& name_a, const std::string& name_b,
                            const run_options& options);

}  // namespace hpk_diff
