// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a View's copy constructor that runs while its thread inspects.
#pragma once

#include <hpk/memory/allocation.hpp>
#include <hpk/seam/view_facts.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// Describes a copied View of `Bytes` bytes to the inspection of this thread, or votes for a loop
/// order. `handle` and `address`: the words of the View. All parameters are values, so that the
/// address of a copied View does not escape from the loop that contains it.
template <class Mem, std::size_t Bytes, class T, class Mapping>
HPK_NOINLINE void show_to_inspection(std::uintptr_t handle, T* address, Mapping mapping) noexcept {
  seam::inspection* const by = seam::load_of_thread(seam::current_inspection);
  if (seam::loop_order_votes* const votes = by->votes()) {
    if constexpr (seam::host_may_access<Mem>) votes->count(mapping);
    return;
  }
  seam::view_facts view =
      seam::facts_of_view(seam::view_type_of<T, Mem>, seam::pointer_of<Mem>(address),
                          seam::allocation_handle::record_of(handle), mapping);
  view.word = address;
  view.object_bytes = Bytes;
  by->see(view);
}

}  // namespace hpk::detail
