// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions, sections, events, callbacks and reports for tools; usable without the rest of hpk.
#pragma once

#include <hpk/runtime/tool_reports.hpp>
#include <hpk/runtime/tools.hpp>
