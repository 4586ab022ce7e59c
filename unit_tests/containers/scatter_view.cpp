// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScatterView computes the result of a loop, for every storage of the contributions. Calls that
// would lose or double contributions are errors.
#include <hpk/containers/scatter_view.hpp>

#include "scatter.hpp"

#include <random>
#include <vector>

namespace {

using namespace scatter_test;
using hpk::ScatterAtomic;
using hpk::ScatterAutomatic;
using hpk::ScatterDuplicated;
using hpk::ScatterNonDuplicated;
using hpk::ScatterSelected;
using hpk::ScatterStorage;
using hpk::ScatterSum;

static_assert(hpk::is_scatter_view_v<hpk::ScatterView<double*>>);
static_assert(hpk::is_scatter_view_v<const hpk::ScatterView<double*>>);
static_assert(!hpk::is_scatter_view<hpk::View<double*>>::value);

template <class Exec>
class Scatter : public testing::Test {};
TYPED_TEST_SUITE(Scatter, hpk_test::spaces, hpk_test::space_names);

// Runs a sequence of calls whose result must not depend on duplication and storage.
template <class Duplication, class T, class Exec>
void expect_sequence(const Exec& exec, ScatterStorage storage, int n, int places) {
  const auto sums = added(n, places);
  const hpk::View<T*, Exec> view("view", static_cast<std::size_t>(places));
  hpk::deep_copy(view, T(7));
  using type = hpk::ScatterView<T*, typename hpk::View<T*, Exec>::array_layout, Exec, ScatterSum,
                                Duplication>;
  type scatter(exec, view, storage);
  EXPECT_TRUE(scatter.is_allocated());
  add_all(exec, scatter, n, places);
  hpk::contribute(exec, view, scatter);
  exec.fence();
  expect_sums(view, sums, 1, 7);
  if constexpr (!std::is_same_v<Duplication, ScatterNonDuplicated>) {
    // A second contribute() adds the contributions again, as to another View.
    hpk::contribute(view, scatter);
    expect_sums(view, sums, 2, 7);
    hpk::deep_copy(view, T(7));
    hpk::contribute(view, scatter);
    expect_sums(view, sums, 1, 7);
  }
  scatter.reset(exec);
  expect_sums(view, sums, 1, 7);
  add_all(exec, scatter, n, places);
  add_all(exec, scatter, n, places);
  scatter.contribute_into(view);
  expect_sums(view, sums, 3, 7);
  scatter.reset_except(view);
  expect_sums(view, sums, 3, 7);
  scatter.contribute_into(view);
  expect_sums(view, sums, 3, 7);
}

HPK_TYPED_TEST(Scatter, adds_up_wherever_contributions_are_kept) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int places : {1, 37, 4099}) {
      constexpr auto any = ScatterStorage::automatic;
      expect_sequence<ScatterAutomatic, int>(exec, any, 5000, places);
      expect_sequence<ScatterNonDuplicated, double>(exec, any, 5000, places);
      expect_sequence<ScatterSelected, int>(exec, any, 5000, places);
      expect_sequence<ScatterSelected, int>(exec, ScatterStorage::shared, 5000, places);
      expect_sequence<ScatterSelected, int>(exec, ScatterStorage::copies, 5000, places);
    }
    expect_sequence<ScatterAutomatic, int>(exec, ScatterStorage::automatic, 0, 10);
  }
}

HPK_TYPED_TEST(Scatter, forgets_what_was_not_contributed_at_reset) {
  const hpk::View<int*, TypeParam> view("view", 10);
  const auto sums = added(1000, 10);
  const auto check = [&](auto scatter) {
    hpk::deep_copy(view, 1);
    add_all(TypeParam(), scatter, 1000, 10);
    scatter.reset();
    add_all(TypeParam(), scatter, 1000, 10);
    hpk::contribute(view, scatter);
    expect_sums(view, sums, 1, 1);
  };
  check(hpk::create_scatter_view(view));
  check(hpk::create_scatter_view<ScatterSum, ScatterSelected>(view, ScatterStorage::shared));
  check(hpk::create_scatter_view(ScatterSum(), ScatterDuplicated(), ScatterAtomic(), view));
}

HPK_TYPED_TEST(Scatter, says_what_is_wrong) {
  const hpk::View<int*, TypeParam> view("bins", 10);
  const hpk::View<int*, TypeParam> other("others", 10);
  const hpk::View<int*, TypeParam> longer("longer", 11);
  auto in_place = hpk::create_scatter_view<ScatterSum, ScatterNonDuplicated>(view);
  hpk_test::expect_error(
      [&] { hpk::contribute(other, in_place); },
      {"hpk::ScatterView \"bins\"", "\"others\"", "write ScatterDuplicated", "scatter_view.cpp"});
  add_all(TypeParam(), in_place, 10, 10);
  hpk_test::expect_error([&] { in_place.reset(); },
                         {"reset() after contributions", "\"bins\"", "scatter_view.cpp"});
  hpk::contribute(view, in_place);
  in_place.reset();
  auto automatic = hpk::create_scatter_view(view);
  hpk_test::expect_error([&] { automatic.contribute_into(longer); },
                         {"\"longer\" of extents (11)", "have extents (10)", "scatter_view.cpp"});
  hpk::ScatterView<int*, typename TypeParam::array_layout, TypeParam> none;
  hpk_test::expect_error([&] { hpk::contribute(view, none); },
                         {"contribute() of an empty ScatterView"});
  hpk_test::expect_error([&] { none.reset(); }, {"reset() of an empty ScatterView"});
  auto shared = hpk::create_scatter_view<ScatterSum, ScatterSelected>(view, ScatterStorage::shared);
  add_all(TypeParam(), shared, 10, 10);
  hpk::contribute(view, shared);
  add_all(TypeParam(), shared, 10, 10);
  hpk_test::expect_error([&] { hpk::contribute(view, shared); },
                         {"a second time", "call reset()", "scatter_view.cpp"});
}

// Short sequences of all host functions, compared with sums of an array.
template <class Duplication>
void run_sequences(int sequences, ScatterStorage storage) {
  using exec = hpk::Serial;
  std::mt19937 random(11);
  const hpk::View<long*, exec> view("view", 3);
  for (int sequence = 0; sequence != sequences; ++sequence) {
    auto scatter = hpk::create_scatter_view<ScatterSum, Duplication>(view, storage);
    long model[3] = {view(0), view(1), view(2)};
    long pending[3] = {};
    bool added = false;
    bool closed = false;  // all pending contributions have been contributed
    for (int step = 0; step != 6; ++step) {
      const auto what = random() % 8;
      if (what < 5) {
        if (closed) {
          if (storage == ScatterStorage::shared) scatter.reset();
          for (long& sum : pending) sum = 0;
        }
        closed = false;
        added = true;
        const auto k = random() % 3;
        const long by = static_cast<long>(random() % 100);
        scatter.access()(k) += by;
        pending[k] += by;
      } else if (what < 7) {
        hpk::contribute(view, scatter);
        for (int k = 0; k != 3; ++k) model[k] += pending[k];
        closed = added || storage == ScatterStorage::shared;
      } else {
        scatter.reset();
        for (long& sum : pending) sum = 0;
        closed = added = false;
      }
      for (int k = 0; k != 3; ++k) ASSERT_EQ(view(k), model[k]) << sequence << ' ' << step;
    }
    scatter.reset();
  }
}
TEST(ScatterHost, follows_a_model_in_many_short_sequences) {
  run_sequences<ScatterDuplicated>(hpk_test::random_sequences, ScatterStorage::automatic);
  run_sequences<ScatterSelected>(hpk_test::random_sequences, ScatterStorage::shared);
}

// Random sequences of contributions, contribute() and reset(), compared with sums of a vector.
HPK_TYPED_TEST(Scatter, follows_a_model) {
  std::mt19937 random(5);
  const auto run = [&](auto scatter, const hpk::View<long*, TypeParam>& view) {
    std::vector<long> model(7);
    std::vector<long> pending(7);
    for (int step = 0; step < 40; ++step) {
      const int n = static_cast<int>(random() % 300);
      add_all(TypeParam(), scatter, n, 7);
      const auto more = added(n, 7);
      for (std::size_t k = 0; k < 7; ++k) pending[k] += more[k];
      if (random() % 3 == 0) {
        scatter.reset();
        pending.assign(7, 0);
      } else if (random() % 2 == 0) {
        hpk::contribute(view, scatter);
        scatter.reset();
        for (std::size_t k = 0; k < 7; ++k) model[k] += pending[k];
        pending.assign(7, 0);
      }
    }
    hpk::contribute(view, scatter);
    const auto got = hpk_test::on_host(view);
    for (std::size_t k = 0; k < 7; ++k) ASSERT_EQ(got(k), model[k] + pending[k]);
  };
  const hpk::View<long*, TypeParam> a("a", 7);
  run(hpk::create_scatter_view(a), a);
  const hpk::View<long*, TypeParam> b("b", 7);
  run(hpk::create_scatter_view<ScatterSum, ScatterSelected>(b, ScatterStorage::shared), b);
}

}  // namespace
