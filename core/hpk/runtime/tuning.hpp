// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuning interface. A program declares variables: inputs, which describe a piece of work, and
// outputs, whose values a tool chooses. begin_context and end_context enclose the work. Between
// them the program sets the inputs and requests the outputs, which keep their defaults if no tool
// answers. HPK_TUNE=<file> selects a built-in tool, which also finds the tile and team sizes of
// launches. All functions may be called by any thread. Not included by core.hpp.
#pragma once

#include <hpk/runtime/tools.hpp>
#include <hpk/tools/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk::Tools::Experimental {

/// A type of the C interface, under its original name. Enumerators:
/// ValueType::kokkos_value_int64, StatisticalCategory::kokkos_value_ordinal,
/// CandidateValueType::kokkos_value_set, ...
///@{
using ValueType = detail::variable_type;
using StatisticalCategory = detail::variable_category;
using CandidateValueType = detail::candidate_kind;
using TuningString = detail::tuning_string;
using ValueSet = detail::candidate_set;
using ValueRange = detail::candidate_range;
using SetOrRange = detail::variable_candidates;
using VariableInfo = detail::variable_info;
using VariableValue = detail::variable_value;
using OptimizationType = detail::optimization_type;
using OptimizationGoal = detail::optimization_goal;
using outputTypeDeclarationFunction = detail::declare_variable_callback;
using inputTypeDeclarationFunction = detail::declare_variable_callback;
using requestValueFunction = detail::request_values_callback;
using contextBeginFunction = detail::begin_context_callback;
using contextEndFunction = detail::end_context_callback;
using optimizationGoalDeclarationFunction = detail::declare_goal_callback;
///@}

/// Sets a tuning callback inside the program; the rules of set_init_callback apply.
///@{
void set_declare_output_type_callback(outputTypeDeclarationFunction callback) noexcept;
void set_declare_input_type_callback(inputTypeDeclarationFunction callback) noexcept;
void set_request_output_values_callback(requestValueFunction callback) noexcept;
void set_begin_context_callback(contextBeginFunction callback) noexcept;
void set_end_context_callback(contextEndFunction callback) noexcept;
void set_declare_optimization_goal_callback(optimizationGoalDeclarationFunction callback) noexcept;
///@}

/// Whether a tool or a callback chooses values.
bool have_tuning_tool() noexcept;

/// Declares an output, which a tool chooses, or an input, which describes the work, and returns its
/// number. Candidates are copied. Declare each variable once, before the first context. Throws
/// hpk::error for a range of texts, and for an output with an empty set.
///@{
std::size_t declare_output_type(std::string_view name, const VariableInfo& info);
std::size_t declare_input_type(std::string_view name, const VariableInfo& info);
///@}

/// Returns a number that no variable has, for a program that numbers its variables itself.
/// declare_input_type() and declare_output_type() return the numbers of declared variables.
std::size_t get_new_variable_id();

/// A value of a variable. Texts are truncated after 63 characters. Throws hpk::error if the
/// variable is unknown or has another type; an integer is accepted for a double.
///@{
VariableValue make_variable_value(std::size_t id, std::int64_t value);
VariableValue make_variable_value(std::size_t id, double value);
VariableValue make_variable_value(std::size_t id, std::string_view value);
template <class I>
  requires std::is_integral_v<I>
VariableValue make_variable_value(std::size_t id, I value) {
  return make_variable_value(id, static_cast<std::int64_t>(value));
}
///@}

/// The candidate values of a variable. The array must live until the variable is declared.
///@{
SetOrRange make_candidate_set(std::size_t size, std::int64_t* data) noexcept;
SetOrRange make_candidate_set(std::size_t size, double* data) noexcept;
SetOrRange make_candidate_set(std::size_t size, TuningString* data) noexcept;
///@}
/// Candidates from lower to upper in steps; an open bound is excluded.
///@{
SetOrRange make_candidate_range(double lower, double upper, double step, bool open_lower,
                                bool open_upper) noexcept;
SetOrRange make_candidate_range(std::int64_t lower, std::int64_t upper, std::int64_t step,
                                bool open_lower, bool open_upper) noexcept;
///@}

/// Returns a new context number; the innermost open context of this thread, or 0.
///@{
std::size_t get_new_context_id() noexcept;
std::size_t get_current_context_id() noexcept;
///@}
/// Opens and ends a context. The tool receives the elapsed seconds or, if the context has a goal,
/// the value last set for the goal's variable. Contexts may nest, but the same number must not be
/// open twice. Throws hpk::error for violations; the following functions throw it if the context is
/// not open.
///@{
void begin_context(std::size_t context);
void end_context(std::size_t context);
///@}
/// Sets the inputs of the context.
void set_input_values(std::size_t context, std::size_t count, const VariableValue* values);
/// Lets the tool replace the values; it sees the inputs of the context and of the enclosing
/// contexts. Throws hpk::error, and leaves the values unchanged, if it chooses a value that is not
/// a candidate.
void request_output_values(std::size_t context, std::size_t count, VariableValue* values);
/// Sets the variable that the tool minimises or maximises; it must be an input of the context.
void declare_optimization_goal(std::size_t context, const OptimizationGoal& goal);

}  // namespace hpk::Tools::Experimental

namespace hpk::detail {

/// The context of a single choice: one output, and an input that names the choice. The tuners below
/// are built on it.
class tuned_choice {
 public:
  using value = detail::variable_value;
  tuned_choice(std::string_view name, const detail::variable_info& info);
  /// Opens a context and returns the tool's choice; `usual` without a tool.
  value begin(std::int64_t usual);
  value begin(double usual);
  /// Ends the context.
  void end();

 private:
  value request(const value& usual);
  std::size_t output_ = 0;
  std::size_t input_ = 0;
  std::size_t context_ = 0;
};

}  // namespace hpk::detail

namespace hpk::Tools::Experimental {

/// Chooses one of several objects, for example functions with the same purpose: begin() returns the
/// choice, end() ends its context. Only one begin() at a time.
template <class Choice>
class CategoricalTuner {
 public:
  /// Declares the choice among `choices`, at least one, as the variable `name`.
  CategoricalTuner(std::string_view name, std::vector<Choice> choices)
      : choices_(std::move(choices)), chosen_(declare(name, choices_.size())) {}
  /// The choice; the first object without a tool.
  const Choice& begin() {
    return choices_[static_cast<std::size_t>(chosen_.begin(std::int64_t{0}).value.int_value)];
  }
  /// Ends the context; the tool receives the seconds since begin().
  void end() { chosen_.end(); }

 private:
  static detail::tuned_choice declare(std::string_view name, std::size_t count) {
    std::vector<std::int64_t> numbers;
    for (std::size_t k = 0; k != count; ++k) numbers.push_back(static_cast<std::int64_t>(k));
    return {name,
            {ValueType::kokkos_value_int64, StatisticalCategory::kokkos_value_categorical,
             CandidateValueType::kokkos_value_set,
             make_candidate_set(numbers.size(), numbers.data()), nullptr}};
  }

  std::vector<Choice> choices_;
  detail::tuned_choice chosen_;
};
/// CategoricalTuner<Choice>(name, choices).
template <class Choice>
CategoricalTuner<Choice> make_categorical_tuner(std::string_view name,
                                                std::vector<Choice> choices) {
  return {name, std::move(choices)};
}

/// Chooses a number from `lower` to `upper`, both included, in steps from `lower`; step 0: any
/// number between. begin() returns the choice, or `usual` without a tool; end() ends its context.
/// Only one begin() at a time. HPK_TUNE does not tune ranges.
template <class Bound>
  requires std::is_arithmetic_v<Bound>
class SingleDimensionalRangeTuner {
 public:
  /// Declares the number as the variable `name`. `category`: how the tool may compare the numbers.
  SingleDimensionalRangeTuner(std::string_view name, StatisticalCategory category, Bound usual,
                              Bound lower, Bound upper, Bound step = Bound(0))
      : usual_(usual),
        chosen_(name, {is_integer ? ValueType::kokkos_value_int64 : ValueType::kokkos_value_double,
                       category, CandidateValueType::kokkos_value_range,
                       make_candidate_range(wide(lower), wide(upper), wide(step), false, false),
                       nullptr}) {}
  /// Begins a context; returns the choice.
  Bound begin() {
    const VariableValue chosen = chosen_.begin(usual_);
    return static_cast<Bound>([&] {
      if constexpr (is_integer) {
        return chosen.value.int_value;
      } else {
        return chosen.value.double_value;
      }
    }());
  }
  /// Ends the context; the tool receives the seconds since begin().
  void end() { chosen_.end(); }
  /// Calls function(the choice) in a context, which ends even if the function throws.
  template <class F>
  void with_tuned_value(F&& function) {
    const Bound chosen = begin();
    try {
      std::forward<F>(function)(chosen);
    } catch (...) {
      end();
      throw;
    }
    end();
  }

 private:
  static constexpr bool is_integer = std::is_integral_v<Bound>;
  using wide = std::conditional_t<is_integer, std::int64_t, double>;

  wide usual_;
  detail::tuned_choice chosen_;
};

}  // namespace hpk::Tools::Experimental
