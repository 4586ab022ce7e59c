// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flows through a cube divided into two blocks, which exchange their outermost cells before
// each step. A two-color relaxation follows. The strength of the source along an edge changes with
// time, on the host.
#include "fault.hpp"
#include "routines.hpp"

#include <utility>

namespace first_wrong_bit {

namespace {

using field = hpk::View<double***>;
using face = hpk::View<double**>;

/// m x n x n cells with a halo of one.
struct block {
  block(int m, int n)
      : now("now", m + 2, n + 2, n + 2), next("next", m + 2, n + 2, n + 2), sent("face", n, n) {}
  field now, next;
  face sent;
};

class cube {
 public:
  explicit cube(const arguments& given) : given_(given) { start(); }

  void step(int number) {
    set_source(number);
    exchange();
    for (const block* const b : {&left_, &right_}) conduct(*b);
    for (const block* const b : {&left_, &right_}) find_change(*b);
    std::swap(left_.now, left_.next);
    std::swap(right_.now, right_.next);
    for (const int color : {0, 1}) relax(left_, color);
    add_source();
  }

  // The kernels; public because GPU compilers require it.

  void start() {
    const auto material = conductivity_;
    const int n = n_;
    hpk::parallel_for(
        "conductivity", given_.range(given_.has(7) ? n * n - 1 : n * n), HPK_LAMBDA(int c) {
          const int j = c / n;
          const int k = c % n;
          material(j, k) = 0.3 + 0.01 * ((3 * j + k) % 7);
        });
    int offset = 0;
    for (const block* const b : {&left_, &right_}) {
      const field now = b->now;
      hpk::parallel_for(
          "start", given_.box({0, 0, 0}, {m_ + 2, n_ + 2, n_ + 2}),
          HPK_LAMBDA(int i, int j, int k) {
            now(i, j, k) = 1 + 0.37 * ((7 * (i + offset) + 5 * j + 3 * k) % 11);
          });
      offset = m_;
    }
  }

  void set_source(int number) {
    // Fault 6: the copy is made before the host writes.
    if (given_.has(6)) hpk::deep_copy(source_, host_source_);
    for (int j = 0; j < n_ + 2; ++j) host_source_(j) = 0.01 * (number + 1) * (j % 5);
    // Fault 5: the copy is forgotten once.
    if (given_.has(6) || (given_.has(5) && number == 2)) return;
    hpk::deep_copy(source_, host_source_);
  }

  void exchange() {
    pack(left_, given_.has(2) ? m_ - 1 : m_);
    pack(right_, 1);
    unpack(left_.sent, right_.now, 0);
    unpack(right_.sent, left_.now, m_ + 1);
  }
  void pack(const block& from, int row) {
    const int n = static_cast<int>(from.sent.extent(0));
    const hpk::View<const double***> now = from.now;
    const face sent = from.sent;
    hpk::parallel_for(
        "pack", given_.box({0, 0}, {n, n}),
        HPK_LAMBDA(int j, int k) { sent(j, k) = now(row, j + 1, k + 1); });
  }
  void unpack(const hpk::View<const double**>& sent, const field& to, int row) {
    const bool swaps = given_.has(4);
    hpk::parallel_for(
        "unpack", given_.box({0, 0}, {n_, n_}),
        HPK_LAMBDA(int j, int k) { to(row, j + 1, k + 1) = swaps ? sent(k, j) : sent(j, k); });
  }

  void conduct(const block& b) {
    const hpk::View<const double***> now = b.now;
    const hpk::View<const double**> material = conductivity_;
    const field next = b.next;
    const auto conduct = (given_.has(10) ? fast_math : plain).conduct;
    hpk::parallel_for(
        "step", given_.box({1, 1, 1}, {m_ + 1, n_ + 1, given_.has(1) ? n_ : n_ + 1}),
        HPK_LAMBDA(int i, int j, int k) {
          const double around = now(i - 1, j, k) + now(i + 1, j, k) + now(i, j - 1, k) +
                                now(i, j + 1, k) + now(i, j, k - 1) + now(i, j, k + 1);
          next(i, j, k) = conduct(now(i, j, k), around, material(j - 1, k - 1));
        });
  }

  void find_change(const block& b) {
    const hpk::View<const double***> now = b.now;
    const hpk::View<const double***> next = b.next;
    const auto inner = given_.box({1, 1, 1}, {m_ + 1, n_ + 1, n_ + 1});
    double largest = 0;
    // Fault 8: a decrease of temperature counts as no change.
    const bool is_signed = given_.has(8);
    hpk::parallel_reduce(
        "largest change", inner,
        HPK_LAMBDA(int i, int j, int k, double& most) {
          double change = next(i, j, k) - now(i, j, k);
          if (change < 0 && !is_signed) change = -change;
          most = change > most ? change : most;
        },
        hpk::Max<double>(largest));
    const hpk::View<double> sum("residual");
    if (given_.has(9)) return add_up(now, next, sum);
    hpk::parallel_reduce(
        "residual", inner,
        HPK_LAMBDA(int i, int j, int k, double& squares) {
          const double change = next(i, j, k) - now(i, j, k);
          squares += 0.7 * change * change;
        },
        sum);
  }
  // Fault 9: the sum depends on the order in which workers add.
  void add_up(const hpk::View<const double***>& now, const hpk::View<const double***>& next,
              const hpk::View<double>& sum) {
    const late_start start(true);
    const int n = n_;
    const int count = m_ * n * n;
    hpk::parallel_for(
        "residual", given_.range(count), HPK_LAMBDA(int c) {
          start.before(c);
          const int i = c / (n * n) + 1;
          const int j = c / n % n + 1;
          const int k = c % n + 1;
          const double change = next(i, j, k) - now(i, j, k);
          hpk::atomic_add(&sum(), 0.7 * change * change);
          start.behind(c, count);
        });
  }

  // In place: a cell reads only cells of the other color, which the launch does not write.
  void relax(const block& b, int color) {
    const field now = b.now;
    const bool takes_all = given_.has(3);
    hpk::parallel_for(
        "relax", given_.box({1, 1, 1}, {m_ + 1, n_ + 1, n_ + 1}), HPK_LAMBDA(int i, int j, int k) {
          if ((i + j + k) % 2 != color && !takes_all) return;
          now(i, j, k) += 0.1 * (now(i - 1, j, k) + now(i + 1, j, k) - 2 * now(i, j, k));
        });
  }

  void add_source() {
    const field now = left_.now;
    const hpk::View<const double*> source = source_;
    hpk::parallel_for(
        "add source", given_.range(n_ + 2), HPK_LAMBDA(int j) { now(1, j, 1) += source(j); });
  }

 private:
  arguments given_;
  int n_ = given_.size_or(16);
  int m_ = n_ / 2;
  block left_{m_, n_}, right_{m_, n_};
  face conductivity_{hpk::view_alloc("conductivity", hpk::WithoutInitializing), n_, n_};
  hpk::View<double*> source_{"source", n_ + 2};
  decltype(hpk::create_mirror(source_)) host_source_ = hpk::create_mirror(source_);
};

}  // namespace

void heat(const arguments& given) {
  cube all(given);
  for (int number = 0; number < given.steps; ++number) all.step(number);
}

}  // namespace first_wrong_bit
