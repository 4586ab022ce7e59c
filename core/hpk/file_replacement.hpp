// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FileReplacement, which writes a file as a whole or not at all. Not part of core.hpp.
#pragma once

#include <hpk/base/file_replacement.hpp>
