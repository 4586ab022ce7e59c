// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// idx and pack: the argument of a loop's functor, one index or several consecutive ones, with the
// position of their context variables.
#pragma once

#include <hpk/lockstep/config.hpp>

namespace hpk::detail {
struct lockstep_access;
}

namespace hpk::lockstep {

/// An index of the domain of a loop; converts to the linear index, 0 to domain size - 1. Only loops
/// create idx objects, and each is valid only during the call that receives it.
class idx {
 public:
  /// The linear index, 0 to domain size - 1.
  HPK_FUNCTION constexpr operator std::uint32_t() const noexcept { return index_; }
  /// The linear index, 0 to domain size - 1, by name.
  HPK_FUNCTION constexpr std::uint32_t linear() const noexcept { return index_; }

 private:
  friend struct hpk::detail::lockstep_access;
  HPK_FUNCTION constexpr idx(std::uint32_t index, std::uint32_t slot, std::uint32_t domain,
                             std::uint32_t simd, int worker, const std::uint32_t* current) noexcept
      : index_(index),
        slot_(slot),
        domain_(domain),
        simd_(simd),
        worker_(worker),
        current_(current) {}
  // The members after slot_ serve the checks; without checks compilers remove them.
  std::uint32_t index_;
  std::uint32_t slot_;
  std::uint32_t domain_;
  std::uint32_t simd_;
  int worker_;
  const std::uint32_t* current_;
};

/// Consecutive indices: a pack of the configuration, or fewer at the end of the domain.
class pack {
 public:
  /// The first index.
  HPK_FUNCTION constexpr std::uint32_t first() const noexcept { return index_; }
  /// The number of indices, at least 1.
  HPK_FUNCTION constexpr std::uint32_t size() const noexcept { return size_; }

 private:
  friend struct hpk::detail::lockstep_access;
  HPK_FUNCTION constexpr pack(std::uint32_t index, std::uint32_t size) noexcept
      : index_(index), size_(size) {}
  std::uint32_t index_;
  std::uint32_t size_;
};

}  // namespace hpk::lockstep

namespace hpk::detail {

/// Gives loops and variables access to private members.
struct lockstep_access {
  template <class Shape>
  HPK_FORCEINLINE_FUNCTION static constexpr lockstep::idx make_idx(
      std::uint32_t index, std::uint32_t slot, int worker, const std::uint32_t* current) noexcept {
    return {index, slot, Shape::domain, Shape::simd, worker, current};
  }
  HPK_FORCEINLINE_FUNCTION static constexpr lockstep::pack make_pack(std::uint32_t index,
                                                                     std::uint32_t size) noexcept {
    return {index, size};
  }
  HPK_FORCEINLINE_FUNCTION static constexpr std::uint32_t slot(const lockstep::idx& i) noexcept {
    return i.slot_;
  }
  HPK_FORCEINLINE_FUNCTION static constexpr std::uint32_t domain(const lockstep::idx& i) noexcept {
    return i.domain_;
  }
  HPK_FORCEINLINE_FUNCTION static constexpr std::uint32_t simd(const lockstep::idx& i) noexcept {
    return i.simd_;
  }
  HPK_FORCEINLINE_FUNCTION static constexpr int worker(const lockstep::idx& i) noexcept {
    return i.worker_;
  }
  /// The place where the worker stores the index it runs, in checked builds.
  HPK_FORCEINLINE_FUNCTION static constexpr const std::uint32_t* current(
      const lockstep::idx& i) noexcept {
    return i.current_;
  }
};

}  // namespace hpk::detail
