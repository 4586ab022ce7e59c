// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and contexts of tuning tools: programs and launches request values, and the tool
// supplies them. A context is a section of work with inputs that describe it and outputs that the
// tool chooses. All functions are thread-safe. Errors are hpk::error.
#pragma once

#include <hpk/seam/launch.hpp>
#include <hpk/tools/tool_events.hpp>
#include <hpk/tools/tuning_types.hpp>

#include <string_view>

namespace hpk::detail {

/// Whether a tool is loaded that chooses values.
bool has_tuning_tool() noexcept;

/// Declares a variable for the rest of the program; candidates are copied. Returns its number.
std::size_t declare_variable(std::string_view name, const variable_info& info, bool is_output);
/// Returns a number that no variable has or will have.
std::size_t new_variable();
/// The stored information of a variable; null for an unknown number.
variable_info* find_variable(std::size_t id) noexcept;
/// Declares all variables to a tool that was loaded later.
void declare_variables_to(const tool_events& tool);

/// Returns a context number that has not been used before.
std::size_t new_context() noexcept;
/// The innermost open context of this thread; 0 if none.
std::size_t current_context() noexcept;
void begin_context(std::size_t id);
/// Ends a context: passes the value of the goal's variable, or the elapsed seconds, to the tool.
void end_context(std::size_t id);
/// Sets inputs that describe the context; a later value of a variable replaces the earlier one.
void describe_context(std::size_t id, std::size_t count, const variable_value* values);
/// Passes the inputs of the context and of its enclosing contexts to the tool, which may replace
/// `values`. On entry `values` holds the defaults; without a tool they are unchanged.
void request_values(std::size_t id, std::size_t count, variable_value* values);
void declare_goal(std::size_t id, const optimization_goal& goal);

/// A number of a launch that the library may choose. `value` is the default, then the tool's
/// choice.
struct tuned_number {
  enum kind { tile, team_size, vector_length } what;
  index_t value;
  index_t most = 0;  ///< the largest choice, for team_size and vector_length
};
/// Opens a context for a labelled launch and requests its numbers. Returns the context, or 0 if the
/// launch has no label, no iterations or no number to choose.
std::size_t begin_tuned_launch(const seam::launch_info& info, std::string_view space,
                               index_t iterations, tuned_number* numbers, int count);
/// Closes the context, once the work is done.
void end_tuned_launch(std::size_t context) noexcept;

}  // namespace hpk::detail
