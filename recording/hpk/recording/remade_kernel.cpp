// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/recording/observer_chain.hpp>
#include <hpk/recording/program_image.hpp>
#include <hpk/recording/remade_kernel.hpp>
#include <hpk/recording/view_content.hpp>

#include <algorithm>
#include <cstring>

namespace hpk::detail {

namespace {
struct allocation {
  std::byte* data = nullptr;
  seam::allocation_record* record = nullptr;
};
}  // namespace

void reject_replay(const std::string& why) { raise("hpk::initialize: HPK_REPLAY: " + why); }

// Returns the memory that a pointer of a kernel refers to.
seen_view memory_of(const captured_view& view, const std::byte* kernel) {
  std::uint64_t word = 0;
  std::memcpy(&word, kernel + view.offset, sizeof word);
  return {facts_of_bytes(reinterpret_cast<const void*>(word - view.pointer_offset),
                         static_cast<std::uint64_t>(view.extents[0])),
          view.offset};
}

remade_kernel::remade_kernel(const captured_launch& launch, launched_kernel types)
    : launch_(launch), types_(types) {
  const std::size_t align = std::max<std::size_t>(launch.kernel_align, 8);
  room_ = std::make_unique<std::byte[]>(launch.kernel.size() + align + 8);
  void* place = room_.get();
  std::size_t space = launch.kernel.size() + align + 8;
  kernel_ = static_cast<std::byte*>(std::align(align, launch.kernel.size(), place, space));
  std::copy(launch.kernel.begin(), launch.kernel.end(), kernel_);
  const program_image image;
  for (const captured_address& one : launch.addresses) {
    const std::uint64_t address = image.address_of(one.module, one.place);
    if (address == 0)
      reject_replay("'" + one.module + "', to which the kernel refers, is not loaded");
    set_word(one.offset, address);
  }
  for (const captured_view& view : launch.views) {
    if (view.offset < 0)
      reject_replay(name_of(launch) +
                    " captured a View of Views, whose inner Views are outside of its kernel; write "
                    "HPK_REPLAY=file,in-place");
    // A distinct address per View that no memory has.
    set_word(word_of(view), static_cast<std::uint64_t>(&view - launch.views.data() + 1) << 16);
    if (view.has_handle) set_word(word_of(view) - 8, 0);
  }
}

void remade_kernel::allocate() {
  // The types of the Views, which tell how to allocate memory of their spaces.
  const std::vector<seen_view> types = find_views();
  std::vector<allocation> blocks(launch_.blocks.size());
  for (std::size_t k = 0; k != launch_.views.size(); ++k) {
    const captured_view& view = launch_.views[k];
    const seam::view_type& type = *types[k].facts.type;
    allocation& block = blocks[view.block];
    if (type.allocate == nullptr)
      reject_replay("the memory space of View \"" + view.label + "\" is unknown");
    if (block.data == nullptr) {
      const std::size_t bytes = launch_.blocks[view.block] + 64;
      block.data = static_cast<std::byte*>(type.allocate(bytes, 64));
      if (block.data == nullptr) reject_replay("out of memory for View \"" + view.label + '"');
      block.record = &keep_reachable(seam::make_record(
          block.data, bytes, 64, view.label, type.space, type.deallocate, "hpk: HPK_REPLAY"));
    }
    set_word(word_of(view), reinterpret_cast<std::uintptr_t>(block.data + view.block_offset +
                                                             view.pointer_offset));
    // A borrowed handle, because the record lives until the program ends.
    if (view.has_handle)
      set_word(word_of(view) - 8, reinterpret_cast<std::uintptr_t>(block.record) | 1);
  }
  views_ = find_views();
}

void remade_kernel::restore() const {
  for (std::size_t k = 0; k != views_.size(); ++k)
    view_content::write(views_[k].facts, launch_.views[k].before);
}

std::size_t remade_kernel::word_of(const captured_view& view) {
  return static_cast<std::size_t>(view.offset) + view.object_bytes - 8;
}

// Returns the Views of the file, found by inspecting the kernel.
std::vector<seen_view> remade_kernel::find_views() const {
  const std::vector<seen_view> found = kernel_snapshot(types_, {kernel_, nullptr}).views;
  std::vector<seen_view> all;
  for (const captured_view& view : launch_.views) {
    if (view.is_pointer) {
      all.push_back(memory_of(view, kernel_));
      continue;
    }
    const auto at = std::find_if(found.begin(), found.end(),
                                 [&](const seen_view& one) { return one.offset == view.offset; });
    if (at == found.end())
      reject_replay("View \"" + view.label + "\" was not found in the kernel of " +
                    name_of(launch_));
    all.push_back(*at);
  }
  return all;
}

void remade_kernel::set_word(std::uint64_t offset, std::uint64_t value) {
  std::memcpy(kernel_ + offset, &value, sizeof value);
}

}  // namespace hpk::detail
