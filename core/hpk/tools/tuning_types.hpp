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
/// A single value.
union any_value {
  /// The value, by the type of its variable.
  ///@{
  std::int64_t int_value;
  double double_value;
  tuning_string string_value;
  ///@}
};
/// The values of a set.
union any_values {
  /// An array, by the type of the variable.
  ///@{
  std::int64_t* int_value;
  double* double_value;
  tuning_string* string_value;
  ///@}
};
/// The values that a variable may have.
struct candidate_set {
  std::size_t size;   ///< the number of values
  any_values values;  ///< an array of them
};
/// The values between two bounds.
struct candidate_range {
  any_value lower;  ///< the smallest value
  any_value upper;  ///< the largest value
  any_value step;   ///< between candidates; 0: all values between the bounds
  bool openLower;   ///< whether lower is excluded
  bool openUpper;   ///< whether upper is excluded
};
/// The values that a variable may have, by its valueQuantity.
union variable_candidates {
  candidate_set set;      ///< if valueQuantity is kokkos_value_set
  candidate_range range;  ///< if valueQuantity is kokkos_value_range
};
/// A variable.
struct variable_info {
  variable_type type;              ///< the type of the values
  variable_category category;      ///< which operations make sense
  candidate_kind valueQuantity;    ///< which member of `candidates` counts
  variable_candidates candidates;  ///< the values that the variable may have
  void* toolProvidedInfo;          ///< set and read by the tool only
};
/// A value of a variable.
struct variable_value {
  std::size_t type_id;      ///< the number of the variable
  any_value value;          ///< a value of the type of the variable
  variable_info* metadata;  ///< the variable
};
/// Whether smaller or larger values are better.
enum optimization_type : int { Minimize, Maximize };
/// The variable to be optimised.
struct optimization_goal {
  std::size_t type_id;     ///< the number of the variable
  optimization_type goal;  ///< the direction
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
