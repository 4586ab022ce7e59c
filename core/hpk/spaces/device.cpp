// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/spaces/device.hpp>

#include <unistd.h>

#include <charconv>
#include <fstream>

namespace hpk {

namespace {

// Returns the value that follows "key:" in a file of /proc; empty if the key is missing.
std::string look_up(const char* path, std::string_view key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) continue;
    const auto value = line.find_first_not_of(" \t:", key.size());
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

std::size_t kibibytes(const std::string& text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number << 10;
}

}  // namespace

PointerInfo pointer_info(const void* address) {
  seam::allocation_place place;
  if (!seam::find_allocation(address, place)) return {};
  return {true, std::move(place.label), place.space, place.offset, place.bytes};
}

void seam::describe_host(DeviceProperties& found) {
  found.name = look_up("/proc/cpuinfo", "model name");
  if (found.name.empty()) found.name = "CPU";
  found.memory_bytes = kibibytes(look_up("/proc/meminfo", "MemTotal"));
  found.free_bytes = kibibytes(look_up("/proc/meminfo", "MemAvailable"));
  const long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
  if (line > 0) found.cache_line = static_cast<int>(line);
}

}  // namespace hpk
