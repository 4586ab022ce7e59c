# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_part(<name> [SEPARATE]): makes the folder <name>/, which uses only public headers of core, the library
# and component hpk::<name>; hpk_ENABLE_<NAME> turns it off. hpk::hpk links it unless it is SEPARATE, for
# parts with dependencies that not every program should link: then its target exists only if the component is
# requested, and tpls/<name>, if there is one, finds the dependencies. The public headers are hpk/*.hpp and
# hpk/<name>/*.hpp; headers in hpk/<name>/detail are internal, and installed because public templates need
# them. Code that needs no template is in .cpp files beside the headers.
function(hpk_part name)
  cmake_parse_arguments(arg "SEPARATE" "" "" ${ARGN})
  string(TOUPPER ${name} upper)
  if(NOT hpk_ENABLE_${upper})
    return()
  endif()
  set(root ${PROJECT_SOURCE_DIR}/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${root}/hpk/${name}/*.cpp ${root}/hpk/${name}/detail/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${root}/hpk/*.hpp ${root}/hpk/${name}/*.h ${root}/hpk/${name}/*.hpp
       ${root}/hpk/${name}/detail/*.hpp)
  add_library(hpk_${name} ${sources})
  add_library(hpk::${name} ALIAS hpk_${name})
  target_sources(hpk_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  target_link_libraries(hpk_${name} PUBLIC hpk_core)
  hpk_library(hpk_${name} ${name})
  if(hpk_BUILD_TESTS)
    set_target_properties(hpk_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
  if(arg_SEPARATE)
    set_property(GLOBAL APPEND PROPERTY hpk_separate_parts ${name})
  else()
    target_link_libraries(hpk_hpk INTERFACE hpk_${name})
    set_property(GLOBAL APPEND PROPERTY hpk_parts ${name})
  endif()
endfunction()
