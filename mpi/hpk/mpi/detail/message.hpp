// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a View is sent and received: directly from its own memory if MPI can reach it and it is
// contiguous, or if a datatype of its strides is faster than packing; else through a packed copy.
// Elements travel in the order of the View's layout, so sender and receiver must use the same
// layout.
#pragma once

#include <hpk/mpi/detail/call.hpp>
#include <hpk/mpi/detail/datatype.hpp>

#include <hpk/core.hpp>
#include <hpk/type_name.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::mpi::detail {

/// Whether MPI can access memory of this space without being GPU-aware.
template <class Mem>
inline constexpr bool is_reached_by_mpi = SpaceAccessibility<HostSpace, Mem>::accessible;

/// Returns whether MPI accepts addresses of this space: host memory, or device memory that it is
/// aware of.
template <class Mem>
bool is_taken_by_mpi(const Communicator& comm) {
  return is_reached_by_mpi<Mem> || comm.is_gpu_aware(gpu_vendor_v<Mem>);
}

/// The order of the elements of a message.
enum class element_order : std::int32_t { left, right };

/// Returns the order of a View's elements in memory; `right` for layouts that have neither order.
template <class V>
element_order order_of(const V& view) {
  if constexpr (V::rank() < 2) {
    return element_order::right;
  } else if constexpr (std::is_same_v<typename V::array_layout, LayoutLeft>) {
    return element_order::left;
  } else if constexpr (std::is_same_v<typename V::array_layout, LayoutStride>) {
    return view.stride(0) < view.stride(V::rank() - 1) ? element_order::left : element_order::right;
  } else {
    return element_order::right;
  }
}

/// Returns the order for an agreement; empty for Views of rank below 2.
template <class V>
const char* name_of_order(const V& view) {
  if constexpr (V::rank() < 2) {
    return "";
  } else {
    return order_of(view) == element_order::left ? "LayoutLeft" : "LayoutRight";
  }
}
/// Extents and strides of a View, in elements.
struct strided_extents {
  int rank = 0;
  index_t extents[max_rank] = {};
  index_t strides[max_rank] = {};
};
template <class V>
strided_extents strided_extents_of(const V& view) {
  strided_extents result{.rank = static_cast<int>(V::rank())};
  for (int r = 0; r < result.rank; ++r) {
    const auto k = static_cast<std::size_t>(r);
    result.extents[r] = static_cast<index_t>(view.extent(k));
    result.strides[r] = static_cast<index_t>(view.stride(k));
  }
  return result;
}
/// Returns whether `a` and `b` have an element in common. The first element of `b` is `distance`
/// elements after the first element of `a`.
bool share_elements(const strided_extents& a, const strided_extents& b, index_t distance);

/// Whether a View's layout is described by strides.
template <class V>
inline constexpr bool has_strides = std::is_same_v<typename V::array_layout, LayoutLeft> ||
                                    std::is_same_v<typename V::array_layout, LayoutRight> ||
                                    std::is_same_v<typename V::array_layout, LayoutStride>;

/// Returns whether two Views have an element in common: for example, different columns of a matrix
/// have none. For layouts without strides it returns whether the spans of memory overlap.
template <class V, class W>
bool overlap(const V& a, const W& b) {
  if constexpr (std::is_same_v<typename V::memory_space, typename W::memory_space>) {
    if (a.size() == 0 || b.size() == 0) return false;
    constexpr std::size_t bytes = sizeof(typename V::value_type);
    const auto begin_of_a = reinterpret_cast<std::uintptr_t>(a.data());
    const auto begin_of_b = reinterpret_cast<std::uintptr_t>(b.data());
    if (begin_of_a >= begin_of_b + b.span() * sizeof(typename W::value_type) ||
        begin_of_b >= begin_of_a + a.span() * bytes)
      return false;
    if constexpr (has_strides<V> && has_strides<W> && sizeof(typename W::value_type) == bytes) {
      const auto distance = static_cast<index_t>(begin_of_b) - static_cast<index_t>(begin_of_a);
      constexpr auto size = static_cast<index_t>(bytes);
      return distance % size != 0 ||
             share_elements(strided_extents_of(a), strided_extents_of(b), distance / size);
    } else {
      return true;
    }
  } else {
    return false;
  }
}

/// Returns whether the elements are contiguous in their order.
template <class V>
bool is_packed(const V& view) {
  using layout = typename V::array_layout;
  if constexpr (std::is_same_v<layout, LayoutLeft> || std::is_same_v<layout, LayoutRight>) {
    return view.span_is_contiguous();
  } else if constexpr (std::is_same_v<layout, LayoutStride>) {
    constexpr int rank = static_cast<int>(V::rank());
    const bool left = order_of(view) == element_order::left;
    index_t expected = 1;
    for (int k = 0; k < rank; ++k) {
      const int r = left ? k : rank - 1 - k;
      if (view.extent(r) != 1 && static_cast<index_t>(view.stride(r)) != expected) return false;
      expected *= static_cast<index_t>(view.extent(r));
    }
    return true;
  } else {
    return false;
  }
}

/// The header before the elements of a message, in communicators that check messages.
struct message_header {
  std::int64_t count;
  element_order order;
  std::uint32_t magic;
  std::uint64_t hash_of_type;
  std::int64_t bytes;  // size of all elements
  char type[48];
  char label[48];
};
static_assert(sizeof(message_header) == 128);
message_header make_header(index_t count, index_t bytes, element_order order, std::string_view type,
                           std::string_view label);
/// Throws hpk::error if fewer elements arrived than the View has; returns the number of elements.
index_t expect_all_elements(const Communicator& comm, const call& what, const MPI_Status& status,
                            MPI_Datatype type);
index_t received_bytes(const MPI_Status& status);
/// Returns the facts of a message whose elements have `element_bytes` bytes.
Status status_of(const Communicator& comm, const MPI_Status& status, std::size_t element_bytes);
/// Throws hpk::error if a received header does not fit: another type, order, or number of elements.
void expect_fitting_header(const Communicator& comm, const call& what,
                           const message_header& received, const message_header& expected,
                           index_t bytes);

/// The size in bytes from which copies are launched as kernels, or left to MPI.
inline constexpr index_t least_launched_bytes = 2048;
/// Returns whether a View with gaps in host memory is sent by an MPI datatype, which packs and
/// unpacks pieces while others travel. This is faster if there is enough to pack and only one
/// worker would pack it. docs/mpi.md has measurements.
bool prefers_datatype(index_t bytes, int workers);

/// Returns the datatype of the elements of a View in their order; null if packing them is better.
template <class V>
strided_datatype datatype_of(const V& view) {
  if constexpr (has_strides<V> && V::rank() != 0) {
    using value = typename V::non_const_value_type;
    // The instance is not known here, so the execution space of the memory is assumed.
    if (!prefers_datatype(static_cast<index_t>(view.size() * sizeof(value)),
                          typename V::memory_space::execution_space().concurrency()))
      return nullptr;
    strided_elements key{.element = datatype<value>(), .element_bytes = sizeof(value)};
    key.rank = static_cast<int>(V::rank());
    for (int k = 0; k < key.rank; ++k) {
      const auto r =
          static_cast<std::size_t>(order_of(view) == element_order::left ? k : key.rank - 1 - k);
      key.extents[k] = static_cast<index_t>(view.extent(r));
      key.strides[k] = static_cast<index_t>(view.stride(r));
    }
    return find_datatype(key);
  } else {
    return nullptr;
  }
}

/// Memory of packed copies that devices access, with an alignment of at least Align.
template <class Space, std::size_t Align>
class packed_bytes {
 public:
  packed_bytes() = default;
  explicit packed_bytes(std::size_t n)
      : bytes_(view_alloc(WithoutInitializing, "hpk::mpi: packed copy"), n) {}
  std::byte* data() const { return bytes_.data(); }

 private:
  View<std::byte*, Space> bytes_;
};
/// Memory of packed copies in host memory. Not a View, because making one takes longer than sending
/// a small message.
template <std::size_t Align>
class packed_bytes<HostSpace, Align> {
 public:
  packed_bytes() = default;
  explicit packed_bytes(std::size_t n) : units_(new unit[(n + sizeof(unit) - 1) / sizeof(unit)]) {}
  std::byte* data() const { return reinterpret_cast<std::byte*>(units_.get()); }

 private:
  // Has no constructor, so that `new` leaves the memory uninitialized.
  struct alignas(Align) unit {
    std::byte bytes[Align];
  };
  std::unique_ptr<unit[]> units_;
};

/// The memory space of packed copies: pinned if a device owns the View.
template <class Mem>
struct staging {
  using space = HostSpace;
};
template <class Mem>
  requires(!SpaceAccessibility<HostSpace, Mem>::accessible &&
           requires { typename Mem::execution_space::pinned_memory_space; })
struct staging<Mem> {
  using space = typename Mem::execution_space::pinned_memory_space;
};

/// Selects the constructors for a part of a collective.
struct in_collective {};

/// The memory that MPI reads or writes for one View: the View's own, or a packed copy.
///
/// \tparam Held V; or const V&, if the View outlives this object
template <class V, class Held = V>
class message_buffer {
  using memory = typename V::memory_space;
  using value = typename V::non_const_value_type;
  using staging_space = typename staging<memory>::space;
  using staged_bytes =
      packed_bytes<staging_space, std::max(alignof(value), alignof(message_header))>;

 public:
  /// Prepares a message, with a header in communicators that check messages. Does not pack.
  message_buffer(const Communicator& comm, const V& view)
      : message_buffer(view, comm.checks_messages() ? sizeof(message_header) : 0, true,
                       is_taken_by_mpi<memory>(comm)) {}
  /// Prepares a part of a collective: contiguous elements without a header, because the calls have
  /// been compared.
  message_buffer(const Communicator& comm, const V& view, in_collective)
      : message_buffer(view, 0, false, is_taken_by_mpi<memory>(comm)) {}
  /// The same in host memory, for collectives in which MPI calls functions of hpk on the elements.
  message_buffer(const V& view, in_collective)
      : message_buffer(view, 0, false, is_reached_by_mpi<memory>) {}

  const V& view() const { return view_; }
  bool is_staged() const { return staged_.data() != nullptr; }
  void* data() const {
    return is_staged() ? static_cast<void*>(staged_.data())
                       : const_cast<void*>(static_cast<const void*>(view_.data()));
  }
  /// Returns the elements for MPI: bytes if there is a header. Valid while this object lives.
  elements_of elements() const { return elements_of(elements_, elements_of::borrow()); }

  /// Packs the elements after the work of the instance, and waits for it.
  template <class Exec>
  void pack(const Exec& exec) const {
    const bool by_caller = is_copied_by_caller();
    if (!by_caller) pack_async(exec);
    exec.fence("hpk::mpi: before a message is sent");
    if (by_caller) pack_here();
  }
  /// Packs the elements without waiting, so that one fence serves several buffers: the caller
  /// fences the instance before MPI reads. May be called again once MPI is done with the earlier
  /// elements. Allocates nothing if the instance can access the packed copy.
  template <class Exec>
  void pack_async(const Exec& exec) const {
    if (!is_staged()) return;
    if (header_bytes_ != 0) *header() = own_header();
    copy_with([&](const auto& packed) { deep_copy(exec, packed, view_); });
  }
  /// Copies the elements that arrived to the View, after the work of the instance, and waits for
  /// it, because this object owns the packed copy.
  template <class Exec>
  void unpack(const Exec& exec) const {
    if (!is_staged()) return;
    if (is_copied_by_caller()) {
      unpack_here();
      return;
    }
    unpack_async(exec);
    exec.fence("hpk::mpi: the elements of a message are unpacked");
  }
  /// Copies the elements that arrived to the View without waiting: the caller fences the instance
  /// before MPI writes here again and before this object ends.
  template <class Exec>
  void unpack_async(const Exec& exec) const {
    if (!is_staged()) return;
    copy_with([&](const auto& packed) { deep_copy(exec, view_, packed); });
  }
  /// Throws hpk::error if the message that arrived does not fit the View; returns the number of
  /// elements.
  index_t expect_fits(const Communicator& comm, const call& what, const MPI_Status& status) const {
    if (status.MPI_SOURCE == no_rank) return 0;
    if (header_bytes_ != 0) {
      expect_fitting_header(comm, what, *header(), own_header(), received_bytes(status));
      return what.count;
    }
    return expect_all_elements(comm, what, status, datatype<value>());
  }
  /// Returns whether the View still has the packed elements; true if there is no header to check
  /// against.
  template <class Exec>
  bool is_unchanged(const Exec& exec) const {
    if (header_bytes_ == 0) return true;
    message_buffer now(view_, header_bytes_, false, false);
    now.pack(exec);
    return std::memcmp(elements_begin(), now.elements_begin(), view_.size() * sizeof(value)) == 0;
  }

 private:
  message_buffer(const V& view, std::size_t header_bytes, bool may_be_strided, bool is_taken)
      : view_(view),
        header_bytes_(header_bytes),
        staged_(stage(header_bytes, may_be_strided, is_taken)),
        elements_(header_bytes != 0     ? elements_of(MPI_BYTE, bytes())
                  : strided_ != nullptr ? elements_of(*strided_, 1)
                                        : elements_of(datatype<value>(), size())) {}
  index_t size() const { return static_cast<index_t>(view_.size()); }
  index_t bytes() const {
    return static_cast<index_t>(header_bytes_ + view_.size() * sizeof(value));
  }
  // Returns memory for a packed copy; none if the View's memory serves.
  staged_bytes stage(std::size_t header_bytes, bool may_be_strided, bool is_taken) {
    if (header_bytes == 0 && is_taken && is_packed(view_)) return {};
    if constexpr (is_reached_by_mpi<memory>) {
      if (header_bytes == 0 && may_be_strided) strided_ = datatype_of(view_);
      if (strided_ != nullptr) return {};
    }
    return staged_bytes(static_cast<std::size_t>(bytes()));
  }
  // Returns whether the calling thread copies the elements, because a launch would take longer.
  bool is_copied_by_caller() const {
    return is_reached_by_mpi<memory> && is_staged() && bytes() < least_launched_bytes;
  }
  void pack_here() const {
    if constexpr (is_reached_by_mpi<memory>) {
      if (header_bytes_ != 0) *header() = own_header();
      copy_with([&](const auto& packed) { local_deep_copy(packed, view_); });
    }
  }
  void unpack_here() const {
    if constexpr (is_reached_by_mpi<memory> && !std::is_const_v<typename V::value_type>)
      copy_with([&](const auto& packed) { local_deep_copy(view_, packed); });
  }
  message_header* header() const { return reinterpret_cast<message_header*>(staged_.data()); }
  message_header own_header() const {
    return make_header(size(), static_cast<index_t>(view_.size() * sizeof(value)), order_of(view_),
                       type_name<value>(), view_.label());
  }
  std::byte* elements_begin() const { return staged_.data() + header_bytes_; }
  // Returns the elements of the packed copy as a View of the same extents.
  template <class Layout>
  auto packed_view() const {
    using packed =
        View<typename V::non_const_data_type, Layout, staging_space, MemoryTraits<Unmanaged>>;
    Layout extents;
    for (std::size_t r = 0; r != V::rank(); ++r) extents.dimension[r] = view_.extent(r);
    return packed(reinterpret_cast<value*>(elements_begin()), extents);
  }
  template <class Copy>
  void copy_with(const Copy& copy) const {
    if (order_of(view_) == element_order::left) {
      copy(packed_view<LayoutLeft>());
    } else {
      copy(packed_view<LayoutRight>());
    }
  }

  Held view_;
  std::size_t header_bytes_;
  strided_datatype strided_;
  staged_bytes staged_;
  elements_of elements_;
};

}  // namespace hpk::mpi::detail
