// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/tuning.hpp>

#include <algorithm>

namespace hpk::Tools::Experimental {

bool have_tuning_tool() noexcept { return detail::has_tuning_tool(); }

std::size_t declare_output_type(std::string_view name, const VariableInfo& info) {
  return detail::declare_variable(name, info, true);
}
std::size_t declare_input_type(std::string_view name, const VariableInfo& info) {
  return detail::declare_variable(name, info, false);
}

static VariableValue begin_value(std::size_t id, ValueType type, const char* what) {
  VariableValue made{};
  made.type_id = id;
  made.metadata = detail::find_variable(id);
  const bool converts = made.metadata != nullptr && type == detail::kokkos_value_int64 &&
                        made.metadata->type == detail::kokkos_value_double;
  if (made.metadata == nullptr || (made.metadata->type != type && !converts)) {
    detail::text message;
    message << "hpk::Tools::Experimental::make_variable_value: ";
    if (made.metadata == nullptr) {
      message << "there is no variable " << id
              << "; declare_output_type and declare_input_type return numbers";
    } else {
      message << "the value of the variable " << id << " is no " << what
              << "; give one of the ValueType with which it was declared";
    }
    detail::raise(message.str());
  }
  return made;
}

VariableValue make_variable_value(std::size_t id, std::int64_t value) {
  VariableValue made = begin_value(id, detail::kokkos_value_int64, "integer");
  if (made.metadata->type == detail::kokkos_value_double)
    made.value.double_value = static_cast<double>(value);
  else
    made.value.int_value = value;
  return made;
}
VariableValue make_variable_value(std::size_t id, double value) {
  VariableValue made = begin_value(id, detail::kokkos_value_double, "double");
  made.value.double_value = value;
  return made;
}
VariableValue make_variable_value(std::size_t id, std::string_view value) {
  VariableValue made = begin_value(id, detail::kokkos_value_string, "text");
  std::copy_n(value.data(), std::min(value.size(), sizeof(TuningString) - 1),
              made.value.string_value);
  return made;
}

template <auto Member, class T>
static SetOrRange set_of(std::size_t size, T* data) noexcept {
  SetOrRange made{};
  made.set.size = size;
  made.set.values.*Member = data;
  return made;
}
SetOrRange make_candidate_set(std::size_t size, std::int64_t* data) noexcept {
  return set_of<&detail::any_values::int_value>(size, data);
}
SetOrRange make_candidate_set(std::size_t size, double* data) noexcept {
  return set_of<&detail::any_values::double_value>(size, data);
}
SetOrRange make_candidate_set(std::size_t size, TuningString* data) noexcept {
  return set_of<&detail::any_values::string_value>(size, data);
}

template <auto Member, class T>
static SetOrRange range_of(T lower, T upper, T step, bool open_lower, bool open_upper) noexcept {
  SetOrRange made{};
  made.range.lower.*Member = lower;
  made.range.upper.*Member = upper;
  made.range.step.*Member = step;
  made.range.openLower = open_lower;
  made.range.openUpper = open_upper;
  return made;
}
SetOrRange make_candidate_range(double lower, double upper, double step, bool open_lower,
                                bool open_upper) noexcept {
  return range_of<&detail::any_value::double_value>(lower, upper, step, open_lower, open_upper);
}
SetOrRange make_candidate_range(std::int64_t lower, std::int64_t upper, std::int64_t step,
                                bool open_lower, bool open_upper) noexcept {
  return range_of<&detail::any_value::int_value>(lower, upper, step, open_lower, open_upper);
}

std::size_t get_new_variable_id() { return detail::new_variable(); }
std::size_t get_new_context_id() noexcept { return detail::new_context(); }
std::size_t get_current_context_id() noexcept { return detail::current_context(); }
void begin_context(std::size_t context) { detail::begin_context(context); }
void end_context(std::size_t context) { detail::end_context(context); }
void set_input_values(std::size_t context, std::size_t count, const VariableValue* values) {
  detail::describe_context(context, count, values);
}
void request_output_values(std::size_t context, std::size_t count, VariableValue* values) {
  detail::request_values(context, count, values);
}
void declare_optimization_goal(std::size_t context, const OptimizationGoal& goal) {
  detail::declare_goal(context, goal);
}

}  // namespace hpk::Tools::Experimental

namespace hpk::detail {

namespace tuning = Tools::Experimental;

tuned_choice::tuned_choice(std::string_view name, const variable_info& info)
    : output_(tuning::declare_output_type(name, info)),
      input_(tuning::declare_input_type(
          std::string(name) + " is tuned",
          {kokkos_value_int64, kokkos_value_categorical, kokkos_value_unbounded, {}, nullptr})) {}

tuned_choice::value tuned_choice::begin(std::int64_t usual) {
  return request(tuning::make_variable_value(output_, usual));
}
tuned_choice::value tuned_choice::begin(double usual) {
  return request(tuning::make_variable_value(output_, usual));
}
void tuned_choice::end() { tuning::end_context(context_); }

tuned_choice::value tuned_choice::request(const value& usual) {
  context_ = tuning::get_new_context_id();
  tuning::begin_context(context_);
  value chosen = usual;
  try {
    const value here = tuning::make_variable_value(input_, 1);
    tuning::set_input_values(context_, 1, &here);
    tuning::request_output_values(context_, 1, &chosen);
  } catch (...) {
    end();
    throw;
  }
  return chosen;
}

}  // namespace hpk::detail
