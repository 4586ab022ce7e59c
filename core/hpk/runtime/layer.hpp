// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer over hpk adds to its start and end: a second set of words for the options, and a say
// when the program initializes or finalizes. Not included by <hpk/core.hpp>.
#pragma once

#include <string_view>

namespace hpk::detail {

enum class layer_event { initialize, finalize };

/// A layer. Its texts and functions live as long as the program.
struct layer {
  std::string_view flags;      ///< what stands before the names of options: "--other-"
  std::string_view variables;  ///< in the environment: "OTHER_"
  /// For the name of a flag or variable ("tools-libs") that hpk has no option for and the layer's
  /// users know: why it has no effect. Empty for a name that nobody knows.
  std::string_view (*explain)(std::string_view name);
  /// Names that explain() knows, whose variables are looked for in the environment.
  const std::string_view* explained_begin;
  const std::string_view* explained_end;
  /// Called before hpk looks at what the program asks for.
  void (*tell)(layer_event);
};

/// Puts a layer over hpk, in the place of the one that was; null for none. It is not copied. Before
/// settings are read.
void set_layer(const layer* above) noexcept;
/// The layer, or null.
const layer* current_layer() noexcept;

}  // namespace hpk::detail
