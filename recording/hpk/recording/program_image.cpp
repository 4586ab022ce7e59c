// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/byte_hash.hpp>
#include <hpk/recording/program_image.hpp>

#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

#include <link.h>

namespace hpk::detail {

program_image::program_image() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* list) {
        module found{info->dlpi_name == nullptr ? "" : info->dlpi_name, info->dlpi_addr, {}};
        std::uint64_t constant_begin = 0;
        std::uint64_t constant_end = 0;
        for (int k = 0; k < info->dlpi_phnum; ++k) {
          const auto& part = info->dlpi_phdr[k];
          const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_GNU_RELRO) {
            constant_begin = begin;
            constant_end = begin + part.p_memsz;
          } else if (part.p_type == PT_LOAD) {
            const bool is_written = (part.p_flags & PF_W) != 0;
            found.segments.push_back({begin, begin + part.p_memsz, is_written, part.p_offset,
                                      is_written ? 0 : part.p_filesz});
          }
        }
        // Only the loader writes tables of virtual functions, and only once.
        if (constant_end != 0)
          found.segments.insert(found.segments.begin(),
                                {constant_begin, constant_end, false, 0, 0});
        static_cast<std::vector<module>*>(list)->push_back(std::move(found));
        return 0;
      },
      &modules_);
  if (std::FILE* const maps = std::fopen("/proc/self/maps", "r")) {
    char line[512];
    while (std::fgets(line, sizeof line, maps) != nullptr) {
      mapping found{};
      char rights[5] = {};
      if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &found.begin, &found.end, rights) != 3)
        continue;
      // Skips address ranges that are only reserved, such as the gap in AddressSanitizer's shadow.
      if (rights[0] != 'r') continue;
      found.is_writable = rights[1] == 'w';
      found.is_heap = std::strstr(line, "[heap]") != nullptr;
      mappings_.push_back(found);
    }
    std::fclose(maps);
  }
}

known_word program_image::find(std::uint64_t word) const {
  known_word found;
  for (const module& one : modules_) {
    for (const segment& part : one.segments) {
      if (word < part.begin || word >= part.end) continue;
      return {part.is_written ? word_kind::variable : word_kind::constant, one.path,
              word - one.base};
    }
  }
  // Below 4 GiB, mappings other than the heap, such as AddressSanitizer's shadow, don't belong to
  // the program.
  const bool is_low = word < std::uint64_t{1} << 32;
  for (const mapping& one : mappings_) {
    if (word >= one.begin && word < one.end && (one.is_heap || !is_low))
      found.kind = word_kind::memory;
  }
  return found;
}

const program_image::module* program_image::find_module(const std::string& path) const {
  for (const module& one : modules_) {
    if (one.path == path) return &one;
  }
  return nullptr;
}

std::uint64_t program_image::address_of(const std::string& path, std::uint64_t place) const {
  const module* const found = find_module(path);
  if (found == nullptr) return 0;
  for (const segment& part : found->segments) {
    const std::uint64_t address = found->base + place;
    if (address >= part.begin && address < part.end) return address;
  }
  return 0;
}

std::string program_image::build_of(const std::string& path) const {
  const module* const found = find_module(path);
  if (found == nullptr) return {};
  std::FILE* const file = std::fopen(path.empty() ? "/proc/self/exe" : path.c_str(), "rb");
  if (file == nullptr) return {};
  std::uint64_t sum = 0;
  std::uint64_t size = 0;
  std::uint64_t blocks = 0;
  std::vector<std::byte> buffer(1024 * hash_block_bytes);
  for (const segment& part : found->segments) {
    // Excludes the ELF header, which changes when symbols are stripped.
    const std::uint64_t head = part.file_offset == 0 ? sizeof(ElfW(Ehdr)) : 0;
    if (part.file_bytes <= head) continue;
    std::uint64_t left = part.file_bytes - head;
    if (std::fseek(file, static_cast<long>(part.file_offset + head), SEEK_SET) != 0) continue;
    while (left != 0) {
      const std::size_t wanted = left < buffer.size() ? left : buffer.size();
      const std::size_t count = std::fread(buffer.data(), 1, wanted, file);
      if (count == 0) break;
      sum += hash_blocks(buffer.data(), count, blocks, {});
      blocks += (count + hash_block_bytes - 1) / hash_block_bytes;
      size += count;
      left -= count;
    }
  }
  std::fclose(file);
  if (size == 0) return {};
  char text[40];
  std::snprintf(text, sizeof text, "%016" PRIx64 "-%" PRIx64, sum, size);
  return text;
}

bool program_image::is_writable(const void* data, std::uint64_t bytes) const {
  auto at = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(data));
  const std::uint64_t end = at + bytes;
  // Mappings are in ascending order.
  for (const mapping& one : mappings_) {
    if (at >= end) break;
    if (at < one.begin || at >= one.end) continue;
    if (!one.is_writable) return false;
    at = one.end;
  }
  return at >= end;
}

}  // namespace hpk::detail
