// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scattered contributions, as in histograms and assembly, by ScatterView.
#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>

#include <cstdio>

namespace KE = Kokkos::Experimental;

// Each particle adds its charge to the two cells around it.
struct Deposit {
  using scatter_type = KE::ScatterView<double*>;
  scatter_type charge;
  Kokkos::View<double*> place;

  KOKKOS_INLINE_FUNCTION void operator()(const int p) const {
    auto access = charge.access();
    const int cell = static_cast<int>(place(p));
    const double part = place(p) - cell;
    access(cell) += 1.0 - part;
    access(cell + 1) += part;
  }
};

// The types that programs write for the result of create_scatter_view.
struct Written {
  using exec = Kokkos::DefaultExecutionSpace;
  using duplication = Kokkos::Impl::Experimental::DefaultDuplication<exec>::type;
  using contribution = Kokkos::Impl::Experimental::DefaultContribution<exec, duplication>::type;
  KE::ScatterView<double* [3], Kokkos::LayoutRight, exec, KE::ScatterSum, KE::ScatterDuplicated,
                  KE::ScatterNonAtomic>
      copied;
  KE::ScatterView<double* [3], Kokkos::LayoutRight, exec, KE::ScatterSum, duplication, contribution>
      usual;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    copied.access()(i % 4, 1) += 1;
    usual.access()(i % 4, 2) += 2;
  }
};

struct Extremes {
  KE::ScatterView<int*, Kokkos::DefaultExecutionSpace::array_layout, Kokkos::DefaultExecutionSpace,
                  KE::ScatterMin>
      least;
  KE::ScatterView<int*, Kokkos::DefaultExecutionSpace::array_layout, Kokkos::DefaultExecutionSpace,
                  KE::ScatterMax>
      most;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    auto a = least.access();
    auto b = most.access();
    const int value = (i * 37) % 101;
    a(i % 4).update(value);
    b(i % 4).update(value);
  }
};

template <class V>
void print(const char* name, const V& view) {
  auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::printf("%s:", name);
  for (std::size_t k = 0; k < mirror.extent(0); ++k)
    std::printf(" %g", static_cast<double>(mirror(k)));
  std::printf("\n");
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    const int particles = 1000;
    Kokkos::View<double*> place("place", particles);
    Kokkos::parallel_for(particles, KOKKOS_LAMBDA(const int p) { place(p) = (p % 40) * 0.25; });
    Kokkos::View<double*> charge("charge", 11);
    auto scatter = KE::create_scatter_view(charge);
    static_assert(KE::is_scatter_view<decltype(scatter)>::value, "");
    for (int step = 0; step < 2; ++step) {
      scatter.reset();
      Kokkos::parallel_for("deposit", particles, Deposit{scatter, place});
      KE::contribute(charge, scatter);
    }
    print("charge", charge);

    Kokkos::View<int*> low("low", 4), high("high", 4);
    Kokkos::deep_copy(low, 50);
    auto least = KE::create_scatter_view<KE::ScatterMin>(low);
    auto most = KE::create_scatter_view(KE::ScatterMax(), high);
    Kokkos::parallel_for("extremes", 20, Extremes{least, most});
    KE::contribute(low, least);
    KE::contribute(high, most);
    print("low", low);
    print("high", high);

    // Of rank 2, without copies.
    Kokkos::View<int* [2]> pairs("pairs", 3);
    auto atomic = KE::create_scatter_view(KE::ScatterSum(), KE::ScatterNonDuplicated(),
                                          KE::ScatterAtomic(), pairs);
    Kokkos::parallel_for(
        30, KOKKOS_LAMBDA(const int i) {
          auto access = atomic.access();
          access(i % 3, 0) += i;
          access(i % 3, 1)++;
        });
    KE::contribute(pairs, atomic);
    print("sums", Kokkos::subview(pairs, Kokkos::ALL, 0));
    print("counts", Kokkos::subview(pairs, Kokkos::ALL, 1));

    Kokkos::View<double* [3], Kokkos::LayoutRight> one("one", 4), two("two", 4);
    Written written;
    written.copied = KE::create_scatter_view(KE::ScatterSum{}, one);
    written.usual = KE::create_scatter_view(two);
    Kokkos::parallel_for("written", 10, written);
    KE::contribute(one, written.copied);
    KE::contribute(two, written.usual);
    print("ones", Kokkos::subview(one, Kokkos::ALL, 1));
    print("twos", Kokkos::subview(two, Kokkos::ALL, 2));

    // Products, with copies, override of the contribution, and a label.
    KE::ScatterView<double*, Kokkos::LayoutRight, Kokkos::DefaultHostExecutionSpace,
                    KE::ScatterProd, KE::ScatterDuplicated, KE::ScatterNonAtomic>
        products("products", 2);
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 8),
                         [=](const int i) {
                           auto access = products.access<KE::ScatterNonAtomic>();
                           access(i % 2) *= 2.0;
                           if (i == 1) access(1) /= 4.0;
                         });
    Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace> result("result", 2);
    Kokkos::deep_copy(result, 3.0);
    products.contribute_into(result);
    print("products", result);
    // Contributions start from the identity, for any allocation properties.
    KE::ScatterView<double*> sized(Kokkos::view_alloc("sized", Kokkos::WithoutInitializing), 2.5);
    Kokkos::View<double*, Kokkos::LayoutRight> totals("totals", 2);
    Kokkos::parallel_for(8, KOKKOS_LAMBDA(const int i) { sized.access()(i % 2) += i; });
    sized.contribute_into(totals);
    print("totals", totals);
    Kokkos::realloc(products, 5);
    std::printf("allocated: %d, label %s\n", products.is_allocated() ? 1 : 0,
                products.subview().label().c_str());
  }
  Kokkos::finalize();
  return 0;
}
