// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y += a x for kernels that take int, long and size_t indices: the three must cost the same.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

template <class I>
void plain_axpy(double a, const double* x, double* y, I n) {
  for (I i = 0; i < n; ++i) y[i] += a * x[i];
}

template <class I>
void parallel_axpy(double a, const double* x, double* y, I n) {
#pragma omp parallel for schedule(static)
  for (I i = 0; i < n; ++i) y[i] += a * x[i];
}

template <class Space, class I>
void compare(comparison& pair, index_t length) {
  const array x = work_array(0, length);
  const array y = work_array(1, length);
  fill_integers(x, 17);
  const double a = 0.5;
  const auto n = static_cast<I>(length);
  const auto kernel = [=](I i) { y(i) += a * x(i); };
  const auto hpk = [&] { hpk::parallel_for("axpy", hpk::RangePolicy<Space>(0, length), kernel); };
  const auto hand = [&] {
    if constexpr (is_serial<Space>) {
      plain_axpy(a, x.data(), y.data(), n);
    } else {
      parallel_axpy(a, x.data(), y.data(), n);
    }
  };
  pair.agree(same_effect(y, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space, class I>
void add_index(std::string_view name, index_t n) {
  add("axpy", Space::name(), name, n, [n](comparison& pair) { compare<Space, I>(pair, n); });
}

}  // namespace

void add_axpy() {
  for_each_space([](auto space) {
    using type = decltype(space);
    const auto add_all = [](index_t n) {
      add_index<type, int>("int", n);
      add_index<type, long>("long", n);
      add_index<type, std::size_t>("size_t", n);
    };
    if (is_serial<type>) add_all(100);
    for (const index_t n : {1000, 10000, 100000, 16000000}) add_all(n);
  });
}

}  // namespace bench
