// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five kernels, each in a naive version and a fast one. docs/gpu-performance.md shows what stands
// between the comments "page:".
#pragma once

#include <hpk/core.hpp>

#include <string_view>

// Each runs the version of this name ("naive", "fast", ...), or all if it is empty, and returns
// whether the results were right.
bool transpose(std::string_view version);
bool stencil(std::string_view version);
bool soa(std::string_view version);
bool histogram(std::string_view version);
bool reduction(std::string_view version);

inline bool is_wanted(std::string_view version, std::string_view name) {
  return version.empty() || version == name;
}

/// Host code can read the result.
template <class V>
auto on_host(const V& view) {
  return hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
}
