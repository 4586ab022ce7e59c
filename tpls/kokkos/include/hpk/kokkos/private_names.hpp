// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private names of Kokkos on which widely used programs rely, with the parts that these programs
// use. hpk itself does not define them.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/parallel.hpp>
#include <hpk/type_name.hpp>
#include <hpk/view.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

// Empty: the compilers that hpk supports do not print the warnings that these macros turn off.
#define KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_PUSH()
#define KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_POP()

namespace hpk::Impl {

/// The name of a type.
template <class T>
struct TypeInfo {
  static constexpr std::string_view name() { return hpk::type_name<T>(); }
};

/// The extents of a data type, as numbers.
template <class... DataType>
struct ParseViewExtents;
template <class DataType>
struct ParseViewExtents<DataType> {
  struct type {
    static constexpr std::size_t rank = hpk::View<DataType, HostSpace>::rank();
    static constexpr std::size_t rank_dynamic = hpk::View<DataType, HostSpace>::rank_dynamic();
    /// Returns a fixed extent, or 0 for a run-time extent.
    static constexpr std::size_t static_extent(std::size_t r) {
      const std::size_t extent = hpk::View<DataType, HostSpace>::static_extent(r);
      return extent == hpk::dynamic_extent ? 0 : extent;
    }
  };
};

/// Whether a subview with these arguments may have the layout Dst, as far as known at compile time.
template <class Dst, class Src, int RankDst, int RankSrc, int Current, class... Args>
struct SubviewLegalArgsCompileTime {
 private:
  template <class A>
  static constexpr bool is_index = std::is_integral_v<A>;
  template <class A>
  static constexpr bool is_whole = std::is_same_v<std::remove_cv_t<A>, ALL_t>;
  static constexpr bool find() {
    constexpr bool index[] = {is_index<Args>..., false};
    constexpr bool whole[] = {is_whole<Args>..., false};
    constexpr int count = static_cast<int>(sizeof...(Args));
    if (std::is_same_v<Dst, LayoutStride> || RankDst == 0) return true;
    if (!std::is_same_v<Dst, Src>) return false;
    // Whole dimensions, then a part of one, then indices; for LayoutRight from the other end. The
    // first dimension of LayoutLeft may be a part, because columns may have gaps between them.
    const bool left = std::is_same_v<Dst, LayoutLeft>;
    for (int k = 0; k < count; ++k) {
      const int a = left ? k : count - 1 - k;
      const bool padded = left && k == 0 && !index[a];
      if (k < RankDst - 1 && !whole[a] && !padded) return false;
      if (k == RankDst - 1 && index[a]) return false;
      if (k >= RankDst && !index[a]) return false;
    }
    return true;
  }

 public:
  static constexpr bool value = find();
};

/// The loop order that follows the memory of a layout: over tiles, and within a tile.
template <class Layout>
struct layout_iterate_type_selector {
  static_assert(std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight> ||
                    std::is_same_v<Layout, LayoutStride>,
                "Kokkos::Impl::layout_iterate_type_selector: write LayoutLeft, LayoutRight or "
                "LayoutStride");
  static constexpr Iterate outer_iteration_pattern =
      std::is_same_v<Layout, LayoutLeft>    ? Iterate::Left
      : std::is_same_v<Layout, LayoutRight> ? Iterate::Right
                                            : Iterate::Default;
  static constexpr Iterate inner_iteration_pattern = outer_iteration_pattern;
};

/// The host space in which a mirror of a space is.
template <class S>
struct HostMirror {
 private:
  using memory = typename S::memory_space;
  static constexpr bool keeps_memory = SpaceAccessibility<HostSpace, memory>::accessible;
  static constexpr bool keeps_all =
      keeps_memory && SpaceAccessibility<typename S::execution_space, HostSpace>::accessible;

 public:
  using Space = std::conditional_t<
      keeps_all, S,
      std::conditional_t<keeps_memory, Device<DefaultHostExecutionSpace, memory>, HostSpace>>;
};

/// Returns the ticks of a monotonic clock.
std::uint64_t clock_tic() noexcept;

/// Copies bytes between spaces; without an instance it waits for the copy.
template <class Dst, class Src, class Exec = typename Dst::execution_space>
struct DeepCopy {
  DeepCopy(void* to, const void* from, std::size_t bytes) {
    hpk::deep_copy(bytes_of<Dst, char>(to, bytes), bytes_of<Src, const char>(from, bytes));
  }
  DeepCopy(const Exec& exec, void* to, const void* from, std::size_t bytes) {
    hpk::deep_copy(exec, bytes_of<Dst, char>(to, bytes), bytes_of<Src, const char>(from, bytes));
  }

 private:
  template <class S, class Byte, class Pointer>
  static auto bytes_of(Pointer pointer, std::size_t bytes) {
    return View<Byte*, Device<typename S::execution_space, typename S::memory_space>,
                MemoryUnmanaged>(static_cast<Byte*>(pointer), bytes);
  }
};

}  // namespace hpk::Impl
