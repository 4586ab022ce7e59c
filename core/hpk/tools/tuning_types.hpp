// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of tuning callbacks, as Kokkos' C tool interface defines it: variables, their values and
// candidates, and optimization goals.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hpk::classes {

/// The type of a variable's values.
enum variable_type : int { kokkos_value_double, kokkos_value_int64, kokkos_value_string };
/// The operations that make sense on the values: equality, order, differences, or ratios.
enum variable_category : int {
  kokkos_value_categorical,
  kokkos_value_ordinal,
  kokkos_value_interval,
  kokkos_value_ratio
};
/// Which values are allowed: a set, a range, or all.
enum candidate_kind : int { kokkos_value_set, kokkos_value_range, kokkos_value_unbounded };

/// A 0-terminated text, truncated to 63 characters.
using tuning_string = char[64];
/// A single value, and the values of a set.
union any_value {
  std::int64_t int_value;
  double double_value;
  tuning_string string_value;
};
union any_values {
  std::int64_t* int_value;
  double* double_value;
  tuning_string* string_value;
};
struct candidate_set {
  std::size_t size;
  any_values values;
};
/// The values from lower to upper; openLower and openUpper exclude the bounds. step 0: all values
/// between the bounds.
struct candidate_range {
  any_value lower;
  any_value upper;
  any_value step;
  bool openLower;
  bool openUpper;
};
union variable_candidates {
  candidate_set set;
  candidate_range range;
};
/// A variable. toolProvidedInfo belongs to the tool.
struct variable_info {
  variable_type type;
  variable_category category;
  candidate_kind valueQuantity;
  variable_candidates candidates;
  void* toolProvidedInfo;
};
/// A value of a variable.
struct variable_value {
  std::size_t type_id;  ///< id of the variable
  any_value value;
  variable_info* metadata;
};
/// Whether smaller or larger values are better.
enum optimization_type : int { Minimize, Maximize };
/// The variable to be optimised.
struct optimization_goal {
  std::size_t type_id;
  optimization_type goal;
};

}  // namespace hpk::classes

namespace hpk::detail {
using classes::any_value;
using classes::any_values;
using classes::candidate_kind;
using classes::candidate_range;
using classes::candidate_set;
using classes::optimization_type;
using classes::tuning_string;
using classes::variable_candidates;
using classes::variable_category;
using classes::variable_type;
using enum classes::variable_type;
using enum classes::variable_category;
using enum classes::candidate_kind;
using enum classes::optimization_type;
}  // namespace hpk::detail
