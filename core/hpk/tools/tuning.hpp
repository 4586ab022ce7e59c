// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and contexts of tools that tune: what programs and launches ask, and the tool answers.
// A context is a stretch of work with inputs that describe it and outputs that the tool chooses.
// Any thread may call everything here. Errors are hpk::error.
#pragma once

#include <hpk/seam/launch.hpp>
#include <hpk/tools/tool_events.hpp>
#include <hpk/tools/tuning_types.hpp>

#include <string_view>

namespace hpk::seam {

/// Whether somebody chooses values.
bool has_tuning_tool() noexcept;

/// Makes a variable known, for as long as the program runs; candidates are copied. Returns its
/// number.
std::size_t declare_variable(std::string_view name, const variable_info& info, bool is_output);
/// What is kept of a variable; null for an unknown number.
variable_info* find_variable(std::size_t id) noexcept;
/// Tells a tool that comes later of all variables.
void declare_variables_to(const tool_events& tool);

/// A number that no context has had.
std::size_t new_context() noexcept;
/// The innermost open context of this thread; 0 for none.
std::size_t current_context() noexcept;
void begin_context(std::size_t id);
/// Tells the tool the value of the goal's variable, or the seconds that the context took.
void end_context(std::size_t id);
/// Values that describe the context; later ones of a variable replace earlier ones.
void describe_context(std::size_t id, std::size_t count, const variable_value* values);
/// Shows the tool the inputs of the context and of those around it, and lets it replace the values,
/// which are what holds without a tool.
void ask_values(std::size_t id, std::size_t count, variable_value* values);
void declare_goal(std::size_t id, const optimization_goal& goal);

/// A number of a launch that the library may choose: what it is without a tool, then what it shall
/// be; and the largest choice.
struct tuned_number {
  enum kind { tile, team_size, vector_length } what;
  index_t value;
  index_t most = 0;  ///< of team_size and vector_length
};
/// Begins the context of a launch with a label, and asks for its numbers. Returns the context; 0
/// when there is nothing to choose.
std::size_t begin_tuned_launch(const launch_info& info, std::string_view space, index_t iterations,
                               tuned_number* numbers, int count);
/// Ends it, once the work is done.
void end_tuned_launch(std::size_t context) noexcept;

}  // namespace hpk::seam
