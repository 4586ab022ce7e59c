# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DPORT=<folder> -DFEATURES=<list> -DINSTALLED=<prefix> -DWORK=<folder> -P vcpkg_stub.cmake: runs a port
# with the functions of vcpkg that hpk's port calls. vcpkg_cmake_configure() configures the sources; instead of
# building, vcpkg_cmake_install() takes files of an hpk that is installed already.
cmake_minimum_required(VERSION 3.25)
set(CURRENT_PACKAGES_DIR ${WORK}/package)

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES")
  set(result)
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    set(value OFF)
    if(feature IN_LIST FEATURES)
      set(value ON)
    endif()
    list(APPEND result -D${option}=${value})
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} ${result} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  message("options: ${arg_OPTIONS}")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
            -DCMAKE_BUILD_TYPE=Release ${arg_OPTIONS}
    ERROR_VARIABLE errors OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  if(errors MATCHES "there is no option")
    message(FATAL_ERROR "${errors}")
  endif()
endfunction()

function(vcpkg_cmake_install)
  file(COPY ${INSTALLED}/ DESTINATION ${CURRENT_PACKAGES_DIR})
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 arg "AUTO_CLEAN" "" "TOOL_NAMES")
  foreach(tool ${arg_TOOL_NAMES})
    file(COPY ${CURRENT_PACKAGES_DIR}/bin/${tool} DESTINATION ${CURRENT_PACKAGES_DIR}/tools/hpk)
    file(REMOVE ${CURRENT_PACKAGES_DIR}/bin/${tool})
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY_FILE ${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/hpk/copyright)
endfunction()

include(${PORT}/portfile.cmake)
