// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile-time configuration of a lockstep kernel: the size or extents of its domain, the
// number of workers, and the number of indices in a pack.
#pragma once

#include <hpk/array.hpp>
#include <hpk/error.hpp>
#include <hpk/linear_index.hpp>
#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

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

/// The number of packs of `pack` indices in a domain.
HPK_FUNCTION constexpr std::uint32_t packs_of(std::uint32_t domain, std::uint32_t pack) {
  return domain / pack + (domain % pack != 0 ? 1 : 0);
}

}  // namespace hpk::detail

namespace hpk::lockstep {

/// A configuration of a lockstep kernel; carries no data. Extents: the extents of the domain, all
/// fixed, for example hpk::extents<std::uint32_t, 8, 8, 4>. Workers: the number of threads of a
/// team among which a device divides the domain; 0: the space chooses. The number is a hint: hosts
/// have one worker unless a launch requests more, and the results of a kernel must not depend on
/// it. Simd: the number of consecutive indices in a pack; one worker runs a whole pack.
template <class Extents, int Workers = 0, int Simd = 1>
struct config_nd {
  static_assert(detail::is_fixed_extents<Extents>,
                "hpk::lockstep: the extents of a domain are known when the kernel is compiled; "
                "write hpk::extents<std::uint32_t, 8, 8>");
  static_assert(Workers >= 0 && Workers <= 1024,
                "hpk::lockstep::config: a block has 1 to 1024 workers; write 0 to let the space "
                "choose their number");
  static_assert(Simd >= 1, "hpk::lockstep::config: a pack has at least one index");
  using extents_type = Extents;  ///< of the domain
  /// The number of indices of the domain.
  static constexpr std::uint32_t domain_size = detail::indices_of<Extents>();
  static constexpr int workers = Workers;  ///< 0: the space chooses
  static constexpr int simd_width = Simd;  ///< indices of a pack
  /// The largest number of packs of a worker if there are as many workers as requested; for one
  /// worker if Workers is 0.
  static constexpr std::uint32_t rounds =
      detail::packs_of(detail::packs_of(domain_size, static_cast<std::uint32_t>(Simd)),
                       Workers == 0 ? 1u : static_cast<std::uint32_t>(Workers));
};

/// As above, with a domain of one dimension. Domain 0: no block domain; every loop then names its
/// domain.
template <std::uint32_t Domain, int Workers = 0, int Simd = 1>
struct config : config_nd<hpk::extents<std::uint32_t, Domain>, Workers, Simd> {};

/// The configuration of a type that represents a block domain, such as a cell list or a frame of
/// particles. Specialise it for your types:
///   template <> struct hpk::lockstep::block_config<Frame> { using type = config<256>; };
template <class T>
struct block_config {};

/// Whether a type represents a block domain.
template <class T>
concept has_block_config = requires { typename block_config<T>::type::extents_type; };

/// Converts a linear index to the index in each dimension; the last dimension is the fastest.
/// Extents: fixed ones, as in config_nd. For run-time extents use hpk::delinearize.
///
/// \pre `linear` is below the product of the extents; otherwise the program ends if HPK_CHECKS is
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

/// The properties that loops over a domain and their variables share. Capacity: the largest number
/// of indices of a worker.
template <std::uint32_t Domain, std::uint32_t Simd, std::uint32_t Capacity>
struct lockstep_shape {
  static constexpr std::uint32_t domain = Domain;
  static constexpr std::uint32_t simd = Simd;
  static constexpr std::uint32_t packs = packs_of(Domain, Simd);
  static constexpr std::uint32_t capacity = Capacity;
};

/// The shape for at least `Least` workers. All: variables have a place for every index, as in an
/// array on hosts; without All only for the indices of one worker.
template <std::uint32_t Domain, std::uint32_t Simd, int Least, bool All>
using lockstep_shape_for = lockstep_shape<
    Domain, Simd,
    All ? Domain : packs_of(packs_of(Domain, Simd), static_cast<std::uint32_t>(Least)) * Simd>;

}  // namespace hpk::detail
