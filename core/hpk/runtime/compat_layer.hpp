// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compatibility layer over hpk: alternative names for the options, and a notification when the
// program initializes or finalizes. Not included by core.hpp.
#pragma once

#include <string_view>

namespace hpk::detail {

enum class compat_event {
  initialize,
  finalize,
  guard_begins,    ///< a ScopeGuard is about to initialize
  hook_threw,      ///< a finalize hook threw; the exception is rethrown when the layer returns
  guard_ends_late  ///< a ScopeGuard ends after finalize
};

/// A compatibility layer. Its texts and functions must live as long as the program.
struct compat_layer {
  std::string_view flags;      ///< prefix of flags: "--other-"
  std::string_view variables;  ///< prefix of environment variables: "OTHER_"
  /// Explains why a flag or variable ("tools-libs") that users of the layer know has no effect in
  /// hpk. Returns an empty text for unknown names.
  std::string_view (*explain)(std::string_view name);
  /// The names that explain() knows. Their variables are looked up in the environment.
  const std::string_view* explained_begin;
  const std::string_view* explained_end;
  /// Called before hpk reads the program's settings.
  void (*notify)(compat_event);
};

/// Sets the layer, which is not copied, or removes it with null. Call it before settings are read.
void set_compat_layer(const compat_layer* above) noexcept;
/// The layer, or null.
const compat_layer* current_compat_layer() noexcept;

}  // namespace hpk::detail
