// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tool that tunes is told and asked, as the C interface of tools for Kokkos has it:
// variables, their values, the values that they may take, and what is to be optimised.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hpk::seam {

/// The type of a variable's values.
enum variable_type : int { kokkos_value_double, kokkos_value_int64, kokkos_value_string };
/// What can be done with its values: tell them apart, order them, subtract or divide them.
enum variable_category : int {
  kokkos_value_categorical,
  kokkos_value_ordinal,
  kokkos_value_interval,
  kokkos_value_ratio
};
/// Which values it may take: those of a set, those of a range, or all.
enum candidate_kind : int { kokkos_value_set, kokkos_value_range, kokkos_value_unbounded };

/// A text: ends with 0, cut off after 63 characters.
using tuning_string = char[64];
/// One value, and the values of a set.
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
/// From lower to upper, without them where they are open; step 0: all values in between.
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
/// A variable. The tool may keep something of its own in it.
struct variable_info {
  variable_type type;
  variable_category category;
  candidate_kind valueQuantity;
  variable_candidates candidates;
  void* toolProvidedInfo;
};
/// A value of a variable.
struct variable_value {
  std::size_t type_id;  ///< of the variable
  any_value value;
  variable_info* metadata;
};
/// Which way is better.
enum optimization_type : int { Minimize, Maximize };
/// The variable to be optimised.
struct optimization_goal {
  std::size_t type_id;
  optimization_type goal;
};

}  // namespace hpk::seam
