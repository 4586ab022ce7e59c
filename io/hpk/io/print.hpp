// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as text: print writes a table of the elements, to_string returns it. Large Views are cut in
// the middle, so that a View of any size may be printed.
#pragma once

#include <hpk/io/detail/elements.hpp>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <iosfwd>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk {

/// How print and to_string show a View.
struct PrintOptions {
  std::size_t threshold = 1000;  ///< Views with more elements are cut in the middle
  int edge = 3;       ///< indices that a cut leaves at the begin and at the end of each dimension
  int precision = 6;  ///< digits after the point, at most
  int width = 80;     ///< characters of a line, at most; longer rows continue on the next line
};

namespace detail {

struct text_pieces;

/// Receives what an element consists of.
class element_text {
 public:
  explicit element_text(text_pieces& pieces) : pieces_(pieces) {}
  void number(number_kind kind, const void* value);
  void text(std::string_view piece);
  void address(const void* pointer);
  /// Appends what `write` writes to a stream.
  void stream(void (*write)(std::ostream&, const void*), const void* element);

 private:
  text_pieces& pieces_;
};

template <class T>
void append_element(element_text& out, const T& x);
template <class A, class B>
void append_two(element_text& out, const A& first, const B& second) {
  out.text("(");
  append_element(out, first);
  out.text(", ");
  append_element(out, second);
  out.text(")");
}

template <class T>
concept has_own_text = requires(const T& x) {
  { to_string(x) } -> std::convertible_to<std::string>;
};
template <class T>
concept has_stream_text = requires(std::ostream& stream, const T& x) { stream << x; };

template <class T>
void append_element(element_text& out, const T& x) {
  if constexpr (number_kind_of<T>() != number_kind::none) {
    out.number(number_kind_of<T>(), &x);
  } else if constexpr (requires { x.real() + x.imag(); }) {
    append_two(out, x.real(), x.imag());
  } else if constexpr (array_like<T>) {
    out.text(describe(x).name());
  } else if constexpr (has_own_text<T>) {
    out.text(to_string(x));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    out.text("\"");
    out.text(x);
    out.text("\"");
  } else if constexpr (std::is_pointer_v<T>) {
    out.address(reinterpret_cast<const void*>(x));
  } else if constexpr (has_stream_text<T>) {
    out.stream([](std::ostream& stream,
                  const void* element) { stream << *static_cast<const T*>(element); },
               &x);
  } else if constexpr (requires { x[0], x.size() + 1; }) {
    out.text("[");
    for (std::size_t k = 0; k < static_cast<std::size_t>(x.size()); ++k) {
      if (k != 0) out.text(", ");
      append_element(out, x[k]);
    }
    out.text("]");
  } else if constexpr (requires { x.first, x.second; }) {
    append_two(out, x.first, x.second);
  } else {
    static_assert(std::is_void_v<T>,
                  "hpk::print, hpk::to_string: the element type has no text; write std::string "
                  "to_string(const T&) or operator<< in its namespace");
  }
}

/// Appends the element at an address.
using append_function = void(element_text&, const void* element);

std::string format_elements(const elements& all, append_function* append,
                            const PrintOptions& options);
void print_text(std::FILE* stream, const std::string& text, std::string_view label,
                const std::source_location& where);

}  // namespace detail

/// Returns a table of the elements of a View, with label, extents and element type in the first
/// line:
///
///     View "a" [2, 3] of double
///        0.0   1.5  -2.0
///       10.0  11.5   0.25
///
/// Takes a View of any rank, layout, memory space and traits, an OffsetView, a DynRankView, or a
/// DualView, of which it shows the side that is up to date. A View of rank 3 or more has a table
/// for each index of the first dimensions. All numbers have the same format: with an exponent if
/// the largest or smallest one needs it. Elements may be numbers, bools, enumerators, complex
/// numbers, pointers, pairs and arrays of these, strings, and types with to_string or operator<< in
/// their namespace. The operator<< must be declared wherever such a View is printed.
///
/// Waits for all kernels. Of a View that is cut, only the elements that are shown are copied to the
/// host, unless it has a layout of the program.
template <detail::printable V>
std::string to_string(const V& view, const PrintOptions& options = {}) {
  using value = detail::value_of_elements<V>;
  return detail::format_elements(
      detail::elements_of(view),
      [](detail::element_text& out, const void* element) {
        detail::append_element(out, *static_cast<const value*>(element));
      },
      options);
}

/// Writes to_string(view, options) to a stream. Throws hpk::error with the label if that fails.
template <detail::printable V>
void print(std::FILE* stream, const V& view, const PrintOptions& options = {},
           const std::source_location& where = std::source_location::current()) {
  detail::print_text(stream, to_string(view, options), view.label(), where);
}
/// Writes to_string(view, options) to standard output.
template <detail::printable V>
void print(const V& view, const PrintOptions& options = {},
           const std::source_location& where = std::source_location::current()) {
  print(stdout, view, options, where);
}

}  // namespace hpk
