// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kokkos' name of ErrorReporter, which is in namespace Experimental.
#pragma once

#include <hpk/containers/error_reporter.hpp>

namespace hpk::Experimental {

using hpk::ErrorReporter;

}  // namespace hpk::Experimental
