# shellcheck shell=bash disable=SC2154 # jobs, root and deps_test are those of ./dev
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The verbs gpu-pack and gpu-check of ./dev, which sources this file. A pack is an archive of programs for a
# machine with a GPU, built on another machine, and of a runner (gpu_run.sh): time on machines with a GPU is
# short, and they may have neither compilers nor a network.

pack_limit=$((50 * 1024 * 1024))

# pack_build <log> <build folder> <target>...: builds the targets, as far as they compile.
pack_build() {
  local log=$1 build=$2 keep=(-k 0)
  shift 2
  [ -e "$build/build.ninja" ] || keep=(-k)
  mkdir -p build/log
  touch "build/log/$log.began"
  step "build for the pack" "$log" keep_going cmake --build "$build" -j "$jobs" --target "$@" -- "${keep[@]}"
}
keep_going() {
  local build
  "$@" &
  build=$!
  trap 'kill -TERM "$build"' TERM
  wait "$build" || echo "dev: some targets were not built"
}

# pack_failures <log>: the objects and programs that failed.
pack_failures() {
  sed -nE 's/^FAILED: ([[]code=[0-9]+[]] )?([^ ]+).*/\2/p; s/^make.*\*\*\* \[.*: ([^] ]+)\] Error.*/\1/p' "build/log/$1.log" | sort -u
}

# pack_rest_of_suite <build folder> <suite> <failure>...: links the suite without the objects that failed.
pack_rest_of_suite() {
  local build=$1 suite=$2 command failure
  shift 2
  [ -e "$build/build.ninja" ] || return 1
  command=$(ninja -C "$build" -t commands "$suite" | tail -n 1)
  for failure in "$@"; do
    [[ $failure == *.o ]] || return 1 # it does not link
    command=${command// $failure / }
  done
  (cd "$build" && bash -c "$command") >>"$root/build/log/pack-link.log" 2>&1
}

# pack_add <pack> <build folder> <log> <target>...: copies the programs that are up to date, stripped. Writes the
# missing programs, with reasons, to <pack>/missing. If an object failed that belongs to no target, such as one of a
# library, programs that were not linked in this build may be out of date.
pack_add() {
  local pack=$1 build=$2 log=$3 target program own failures others
  shift 3
  mapfile -t failures < <(pack_failures "$log" 2>/dev/null)
  mapfile -t others < <(printf '%s\n' "${failures[@]}" | grep -vE "^$|(/|^)($(IFS='|' && echo "$*"))($|[.]dir/)")
  for target in "$@"; do
    mapfile -t own < <(printf '%s\n' "${failures[@]}" | grep -E "(/|^)${target}($|[.]dir/)")
    if [ ${#own[@]} != 0 ]; then
      if [ ${#others[@]} = 0 ] && [[ $target == unit_* ]] && pack_rest_of_suite "$build" "$target" "${own[@]}"; then
        printf "$target without %s\n" "${own[@]##*.dir/}" >>"$pack/missing"
      else
        printf "$target: %s failed\n" "${own[@]##*.dir/}" >>"$pack/missing"
        continue
      fi
    fi
    program=$(find "$build" -name "$target" -type f -perm -u+x 2>/dev/null | sed -n 1p)
    if [ -z "$program" ]; then
      echo "$target: it was not built" >>"$pack/missing"
      continue
    elif [ ${#others[@]} != 0 ] && [ "$program" -ot "build/log/$log.began" ]; then
      echo "$target: ${others[0]##*/} failed, so it may be out of date" >>"$pack/missing"
      continue
    fi
    strip -o "$pack/bin/$target" "$program"
    { ldd "$pack/bin/$target" 2>&1 || true; } |
      sed -E '/not a dynamic|linux-vdso|ld-linux|lib(c|m|dl|rt|pthread)[.]so/d; s/^\s*(\S+).*/\1/' >>"$pack/needs"
  done
}

# pack_targets <build folder> <pattern>: its programs whose names match.
pack_targets() {
  cmake --build "$1" --target help | sed -nE "s/^([.]{3} )?($2)(:.*)?$/\2/p" | sort -u
}

# pack_finish <pack> <build folder>: adds the runner, the expected output of programs for Kokkos, and the MANIFEST.
pack_finish() {
  local pack=$1 build=$2 name language=CUDA changes="" type
  [ -n "$(cached "$build" CMAKE_CUDA_COMPILER)" ] || language=CXX
  type=$(cached "$build" CMAKE_BUILD_TYPE)
  cp scripts/gpu_run.sh "$pack/run.sh"
  for name in "$pack"/bin/kokkos_*; do
    [ ! -e "$name" ] || cp "unit_tests/kokkos/programs/${name##*/kokkos_}.out" "$pack/expected/"
  done
  git diff --quiet HEAD 2>/dev/null || changes=" with uncommitted changes"
  {
    echo "hpk at $(git rev-parse --short HEAD 2>/dev/null || echo 'an unknown commit')$changes, made $(date -u '+%F %R') UTC"
    "$(cached "$build" CMAKE_CXX_COMPILER)" --version | sed -n 1p
    [ $language = CXX ] || "$(cached "$build" CMAKE_CUDA_COMPILER)" --version | tail -n 1
    echo "architectures $(cached "$build" CMAKE_CUDA_ARCHITECTURES)$(cached "$build" hpk_HIP_OPTIONS)," \
      "flags $(cached "$build" "CMAKE_${language}_FLAGS") $(cached "$build" "CMAKE_${language}_FLAGS_${type^^}")"
    ldd --version | sed -n 1p
    echo "$(find "$pack/bin" -type f | wc -l) programs, $(du -sm "$pack/bin" | cut -f 1) MB"
    sed 's/^/missing: /' "$pack/missing"
    sort -u "$pack/needs" | sed 's/^/needs: /'
  } >"$pack/MANIFEST"
}

# Options of the full pack: code for sm_90 only; host code of tests at -O1, which compiles faster; device code as
# users compile it; no library that another machine may lack.
pack_no_libraries=(-Dhpk_WITH_HWLOC=off -Dhpk_WITH_SLEEF=off -Dhpk_WITH_BOOST_CONTEXT=off -Dhpk_WITH_PNG=off)
pack_options=(-Dhpk_TEST_SPACES=hpk::Cuda -DCMAKE_CUDA_ARCHITECTURES=90-real -DCMAKE_CUDA_FLAGS=
              "-DCMAKE_CUDA_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++ -static-libgcc"
              "${pack_no_libraries[@]}")
pack_first=(conformance_climb gpu_checks gpu_bench)

# host_scaling, on OpenMP and Threads; linked fully statically, because it needs no driver.
pack_build_host() {
  rm -f build/log/gpu-pack-host.log
  step "configure host_scaling" configure-gpu-pack-host cmake --preset release -B build/gpu-pack-host \
    -Dhpk_BUILD_TESTS=OFF -Dhpk_BUILD_EXAMPLES=OFF -Dhpk_ENABLE_EMU=OFF "${pack_no_libraries[@]}" \
    "-DOpenMP_gomp_LIBRARY=$("${CXX:-c++}" -print-file-name=libgomp.a)" -DCMAKE_EXE_LINKER_FLAGS=-static \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
  pack_build gpu-pack-host build/gpu-pack-host host_scaling
}

# new_pack <folder>
new_pack() {
  rm -rf "$1"
  mkdir -p "$1/bin" "$1/expected"
  : >"$1/missing"
  : >"$1/needs"
}

gpu_pack() {
  local small=no only="" nvcc build=build/gpu-pack name=gpu-pack targets=() size
  case ${1:-} in
    --small) small=yes build=build/cuda name=gpu-pack-small ;;
    --only) only=${2:?"--only needs a pattern"} name=gpu-pack-only ;;
    ?*) die "gpu-pack: write --small, --only PATTERN, or no option" 2 ;;
  esac
  nvcc=$(find_nvcc)
  if [ -z "$nvcc" ]; then
    [ $small = yes ] || die "gpu-pack: nvcc was not found" 2
    echo "dev: no pack was built: nvcc was not found"
    return
  fi
  need_to_build "${deps_test[@]}"
  need xz-utils:xz
  local pack=build/$name/pack
  if [ $small = yes ]; then
    [ -e $build/build.ninja ] || die "gpu-pack --small packs the objects of ./dev gpu-compile --quick; run that first" 2
    targets=("${pack_first[@]}" unit_conformance kokkos_custom_reducer kokkos_functor_tags kokkos_team_vector_loops)
  else
    configure_gpu cuda -B "$build" -DCMAKE_CUDA_COMPILER="$nvcc" "${pack_options[@]}"
    mapfile -t targets < <(pack_targets $build 'unit_[a-z_0-9]+|kokkos_[a-z_0-9]+' | grep -v programs_quick)
    targets=("${pack_first[@]}" "${targets[@]}")
    mapfile -t targets < <(printf '%s\n' "${targets[@]}" | grep -E -- "$only")
  fi
  pack_build $name $build "${targets[@]}"
  new_pack $pack
  pack_add $pack $build $name "${targets[@]}"
  if [ $small = no ] && [[ host_scaling =~ $only ]]; then
    (pack_build_host) || echo "dev: host_scaling is left out"
    pack_add $pack build/gpu-pack-host gpu-pack-host host_scaling
  fi
  pack_finish $pack $build
  step "pack" gpu-pack-archive tar -C build/$name -I 'xz -9 -T0' -cf build/$name.tar.xz pack
  size=$(stat -c %s build/$name.tar.xz)
  cat $pack/MANIFEST
  echo "dev: build/$name.tar.xz has $((size / 1024 / 1024)) MiB"
  [ "$size" -le $pack_limit ] || die "gpu-pack: the archive is larger than $((pack_limit / 1024 / 1024)) MiB"
  if [ $small = yes ]; then
    dry_run build/$name.tar.xz
  elif [ -s $pack/missing ] || [ -s $pack/needs ]; then
    die "gpu-pack: the pack is usable, but incomplete: see \"missing\" and \"needs\" above"
  fi
}

# dry_run <archive>: runs a pack. On a machine without a device, each program must report that.
dry_run() {
  local silent
  rm -rf build/gpu-check
  if (OUT="" gpu_check "$1") >build/log/gpu-check.log 2>&1; then
    echo "dev: the small pack ran on the GPU of this machine"
    return
  fi
  silent=$(sed -E '/^\[.*(gpu_|climb|unit_)|^        /!d; /there is no device/d' build/gpu-check/results/summary.txt)
  if [ -n "$silent" ] || ! grep -q 'done in .*: there is no device' build/gpu-check/results/summary.txt; then
    cat build/log/gpu-check.log
    die "gpu-pack: these lines do not report that there is no device: $silent"
  fi
  echo "dev: without a device, each of the $(grep -c '^\[' build/gpu-check/results/summary.txt) lines of the summary reports it"
}

# gpu_check [archive]: runs a pack, or programs built on this machine. Results go to $OUT, if that is set.
gpu_check() {
  local archive=${1:-build/gpu-pack.tar.xz} work=build/gpu-check rc=0
  local results=${OUT:-$root/$work/results}
  rm -rf $work
  mkdir -p $work
  if [ -e "$archive" ]; then
    tar -C $work -xf "$archive"
  elif [ $# != 0 ]; then
    die "gpu-check: there is no $archive" 2
  else
    pack_here $work/pack
  fi
  OUT=$results $work/pack/run.sh "${HPK_GPU_SECONDS:-480}" || rc=$?
  case $rc in
    0) return ;;
    3) die "gpu-check: there is no device; all output is in $results" ;;
    *) die "gpu-check: a program failed or was left out; all output is in $results" ;;
  esac
}

# pack_here <pack>: builds for the GPU of this machine with its toolkit, without a network. Leaves out programs
# whose libraries are not found.
pack_here() {
  local pack=$1 preset=cuda nvcc build=build/gpu-here options targets
  nvcc=$(find_nvcc)
  options=(-B "$build" -G "$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')")
  if command -v nvidia-smi >/dev/null && [ -n "$nvcc" ]; then
    options+=("${pack_options[@]}" -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=native)
  elif command -v rocm-smi >/dev/null; then
    preset=hip
    options+=(-DCMAKE_CXX_COMPILER="${CXX:-c++}" -DCMAKE_CXX_FLAGS= -Dhpk_TEST_SPACES=hpk::HIP)
  else
    die "gpu-check: found no pack (./dev gpu-pack), no nvidia-smi with nvcc and no rocm-smi" 2
  fi
  step "configure for this GPU" gpu-here-configure cmake --preset $preset "${options[@]}"
  mapfile -t targets < <(pack_targets $build 'unit_[a-z_0-9]+|kokkos_[a-z_0-9]+' | grep -v programs_quick)
  targets=("${pack_first[@]}" "${targets[@]}")
  pack_build gpu-here $build "${targets[@]}"
  new_pack "$pack"
  pack_add "$pack" $build gpu-here "${targets[@]}"
  pack_finish "$pack" $build
}
