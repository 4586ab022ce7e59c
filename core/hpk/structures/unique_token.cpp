// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/structures/unique_token.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

constinit atomic_word<int> token_patience{60};

namespace {

[[noreturn]] void reject_acquire(int size, bool holds_all) {
  text message;
  message << "hpk::Experimental::UniqueToken: no id is free of " << size << "; "
          << (holds_all ? "this thread holds all of them"
                        : "other threads hold them and released none for a minute")
          << "; make the token with a larger size, one for each lane that holds an id at the same "
             "time";
  seam::raise_in_kernel(message.str());
}

}  // namespace

atomic_word<void*>& shared_token_slot(std::uint32_t backend, int device) {
  constexpr int most_devices = 64;
  constexpr int most_backends = 256;
  static constinit atomic_word<void*> slots[most_backends * most_devices];
  if (device >= most_devices)
    raise("hpk::Experimental::UniqueToken: ids of global scope are for 64 devices");
  return slots[static_cast<std::size_t>(backend >> 24) * most_devices +
               static_cast<std::size_t>(device)];
}

int take_token(const seam::slot_row& ids) {
  seam::slot_failure failure = seam::slot_failure::none;
  const seam::held_slot taken =
      seam::take_any_slot(ids, token_patience.load(memory_order::relaxed), failure);
  if (taken.row == nullptr)
    reject_acquire(static_cast<int>(ids.count), failure == seam::slot_failure::holds_all);
  return static_cast<int>((taken.at - ids.first) / ids.stride);
}

void reject_release(int size, int id) {
  const char* const wrong =
      id >= 0 && id < size ? "is not taken, or was given back before" : "is not an id of it";
  seam::raise_in_kernel((text() << "hpk::Experimental::UniqueToken of " << size << " ids: release("
                                << id << "): it " << wrong)
                            .str());
}

int check_token_size(int size) {
  if (size >= 1) return size;
  raise((text() << "hpk::Experimental::UniqueToken(" << size << "): write at least one id").str());
}

}  // namespace hpk::detail
