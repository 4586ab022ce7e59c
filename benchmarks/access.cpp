// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element access, compared with pointers: a loop nest over Views of rank 1 to 4, with the policy
// over the slowest dimension; layouts Left and Right, run-time and fixed extents. In the pairs
// called `restrict` both sides declare that the memory does not overlap; in the other pairs neither
// does. Also a row that the kernel cuts out of a View, compared with a pointer to it.
#include "pair.hpp"
#include "topics.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace bench {

namespace {

// The extents of each rank: 64 Ki elements, which stay in the second-level cache.
template <int Rank>
struct box;
template <>
struct box<1> {
  static constexpr index_t n[] = {65536};
  template <bool Fixed>
  using data = std::conditional_t<Fixed, double[65536], double*>;
};
template <>
struct box<2> {
  static constexpr index_t n[] = {256, 256};
  template <bool Fixed>
  using data = std::conditional_t<Fixed, double[256][256], double**>;
};
template <>
struct box<3> {
  static constexpr index_t n[] = {64, 16, 64};
  template <bool Fixed>
  using data = std::conditional_t<Fixed, double[64][16][64], double***>;
};
template <>
struct box<4> {
  static constexpr index_t n[] = {16, 16, 8, 32};
  template <bool Fixed>
  using data = std::conditional_t<Fixed, double[16][16][8][32], double****>;
};
constexpr index_t elements = 65536;

template <int Rank, bool Fixed, class Layout, bool Alone>
using view = hpk::View<typename box<Rank>::template data<Fixed>, Layout, hpk::HostSpace,
                       hpk::MemoryTraits<hpk::Unmanaged | (Alone ? unsigned{hpk::Restrict} : 0)>>;
template <bool Alone>
using target = std::conditional_t<Alone, double * HPK_RESTRICT, double*>;

// The loop nest for one index s of the slowest dimension: the first of LayoutRight, the last of
// LayoutLeft.
template <int Rank, bool Fixed, class Layout, bool Alone>
struct nest {
  view<Rank, Fixed, Layout, Alone> to;
  view<Rank, Fixed, Layout, Alone> from;
  template <class... Is>
  void at(Is... is) const {
    to(is...) = 2 * from(is...) + 1;
  }
  void operator()(index_t s) const {
    constexpr bool right = std::is_same_v<Layout, hpk::LayoutRight>;
    const auto n = [this](std::size_t r) { return static_cast<index_t>(to.extent(r)); };
    if constexpr (Rank == 1) {
      at(s);
    } else if constexpr (Rank == 2) {
      for (index_t j = 0; j < n(right ? 1 : 0); ++j) right ? at(s, j) : at(j, s);
    } else if constexpr (Rank == 3) {
      for (index_t j = 0; j < n(1); ++j)
        for (index_t k = 0; k < n(right ? 2 : 0); ++k) right ? at(s, j, k) : at(k, j, s);
    } else {
      for (index_t j = 0; j < n(right ? 1 : 2); ++j)
        for (index_t k = 0; k < n(right ? 2 : 1); ++k)
          for (index_t l = 0; l < n(right ? 3 : 0); ++l) right ? at(s, j, k, l) : at(l, k, j, s);
    }
  }
};

// Extents in order, beginning with the slowest dimension.
template <int Rank, bool Right>
constexpr index_t slowest_first(int r) {
  return box<Rank>::n[Right ? r : Rank - 1 - r];
}

template <int Rank, bool Alone, class N>
inline __attribute__((always_inline)) void nest_by_hand(target<Alone> to, const double* from,
                                                        const N& n, index_t s) {
  if constexpr (Rank == 1) {
    to[s] = 2 * from[s] + 1;
  } else if constexpr (Rank == 2) {
    for (index_t j = 0; j < n(1); ++j) to[s * n(1) + j] = 2 * from[s * n(1) + j] + 1;
  } else if constexpr (Rank == 3) {
    for (index_t j = 0; j < n(1); ++j)
      for (index_t k = 0; k < n(2); ++k)
        to[(s * n(1) + j) * n(2) + k] = 2 * from[(s * n(1) + j) * n(2) + k] + 1;
  } else {
    for (index_t j = 0; j < n(1); ++j)
      for (index_t k = 0; k < n(2); ++k)
        for (index_t l = 0; l < n(3); ++l)
          to[((s * n(1) + j) * n(2) + k) * n(3) + l] =
              2 * from[((s * n(1) + j) * n(2) + k) * n(3) + l] + 1;
  }
}

// Extents that the compiler knows, and extents that it does not know.
template <int Rank, bool Right>
struct known_extents {
  constexpr index_t operator()(int r) const { return slowest_first<Rank, Right>(r); }
};
struct some_extents {
  index_t n[4];
  index_t operator()(int r) const { return n[r]; }
};

template <bool Serial, int Rank, bool Alone, class N>
__attribute__((noinline)) void all_by_hand(target<Alone> to, const double* from, N n,
                                           index_t slowest) {
  if (Serial) {
    for (index_t s = 0; s < slowest; ++s) nest_by_hand<Rank, Alone>(to, from, n, s);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t s = 0; s < slowest; ++s) nest_by_hand<Rank, Alone>(to, from, n, s);
  }
}

template <class Space, int Rank, bool Fixed, class Layout, bool Alone = false>
void compare_access(comparison& pair) {
  constexpr bool right = std::is_same_v<Layout, hpk::LayoutRight>;
  using n = box<Rank>;
  const array out = work_array(1, elements);
  const array in = work_array(0, elements);
  fill_integers(in, 17);
  const auto wrap = [](const array& a) {
    return [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
      return view<Rank, Fixed, Layout, Alone>(a.data(), n::n[Rs]...);
    }(std::make_index_sequence<Rank>());
  };
  const nest<Rank, Fixed, Layout, Alone> kernel{wrap(out), wrap(in)};
  constexpr index_t slowest = slowest_first<Rank, right>(0);
  const hpk::RangePolicy<Space> policy(index_t{0}, slowest);
  const auto hpk = [&] { hpk::parallel_for(policy, kernel); };
  const auto hand = [&] {
    if constexpr (Fixed) {
      all_by_hand<is_serial<Space>, Rank, Alone>(out.data(), in.data(),
                                                 known_extents<Rank, right>{}, slowest);
    } else {
      some_extents known{};
      for (int r = 0; r < Rank; ++r) known.n[r] = slowest_first<Rank, right>(r);
      benchmark::DoNotOptimize(known);
      all_by_hand<is_serial<Space>, Rank, Alone>(out.data(), in.data(), known, slowest);
    }
  };
  pair.agree(same_effect(out, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space, int Rank>
void add_rank() {
  const std::string rank = "rank" + std::to_string(Rank);
  add("access", Space::name(), rank + "_right", elements,
      compare_access<Space, Rank, false, hpk::LayoutRight>);
  add("access", Space::name(), rank + "_right_fixed", elements,
      compare_access<Space, Rank, true, hpk::LayoutRight>);
  if (Rank == 1) return;
  add("access", Space::name(), rank + "_right_restrict", elements,
      compare_access<Space, Rank, false, hpk::LayoutRight, true>);
  add("access", Space::name(), rank + "_left", elements,
      compare_access<Space, Rank, false, hpk::LayoutLeft>);
  add("access", Space::name(), rank + "_left_fixed", elements,
      compare_access<Space, Rank, true, hpk::LayoutLeft>);
}

// Rows are short, so that the cost of cutting is visible.
template <class Space>
void compare_rows(comparison& pair) {
  constexpr index_t rows = elements / 16;
  const array out = work_array(1, elements);
  const array in = work_array(0, elements);
  fill_integers(in, 17);
  const view<2, false, hpk::LayoutRight, false> wrapped(out.data(), rows, 16);
  const view<2, false, hpk::LayoutRight, false> from(in.data(), rows, 16);
  // The kernel takes its rows from a View that owns memory; rows must not count as owners.
  const hpk::View<double**, hpk::LayoutRight, Space> owner("owner", rows, 16);
  hpk::deep_copy(owner, from);
  const hpk::RangePolicy<Space> policy(index_t{0}, rows);
  const auto hpk = [&] {
    hpk::parallel_for(policy, [=](index_t i) {
      const auto source = hpk::subview(owner, i, hpk::ALL);
      const auto target = hpk::subview(wrapped, i, hpk::ALL);
      for (index_t j = 0; j < static_cast<index_t>(source.extent(0)); ++j)
        target(j) = 2 * source(j) + 1;
    });
  };
  const auto by_hand = [width = index_t{16}, p = out.data(), q = owner.data()](index_t i) {
    const double* source = q + i * width;
    double* target = p + i * width;
    for (index_t j = 0; j < width; ++j) target[j] = 2 * source[j] + 1;
  };
  const auto hand = [&] {
    auto row = by_hand;
    benchmark::DoNotOptimize(row);
    if (is_serial<Space>) {
      for (index_t i = 0; i < rows; ++i) row(i);
    } else {
#pragma omp parallel for schedule(static)
      for (index_t i = 0; i < rows; ++i) row(i);
    }
  };
  pair.agree(same_effect(out, hpk, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_access() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add_rank<type, 1>();
    add_rank<type, 2>();
    add_rank<type, 3>();
    add_rank<type, 4>();
    add("access", type::name(), "subview", elements, compare_rows<type>);
  });
}

}  // namespace bench
