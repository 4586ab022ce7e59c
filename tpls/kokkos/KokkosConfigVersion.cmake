# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The version of Kokkos that hpk reports: HPK_KOKKOS_VERSION if it is set; else 5.2.0 if that fits the
# request; else the requested version. Every request from 3.0 to 5.3 is satisfied.
set(PACKAGE_VERSION 5.2.0)
set(PACKAGE_VERSION_COMPATIBLE FALSE)
set(PACKAGE_VERSION_EXACT FALSE)
if(PACKAGE_FIND_VERSION_RANGE)
  set(_hpk_low ${PACKAGE_FIND_VERSION_MIN})
  set(_hpk_high ${PACKAGE_FIND_VERSION_MAX})
  if(PACKAGE_VERSION VERSION_LESS _hpk_low
     OR PACKAGE_VERSION VERSION_GREATER _hpk_high
     OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "EXCLUDE" AND PACKAGE_VERSION VERSION_EQUAL _hpk_high))
    # Reports the newest release of the range.
    set(PACKAGE_VERSION ${_hpk_low})
    foreach(_hpk_release 3.0 3.1 3.2 3.3 3.4 3.5 3.6 3.7 4.0 4.1 4.2 4.3 4.4 4.5 4.6 4.7 5.0 5.1)
      if(_hpk_release VERSION_GREATER _hpk_low
         AND (_hpk_release VERSION_LESS _hpk_high
              OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE" AND _hpk_release VERSION_EQUAL _hpk_high)))
        set(PACKAGE_VERSION ${_hpk_release})
      endif()
    endforeach()
  endif()
elseif(PACKAGE_FIND_VERSION)
  set(_hpk_low ${PACKAGE_FIND_VERSION})
  set(_hpk_high ${PACKAGE_FIND_VERSION})
  if(PACKAGE_VERSION VERSION_LESS _hpk_low)
    set(PACKAGE_VERSION ${_hpk_low})
  endif()
else()
  set(_hpk_low 3.0)
  set(_hpk_high 5.3)
endif()
if(_hpk_low VERSION_LESS 5.4 AND NOT _hpk_high VERSION_LESS 3.0)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
# This file can't tell whether the request is EXACT; KokkosConfig.cmake can, and reports the requested
# version.
set(PACKAGE_VERSION_EXACT ${PACKAGE_VERSION_COMPATIBLE})
if(HPK_KOKKOS_VERSION)
  set(PACKAGE_VERSION ${HPK_KOKKOS_VERSION})
endif()
