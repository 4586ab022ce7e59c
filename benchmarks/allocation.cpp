// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creating and destroying a zeroed View of n doubles, compared with calloc and free; from 1 MiB on
// compared with aligned memory that is advised for huge pages (if the system has them), zeroed by
// all threads and freed. The View also has a label and an owner.
#include "pair.hpp"
#include "topics.hpp"

#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace bench {

namespace {

constexpr index_t worth_sharing = (index_t{1} << 20) / 8;

void zero(double* data, index_t n) {
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < n; ++i) data[i] = 0;
}

double* allocate_by_hand(index_t n, bool all_threads) {
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
  if (n < worth_sharing) return static_cast<double*>(std::calloc(bytes, 1));
  auto* data = static_cast<double*>(std::aligned_alloc(std::size_t{1} << 21, bytes));
#ifdef __linux__
  madvise(data, bytes, MADV_HUGEPAGE);
#endif
  if (all_threads) {
    zero(data, n);
  } else {
    std::memset(data, 0, bytes);
  }
  return data;
}

template <class Space>
void compare(comparison& pair, index_t n) {
  const auto hpk = [=] {
    const hpk::View<double*, Space> view("work", n);
    keep(view);
    return view.size() == static_cast<std::size_t>(n) && view(0) == 0 && view(n - 1) == 0;
  };
  const auto hand = [=] {
    double* data = allocate_by_hand(n, !is_serial<Space>);
    keep(data);
    const bool zeros = data[0] == 0 && data[n - 1] == 0;
    std::free(data);
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
