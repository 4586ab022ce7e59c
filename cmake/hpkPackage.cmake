# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_package(), called when all parts are there: everything others find hpk by. The CMake package
# (installed, and the same files in the build tree, so that -Dhpk_DIR=<build folder> works without
# installing), its version file, and hpk.pc for pkg-config. Consumers get include folders, C++20 and
# libraries: no flag, no cache entry.

# What a static hpk_core needs on the link line of a build that is not CMake: the libraries and link
# options of the given targets, without generator expressions.
function(hpk_flat_libraries result)
  set(flat)
  foreach(item ${ARGN})
    if(TARGET ${item})
      get_target_property(file ${item} IMPORTED_LOCATION)
      get_target_property(config ${item} IMPORTED_CONFIGURATIONS)
      if(NOT file AND config)
        list(GET config 0 config)
        get_target_property(file ${item} IMPORTED_LOCATION_${config})
      endif()
      get_target_property(inner ${item} INTERFACE_LINK_LIBRARIES)
      if(file)
        list(APPEND flat ${file})
      endif()
      if(inner)
        hpk_flat_libraries(inner ${inner})
        list(APPEND flat ${inner})
      endif()
    elseif(item MATCHES "^[a-z]+$")
      list(APPEND flat -l${item})
    elseif(NOT item MATCHES "[$<>]")
      list(APPEND flat ${item})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES flat)
  set(${result} ${flat} PARENT_SCOPE)
endfunction()

function(hpk_package)
  get_target_property(type hpk_core TYPE)
  set(static OFF)
  if(type STREQUAL "STATIC_LIBRARY")
    set(static ON)
  endif()

  set(HPK_CONFIG_ENABLES)
  foreach(name ${hpk_registered})
    string(TOUPPER ${name} upper)
    string(APPEND HPK_CONFIG_ENABLES "set(hpk_ENABLE_${upper} ${hpk_ENABLE_${upper}})\n")
  endforeach()
  set(HPK_CONFIG_PACKAGES Threads ${hpk_backend_public_packages})
  set(HPK_CONFIG_TPLS ${hpk_public_tpls})
  if(static)
    list(APPEND HPK_CONFIG_PACKAGES ${hpk_backend_packages})
    list(APPEND HPK_CONFIG_TPLS ${hpk_private_tpls})
  endif()
  list(REMOVE_DUPLICATES HPK_CONFIG_PACKAGES)
  set(HPK_BACKENDS ${hpk_enabled})
  set(HPK_LANGUAGES ${hpk_languages})
  get_property(HPK_PARTS GLOBAL PROPERTY hpk_parts)
  set(targets hpk_core ${HPK_PARTS} hpk_hpk)
  list(TRANSFORM targets REPLACE "^[a-z]+$" "hpk_\\0")

  include(CMakePackageConfigHelpers)
  set(build ${PROJECT_BINARY_DIR})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/hpkConfig.cmake.in ${build}/hpkConfig.cmake @ONLY)
  write_basic_package_version_file(${build}/hpkConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/hpkLanguage.cmake ${build}/hpkLanguage.cmake COPYONLY)
  set(files ${build}/hpkConfig.cmake ${build}/hpkConfigVersion.cmake ${build}/hpkLanguage.cmake)
  foreach(tpl ${HPK_CONFIG_TPLS})
    configure_file(${PROJECT_SOURCE_DIR}/tpls/${tpl}/${tpl}.cmake ${build}/hpk_${tpl}.cmake COPYONLY)
    list(APPEND files ${build}/hpk_${tpl}.cmake)
  endforeach()
  export(TARGETS ${targets} NAMESPACE hpk:: FILE ${build}/hpkTargets.cmake)
  if(NOT hpk_INSTALL)
    return()
  endif()

  set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hpk)
  install(TARGETS ${targets} EXPORT hpkTargets FILE_SET HEADERS FILE_SET device_headers)
  install(EXPORT hpkTargets NAMESPACE hpk:: DESTINATION ${cmake_dir})
  install(FILES ${files} DESTINATION ${cmake_dir})
  install(FILES ${PROJECT_SOURCE_DIR}/scripts/gdb/hpk_printers.py
          DESTINATION ${CMAKE_INSTALL_DATADIR}/hpk/gdb)
  if(hpk_INSTALL_TEST_HEADERS)
    # For the tests of backends and of libraries over hpk: an include folder, not for production.
    foreach(folder support conformance)
      install(DIRECTORY ${PROJECT_SOURCE_DIR}/unit_tests/${folder}
              DESTINATION ${CMAKE_INSTALL_DATADIR}/hpk/test
              COMPONENT hpk_test
              FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc")
    endforeach()
  endif()

  # The .pc file finds its prefix from its own place, so an installed tree may be moved.
  string(REGEX REPLACE "[^/]+" ".." HPK_PC_UP "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  set(HPK_PC_LIBS ${HPK_PARTS} core)
  list(REMOVE_ITEM HPK_PC_LIBS mpi) # linked by the compiler wrapper of MPI
  list(TRANSFORM HPK_PC_LIBS PREPEND -lhpk_)
  list(APPEND HPK_PC_LIBS ${hpk_flat})
  list(APPEND HPK_PC_LIBS -pthread)
  list(REMOVE_DUPLICATES HPK_PC_LIBS)
  list(JOIN HPK_PC_LIBS " " HPK_PC_LIBS)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/hpk.pc.in ${build}/hpk.pc @ONLY)
  install(FILES ${build}/hpk.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
