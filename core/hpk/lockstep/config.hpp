// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a lockstep kernel when it is compiled: the size or extents of its domain, the
// number of workers, and the indices in a pack.
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/parallel/linear_index.hpp>
#include <hpk/view/extents.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail {

template <class Extents>
inline constexpr bool is_fixed_extents = false;
template <class I, std::size_t... Es>
inline constexpr bool is_fixed_extents<hpk::extents<I, Es...>> =
    ((Es != hpk::dynamic_extent) && ...);

/// The number of indices of fixed extents.
template <class Extents>
HPK_FUNCTION constexpr std::uint32_t indices_of() {
  std::uint32_t all = 1;
  for (std::size_t r = 0; r < Extents::rank(); ++r)
    all *= static_cast<std::uint32_t>(Extents::static_extent(r));
  return all;
}

/// Fixed extents as numbers.
template <class Extents>
HPK_FUNCTION constexpr hpk::Array<std::uint32_t, Extents::rank()> fixed_extents() {
  hpk::Array<std::uint32_t, Extents::rank()> all{};
  for (std::size_t r = 0; r < Extents::rank(); ++r)
    all[r] = static_cast<std::uint32_t>(Extents::static_extent(r));
  return all;
}

/// How many packs of so many indices a domain has.
HPK_FUNCTION constexpr std::uint32_t packs_of(std::uint32_t domain, std::uint32_t pack) {
  return domain / pack + (domain % pack != 0 ? 1 : 0);
}

}  // namespace hpk::detail

namespace hpk::lockstep {

/// A configuration of a lockstep kernel; never an object that holds anything. Extents: those of
/// the domain, all fixed: hpk::extents<std::uint32_t, 8, 8, 4>. Workers: how many threads of a team
/// divide the domain on a device; 0: the space chooses. It is a wish: hosts have one worker
/// unless a launch says otherwise, and what a kernel computes must not depend on it. Simd: indices
/// come in packs of so many consecutive ones, each pack by one worker.
template <class Extents, int Workers = 0, int Simd = 1>
struct config_nd {
  static_assert(detail::is_fixed_extents<Extents>,
                "hpk::lockstep: the extents of a domain are known when the kernel is compiled; "
                "write hpk::extents<std::uint32_t, 8, 8>");
  static_assert(Workers >= 0 && Workers <= 1024,
                "hpk::lockstep::config: a block has 1 to 1024 workers; write 0 to let the space "
                "choose their number");
  static_assert(Simd >= 1, "hpk::lockstep::config: a pack has at least one index");
  using extents_type = Extents;
  static constexpr std::uint32_t domain_size = detail::indices_of<Extents>();
  static constexpr int workers = Workers;
  static constexpr int simd_width = Simd;
  /// How many packs each worker takes at most where there are as many workers as wished for, or
  /// one.
  static constexpr std::uint32_t rounds =
      detail::packs_of(detail::packs_of(domain_size, static_cast<std::uint32_t>(Simd)),
                       Workers == 0 ? 1u : static_cast<std::uint32_t>(Workers));
};

/// The same with a domain of one dimension. Domain 0: none is known; every loop then names its own.
template <std::uint32_t Domain, int Workers = 0, int Simd = 1>
struct config : config_nd<hpk::extents<std::uint32_t, Domain>, Workers, Simd> {};

/// Specialised for types that stand for a block domain, such as a cell list or a frame of
/// particles:
///   template <> struct hpk::lockstep::block_config<Frame> { using type = config<256>; };
template <class T>
struct block_config {};

/// Whether a type stands for a block domain.
template <class T>
concept has_block_config = requires { typename block_config<T>::type::extents_type; };

/// The indices in each dimension that a linear index stands for; the last dimension is the fastest.
/// Extents: fixed ones, as of config_nd. hpk::delinearize is the same for extents that a program
/// computes.
///
/// \pre `linear` is below the product of the extents; if not, the program ends when HPK_CHECKS is
/// 1. Host and device.
template <class Extents>
HPK_FUNCTION constexpr hpk::Array<std::uint32_t, Extents::rank()> md_index(std::uint32_t linear) {
  static_assert(
      detail::is_fixed_extents<Extents>,
      "hpk::lockstep::md_index: the extents are fixed; write hpk::extents<std::uint32_t, 8, 8>");
  constexpr auto sizes = detail::fixed_extents<Extents>();
  return hpk::delinearize(linear, sizes);
}

}  // namespace hpk::lockstep

namespace hpk::detail {

template <class C>
inline constexpr bool is_lockstep_config = requires {
  typename C::extents_type;
  C::domain_size;
  C::workers;
  C::simd_width;
};

/// What all loops of a kernel over a domain have in common, and with it the variables that they
/// share. Capacity: the indices that a worker can have.
template <std::uint32_t Domain, std::uint32_t Simd, std::uint32_t Capacity>
struct lockstep_shape {
  static constexpr std::uint32_t domain = Domain;
  static constexpr std::uint32_t simd = Simd;
  static constexpr std::uint32_t packs = packs_of(Domain, Simd);
  static constexpr std::uint32_t capacity = Capacity;
};

/// That of a worker of at least so many: a place for each index where these lie in an array anyway,
/// else for those of a worker.
template <std::uint32_t Domain, std::uint32_t Simd, int Least, bool All>
using lockstep_shape_for = lockstep_shape<
    Domain, Simd,
    All ? Domain : packs_of(packs_of(Domain, Simd), static_cast<std::uint32_t>(Least)) * Simd>;

}  // namespace hpk::detail
