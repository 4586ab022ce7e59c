// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: sums of doubles, integers and complex numbers, a dot product, the largest, the
// smallest with its location, a struct of moments with a custom operation, four results at once,
// and arrays of eight, by a functor that gives its length and by a lambda.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

using located = hpk::ValLocScalar<double, int>;
constexpr located nowhere{1e300, -1};

/// Count, sum, sum of squares and largest value, gathered in one pass.
struct moments {
  double count = 0;
  double sum = 0;
  double squares = 0;
  double largest = -1e300;
  moments& operator+=(const moments& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    largest = other.largest > largest ? other.largest : largest;
    return *this;
  }
  void take(double x) {
    count += 1;
    sum += x;
    squares += x * x;
    largest = x > largest ? x : largest;
  }
  friend bool operator==(const moments&, const moments&) = default;
};

using complex = hpk::complex<double>;

/// Four results in one pass.
struct four_results {
  double sum = 0;
  double squares = 0;
  double least = 0;
  double most = 0;
  friend bool operator==(const four_results&, const four_results&) = default;
};

/// The sums of every eighth element.
struct eight_sums {
  double sums[8] = {};
  friend bool operator==(const eight_sums&, const eight_sums&) = default;
};
template <class Array>
struct sum_every_eighth {
  using value_type = double[];
  static constexpr int value_count = 8;
  Array x;
  void operator()(int i, double* sums) const {
    for (int k = 0; k < 8; ++k) sums[k] += x(8 * i + k);
  }
};

struct plain {
  static double sum(const double* x, int n) {
    double result = 0;
    for (int i = 0; i < n; ++i) result += x[i];
    return result;
  }
  static double max(const double* x, int n) {
    double result = -1e300;
    for (int i = 0; i < n; ++i) result = x[i] > result ? x[i] : result;
    return result;
  }
  static located minloc(const double* x, int n) {
    located result = nowhere;
    for (int i = 0; i < n; ++i) {
      if (x[i] < result.val) result = {x[i], i};
    }
    return result;
  }
  static moments gather(const double* x, int n) {
    moments result;
    for (int i = 0; i < n; ++i) result.take(x[i]);
    return result;
  }
  static double dot(const double* x, const double* y, int n) {
    double result = 0;
    for (int i = 0; i < n; ++i) result += x[i] * y[i];
    return result;
  }
  static std::int64_t integers(const std::int64_t* x, int n) {
    std::int64_t result = 0;
    for (int i = 0; i < n; ++i) result += x[i];
    return result;
  }
  static complex complex_numbers(const complex* z, int n) {
    complex result;
    for (int i = 0; i < n; ++i) result += z[i];
    return result;
  }
  static four_results four(const double* x, int n) {
    double sum = 0;
    double squares = 0;
    double least = 1e300;
    double most = -1e300;
    for (int i = 0; i < n; ++i) {
      sum += x[i];
      squares += x[i] * x[i];
      least = x[i] < least ? x[i] : least;
      most = x[i] > most ? x[i] : most;
    }
    return {sum, squares, least, most};
  }
  static eight_sums eight(const double* x, int n) {
    eight_sums result;
    double* const sums = result.sums;
    for (int i = 0; i < n; i += 8) {
      for (int k = 0; k < 8; ++k) sums[k] += x[i + k];
    }
    return result;
  }
};

#pragma omp declare reduction(lower                                                               \
:located : omp_out = omp_in.val < omp_out.val ||                                                  \
                                          (omp_in.val == omp_out.val && omp_in.loc < omp_out.loc) \
                                      ? omp_in                                                    \
                                      : omp_out) initializer(omp_priv = nowhere)
#pragma omp declare reduction(gather:moments : omp_out += omp_in)
#pragma omp declare reduction(add:complex : omp_out += omp_in)

struct parallel {
  static double sum(const double* x, int n) {
    double result = 0;
#pragma omp parallel for schedule(static) reduction(+ : result)
    for (int i = 0; i < n; ++i) result += x[i];
    return result;
  }
  static double max(const double* x, int n) {
    double result = -1e300;
#pragma omp parallel for schedule(static) reduction(max : result)
    for (int i = 0; i < n; ++i) result = x[i] > result ? x[i] : result;
    return result;
  }
  static located minloc(const double* x, int n) {
    located result = nowhere;
#pragma omp parallel for schedule(static) reduction(lower : result)
    for (int i = 0; i < n; ++i) {
      if (x[i] < result.val) result = {x[i], i};
    }
    return result;
  }
  static moments gather(const double* x, int n) {
    moments result;
#pragma omp parallel for schedule(static) reduction(gather : result)
    for (int i = 0; i < n; ++i) result.take(x[i]);
    return result;
  }
  static double dot(const double* x, const double* y, int n) {
    double result = 0;
#pragma omp parallel for schedule(static) reduction(+ : result)
    for (int i = 0; i < n; ++i) result += x[i] * y[i];
    return result;
  }
  static std::int64_t integers(const std::int64_t* x, int n) {
    std::int64_t result = 0;
#pragma omp parallel for schedule(static) reduction(+ : result)
    for (int i = 0; i < n; ++i) result += x[i];
    return result;
  }
  static complex complex_numbers(const complex* z, int n) {
    complex result;
#pragma omp parallel for schedule(static) reduction(add : result)
    for (int i = 0; i < n; ++i) result += z[i];
    return result;
  }
  static four_results four(const double* x, int n) {
    double sum = 0;
    double squares = 0;
    double least = 1e300;
    double most = -1e300;
#pragma omp parallel for schedule(static) reduction(+ : sum, squares) reduction(min : least) \
    reduction(max : most)
    for (int i = 0; i < n; ++i) {
      sum += x[i];
      squares += x[i] * x[i];
      least = x[i] < least ? x[i] : least;
      most = x[i] > most ? x[i] : most;
    }
    return {sum, squares, least, most};
  }
  static eight_sums eight(const double* x, int n) {
    eight_sums result;
    double* const sums = result.sums;
#pragma omp parallel for schedule(static) reduction(+ : sums[ : 8])
    for (int i = 0; i < n; i += 8) {
      for (int k = 0; k < 8; ++k) sums[k] += x[i + k];
    }
    return result;
  }
};

template <class Space>
struct reductions {
  using loops = std::conditional_t<is_serial<Space>, plain, parallel>;

  int n;
  array x = work_array(0, n);

  explicit reductions(index_t length) : n(static_cast<int>(length)) { fill_integers(x, 1009); }

  // hpk(value) writes its result to `value`; hand() returns its result.
  template <class Value, class Hpk, class Hand>
  void compare(comparison& pair, Value start, const Hpk& hpk, const Hand& hand) const {
    Value hpk_value = start;
    Value hand_value = start;
    const auto run_hpk = [&] {
      hpk(hpk_value);
      keep(hpk_value);
    };
    const auto run_hand = [&] {
      hand_value = hand();
      keep(hand_value);
    };
    run_hpk();
    run_hand();
    pair.agree(hpk_value == hand_value);
    pair.time(run_hpk, run_hand);
  }

  hpk::RangePolicy<Space> policy() const { return {0, n}; }

  void sum(comparison& pair) const {
    const auto kernel = [x = x](int i, double& value) { value += x(i); };
    compare(
        pair, 0.0, [&](double& out) { hpk::parallel_reduce("sum", policy(), kernel, out); },
        [this] { return loops::sum(x.data(), n); });
  }
  void max(comparison& pair) const {
    const auto kernel = [x = x](int i, double& value) { value = x(i) > value ? x(i) : value; };
    compare(
        pair, 0.0,
        [&](double& out) { hpk::parallel_reduce("max", policy(), kernel, hpk::Max(out)); },
        [this] { return loops::max(x.data(), n); });
  }
  void minloc(comparison& pair) const {
    x(n / 3) = 0;
    x(n / 2) = 0;
    const auto kernel = [x = x](int i, located& value) {
      if (x(i) < value.val) value = {x(i), i};
    };
    compare(
        pair, nowhere,
        [&](located& out) { hpk::parallel_reduce("minloc", policy(), kernel, hpk::MinLoc(out)); },
        [this] { return loops::minloc(x.data(), n); });
  }
  void dot(comparison& pair) const {
    const array y = work_array(1, n);
    fill_integers(y, 17);
    const auto kernel = [x = x, y](int i, double& value) { value += x(i) * y(i); };
    compare(
        pair, 0.0, [&](double& out) { hpk::parallel_reduce("dot", policy(), kernel, out); },
        [&] { return loops::dot(x.data(), y.data(), n); });
  }
  void integers(comparison& pair) const {
    const hpk::View<std::int64_t*, hpk::HostSpace> z(hpk::view_alloc("z", hpk::WithoutInitializing),
                                                     n);
    for (int i = 0; i < n; ++i) z(i) = i % 1009;
    const auto kernel = [z](int i, std::int64_t& value) { value += z(i); };
    compare(
        pair, std::int64_t{0},
        [&](std::int64_t& out) { hpk::parallel_reduce("integers", policy(), kernel, out); },
        [&] { return loops::integers(z.data(), n); });
  }
  void complex_numbers(comparison& pair) const {
    const hpk::View<complex*, hpk::HostSpace> z(hpk::view_alloc("z", hpk::WithoutInitializing), n);
    for (int i = 0; i < n; ++i) z(i) = complex(i % 1009, i % 17);
    const auto kernel = [z](int i, complex& value) { value += z(i); };
    compare(
        pair, complex(),
        [&](complex& out) { hpk::parallel_reduce("complex", policy(), kernel, out); },
        [&] { return loops::complex_numbers(z.data(), n); });
  }
  void four(comparison& pair) const {
    const auto kernel = [x = x](int i, double& sum, double& squares, double& least, double& most) {
      sum += x(i);
      squares += x(i) * x(i);
      least = x(i) < least ? x(i) : least;
      most = x(i) > most ? x(i) : most;
    };
    compare(
        pair, four_results(),
        [&](four_results& out) {
          hpk::parallel_reduce("four", policy(), kernel, out.sum, out.squares, hpk::Min(out.least),
                               hpk::Max(out.most));
        },
        [this] { return loops::four(x.data(), n); });
  }
  void eight(comparison& pair) const {
    const sum_every_eighth<array> kernel{x};
    compare(
        pair, eight_sums(),
        [&](eight_sums& out) {
          hpk::parallel_reduce("eight", hpk::RangePolicy<Space>(0, n / 8), kernel, out.sums);
        },
        [this] { return loops::eight(x.data(), n / 8 * 8); });
  }
  void eight_in_lambda(comparison& pair) const {
    const auto kernel = [x = x](int i, double(&sums)[8]) {
      for (int k = 0; k < 8; ++k) sums[k] += x(8 * i + k);
    };
    compare(
        pair, eight_sums(),
        [&](eight_sums& out) {
          hpk::parallel_reduce("eight", hpk::RangePolicy<Space>(0, n / 8), kernel, out.sums);
        },
        [this] { return loops::eight(x.data(), n / 8 * 8); });
  }
  void gather(comparison& pair) const {
    const auto kernel = [x = x](int i, moments& value) { value.take(x(i)); };
    compare(
        pair, moments(),
        [&](moments& out) { hpk::parallel_reduce("moments", policy(), kernel, out); },
        [this] { return loops::gather(x.data(), n); });
  }
};

template <class Space>
void add_kernel(std::string_view name, void (reductions<Space>::*run)(comparison&) const) {
  for_each_size<Space>({index_t{32} << 10, index_t{16} << 20}, [&](index_t n) {
    add("reduce", Space::name(), name, n,
        [n, run](comparison& pair) { (reductions<Space>(n).*run)(pair); });
  });
}

}  // namespace

void add_reduce() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add_kernel<type>("sum", &reductions<type>::sum);
    add_kernel<type>("dot", &reductions<type>::dot);
    add_kernel<type>("integers", &reductions<type>::integers);
    add_kernel<type>("complex", &reductions<type>::complex_numbers);
    add_kernel<type>("max", &reductions<type>::max);
    add_kernel<type>("minloc", &reductions<type>::minloc);
    add_kernel<type>("struct", &reductions<type>::gather);
    add_kernel<type>("4 results", &reductions<type>::four);
    add_kernel<type>("array", &reductions<type>::eight);
    add_kernel<type>("array, lambda", &reductions<type>::eight_in_lambda);
  });
}

}  // namespace bench
