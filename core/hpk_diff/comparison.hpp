// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the differences between the hash files of two runs, a and b, without printing. Launches
// correspond by thread and order, threads by their launches or their numbers, Views by their order
// in a launch.
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

/// Two hash files with their values.
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
  std::uint64_t number;  ///< number of the launch in a that the difference belongs to or precedes
  std::uint8_t place;    ///< before, at or behind this launch
  std::size_t a, b;      ///< indices of launches in the files; for sequences, in `sequences`
};

/// Launches of one thread that only one run has.
struct sequence_difference {
  std::uint32_t thread = 0;
  std::vector<std::size_t> a, b;              ///< indices of the launches in the files
  std::optional<std::size_t> next_a, next_b;  ///< first launches after which the runs agree again
};

/// A View whose hash differs.
struct view_difference {
  std::uint64_t position;  ///< in the launch, from 0
  const written_view* a;
  const written_view* b;
  std::optional<value_difference> values;  ///< set if both files have the values
};

struct comparison {
  bool equal() const { return differences.empty(); }

  std::uint64_t launches = 0, views = 0;     ///< number of compared launches and Views
  std::uint64_t own_in_a = 0, own_in_b = 0;  ///< number of launches of hpk itself that only one run
                                             ///< has
  std::uint64_t behind_cut = 0;  ///< launches of one run that come after the end of the other file
  std::uint64_t views_within_ulps = 0;
  std::uint64_t views_without_values = 0;                          ///< Views for which --ulp needs
                                                                   ///< values
  std::uint64_t later = 0, later_different = 0, equal_at_end = 0;  ///< number of launches after the
                                                                   ///< first difference
  std::vector<difference> differences;                             ///< in the order of launches
  std::vector<sequence_difference> sequences;
  std::vector<std::string> ignored_in_vain;  ///< --ignore labels that no View has
};

/// Throws failure if the files were recorded with different selections.
comparison compare(const file_pair& files, const comparison_options& options);

/// Returns the Views of a launch without those that the options ignore.
std::vector<const written_view*> compared_views(const hash_file& of, std::size_t launch,
                                                const comparison_options& options);
/// Returns the Views of two corresponding launches that differ. with_values also compares their
/// elements if the files have them.
std::vector<view_difference> differing_views(const file_pair& files, std::size_t a, std::size_t b,
                                             const comparison_options& options, bool with_values);
/// Returns whether two descriptions describe the same View.
bool is_same_view(const view_description& a, const view_description& b);

}  // namespace hpk_diff
