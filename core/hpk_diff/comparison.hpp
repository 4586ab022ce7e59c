// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the differences between the hash files of two runs, a and b. Launches correspond by thread
// and order, threads by their launches or their numbers, Views by their order in a launch. It
// prints nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hash_file.hpp"
#include "sequence.hpp"
#include "values.hpp"

namespace hpk_diff {

struct comparison_options {
  std::optional<std::uint64_t> ulps;
  std::vector<std::string> ignored;  ///< labels of Views
};

/// Holds two hash files with their values.
struct file_pair {
  file_pair(const std::string& path_a, const std::string& path_b)
      : a(read_hash_file(path_a)), b(read_hash_file(path_b)), values_a(a), values_b(b) {}

  hash_file a, b;
  values_file values_a, values_b;
};

enum class difference_kind : std::uint8_t {
  sequence,    ///< launches that only one run has
  failure,     ///< a launch failed in one run only
  views,       ///< a launch has other Views
  values,      ///< Views have other hashes
  ended_early  ///< one run ended early, the other did not
};

struct difference {
  difference_kind kind;
  std::uint64_t number;  ///< of the launch of a that it belongs to or stands before
  std::uint8_t place;    ///< before, at or behind this launch
  std::size_t a, b;      ///< launches in the files; of a sequence, places in `sequences`
};

/// Names launches of one thread that only one run has.
struct sequence_difference {
  std::uint32_t thread = 0;
  std::vector<std::size_t> a, b;              ///< launches in the files
  std::optional<std::size_t> next_a, next_b;  ///< where the runs go on alike
};

/// Names a View whose hash differs.
struct view_difference {
  std::uint64_t position;  ///< in the launch, from 0
  const written_view* a;
  const written_view* b;
  std::optional<value_difference> values;  ///< where both files have them
};

struct comparison {
  bool equal() const { return differences.empty(); }

  std::uint64_t launches = 0, views = 0;     ///< compared
  std::uint64_t own_in_a = 0, own_in_b = 0;  ///< launches of hpk itself that one run has alone
  std::uint64_t behind_cut = 0;  ///< launches of one run, of which the other file stops before
  std::uint64_t views_within_ulps = 0;
  std::uint64_t views_without_values = 0;                          ///< that --ulp would ask about
  std::uint64_t later = 0, later_different = 0, equal_at_end = 0;  ///< launches behind the first
  std::vector<difference> differences;                             ///< by launch
  std::vector<sequence_difference> sequences;
  std::vector<std::string> ignored_in_vain;  ///< labels that no View has
};

/// Throws failure where the files were recorded with different selections.
comparison compare(const file_pair& files, const comparison_options& options);

/// Returns the Views of a launch without those that the options ignore.
std::vector<const written_view*> compared_views(const hash_file& of, std::size_t launch,
                                                const comparison_options& options);
/// Returns the Views of two corresponding launches that differ; with_values also compares their
/// elements where the files have them.
std::vector<view_difference> differing_views(const file_pair& files, std::size_t a, std::size_t b,
                                             const comparison_options& options, bool with_values);
/// Tells whether two descriptions are of the same View.
bool is_same_view(const view_description& a, const view_description& b);

}  // namespace hpk_diff
