// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that kernels.f90 calls: each kind of parameter and result.
#include <hpk/core.hpp>
#include <hpk/fortran.hpp>

#include <complex>
#include <cstdint>
#include <string>

namespace {

using host = hpk::DefaultHostExecutionSpace;
template <class T>
using left = hpk::View<T, hpk::LayoutLeft, hpk::HostSpace>;
template <class T>
using strided = hpk::View<T, hpk::LayoutStride, hpk::HostSpace>;

template <class Exec>
void add_one(const hpk::View<double*, hpk::LayoutLeft, typename Exec::memory_space>& x) {
  hpk::parallel_for(
      "add_one", hpk::RangePolicy<Exec>(0, static_cast<int>(x.extent(0))),
      HPK_LAMBDA(int i) { x(i) += 1; });
}

}  // namespace

HPK_FORTRAN(axpy, (double a, left<const double*> x, left<double*> y)) {
  hpk::parallel_for(
      "axpy", hpk::RangePolicy<host>(0, static_cast<int>(x.extent(0))),
      HPK_LAMBDA(int i) { y(i) += a * x(i); });
}

HPK_FORTRAN(transpose_into, (strided<const std::int32_t**> from, strided<std::int32_t**> to)) {
  hpk::parallel_for(
      "transpose",
      hpk::MDRangePolicy<host, hpk::Rank<2>>(
          {0, 0}, {static_cast<int>(from.extent(0)), static_cast<int>(from.extent(1))}),
      HPK_LAMBDA(int i, int j) { to(j, i) = from(i, j); });
}

// The address and first stride of arrays, as the kernel sees them.
HPK_FORTRAN(where, (strided<const double**> x, std::int64_t& address, std::int64_t& stride)) {
  address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(x.data()));
  stride = static_cast<std::int64_t>(x.stride(0));
}
HPK_FORTRAN(where_left, (left<double**> x, std::int64_t& address)) {
  address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(x.data()));
  if (x.size() != 0) x(0, 0) = -1;
}

// Every scalar, by value and by reference.
HPK_FORTRAN(scalars, (std::int8_t a, std::int16_t b, std::int32_t c, std::int64_t d, float e,
                      double f, std::complex<float> g, hpk::complex<double> h, bool i, double& sum,
                      const double& factor, std::complex<double>& z)) {
  sum = factor * (a + b + c + static_cast<double>(d) + static_cast<double>(e) + f +
                  static_cast<double>(g.real()) + h.imag() + (i ? 1000 : 0));
  z = {1, sum};
}

// Every element type.
HPK_FORTRAN(arrays, (left<std::int8_t*> a, left<std::int16_t*> b, left<std::int32_t*> c,
                     left<std::int64_t*> d, left<float*> e, left<double*> f,
                     left<hpk::complex<float>*> g, left<hpk::complex<double>*> h, left<bool*> i)) {
  a(0) = 1;
  b(0) = 2;
  c(0) = 3;
  d(0) = 4;
  e(0) = 5;
  f(0) = 6;
  g(0) = hpk::complex<float>(7, 8);
  h(0) = hpk::complex<double>(9, 10);
  i(0) = true;
}

HPK_FORTRAN_FUNCTION(double, sum_of_rank_7, (left<const double*******> x)) {
  double sum = 0;
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<host>(0, static_cast<int>(x.size())),
      HPK_LAMBDA(int k, double& s) { s += x.data()[k]; }, sum);
  return sum;
}
HPK_FORTRAN_FUNCTION(bool, is_hello, (std::string_view text)) { return text == "hello"; }
HPK_FORTRAN_FUNCTION(std::int32_t, answer, ()) { return 42; }

HPK_FORTRAN(three_columns, (left<double* [3]> x)) { x(0, 2) = 3; }

HPK_FORTRAN(fails, (std::string_view text, std::int32_t code)) {
  if (code == 1) throw std::bad_alloc();
  throw std::runtime_error("text '" + std::string(text) + "' is wrong");
}
// A wrong index in a kernel; HPK_CHECKS is on in this file.
HPK_FORTRAN(reads_outside, (left<double*> x, std::int32_t index)) {
  hpk::parallel_for(
      "outside", hpk::RangePolicy<hpk::Serial>(0, 1), HPK_LAMBDA(int) { x(index) = 0; });
}

// Views of any space, and of one.
HPK_FORTRAN(increment, (const hpk_view* x, const hpk_instance* on)) {
  bool found = false;
  hpk::for_each_space([&](auto space) {
    using exec = decltype(space);
    using view = hpk::View<double*, hpk::LayoutLeft, typename exec::memory_space>;
    if (std::string_view(hpk_instance_space(on)) != exec::name()) return;
    found = true;
    add_one<exec>(hpk::from_c<view>(x));
  });
  if (!found) throw std::runtime_error("there is no such space");
}
HPK_FORTRAN_FUNCTION(std::int64_t, extent_of,
                     (hpk::View<double*, hpk::LayoutLeft, hpk::AnonymousSpace> x)) {
  return static_cast<std::int64_t>(x.extent(0));
}
