// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a View travels: from and to its own memory where that is in one piece and MPI can reach it,
// else by a packed copy. Elements are in the order of the Views' layout, so both sides must have
// the same one.
#pragma once

#include <hpk/mpi/call.hpp>
#include <hpk/mpi/datatype.hpp>

#include <hpk/core.hpp>
#include <hpk/type_name.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::mpi {

/// What arrived.
struct Status {
  int source = no_rank;
  int tag = any_tag;
  index_t count = 0;  ///< number of elements
};

}  // namespace hpk::mpi

namespace hpk::mpi::detail {

/// Whether MPI reads and writes memory of this space itself.
template <class Mem>
inline constexpr bool is_reached_by_mpi = SpaceAccessibility<HostSpace, Mem>::accessible;

/// The order of the elements of a message.
enum class element_order : std::int32_t { left, right };

/// The order in which the elements of a View lie in memory; of those that have neither, right.
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

/// The order as a part of an agreement; nothing where there is only one.
template <class V>
const char* name_of_order(const V& view) {
  if constexpr (V::rank() < 2) {
    return "";
  } else {
    return order_of(view) == element_order::left ? "LayoutLeft" : "LayoutRight";
  }
}
/// Whether two Views have memory in common, as far as addresses tell.
template <class V, class W>
bool overlap(const V& a, const W& b) {
  if constexpr (std::is_same_v<typename V::memory_space, typename W::memory_space>) {
    const auto begin_of_a = reinterpret_cast<std::uintptr_t>(a.data());
    const auto begin_of_b = reinterpret_cast<std::uintptr_t>(b.data());
    return begin_of_a < begin_of_b + b.span() * sizeof(typename W::value_type) &&
           begin_of_b < begin_of_a + a.span() * sizeof(typename V::value_type);
  } else {
    return false;
  }
}

/// Whether the elements lie one behind the other in their order.
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

/// What travels before the elements in communicators that check messages.
struct message_header {
  std::int64_t count;
  element_order order;
  std::uint32_t magic;
  std::uint64_t hash_of_type;
  std::int64_t bytes;  // of all elements
  char type[48];
  char label[48];
};
static_assert(sizeof(message_header) == 128);
message_header make_header(index_t count, index_t bytes, element_order order, std::string_view type,
                           std::string_view label);
/// Throws if fewer elements arrived than the View has; returns how many.
index_t expect_all_elements(const Communicator& comm, const call& what, const MPI_Status& status,
                            MPI_Datatype type);
index_t received_bytes(const MPI_Status& status);
/// The facts of a message of elements of so many bytes.
Status status_of(const Communicator& comm, const MPI_Status& status, std::size_t element_bytes);
/// Throws if a received header does not fit: another type, order, or number of elements.
void expect_fitting_header(const Communicator& comm, const call& what,
                           const message_header& received, const message_header& expected,
                           index_t bytes);

/// The memory of packed copies: pinned, if devices use the View.
template <class Mem>
struct staging {
  using space = HostSpace;
};
template <class Mem>
  requires(!SpaceAccessibility<HostSpace, Mem>::accessible && has_shared_host_pinned_space &&
           std::is_same_v<typename Mem::execution_space, DefaultExecutionSpace>)
struct staging<Mem> {
  using space = SharedHostPinnedSpace;
};

/// A View on its way: the memory that MPI reads or writes.
template <class V>
class parcel {
  using memory = typename V::memory_space;
  using value = typename V::non_const_value_type;
  using bytes_view = View<std::byte*, typename staging<memory>::space>;

 public:
  /// Not filled. Without a header in collectives, whose calls were compared before.
  parcel(const Communicator& comm, const V& view)
      : parcel(view, comm.checks_messages() ? sizeof(message_header) : 0) {}
  explicit parcel(const V& view, std::size_t header_bytes = 0)
      : view_(view), header_bytes_(header_bytes) {
    if (header_bytes == 0 && is_reached_by_mpi<memory> && is_packed(view)) return;
    staged_ = bytes_view(view_alloc(WithoutInitializing, "hpk::mpi: packed copy"),
                         header_bytes + view.size() * sizeof(value));
  }

  const V& view() const { return view_; }
  bool is_staged() const { return staged_.data() != nullptr; }
  void* data() const {
    return is_staged() ? static_cast<void*>(staged_.data())
                       : const_cast<void*>(static_cast<const void*>(view_.data()));
  }
  /// What MPI is to move: bytes with a header, else elements.
  elements_of elements() const {
    if (header_bytes_ != 0) return elements_of(MPI_BYTE, static_cast<index_t>(staged_.extent(0)));
    return elements_of(datatype<value>(), static_cast<index_t>(view_.size()));
  }

  /// Fills it with the elements, in the order of the instance, and waits for that.
  template <class Exec>
  void pack(const Exec& exec) const {
    pack_async(exec);
    exec.fence("hpk::mpi: the elements of a message are there");
  }
  /// The same without waiting, so that one fence serves several parcels: the caller fences the
  /// instance before MPI reads. May be called again and again, after MPI is done with what was
  /// packed before; allocates nothing where the instance reaches the packed copy.
  template <class Exec>
  void pack_async(const Exec& exec) const {
    if (!is_staged()) return;
    if (header_bytes_ != 0) *header() = own_header();
    copy_with([&](const auto& packed) { deep_copy(exec, packed, view_); });
  }
  /// Copies what arrived to the View, in the order of the instance, and waits for that: the packed
  /// copy ends with this object.
  template <class Exec>
  void unpack(const Exec& exec) const {
    if (!is_staged()) return;
    unpack_async(exec);
    exec.fence("hpk::mpi: the elements of a message are there");
  }
  /// The same without waiting: the caller fences the instance before MPI writes here again and
  /// before this object ends.
  template <class Exec>
  void unpack_async(const Exec& exec) const {
    if (!is_staged()) return;
    copy_with([&](const auto& packed) { deep_copy(exec, view_, packed); });
  }
  /// Throws if what arrived is not what the View takes; returns the number of elements.
  index_t expect_fits(const Communicator& comm, const call& what, const MPI_Status& status) const {
    if (status.MPI_SOURCE == no_rank) return 0;
    if (header_bytes_ != 0) {
      expect_fitting_header(comm, what, *header(), own_header(), received_bytes(status));
      return what.count;
    }
    return expect_all_elements(comm, what, status, datatype<value>());
  }
  /// Whether the View still has the elements that were packed; true if they are not kept.
  template <class Exec>
  bool is_unchanged(const Exec& exec) const {
    if (header_bytes_ == 0) return true;
    parcel now(view_, header_bytes_);
    now.pack(exec);
    return std::memcmp(elements_begin(), now.elements_begin(), view_.size() * sizeof(value)) == 0;
  }

 private:
  message_header* header() const { return reinterpret_cast<message_header*>(staged_.data()); }
  message_header own_header() const {
    return make_header(static_cast<index_t>(view_.size()),
                       static_cast<index_t>(view_.size() * sizeof(value)), order_of(view_),
                       type_name<value>(), view_.label());
  }
  std::byte* elements_begin() const { return staged_.data() + header_bytes_; }
  // The elements of the packed copy, as a View of the same extents.
  template <class Layout>
  auto packed_view() const {
    using packed = View<typename V::non_const_data_type, Layout, typename bytes_view::memory_space,
                        MemoryTraits<Unmanaged>>;
    Layout extents;
    for (std::size_t r = 0; r < V::rank(); ++r) extents.dimension[r] = view_.extent(r);
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

  V view_;
  std::size_t header_bytes_;
  bytes_view staged_;
};

}  // namespace hpk::mpi::detail
