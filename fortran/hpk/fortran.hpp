// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ kernels for Fortran programs: HPK_FORTRAN defines a function that takes Fortran arrays as
// Views, and hpk_fortran_module (CMake) writes the Fortran module through which programs call it.
#pragma once

#include <hpk/view.hpp>

#include <hpk/fortran/array.hpp>
#include <hpk/fortran/detail/kernel.hpp>

/// The Fortran module of a file's functions. hpk_fortran_module sets it.
#ifndef HPK_FORTRAN_MODULE
#define HPK_FORTRAN_MODULE kernels
#endif

/// Defines a subroutine for Fortran:
///
///   HPK_FORTRAN(scale, (hpk::View<double*, hpk::LayoutStride, hpk::HostSpace> x, double a)) {
///     hpk::parallel_for("scale", x.extent(0), HPK_LAMBDA(int i) { x(i) *= a; });
///   }
///
/// In Fortran: `call scale(x, a)`, or `call scale(x, a, stat, errmsg)`. Names of parameters are
/// those of the Fortran subroutine. The parameters and their dummy arguments:
///   View<T**, LayoutLeft, HostSpace>: T, intent(inout), contiguous :: x(:,:). The compiler copies
///     sections that are not contiguous in and out. With View<const T**, ...>: intent(in).
///   View<T**, LayoutStride, HostSpace>: the same without contiguous; takes sections as they are.
///   A View of another memory space, and const hpk_view*: type(hpk_view).
///   const hpk_instance*: type(hpk_instance).
///   bool, signed integers, float, double, complex: intent(in). T&: intent(inout).
///   std::string_view: character(*), intent(in), without trailing blanks.
/// Elements are bool (logical(c_bool)), signed integers, float, double or hpk::complex.
///
/// An exception that leaves the body sets stat to a number other than 0 and errmsg to its text
/// after the name of the function. Without stat the program stops.
#define HPK_FORTRAN(name, parameters) \
  HPK_DETAIL_FORTRAN(HPK_FORTRAN_MODULE, name, #name, void, #parameters, parameters)
/// Defines a function for Fortran: HPK_FORTRAN_FUNCTION(double, norm, (parameters)) { ... }. The
/// result is a bool, a signed integer, a float or a double; it is undefined if stat is not 0.
#define HPK_FORTRAN_FUNCTION(result, name, parameters) \
  HPK_DETAIL_FORTRAN(HPK_FORTRAN_MODULE, name, #name, result, #parameters, parameters)

/// @cond internal
// The function <module>_<name>_call, which the function <module>_<name> of the generated file
// calls. The texts are those before macros in them expand.
#define HPK_DETAIL_FORTRAN(module, name, name_text, result, texts, parameters) \
  HPK_DETAIL_FORTRAN_IN(module, name, name_text, result, texts, parameters)
#define HPK_DETAIL_FORTRAN_IN(module, name, name_text, result_type, texts, parameters)          \
  static result_type hpk_fortran_body_##name parameters;                                        \
  static ::hpk::detail::fortran::kernel hpk_fortran_kernel_##name =                             \
      ::hpk::detail::fortran::describe(name_text, texts, &hpk_fortran_body_##name);             \
  static const ::hpk::detail::fortran::registration hpk_fortran_registration_##name(            \
      hpk_fortran_kernel_##name);                                                               \
  extern "C" HPK_EXPORT void module##_##name##_call(void* result, const void* const* arguments, \
                                                    int* stat, CFI_cdesc_t* errmsg) {           \
    ::hpk::detail::fortran::call(hpk_fortran_kernel_##name, &hpk_fortran_body_##name, result,   \
                                 arguments, stat, errmsg);                                      \
  }                                                                                             \
  static result_type hpk_fortran_body_##name parameters
/// @endcond
