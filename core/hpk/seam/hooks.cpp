// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/hooks.hpp>
#include <hpk/seam/rules.hpp>

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

void ask(const allocation_record& record, bool is_freed) {
  const memory_rule rule = rules.memory.load(detail::memory_order::acquire);
  if (rule != nullptr) rule(record.label.c_str(), is_freed);
}

const char* label_of(const copy_side& side) noexcept {
  return side.record == nullptr ? side.label : side.record->label.c_str();
}

}  // namespace

void tell_allocated(const allocation_record& record) {
  ask(record, false);
  tell(hooks.allocated, record);
}
void tell_freed(const allocation_record& record) {
  ask(record, true);
  tell(hooks.freed, record);
}

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

std::string name_of_fence(std::string_view name, std::string_view space) {
  if (!name.empty()) return std::string(name);
  detail::text unnamed;
  if (space.empty()) {
    unnamed << "hpk::fence: Unnamed Global Fence";
  } else {
    unnamed << "hpk::" << space << "::fence: Unnamed Instance Fence";
  }
  return unnamed.str();
}

void fence_scope::begin(std::string_view name, std::uint32_t device, std::string_view space) {
  told_ = true;
  const auto listener = hooks.fence_begins.load(detail::memory_order::acquire);
  if (listener != nullptr) listener(name_of_fence(name, space).c_str(), device, &handle_);
}

void fence_scope::end() const {
  const auto listener = hooks.fence_ended.load(detail::memory_order::acquire);
  if (listener != nullptr) listener(handle_);
}

}  // namespace hpk::seam
