// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the result of a comparison, as text for people and as a JSON object.
#pragma once

#include <string>

#include "runs.hpp"

namespace hpk_diff {

std::string text_report(const run_comparison& of);
/// Returns the JSON object. `more`: further members, each with a comma in front.
std::string json_report(const run_comparison& of, const std::string& more = {});

}  // namespace hpk_diff
