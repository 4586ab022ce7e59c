# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For hpk_KOKKOS_TARGETS, in the top folder of hpk: provides the targets and functions of
# find_package(Kokkos), and sets its variables in the project around hpk.
find_package(Kokkos REQUIRED)
if(NOT PROJECT_IS_TOP_LEVEL)
  get_cmake_property(_hpk_variables VARIABLES)
  list(FILTER _hpk_variables INCLUDE REGEX "^Kokkos_")
  list(FILTER _hpk_variables EXCLUDE REGEX "^Kokkos_(DIR|ROOT)$")
  foreach(_hpk_variable ${_hpk_variables})
    set(${_hpk_variable} "${${_hpk_variable}}" PARENT_SCOPE)
  endforeach()
endif()
