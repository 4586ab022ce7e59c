# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_fortran_module(<target> <module> SOURCES <file>... [LIBRARIES <target>...]): makes a library <target> of
# the C++ files, whose functions of HPK_FORTRAN are called through the Fortran module <module>. Fortran
# programs link <target> and write `use <module>`.
#
# The interfaces are made of the C++ types: the files are compiled once, as the object library
# <target>_kernels; a program <target>_generator, linked with them, prints the module when the project is
# built. LIBRARIES are linked to both. Set options of the C++ files at <target>_kernels, those of the module
# at <target>. The project needs the languages CXX and Fortran; with a GPU, call hpk_language() before.
function(hpk_fortran_module target module)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "hpk_fortran_module: write hpk_fortran_module(<target> <module> SOURCES <file>... "
                        "[LIBRARIES <target>...]); got: ${ARGV}")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "Fortran" IN_LIST languages)
    message(FATAL_ERROR "hpk_fortran_module: write project(... LANGUAGES CXX Fortran)")
  endif()

  add_library(${target}_kernels OBJECT ${arg_SOURCES})
  target_link_libraries(${target}_kernels PUBLIC hpk::fortran ${arg_LIBRARIES})
  target_compile_definitions(${target}_kernels PRIVATE HPK_FORTRAN_MODULE=${module})
  set_target_properties(${target}_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON)
  get_property(kernel_languages GLOBAL PROPERTY hpk_languages)
  foreach(language ${kernel_languages})
    hpk_compile_as(${target}_kernels ${language})
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_module)
  file(MAKE_DIRECTORY ${folder})
  file(
    GENERATE
    OUTPUT ${folder}/generator.cpp
    CONTENT
      "#include <hpk/fortran/detail/generate.hpp>

int main(int argc, char* argv[]) { return hpk::detail::fortran::generate(argc, argv); }
")
  add_executable(${target}_generator ${folder}/generator.cpp $<TARGET_OBJECTS:${target}_kernels>)
  target_link_libraries(${target}_generator PRIVATE hpk::fortran ${arg_LIBRARIES})
  add_custom_command(
    OUTPUT ${folder}/${module}.f90 ${folder}/${module}.cpp
    COMMAND ${target}_generator ${module} ${folder}/${module}.f90 ${folder}/${module}.cpp
    DEPENDS ${target}_generator
    COMMENT "Writing Fortran module ${module}"
    VERBATIM)
  add_library(${target} ${folder}/${module}.f90 ${folder}/${module}.cpp $<TARGET_OBJECTS:${target}_kernels>)
  target_link_libraries(${target} PUBLIC hpk::fortran ${arg_LIBRARIES})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON Fortran_MODULE_DIRECTORY ${folder})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
endfunction()

# hpk_fortran_binding(<target>): lets C++ files of the target include ISO_Fortran_binding.h, which is the Fortran
# compiler's, also if the C++ compiler is another one. Kernels of HPK_FORTRAN do not need it.
function(hpk_fortran_binding target)
  execute_process(
    COMMAND ${CMAKE_Fortran_COMPILER} -print-file-name=include/ISO_Fortran_binding.h
    OUTPUT_VARIABLE header
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(IS_ABSOLUTE "${header}" AND EXISTS "${header}")
    # Alone in a folder: beside it are headers of the C compiler.
    set(folder ${CMAKE_BINARY_DIR}/hpk_fortran_binding)
    configure_file(${header} ${folder}/ISO_Fortran_binding.h COPYONLY)
    target_include_directories(${target} PRIVATE ${folder})
  endif()
endfunction()
