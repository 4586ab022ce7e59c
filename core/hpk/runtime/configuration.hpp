// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration of this build and run, as text for people and as JSON for scripts. Both come
// from the same calls, so they can't disagree.
#pragma once

#include <iosfwd>
#include <string>

namespace hpk {

/// The format of configuration().
enum class configuration_format { text, json };

/// What a report of a bug needs: version, commit, compiler and its flags, what hpk was built with,
/// the system, the CPUs, the tools, the settings in force with their origin, the environment as far
/// as it counts, and the properties of each enabled space. Starts spaces that have not been used
/// yet. Any thread.
std::string configuration(configuration_format format = configuration_format::text);

/// Writes configuration() as text.
void print_configuration(std::ostream& out, bool verbose = false);

}  // namespace hpk
