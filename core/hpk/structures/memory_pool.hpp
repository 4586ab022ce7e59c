// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryPool: a fixed amount of memory from which kernels allocate.
//
// The memory consists of superblocks of one size. While any block of a superblock is taken, all its
// blocks have the same size, a power of two. A free superblock may get another block size. A word
// and a set of bits describe each superblock:
//   the word  the number of taken blocks, their size, and how many blocks were ever freed
//   the bits  which blocks are taken
// To allocate, a lane first increments the count in the word. The increment guarantees that a clear
// bit exists for this lane, so it may search the bits until it has set one. To free, a lane clears
// the bit and then decrements the count; at a count of zero the superblock is free. A lane that
// increments too late, after the superblock was filled or got another size, decrements again. A
// lane that finds no block searches again. If no block was freed between two searches, the pool was
// full in between, counted lanes included; only then allocate() returns null. A lane starts over
// only because another lane made progress (the operations are lock-free), and no lane ever waits
// for another.
//
// Two hints shorten the search: for each size the first superblock to try, which leads to the
// lowest one with a free block; for each superblock the word of bits in which a block was last
// freed.
#pragma once

#include <hpk/atomic/atomic_object.hpp>
#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/structures/pool_shape.hpp>
#include <hpk/view/copy.hpp>
#include <hpk/view/subview.hpp>
#include <hpk/view/view.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

/// Fixed memory in a memory space (given as an execution space, memory space or Device), from which
/// kernels, and host code that can access the memory, allocate blocks. Copies share the memory;
/// capture them by value. The last copy frees the memory, even if blocks are still taken.
///
/// Any number of lanes and threads may call allocate() and deallocate() at once; which block they
/// get is not deterministic. The next holder of a block sees the writes of the previous holder
/// before deallocate(). Memory is uninitialised, and aligned to the size of the block, at most to
/// 64 bytes.
template <class Space>
class MemoryPool {
  static constexpr bool on_space = is_space_v<Space>;
  static_assert(on_space,
                "hpk::MemoryPool: write MemoryPool<Space>, with an execution space, a memory space "
                "or a Device");
  using spaces = detail::space_pair<std::conditional_t<on_space, Space, DefaultHostExecutionSpace>>;
  using word = detail::pool_word;

 public:
  /// @{
  /// The spaces of the memory, from Space.
  using execution_space = typename spaces::execution_space;
  using memory_space = typename spaces::memory_space;
  using device_type = Device<execution_space, memory_space>;
  /// @}
  using usage_statistics = MemoryPoolUsage;  ///< Kokkos' name of MemoryPoolUsage

  /// An empty pool: capacity() is 0. Allowed at any time, even as a static object.
  MemoryPool() = default;

  /// A pool of `total_bytes`, rounded up to whole superblocks. A size of 0 selects the default:
  ///   min_block   64 bytes
  ///   max_block   4 KiB if min_block is 0 too, else the superblock
  ///   superblock  1 MiB, or 16384 blocks of min_block if that is given
  /// A default is limited by the next larger size, and the superblock by the total. Sizes are
  /// rounded up to powers of two. Each block size uses separate superblocks, so provide several
  /// superblocks for each size in use. Throws hpk::error unless min_block <= max_block <=
  /// superblock <= total_bytes and superblock <= 2 GiB, or if the space has no memory left. Waits
  /// like the constructor of a View. The label appears in messages.
  MemoryPool(std::string_view label, const memory_space&, std::size_t total_bytes,
             std::size_t min_block = 0, std::size_t max_block = 0, std::size_t superblock = 0)
      : shape_(detail::make_pool_shape(label, total_bytes, min_block, max_block, superblock)),
        data_(view_alloc(label, WithoutInitializing), shape_.bytes()),
        words_(std::string(label) + " (bookkeeping)", shape_.total_words()) {}
  /// A pool with the label "hpk::MemoryPool".
  explicit MemoryPool(const memory_space& space, std::size_t total_bytes, std::size_t min_block = 0,
                      std::size_t max_block = 0, std::size_t superblock = 0)
      : MemoryPool("hpk::MemoryPool", space, total_bytes, min_block, max_block, superblock) {}

  /// Allocates a block of at least `bytes`: of the smallest sufficient size, or a larger block if
  /// no superblock of that size has a free block and no superblock is free. Returns null for 0
  /// bytes, and if at some moment of each of `attempt_limit` attempts all blocks were taken or
  /// about to be taken by other lanes. For more than max_block_size(), throws hpk::error or, in
  /// device kernels, calls hpk::abort.
  HPK_FUNCTION void* allocate(std::size_t bytes, int attempt_limit = 1) const {
    if (bytes == 0) return nullptr;
    if (bytes > max_block_size()) {
      HPK_IF_ON_HOST((detail::reject_pool_request(description(), bytes);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::MemoryPool: allocate() of more than the max block");))
    }
    const int size = shape_.size_for(bytes);
    void* block = nullptr;
    for (int attempt = 0; attempt < attempt_limit && block == nullptr; ++attempt)
      block = search(size);
    return block;
  }

  /// Frees a block of this pool; null does nothing, `bytes` is ignored. For a pointer that is not a
  /// taken block of the pool, throws hpk::error or, in device kernels, calls hpk::abort.
  HPK_FUNCTION void deallocate(void* block, [[maybe_unused]] std::size_t bytes = 0) const {
    if (block == nullptr) return;
    std::size_t offset = 0;
    if (!find_offset(block, offset)) return reject(block, "does not lie in it");
    const auto superblock = static_cast<index_t>(offset >> shape_.superblock);
    const detail::pool_state state = load(superblock);
    if (state.used() == 0) return reject(block, "is not taken, or was given back before");
    const int size = state.size();
    const std::size_t within = offset & ((std::size_t{1} << shape_.superblock) - 1);
    if ((within & ((std::size_t{1} << size) - 1)) != 0)
      return reject(block, "is not the beginning of a block");
    const word number = within >> size;
    const word bit = word{1} << (number % 64);
    word* const bits = at(shape_.bits(superblock) + static_cast<index_t>(number / 64));
    detail::notify_handover(data_.data() + offset, std::size_t{1} << size);
    if ((detail::primitive_fetch<detail::and_operation>(bits, ~bit, release) & bit) == 0)
      return reject(block, "is not taken, or was given back before");
    hint(shape_.bits_hint(superblock), number / 64, false);
    give_back(superblock);
    hint(shape_.size_hint(size), static_cast<word>(superblock), true);
  }

  /// The size of all superblocks in bytes.
  HPK_FUNCTION std::size_t capacity() const { return shape_.bytes(); }
  /// The size of the smallest blocks in bytes; 0 in an empty pool.
  HPK_FUNCTION std::size_t min_block_size() const { return bytes_of(shape_.smallest); }
  /// The size of the largest blocks in bytes; 0 in an empty pool.
  HPK_FUNCTION std::size_t max_block_size() const { return bytes_of(shape_.largest); }
  /// The size of the smallest block that holds `bytes`; 0 if no block is large enough.
  HPK_FUNCTION std::size_t allocate_block_size(std::size_t bytes) const {
    return bytes > max_block_size() ? 0 : bytes_of(shape_.size_for(bytes));
  }
  /// The number of superblocks.
  HPK_FUNCTION index_t number_of_superblocks() const { return shape_.superblocks; }
  /// For one superblock: the size of its blocks in bytes, their number, and the number of taken
  /// blocks; all 0 if no block is taken. While other lanes allocate, a snapshot that includes lanes
  /// about to allocate.
  template <std::integral I>
  HPK_FUNCTION void superblock_state(index_t superblock, I& block_bytes, I& blocks, I& used) const {
    HPK_EXPECTS(superblock >= 0 && superblock < number_of_superblocks());
    const detail::pool_state state = load(superblock);
    const bool any = state.used() != 0;
    block_bytes = static_cast<I>(any ? bytes_of(state.size()) : 0);
    blocks = static_cast<I>(any ? shape_.blocks(state.size()) : 0);
    used = static_cast<I>(state.used());
  }

  /// Reports the usage. Fences all work first. Not in kernels. While other host threads allocate,
  /// the state of each superblock is a snapshot at a different time.
  void get_usage_statistics(usage_statistics& usage) const {
    usage = detail::usage_of_pool(shape_, states().data());
  }
  /// Returns the sizes, and a line for each superblock in use, with snapshots as in
  /// get_usage_statistics().
  std::string print_state() const { return detail::describe_pool(description(), states().data()); }
  /// Writes print_state() to a stream.
  void print_state(std::ostream& out) const { detail::print_pool(out, print_state()); }

  /// The label.
  std::string label() const { return data_.label(); }
  /// Whether both are copies of the same pool, or both are empty.
  HPK_FUNCTION friend bool operator==(const MemoryPool& a, const MemoryPool& b) {
    return a.words_.data() == b.words_.data();
  }

 private:
  // The next holder of a block sees the writes of the previous holder.
  static constexpr detail::atomic_mode acquire{detail::memory_order::acquire};
  static constexpr detail::atomic_mode release{detail::memory_order::release};

  HPK_FUNCTION std::size_t bytes_of(int size) const {
    return shape_.empty() ? 0 : std::size_t{1} << size;
  }

  // Returns a pointer to a word for an atomic operation, and notifies the watcher.
  HPK_FUNCTION word* at(index_t position) const {
    word* const w = &words_(position);
    detail::notify_atomic(w);
    return w;
  }
  HPK_FUNCTION detail::pool_state load(index_t superblock) const {
    return {detail::primitive_load(at(superblock))};
  }
  HPK_FUNCTION void give_back(index_t superblock) const {
    detail::primitive_fetch<detail::add_operation>(at(superblock), detail::pool_state::give_back,
                                                   release);
  }
  // Sets a hint if the value changes; with `only_less`, if it decreases.
  HPK_FUNCTION void hint(index_t position, word value, bool only_less) const {
    word* const w = at(position);
    const word before = detail::primitive_load(w);
    if (only_less ? value < before : value != before) detail::primitive_store(w, value);
  }

  // Finds a block of a size. Returns null if at some moment no block was free.
  HPK_FUNCTION void* search(int size) const {
    bool was_full = false;
    word returns_before = 0;
    for (;;) {
      const word first = detail::primitive_load(at(shape_.size_hint(size)));
      word returns = 0;
      index_t found = -1;
      detail::pool_state state;
      // Prefers a superblock of the size or a free superblock, else takes one of the next larger
      // size.
      for (index_t k = 0; k != shape_.superblocks; ++k) {
        index_t here = static_cast<index_t>(first) + k;
        if (here >= shape_.superblocks) here -= shape_.superblocks;
        const detail::pool_state seen = load(here);
        returns += seen.returns();
        const bool is_free = seen.used() == 0;
        if (!is_free && (seen.size() < size || seen.used() >= shape_.blocks(seen.size()))) continue;
        const bool fits = is_free || seen.size() == size;
        if (!fits && found >= 0 && state.size() <= seen.size()) continue;
        found = here;
        state = seen;
        if (fits) break;
      }
      if (found < 0) {
        if (was_full && returns == returns_before) return nullptr;
        was_full = true;
        returns_before = returns;
        continue;
      }
      if (void* block = take(found, state, size)) return block;
      was_full = false;
    }
  }

  // Takes a block of a superblock that seemed to have a free one. Returns null if other lanes were
  // faster.
  HPK_FUNCTION void* take(index_t superblock, detail::pool_state seen, int size) const {
    word turn = 0;
    if (seen.used() == 0 && seen.size() != size) {
      if (!detail::primitive_compare_exchange(at(superblock), seen.word, seen.claimed_for(size),
                                              acquire))
        return nullptr;
    } else {
      const detail::pool_state before{
          detail::primitive_fetch<detail::add_operation>(at(superblock), word{1}, acquire)};
      if (before.size() != seen.size() || before.used() >= shape_.blocks(seen.size())) {
        give_back(superblock);
        return nullptr;
      }
      turn = before.used();
      size = seen.size();
    }
    hint(shape_.size_hint(size), static_cast<word>(superblock), false);
    const word number = set_bit(superblock, size, turn);
    return data_.data() + (static_cast<std::size_t>(superblock) << shape_.superblock) +
           (static_cast<std::size_t>(number) << size);
  }

  // Takes a block for a counted lane. `turn` is the number of lanes counted before it. Tries block
  // `turn` first, then the word in which a block was last freed, then the other words.
  HPK_FUNCTION word set_bit(index_t superblock, int size, word turn) const {
    const word blocks = shape_.blocks(size);
    const word words = detail::pool_shape::words(blocks);
    const word all = blocks < 64 ? (word{1} << blocks) - 1 : ~word{0};
    word place = turn / 64;
    for (bool first = true;; first = false) {
      word* const bits = at(shape_.bits(superblock) + static_cast<index_t>(place));
      word taken = detail::primitive_load(bits);
      while ((~taken & all) != 0) {
        const word clear = ~taken & all;
        const word from_turn = clear & (~word{0} << (turn % 64));
        const int number = detail::lowest_bit(from_turn != 0 ? from_turn : clear);
        detail::notify_atomic(bits);
        taken = detail::primitive_fetch<detail::or_operation>(bits, word{1} << number, acquire);
        if ((taken >> number & 1) == 0) return place * 64 + static_cast<word>(number);
      }
      place = first ? detail::primitive_load(at(shape_.bits_hint(superblock))) : place + 1;
      if (place >= words) place = 0;
    }
  }

  // Sets `offset` to the offset of `pointer` in bytes. Returns false outside of the pool. A kernel
  // may use another address for the same memory.
  HPK_FUNCTION bool find_offset(const void* pointer, std::size_t& offset) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    offset = address - reinterpret_cast<std::uintptr_t>(data_.data());
    if (offset < capacity()) return true;
    offset = address -
             reinterpret_cast<std::uintptr_t>(seam::device_address<memory_space>(data_.data()));
    return offset < capacity();
  }

  HPK_FUNCTION void reject([[maybe_unused]] const void* pointer,
                           [[maybe_unused]] const char* what) const {
    HPK_IF_ON_HOST((detail::reject_pool_pointer(description(), pointer, what);))
    HPK_IF_ON_DEVICE(
        (hpk::abort("hpk::MemoryPool: deallocate() of a pointer that is not a taken block of it");))
  }
  detail::pool_description description() const {
    return {data_.allocation().record(), data_.data(), shape_};
  }

  // Returns a host copy of the words of the superblocks.
  auto states() const {
    using host_view = typename View<word*, device_type>::host_mirror_type;
    const host_view copy("states of a hpk::MemoryPool", shape_.superblocks);
    if (shape_.empty()) return copy;
    if constexpr (seam::host_may_access<memory_space>) {
      hpk::fence("hpk::MemoryPool");
      for (index_t k = 0; k != shape_.superblocks; ++k) copy(k) = load(k).word;
    } else {
      deep_copy(copy, subview(words_, std::pair<index_t, index_t>(0, shape_.superblocks)));
    }
    return copy;
  }

  detail::pool_shape shape_;
  View<std::byte*, device_type> data_;
  View<word*, device_type> words_;
};

}  // namespace hpk
