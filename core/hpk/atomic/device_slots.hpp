// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that lanes of a GPU take and return: one word for each slot, 0 while it is free. Host
// threads take slots by seam/slots.hpp.
#pragma once

#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/base/device_thread.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/slots.hpp>

#include <cstdint>

namespace hpk::detail {

/// Takes a slot on a device and writes `mark`, which is not 0, to its word. Lanes begin the search
/// at different slots. Returns false if no slot became free for seconds. This also happens if a
/// lane waits for another lane of its sub-group and the two can't diverge.
HPK_INLINE_FUNCTION bool take_slot_on_device([[maybe_unused]] const seam::slot_row& row,
                                             [[maybe_unused]] std::uint64_t mark,
                                             [[maybe_unused]] seam::held_slot& taken) {
  HPK_IF_ON_DEVICE((
      auto k = static_cast<std::int64_t>(device_thread_number() % static_cast<unsigned>(row.count));
      for (long tries = 0; tries < (1L << 26); ++tries) {
        std::uint64_t* const word = row.at(k);
        std::uint64_t expected = 0;
        if (primitive_load(word) == 0 &&
            primitive_compare_exchange(word, expected, mark, {memory_order::acquire})) {
          taken = {row.first, word, mark};
          return true;
        }
        if (++k == row.count) k = 0;
      }))
  return false;
}

}  // namespace hpk::detail
