// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phrases for kernels, Views, indices and commands that reports and notes share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "hash_file.hpp"

namespace hpk_diff {

/// Escapes the control characters of a text.
std::string visible(const std::string& text);
/// Writes "1 launch" or "2 launches".
std::string count_of(std::uint64_t count, const std::string& one, const std::string& several);
/// Writes "1st", "2nd", ...
std::string ordinal(std::uint64_t number);

/// Writes `parallel_for "label"`, or the functor of a kernel without label.
std::string name_of(const kernel_description& kernel);
/// Writes `file.cpp:12`; empty if unknown.
std::string place_of(const kernel_description& kernel);
/// Writes `launch 12, the 3rd parallel_for "label" (file.cpp:12)`
std::string name_of(const hash_file& file, std::size_t launch);
/// Writes `View "label" (double, 3x4)`
std::string name_of(const view_description& view);

/// Returns the multi-index of the first element that differs, or its place in memory if the layout
/// has gaps.
std::vector<std::uint64_t> index_of(const view_description& view, const value_difference& values);
/// Writes `(5, 17)`.
std::string text_of(const std::vector<std::uint64_t>& index);

/// Returns a sentence that tells which Views of two launches differ.
std::string views_sentence(const file_pair& files, std::size_t a, std::size_t b,
                           const comparison_options& options);

/// Quotes a word for a shell.
std::string quoted_for_shell(const std::string& word);
/// Commands of second runs that write the values of a launch, and the command of hpk-diff after
/// them.
struct second_runs {
  std::string a, b, compare;
};
second_runs second_runs_of(const file_pair& files, const std::string& name_a,
                           const std::string& name_b, std::size_t a, std::size_t b,
                           const comparison_options& options);

}  // namespace hpk_diff
