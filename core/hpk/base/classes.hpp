// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The namespace of classes that are part of a program's objects without a public name: bases of
// public classes, and the result types of public functions. The API reference shows the members of
// a class whose comment begins with "Base" on the pages of the classes that derive from it.
#pragma once

namespace hpk {

namespace detail {}

/// Contains classes and no functions: the bases of public classes, the types that public functions
/// return, and template arguments of public classes. An unqualified call f(view) in a program also
/// considers the functions of the namespaces of the View's bases and template arguments. This
/// namespace has no functions, so the names of a program's functions cannot clash.
namespace classes {
// Argument-dependent lookup ignores this directive.
using namespace detail;
}  // namespace classes

}  // namespace hpk
