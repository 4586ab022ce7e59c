// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that reports and recorded files state about the run of a program. Internal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hpk::detail {

/// Names and values, in the order in which a report prints them.
using run_facts = std::vector<std::pair<std::string, std::string>>;

/// The program, its command line, the date, and the default spaces.
run_facts facts_of_run();

}  // namespace hpk::detail
