// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The std-like algorithms, on Views and iterators, on an instance and in teams: a day of
// measurements is cleaned, summed and searched, then a separate team processes each sensor's row.

#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <cstdio>
#include <string>

namespace KE = Kokkos::Experimental;

using Exec = Kokkos::DefaultExecutionSpace;
using Row = Kokkos::View<double*, Exec>;

struct IsValid {
  KOKKOS_INLINE_FUNCTION bool operator()(const double x) const { return x >= 0; }
};
struct Larger {
  KOKKOS_INLINE_FUNCTION bool operator()(const double a, const double b) const { return a > b; }
};
template <class T>
struct Largest {
  KOKKOS_INLINE_FUNCTION T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Squared {
  KOKKOS_INLINE_FUNCTION double operator()(const double x) const { return x * x; }
};
struct Raise {
  double by;
  KOKKOS_INLINE_FUNCTION void operator()(double& x) const { x += by; }
};

// Normalises the rows of a matrix: one team each.
template <class Matrix, class Results>
struct TreatRows {
  Matrix rows;
  Results first_peak, sums, ends;
  KOKKOS_INLINE_FUNCTION
  void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int i = team.league_rank();
    auto row = Kokkos::subview(rows, i, Kokkos::ALL());
    KE::replace_if(team, row, Larger9(), 9.0);
    KE::rotate(team, row, static_cast<std::size_t>(i));
    const auto peak = KE::max_element(team, row);
    const double sum = KE::reduce(team, KE::cbegin(row), KE::cend(row), 0.0);
    const auto end = KE::remove(team, KE::begin(row), KE::end(row), 0.0);
    if (team.team_rank() == 0) {
      first_peak(i) = static_cast<int>(KE::distance(KE::begin(row), peak));
      sums(i) = static_cast<int>(sum);
      ends(i) = static_cast<int>(KE::distance(KE::begin(row), end));
    }
    team.team_barrier();
  }
  struct Larger9 {
    KOKKOS_INLINE_FUNCTION bool operator()(const double x) const { return x > 9; }
  };
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    const int n = 5000;
    Exec exec;
    Row raw("raw", n), clean("clean", n), other("other", n);
    Kokkos::parallel_for(
        "measure", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(const int i) {
          // Every seventh value is invalid.
          raw(i) = i % 7 == 3 ? -1.0 : (i * 37) % 101;
        });

    const auto valid = KE::count_if(exec, raw, IsValid());
    const auto end = KE::copy_if("clean", exec, raw, clean, IsValid());
    const auto kept = KE::distance(KE::begin(clean), end);
    std::printf("%ld valid, %ld kept\n", static_cast<long>(valid), static_cast<long>(kept));
    auto used = Kokkos::subview(clean, std::make_pair(std::size_t(0), std::size_t(kept)));

    std::printf("sum %.0f, squares %.0f, largest %.0f\n", KE::reduce(exec, used),
                KE::transform_reduce(
                    exec, KE::cbegin(used), KE::cend(used), 0.0,
                    KOKKOS_LAMBDA(const double a, const double b) { return a + b; }, Squared()),
                KE::reduce("largest", exec, used, 0.0, Largest<double>()));

    const auto least = KE::min_element(exec, used);
    const auto both = KE::minmax_element(exec, KE::begin(used), KE::end(used));
    std::printf("least at %ld, greatest at %ld\n",
                static_cast<long>(KE::distance(KE::begin(used), least)),
                static_cast<long>(both.second - KE::begin(used)));
    const auto seventy = KE::find(exec, KE::cbegin(used), KE::cend(used), 70.0);
    std::printf("70 first at %ld; any above 100: %s; all valid: %s\n",
                static_cast<long>(seventy - KE::cbegin(used)),
                KE::any_of(
                    exec, used, KOKKOS_LAMBDA(const double x) { return x > 100; })
                    ? "yes"
                    : "no",
                KE::all_of(std::string("valid"), exec, used, IsValid()) ? "yes" : "no");

    KE::for_each(exec, used, Raise{1.0});
    KE::exclusive_scan(exec, used, other, 0.0);
    KE::adjacent_difference(exec, KE::begin(other), KE::begin(other) + kept, KE::begin(raw));
    // The differences of the prefix sums are the values, one place further.
    std::printf(
        "scanned and back: %s\n",
        KE::equal(exec, KE::begin(used), KE::end(used) - 1, KE::begin(raw) + 1) ? "same" : "other");
    std::printf("sorted until %ld, prefixes sorted: %s\n",
                static_cast<long>(KE::is_sorted_until(exec, used) - KE::begin(used)),
                KE::is_sorted(exec, KE::begin(other), KE::begin(other) + kept) ? "yes" : "no");

    KE::transform(
        exec, used, other,
        KOKKOS_LAMBDA(const double x) { return static_cast<double>(static_cast<int>(x) / 60); });
    const auto last = KE::unique(exec, KE::begin(other), KE::begin(other) + kept);
    std::printf("%ld runs\n", static_cast<long>(last - KE::begin(other)));
    const auto parts = KE::partition_copy(
        exec, KE::begin(used), KE::end(used), KE::begin(raw), KE::begin(other),
        KOKKOS_LAMBDA(const double x) { return x < 51; });
    std::printf("%ld low, %ld high\n", static_cast<long>(parts.first - KE::begin(raw)),
                static_cast<long>(parts.second - KE::begin(other)));

    KE::reverse(exec, used);
    KE::fill_n(exec, used, 3, 0.5);
    const auto shifted = KE::shift_left(exec, used, 2);
    KE::swap_ranges(exec, KE::begin(used), KE::begin(used) + 10, KE::begin(used) + 10);
    KE::iter_swap(KE::begin(used), KE::begin(used) + 10);
    auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), clean);
    std::printf("%ld left, starts with %.1f %.1f, then %.1f %.1f\n",
                static_cast<long>(shifted - KE::begin(used)), host(0), host(1), host(10), host(11));

    // The end of an algorithm in a part of a View, counted from the start of the View.
    const auto part = Kokkos::subview(used, std::make_pair(20, 30));
    const auto source = Kokkos::subview(used, std::make_pair(5, 9));
    const auto copied = KE::copy(exec, source, part);
    std::printf("copied up to %ld\n", static_cast<long>(KE::distance(KE::begin(used), copied)));
#ifndef KOKKOS_ENABLE_DEBUG
    // Only debug builds check for overlaps.
    KE::copy(exec, part, part);
#endif

    Kokkos::View<double**, Kokkos::LayoutRight, Exec> rows("rows", 4, 30);
    Kokkos::parallel_for(
        "rows", 4, KOKKOS_LAMBDA(const int i) {
          for (int j = 0; j < 30; ++j) rows(i, j) = (i + 3 * j) % 11;
        });
    Kokkos::View<int*, Exec> peaks("peaks", 4), sums("sums", 4), ends("ends", 4);
    using Treat = TreatRows<decltype(rows), decltype(peaks)>;
    Kokkos::parallel_for("treat", Kokkos::TeamPolicy<Exec>(4, Kokkos::AUTO),
                         Treat{rows, peaks, sums, ends});
    auto p = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), peaks);
    auto s = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    auto e = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ends);
    for (int i = 0; i < 4; ++i)
      std::printf("row %d: first peak %d, sum %d, %d not zero\n", i, p(i), s(i), e(i));
  }
  Kokkos::finalize();
  return 0;
}
