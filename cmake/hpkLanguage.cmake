# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_language(<target>...): compiles the C++ sources of the targets in the language in which this hpk
# launches kernels on a GPU: CUDA or HIP. With host backends alone it has no effect, so a project calls it
# once and builds for both. It sets the LANGUAGE of the sources, and enables the language if the project has
# not. Flags, architectures and compilers remain those of the project (CMAKE_CUDA_*, CMAKE_HIP_*). If the C++
# compiler of the project compiles HIP itself (clang with the HIP packages of Debian and Ubuntu),
# hpk_HIP_OPTIONS contains the options for that, "-x;hip;..."; the sources get them and stay C++. Do not call
# it in a function. Without targets it only enables the language.
macro(hpk_language)
  get_property(_hpk_wanted GLOBAL PROPERTY hpk_languages)
  if(_hpk_wanted AND CMAKE_VERSION VERSION_LESS 3.25)
    message(FATAL_ERROR "hpk_language: files for a GPU need CMake 3.25 or newer; this is CMake ${CMAKE_VERSION}")
  endif()
  foreach(_hpk_language ${_hpk_wanted})
    get_property(_hpk_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT _hpk_language IN_LIST _hpk_languages AND NOT (_hpk_language STREQUAL "HIP" AND hpk_HIP_OPTIONS))
      include(CheckLanguage)
      check_language(${_hpk_language})
      if(NOT CMAKE_${_hpk_language}_COMPILER)
        message(FATAL_ERROR "hpk_language: this hpk runs kernels through ${_hpk_language}, but no "
                            "compiler of it was found; set CMAKE_${_hpk_language}_COMPILER")
      endif()
      enable_language(${_hpk_language})
    endif()
    if(_hpk_language STREQUAL "CUDA" AND NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      # CMake before 3.25.2 does not know the C++20 option of newer nvcc.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
      list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
    endif()
    foreach(_hpk_target ${ARGN})
      hpk_compile_as(${_hpk_target} ${_hpk_language})
    endforeach()
  endforeach()
endmacro()

# hpk_compile_as(<target> <language>): sets the language of the target's C++ sources, for targets of any
# folder.
function(hpk_compile_as target language)
  get_target_property(sources ${target} SOURCES)
  if(NOT sources)
    return()
  endif()
  list(FILTER sources INCLUDE REGEX "[.](cpp|cc|cxx|C)$")
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source ${sources})
    get_filename_component(file ${source} ABSOLUTE BASE_DIR ${folder})
    if(language STREQUAL "HIP" AND hpk_HIP_OPTIONS)
      # In addition to the file's own options; a file may be part of several targets.
      get_property(options SOURCE ${file} TARGET_DIRECTORY ${target} PROPERTY COMPILE_OPTIONS)
      if(NOT "${options}" MATCHES "-x;hip")
        set_property(SOURCE ${file} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS
                                                                               ${hpk_HIP_OPTIONS})
      endif()
    else()
      set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE ${language})
    endif()
  endforeach()
endfunction()
