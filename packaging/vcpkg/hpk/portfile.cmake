# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The vcpkg port of hpk for Linux: vcpkg install hpk --overlay-ports=packaging/vcpkg. It builds the checkout that
# contains it, in Release alone: checks of indices depend on the program's build type, not on that of hpk.
# Checked: package.recipes runs this file with a stub of vcpkg's functions and builds a program with the result.
# Not checked: vcpkg itself, and the ports of the features.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS features
  FEATURES
    c hpk_ENABLE_C
    mpi hpk_ENABLE_MPI
)
foreach(package hwloc boost-context sleef png)
  string(REPLACE "-" "_" name ${package})
  string(TOUPPER ${name} name)
  if(package IN_LIST FEATURES)
    list(APPEND features -Dhpk_WITH_${name}=on)
  else()
    list(APPEND features -Dhpk_WITH_${name}=off)
  endif()
endforeach()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${features}
    -Dhpk_BUILD_TESTS=OFF
    -Dhpk_BUILD_BENCHMARKS=OFF
    -Dhpk_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES hpk-diff AUTO_CLEAN)
# The packages for CMake stay where hpk installs them, because that of the drop-in for Kokkos refers to hpk's.
set(VCPKG_POLICY_SKIP_MISPLACED_CMAKE_FILES_CHECK enabled)
set(VCPKG_POLICY_SKIP_LIB_CMAKE_MERGE_CHECK enabled)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/hpk")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
