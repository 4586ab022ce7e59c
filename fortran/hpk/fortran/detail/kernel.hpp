// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of HPK_FORTRAN: their parameters as Fortran declares them, the conversion of
// arguments, and the list from which the generator writes the Fortran module.
#pragma once

#include <hpk/fortran/array.hpp>

#include <complex>
#include <string_view>
#include <tuple>
#include <utility>

namespace hpk::detail::fortran {

/// How an argument arrives.
enum class passing {
  array,      ///< a descriptor; becomes a View of HostSpace
  view,       ///< type(hpk_view) in Fortran; const hpk_view*
  instance,   ///< type(hpk_instance) in Fortran; const hpk_instance*
  text,       ///< character(*); a descriptor
  value,      ///< a scalar, by value
  reference,  ///< a scalar, by address
  nothing     ///< the result of a subroutine
};

/// A parameter, or the result, as Fortran declares it.
struct parameter {
  passing how = passing::nothing;
  int type = 0;  ///< an hpk_type; of arrays and scalars
  int rank = 0;
  bool read_only = false;
  bool contiguous = false;
};

template <class T>
inline constexpr int scalar_number = c::type_number<T>();
template <class T>
inline constexpr int scalar_number<std::complex<T>> = c::type_number<complex<T>>();

template <class T>
inline constexpr bool is_complex_number =
    scalar_number<T> == HPK_TYPE_COMPLEX64 || scalar_number<T> == HPK_TYPE_COMPLEX128;

/// The parameter of type P in Fortran.
template <class P>
constexpr parameter parameter_of() {
  using T = std::remove_cvref_t<P>;
  if constexpr (is_view_v<T>) {
    if constexpr (std::is_same_v<typename T::memory_space, HostSpace>) {
      if constexpr (check_array_view<T>()) {
        return {passing::array, c::type_number<typename T::non_const_value_type>(),
                static_cast<int>(T::rank()), std::is_const_v<typename T::value_type>,
                wanted_of<T>().contiguous};
      }
      return {};
    } else {
      return {passing::view, 0, 0, true, false};
    }
  } else if constexpr (std::is_same_v<T, const hpk_view*>) {
    return {passing::view, 0, 0, true, false};
  } else if constexpr (std::is_same_v<T, const hpk_instance*>) {
    return {passing::instance, 0, 0, true, false};
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return {passing::text, 0, 0, true, false};
  } else {
    constexpr int number = scalar_number<T>;
    constexpr bool known =
        number != 0 && !(number >= HPK_TYPE_UINT8 && number <= HPK_TYPE_BFLOAT16);
    static_assert(
        known,
        "HPK_FORTRAN: Fortran can't pass a parameter of this type; write a View, a number "
        "(bool, std::int8_t to std::int64_t, float, double, complex) or a reference to one, "
        "std::string_view, const hpk_view* or const hpk_instance*");
    constexpr bool read_only =
        !std::is_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;
    return {std::is_reference_v<P> || is_complex_number<T> ? passing::reference : passing::value,
            number, 0, read_only, false};
  }
}

/// The result of type R in Fortran.
template <class R>
constexpr parameter result_of() {
  if constexpr (std::is_void_v<R>) {
    return {};
  } else {
    constexpr int number = c::type_number<R>();
    constexpr bool known = number != 0 &&
                           !(number >= HPK_TYPE_UINT8 && number <= HPK_TYPE_BFLOAT16) &&
                           !is_complex_number<R>;
    static_assert(known,
                  "HPK_FORTRAN_FUNCTION: the result is a bool, a signed integer, a float or a "
                  "double; return others through a parameter");
    return {passing::value, number, 0, false, false};
  }
}

/// The value of an argument. Arrays and texts arrive as descriptors, scalars as addresses.
template <class P>
decltype(auto) convert(const void* argument) {
  using T = std::remove_cvref_t<P>;
  constexpr passing how = parameter_of<P>().how;
  if constexpr (how == passing::array) {
    return from_fortran<T>(static_cast<const CFI_cdesc_t*>(argument));
  } else if constexpr (how == passing::view && is_view_v<T>) {
    return from_c<T>(static_cast<const hpk_view*>(argument));
  } else if constexpr (how == passing::view || how == passing::instance) {
    return static_cast<T>(argument);
  } else if constexpr (how == passing::text) {
    return read_text(static_cast<const CFI_cdesc_t*>(argument));
  } else if constexpr (std::is_reference_v<P>) {
    return *static_cast<std::remove_reference_t<P>*>(const_cast<void*>(argument));
  } else {
    return T(*static_cast<const T*>(argument));
  }
}

/// The same; sets `at` to the index before.
template <class P>
decltype(auto) convert(const void* argument, int& at, std::size_t index) {
  at = static_cast<int>(index);
  return convert<P>(argument);
}

/// The type that stores a converted argument during the call.
template <class P>
using stored =
    std::conditional_t<std::is_reference_v<P> && parameter_of<P>().how == passing::reference, P,
                       std::remove_cvref_t<P>>;

/// The name of a parameter in the text "(hpk::View<double*> x, double a)"; "" if it has none.
std::string_view parameter_name(std::string_view text, int index);

/// A function of HPK_FORTRAN.
struct kernel {
  const char* name;
  const char* parameter_text;
  parameter result;
  const parameter* parameters;
  int count;
  kernel* next;
};

/// The kernel of a C++ function. It is in the list that the generator writes.
template <class R, class... Ps>
kernel describe(const char* name, const char* parameter_text, R (*)(Ps...)) {
  static constexpr parameter all[] = {parameter_of<Ps>()..., parameter{}};
  return {name, parameter_text, result_of<R>(), all, static_cast<int>(sizeof...(Ps)), nullptr};
}
/// Adds a kernel to the list, which has the order of the calls.
struct registration {
  explicit registration(kernel& added) noexcept;
};

/// Calls a kernel. Reports exceptions of conversions with the name of the argument.
template <class R, class... Ps>
void call(const kernel& called, R (*function)(Ps...), [[maybe_unused]] void* result,
          [[maybe_unused]] const void* const* arguments, int* stat, CFI_cdesc_t* errmsg) noexcept {
  int converting = 0;
  try {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      // Braces: from left to right.
      std::tuple<stored<Ps>...> values{convert<Ps>(arguments[I], converting, I)...};
      converting = -1;
      if constexpr (std::is_void_v<R>) {
        function(static_cast<stored<Ps>&&>(std::get<I>(values))...);
      } else {
        *static_cast<R*>(result) = function(static_cast<stored<Ps>&&>(std::get<I>(values))...);
      }
    }(std::index_sequence_for<Ps...>());
    if (stat != nullptr) *stat = HPK_OK;
  } catch (...) {
    report_exception(called.name, parameter_name(called.parameter_text, converting), stat, errmsg);
  }
}

}  // namespace hpk::detail::fortran
