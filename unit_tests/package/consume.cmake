# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs one package test: cmake -DWAY=... -P consume.cmake (see CMakeLists.txt for the variables). Every step
# must succeed, or fail with the expected text, and the consumer must print its sum. The test also checks that
# hpk does not change a consumer's cache entries and flags.
cmake_minimum_required(VERSION 3.25)
set(consumer ${SOURCE}/example/consumer_cmake)
set(printed "sum of squares below 1000: 332833500")
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

function(build_and_run folder program)
  run(${CMAKE_COMMAND} --build ${folder})
  run(${folder}/${program})
  expect_text("${printed}" "${out}")
endfunction()

# Returns the names of all cache entries of a build folder.
function(cache_names result folder)
  file(STRINGS ${folder}/CMakeCache.txt lines REGEX "^[^#/].*=")
  list(TRANSFORM lines REPLACE ":.*" "")
  set(${result} ${lines} PARENT_SCOPE)
endfunction()

# Finding hpk adds hpk_DIR and the entries of CMake's own find modules to the cache, and no others.
function(check_cache folder)
  file(WRITE ${WORK}/plain/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.25)\nproject(plain LANGUAGES CXX)\n"
       "find_package(Threads REQUIRED)\nfind_package(OpenMP)\n")
  run(${configure} -S ${WORK}/plain -B ${WORK}/plain/build)
  cache_names(before ${WORK}/plain/build)
  cache_names(after ${folder})
  list(REMOVE_ITEM after ${before} hpk_DIR CMAKE_PREFIX_PATH consumer_BINARY_DIR consumer_SOURCE_DIR
       consumer_IS_TOP_LEVEL consumer_COMPONENTS)
  if(after)
    message(FATAL_ERROR "finding hpk put this into the consumer's cache: ${after}")
  endif()
endfunction()

# The consumer is compiled only with include folders and the C++20 switch.
function(check_flags folder)
  file(READ ${folder}/compile_commands.json json)
  string(JSON command GET "${json}" 0 command)
  separate_arguments(words UNIX_COMMAND "${command}")
  separate_arguments(own UNIX_COMMAND "${CXX_FLAGS}")
  list(REMOVE_ITEM words ${own})
  list(FILTER words INCLUDE REGEX "^-")
  list(FILTER words EXCLUDE REGEX "^(-I.*|-isystem|-std=(gnu|c)[+][+](20|2a)|-o|-c)$")
  if(BACKENDS MATCHES "openmptarget")
    list(REMOVE_ITEM words -fopenmp)  # kernels for OpenMP target are regions in the consumer's files
  endif()
  if(words)
    message(FATAL_ERROR "hpk forces flags on its consumer: ${words}\n${command}")
  endif()
endfunction()

# ${WORK}/c/main.c: a program in C.
function(write_c_program)
  file(WRITE ${WORK}/c/main.c
       "#include <hpk/c/hpk.h>\n#include <stdio.h>\nint main(void) {\n"
       "  const int64_t n = 3;\n  hpk_view* x;\n  const hpk_scalar two = {HPK_TYPE_INT64, 2, 0, 0, 0};\n"
       "  hpk_scalar sum = two;\n"
       "  hpk_view_create(HPK_TYPE_FLOAT64, 1, &n, HPK_LAYOUT_RIGHT, \"Host\", \"x\", 1, &x);\n"
       "  hpk_view_fill(x, &two, NULL);\n  hpk_reduce(x, \"sum\", NULL, &sum);\n"
       "  printf(\"the sum is %g\", sum.f);\n  hpk_view_release(x);\n  return 0;\n}\n")
endfunction()

# Tests all results of find_package. The given -D finds hpk.
function(consume_package where place)
  string(REPLACE "," ";" backends "${BACKENDS}")
  run(${configure} ${where} "-Dconsumer_COMPONENTS=algorithms;containers;graph;interop;io;lockstep;simd;tasks;${backends}" -S ${consumer} -B ${WORK}/build)
  check_cache(${WORK}/build)
  check_flags(${WORK}/build)
  build_and_run(${WORK}/build consumer)

  string(REPLACE "," ";" separate "${SEPARATE}")
  set(has core algorithms containers graph interop io lockstep simd tasks ${separate} ${backends})
  if("mpi" IN_LIST separate)
    file(WRITE ${WORK}/mpi/CMakeLists.txt
         "cmake_minimum_required(VERSION 3.25)\nproject(ranks LANGUAGES CXX)\n"
         "find_package(hpk CONFIG REQUIRED COMPONENTS mpi)\n"
         "add_executable(ranks main.cpp)\ntarget_link_libraries(ranks PRIVATE hpk::mpi)\n")
    file(WRITE ${WORK}/mpi/main.cpp
         "#include <hpk/mpi.hpp>\n#include <cstdio>\nint main(int argc, char* argv[]) {\n"
         "  hpk::mpi::ScopeGuard guard(argc, argv);\n"
         "  std::printf(\"%d rank\", hpk::mpi::world().size());\n"
         "  return hpk::mpi::CheckpointReader(hpk::mpi::world(), \"none\").exists() ? 1 : 0;\n}\n")
    run(${configure} ${where} -S ${WORK}/mpi -B ${WORK}/mpi/build)
    run(${CMAKE_COMMAND} --build ${WORK}/mpi/build)
    run(${WORK}/mpi/build/ranks)
    expect_text("1 rank" "${out}")
  endif()
  if("c" IN_LIST separate)
    # A program in C, in a project that has found hpk without the component before.
    file(WRITE ${WORK}/c/CMakeLists.txt
         "cmake_minimum_required(VERSION 3.25)\nproject(sum LANGUAGES C CXX)\n"
         "find_package(hpk CONFIG REQUIRED)\nfind_package(hpk CONFIG REQUIRED COMPONENTS c)\n"
         "add_executable(sum main.c)\ntarget_link_libraries(sum PRIVATE hpk::c)\n")
    write_c_program()
    run(${configure} ${where} -S ${WORK}/c -B ${WORK}/c/build)
    run(${CMAKE_COMMAND} --build ${WORK}/c/build)
    run(${WORK}/c/build/sum)
    expect_text("the sum is 6" "${out}")
  endif()
  list(SORT has)
  list(JOIN has " " has)
  refuses("hpk found at ${place}, but without component 'sycl' (has: ${has})" ${configure} ${where}
          -Dconsumer_COMPONENTS=sycl -S ${consumer} -B ${WORK}/build_sycl)

  string(REGEX REPLACE "^([0-9]+)[.]([0-9]+).*" "\\1" major ${VERSION})
  math(EXPR next "${CMAKE_MATCH_2} + 1")
  file(WRITE ${WORK}/newer/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.25)\nproject(newer LANGUAGES CXX)\n"
       "find_package(hpk ${major}.${next} CONFIG REQUIRED)\n")
  refuses("compatible with requested version \"${major}.${next}\"" ${configure} ${where}
          -S ${WORK}/newer -B ${WORK}/newer/build)
endfunction()

# Runs the six cases that hpk_emu_test() made for a program and returns their output in `out`.
function(expect_emu_tests folder target)
  run(${CMAKE_COMMAND} -E chdir ${folder} ${CMAKE_CTEST_COMMAND} -L emu -R "^${target}[.]" --verbose)
  foreach(seed 1 2 3)
    foreach(width 32 64)
      expect_text("${target}.emu.seed${seed}.width${width} " "${out}")
    endforeach()
  endforeach()
  expect_text("100% tests passed, 0 tests failed out of 6" "${out}")
  set(out "${out}" PARENT_SCOPE)
endfunction()

# A project for CMake 3.16, with any CMake: the files of a package check CMAKE_VERSION and leave out file
# sets, which need 3.23. Older versions get a message with the required one.
function(consume_with_old_cmake where)
  foreach(version 3.16.3 3.15.7)
    file(WRITE ${WORK}/old_${version}/CMakeLists.txt
         "cmake_minimum_required(VERSION 3.16)\nproject(old LANGUAGES CXX)\nset(CMAKE_VERSION ${version})\n"
         "find_package(hpk CONFIG REQUIRED)\nadd_executable(old main.cpp)\n"
         "target_link_libraries(old PRIVATE hpk::hpk)\nhpk_language(old)\n"
         "enable_testing()\nif(\"emu\" IN_LIST hpk_BACKENDS)\n  hpk_emu_test(old ARGS first second)\n"
         "  add_executable(host host.cpp)\n  target_link_libraries(host PRIVATE hpk::hpk)\n"
         "  hpk_emu_test(host)\nendif()\n"
         "get_target_property(sets hpk::core INTERFACE_HEADER_SETS)\nif(sets)\n"
         "  message(FATAL_ERROR \"it has file sets: \${sets}\")\nendif()\n")
  endforeach()
  file(WRITE ${WORK}/old_3.16.3/host.cpp "#include <hpk/runtime.hpp>\nint main() { hpk::fence(); }\n")
  file(WRITE ${WORK}/old_3.16.3/main.cpp
       "#include <hpk/containers/functional.hpp>\n#include <hpk/runtime.hpp>\n#include <hpk/version.hpp>\n"
       "#include <cstdio>\n#include <cstdlib>\n"
       "int main(int argc, char* argv[]) {\n  hpk::fence();\n"
       "#ifdef HPK_ENABLE_EMU\n  hpk::Emu().fence();\n#endif\n"
       "  for (const char* v : {\"HPK_EMU_CHECK\", \"HPK_EMU_SEED\", \"HPK_EMU_SUBGROUP\"})\n"
       "    if (const char* value = std::getenv(v)) std::printf(\"%s \", value);\n"
       "  std::printf(\"%s\", argv[argc - 1]);\n}\n")
  run(${configure} ${where} -S ${WORK}/old_3.16.3 -B ${WORK}/old_3.16.3/build)
  run(${CMAKE_COMMAND} --build ${WORK}/old_3.16.3/build)
  run(${WORK}/old_3.16.3/build/old)
  if(BACKENDS MATCHES "(^|,)emu(,|$)")
    refuses("HPK_EMU_CHECK has no effect: the program did not use Emu" ${CMAKE_COMMAND} -E chdir
            ${WORK}/old_3.16.3/build ${CMAKE_CTEST_COMMAND} -R host.emu.seed1.width32 --verbose)
    expect_emu_tests(${WORK}/old_3.16.3/build old)
    foreach(seed 1 2 3)
      foreach(width 32 64)
        expect_text("all ${seed} ${width} second" "${out}")
      endforeach()
    endforeach()
  endif()
  refuses("hpk needs CMake 3.16 or newer; this is CMake 3.15.7" ${configure} ${where} -S ${WORK}/old_3.15.7
          -B ${WORK}/old_3.15.7/build)
  file(WRITE ${WORK}/old_gpu.cmake
       "include(${SOURCE}/cmake/hpkLanguage.cmake)\nset_property(GLOBAL PROPERTY hpk_languages CUDA)\n"
       "set(CMAKE_VERSION 3.24.4)\nhpk_language()\n")
  refuses("hpk_language: files for a GPU need CMake 3.25 or newer; this is CMake 3.24.4" ${CMAKE_COMMAND} -P
          ${WORK}/old_gpu.cmake)
endfunction()

# The commit that a program prints is that of hpk's own checkout, or one written into an archive. The commit
# of another repository that contains a copy of hpk is not used.
function(check_commit)
  file(STRINGS ${SOURCE}/cmake/hpkCommit.cmake to_replace REGEX "[$]Format")
  if(NOT to_replace)
    return() # this is an archive
  endif()
  set(copy ${WORK}/commit/vendor/hpk)
  file(COPY ${SOURCE}/cmake/hpkCommit.cmake DESTINATION ${copy}/cmake)
  file(COPY ${SOURCE}/.gitattributes DESTINATION ${copy})
  file(WRITE ${WORK}/commit.cmake
       "include(\${FOLDER}/cmake/hpkCommit.cmake)\nhpk_commit(commit)\nmessage(\"commit: '\${commit}'\")\n")
  set(git git -c user.name=hpk -c user.email=hpk -c commit.gpgsign=false -C)
  macro(commit_all folder)
    run(${git} ${folder} init --quiet)
    run(${git} ${folder} add .)
    run(${git} ${folder} commit --quiet --message all)
  endmacro()
  commit_all(${WORK}/commit)
  run(${CMAKE_COMMAND} -DFOLDER=${copy} -P ${WORK}/commit.cmake)
  expect_text("commit: ''" "${out}")
  commit_all(${copy})
  run(${git} ${copy} rev-parse --short HEAD)
  string(STRIP "${out}" own)
  run(${git} ${copy} archive --output ${WORK}/hpk.tar HEAD)
  file(ARCHIVE_EXTRACT INPUT ${WORK}/hpk.tar DESTINATION ${WORK}/commit/archive)
  foreach(folder ${copy} ${WORK}/commit/archive)
    run(${CMAKE_COMMAND} -DFOLDER=${folder} -P ${WORK}/commit.cmake)
    expect_text("commit: '${own}'" "${out}")
  endforeach()
endfunction()

# A library that is built together with hpk and installs its targets: they need the targets of hpk.
function(check_export)
  file(WRITE ${WORK}/over/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.25)\nproject(over LANGUAGES CXX)\nadd_subdirectory(${SOURCE} hpk)\n"
       "add_library(over INTERFACE)\ntarget_link_libraries(over INTERFACE hpk::hpk)\n"
       "install(TARGETS over EXPORT overTargets)\ninstall(EXPORT overTargets DESTINATION lib/cmake/over)\n")
  refuses("requires target \"hpk_hpk\" that is not in any export set" ${configure} -S ${WORK}/over -B ${WORK}/over/build)
  run(${configure} -Dhpk_INSTALL=ON -S ${WORK}/over -B ${WORK}/over/build)
  file(GLOB_RECURSE found ${WORK}/over/build/CMakeFiles/Export/*/overTargets.cmake)
  file(READ ${found} targets)
  expect_text("INTERFACE_LINK_LIBRARIES \"hpk::hpk\"" "${targets}")
endfunction()

# A program, two shared libraries that a program links, and two that a program loads, with an hpk that is
# `shared` or `static` (one copy in each shared library).
function(run_sharing folder type)
  foreach(visibility default hidden)
    set(calls)
    foreach(name first second)
      list(APPEND calls ${folder}/lib${visibility}_${name}.so ${name})
    endforeach()
    foreach(command ${folder}/${visibility}_one ${folder}/${visibility}_two
                    "${folder}/host;${type};${calls}")
      run(${command})
      expect_text("all right" "${out}")
    endforeach()
  endforeach()
endfunction()

# A program compiled by the host compiler alone, with an hpk that has Cuda: Views, mirrors and copies of all
# spaces compile and run, and a launch on Cuda gives one error.
function(consume_with_cuda)
  set(plain ${SOURCE}/unit_tests/package/cuda)
  run(${configure} -S ${plain} -B ${WORK}/build -DHPK=${SOURCE} -Dhpk_ENABLE_CUDA=ON
      -Dhpk_ENABLE_OPENMP=OFF -Dhpk_ENABLE_EMU=OFF -Dhpk_UNITY_BUILD=ON -Dhpk_ENABLE_ALGORITHMS=OFF
      -Dhpk_ENABLE_CONTAINERS=OFF -Dhpk_ENABLE_SIMD=OFF)
  run(${CMAKE_COMMAND} --build ${WORK}/build --target plain)
  run(${WORK}/build/plain)
  expect_text("on the host: 4950" "${out}")
  refuses("hpk: a kernel for a GPU is launched in a file that is not compiled for one; in CMake write hpk_language(<target>), or name the file .cu or .hip"
          ${CMAKE_COMMAND} --build ${WORK}/build --target launches)
endfunction()

# A static program through pkg-config --static. Distributions lack static versions of some libraries that
# hwloc and SLEEF need; empty ones, and a udev that finds no device, replace them.
function(check_static_program)
  if(NOT EXISTS ${config_folder}/../../libhpk_core.a OR CXX_FLAGS MATCHES "-fsanitize")
    return()
  endif()
  file(WRITE ${WORK}/static/none.c "typedef int none;\n")
  file(WRITE ${WORK}/static/udev.c
       "void* udev_new(void) { return 0; }\nvoid* udev_unref(void* u) { return u; }\n"
       "void* udev_device_unref(void* d) { return d; }\n"
       "void* udev_device_new_from_subsystem_sysname(void* u, char* a, char* b) { return 0; }\n"
       "char* udev_device_get_property_value(void* d, char* name) { return 0; }\n")
  run(pkg-config --static --libs hpk)
  separate_arguments(libs UNIX_COMMAND "${out}")
  foreach(name sleef udev)
    execute_process(COMMAND ${CXX} -print-file-name=lib${name}.a OUTPUT_VARIABLE file)
    if("-l${name}" IN_LIST libs AND NOT IS_ABSOLUTE "${file}")
      set(source ${WORK}/static/none.c)
      if(EXISTS ${WORK}/static/${name}.c)
        set(source ${WORK}/static/${name}.c)
      endif()
      run(${CXX} -x c -c ${source} -o ${WORK}/static/${name}.o)
      run(ar rc ${WORK}/static/lib${name}.a ${WORK}/static/${name}.o)
    endif()
  endforeach()
  run(make -C ${WORK} ${flags} PROGRAM=static_consumer "PKG_CONFIG=pkg-config --static"
      "LDFLAGS=-static -L${WORK}/static")
  run(${WORK}/static_consumer)
  expect_text("${printed}" "${out}")
endfunction()

# The recipes of vcpkg and Conan, run by stubs of these programs with an installed hpk.
function(run_recipes)
  install_to(${WORK}/prefix)
  set(recipes ${SOURCE}/unit_tests/package/recipes)
  run(${CMAKE_COMMAND} -DPORT=${SOURCE}/packaging/vcpkg/hpk -DFEATURES=hwloc -DINSTALLED=${WORK}/prefix
      -DWORK=${WORK}/vcpkg -DCXX=${CXX} -DGENERATOR=${GENERATOR} -P ${recipes}/vcpkg_stub.cmake)
  expect_text("-Dhpk_ENABLE_MPI=OFF;-Dhpk_WITH_HWLOC=on;-Dhpk_WITH_BOOST_CONTEXT=off" "${out}")
  if(NOT EXISTS ${WORK}/vcpkg/package/tools/hpk/hpk-diff OR EXISTS ${WORK}/vcpkg/package/bin/hpk-diff)
    message(FATAL_ERROR "the port of vcpkg does not move hpk-diff")
  endif()
  run(${configure} -Dconsumer_COMPONENTS=core -S ${consumer} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/vcpkg/package)
  build_and_run(${WORK}/build consumer)
  find_program(python python3)
  if(python)
    run(${CMAKE_COMMAND} -E env "CXX=${CXX}" "CXXFLAGS=${CXX_FLAGS}" PYTHONDONTWRITEBYTECODE=1 ${python}
        ${recipes}/conan_stub.py ${SOURCE}/packaging/conan/conanfile.py ${WORK}/prefix ${WORK}/conan)
    expect_text("version ${VERSION}, requires hwloc/" "${out}")
    expect_text("${printed}" "${out}")
  endif()
endfunction()

# Installs hpk, then moves the prefix: no installed file may contain the original path.
function(install_to prefix)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/made_here)
  file(RENAME ${WORK}/made_here ${prefix})
  file(GLOB_RECURSE found RELATIVE ${prefix} ${prefix}/*hpkConfig.cmake ${prefix}/*hpk.pc)
  list(FILTER found INCLUDE REGEX "hpkConfig.cmake$")
  get_filename_component(folder ${found} DIRECTORY)
  set(config_folder ${prefix}/${folder} PARENT_SCOPE)
  if(NOT EXISTS ${prefix}/share/doc/hpk/LICENSE)
    message(FATAL_ERROR "the licence is not installed")
  endif()
endfunction()

if(WAY STREQUAL "install")
  install_to(${WORK}/prefix)
  consume_package(-DCMAKE_PREFIX_PATH=${WORK}/prefix ${config_folder})
  consume_with_old_cmake(-DCMAKE_PREFIX_PATH=${WORK}/prefix)
  # Runs the test of the Spack recipe without Spack.
  find_program(python python3)
  if(python)
    file(MAKE_DIRECTORY ${WORK}/spack)
    run(${CMAKE_COMMAND} -E env "CXX=${CXX}" "CXXFLAGS=${CXX_FLAGS}" PYTHONDONTWRITEBYTECODE=1 ${python}
        ${SOURCE}/unit_tests/support/spack_stub.py ${SOURCE}/package.py ${WORK}/prefix ${WORK}/spack)
    expect_text("test_consumer passed" "${out}")
  endif()
elseif(WAY STREQUAL "buildtree")
  consume_package(-Dhpk_DIR=${BUILD} ${BUILD})
elseif(WAY MATCHES "^(subdir|fetch)$")
  run(${configure} -DHPK_SOURCE=${SOURCE} -S ${SOURCE}/unit_tests/package/${WAY} -B ${WORK}/build)
  if(out MATCHES "hpk: |Warning")
    message(FATAL_ERROR "hpk is not quiet inside another project:\n${out}")
  endif()
  build_and_run(${WORK}/build consumer/consumer)
  if(WAY STREQUAL "subdir")
    run(${WORK}/build/teams)
    expect_text("fibres: ucontext" "${out}")
    foreach(space Threads Serial Emu)
      expect_text("teams of 4 are right on ${space}" "${out}")
    endforeach()
    expect_emu_tests(${WORK}/build teams)
    foreach(program around kokkos/part)
      run(${WORK}/build/${program})
      expect_text("version 50300 sum 4950" "${out}")
    endforeach()
  endif()
  run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
  if(EXISTS ${WORK}/prefix)
    message(FATAL_ERROR "hpk installs files with the project it is part of")
  endif()
elseif(WAY STREQUAL "pkgconfig")
  install_to(${WORK}/prefix)
  set(ENV{PKG_CONFIG_PATH} ${config_folder}/../../pkgconfig)
  set(ENV{LD_LIBRARY_PATH} ${config_folder}/../..)
  # make does not support file names with blanks. It runs in its own folder, where no path contains any.
  file(COPY ${consumer}/main.cpp ${SOURCE}/unit_tests/package/pkgconfig/Makefile DESTINATION ${WORK})
  set(flags "CXX=${CXX}" "CXXFLAGS=-std=c++20 ${CXX_FLAGS}" SOURCE=main.cpp)
  run(make -C ${WORK} ${flags} PROGRAM=consumer)
  run(${WORK}/consumer)
  expect_text("${printed}" "${out}")
  run(pkg-config --modversion hpk)
  expect_text("${VERSION}" "${out}")
  # Libraries are given by name, not by file, so that the linker chooses.
  foreach(static "" --static)
    run(pkg-config ${static} --libs hpk)
    if(out MATCHES "[.](so|a)( |\n|$)")
      message(FATAL_ERROR "pkg-config ${static} names files of libraries: ${out}")
    endif()
  endforeach()
  check_static_program()
  string(REPLACE "," ";" separate "${SEPARATE}")
  if("c" IN_LIST separate)
    write_c_program()
    run(pkg-config --cflags --libs hpk_c)
    separate_arguments(flags UNIX_COMMAND "${out}")
    separate_arguments(cxx_flags UNIX_COMMAND "${CXX_FLAGS}")
    run(${CXX} ${cxx_flags} -x c ${WORK}/c/main.c -x none ${flags} -o ${WORK}/c/sum)
    run(${WORK}/c/sum)
    expect_text("the sum is 6" "${out}")
  endif()
elseif(WAY STREQUAL "plugin")
  run(${configure} -Dhpk_DIR=${BUILD} -DKokkos_ROOT=${BUILD}/share/hpk/kokkos
      -S ${SOURCE}/unit_tests/package/plugin -B ${WORK}/build)
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  # One plugin, and several together.
  foreach(plugins "plugin" "kokkos_plugin" "plugin;kokkos_plugin;plugin")
    list(TRANSFORM plugins REPLACE "(.+)" "${WORK}/build/\\1.so")
    run(${WORK}/build/program ${plugins})
    expect_text("${printed} ${printed}" "${out}")
  endforeach()
elseif(WAY STREQUAL "sharing")
  set(sharing ${SOURCE}/unit_tests/package/sharing)
  run_sharing(${WORK}/../subdir/build/sharing static)
  set(shared ${WORK}/../fetch/build)
  run_sharing(${shared}/sharing shared)
  run(${configure} -Dhpk_DIR=${shared}/_deps/hpk-build -S ${sharing} -B ${WORK}/found_shared)
  run(${CMAKE_COMMAND} --build ${WORK}/found_shared)
  run_sharing(${WORK}/found_shared shared)
  string(REGEX REPLACE "_LIBRARY$" "" type ${TYPE})
  string(TOLOWER ${type} type)
  run(${configure} -Dhpk_DIR=${BUILD} -S ${sharing} -B ${WORK}/found)
  run(${CMAKE_COMMAND} --build ${WORK}/found)
  run_sharing(${WORK}/found ${type})
elseif(WAY STREQUAL "recipes")
  run_recipes()
elseif(WAY STREQUAL "cuda")
  consume_with_cuda()
elseif(WAY STREQUAL "options")
  check_commit()
  check_export()
  set(quick -Dhpk_BUILD_TESTS=OFF -Dhpk_BUILD_EXAMPLES=OFF -Dhpk_BUILD_BENCHMARKS=OFF -S ${SOURCE} -B
            ${WORK}/build)
  run(${configure} -Dhpk_ENABLE_OPNMP=OFF ${quick})
  expect_text("there is no option 'hpk_ENABLE_OPNMP'. Did you mean 'hpk_ENABLE_OPENMP'?" "${out}")
  # Options of Kokkos work as options of hpk.
  set(as_kokkos ${WORK}/as_kokkos)
  run(${configure} -DCMAKE_UNITY_BUILD=ON -DKokkos_ENABLE_OPENMP=OFF -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_COMPLEX_ALIGN=OFF
      -DKokkos_ENABLE_DEBUG=ON -DKokkos_ENABLE_HPX=ON ${quick} -B ${as_kokkos})
  expect_text("hpk: Kokkos_ENABLE_HPX has no effect: hpk has no such backend" "${out}")
  file(READ ${as_kokkos}/core/include/hpk/base/config.hpp text)
  expect_text("#define HPK_CHECKS 1" "${text}")
  expect_text("#define HPK_COMPLEX_ALIGN 0" "${text}")
  file(READ ${as_kokkos}/core/include/hpk/backends/default_spaces.hpp text)
  expect_text("#define HPK_ENABLE_OPENMP 0" "${text}")
  file(READ ${as_kokkos}/compile_commands.json text)
  if(NOT text MATCHES "/radix_sort[.]cpp" OR text MATCHES "/unity_")
    message(FATAL_ERROR "hpk is not compiled file by file where the project around it asks for unity builds")
  endif()
  # Headers of tests are installed only on request. The conformance ladder then compiles from there.
  foreach(wish OFF ON)
    run(${configure} -Dhpk_INSTALL_TEST_HEADERS=${wish} -DBUILD_SHARED_LIBS=${wish} ${quick})
    # Programs link the libraries that hpk uses itself only with a static hpk. With a shared one pkg-config
    # demands no .pc file of them.
    file(STRINGS ${WORK}/build/hpk.pc private REGEX "-ldl|hwloc|private")
    if(wish STREQUAL "OFF" AND NOT private OR wish STREQUAL "ON" AND private)
      message(FATAL_ERROR "hpk.pc of a hpk with BUILD_SHARED_LIBS=${wish} has these private libraries: '${private}'")
    endif()
    run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/${wish} --component hpk_test)
  endforeach()
  if(EXISTS ${WORK}/OFF/share/hpk/test)
    message(FATAL_ERROR "helpers of tests are installed though nobody asked")
  endif()
  file(COPY ${SOURCE}/unit_tests/conformance/climb.cpp DESTINATION ${WORK})
  separate_arguments(flags UNIX_COMMAND "${CXX_FLAGS}")
  run(${LAUNCHER} ${CXX} -std=c++20 ${flags} -fsyntax-only -I${WORK}/ON/share/hpk/test
      -I${SOURCE}/core -I${WORK}/build/core/include ${WORK}/climb.cpp)
  foreach(helper spaces test elements)
    if(NOT EXISTS ${WORK}/ON/share/hpk/test/support/${helper}.hpp)
      message(FATAL_ERROR "support/${helper}.hpp is not installed")
    endif()
  endforeach()
  # Uninstalling removes the files of all installed components and the folders that are empty then.
  run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/ON --component hpk_doc)
  file(WRITE ${WORK}/ON/share/.not_of_hpk "")
  run(${CMAKE_COMMAND} --build ${WORK}/build --target uninstall)
  file(GLOB_RECURSE left LIST_DIRECTORIES true RELATIVE ${WORK}/ON ${WORK}/ON/* ${WORK}/ON/.*)
  if(NOT left STREQUAL "share;share/.not_of_hpk")
    message(FATAL_ERROR "uninstalling leaves: ${left}")
  endif()
  file(REMOVE ${WORK}/ON/share/.not_of_hpk)
  run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/ON --component hpk_doc)
  run(${CMAKE_COMMAND} --build ${WORK}/build --target uninstall)
  if(EXISTS ${WORK}/ON)
    message(FATAL_ERROR "uninstalling leaves empty folders")
  endif()
  refuses("nothing was installed from this build folder" ${CMAKE_COMMAND} --build ${WORK}/build --target uninstall)
  refuses("hpk_CHECKS is 'maybe'; it must be one of: auto, on, off" ${configure} -Dhpk_CHECKS=maybe
          ${quick})
  refuses("Turn on at least one of: hpk_ENABLE_" ${configure} -Dhpk_CHECKS=auto
          -Dhpk_ENABLE_OPENMP=OFF -Dhpk_ENABLE_THREADS=OFF -Dhpk_ENABLE_SERIAL=OFF ${quick})
  refuses("hpk_ENABLE_OPENMP is ON, but these packages were not found: OpenMP" ${configure}
          -Dhpk_ENABLE_OPENMP=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON ${quick})
  refuses("lanes need Boost.Context (Debian, Ubuntu: libboost-context-dev)" ${configure}
          -Dhpk_ENABLE_OPENMP=OFF -Dhpk_ENABLE_SERIAL=ON -Dhpk_WITH_BOOST_CONTEXT=off
          -Dhpk_HAS_UCONTEXT= ${quick})
  refuses("holds no backend.cmake" ${configure} -Dhpk_EXTRA_BACKENDS=${WORK} -Dhpk_ENABLE_OPENMP=OFF
          -Dhpk_ENABLE_SERIAL=ON ${quick})
else()
  message(FATAL_ERROR "no such way: '${WAY}'")
endif()
