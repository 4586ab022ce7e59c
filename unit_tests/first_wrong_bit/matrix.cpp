// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many small matrices, each factorised by a team in scratch memory and multiplied again. Host code
// writes the matrices and reads their factors through mirrors.
#include "fault.hpp"
#include "routines.hpp"

namespace first_wrong_bit {

namespace {

using policy = hpk::TeamPolicy<>;
using member = policy::member_type;
using scratch_matrix =
    hpk::View<double**, hpk::LayoutRight, member::scratch_memory_space, hpk::MemoryUnmanaged>;
using matrices = hpk::View<double***, hpk::LayoutRight>;
using const_matrices = hpk::View<const double***, hpk::LayoutRight>;
using location = hpk::MaxLoc<double, hpk::index_t>::value_type;

constexpr int count = 12;
constexpr int threads = 4;

/// The smallest value, with a user-defined initial value.
class least_from {
 public:
  using reducer = least_from;
  using value_type = double;
  using result_view_type = hpk::View<double, hpk::HostSpace, hpk::MemoryUnmanaged>;
  least_from(double& result, double start) : result_(&result), start_(start) {}
  HPK_FUNCTION void init(double& value) const { value = start_; }
  HPK_FUNCTION void join(double& to, const double& from) const { to = from < to ? from : to; }
  HPK_FUNCTION double& reference() const { return *result_; }
  HPK_FUNCTION result_view_type view() const { return result_view_type(result_); }
  HPK_FUNCTION bool references_scalar() const { return true; }

 private:
  double* result_;
  double start_;
};

class batch {
 public:
  explicit batch(const arguments& given) : given_(given) {}

  void step(int number) {
    fill(number);
    factorise();
    find_pivots();
    split();
    multiply();
    transpose();
    weigh();
    collect();
  }

  // The kernels; public because GPU compilers require it.

  void fill(int number) {
    const auto host = hpk::create_mirror(input_);
    // Fault 4: the mirror is accessed as if its last index were the fastest.
    if (given_.has(4)) {
      fill(hpk::View<double***, hpk::LayoutRight, hpk::HostSpace>(host.data(), count, n_, n_),
           number);
    } else {
      fill(host, number);
    }
    hpk::deep_copy(input_, host);
    hpk::deep_copy(factors_, input_);
  }
  template <class Matrices>
  void fill(const Matrices& all, int number) {
    for (int b = 0; b < count; ++b)
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j)
          all(b, i, j) =
              (i == j ? 9 + b : 0) + 0.1 * ((7 * i + 4 * j + 3 * b + number) % 13) + 0.001 * i;
  }

  // LU with the largest entry of a column as pivot.
  void factorise() {
    const auto factors = factors_;
    const auto pivot_rows = pivot_rows_;
    const int n = n_;
    const int below = given_.has(1) ? 2 : 1;
    policy teams(given_.space, count, threads);
    teams.set_scratch_size(0, hpk::PerTeam(scratch_matrix::shmem_size(n, n)));
    hpk::parallel_for(
        "factorise", teams, HPK_LAMBDA(const member& team) {
          const int b = team.league_rank();
          const scratch_matrix a(team.team_scratch(0), n, n);
          hpk::local_deep_copy(team, a, hpk::subview(factors, b, hpk::ALL, hpk::ALL));
          for (int k = 0; k < n; ++k) {
            location largest;
            hpk::parallel_reduce(
                hpk::TeamThreadRange(team, k, n),
                [&](int i, location& found) {
                  const double size = a(i, k) < 0 ? -a(i, k) : a(i, k);
                  if (size > found.val) found = {size, i};
                },
                hpk::MaxLoc<double, hpk::index_t>(largest));
            hpk::parallel_for(hpk::TeamThreadRange(team, n), [&](int j) {
              const double other = a(largest.loc, j);
              a(largest.loc, j) = a(k, j);
              a(k, j) = other;
            });
            hpk::single(hpk::PerTeam(team),
                        [&] { pivot_rows(b, k) = static_cast<int>(largest.loc); });
            team.team_barrier();
            hpk::parallel_for(hpk::TeamThreadRange(team, k + below, n), [&](int i) {
              a(i, k) /= a(k, k);
              for (int j = k + 1; j < n; ++j) a(i, j) -= a(i, k) * a(k, j);
            });
            team.team_barrier();
          }
          hpk::local_deep_copy(team, hpk::subview(factors, b, hpk::ALL, hpk::ALL), a);
        });
  }

  void find_pivots() {
    const const_matrices factors = factors_;
    const int n = n_;
    double least = 0;
    hpk::parallel_reduce(
        "least pivot", given_.range(count * n),
        HPK_LAMBDA(int k, double& found) {
          const double pivot = factors(k / n, k % n, k % n);
          const double size = pivot < 0 ? -pivot : pivot;
          found = size < found ? size : found;
        },
        least_from(least, given_.has(9) ? 0 : 1e300));
    location largest;
    hpk::parallel_reduce(
        "largest pivot", given_.range(count * n),
        HPK_LAMBDA(int k, location& found) {
          const double pivot = factors(k / n, k % n, k % n);
          if (pivot > found.val) found = {pivot, k};
        },
        hpk::MaxLoc<double, hpk::index_t>(largest));
    // Host code scales by the first pivot of each matrix.
    // Fault 6: the host has the factors of the previous step, or zeros.
    if (!given_.has(6)) hpk::deep_copy(host_factors_, factors_);
    for (int b = 0; b < count; ++b) host_scale_(b) = 1 / (1 + host_factors_(b, 0, 0));
    hpk::deep_copy(scale_, host_scale_);
  }

  void split() {
    const matrices lower = lower_;
    const matrices upper = upper_;
    const const_matrices factors = factors_;
    const bool leaves_zeros = given_.has(7);
    hpk::parallel_for(
        "split", given_.box({0, 0, 0}, {count, n_, n_}), HPK_LAMBDA(int b, int i, int j) {
          if (i >= j || !leaves_zeros) lower(b, i, j) = i > j ? factors(b, i, j) : i == j ? 1 : 0;
          upper(b, i, j) = i <= j ? factors(b, i, j) : 0;
        });
  }

  // Each team loads two matrices into scratch; each thread computes columns of their product.
  void multiply() {
    const const_matrices lower = lower_;
    const const_matrices upper = upper_;
    const hpk::View<const double*> scale = scale_;
    const matrices product = product_;
    const int n = n_;
    const bool waits = !given_.has(2);
    const bool swaps = given_.has(5);
    policy teams(given_.space, count, threads);
    teams.set_scratch_size(0, hpk::PerTeam(2 * scratch_matrix::shmem_size(n, n)));
    hpk::parallel_for(
        "multiply", teams, HPK_LAMBDA(const member& team) {
          const int b = team.league_rank();
          const scratch_matrix l(team.team_scratch(0), n, n);
          const scratch_matrix u(team.team_scratch(0), n, n);
          hpk::parallel_for(hpk::TeamThreadRange(team, n), [&](int i) {
            for (int j = 0; j < n; ++j) {
              l(i, j) = lower(b, i, j);
              u(i, j) = swaps ? upper(b, j, i) : upper(b, i, j);
            }
          });
          if (waits) team.team_barrier();
          hpk::parallel_for(hpk::TeamThreadRange(team, n), [&](int j) {
            for (int i = 0; i < n; ++i) {
              double sum = 0;
              for (int k = 0; k < n; ++k) sum += l(i, k) * u(k, j);
              product(b, i, j) = scale(b) * sum;
            }
          });
        });
  }

  // In place: an iteration exchanges two elements that no other iteration accesses.
  void transpose() {
    const matrices product = product_;
    const bool takes_all = given_.has(3);
    hpk::parallel_for(
        "transpose", given_.box({0, 0, 0}, {count, n_, n_}), HPK_LAMBDA(int b, int i, int j) {
          if (i >= j && !takes_all) return;
          const double other = product(b, j, i);
          product(b, j, i) = product(b, i, j);
          product(b, i, j) = other;
        });
  }

  void weigh() {
    const const_matrices product = product_;
    const hpk::View<double**> weights = weights_;
    const int n = n_;
    const auto exact_sum = (given_.has(10) ? associative : plain).exact_sum;
    hpk::parallel_for(
        "weigh", given_.box({0, 0}, {count, n}),
        HPK_LAMBDA(int b, int i) { weights(b, i) = exact_sum(&product(b, i, 0), n); });
  }

  void collect() {
    const hpk::View<double**> weights = weights_;
    const auto heavy = heavy_;
    const int n = n_;
    const bool claims = given_.has(8);
    const late_start start(claims);
    const hpk::View<int> claimed("claimed");
    hpk::parallel_for(
        "collect", given_.range(count), HPK_LAMBDA(int b) {
          start.before(b);
          double most = 0;
          for (int i = 0; i < n; ++i) most = weights(b, i) > most ? weights(b, i) : most;
          // Fault 8: the place depends on the order in which the sums finish.
          const int place = claims ? hpk::atomic_fetch_add(&claimed(), 1) : b;
          heavy(place) = most;
          start.behind(b, count);
        });
  }

 private:
  arguments given_;
  int n_ = given_.size_or(12);
  hpk::View<double***, hpk::LayoutLeft> input_{"input", count, n_, n_};
  matrices factors_{"factors", count, n_, n_}, upper_{"upper", count, n_, n_};
  matrices lower_{hpk::view_alloc("lower", hpk::WithoutInitializing), count, n_, n_};
  matrices product_{"product", count, n_, n_};
  hpk::View<int**> pivot_rows_{"pivot rows", count, n_};
  hpk::View<double*> scale_{"scale", count}, heavy_{"heaviest rows", count};
  hpk::View<double**> weights_{"weights", count, n_};
  decltype(hpk::create_mirror(factors_)) host_factors_ = hpk::create_mirror(factors_);
  decltype(hpk::create_mirror(scale_)) host_scale_ = hpk::create_mirror(scale_);
};

}  // namespace

void matrix(const arguments& given) {
  batch all(given);
  for (int number = 0; number < given.steps; ++number) all.step(number);
}

}  // namespace first_wrong_bit
