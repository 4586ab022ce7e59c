// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handles.hpp"

#include <hpk/c/call.hpp>
#include <hpk/fortran/detail/descriptor.hpp>

#include <atomic>
#include <mutex>
#include <utility>

namespace hpk::detail::fortran {

namespace {

// Cells are reused and never freed, so the number of a cell can be read through any old handle.
struct cell {
  std::atomic<std::uint64_t> number{1};
  std::shared_ptr<void> object;
  cell* next_free = nullptr;
};

struct cells {
  std::mutex mutex;
  cell* first_free = nullptr;

  cell* take() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (first_free == nullptr) return new cell;
    return std::exchange(first_free, first_free->next_free);
  }
  void give_back(cell* free) {
    const std::lock_guard<std::mutex> lock(mutex);
    free->next_free = std::exchange(first_free, free);
  }
};

// Never destroyed: variables of the main program are finalized late or never.
cells& all_cells() {
  static cells* const all = new cells;
  return *all;
}

// The cell of a handle that is not released; null for others.
cell* find(const hpk_fortran_handle& handle) {
  auto* const found = static_cast<cell*>(handle.cell);
  if (found == nullptr || found->number.load(std::memory_order_acquire) != handle.number)
    return nullptr;
  return found;
}

}  // namespace

void make_handle(std::shared_ptr<void> object, hpk_fortran_handle& handle) {
  cell* const made = all_cells().take();
  made->object = std::move(object);
  handle = {made, made->number.load(std::memory_order_relaxed)};
}

void* object_of(const hpk_fortran_handle& handle, const char* what) {
  if (handle.cell == nullptr)
    throw argument_error(HPK_INVALID_ARGUMENT,
                         std::string(what) + " is empty: no hpk_create or other call has set it");
  const cell* const found = find(handle);
  if (found == nullptr)
    throw argument_error(
        HPK_INVALID_ARGUMENT,
        std::string(what) +
            " was released. gfortran releases it too early if it is a component "
            "of a derived type that was assigned as a whole; assign the component");
  return found->object.get();
}

}  // namespace hpk::detail::fortran

using namespace hpk::detail::fortran;

// Makes `to` another handle of the object of `from`; an empty one if `from` has none.
extern "C" void hpk_fortran_share(const hpk_fortran_handle* from, hpk_fortran_handle* to) {
  *to = {};
  if (const cell* const found = find(*from); found != nullptr) make_handle(found->object, *to);
}

extern "C" void hpk_fortran_release(hpk_fortran_handle* handle) {
  cell* const found = find(*handle);
  *handle = {};
  if (found == nullptr) return;
  found->number.fetch_add(1, std::memory_order_acq_rel);
  const std::shared_ptr<void> object = std::move(found->object);
  all_cells().give_back(found);
}

// The description of a view; unchanged if there is none.
extern "C" void hpk_fortran_info_of(const hpk_fortran_handle* handle, hpk_view_info* info) {
  if (const cell* const found = find(*handle); found != nullptr)
    *info = *hpk_view_get_info(static_cast<const hpk_view*>(found->object.get()));
}

// The address of the object, or null.
extern "C" void* hpk_fortran_object(const hpk_fortran_handle* handle) {
  const cell* const found = find(*handle);
  return found == nullptr ? nullptr : found->object.get();
}
