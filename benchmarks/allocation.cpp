// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A View of n doubles made and destroyed, zeros included, beside aligned memory that is allocated,
// zeroed (from 1 MiB on by all threads) and freed by hand. The View also has a label and an owner.
#include "pair.hpp"
#include "topics.hpp"

#include <cstring>
#include <new>

namespace bench {

namespace {

constexpr index_t worth_sharing = (index_t{1} << 20) / 8;

void zero(double* data, index_t n) {
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < n; ++i) data[i] = 0;
}

template <class Space>
void compare(comparison& pair, index_t n) {
  const auto hpk = [=] {
    const hpk::View<double*, Space> view("work", n);
    keep(view);
    return view.size() == static_cast<std::size_t>(n) && view(0) == 0 && view(n - 1) == 0;
  };
  const auto hand = [=] {
    constexpr std::align_val_t cache_line{64};
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
    auto* data = static_cast<double*>(::operator new(bytes, cache_line));
    if (is_serial<Space> || n < worth_sharing) {
      std::memset(data, 0, bytes);
    } else {
      zero(data, n);
    }
    keep(data);
    const bool zeros = data[0] == 0 && data[n - 1] == 0;
    ::operator delete(data, cache_line);
    return zeros;
  };
  pair.agree(hpk() && hand());
  pair.time(hpk, hand);
}

}  // namespace

void add_allocation() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const index_t kib : {1, 64, 64 * 1024}) {
      const index_t n = kib * 1024 / 8;
      add("allocate", type::name(), "zeros", n, [n](comparison& pair) { compare<type>(pair, n); });
    }
  });
}

}  // namespace bench
