// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration of this build and run, as text for people and as JSON for scripts. The same
// calls produce both, so both have the same content.
#pragma once

#include <iosfwd>
#include <string>

namespace hpk {

/// The format of configuration().
enum class configuration_format { text, json };

/// Returns the facts that a bug report needs: version, commit, system, CPUs and tools; compiler,
/// flags and build options of the library; the compile options of the program's files; the settings
/// in force and their origin, the relevant environment variables, and the properties of each
/// enabled space. Starts spaces that have not been used yet. Any thread.
std::string configuration(configuration_format format = configuration_format::text);

/// Writes configuration() as text.
void print_configuration(std::ostream& out, bool verbose = false);

}  // namespace hpk
