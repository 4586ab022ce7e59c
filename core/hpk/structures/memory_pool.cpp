// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/error.hpp>
#include <hpk/structures/memory_pool.hpp>
#include <hpk/view/bounds.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>

namespace hpk::detail {

namespace {

constexpr std::size_t most_superblock = std::size_t{1} << 31;

text begin_message(const pool_description& pool) {
  text message;
  message << "hpk::MemoryPool ";
  if (pool.record != nullptr)
    message << '"' << pool.record->label << '"';
  else
    message << "without memory";
  return message;
}

void list_sizes(text& out, std::size_t total, std::size_t min_block, std::size_t max_block,
                std::size_t superblock) {
  out << total << " bytes in superblocks of " << superblock << ", blocks of " << min_block << " to "
      << max_block;
}

}  // namespace

pool_shape make_pool_shape(std::string_view label, std::size_t total, std::size_t min_block,
                           std::size_t max_block, std::size_t superblock) {
  constexpr std::size_t smallest = 64;
  constexpr std::size_t largest = 4096;
  constexpr std::size_t blocks = 16384;  // number of smallest blocks in a superblock
  const bool all_by_default = min_block == 0;
  if (superblock == 0) {
    const std::size_t least = all_by_default ? smallest : min_block;
    superblock = std::min(
        {std::max(std::min(least, most_superblock) * blocks, max_block), total, most_superblock});
  }
  if (max_block == 0) max_block = all_by_default ? std::min(largest, superblock) : superblock;
  if (min_block == 0) min_block = std::min(smallest, max_block);

  const char* wrong = total == 0                     ? "the total is 0; write MemoryPool() for none"
                      : min_block > max_block        ? "the min block is larger than the max block"
                      : max_block > superblock       ? "the max block is larger than a superblock"
                      : superblock > most_superblock ? "a superblock has 2 GiB at most"
                      : superblock > total           ? "a superblock is larger than the total"
                      : total > static_cast<std::size_t>(INT64_MAX) / 2
                          ? "no memory has so many bytes"
                          : nullptr;
  if (wrong != nullptr) {
    text message;
    message << "hpk::MemoryPool \"" << label << "\": ";
    list_sizes(message, total, min_block, max_block, superblock);
    raise((message << ": " << wrong).str());
  }

  const auto exponent = [](std::size_t bytes) { return std::countr_zero(std::bit_ceil(bytes)); };
  pool_shape shape;
  shape.superblock = exponent(superblock);
  shape.largest = exponent(max_block);
  shape.smallest = exponent(min_block);
  shape.bit_words = static_cast<int>(pool_shape::words(shape.blocks(shape.smallest)));
  const std::size_t mask = (std::size_t{1} << shape.superblock) - 1;
  shape.superblocks = static_cast<index_t>((total + mask) >> shape.superblock);
  return shape;
}

void reject_pool_request(const pool_description& pool, std::size_t bytes) {
  text message = begin_message(pool);
  message << ": allocate(" << bytes << ") is more than the max block";
  if (!pool.shape.empty()) message << " of " << (std::size_t{1} << pool.shape.largest);
  hpk::raise(std::move(message));
}

void reject_pool_pointer(const pool_description& pool, const void* pointer, const char* what) {
  text message = begin_message(pool);
  message << " of " << pool.shape.bytes() << " bytes at " << pool.data << ": deallocate(" << pointer
          << "): it " << what;
  hpk::raise(std::move(message));
}

MemoryPoolUsage usage_of_pool(const pool_shape& shape, const pool_word* states) {
  MemoryPoolUsage usage;
  if (shape.empty()) return usage;
  usage.capacity_bytes = shape.bytes();
  usage.superblock_bytes = std::size_t{1} << shape.superblock;
  usage.max_block_bytes = std::size_t{1} << shape.largest;
  usage.min_block_bytes = std::size_t{1} << shape.smallest;
  usage.capacity_superblocks = static_cast<std::size_t>(shape.superblocks);
  for (index_t k = 0; k < shape.superblocks; ++k) {
    const pool_state state{states[k]};
    if (state.used() == 0) continue;
    // The count may temporarily include lanes that found the superblock full.
    const std::size_t blocks = shape.blocks(state.size());
    const std::size_t used = std::min<std::size_t>(state.used(), blocks);
    ++usage.consumed_superblocks;
    usage.consumed_blocks += used;
    usage.consumed_bytes += used << state.size();
    usage.reserved_blocks += blocks - used;
    usage.reserved_bytes += (blocks - used) << state.size();
  }
  return usage;
}

std::string describe_pool(const pool_description& pool, const pool_word* states) {
  text out = begin_message(pool);
  const MemoryPoolUsage usage = usage_of_pool(pool.shape, states);
  if (pool.shape.empty()) return (out << '\n').str();
  out << ": ";
  list_sizes(out, usage.capacity_bytes, usage.min_block_bytes, usage.max_block_bytes,
             usage.superblock_bytes);
  out << "; " << usage.consumed_bytes << " bytes in " << usage.consumed_blocks
      << " blocks are taken, " << usage.consumed_superblocks << " of " << usage.capacity_superblocks
      << " superblocks are in use\n";
  for (index_t k = 0; k < pool.shape.superblocks; ++k) {
    const pool_state state{states[k]};
    if (state.used() == 0) continue;
    out << "  superblock " << k << ": " << state.used() << " of " << pool.shape.blocks(state.size())
        << " blocks of " << (std::size_t{1} << state.size()) << " bytes\n";
  }
  return out.str();
}

void print_pool(std::ostream& out, std::string_view description) { out << description; }

}  // namespace hpk::detail
