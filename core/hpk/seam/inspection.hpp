// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the library finds the Views that a kernel captures: it copies the kernel while this thread
// inspects, and the copy constructor of each View describes the View to the inspection. A launch
// chooses its loop order in this way, and recorders find what a kernel may write.
#pragma once

#include <hpk/base/element_type.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/launch.hpp>

#include <cstddef>
#include <string_view>

namespace hpk::seam {

struct allocation_record;

/// The properties that all Views of one type share. Objects are constants with static storage.
struct view_type {
  const detail::element_type& element;
  std::string_view space;  ///< name of the memory space
  bool is_const;
  bool on_host;  ///< whether host threads can access the memory
  /// Copies bytes between this memory and host memory, and waits. Null if on_host, and for memory
  /// of unknown accessibility.
  void (*copy)(void* to, const void* from, std::size_t bytes);
  /// Allocate and deallocate memory of the space; null for memory of unknown accessibility.
  void* (*allocate)(std::size_t bytes, std::size_t align);
  void (*deallocate)(void* data, std::size_t bytes, std::size_t align) noexcept;
};

/// The largest rank of a View.
inline constexpr int largest_rank = 8;

/// Description of a View without its type.
struct view_facts {
  const view_type* type;
  const void* data;
  const allocation_record* record;  ///< null for memory that hpk does not own
  const void* word;                 ///< the address as stored in the last word of the View object
  std::size_t object_bytes;         ///< size of the View object; 0 if this does not describe a View
  int rank;
  bool is_strided;  ///< false for a user-defined layout without strides
  index_t span;     ///< elements from the first to one past the last in memory, gaps included
  index_t extents[largest_rank];
  index_t strides[largest_rank];
};

class loop_order_votes;

/// Receives the Views that this thread copies.
class inspection {
 public:
  /// Called by the copy constructor of a View, unless votes() is set.
  virtual void see(const view_facts& view) noexcept = 0;
  /// Receives the votes of Views for a loop order. If not null, Views vote instead of calling
  /// see().
  loop_order_votes* votes() const noexcept { return votes_; }

 protected:
  explicit inspection(loop_order_votes* votes = nullptr) noexcept : votes_(votes) {}
  ~inspection() = default;

 private:
  loop_order_votes* const votes_;
};

/// The inspection of this thread, or null.
extern HPK_EXPORT constinit thread_local inspection* current_inspection;

/// Whether this thread copies a kernel to inspect it. Call outside of kernels only.
inline bool inspecting() noexcept { return load_of_thread(current_inspection) != nullptr; }

/// Makes the Views that this thread copies describe themselves, for the lifetime of the object. The
/// copies are not reference-counted and must not outlive it.
class inspection_scope {
 public:
  explicit inspection_scope(inspection& by) noexcept : outer_(load_of_thread(current_inspection)) {
    store_of_thread(current_inspection, &by);
  }
  ~inspection_scope() { store_of_thread(current_inspection, outer_); }
  inspection_scope(const inspection_scope&) = delete;
  inspection_scope& operator=(const inspection_scope&) = delete;

 private:
  outside_kernel_scope outside_;
  inspection* outer_;
};

/// Counts how many Views favour each loop order: innermost over the first index, or over the last.
/// Does not measure time, so the same kernel over Views of the same layouts always gets the same
/// order.
class loop_order_votes final : public inspection {
 public:
  loop_order_votes() noexcept : inspection(this) {}
  void see(const view_facts&) noexcept override {}
  /// Casts the vote of a mapping. Of the first and the last dimension with an extent above 1, the
  /// vote goes to the one with the smaller stride. Mappings without strides do not vote.
  template <class Mapping>
  void count([[maybe_unused]] const Mapping& mapping) noexcept {
    if constexpr (Mapping::rank >= 2 && requires { mapping.stride(0); }) {
      int begin = 0;
      int end = Mapping::rank - 1;
      while (begin < end && mapping.extent(begin) <= 1) ++begin;
      while (end > begin && mapping.extent(end) <= 1) --end;
      if (mapping.stride(begin) < mapping.stride(end)) ++first;
      if (mapping.stride(end) < mapping.stride(begin)) ++last;
    }
  }

  int first = 0;
  int last = 0;
};

}  // namespace hpk::seam
