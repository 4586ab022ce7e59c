// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of machines for hwloc, other than the one that runs the tests.
#pragma once

#include <support/environment.hpp>

namespace hpk_test {

/// Makes hwloc find a machine made from a description during the object's lifetime.
class synthetic_topology {
 public:
  explicit synthetic_topology(const char* description) : set_("HWLOC_SYNTHETIC", description) {}

 private:
  variable set_;
};

/// Two packages of 64 cores, each with one cache and a NUMA domain.
inline constexpr const char* two_of_64 = "package:2 [numa] l3:1 core:64 pu:1";
/// Eight NUMA domains of 16 cores in two packages; eight cores share a cache.
inline constexpr const char* eight_of_16 = "package:2 group:4 [numa] l3:2 core:8 pu:1";
/// The same machine with two hardware threads for each core.
inline constexpr const char* eight_of_16_twice = "package:2 group:4 [numa] l3:2 core:8 pu:2";

}  // namespace hpk_test
