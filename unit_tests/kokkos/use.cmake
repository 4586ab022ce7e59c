# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs one test of the drop-in: cmake -DWAY=... -P use.cmake (see CMakeLists.txt for the variables).
cmake_minimum_required(VERSION 3.25)
include(${SOURCE}/../package/steps.cmake)
set(prefix ${WORK}/prefix)
set(root ${prefix}/${DATA}/hpk/kokkos)
set(folder ${WORK}/${WAY})

if(WAY STREQUAL "install")
  file(REMOVE_RECURSE ${WORK})
  # Installs hpk, then moves it: no installed file may contain the original path.
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/made_here)
  file(RENAME ${WORK}/made_here ${prefix})
  return()
endif()

file(REMOVE_RECURSE ${folder})
set(found -DKokkos_ROOT=${root})

# project(<name> <line>...): writes a project with these lines after its first two, in `name`.
function(project_of name)
  list(JOIN ARGN "\n" lines)
  file(WRITE ${folder}/${name}/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.16)\nproject(${name} LANGUAGES CXX)\n${lines}\n")
endfunction()

# Checks the version that a project gets for a requested version.
function(expect_version asked reported)
  string(MAKE_C_IDENTIFIER "v${asked}" name)
  project_of(${name} "find_package(Kokkos ${asked} REQUIRED)" "message(STATUS \"it is <\${Kokkos_VERSION}>, <\${Kokkos_VERSION_MAJOR}> <\${Kokkos_VERSION_MINOR}>\")")
  run(${configure} ${found} ${ARGN} -S ${folder}/${name} -B ${folder}/${name}/build)
  string(REGEX MATCH "^([0-9]+)[.]([0-9]+)" matched ${reported})
  expect_text("it is <${reported}>, <${CMAKE_MATCH_1}> <${CMAKE_MATCH_2}>" "${out}")
endfunction()

if(WAY MATCHES "^programs_(.*)$")
  # All programs run on the best host space without checks, and on a device with checks. clang, if available,
  # compiles those for the device in half the time. The launches of other host spaces use the same templates:
  # these spaces get the programs that use most of the language, without a precompiled header. Examples and
  # benchmarks test the optimised code of kernels.
  set(space ${CMAKE_MATCH_1})
  if(space STREQUAL BEST)
    set(how -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG" -DHEADER_ONCE=ON)
  elseif(space MATCHES "^(OpenMP|Threads|Serial)$")
    set(how "-DPROGRAMS=^(custom_reducer|functor_tags|instances|runtime_queries|scratch_memory|team_vector_loops)$")
  else()
    set(how -DHEADER_ONCE=ON)
    if(OTHER_CXX)
      list(APPEND how -DCMAKE_CXX_COMPILER=${OTHER_CXX} -DCMAKE_CXX_FLAGS=)
    endif()
  endif()
  run(${configure} ${found} -DHPK_DEFAULT_EXECUTION_SPACE=${space} ${how} -S ${SOURCE}/programs -B
      ${folder})
  run(${CMAKE_COMMAND} --build ${folder})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${folder} --output-on-failure --no-tests=error)
elseif(WAY STREQUAL "emu_check_all")
  # The programs built by programs_Emu print the same with all detectors of Emu, which report nothing.
  # Programs that then take more than 2 seconds of CPU time have too many iterations for race detection;
  # jacobi_heat takes minutes, for 658 launches with 480 writes each.
  set(large
      bin_sort
      binned_dynamics
      conjugate_gradient
      dimension_template
      fluid_lattice
      game_of_life
      histogram
      host_threads
      jacobi_heat
      mixed_precision_solver
      n_body
      prefix_compaction
      random
      rarefied_gas
      reaction_diffusion
      shallow_water
      sort
      std_algorithms
      stream_triad)
  list(JOIN large "|" large)
  # Programs that neither allocate on Emu nor launch there, of which HPK_EMU_CHECK warns.
  set(without_emu "quad_precision|simd|task_dag")
  set(check ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/programs_Emu --output-on-failure --no-tests=error)
  set(ENV{HPK_EMU_CHECK} all)
  run(${check} -E "^(${large}|${without_emu})$")
  set(ENV{HPK_EMU_RACES} 0)
  run(${check} -R "^(${large})$")
elseif(WAY STREQUAL "package")
  # Every version from 3.0 to 5.3, in every form of the request.
  expect_version("" 5.2.0)
  expect_version("3.0" 5.2.0)
  expect_version("4.6.1" 5.2.0)
  expect_version("5" 5.2.0)
  expect_version("5.3" 5.3)
  expect_version("4.2.0 EXACT" 4.2.0)
  expect_version("3.7...<5" 4.7)
  expect_version("3.2...4.1" 4.1)
  expect_version("3.2.1...<3.3" 3.2.1)
  expect_version("4.0...5.9" 5.2.0)
  expect_version("4.1" 4.6.2 -DHPK_KOKKOS_VERSION=4.6.2)
  expect_version("5.3...<7" 5.3)
  foreach(asked 2.9 5.4 6 "5.4...<7")
    project_of(refused "find_package(Kokkos ${asked} REQUIRED)")
    refuses("compatible with requested version" ${configure} ${found} -S ${folder}/refused -B
            ${folder}/refused/build)
    file(REMOVE_RECURSE ${folder}/refused)
  endforeach()

  # Each variable for the root finds it, and nothing else does.
  project_of(plain "find_package(Kokkos REQUIRED)" "find_package(Kokkos REQUIRED)")
  foreach(place -DKokkos_ROOT=${root} -DKokkos_DIR=${root}/lib/cmake/Kokkos -DCMAKE_PREFIX_PATH=${root})
    run(${configure} ${place} -S ${folder}/plain -B ${folder}/plain/build)
    file(REMOVE_RECURSE ${folder}/plain/build)
  endforeach()
  foreach(place -Dhpk_ROOT=${prefix} -DCMAKE_PREFIX_PATH=${prefix} -DKokkos_ROOT=${prefix})
    refuses("KokkosConfig.cmake" ${configure} ${place} -S ${folder}/plain -B ${folder}/plain/build)
    file(REMOVE_RECURSE ${folder}/plain/build)
  endforeach()

  # Components, variables, kokkos_check, and names of targets.
  run(${configure} ${found} -S ${SOURCE}/names -B ${folder}/names/build)
  expect_text("serial <ON> cuda <OFF> C++ <20>" "${out}")
  expect_text("components <TRUE> <FALSE>" "${out}")
  expect_text("has <ON> <OFF> <OFF>" "${out}")
  expect_text("options <TUNING;COMPLEX_ALIGN;DEPRECATED_CODE_5>" "${out}")
  expect_text("libraries <LIBDL" "${out}")
  run(${CMAKE_COMMAND} --build ${folder}/names/build)
  refuses("kokkos_check: this Kokkos is hpk's, and lacks: COMPLEX_ALIGN" ${configure} ${found}
          -DHPK_COMPLEX_ALIGN=OFF -DALIGNED=ON -S ${SOURCE}/names -B ${folder}/unaligned)
  refuses("kokkos_check: this Kokkos is hpk's, and lacks: SYCL" ${configure} ${found} -DWRONG=ON -S
          ${SOURCE}/names -B ${folder}/names/build)
  project_of(gold "find_package(Kokkos REQUIRED COMPONENTS gold)")
  refuses("has no component 'gold' (has: launch_compiler separable_compilation)" ${configure} ${found}
          -S ${folder}/gold -B ${folder}/gold/build)

  # A project with its find_package in a subfolder, C++17, the language C, and no policy.
  file(COPY ${SOURCE}/own_folder DESTINATION ${folder})
  run(${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DKokkos_DIR=${root}/lib/cmake/Kokkos -S
      ${folder}/own_folder -B ${folder}/own_folder/build)
  run(${CMAKE_COMMAND} --build ${folder}/own_folder/build)
  run(${folder}/own_folder/build/src/program)
  expect_text("sum 45" "${out}")
elseif(WAY STREQUAL "facts")
  run(${configure} ${found} -S ${SOURCE}/facts -B ${folder}/new)
  run(${CMAKE_COMMAND} --build ${folder}/new)
  run(${folder}/new/facts)
  expect_text("version 50200 of 5.2.0 older 1" "${out}")
  run(${configure} ${found} -DHPK_KOKKOS_VERSION=4.6.2 -DHPK_KOKKOS_OLDER_NAMES=OFF -DHPK_COMPLEX_ALIGN=OFF
      -DHPK_HALF_IS_FLOAT=OFF -DHPK_KOKKOS_ALL_BACKENDS=ON -S ${SOURCE}/facts -B ${folder}/old)
  run(${CMAKE_COMMAND} --build ${folder}/old)
  run(${folder}/old/facts)
  expect_text("version 40602 of 4.6.2 older 0" "${out}")
  include(${SOURCE}/../../tpls/kokkos/headers.cmake)
  set(of_parts ${hpk_kokkos_containers} ${hpk_kokkos_algorithms} ${hpk_kokkos_simd}
               ${hpk_kokkos_beside_core})
  # Each stand-alone header compiles alone and does not include the core. Headers of parts include the core
  # first, which is precompiled here. Headers with equal text are compiled once.
  file(WRITE ${folder}/first/Kokkos_Core.hpp "#include_next <Kokkos_Core.hpp>\n")
  set(compile ${CXX} -std=c++20 -Wall -Wextra -Werror -I${folder}/first -I${root}/include -I${prefix}/include)
  file(WRITE ${folder}/core.hpp "#include <Kokkos_Core.hpp>\n")
  run(${compile} -x c++-header ${folder}/core.hpp -o ${folder}/first/Kokkos_Core.hpp.gch)
  set(seen)
  file(GLOB parts RELATIVE ${root}/include ${root}/include/*.hpp ${root}/include/*.h)
  foreach(part ${parts})
    file(STRINGS ${root}/include/${part} included REGEX "^#include <")
    list(JOIN included " " included)
    file(SHA256 ${root}/include/${part} text)
    if(part STREQUAL "Kokkos_Core.hpp" OR text IN_LIST seen OR NOT included MATCHES "<(hpk/|Kokkos_Macros)")
      continue()
    endif()
    list(APPEND seen ${text})
    file(WRITE ${folder}/alone.cpp "#include <${part}>\n#include <${part}>\nnamespace Kokkos {}\n")
    if(";${of_parts}" MATCHES ";${part}=")
      if(NOT included MATCHES "^#include <Kokkos_Core.hpp>")
        message(FATAL_ERROR "${part} does not include <Kokkos_Core.hpp> first")
      endif()
      run(${compile} -include Kokkos_Core.hpp -fsyntax-only ${folder}/alone.cpp)
      continue()
    endif()
    run(${compile} -fsyntax-only -MD -MF ${folder}/alone.d ${folder}/alone.cpp)
    file(READ ${folder}/alone.d brought)
    if(brought MATCHES "hpk/(core|parallel)[.]hpp")
      message(FATAL_ERROR "${part} brings in the core")
    endif()
    math(EXPR count "0${count} + 1")
  endforeach()
  if(count LESS 20)
    message(FATAL_ERROR "only ${count} stand-alone headers were found")
  endif()
elseif(WAY STREQUAL "rules")
  run(${configure} ${found} -S ${SOURCE}/rules -B ${folder})
  run(${CMAKE_COMMAND} --build ${folder})
  # Calls for which Kokkos aborts and that hpk allows remain allowed ...
  foreach(act before_launch before_view after_launch again again_by_hand free_late guard_late)
    run(${folder}/rules ${act})
    expect_text("done" "${out}")
  endforeach()
  run(${folder}/rules misuse reversed)
  expect_text("done" "${out}")
  # ... unless the rules of Kokkos are requested.
  set(ENV{HPK_KOKKOS_STRICT} 1)
  run(${folder}/rules right)
  expect_text("done" "${out}")
  refuses("hpk: a kernel is launched before hpk::initialize: " ${folder}/rules before_launch)
  refuses("hpk: View \"early\" is allocated before hpk::initialize" ${folder}/rules before_view)
  refuses("hpk: a kernel is launched after hpk::finalize: " ${folder}/rules after_launch)
  refuses("hpk: hpk::initialize: called after hpk::finalize" ${folder}/rules again_by_hand)
  refuses("hpk: a ScopeGuard begins after hpk::finalize" ${folder}/rules again)
  refuses("hpk: View \"late\" is freed after hpk::finalize" ${folder}/rules free_late)
  refuses("hpk: hpk::initialize: called twice" ${folder}/rules twice)
  refuses("hpk: hpk::finalize: called before initialize" ${folder}/rules end_only)
  refuses("hpk: hpk::finalize: called twice" ${folder}/rules end_twice)
  refuses("hpk: a ScopeGuard ends after hpk::finalize" ${folder}/rules guard_late)
  refuses("hpk: a finalize hook threw" ${folder}/rules hook_throws)
  # Then errors end the program where Kokkos ends it, with the text of Kokkos after hpk's own.
  set(once "Error: Kokkos::initialize() has already been called. Kokkos can be initialized at most once.")
  refuses("${once}" ${folder}/rules again_by_hand)
  refuses("${once}" ${folder}/rules twice)
  refuses("Error: Kokkos::finalize() may only be called after Kokkos has been initialized." ${folder}/rules end_only)
  refuses("Error: Kokkos::finalize() has already been called." ${folder}/rules end_twice)
  refuses("Creating a ScopeGuard while Kokkos is initialized" ${folder}/rules guard_twice)
  refuses("Creating a ScopeGuard after Kokkos was finalized" ${folder}/rules again)
  refuses("Destroying a ScopeGuard after Kokkos was finalized" ${folder}/rules guard_late)
  refuses("Kokkos::finalize: A finalize hook (set via Kokkos::push_finalize_hook) threw an exception" ${folder}/rules hook_throws)
  refuses("Constructing View and initializing data with uninitialized execution space" ${folder}/rules before_view)
  refuses("Kokkos allocation \"late\" is being deallocated after Kokkos::finalize was called" ${folder}/rules free_late)
  foreach(pair
      "bounds=out of bounds access label=(\"a\") with indices [1,3] but extents [2,3]"
      "bounds_unmanaged=out of bounds access label=(\"UNMANAGED\") with indices [2] but extents [2]"
      "bounds_in_kernel=out of bounds access label=(\"a\") with indices [2,0] but extents [2,3]"
      "slice=Kokkos::subview bounds error"
      "fixed_extent=trying to assign runtime dimension to non matching compile time dimension"
      "alignment=Assigning NonAligned View or Pointer to Kokkos::View with Aligned attribute"
      "copy=caught hpk::deep_copy: the extents differ"
      "copy=Kokkos::deep_copy extents of views don't match: a(2,3) b(2,4)"
      "too_much=caught hpk::View \"huge\""
      "too_much=Host memory space failed to allocate 1.0 EiB (label=\"huge\")"
      "reversed=Kokkos::RangePolicy bounds error: The lower bound (100) is greater than the upper bound (90)."
      "conversion=an unsafe implicit conversion is performed on a bound (-1), which may not preserve its original value."
      "conversion_of_end=an unsafe implicit conversion is performed on a bound (1099511627776), which"
      "reversed_box=Kokkos::MDRangePolicy bounds error: The lower bound (7) is greater than its upper bound (3) in dimension 1."
      "conversion_of_box=an unsafe implicit conversion is performed on a bound (-1) in dimension (1), which"
      "team=Requested Team Size is too large!"
      "scratch=TeamPolicy::set_scratch_size storage level argument must be 0 or 1 to be valid"
      "contract=Kokkos contract violation: Expected precondition `a.extent(0) == 7` evaluated false."
      "array=Kokkos::Array: index 3 >= 3"
      "array_negative=Kokkos::Array: index -3 < 0"
      "dual_view=modify ERROR: Concurrent modification of host and device views in DualView \"both\""
      "pool=Kokkos MemoryPool allocation request exceeded specified maximum allocation size"
      "pool_pointer=Kokkos MemoryPool::deallocate given erroneous pointer")
    string(REGEX MATCH "^([^=]*)=(.*)$" matched "${pair}")
    refuses("${CMAKE_MATCH_2}" ${folder}/rules misuse ${CMAKE_MATCH_1})
  endforeach()
  unset(ENV{HPK_KOKKOS_STRICT})
  refuses("from a hook" ${folder}/rules hook_throws)
  refuses("\"huge\": Host memory space failed to allocate 1152921504606846976 bytes" ${folder}/rules misuse
          too_much)
  refuses("hpk::initialize: called twice" ${folder}/rules twice)

  # Flags and variables of Kokkos.
  run(${folder}/rules words --kokkos-num-threads=1 --kokkos-disable-warnings x --kokkos-tools-args=t)
  expect_text("threads 1 warnings 0 left x" "${out}")
  set(ENV{KOKKOS_NUM_THREADS} 1)
  set(ENV{KOKKOS_TOOLS_LIBS} libtool.so)
  run(${folder}/rules words --kokkos-nonsense --kokkos-tools-library=old.so)
  expect_text("threads 1 warnings 1 left --kokkos-nonsense" "${out}")
  expect_text("hpk: the tool libtool.so can't be loaded: " "${out}")
  expect_text("hpk: --kokkos-nonsense has no effect: there is no such flag" "${out}")
  expect_text("hpk: --kokkos-tools-library has no effect: write tools-libs" "${out}")
  run(${folder}/rules words --kokkos-help)
  expect_text("Each may also be written with --kokkos- and KOKKOS_ before its name." "${out}")
  set(ENV{KOKKOS_NUM_THREADS} many)
  refuses("KOKKOS_NUM_THREADS has the value 'many'" ${folder}/rules words)
else()
  message(FATAL_ERROR "no such way: '${WAY}'")
endif()
