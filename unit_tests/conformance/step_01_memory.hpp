// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 01, memory: blocks of any size are aligned as requested and disjoint, and the machine can
// write and read every byte of them.
#pragma once

#include <conformance/findings.hpp>

#include <cstdint>

namespace hpk_conformance {

template <class Exec>
void step_01_memory(const Exec& exec, findings& found) {
  using memory = memory_of<Exec>;
  static_assert(hpk::seam::memory_like<memory>);
  static_assert(hpk::seam::kernel_may_access<Exec, typename Exec::memory_space>,
                "kernels of a space reach its own memory");

  struct block {
    std::uintptr_t begin;
    std::size_t bytes;
    std::size_t align;
  };
  std::vector<block> blocks;
  for (const std::size_t bytes : {1ul, 64ul, 65ul, 4097ul, 1ul << 20, (5ul << 20) + 3}) {
    for (const std::size_t align : {1ul, 8ul, 64ul, 256ul, 4096ul}) {
      void* data = memory::allocate(bytes, align);
      found.expect(data != nullptr, "allocate gives memory");
      if (data == nullptr) continue;
      const auto address = reinterpret_cast<std::uintptr_t>(data);
      found.expect(address % align == 0, "allocate aligns as asked");
      for (const block& other : blocks)
        found.expect(address + bytes <= other.begin || other.begin + other.bytes <= address,
                     "living blocks do not overlap");
      blocks.push_back({address, bytes, align});
    }
  }
  for (std::size_t k = 0; k < blocks.size(); ++k)
    exec.instance().fill(reinterpret_cast<void*>(blocks[k].begin), static_cast<int>(k),
                         blocks[k].bytes);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    std::vector<unsigned char> bytes(blocks[k].bytes);
    void* data = reinterpret_cast<void*>(blocks[k].begin);
    exec.instance().copy(bytes.data(), data, bytes.size());
    exec.instance().fence();
    found.expect(count_other(bytes, static_cast<unsigned char>(k)) == 0,
                 "every byte keeps what was written to it");
    memory::deallocate(data, blocks[k].bytes, blocks[k].align);
  }
}

}  // namespace hpk_conformance
