// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator of Fortran modules: writes the interfaces of the functions of HPK_FORTRAN in this
// program.
#pragma once

#include <string>
#include <string_view>

namespace hpk::detail::fortran {

struct kernel;

/// The Fortran module with the functions of a list, and the C++ file with the functions that it
/// calls. Throws std::runtime_error for names that Fortran does not have.
std::string module_text(std::string_view module, const kernel* first);
std::string calls_text(std::string_view module, const kernel* first);

/// The main program: writes both files. The exit code is 0, or 1 after a message.
int generate(int argc, char* argv[]);

}  // namespace hpk::detail::fortran
