// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What HPK_HASH asks for. Internal to recording/ and runtime/.
#pragma once

#include <hpk/runtime/built_in_tools.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::detail {

/// "run.hash,every=10,label=spmv,keep=17": the file, and which launches and elements it holds.
struct hash_request {
  std::string path;
  std::uint64_t every = 1;       ///< of so many launches, one is recorded
  std::string label;             ///< not empty: only launches of this label
  bool regions = false;          ///< not launches, but the ends of regions
  std::uint64_t keep = 0;        ///< the launch whose elements are written, all of them
  std::size_t keep_bytes = 512;  ///< Views of up to so many bytes are always written
  int unset = 0xc9;              ///< the byte that fills uninitialised memory; -1: none
  std::uint64_t limit = std::uint64_t{4} << 30;  ///< bytes of all files of this process
};

/// Reads the value of HPK_HASH; false if it is invalid.
bool read_hash_request(std::string_view text, hash_request& into);

}  // namespace hpk::detail
