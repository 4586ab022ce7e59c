// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TemporaryMemory: memory that the kernels of one instance use temporarily, for algorithms. On GPUs
// it comes from memory that the instance reuses, because an allocation takes longer than many
// kernels.
#pragma once

#include <hpk/seam/memory.hpp>
#include <hpk/view/view.hpp>

#include <string_view>
#include <type_traits>

namespace hpk {

namespace detail {

/// Whether an instance lends its own memory: on devices, for trivially copyable elements, unless
/// kernels and Views use different addresses.
template <class Exec, class T>
inline constexpr bool lends_memory =
    !seam::machine<Exec>::runs_on_host && std::is_trivially_copyable_v<T> &&
    !seam::translates_addresses<seam::memory<typename Exec::memory_space>, T>;

/// Returns the number of bytes of n elements. Throws hpk::BadAlloc if it is not representable.
std::size_t bytes_of_temporary(std::string_view label, index_t n, std::size_t size);
/// Throws hpk::BadAlloc with the label, in place of an error without the label.
[[noreturn]] void reject_temporary(std::string_view label, std::size_t bytes, const char* what);

/// Memory lent by an instance.
template <class T, class Exec, bool Lent = lends_memory<Exec, T>>
class temporary_elements {
 public:
  using view_type =
      View<T*, Device<Exec, typename Exec::memory_space>, MemoryTraits<hpk::Unmanaged>>;
  temporary_elements(const Exec& exec, std::string_view label, index_t n)
      : exec_(exec), lent_(make(exec, label, n)), view_(static_cast<T*>(lent_.data()), n) {}
  const view_type& view() const { return view_; }

 private:
  using workspace = typename seam::machine<Exec>::workspace;
  static workspace make(const Exec& exec, std::string_view label, index_t n) {
    static_assert(alignof(T) <= 64, "hpk::TemporaryMemory: workspaces are aligned to 64 bytes");
    const std::size_t bytes = bytes_of_temporary(label, n, sizeof(T));
    try {
      return workspace(exec.instance(), bytes == 0 ? 1 : bytes);
    } catch (const BadAlloc& e) {
      reject_temporary(label, bytes, e.what());
    }
  }

  Exec exec_;  // declared first, so that the machine outlives the workspace
  workspace lent_;
  view_type view_;
};
/// Memory of a separate View.
template <class T, class Exec>
class temporary_elements<T, Exec, false> {
 public:
  using view_type = View<T*, Device<Exec, typename Exec::memory_space>>;
  temporary_elements(const Exec& exec, std::string_view label, index_t n)
      : view_(make(exec, label, n)) {}
  const view_type& view() const { return view_; }

 private:
  static view_type make(const Exec& exec, std::string_view label, index_t n) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      return view_type(view_alloc(exec, label, WithoutInitializing), n);
    } else {
      return view_type(view_alloc(exec, label), n);
    }
  }

  view_type view_;
};

}  // namespace detail

/// Memory for n elements that work of one instance uses temporarily: kernels, copies and fills that
/// are submitted to that instance while the object exists. The object may be destroyed before the
/// work has run, without a fence, because the next user of the memory comes later in the order of
/// the instance. Trivially copyable elements are not initialised; other elements are initialised
/// and destroyed.
///
/// On GPUs the memory belongs to the instance, which keeps up to 1 GiB for later objects and for
/// its launches, until the instance ends or the device has no memory left. Therefore a second
/// object of the same size costs no allocation. On other spaces the memory is a View.
///
/// Errors: hpk::BadAlloc that names the label. Threads: host code; several threads may have objects
/// on one instance.
template <class T, ExecutionSpace Exec>
class TemporaryMemory {
  static_assert(!std::is_const_v<T>, "hpk::TemporaryMemory: write a type without const");

 public:
  using value_type = T;          ///< the type of an element
  using execution_space = Exec;  ///< the space of the instance
  /// A View of rank 1, managed or Unmanaged.
  using view_type = typename detail::temporary_elements<T, Exec>::view_type;

  /// For n elements, with a label for errors and tools.
  TemporaryMemory(const Exec& exec, std::string_view label, index_t n)
      : elements_(exec, label, n) {}
  TemporaryMemory(const TemporaryMemory&) = delete;
  TemporaryMemory& operator=(const TemporaryMemory&) = delete;

  /// The elements, for kernels that capture the View. No work that is submitted after the end of
  /// the object may use them.
  const view_type& view() const { return elements_.view(); }
  /// The address of the elements, for libraries. Kernels must capture view(), from which some
  /// spaces detect the users of the memory.
  T* data() const { return view().data(); }

 private:
  detail::temporary_elements<T, Exec> elements_;
};

}  // namespace hpk
