// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports what a comparison found, as text for people and as one object of JSON.
#pragma once

#include <string>

#include "runs.hpp"

namespace hpk_diff {

std::string text_report(const run_comparison& of);
/// Makes the JSON object; `more` has further members, each with a comma in front.
std::string json_report(const run_comparison& of, const std::string& more = {});

}  // namespace hpk_diff
