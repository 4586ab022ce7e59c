// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions, sections, events and callbacks for tools; usable without the rest of hpk.
#pragma once

#include <hpk/runtime/tools.hpp>
