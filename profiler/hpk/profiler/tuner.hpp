// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in tuner: a tool that finds the fastest values for contexts whose outputs are sets of
// integers, such as the tile and team sizes of launches, and stores them in a file. It tunes the
// variables in order, tries each candidate several times and takes the fastest. Internal to
// profiler/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hpk::detail {

/// The result for one context.
struct tuned_context {
  std::vector<std::string> names;  ///< names of the outputs
  std::vector<std::int64_t> values;
  bool operator==(const tuned_context&) const = default;
};
/// Results by the inputs of their context: "kokkos.kernel_name=stencil, ...".
using tuned_contexts = std::unordered_map<std::string, tuned_context>;

/// Returns the text of a tuner file, which begins with its version and ends with the number of
/// contexts.
std::string text_of(const tuned_contexts& found);
/// Reads the text of a tuner file. `path` and the `option` that named it appear in errors. Throws
/// hpk::error for invalid or incomplete text.
tuned_contexts read_tuned(std::string_view text, std::string_view option, std::string_view path);

}  // namespace hpk::detail
