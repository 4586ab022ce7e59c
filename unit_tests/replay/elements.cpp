// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels by their captures: Views of every kind, other words, containers, and objects that cannot
// be captured.
#include "program.hpp"

#if HPK_TEST_CONTAINERS
#include <hpk/containers/bitset.hpp>
#include <hpk/containers/dual_view.hpp>
#include <hpk/containers/scatter_view.hpp>
#include <hpk/containers/unordered_map.hpp>
#endif

#include <cstdint>

namespace hpk_test {

namespace {

struct node {
  numbers list;
  hpk::View<node*, hpk::HostSpace> all;
};
struct part {
  char kind;  // followed by padding
  double mass;
  int charge;
};

}  // namespace

// Views that differ in layout, rank and ownership.
void views() {
  const numbers x = harmonic("views"), y("y", n);
  const hpk::View<double**> right("right", 50, 30);
  const hpk::View<double**, hpk::LayoutLeft> left("left", 50, 30);
  const hpk::View<double***> deep("deep", 6, 7, 8);
  const hpk::View<double****, hpk::LayoutLeft> deeper("deeper", 3, 4, 5, 6);
  const hpk::View<double[4][5]> fixed("fixed");
  const hpk::View<double> one("one");
  const numbers empty("empty", 0), none;
  hpk::parallel_for(
      "views.layouts", 50, HPK_LAMBDA(int i) {
        for (int j = 0; j < 30; ++j) {
          right(i, j) = x(i) + j;
          left(i, j) = right(i, j) - left(i, 29 - j);
        }
      });
  hpk::parallel_for(
      "views.ranks", 3, HPK_LAMBDA(int i) {
        if (i == 0) one() += 1;
        for (int j = 0; j < 4; ++j) {
          fixed(j, i) += x(j);
          for (int k = 0; k < 5; ++k) deep(i, j, k) = deeper(i, j, k, 5) = i + 0.1 * j - k;
        }
      });
  const auto column = hpk::subview(right, hpk::ALL, 3);
  const auto row = hpk::subview(right, 2, hpk::ALL);
  const auto square = hpk::subview(left, hpk::pair(5, 20), hpk::pair(3, 18));
  hpk::parallel_for(
      "views.subviews", 15, HPK_LAMBDA(int i) {
        square(i, 0) = column(i) + square(i, 14);
        if (i > 4) row(i) = 7;
      });
  const hpk::View<double*, hpk::LayoutStride> strided(x.data(), hpk::LayoutStride(n / 3, 3));
  hpk::parallel_for("views.stride", n / 3, HPK_LAMBDA(int i) { strided(i) *= 2; });
  const hpk::View<double*, hpk::MemoryTraits<hpk::Unmanaged>> borrowed(x.data() + 10, n - 20);
  hpk::parallel_for("views.unmanaged", n - 20, HPK_LAMBDA(int i) { borrowed(i) += 1; });
  // Several Views of the same memory, and the same View more than once.
  const hpk::View<const double*> read = x;
  const numbers again = x;
  hpk::parallel_for(
      "views.twice", n - 20, HPK_LAMBDA(int i) {
        again(i) += 0 * read(i) + 0 * borrowed(i);
        x(i) += y(i);
      });
  hpk::parallel_for(
      "views.null", n, HPK_LAMBDA(int i) {
        if (none.data() != nullptr) none(i) = 1;
        if (empty.extent(0) != 0) empty(i) = 1;
        y(i) += 1;
      });
  const numbers unset(hpk::view_alloc("unset", hpk::WithoutInitializing), n);
  hpk::parallel_for(
      "views.unset", n, HPK_LAMBDA(int i) {
        if (i % 2 == 0) unset(i) = i;
      });
  const hpk::View<std::int64_t*, hpk::MemoryTraits<hpk::Atomic>> bins("bins", 8);
  hpk::parallel_for(
      "views.atomic", n, HPK_LAMBDA(int i) {
        bins(i % 8) += i;
        hpk::atomic_max(&bins.data()[i % 8], std::int64_t{i});
      });
}

// Views with different types of elements.
void elements() {
  const hpk::View<part*> parts("parts", n);
  const hpk::View<hpk::complex<double>*> turned("turned", n);
  const hpk::View<char*> letters("letters", n);
  const hpk::View<bool*> flags("flags", n);
  const hpk::View<float*> floats("floats", n);
  const hpk::View<unsigned short*> shorts("shorts", n);
  hpk::parallel_for("elements.parts", n, HPK_LAMBDA(int i) { parts(i) = {'a', 0.5 * i, i % 3}; });
  hpk::parallel_for(
      "elements.all", n, HPK_LAMBDA(int i) {
        parts(i).mass *= 3;
        turned(i) = hpk::complex<double>(i, parts(i).mass);
        letters(i) = char('a' + i % 26);
        flags(i) = i % 3 == 0;
        floats(i) += float(i) / 3;
        shorts(i) = static_cast<unsigned short>(3 * i);
      });
  if constexpr (on_host) {
    const hpk::View<numbers*, hpk::HostSpace> lists(
        hpk::view_alloc("lists", hpk::SequentialHostInit), 2);
    lists(0) = numbers("list 0", n);
    lists(1) = numbers("list 1", n);
    hpk::parallel_for("elements.views", n, HPK_LAMBDA(int i) { lists(1)(i) = lists(0)(i) + i; });
    // Memory in which no View was constructed, and Views that own each other.
    const hpk::View<numbers*, hpk::HostSpace> raw(hpk::view_alloc("raw", hpk::WithoutInitializing),
                                                  2);
    hpk::parallel_for(
        "elements.raw", n, HPK_LAMBDA(int i) { shorts(i) += raw.data() == nullptr ? 1 : 2; });
    const hpk::View<node*, hpk::HostSpace> tree("tree", 2);
    for (int k = 0; k < 2; ++k) tree(k) = {numbers(k == 0 ? "one" : "two", n), tree};
    hpk::parallel_for(
        "elements.tree", n, HPK_LAMBDA(int i) { tree(0).list(i) = i + tree(1).all(1).list(i); });
    for (int k = 0; k < 2; ++k) tree(k).all = {};
    const hpk::View<long double*> extended("extended", n);
    hpk::parallel_for("elements.extended", n, HPK_LAMBDA(int i) { extended(i) = 1.0L / (i + 1); });
  }
}

namespace {

struct shape {
  virtual HPK_FUNCTION double area(double x) const { return x; }
  HPK_FUNCTION virtual ~shape() {}
};
struct square final : shape {
  double side = 2;
  numbers y;
  HPK_FUNCTION double area(double x) const override { return x * side * side; }
  HPK_FUNCTION void operator()(int i) const {
    const shape& any = *this;
    y(i) = any.area(i);
  }
};
double doubled(double x) { return 2 * x; }
constexpr double table[] = {3, 1, 4, 1, 5, 9};
struct solver {
  numbers y;
  double step = 0.25;
  void by_copy() const {
    hpk::parallel_for("words.copy_of_this", n, HPK_CLASS_LAMBDA(int i) { y(i) += step; });
  }
  void by_this() const {
    hpk::parallel_for("refused.this", n, [this](int i) { y(i) += step; });
  }
};
void visit(int) {}
double at(int i) { return 1.0 / (i + 1); }
void add(int i, double& u) { u += at(i); }
void prefix(int i, double& u, bool) { u += at(i); }
class only_one {
 public:
  explicit only_one(const numbers& y) : y_(y) {}
  only_one(const only_one&) = delete;
  void operator()(int i) const { y_(i) = i; }

 private:
  numbers y_;
};

}  // namespace

// Captured words that are not Views.
void words() {
  const numbers y("y", n);
  square kernel;
  kernel.y = y;
  if constexpr (on_host) {
    const char* const literal = "replay";
    double (*const function)(double) = doubled;
    const double* const constants = table;
    hpk::parallel_for("words.literal", n, HPK_LAMBDA(int i) { y(i) = literal[i % 6]; });
    hpk::parallel_for("words.function", n, HPK_LAMBDA(int i) { y(i) = function(i); });
    hpk::parallel_for("words.constants", n, HPK_LAMBDA(int i) { y(i) += constants[i % 6]; });
    hpk::parallel_for("words.virtual", n, kernel);
    double sum = 0;
    hpk::parallel_for("words.plain_function", n, visit);
    hpk::parallel_reduce("words.function_of_sum", n, add, sum);
    hpk::parallel_scan("words.function_of_scan", n, prefix, sum);
  }
  const solver all{y};
  all.by_copy();
  const std::int64_t large = 0x123456789abc;
  const bool flag = true;
  const double pi = 3.14159;
  hpk::parallel_for(
      "words.numbers", n, HPK_LAMBDA(int i) { y(i) += flag ? pi * double(large) : double(i); });
}

// Captured words that are addresses of memory of no View.
void refused() {
  if constexpr (on_host) {
    const numbers y("y", n);
    double* const heap = new double[n]();
    hpk::parallel_for("refused.pointer", n, [=](int i) { y(i) = heap[i]; });
    double factor = 3;
    hpk::parallel_for("refused.reference", n, [y, &factor](int i) { y(i) *= factor; });
    static double variable = 2;
    double* const of_program = &variable;
    hpk::parallel_for("refused.variable", n, [=](int i) { y(i) += *of_program; });
    solver{y}.by_this();
    hpk::parallel_for("refused.no_copy", n, only_one(y));
    delete[] heap;
  }
}

#if HPK_TEST_CONTAINERS
void containers() {
  const numbers y("y", n);
  hpk::DualView<double*> pair("pair", n);
  const auto device = pair.view_device();
  hpk::parallel_for("containers.dual_view", n, HPK_LAMBDA(int i) { device(i) = 0.5 * i; });
  const hpk::UnorderedMap<int, double> map(2 * n);
  // One iteration, since the order of insertions determines the slots.
  hpk::parallel_for(
      "containers.insert", 1, HPK_LAMBDA(int) {
        for (int i = 0; i < 100; ++i) map.insert(7 * i, 0.5 * i);
      });
  hpk::parallel_for(
      "containers.find", n, HPK_LAMBDA(int i) {
        const auto slot = map.find(i);
        if (map.valid_at(slot)) y(i) = map.value_at(slot);
      });
  const hpk::Bitset<> bits(n);
  hpk::parallel_for(
      "containers.bitset", n, HPK_LAMBDA(int i) {
        if (i % 3 == 0) bits.set(unsigned(i));
      });
  const hpk::View<int*> bins("bins", 16);
  const auto shared =
      hpk::create_scatter_view<hpk::ScatterSum, hpk::ScatterNonDuplicated, hpk::ScatterAtomic>(
          bins);
  hpk::parallel_for("containers.scatter", n, HPK_LAMBDA(int i) { shared.access()(i % 16) += i; });
  hpk::contribute(bins, shared);
  const hpk::View<int*> sums("sums", 16);
  const auto copies =
      hpk::create_scatter_view<hpk::ScatterSum, hpk::ScatterDuplicated, hpk::ScatterNonAtomic>(
          sums);
  hpk::parallel_for(
      "containers.scatter_copies", n, HPK_LAMBDA(int i) { copies.access()(i % 16) += i; });
  hpk::contribute(sums, copies);
}
#else
void containers() {}
#endif

}  // namespace hpk_test
