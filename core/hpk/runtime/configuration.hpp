// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration of this build and run, as text for people and as JSON for scripts. Both are
// produced by the same calls, so they can't disagree.
#pragma once

#include <iosfwd>
#include <string>

namespace hpk {

/// The format of configuration().
enum class configuration_format { text, json };

/// Returns what a bug report needs: version, commit, system, CPUs and tools; compiler, flags and
/// build options of the library; with what options the files of the program were compiled; the
/// settings in force and their origin, the relevant environment variables, and the properties of
/// each enabled space. Starts spaces that have not been used yet. Any thread.
std::string configuration(configuration_format format = configuration_format::text);

/// Writes configuration() as text.
void print_configuration(std::ostream& out, bool verbose = false);

}  // namespace hpk
