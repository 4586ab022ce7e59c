#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# conda build runs this script in a copy of the checkout. It sets PREFIX, CMAKE_ARGS and CPU_COUNT.
set -euo pipefail
# shellcheck disable=SC2086
cmake -S . -B build -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -Dhpk_WITH_HWLOC=on -Dhpk_WITH_BOOST_CONTEXT=on \
  -Dhpk_WITH_SLEEF=on -Dhpk_WITH_PNG=on -Dhpk_BUILD_TESTS=OFF -Dhpk_BUILD_BENCHMARKS=OFF -Dhpk_BUILD_EXAMPLES=OFF
cmake --build build -j "${CPU_COUNT:-2}"
cmake --install build
