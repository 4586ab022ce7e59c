// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields whose rank is read from the input: basis functions, tensors and their contraction with
// DynRankView, as in finite element libraries.

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>

#include <cstdio>
#include <utility>

#include "check.hpp"

typedef Kokkos::DefaultExecutionSpace::device_type device;
typedef Kokkos::DynRankView<double, device> field;

// out(c, p) = sum over d of left(c, p, d...) * right(c, p, d...), for any rank of at least 2.
struct contract {
  field out, left, right;
  KOKKOS_INLINE_FUNCTION void operator()(const int c) const {
    for (int p = 0; p < static_cast<int>(out.extent(1)); ++p) {
      double sum = 0;
      for (size_t d = 0; d < left.extent(2); ++d)
        for (size_t e = 0; e < left.extent(3); ++e)
          sum += left.access(c, p, d, e) * right.access(c, p, d, e);
      out(c, p) = sum;
    }
  }
};

struct fill {
  field f;
  KOKKOS_INLINE_FUNCTION void operator()(const int c) const {
    for (size_t p = 0; p < f.extent(1); ++p)
      for (size_t d = 0; d < f.extent(2); ++d)
        for (size_t e = 0; e < f.extent(3); ++e)
          f.access(c, p, d, e) = 1 + c + static_cast<double>(p * (d + 1) + e);
  }
};

template <class ViewType>
struct is_a_field : Kokkos::is_dyn_rank_view<ViewType> {};

double total_of(const field& f) {
  auto host = Kokkos::create_mirror_view(f);
  Kokkos::deep_copy(host, f);
  double total = 0;
  for (size_t c = 0; c < host.extent(0); ++c)
    for (size_t p = 0; p < host.extent(1); ++p) total += host(c, p);
  return total;
}

struct count_elements {
  size_t* count;
  template <class ViewType>
  void operator()(const ViewType& v) const {
    *count = 100 * ViewType::rank() + v.size();
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard scope(argc, argv);
  static_assert(is_a_field<field>::value, "");

  const int cells = 5, points = 4;
  for (int rank = 2; rank <= 4; ++rank) {
    field left, right;
    const size_t none = KOKKOS_INVALID_INDEX;
    const size_t d = rank > 2 ? 3 : none, e = rank > 3 ? 2 : none;
    left = field("left", cells, points, d, e);
    right = field(Kokkos::view_alloc("right", Kokkos::WithoutInitializing), cells, points, d, e);
    REQUIRE(Kokkos::rank(left) == static_cast<unsigned>(rank) && left.rank() == right.rank());
    REQUIRE(left.extent(4) == 1 && left.extent_int(1) == points);
    Kokkos::parallel_for("fill", cells, fill{left});
    Kokkos::deep_copy(right, 0.5);
    field out("out", cells, points);
    Kokkos::parallel_for("contract", cells, contract{out, left, right});
    Kokkos::fence();
    std::printf("rank %d: %g\n", rank, total_of(out));
  }

  // Views of static rank become DynRankViews and vice versa.
  Kokkos::View<double**, device> matrix("matrix", cells, points);
  Kokkos::deep_copy(matrix, 2);
  field from_view = matrix;
  REQUIRE(from_view.rank() == 2 && from_view.data() == matrix.data());
  auto back = Kokkos::Impl::as_view_of_rank_n<2>(from_view);
  REQUIRE(back == matrix);
  size_t counted = 0;
  Kokkos::Impl::apply_to_view_of_static_rank(count_elements{&counted}, from_view);
  REQUIRE(counted == 220);
  REQUIRE(from_view.DownCast().extent(0) == 5);
  const field& reference = from_view;
  Kokkos::View<double*******, device> all = reference.ConstDownCast();
  REQUIRE(all.data() == matrix.data() && all.extent(1) == 4);
  const auto common = Kokkos::common_view_alloc_prop(from_view, Kokkos::DynRankView<int>());
  typedef decltype(common)::value_type common_value;
  Kokkos::DynRankView<common_value, device> result(Kokkos::view_alloc("result", common), cells);
  REQUIRE(std::is_same<common_value, double>::value && result.rank() == 1);

  // Subviews, resize with another rank, copies with Views, and layouts.
  Kokkos::DynRankView<int, Kokkos::HostSpace> table("table", 4, 6);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) table(i, j) = 10 * i + j;
  auto row = Kokkos::subview(table, 2, Kokkos::ALL());
  auto block = Kokkos::subdynrankview(table, std::make_pair(1, 3), std::make_pair(2, 5));
  REQUIRE(row.rank() == 1 && row(5) == 25 && block.rank() == 2 && block(1, 2) == 24);
  Kokkos::resize(table, 6, 3, 2);
  REQUIRE(table.rank() == 3 && table(3, 2, 0) == 32 && table(3, 2, 1) == 0);
  const double growth = 1.5;
  Kokkos::DynRankView<int, Kokkos::HostSpace> grown("grown", growth * 4, 2.9f);
  REQUIRE(grown.rank() == 2 && grown.extent(0) == 6 && grown.extent(1) == 2);
  Kokkos::resize(grown, growth * 6);
  REQUIRE(grown.rank() == 1 && grown.extent(0) == 9);
  try {
    Kokkos::realloc(grown, -growth);
    REQUIRE(false);
  } catch (const std::exception& e) {
    REQUIRE(std::string(e.what()).find("-1.5") != std::string::npos);
  }
  Kokkos::realloc(table, 7);
  REQUIRE(table.rank() == 1 && table.extent(0) == 7 && table[6] == 0 && table.label() == "table");
  Kokkos::DynRankView<int, Kokkos::LayoutLeft, Kokkos::HostSpace> left_table(
      "left", Kokkos::LayoutLeft(3, 2));
  Kokkos::View<int**, Kokkos::HostSpace> view("view", 3, 2);
  view(2, 1) = 7;
  Kokkos::deep_copy(left_table, view);
  REQUIRE(left_table(2, 1) == 7 && left_table.stride(1) == 3);
  left_table(0, 0) = 9;
  Kokkos::deep_copy(view, left_table);
  REQUIRE(view(0, 0) == 9);
  int memory[6] = {0, 1, 2, 3, 4, 5};
  Kokkos::DynRankView<int, Kokkos::LayoutRight, Kokkos::HostSpace> wrapped(memory, 2, 3);
  REQUIRE(wrapped(1, 1) == 4 && wrapped.required_allocation_size(2, 3) == 6 * sizeof(int));
  Kokkos::DynRankView<const int, Kokkos::LayoutRight, Kokkos::HostSpace> reading = wrapped;
  REQUIRE(reading(1, 2) == 5);

  std::printf("table of rank %d, %d elements\n", static_cast<int>(table.rank()),
              static_cast<int>(table.size()));
  return errors == 0 ? 0 : 1;
}
