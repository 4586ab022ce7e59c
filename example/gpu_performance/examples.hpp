// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five kernels, each in a naive and a fast version. docs/gpu-performance.md shows the code between
// the comments "page:".
#pragma once

#include <hpk/core.hpp>

#include <string_view>

// Each function runs the version with this name ("naive", "fast", ...), or all versions if the name
// is empty, and returns whether the results are right.
bool transpose(std::string_view version);
bool stencil(std::string_view version);
bool soa(std::string_view version);
bool histogram(std::string_view version);
bool reduction(std::string_view version);

inline bool is_wanted(std::string_view version, std::string_view name) {
  return version.empty() || version == name;
}

/// Returns a copy of the View that host code can read.
template <class V>
auto on_host(const V& view) {
  return hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
}
