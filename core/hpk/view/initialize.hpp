// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates the memory of a View according to its properties and constructs the elements in the
// View's execution space, so that the first touch of each page is by the worker that uses it later.
#pragma once

#include <hpk/memory/allocation.hpp>
#include <hpk/parallel/patterns/for_launch.hpp>
#include <hpk/view/bounds.hpp>
#include <hpk/view/fill.hpp>
#include <hpk/view/properties.hpp>

#include <new>
#include <source_location>

namespace hpk::detail {

/// Whether a value-initialised T has only zero bits. False for a null pointer to member, and for a
/// T that contains one.
template <class T>
bool is_zero_bits() noexcept {
  if constexpr (std::is_trivially_default_constructible_v<T>) {
    static const T zero = T();
    return has_zero_bytes(&zero, sizeof zero);
  } else {
    return false;
  }
}

template <class T, class Mem>
struct construct_element {
  T* data;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    if constexpr (std::is_trivially_copyable_v<T>) {
      ::new (static_cast<void*>(seam::device_address<Mem>(data + i))) T();
    } else {
      // The element outlives the kernel, so a View in it must take shared ownership as outside of
      // kernels.
      const seam::outside_kernel_scope own;
      ::new (static_cast<void*>(seam::device_address<Mem>(data + i))) T();
    }
  }
};
template <class T, class Mem>
struct destroy_element {
  T* data;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { seam::device_address<Mem>(data + i)->~T(); }
};

template <class T>
void destroy_on_host(T* data, index_t count) noexcept {
  while (count > 0) data[--count].~T();
}

/// Constructs elements in order; if a constructor throws, the earlier elements are destroyed.
template <class T>
void construct_on_host(T* data, index_t count) {
  index_t done = 0;
  try {
    for (; done < count; ++done) ::new (static_cast<void*>(data + done)) T();
  } catch (...) {
    destroy_on_host(data, done);
    throw;
  }
}

/// Destroys the elements of a record; stored in the record as a type-erased function. If launches
/// do not hold allocations, waits for all launches first, because kernels of any instance may use
/// the elements.
template <class T, class Exec, class Mem, bool Sequential>
void destroy_elements(const seam::allocation_record& record) {
  auto* data = static_cast<T*>(record.data);
  using home = typename seam::memory<Mem>::home;
  if constexpr (seam::deallocation_waits<home>) seam::machine<home>::fence_all();
  if constexpr (Sequential) {
    destroy_on_host(data, record.elements);
  } else {
    const Exec exec;
    run_for(RangePolicy<Exec, IndexType<index_t>>(exec, index_t{0}, record.elements),
            destroy_element<T, Mem>{data},
            {.pattern = "View::destruction", .label = record.label, .where = {}});
    detail::fence_machine(exec.instance(), "hpk::View::destruction before deallocate");
  }
}

/// A kernel without work that keeps allocations alive until it has run.
struct keep_allocations {
  seam::allocation_handle first;
  seam::allocation_handle second;
  template <class Lane>
  HPK_FUNCTION void operator()(Lane&) const {}
};

/// Keeps allocations alive until earlier work of the instance is done, even if the caller releases
/// them at once.
template <class Exec>
void keep_until_done(const Exec& exec, const seam::allocation_handle& first,
                     const seam::allocation_handle& second = {}) {
  if constexpr (!seam::machine<Exec>::synchronous && !seam::deallocation_waits<Exec>) {
    if (first.record() != nullptr || second.record() != nullptr)
      exec.instance().launch({}, keep_allocations{first, second},
                             {.pattern = "View::keep", .label = {}, .where = {}});
  }
}

/// Sets the elements of a new View to 0. Tools are notified as of the kernel that constructs other
/// elements.
template <class Exec>
HPK_FORCEINLINE void fill_with_zeros(const Exec& exec, void* data, std::size_t bytes,
                                     const std::string& label) {
  const library_scope scope(
      exec,
      [&] {
        return seam::launch_info{.pattern = "View::initialization", .label = label, .where = {}};
      },
      [](const launched_objects&, kernel_reader*) {
        return launched_types{{}, {}, " via memset"};
      });
  exec.instance().fill(data, 0, bytes);
}

/// Allocates `count` elements of T in Mem and initialises them according to the properties.
template <class T, class Exec, class Mem, class Properties,
          bool Launches = seam::launches_here<Exec>>
seam::allocation_handle allocate_elements(const Properties& properties, std::size_t bytes,
                                          index_t count) {
  using memory = seam::memory<Mem>;
  static_assert(seam::memory_like<memory>);
  constexpr std::size_t align = alignof(T) < 64 ? 64 : alignof(T);
  // An empty View has memory too, so that data() is not null.
  const std::size_t allocated = bytes == 0 ? align : bytes;
  const auto allocate = [&] {
    if constexpr (Properties::has_instance) {
      // On the device of the instance, and in order with its work.
      if constexpr (seam::allocates_on_devices<
                        memory, std::remove_reference_t<decltype(properties.instance.instance())>>)
        return memory::allocate_on(properties.instance.instance(), allocated, align);
    }
    return memory::allocate(allocated, align);
  };
  void* data_of_mirror = nullptr;
  if (properties.mirror.allocate != nullptr)
    data_of_mirror = properties.mirror.allocate(properties.mirror.source, allocated, align);
  const bool as_mirror = data_of_mirror != nullptr;
  seam::allocation_record* record = seam::make_record(
      as_mirror ? data_of_mirror : allocate(), allocated, align, properties.label, Mem::name(),
      as_mirror ? properties.mirror.deallocate : &memory::deallocate, "hpk::View", bytes == 0);
  seam::allocation_handle handle(record);
  if (!as_mirror) record->release_pages = seam::release_pages_of<Mem>();
  if constexpr (seam::names_allocations<memory>) memory::name(record->data, record->label);
  if constexpr (Properties::initialize) {
    auto* data = static_cast<T*>(record->data);
    // A constructor that may throw runs in order, so that a failure can destroy the earlier
    // elements. In memory that the host can't access it must not throw, even if it is not noexcept.
    constexpr bool sequential =
        Properties::sequential ||
        (seam::host_may_access<Mem> && !std::is_nothrow_default_constructible_v<T>);
    static_assert(!sequential || seam::host_may_access<Mem>,
                  "hpk::View: elements constructed on the host need host-accessible memory");
    const auto exec = [&] {
      if constexpr (Properties::has_instance) {
        return properties.instance;
      } else {
        return Exec();
      }
    }();
    using exec_type = std::remove_const_t<decltype(exec)>;
    static_assert(seam::kernel_may_access<exec_type, Mem>,
                  "hpk::View: the execution space of view_alloc can't access the memory space");
    const bool is_zero = is_zero_bits<T>();
    if (is_zero) {
      fill_with_zeros(exec, data, bytes, record->label);
    } else if constexpr (sequential) {
      construct_on_host(data, count);
    } else if constexpr (!Launches && std::is_trivially_copyable_v<T>) {
      fill_by_copies(exec.instance(), data, count, T());
    } else {
      run_for(RangePolicy<exec_type, IndexType<index_t>>(exec, index_t{0}, count),
              construct_element<T, Mem>{data},
              {.pattern = "View::initialization", .label = record->label, .where = {}});
    }
    if constexpr (!std::is_trivially_destructible_v<T>) {
      record->elements = count;
      record->destroy = &destroy_elements<T, Exec, Mem, sequential>;
    }
    if constexpr (Properties::has_instance) {
      keep_until_done(exec, handle);
    } else {
      detail::fence_machine(exec.instance(), is_zero ? "hpk::View::initialization via memset"
                                                     : "hpk::View::initialization");
    }
  } else if (const int unset = unset_byte(); unset >= 0) [[unlikely]] {
    // One or two bytes with the unset byte could be a valid value; only whole words are recognised
    // as unset.
    auto& machine = seam::machine<typename memory::home>::default_instance();
    machine.fill(record->data, sizeof(T) % 4 == 0 ? unset : 0, bytes);
    // Any instance may write it next.
    machine.fence();
  } else if constexpr (seam::poisons<memory, T>) {
    memory::poison(static_cast<T*>(record->data), count);
  }
  return handle;
}

}  // namespace hpk::detail
