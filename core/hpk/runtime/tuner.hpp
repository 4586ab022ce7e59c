// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuner that is built in: a tool that finds the fastest values of contexts whose outputs are
// sets of integers, such as the tile and team sizes of launches, and keeps them in a file. It tries
// one variable after another, each candidate some times, and takes what was fastest. Internal to
// runtime/.
#pragma once

#include <hpk/tools/tool_events.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hpk::detail {

/// What was found for one context.
struct tuned_context {
  std::vector<std::string> names;  ///< of its outputs
  std::vector<std::int64_t> values;
  bool operator==(const tuned_context&) const = default;
};
/// By what the inputs of a context say: "kokkos.kernel_name=stencil, ...".
using tuned_contexts = std::unordered_map<std::string, tuned_context>;

/// As the file of a tuner, which begins with its version and ends with the number of contexts.
std::string text_of(const tuned_contexts& found);
/// Reads that; `path` names it in errors, and `option` what named it. Throws hpk::error for what is
/// no such text, and for one that is not complete.
tuned_contexts read_tuned(std::string_view text, std::string_view option, std::string_view path);

/// Begins to tune, and gives the callbacks. `path`: the file that is read if it exists, and written
/// at the end; `use`: one that is only read; one of them is empty. Throws hpk::error naming a file
/// that can't be read or written.
seam::tool_events begin_tuner(const std::string& path, const std::string& use);

}  // namespace hpk::detail
