// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: the sum of doubles, the largest, the smallest with its place, and a struct of moments
// with an operation of its own.
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
};

#pragma omp declare reduction(lower                                                               \
:located : omp_out = omp_in.val < omp_out.val ||                                                  \
                                          (omp_in.val == omp_out.val && omp_in.loc < omp_out.loc) \
                                      ? omp_in                                                    \
                                      : omp_out) initializer(omp_priv = nowhere)
#pragma omp declare reduction(gather:moments : omp_out += omp_in)

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
};

template <class Space>
struct reductions {
  using loops = std::conditional_t<is_serial<Space>, plain, parallel>;

  int n;
  array x = work_array(0, n);

  explicit reductions(index_t length) : n(static_cast<int>(length)) { fill_integers(x, 1009); }

  // hpk(value) writes its result to value, hand() returns its.
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
    add_kernel<type>("max", &reductions<type>::max);
    add_kernel<type>("minloc", &reductions<type>::minloc);
    add_kernel<type>("struct", &reductions<type>::gather);
  });
}

}  // namespace bench
