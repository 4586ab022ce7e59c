// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The namespace of the classes that belong to a program's objects and have no name of their own in
// the API: bases of public classes, and what public functions return.
#pragma once

namespace hpk {

namespace detail {}

/// Classes, and no functions: the bases of public classes, and the types of objects that public
/// functions return or that public classes have as template arguments. A program's unqualified call
/// f(view) also considers the functions of the namespaces of the View's bases and template
/// arguments; here it finds none, so that a program may name its functions as it likes.
namespace classes {
// Lookup by arguments ignores this directive.
using namespace detail;
}  // namespace classes

}  // namespace hpk
