# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For an hpk that is the top-level project: archives (TGZ) and Debian packages (DEB) of the installed files, by
# `cpack` or `cmake --build <folder> --target package`, and the target `uninstall`. docs/packaging.md describes
# them. A package is an install component:
#   hpk_runtime  libhpk<major>.<minor>  the shared libraries. A program with a static hpk needs no file of hpk,
#                                       so a static build has no such package
#   hpk_dev      libhpk-dev             what it takes to build programs: headers, static libraries, files for
#                                       CMake and pkg-config, the drop-in for Kokkos, printers for gdb, hpk-diff
#   hpk_doc      hpk-doc                the pages and examples
# and, if they are built,
#   hpk_fortran      libhpk-fortran<major>.<minor>  the shared library of the Fortran module
#   hpk_fortran_dev  libhpk-fortran-dev             the Fortran module for programs
#   hpk_python       python3-hpk                    the Python module; kernels from text need libhpk-dev too
# -DCPACK_PACKAGE_CONTACT="<name> <address>" names another maintainer.
get_target_property(hpk_core_type hpk_core TYPE)
set(shared OFF)
if(hpk_core_type STREQUAL "SHARED_LIBRARY")
  set(shared ON)
endif()

set(CPACK_PACKAGE_NAME hpk)
set(CPACK_PACKAGE_VENDOR "The authors of hpk")
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "The authors of hpk")
endif()
set(CPACK_GENERATOR TGZ)
# CPack calls these two for Debian packages.
find_program(hpk_SHLIBDEPS dpkg-shlibdeps)
find_program(hpk_FILE file)
mark_as_advanced(hpk_SHLIBDEPS hpk_FILE)
if(hpk_SHLIBDEPS AND hpk_FILE)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL hpk_dev hpk_doc)
if(shared)
  list(PREPEND CPACK_COMPONENTS_ALL hpk_runtime)
  set(CPACK_COMPONENT_HPK_DEV_DEPENDS hpk_runtime)
endif()
if(TARGET hpk_fortran)
  list(APPEND CPACK_COMPONENTS_ALL hpk_fortran_dev)
  set(CPACK_COMPONENT_HPK_FORTRAN_DEV_DEPENDS hpk_dev)
  if(shared)
    list(APPEND CPACK_COMPONENTS_ALL hpk_fortran)
    list(APPEND CPACK_COMPONENT_HPK_FORTRAN_DEV_DEPENDS hpk_fortran)
  endif()
endif()
if(TARGET hpk_python_module)
  list(APPEND CPACK_COMPONENTS_ALL hpk_python)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
foreach(component runtime dev doc fortran fortran_dev python)
  string(TOUPPER ${component} upper)
  set(CPACK_ARCHIVE_HPK_${upper}_FILE_NAME
      hpk-${component}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
endforeach()
set(about "hpk is a C++20 library in the programming model of Kokkos.\n")
set(CPACK_COMPONENT_HPK_RUNTIME_DESCRIPTION
    "${about}This package contains the shared libraries that programs load.")
set(CPACK_COMPONENT_HPK_DEV_DESCRIPTION
    "${about}This package contains what it takes to build programs: headers,\nlibraries, files for CMake and pkg-config.")
set(CPACK_COMPONENT_HPK_FORTRAN_DESCRIPTION
    "${about}This package contains the shared library of its Fortran module.")
set(CPACK_COMPONENT_HPK_FORTRAN_DEV_DESCRIPTION
    "${about}This package contains its Fortran module,\nand what it takes to call C++ kernels from Fortran.")
set(CPACK_COMPONENT_HPK_PYTHON_DESCRIPTION
    "${about}This package contains its Python module: arrays that share memory with\nnumpy, parallel algorithms, and kernels from text.")
set(CPACK_COMPONENT_HPK_DOC_DESCRIPTION "${about}This package contains the pages and examples.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The ABI differs from version to version.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_HPK_RUNTIME_PACKAGE_NAME libhpk${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_HPK_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_HPK_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HPK_DEV_PACKAGE_NAME libhpk-dev)
set(CPACK_DEBIAN_HPK_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_HPK_DEV_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HPK_DEV_PACKAGE_RECOMMENDS python3) # of hpk-migrate
set(CPACK_DEBIAN_HPK_FORTRAN_PACKAGE_NAME libhpk-fortran${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_HPK_FORTRAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_HPK_FORTRAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HPK_FORTRAN_DEV_PACKAGE_NAME libhpk-fortran-dev)
set(CPACK_DEBIAN_HPK_FORTRAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_HPK_FORTRAN_DEV_PACKAGE_RECOMMENDS gfortran)
set(CPACK_DEBIAN_HPK_PYTHON_PACKAGE_NAME python3-hpk)
set(CPACK_DEBIAN_HPK_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_HPK_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HPK_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11)")
set(CPACK_DEBIAN_HPK_PYTHON_PACKAGE_RECOMMENDS "g++, libhpk-dev (= ${PROJECT_VERSION}), python3-numpy")
set(CPACK_DEBIAN_HPK_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
                                                  ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
set(CPACK_DEBIAN_HPK_DOC_PACKAGE_NAME hpk-doc)
set(CPACK_DEBIAN_HPK_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_HPK_DOC_PACKAGE_ARCHITECTURE all)
# A program links what headers of hpk call, and with a static hpk also what its libraries call.
get_property(hpk_public_packages GLOBAL PROPERTY hpk_debian_public)
get_property(hpk_private_packages GLOBAL PROPERTY hpk_debian_private)
if(NOT shared)
  list(APPEND hpk_public_packages ${hpk_private_packages})
endif()
list(JOIN hpk_public_packages ", " CPACK_DEBIAN_HPK_DEV_PACKAGE_DEPENDS)
get_property(hpk_separate_packages GLOBAL PROPERTY hpk_debian_separate)
list(JOIN hpk_separate_packages ", " CPACK_DEBIAN_HPK_DEV_PACKAGE_SUGGESTS)
# The libraries of this build that those of the runtime package link.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/core
                                                ${PROJECT_BINARY_DIR}/fortran)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/hpkDebianFiles.cmake)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)

if(shared)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT hpk_runtime)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT hpk_doc)
install(DIRECTORY docs example DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT hpk_doc PATTERN site EXCLUDE)

# Each installation, but not the packing, adds its prefix and files to a list for the target uninstall.
set(installed ${PROJECT_BINARY_DIR}/hpk_installed.txt)
install(
  CODE "set(root \"\$ENV{DESTDIR}\")
if(NOT \"\${root}\${CMAKE_INSTALL_PREFIX}\" MATCHES \"/_CPack_Packages/\")
  set(entries \${CMAKE_INSTALL_PREFIX} \${CMAKE_INSTALL_MANIFEST_FILES})
  list(TRANSFORM entries PREPEND \"\${root}\")
  list(JOIN entries \"\\n\" entries)
  file(APPEND \"${installed}\" \"\${entries}\\n\")
endif()" ALL_COMPONENTS)
add_custom_target(
  uninstall
  COMMAND ${CMAKE_COMMAND} -DINSTALLED=${installed} -P ${PROJECT_SOURCE_DIR}/cmake/hpkUninstall.cmake
  COMMENT "Uninstalling hpk"
  VERBATIM)
