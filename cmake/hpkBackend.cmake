# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Registration of backends. A backend is a folder that holds a backend.cmake with one call:
#
#   hpk_backend(<name> [HOST] [OPT_IN] SPACE <Space> HEADER <path> [NAMESPACE <ns>] [LANGUAGE <language>]
#               [SOURCES <file>...] [PACKAGES <package>...] [LIBRARIES <target>...] [PUBLIC_LIBRARIES <target>...]
#               [SYSTEM <name>] [DEFINITIONS <macro>...])
#
# HOST marks a space whose kernels run on host threads. HEADER is the path for #include, NAMESPACE the
# namespace of the space (default hpk). PUBLIC_LIBRARIES are libraries that the header itself needs, so
# consumers link them too. LANGUAGE is the CMake language of files that launch kernels on the space (CUDA,
# HIP); hpk_language() sets it for a target. SYSTEM is the only operating system that supports the backend.
# The call makes the option hpk_ENABLE_<NAME>: on if all packages are found, or with OPT_IN only on request.
# ON with a missing package is an error. hpk_backends() then fills the generated headers. The order in which
# folders are added is the order of preference for the default space.

foreach(list registered enabled enabled_spaces enabled_host_spaces backend_folders backend_sources
             backend_headers backend_libraries backend_packages backend_definitions
             backend_public_libraries backend_public_packages languages)
  set(hpk_${list} "")
endforeach()

# Adds the given folders; relative ones are below the top-level source folder.
macro(hpk_add_backends)
  foreach(_hpk_folder ${ARGN})
    get_filename_component(_hpk_folder "${_hpk_folder}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
    if(NOT EXISTS ${_hpk_folder}/backend.cmake)
      message(FATAL_ERROR "hpk: ${_hpk_folder} holds no backend.cmake, so it is no backend of hpk. "
                          "See hpk_EXTRA_BACKENDS.")
    endif()
    list(APPEND hpk_backend_folders ${_hpk_folder})
    include(${_hpk_folder}/backend.cmake)
  endforeach()
endmacro()

macro(hpk_backend name)
  cmake_parse_arguments(_hpk "HOST;OPT_IN" "SPACE;HEADER;NAMESPACE;LANGUAGE;SYSTEM"
                        "SOURCES;PACKAGES;LIBRARIES;PUBLIC_LIBRARIES;DEFINITIONS" ${ARGN})
  if(NOT _hpk_NAMESPACE)
    set(_hpk_NAMESPACE hpk)
  endif()
  string(TOUPPER ${name} _hpk_NAME)
  set(_hpk_missing)
  if(_hpk_OPT_IN)
    hpk_option(hpk_ENABLE_${_hpk_NAME} OFF "Build the ${name} backend")
  endif()
  if(NOT DEFINED hpk_ENABLE_${_hpk_NAME} OR hpk_ENABLE_${_hpk_NAME})
    foreach(_hpk_package ${_hpk_PACKAGES})
      find_package(${_hpk_package} QUIET)
      if(NOT ${_hpk_package}_FOUND)
        list(APPEND _hpk_missing ${_hpk_package})
      endif()
    endforeach()
    if(_hpk_SYSTEM AND NOT CMAKE_SYSTEM_NAME STREQUAL _hpk_SYSTEM)
      list(APPEND _hpk_missing ${_hpk_SYSTEM})
    endif()
  endif()
  if(_hpk_missing AND hpk_ENABLE_${_hpk_NAME})
    message(FATAL_ERROR "hpk: hpk_ENABLE_${_hpk_NAME} is ON, but these packages were not found: "
                        "${_hpk_missing}. Install them, or say -Dhpk_ENABLE_${_hpk_NAME}=OFF.")
  elseif(_hpk_missing)
    message(STATUS "hpk: backend ${name} is off (not found: ${_hpk_missing})")
    hpk_option(hpk_ENABLE_${_hpk_NAME} OFF "Build the ${name} backend")
  else()
    hpk_option(hpk_ENABLE_${_hpk_NAME} ON "Build the ${name} backend")
  endif()
  list(APPEND hpk_registered ${name})

  if(hpk_ENABLE_${_hpk_NAME})
    list(TRANSFORM _hpk_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
    list(APPEND hpk_backend_sources ${_hpk_SOURCES})
    file(GLOB_RECURSE _hpk_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.hpp)
    list(APPEND hpk_backend_headers ${_hpk_headers})
    list(APPEND hpk_backend_libraries ${_hpk_LIBRARIES})
    list(APPEND hpk_backend_packages ${_hpk_PACKAGES})
    if(_hpk_PUBLIC_LIBRARIES)
      list(APPEND hpk_backend_public_libraries ${_hpk_PUBLIC_LIBRARIES})
      list(APPEND hpk_backend_public_packages ${_hpk_PACKAGES})
    endif()
    list(APPEND hpk_backend_definitions ${_hpk_DEFINITIONS})
    list(APPEND hpk_enabled ${name})
    list(APPEND hpk_languages ${_hpk_LANGUAGE})
    list(APPEND hpk_enabled_spaces ${_hpk_NAMESPACE}::${_hpk_SPACE})
    if(_hpk_HOST)
      list(APPEND hpk_enabled_host_spaces ${_hpk_NAMESPACE}::${_hpk_SPACE})
    endif()
    string(APPEND HPK_BACKEND_MACROS "#define HPK_ENABLE_${_hpk_NAME} 1\n")
    string(APPEND HPK_BACKEND_DECLARATIONS
           "namespace ${_hpk_NAMESPACE} { class ${_hpk_SPACE}; }\n")
    string(APPEND HPK_BACKEND_INCLUDES "#include <${_hpk_HEADER}>\n")
    if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/library_sort.hpp)
      string(APPEND HPK_LIBRARY_SORT_INCLUDES "#include <hpk/backends/${name}/library_sort.hpp>\n")
    endif()
  else()
    string(APPEND HPK_BACKEND_MACROS "#define HPK_ENABLE_${_hpk_NAME} 0\n")
  endif()
endmacro()

# hpk_with(<NAME> <tpl> <value> <Debian package> [PUBLIC]): applies hpk_WITH_<NAME> to a package that hpk
# itself can use. If the package is found, <value> is 1 and the package is in hpk_private_tpls, or with
# PUBLIC, for packages called by headers of hpk, in hpk_public_tpls; the Debian package is in the global
# property hpk_debian_private or hpk_debian_public, for Debian packages of hpk.
macro(hpk_with name tpl value package)
  set(${value} 0)
  if(NOT hpk_WITH_${name} STREQUAL "off")
    hpk_tpl(${tpl})
    if(TARGET hpk_tpl::${tpl})
      set(${value} 1)
      if("${ARGN}" STREQUAL "PUBLIC")
        list(APPEND hpk_public_tpls ${tpl})
        set_property(GLOBAL APPEND PROPERTY hpk_debian_public ${package})
      else()
        list(APPEND hpk_private_tpls ${tpl})
        set_property(GLOBAL APPEND PROPERTY hpk_debian_private ${package})
      endif()
    elseif(hpk_WITH_${name} STREQUAL "on")
      message(FATAL_ERROR "hpk: hpk_WITH_${name} is on, but ${tpl} was not found. Install it "
                          "(Debian, Ubuntu: ${package}), or say -Dhpk_WITH_${name}=auto.")
    endif()
  endif()
endmacro()

# Called after the last registration: sets the values for the generated headers.
macro(hpk_backends)
  if(NOT DEFINED HPK_LIBRARY_SORT_INCLUDES)
    set(HPK_LIBRARY_SORT_INCLUDES "")
  endif()
  if(NOT hpk_enabled_host_spaces)
    list(TRANSFORM hpk_registered TOUPPER OUTPUT_VARIABLE _hpk_names)
    list(TRANSFORM _hpk_names PREPEND hpk_ENABLE_)
    list(JOIN _hpk_names ", " _hpk_names)
    message(FATAL_ERROR "hpk: no host backend is on. Turn on at least one of: ${_hpk_names}")
  endif()
  set_property(GLOBAL PROPERTY hpk_enabled_backends ${hpk_enabled})
  set_property(GLOBAL PROPERTY hpk_enabled_spaces ${hpk_enabled_spaces})
  list(GET hpk_enabled_spaces 0 HPK_DEFAULT_SPACE)
  list(GET hpk_enabled_host_spaces 0 HPK_DEFAULT_HOST_SPACE)
  list(JOIN hpk_enabled_spaces ", " HPK_ENABLED_SPACES)
  set(HPK_CHECKS_VALUE "(!HPK_HAS_NDEBUG)")
  if(NOT hpk_CHECKS STREQUAL "auto")
    string(COMPARE EQUAL ${hpk_CHECKS} on HPK_CHECKS_VALUE)
  endif()
  set(HPK_COMPLEX_ALIGN_VALUE HPK_PERMISSIVE)
  if(NOT hpk_COMPLEX_ALIGN STREQUAL "auto")
    string(COMPARE EQUAL ${hpk_COMPLEX_ALIGN} on HPK_COMPLEX_ALIGN_VALUE)
  endif()
  set(hpk_private_tpls)
  set(hpk_public_tpls)
  hpk_with(HWLOC hwloc HPK_WITH_HWLOC_VALUE libhwloc-dev)
  hpk_with(BOOST_CONTEXT boost_context hpk_has_boost_context libboost-context-dev)
  set(HPK_WITH_SLEEF_VALUE 0)
  if(hpk_ENABLE_SIMD)
    hpk_with(SLEEF sleef HPK_WITH_SLEEF_VALUE libsleef-dev PUBLIC)
  endif()
  list(APPEND hpk_backend_definitions HPK_WITH_BOOST_CONTEXT=${hpk_has_boost_context})
  include(CheckCXXSymbolExists)
  check_cxx_symbol_exists(makecontext ucontext.h hpk_HAS_UCONTEXT)
  if(NOT hpk_has_boost_context AND NOT hpk_HAS_UCONTEXT)
    message(FATAL_ERROR "hpk: lanes need Boost.Context (Debian, Ubuntu: libboost-context-dev), as the C "
                        "library here has no makecontext. Install it, and leave "
                        "hpk_WITH_BOOST_CONTEXT at auto.")
  endif()
endmacro()
