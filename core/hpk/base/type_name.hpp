// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a type as text, for messages. It is cut out of the text that the compiler has for a
// function of that type, so that it costs no run time and needs no RTTI.
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

/// The name of T, as in type_name<View<int*>>() == "hpk::View<int*>" or the like: how spaces are
/// set, what is said of namespaces without a name and of default arguments is the compiler's. Host
/// code, constant expressions too; ends with no zero.
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view known = detail::text_around<double>();
  constexpr std::size_t before = known.find("double");
  constexpr std::size_t behind = known.size() - before - std::string_view("double").size();
  constexpr std::string_view all = detail::text_around<T>();
  return all.substr(before, all.size() - before - behind);
}

}  // namespace hpk
