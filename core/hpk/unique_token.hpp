// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UniqueToken and its guards: ids that lanes hold temporarily.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/structures/unique_token.hpp>
