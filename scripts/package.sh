# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The verb `package` of ./dev, which reads this file: builds hpk in Release, without tests, and packs it.
# scripts/package_check tests the packages. docs/packaging.md describes both.

package() {
  local shared=OFF check=no options=() form=() build=
  while [ $# != 0 ]; do
    case $1 in
      --shared) shared=ON ;;
      --build) build=${2:?"--build needs a folder"}; shift ;;
      --check) check=yes ;;
      --machine) check=yes form=(--machine) ;;
      -D*) options+=("$1") ;;
      *) die "package: there is no option '$1'; write --shared, --build, --check, --machine or -D<variable>=<value>" 2 ;;
    esac
    shift
  done
  # Where there is no Debian, there are archives alone, of the C++ parts.
  if command -v apt-get >/dev/null; then
    options=(-Dhpk_ENABLE_FORTRAN=ON -Dhpk_ENABLE_PYTHON=ON "${options[@]}")
  else
    deps_package=("${deps_demo[@]}")
  fi
  [ ${#form[@]} = 0 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || deps_package+=(debootstrap:debootstrap)
  need_to_build "${deps_package[@]}"
  if [ -z "$build" ]; then
    build=build/package-$([ $shared = ON ] && echo shared || echo static)
    [ -n "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ] || ! command -v ccache >/dev/null ||
      options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    # With this prefix, libraries are in the folder of Debian's architecture.
    step "configure the packages" package-configure cmake --fresh -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_SHARED_LIBS=$shared -Dhpk_UNITY_BUILD=ON -Dhpk_BUILD_TESTS=OFF \
      -Dhpk_BUILD_BENCHMARKS=OFF -Dhpk_BUILD_EXAMPLES=OFF "${options[@]}"
    step "build the packages" package-build cmake --build "$build" -j "$jobs"
  fi
  [ -e "$build/CPackConfig.cmake" ] || die "package: $build is no build folder of hpk" 2
  rm -rf build/packages
  step "pack" package-pack cpack --config "$build/CPackConfig.cmake" -B "$root/build/packages"
  rm -rf build/packages/_CPack_Packages
  (cd build/packages && ls -sh1)
  if [ $check = yes ]; then
    HPK_DEV_TAIL=100 step "check the packages" package-check scripts/package_check "${form[@]}" build/packages
    grep -E 'no new machine|leave no file' build/log/package-check.log
  fi
}
