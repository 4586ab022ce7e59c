// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning contexts in which launches request tile and team sizes.
#include <hpk/base/text.hpp>
#include <hpk/tools/tuning.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace hpk::detail {

namespace {

variable_value make_text(std::size_t id, std::string_view value) {
  variable_value made{};
  made.type_id = id;
  made.metadata = find_variable(id);
  std::copy_n(value.data(), std::min(value.size(), sizeof(tuning_string) - 1),
              made.value.string_value);
  return made;
}
variable_value make_integer(std::size_t id, std::int64_t value) {
  variable_value made{};
  made.type_id = id;
  made.metadata = find_variable(id);
  made.value.int_value = value;
  return made;
}

// The inputs common to all launches.
struct inputs {
  std::size_t kernel, pattern, space, size;
};
std::size_t declare_text(std::string_view name) {
  return declare_variable(
      name, {kokkos_value_string, kokkos_value_categorical, kokkos_value_unbounded, {}, nullptr},
      false);
}
inputs declare_inputs() {
  inputs made{};
  made.kernel = declare_text("kokkos.kernel_name");
  variable_info pattern{
      kokkos_value_string, kokkos_value_categorical, kokkos_value_set, {}, nullptr};
  tuning_string patterns[] = {"parallel_for", "parallel_reduce", "parallel_scan", "parallel_copy"};
  pattern.candidates.set = {std::size(patterns), {}};
  pattern.candidates.set.values.string_value = patterns;
  made.pattern = declare_variable("kokkos.kernel_type", pattern, false);
  made.space = declare_text("hpk.execution_space");
  made.size = declare_variable(
      "hpk.log2_iterations",
      {kokkos_value_int64, kokkos_value_ordinal, kokkos_value_unbounded, {}, nullptr}, false);
  return made;
}
const inputs& known_inputs() {
  static const inputs known = declare_inputs();
  return known;
}

// A label too long for a tool is truncated and ends in a hash.
std::string name_of(std::string_view label) {
  if (label.size() < sizeof(tuning_string)) return std::string(label);
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : label) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return (text() << label.substr(0, 40) << "..." << hash).str();
}

// The candidates are powers of two up to the largest choice; for tiles also "none".
std::size_t declare_number(std::string_view name, const std::vector<std::int64_t>& choices) {
  variable_info info{kokkos_value_int64, kokkos_value_ratio, kokkos_value_set, {}, nullptr};
  info.candidates.set.size = choices.size();
  info.candidates.set.values.int_value = const_cast<std::int64_t*>(choices.data());
  return declare_variable(name, info, true);
}
std::vector<std::int64_t> choices_of(const tuned_number& number) {
  if (number.what == tuned_number::tile) return {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::vector<std::int64_t> powers;
  for (std::int64_t k = 1; k <= number.most; k *= 2) powers.push_back(k);
  return powers;
}
std::size_t variable_of(const tuned_number& number, int dimension) {
  std::string name;
  if (number.what == tuned_number::tile) {
    name = (text() << "hpk.tile_" << dimension).str();
  } else {
    const bool of_team = number.what == tuned_number::team_size;
    name =
        (text() << (of_team ? "hpk.team_size_to_" : "hpk.vector_length_to_") << number.most).str();
  }
  static std::mutex guard;
  static auto& known = *new std::unordered_map<std::string, std::size_t>;
  const std::lock_guard lock(guard);
  const auto [entry, is_new] = known.try_emplace(std::move(name), 0);
  if (is_new) entry->second = declare_number(entry->first, choices_of(number));
  return entry->second;
}

}  // namespace

std::size_t begin_tuned_launch(const seam::launch_info& info, std::string_view space,
                               index_t iterations, tuned_number* numbers, int count) {
  if (info.label.empty() || iterations == 0) return 0;
  std::vector<variable_value> outputs;
  std::vector<tuned_number*> requested;
  for (int k = 0; k < count; ++k) {
    if (numbers[k].what != tuned_number::tile && numbers[k].most < 2) continue;
    outputs.push_back(make_integer(variable_of(numbers[k], k), numbers[k].value));
    requested.push_back(numbers + k);
  }
  if (outputs.empty()) return 0;
  const inputs& known = known_inputs();
  const variable_value described[] = {
      make_text(known.kernel, name_of(info.label)), make_text(known.pattern, info.pattern),
      make_text(known.space, space),
      make_integer(known.size,
                   static_cast<int>(std::bit_width(static_cast<std::uint64_t>(iterations))) - 1)};
  const std::size_t context = new_context();
  begin_context(context);
  try {
    describe_context(context, std::size(described), described);
    request_values(context, outputs.size(), outputs.data());
  } catch (...) {
    end_tuned_launch(context);
    throw;
  }
  for (std::size_t k = 0; k != requested.size(); ++k)
    requested[k]->value = outputs[k].value.int_value;
  return context;
}

void end_tuned_launch(std::size_t context) noexcept {
  try {
    end_context(context);
  } catch (...) {
    // begin_tuned_launch() opened the context, so only a tool callback can throw here, which it
    // must not.
  }
}

}  // namespace hpk::detail
