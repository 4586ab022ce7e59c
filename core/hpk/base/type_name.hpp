// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a type as text, for messages. It is extracted at compile time from the compiler's
// name of a function template instance, without run-time cost or RTTI.
#pragma once

#include <hpk/base/compiler.hpp>

#include <cstddef>
#include <string_view>

namespace hpk::detail {

/// A text that contains the name of T, with the same prefix and suffix for all T.
template <class T>
constexpr std::string_view text_around() {
#if HPK_HAS_GNU_ATTRIBUTES
  return __PRETTY_FUNCTION__;
#else
  return "double";
#endif
}

}  // namespace hpk::detail

namespace hpk {

/// The name of T, for instance type_name<View<int*>>() == "hpk::View<int*>". Spacing, anonymous
/// namespaces and default arguments depend on the compiler. Host code and constant expressions; not
/// 0-terminated.
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view known = detail::text_around<double>();
  constexpr std::size_t before = known.find("double");
  constexpr std::size_t after = known.size() - before - std::string_view("double").size();
  constexpr std::string_view all = detail::text_around<T>();
  return all.substr(before, all.size() - before - after);
}

}  // namespace hpk
