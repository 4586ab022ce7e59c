// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts in the form that an emulated device reports, a GPU model with round numbers, and the
// profile of both.
#pragma once

#include <hpk/core.hpp>
#include <hpk/seam/device_profile.hpp>

#include <support/test.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace hpk_test {

/// Returns a path in the folder of tests that is unique to this process.
inline std::string path_of(const std::string& name) {
  return testing::TempDir() + "hpk_gpu_" + std::to_string(getpid()) + '_' + name;
}
/// Writes a file with this text in that folder.
inline std::string file_of(const std::string& name, const std::string& text) {
  const std::string path = path_of(name);
  std::ofstream(path) << text;
  return path;
}
inline std::string content_of(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

/// A device of 10 multiprocessors at 1 GHz: 100 GB/s from DRAM, 200 from L2, 1280 from L1.
inline const char* const toy_model =
    "name = Toy\nsector_bytes = 32 # as all\nbanks = 32\nbank_bytes = 4\nsubgroup = 32\n"
    "multiprocessors = 10\nclock = 1e9\ndram_bandwidth = 1e11\nl2_bandwidth = 2e11\n"
    "fill_bytes_per_clock = 64\nl1_bytes_per_clock = 128\nscratch_per_multiprocessor = 65536\n"
    "scratch_per_group = 32768\nscratch_reserved_per_group = 0\nlanes_per_multiprocessor = 2048\n"
    "groups_per_multiprocessor = 32\nlanes_per_group = 1024\natomics_per_clock_one_address = 1\n"
    "atomic_sectors_per_clock = 10\nlaunch_cost = 1e-6\nhost_link_bandwidth = 1e10\n";

/// Returns the accesses of full sub-groups to floats, for this many requests and sectors.
inline hpk::seam::access_counts floats(const char* label, const char* layout, int lane_index,
                                       int line, std::uint64_t requests, std::uint64_t sectors) {
  hpk::seam::access_counts a;
  a.file = "/home/me/heat.cpp";
  a.line = line;
  a.label = label;
  a.layout = layout;
  a.rank = 2;
  a.lane_index = lane_index;
  a.lane_stride = lane_index < 0 ? 0 : 1;
  a.element_bytes = 4;
  a.requests = requests;
  a.accesses = a.full_accesses = 32 * requests;
  a.used_bytes = 128 * requests;
  a.runs = sectors <= 5 ? requests : 32 * requests;
  a.sectors = sectors * requests;
  a.ideal_sectors = 4 * requests;
  return a;
}
/// A launch without accesses.
inline hpk::seam::launch_counts launch_of(const char* label, hpk::index_t groups, int lanes) {
  hpk::seam::launch_counts l;
  l.pattern = "parallel_for";
  l.label = label;
  l.file = "/home/me/heat.cpp";
  l.line = 30;
  l.groups = groups;
  l.lanes = lanes;
  l.subgroup = 32;
  return l;
}
/// 100 groups of 128 lanes that read "a" down its columns and write "b" along its rows.
inline hpk::seam::launch_counts transpose(const char* label = "transpose") {
  hpk::seam::launch_counts l = launch_of(label, 100, 128);
  l.accesses = {floats("a", "LayoutRight", 0, 31, 400, 32),
                floats("b", "LayoutRight", 1, 32, 400, 4)};
  l.accesses[0].read_only = true;
  l.views = {{"a", 51200, 1600, 12800}, {"b", 51200, 1600, 1600}};
  return l;
}

inline const hpk::seam::device_profile* listening() {
  return hpk::seam::current_device_profile.load(hpk::detail::memory_order::acquire);
}
inline void tell(const hpk::seam::launch_counts& launch) { listening()->on_launch(launch); }
inline void tell(const hpk::seam::copy_counts& copy) { listening()->on_copy(copy); }

/// Returns the report `kind` ("gpu", "gpu-html", "gpu-json") about the counts that `work` sends, on
/// the toy device.
template <class Work>
std::string report(const std::string& kind, const Work& work) {
  const std::string path = path_of("report");
  {
    const hpk::ScopeGuard scope(hpk::InitializationSettings()
                                    .set_profile(kind + '=' + path)
                                    .set_gpu_model(file_of("toy.txt", toy_model)));
    work();
  }
  std::string content = content_of(path);
  std::remove(path.c_str());
  return content;
}

}  // namespace hpk_test
