// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/view/stale.hpp>

#include <cstdint>
#include <memory>

namespace hpk {

void stale_mark::clear() noexcept {
  if (range_ == nullptr) return;
  detail::leave_stale(range_);
  delete std::exchange(range_, nullptr);
  owner_ = {};
}

void stale_mark::place(const seam::allocation_record& record, const void* data,
                       std::size_t bytes) noexcept {
  constexpr std::uintptr_t unit = 64;
  const auto all = reinterpret_cast<std::uintptr_t>(record.data);
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (begin + unit - 1) / unit * unit;
  std::uintptr_t end = begin + bytes;
  // If no other element follows within the allocation, the mark may cover its last unit.
  if (end < all + record.bytes) end = end / unit * unit;
  if (bytes == 0 || begin < all || end <= first || all + record.bytes < end) return;
  data_ = static_cast<const std::byte*>(data) + (first - begin);
  bytes_ = end - first;
}

void stale_mark::enter(seam::allocation_handle owner, std::string why) {
  const seam::allocation_record& record = *owner.record();
  const auto offset =
      reinterpret_cast<std::uintptr_t>(data_) - reinterpret_cast<std::uintptr_t>(record.data);
  if (offset >= record.bytes || record.bytes - offset < bytes_) return;
  auto range = std::make_unique<detail::stale_range>(
      detail::stale_range{data_, bytes_, std::move(why), nullptr});
  if (!detail::enter_stale(range.get())) return;
  range_ = range.release();
  owner_ = std::move(owner);
}

}  // namespace hpk
