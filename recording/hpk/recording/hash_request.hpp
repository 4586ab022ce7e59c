// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of HPK_HASH. Internal to recording/.
#pragma once

#include <hpk/runtime/built_in_tools.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::detail {

/// The file, and which launches and elements it records: "run.hash,every=10,label=spmv,keep=17".
struct hash_request {
  std::string path;
  std::uint64_t every = 1;       ///< records every N-th launch
  std::string label;             ///< if not empty, records only launches of this label
  bool regions = false;          ///< records the ends of regions instead of launches
  std::uint64_t keep = 0;        ///< number of the launch of which all elements are written
  std::size_t keep_bytes = 512;  ///< elements of Views of up to this many bytes are always written
  int unset = 0xc9;              ///< the byte that fills uninitialised memory; -1: none
  std::uint64_t limit = std::uint64_t{4} << 30;  ///< most bytes of all files of this process
};

/// Reads the value of HPK_HASH; false if it is invalid.
bool read_hash_request(std::string_view text, hash_request& into);

}  // namespace hpk::detail
