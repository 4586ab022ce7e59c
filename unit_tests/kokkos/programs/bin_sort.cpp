// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binning as in particle codes: BinSort with BinOp1D, BinOp3D and a user-defined bin operator,
// several permuted Views, bin counts and offsets read on the device and on the host.
#include <Kokkos_Core.hpp>
#include <Kokkos_Sort.hpp>

#include <cstdio>

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;

// Even keys in bin 0, odd ones in bin 1; in a bin by value.
template <class KeyViewType>
struct EvenOdd {
  KOKKOS_FUNCTION int max_bins() const { return 2; }
  template <class ViewType>
  KOKKOS_FUNCTION int bin(ViewType& keys, const int& i) const {
    return keys(i) % 2;
  }
  template <class ViewType, class I1, class I2>
  KOKKOS_FUNCTION bool operator()(ViewType& keys, I1& i1, I2& i2) const {
    return keys(i1) < keys(i2);
  }
};

static void uniform_bins() {
  constexpr int n = 2000;
  using KeyView = Kokkos::View<double*>;
  KeyView keys("keys", n);
  Kokkos::View<int*> ids("ids", n);
  Kokkos::View<float**> velocity("velocity", n, 3);
  Kokkos::parallel_for(
      "particles", n, KOKKOS_LAMBDA(int i) {
        keys(i) = (i * 7919 % 1009) / 1009.0;
        ids(i) = i;
        for (int d = 0; d < 3; ++d) velocity(i, d) = static_cast<float>(3 * i + d);
      });
  using BinOp = Kokkos::BinOp1D<KeyView>;
  const BinOp op(10, 0.0, 1.0);
  Kokkos::BinSort<KeyView, BinOp> sorter(keys, op, true);
  sorter.create_permute_vector();
  sorter.sort(keys);
  sorter.sort(ids);
  sorter.sort(velocity);
  const auto offsets = sorter.get_bin_offsets();
  const Kokkos::View<const int*, memory> counts = sorter.get_bin_count();
  const Kokkos::View<memory::size_type*, memory> permutation = sorter.get_permute_vector();
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", n,
      KOKKOS_LAMBDA(int i, int& sum) {
        const int id = ids(i);
        if (keys(i) != (id * 7919 % 1009) / 1009.0) ++sum;
        if (velocity(i, 2) != static_cast<float>(3 * id + 2)) ++sum;
        if (i > 0 && keys(i) < keys(i - 1)) ++sum;
        if (static_cast<int>(permutation(i)) != id) ++sum;
        const int bin = static_cast<int>(keys(i) * 10);
        const auto place = static_cast<std::size_t>(i);
        if (place < offsets(bin) || place >= offsets(bin) + static_cast<std::size_t>(counts(bin)))
          ++sum;
      },
      wrong);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::printf("uniform bins:");
  for (int b = 0; b < 10; ++b) std::printf(" %d", static_cast<int>(host(b)));
  std::printf(", %d wrong\n", wrong);
}

static void boxes() {
  constexpr int n = 3000;
  using KeyView = Kokkos::View<double* [3]>;
  KeyView points("points", n);
  Kokkos::parallel_for(
      "points", n, KOKKOS_LAMBDA(int i) {
        points(i, 0) = (i * 17 % 101) / 101.0;
        points(i, 1) = (i * 29 % 103) / 103.0;
        points(i, 2) = (i * 31 % 107) / 107.0;
      });
  int bins[3] = {4, 4, 4};
  double low[3] = {0, 0, 0};
  double high[3] = {1, 1, 1};
  using BinOp = Kokkos::BinOp3D<KeyView>;
  const BinOp op(bins, low, high);
  Kokkos::BinSort<KeyView, BinOp> sorter(space(), points, 0, n, op);
  sorter.create_permute_vector(space());
  sorter.sort(space(), points, 0, n);
  const auto offsets = sorter.get_bin_offsets();
  const auto counts = sorter.get_bin_count();
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check boxes", 64,
      KOKKOS_LAMBDA(int b, int& sum) {
        for (std::size_t i = offsets(b); i < offsets(b) + std::size_t(counts(b)); ++i) {
          int box = 0;
          for (int d = 0; d < 3; ++d) box = 4 * box + static_cast<int>(4 * points(i, d));
          if (box != b) ++sum;
        }
      },
      wrong);
  std::printf("boxes: %d bins, %d points in a wrong one\n", op.max_bins(), wrong);
}

static void own_operator() {
  using KeyView = Kokkos::View<int*, memory>;
  KeyView keys("keys", 10);
  Kokkos::parallel_for(
      "keys", Kokkos::RangePolicy<space>(0, 10), KOKKOS_LAMBDA(int i) { keys(i) = i * 7 % 10; });
  Kokkos::BinSort<KeyView, EvenOdd<KeyView>, space> sorter(keys, EvenOdd<KeyView>(), true);
  sorter.create_permute_vector();
  sorter.sort(keys);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), keys);
  std::printf("even, then odd:");
  for (int i = 0; i < 10; ++i) std::printf(" %d", host(i));
  std::printf("\n");
}

// A class that makes its sorter later, and initially has an attribute without particles.
template <class KeyView>
struct Binning {
  using op_type = Kokkos::BinOp1D<KeyView>;
  Kokkos::BinSort<KeyView, op_type, typename KeyView::device_type, unsigned> sorter;
  op_type op;
  void update(const KeyView& keys) {
    op = op_type(4, 0u, 8u);
    sorter = {space(), keys, op, true};
    sorter.create_permute_vector(space());
  }
};

static void made_later() {
  using KeyView = Kokkos::View<unsigned*, memory>;
  KeyView keys("keys", 8);
  Kokkos::parallel_for(
      "keys", 8, KOKKOS_LAMBDA(int i) { keys(i) = static_cast<unsigned>(i * 5 % 8); });
  Binning<KeyView> binning;
  binning.update(keys);
  binning.sorter.sort(space(), keys);
  binning.sorter.sort(Kokkos::View<float**>("empty", 0, 3));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), keys);
  std::printf("made later:");
  for (int i = 0; i < 8; ++i) std::printf(" %u", host(i));
  std::printf("\n");

  // One thread sorts a View declared for another host space.
  using HostKeys = Kokkos::View<unsigned*, Kokkos::HostSpace>;
  using HostOp = Kokkos::BinOp1D<HostKeys>;
  Kokkos::BinSort<HostKeys, HostOp, HostKeys::device_type, unsigned> serial(Kokkos::Serial(), host,
                                                                            HostOp(2, 0u, 7u));
  serial.create_permute_vector(Kokkos::Serial());
  std::printf("on one thread: %u keys in the last bin\n",
              static_cast<unsigned>(serial.get_bin_count()(2)));
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  uniform_bins();
  boxes();
  own_operator();
  made_later();
  Kokkos::finalize();
  return 0;
}
