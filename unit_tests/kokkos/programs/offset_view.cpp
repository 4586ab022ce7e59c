// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat on a grid with ghost cells: the indices of the inner cells begin at 0; the ghost cells
// surround them.
#include <Kokkos_Core.hpp>
#include <Kokkos_OffsetView.hpp>

#include <cstdint>
#include <cstdio>

using exec = Kokkos::DefaultExecutionSpace;
using grid = Kokkos::Experimental::OffsetView<double**, Kokkos::LayoutRight, exec>;
using line = Kokkos::Experimental::OffsetView<int*, exec>;

struct Step {
  grid from, to;
  KOKKOS_INLINE_FUNCTION void operator()(const int64_t i, const int64_t j) const {
    to(i, j) = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1));
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    const int64_t n = 16;
    grid a("a", {-1, n}, {-1, n});
    grid b("b", {-1, n}, {-1, n});
    std::printf("%s: [%lld, %lld) of %zu, rank %u\n", a.label().c_str(), (long long)a.begin(0),
                (long long)a.end(0), a.extent(0), (unsigned)grid::rank());
    Kokkos::deep_copy(a, 0.0);
    auto h = Kokkos::create_mirror_view(a);
    static_assert(Kokkos::Experimental::is_offset_view<decltype(h)>::value, "");
    for (int64_t i = h.begin(0); i < h.end(0); ++i)
      for (int64_t j = h.begin(1); j < h.end(1); ++j) h(i, j) = j == -1 ? 64 : 0;
    Kokkos::deep_copy(a, h);
    Kokkos::deep_copy(b, a);

    Kokkos::MDRangePolicy<exec, Kokkos::Rank<2>, Kokkos::IndexType<int64_t>> inner(
        {a.begin(0) + 1, a.begin(1) + 1}, {a.end(0) - 1, a.end(1) - 1});
    for (int step = 0; step < 8; ++step) {
      Kokkos::parallel_for("step", inner, Step{a, b});
      swap(a, b);
    }
    auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
    std::printf("begins %lld %lld, a(8, 0) = %.4f, a(8, 1) = %.4f, a(8, -1) = %.1f\n",
                (long long)result.begins()[0], (long long)result.begin(1), result(8, 0),
                result(8, 1), result(8, -1));

    // Parts: ALL keeps the begin, a pair begins at 0.
    auto column = Kokkos::Experimental::subview(result, Kokkos::ALL, 0);
    auto part = Kokkos::Experimental::subview(result, 8, Kokkos::make_pair(-1, 3));
    std::printf("column from %lld: %.4f, part from %lld: %.1f\n", (long long)column.begin(0),
                column(8), (long long)part.begin(0), part(0));

    // The underlying View, and an OffsetView of a View.
    Kokkos::View<double**, Kokkos::LayoutRight, exec> plain = a.view();
    grid again(plain, {100, 200});
    std::printf("same %d, other begins %d, view %d\n", int(a == grid(plain, a.begins())),
                int(a == again), int(again == plain));

    // An OffsetView of memory at a pointer: the ends are exclusive.
    int numbers[5] = {10, 20, 30, 40, 50};
    using wrapped = Kokkos::Experimental::OffsetView<int*, Kokkos::HostSpace>;
    wrapped w(numbers, {-2}, {3});
    std::printf("%d %d %zu, no begin of rank 1: %d\n", w(-2), w[2], w.extent(0),
                int(w.begin(1) == KOKKOS_INVALID_OFFSET));

    Kokkos::pair<int64_t, int64_t> range(3, 7);
    line l("l", {range.first, range.second});
    Kokkos::parallel_for(
        Kokkos::RangePolicy<exec>(l.begin(0), l.end(0)),
        KOKKOS_LAMBDA(const int64_t i) { l(i) = static_cast<int>(i * i); });
    int sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<exec>(l.begin(0), l.end(0)),
        KOKKOS_LAMBDA(const int64_t i, int& s) { s += l(i); }, sum);
    std::printf("sum of squares from 3 to 7: %d\n", sum);
    Kokkos::Experimental::OffsetView<const int*, exec> reading = l;
    std::printf("%lld\n", (long long)reading.end(0));
  }
  Kokkos::finalize();
}
