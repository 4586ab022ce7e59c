// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/tuning.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hpk::detail {

namespace {

struct variable {
  std::string name;
  variable_info info;
  bool is_output;
  // Copies of the candidates of a set.
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  std::vector<any_value> strings;
};
struct context {
  std::size_t outer;
  std::int64_t begin;
  std::vector<variable_value> inputs;
  bool has_goal = false;
  optimization_goal goal{};
};
struct registry {
  std::mutex guard;
  std::vector<std::unique_ptr<variable>> variables;  // number k + 1 is at index k; may be null
  std::unordered_map<std::size_t, context> open;
};
// Never destroyed, because static objects of programs may end contexts.
registry& all() {
  static auto& the_one = *new registry;
  return the_one;
}
std::atomic<std::size_t> last_context{0};
thread_local std::vector<std::size_t> open_here;

constexpr std::string_view scope = "hpk::Tools::Experimental::";

[[noreturn]] void reject(std::string_view call, const text& what) {
  raise((text() << scope << call << ": " << what.str()).str());
}

context& expect_open(std::string_view call, std::size_t id) {
  const auto found = all().open.find(id);
  if (found == all().open.end()) {
    reject(call, text() << "the context " << id << " is not open; call begin_context(" << id
                        << ") first, with a number of get_new_context_id()");
  }
  return found->second;
}

const variable& expect_variable(std::string_view call, const variable_value& value) {
  const std::size_t id = value.type_id;
  if (id == 0 || id > all().variables.size() || all().variables[id - 1] == nullptr) {
    reject(call, text() << "there is no variable " << value.type_id
                        << "; declare it, and make its values by make_variable_value(id, value)");
  }
  return *all().variables[id - 1];
}

bool is_same(variable_type type, const any_value& a, const any_values& all_of, std::size_t k) {
  switch (type) {
    case kokkos_value_double:
      return a.double_value == all_of.double_value[k];
    case kokkos_value_int64:
      return a.int_value == all_of.int_value[k];
    case kokkos_value_string:
      return std::strncmp(a.string_value, all_of.string_value[k], sizeof(tuning_string)) == 0;
  }
  return false;
}

template <class T>
bool lies_in(T value, T lower, T upper, const candidate_range& range) {
  return (range.openLower ? value > lower : value >= lower) &&
         (range.openUpper ? value < upper : value <= upper);
}

bool is_candidate(const variable_info& info, const any_value& value) {
  if (info.valueQuantity == kokkos_value_set) {
    const candidate_set& set = info.candidates.set;
    for (std::size_t k = 0; k != set.size; ++k) {
      if (is_same(info.type, value, set.values, k)) return true;
    }
    return false;
  }
  if (info.valueQuantity == kokkos_value_unbounded) return true;
  const candidate_range& range = info.candidates.range;
  if (info.type == kokkos_value_double)
    return lies_in(value.double_value, range.lower.double_value, range.upper.double_value, range);
  const auto step = static_cast<std::uint64_t>(range.step.int_value);
  const std::uint64_t above = static_cast<std::uint64_t>(value.int_value) -
                              static_cast<std::uint64_t>(range.lower.int_value);
  return lies_in(value.int_value, range.lower.int_value, range.upper.int_value, range) &&
         (range.step.int_value <= 0 || above % step == 0);
}

text& put(text& out, variable_type type, const any_value& value) {
  if (type == kokkos_value_double) return out << value.double_value;
  if (type == kokkos_value_int64) return out << value.int_value;
  return out << '"' << value.string_value << '"';
}

void keep_candidates(variable& declared) {
  candidate_set& set = declared.info.candidates.set;
  const any_values& given = set.values;
  switch (declared.info.type) {
    case kokkos_value_double:
      declared.numbers.assign(given.double_value, given.double_value + set.size);
      set.values.double_value = declared.numbers.data();
      return;
    case kokkos_value_int64:
      declared.integers.assign(given.int_value, given.int_value + set.size);
      set.values.int_value = declared.integers.data();
      return;
    case kokkos_value_string:
      declared.strings.resize(set.size);
      for (std::size_t k = 0; k != set.size; ++k)
        std::memcpy(declared.strings[k].string_value, given.string_value[k], sizeof(tuning_string));
      set.values.string_value = &declared.strings.data()->string_value;
  }
}

void notify_of(const variable& v, std::size_t id, declare_variable_callback callback) {
  // The tool may write to toolProvidedInfo.
  if (callback != nullptr) callback(v.name.c_str(), id, const_cast<variable_info*>(&v.info));
}

}  // namespace

bool has_tuning_tool() noexcept { return has_listener(tool_callbacks.request_output_values); }

std::size_t declare_variable(std::string_view name, const variable_info& info, bool is_output) {
  const std::string_view call = is_output ? "declare_output_type" : "declare_input_type";
  if (info.type == kokkos_value_string && info.valueQuantity == kokkos_value_range)
    reject(call, text() << "the texts of \"" << name << "\" can't have a range; write a set");
  if (is_output && info.valueQuantity == kokkos_value_set && info.candidates.set.size == 0)
    reject(call, text() << "the set of candidates of \"" << name << "\" is empty");
  auto fresh = std::make_unique<variable>();
  fresh->name = name;
  fresh->info = info;
  fresh->is_output = is_output;
  if (info.valueQuantity == kokkos_value_set) keep_candidates(*fresh);
  std::size_t id = 0;
  const variable* declared = fresh.get();
  {
    const std::lock_guard lock(all().guard);
    all().variables.push_back(std::move(fresh));
    id = all().variables.size();
  }
  notify_of(
      *declared, id,
      listener(is_output ? tool_callbacks.declare_output_type : tool_callbacks.declare_input_type));
  return id;
}

std::size_t new_variable() {
  const std::lock_guard lock(all().guard);
  all().variables.push_back(nullptr);
  return all().variables.size();
}

variable_info* find_variable(std::size_t id) noexcept {
  const std::lock_guard lock(all().guard);
  if (id == 0 || id > all().variables.size()) return nullptr;
  variable* const found = all().variables[id - 1].get();
  return found == nullptr ? nullptr : &found->info;
}

void declare_variables_to(const tool_events& tool) {
  std::vector<const variable*> known;
  {
    const std::lock_guard lock(all().guard);
    for (const auto& v : all().variables) known.push_back(v.get());
  }
  for (std::size_t k = 0; k != known.size(); ++k) {
    if (known[k] == nullptr) continue;
    notify_of(*known[k], k + 1,
              known[k]->is_output ? tool.declare_output_type : tool.declare_input_type);
  }
}

std::size_t new_context() noexcept { return ++last_context; }
std::size_t current_context() noexcept { return open_here.empty() ? 0 : open_here.back(); }

void begin_context(std::size_t id) {
  {
    const std::lock_guard lock(all().guard);
    const auto [entry, is_new] = all().open.try_emplace(id);
    if (!is_new) {
      reject("begin_context", text() << "the context " << id
                                     << " is open already; call end_context first, or take another "
                                        "number of get_new_context_id()");
    }
    entry->second.outer = current_context();
  }
  open_here.push_back(id);
  if (const auto callback = listener(tool_callbacks.begin_tuning_context)) callback(id);
  const std::lock_guard lock(all().guard);
  expect_open("begin_context", id).begin = steady_nanoseconds();
}

void end_context(std::size_t id) {
  const std::int64_t now = steady_nanoseconds();
  variable_value reached{};
  {
    const std::lock_guard lock(all().guard);
    const context& ended = expect_open("end_context", id);
    reached.value.double_value = static_cast<double>(now - ended.begin) * 1e-9;
    if (ended.has_goal) {
      reached.type_id = ended.goal.type_id;
      for (const variable_value& input : ended.inputs) {
        if (input.type_id == reached.type_id) reached = input;
      }
    }
    all().open.erase(id);
  }
  std::erase(open_here, id);
  if (const auto callback = listener(tool_callbacks.end_tuning_context)) callback(id, reached);
}

void describe_context(std::size_t id, std::size_t count, const variable_value* values) {
  const std::lock_guard lock(all().guard);
  context& here = expect_open("set_input_values", id);
  for (std::size_t k = 0; k != count; ++k) {
    expect_variable("set_input_values", values[k]);
    const auto same = std::find_if(here.inputs.begin(), here.inputs.end(),
                                   [&](const auto& v) { return v.type_id == values[k].type_id; });
    if (same == here.inputs.end())
      here.inputs.push_back(values[k]);
    else
      *same = values[k];
  }
}

void request_values(std::size_t id, std::size_t count, variable_value* values) {
  constexpr std::string_view call = "request_output_values";
  std::vector<variable_value> inputs;
  std::vector<const variable*> requested;
  {
    const std::lock_guard lock(all().guard);
    expect_open(call, id);
    for (std::size_t k = 0; k != count; ++k) {
      const variable& v = expect_variable(call, values[k]);
      if (!v.is_output) {
        reject(call, text() << "the variable \"" << v.name
                            << "\" was declared as an input; declare_output_type makes one that "
                               "a tool chooses");
      }
      requested.push_back(&v);
    }
    for (std::size_t at = id; at != 0;) {
      const auto found = all().open.find(at);
      if (found == all().open.end()) break;
      inputs.insert(inputs.begin(), found->second.inputs.begin(), found->second.inputs.end());
      at = found->second.outer;
    }
  }
  const auto callback = listener(tool_callbacks.request_output_values);
  if (callback == nullptr) return;
  const std::vector<variable_value> defaults(values, values + count);
  callback(id, inputs.size(), inputs.data(), count, values);
  for (std::size_t k = 0; k != count; ++k) {
    values[k].type_id = defaults[k].type_id;
    values[k].metadata = defaults[k].metadata;
    const variable_info& info = requested[k]->info;
    // A default need not be a candidate.
    if (is_candidate(info, values[k].value) ||
        std::memcmp(&values[k].value, &defaults[k].value, sizeof(any_value)) == 0)
      continue;
    text message;
    message << "the tuning tool chose ";
    put(message, info.type, values[k].value)
        << " for \"" << requested[k]->name << "\", which is none of its candidates";
    std::copy(defaults.begin(), defaults.end(), values);
    reject(call, message);
  }
}

void declare_goal(std::size_t id, const optimization_goal& goal) {
  {
    const std::lock_guard lock(all().guard);
    context& here = expect_open("declare_optimization_goal", id);
    variable_value value{};
    value.type_id = goal.type_id;
    expect_variable("declare_optimization_goal", value);
    here.has_goal = true;
    here.goal = goal;
  }
  if (const auto callback = listener(tool_callbacks.declare_optimization_goal)) callback(id, goal);
}

}  // namespace hpk::detail
