// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random sequences of all functions of DynRankView, compared with a vector and the indices of its
// elements.
#include <hpk/containers/dyn_rank_view.hpp>

#include <support/elements.hpp>

#include <random>
#include <vector>

namespace dyn_rank_view_test {
namespace {

using hpk::DynRankView;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk_test::tuple8;

// The rank, the extents, and the elements in the order of LayoutRight.
struct model {
  int rank = 0;
  tuple8 extents = {1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<int> values = {0};

  std::size_t size() const {
    std::size_t product = 1;
    for (std::size_t r = 0; r < 7; ++r) product *= extents[r];
    return product;
  }
  int& at(const tuple8& index) {
    std::size_t offset = 0;
    for (std::size_t r = 0; r < 7; ++r) offset = offset * extents[r] + index[r];
    return values[offset];
  }
  // Changes the extents and keeps the elements in both shapes.
  void resize(int new_rank, const tuple8& new_extents) {
    model next;
    next.rank = new_rank;
    next.extents = new_extents;
    next.values.assign(next.size(), 0);
    hpk_test::for_each_index(7, new_extents, true, [&](const tuple8& index) {
      bool common = true;
      for (std::size_t r = 0; r < 7; ++r) common = common && index[r] < extents[r];
      if (common) next.at(index) = at(index);
    });
    *this = next;
  }
};

template <class Call>
void with_extents(int rank, const tuple8& n, const Call& call) {
  switch (rank) {
    case 0:
      return call();
    case 1:
      return call(n[0]);
    case 2:
      return call(n[0], n[1]);
    case 3:
      return call(n[0], n[1], n[2]);
    case 4:
      return call(n[0], n[1], n[2], n[3]);
    case 5:
      return call(n[0], n[1], n[2], n[3], n[4]);
    case 6:
      return call(n[0], n[1], n[2], n[3], n[4], n[5]);
    default:
      return call(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
  }
}

tuple8 random_extents(std::mt19937& random, int rank) {
  tuple8 extents = {1, 1, 1, 1, 1, 1, 1, 1};
  const unsigned most = rank <= 2 ? 6 : rank <= 4 ? 3 : 2;
  for (int r = 0; r < rank; ++r)
    extents[static_cast<std::size_t>(r)] = random() % 20 == 0 ? 0 : 1 + random() % most;
  return extents;
}

template <class V>
void expect_equal(const V& view, model& expected, const char* what) {
  ASSERT_EQ(view.rank(), static_cast<std::size_t>(expected.rank)) << what;
  for (std::size_t r = 0; r < 7; ++r) ASSERT_EQ(view.extent(r), expected.extents[r]) << what;
  hpk_test::for_each_index(7, expected.extents, true, [&](const tuple8& i) {
    ASSERT_EQ(view.access(i[0], i[1], i[2], i[3], i[4], i[5], i[6]), expected.at(i)) << what;
  });
}

// Runs steps on host Views of a layout; `Away` is the other space of copies.
template <class Layout, class Away>
void run_sequences(int sequences, int steps) {
  std::mt19937 random(11);
  for (int sequence = 0; sequence < sequences; ++sequence) {
    SCOPED_TRACE(sequence);
    model expected;
    DynRankView<int, Layout, HostSpace> view("view");
    for (int step = 0; step < steps; ++step) {
      const int rank = static_cast<int>(random() % 8);
      const tuple8 extents = random_extents(random, rank);
      const char* what = "";
      switch (random() % 7) {
        case 0:
          what = "resize";
          with_extents(rank, extents, [&](auto... ns) { resize(view, ns...); });
          expected.resize(rank, extents);
          break;
        case 1:
          what = "realloc";
          with_extents(rank, extents, [&](auto... ns) { realloc(view, ns...); });
          expected.rank = rank;
          expected.extents = extents;
          expected.values.assign(expected.size(), 0);
          break;
        case 2: {
          what = "padded";
          DynRankView<int, Layout, HostSpace> padded;
          with_extents(expected.rank, expected.extents, [&](auto... ns) {
            padded = DynRankView<int, Layout, HostSpace>(
                hpk::view_alloc("padded", hpk::AllowPadding), ns...);
          });
          deep_copy(padded, view);
          view = padded;
          break;
        }
        case 3: {
          what = "there and back";
          const auto away = hpk::create_mirror(Away(), view);
          deep_copy(away, view);
          deep_copy(view, -1);
          deep_copy(view, away);
          break;
        }
        case 4: {
          what = "one element";
          if (expected.size() == 0) break;
          tuple8 index{};
          for (std::size_t r = 0; r < 7; ++r) index[r] = random() % expected.extents[r];
          const int value = static_cast<int>(random() % 1000);
          view.access(index[0], index[1], index[2], index[3], index[4], index[5], index[6]) = value;
          expected.at(index) = value;
          break;
        }
        case 5: {
          what = "part";
          if (expected.size() == 0) break;
          const int value = static_cast<int>(random() % 1000);
          const auto end = 1 + random() % expected.extents[0];
          const auto second = random() % expected.extents[1];
          if (expected.rank < 2) {
            deep_copy(subview(view, std::pair<std::size_t, std::size_t>(0, end), 0, 0, 0, 0, 0, 0),
                      value);
          } else {
            deep_copy(subview(view, std::pair<std::size_t, std::size_t>(0, end), second, hpk::ALL,
                              hpk::ALL, hpk::ALL, hpk::ALL, hpk::ALL),
                      value);
          }
          hpk_test::for_each_index(7, expected.extents, true, [&](const tuple8& i) {
            if (i[0] < end && (expected.rank < 2 || i[1] == second)) expected.at(i) = value;
          });
          break;
        }
        default:
          what = "through a View of static rank";
          hpk::visit_rank(
              [&](const auto& fixed) {
                DynRankView<int, Layout, HostSpace> again = fixed;
                EXPECT_TRUE(again == view);
                deep_copy(again, fixed);
                const DynRankView<int, LayoutStride, HostSpace> strided = fixed;
                view = strided;
              },
              view);
          break;
      }
      expect_equal(view, expected, what);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(DynRankViewHost, random_sequences) {
  run_sequences<LayoutRight, hpk::Serial>(10000, 6);
  run_sequences<LayoutLeft, hpk::Serial>(10000, 6);
}

template <class Exec>
class DynRankView_ : public testing::Test {};
TYPED_TEST_SUITE(DynRankView_, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DynRankView_, random_sequences_through_its_memory) {
  run_sequences<LayoutRight, TypeParam>(100, 10);
  run_sequences<LayoutLeft, TypeParam>(100, 10);
}

// One function for a heat step over fields of rank 1 to 3.
template <class V>
struct heat_step {
  V to;
  V from;
  HPK_FUNCTION void operator()(int i) const {
    const int n = from.extent_int(0);
    const int left = i == 0 ? n - 1 : i - 1;
    const int right = i == n - 1 ? 0 : i + 1;
    for (int j = 0; j < from.extent_int(1); ++j)
      for (int k = 0; k < from.extent_int(2); ++k)
        to.access(i, j, k) =
            from.access(left, j, k) + from.access(right, j, k) - from.access(i, j, k);
  }
};

HPK_TYPED_TEST(DynRankView_, one_kernel_for_all_ranks) {
  using field = DynRankView<int, LayoutRight, TypeParam>;
  for (int rank = 1; rank <= 3; ++rank) {
    field from, to;
    with_extents(rank, {50, 4, 3}, [&](auto... ns) {
      from = field("from", ns...);
      to = field("to", ns...);
    });
    const auto host = hpk::create_mirror(from);
    for (int i = 0; i < 50; ++i)
      for (int j = 0; j < host.extent_int(1); ++j)
        for (int k = 0; k < host.extent_int(2); ++k) host.access(i, j, k) = i * i + j * k;
    deep_copy(from, host);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 50), heat_step<field>{to, from});
      exec.fence();
      const auto result = hpk::create_mirror_view_and_copy(HostSpace(), to);
      const int last = result.extent_int(1) - 1;
      EXPECT_EQ(result.access(7, last, 0), 36 + 64 - 49);
    }
  }
}

}  // namespace
}  // namespace dyn_rank_view_test
