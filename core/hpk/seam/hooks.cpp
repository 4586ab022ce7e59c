// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/hooks.hpp>

#include <algorithm>

namespace hpk::seam {

// Never destroyed: static Views end late.
constinit hook_table hooks;

namespace {

space_handle handle_of(std::string_view space) noexcept {
  space_handle handle = {};
  std::copy_n(space.data(), std::min(space.size(), sizeof(handle.name) - 1), handle.name);
  return handle;
}

void tell(const detail::atomic_word<memory_callback>& hook, const allocation_record& record) {
  const auto listener = hook.load(detail::memory_order::acquire);
  if (listener != nullptr)
    listener(handle_of(record.space), record.label.c_str(), record.data, record.bytes);
}

const char* label_of(const copy_side& side) noexcept {
  return side.record == nullptr ? side.label : side.record->label.c_str();
}

}  // namespace

void tell_allocated(const allocation_record& record) { tell(hooks.allocated, record); }
void tell_freed(const allocation_record& record) { tell(hooks.freed, record); }

void copy_scope::begin(const copy_side& to, const copy_side& from, std::size_t bytes) {
  told_ = true;
  const auto listener = hooks.copy_begins.load(detail::memory_order::acquire);
  if (listener != nullptr) {
    listener(handle_of(to.space), label_of(to), to.data, handle_of(from.space), label_of(from),
             from.data, bytes);
  }
}

void copy_scope::end() const {
  const auto listener = hooks.copy_ended.load(detail::memory_order::acquire);
  if (listener != nullptr) listener();
}

}  // namespace hpk::seam
