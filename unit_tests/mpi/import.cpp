// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import: the ghost elements of a distributed vector, for all kinds of divisions and indices.
#include <hpk/mpi/import.hpp>

#include "support.hpp"
#include "traffic.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace import_test {
namespace {

using namespace mpi_test;
using hpk::index_t;
using hpk::mpi::Distribution;
using hpk::mpi::Import;

using index_list = std::vector<index_t>;
hpk::View<const index_t*, hpk::HostSpace> view_of(const index_list& indices) {
  return {indices.data(), indices.size()};
}

/// Returns this rank's part of a vector whose element i is 10 i + offset, set by kernels.
template <class Exec, class T>
hpk::View<T*, Exec> make_vector(const Distribution& owned, int offset) {
  const hpk::View<T*, Exec> x("x", static_cast<std::size_t>(owned.count()));
  const index_t begin = owned.begin();
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, x.extent(0)),
      HPK_LAMBDA(index_t i) { x(i) = static_cast<T>(10 * (begin + i) + offset); });
  return x;
}
template <class Exec, class T>
hpk::View<T*, Exec> make_ghosts(const Import<Exec>& import) {
  return hpk::View<T*, Exec>("ghosts", import.ghosts().size());
}
/// Returns the number of ghosts that differ from the elements of make_vector.
template <class G>
int count_wrong_ghosts(std::span<const index_t> indices, const G& ghosts, int offset) {
  using value = typename G::value_type;
  const auto host = hpk_test::on_host(ghosts);
  int wrong = 0;
  for (std::size_t k = 0; k < indices.size(); ++k)
    wrong += host(k) != static_cast<value>(10 * indices[k] + offset);
  return wrong;
}
/// Exchanges a vector of a type, changes it, and exchanges it again.
template <class T, class Exec>
void expect_right_ghosts(const Exec& exec, const Import<Exec>& import) {
  const auto ghosts = make_ghosts<Exec, T>(import);
  for (const int offset : {3, 4}) {
    const auto x = make_vector<Exec, T>(import.distribution(), offset);
    exec.fence();
    const traffic sent = sent_by([&] { import.exchange(exec, x, ghosts); });
    EXPECT_EQ(count_wrong_ghosts(import.ghosts(), ghosts, offset), 0);
    EXPECT_EQ(sent.messages, import.num_destinations());
    EXPECT_EQ(sent.bytes, static_cast<long>(import.sent().size() * sizeof(T)));
  }
}

/// Returns distributions of n items: an even one, and others with parts of all kinds, some empty.
std::vector<Distribution> distributions_of(index_t n) {
  const Communicator all = world();
  const int rank = all.rank(), last = all.size() - 1;
  std::vector<Distribution> result{Distribution(all, n)};
  for (const int all_of : {0, last / 2, last})
    result.push_back(Distribution::of_counts(all, rank == all_of ? n : 0));
  if (last > 0) {
    const index_t mine = rank == 0 ? n / 3 : rank == last ? n - n / 3 : 0;
    result.push_back(Distribution::of_counts(all, mine));
  }
  return result;
}

template <class Exec>
class Imports : public testing::Test {};
TYPED_TEST_SUITE(Imports, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Imports, bring_the_ghosts_of_neighbours) {
  const Communicator all = world();
  const Distribution owned(all, 20);
  const index_t before = owned.begin() - 1, behind = owned.begin() + owned.count();
  index_list needed;
  if (behind < 20) needed.push_back(behind);
  if (before >= 0) needed.push_back(before);
  const Import<TypeParam> import(owned, view_of(needed));
  std::reverse(needed.begin(), needed.end());
  if (all.rank() > 0 && all.rank() < all.size() - 1) {
    EXPECT_EQ(needed.size(), 2u);
  }
  EXPECT_TRUE(
      std::equal(needed.begin(), needed.end(), import.ghosts().begin(), import.ghosts().end()));
  // One message per neighbour.
  const int neighbours = (all.rank() > 0) + (all.rank() < all.size() - 1);
  EXPECT_EQ(import.num_sources(), neighbours);
  EXPECT_EQ(import.num_destinations(), neighbours);
  EXPECT_EQ(import.sent().size(), static_cast<std::size_t>(neighbours));
  expect_right_ghosts<double>(TypeParam(), import);
}
// Elements in any order, repeated, and owned by this rank, for all kinds of divisions.
HPK_TYPED_TEST(Imports, bring_any_elements_of_any_division) {
  std::mt19937 random(static_cast<unsigned>(world().rank()) + 1);
  for (const index_t n : {1, 3, 40}) {
    for (const Distribution& owned : distributions_of(n)) {
      for (const int count : {0, 1, 5, 60}) {
        index_list needed;
        for (int k = 0; k < count; ++k)
          needed.push_back(static_cast<index_t>(random() % static_cast<unsigned>(n)));
        Import<TypeParam> import;
        const traffic asked = sent_by([&] { import = {owned, view_of(needed)}; });
        std::set<index_t> ghosts(needed.begin(), needed.end());
        std::set<int> owners;
        std::erase_if(ghosts, [&](index_t i) { return owned.owner(i) == world().rank(); });
        for (const index_t i : ghosts) owners.insert(owned.owner(i));
        EXPECT_TRUE(std::equal(ghosts.begin(), ghosts.end(), import.ghosts().begin(),
                               import.ghosts().end()));
        EXPECT_EQ(import.num_sources(), static_cast<int>(owners.size()));
        EXPECT_EQ(asked.messages, static_cast<long>(owners.size()));
        EXPECT_EQ(asked.bytes, static_cast<long>(8 * ghosts.size()));
        expect_right_ghosts<double>(TypeParam(), import);
      }
    }
  }
}
HPK_TYPED_TEST(Imports, work_for_every_element_type) {
  const Distribution owned(world(), 12);
  index_list needed;
  for (index_t i = 0; i < 12; i += 2) needed.push_back(i);
  const Import<TypeParam> import(owned, view_of(needed));
  expect_right_ghosts<char>(TypeParam(), import);
  expect_right_ghosts<float>(TypeParam(), import);
  expect_right_ghosts<index_t>(TypeParam(), import);
  expect_right_ghosts<hpk::complex<double>>(TypeParam(), import);
}
HPK_TYPED_TEST(Imports, overlap_with_kernels) {
  const Distribution owned(world(), 1000);
  index_list needed;
  for (index_t i = 0; i < 1000; i += 7) needed.push_back(i);
  const Import<TypeParam> import(owned, view_of(needed));
  const auto ghosts = make_ghosts<TypeParam, double>(import);
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  const auto x = make_vector<TypeParam, double>(owned, 1);
  hpk::fence();
  import.begin(exec, x, ghosts);
  hpk::deep_copy(exec, x, -1.0);  // the messages were already packed
  import.end();
  EXPECT_EQ(count_wrong_ghosts(import.ghosts(), ghosts, 1), 0);
}
HPK_TYPED_TEST(Imports, several_are_under_way_in_any_order) {
  const Communicator all = world();
  const Distribution owned(all, 30);
  index_list needed;
  for (index_t i = 0; i < 30; ++i) needed.push_back(i);
  const Import<TypeParam> imports[] = {{owned, view_of(needed)}, {owned, view_of(needed)}};
  const hpk::View<double*, TypeParam> ghosts[] = {make_ghosts<TypeParam, double>(imports[0]),
                                                  make_ghosts<TypeParam, double>(imports[1])};
  const hpk::View<double*, TypeParam> x[] = {make_vector<TypeParam, double>(owned, 1),
                                             make_vector<TypeParam, double>(owned, 2)};
  hpk::fence();
  // A different order only without checks, which compare the calls of all ranks.
  const int first = all.checks_messages() ? 0 : all.rank() % 2;
  const TypeParam exec;
  for (const int k : {first, 1 - first}) imports[k].begin(exec, x[k], ghosts[k]);
  for (const int k : {0, 1}) imports[k].end();
  for (const int k : {0, 1})
    EXPECT_EQ(count_wrong_ghosts(imports[k].ghosts(), ghosts[k], k + 1), 0);
}
// From strided elements, to ghosts in other memory than the kernels'.
HPK_TYPED_TEST(Imports, take_views_of_other_layouts_and_memory) {
  const Distribution owned(world(), 10);
  index_list needed{0, 4, 9};
  const Import<TypeParam> import(owned, view_of(needed));
  const hpk::View<double**, hpk::LayoutRight, TypeParam> columns(
      "columns", static_cast<std::size_t>(owned.count()), 3);
  const auto x = hpk::subview(columns, hpk::ALL, 1);
  hpk::deep_copy(x, make_vector<TypeParam, double>(owned, 5));
  const hpk::View<double*, hpk::HostSpace> ghosts("ghosts", import.ghosts().size());
  import.exchange(TypeParam(), x, ghosts);
  EXPECT_EQ(count_wrong_ghosts(import.ghosts(), ghosts, 5), 0);
}

HPK_TYPED_TEST(Imports, end_with_their_messages) {
  const Distribution owned(world(), 30);
  index_list needed;
  for (index_t i = 0; i < 30; ++i) needed.push_back(i);
  const auto x = make_vector<TypeParam, double>(owned, 1);
  hpk::fence();
  {
    const Import<TypeParam> import(owned, view_of(needed));
    import.begin(TypeParam(), x, make_ghosts<TypeParam, double>(import));
  }
  // While an exception unwinds, the destructor does not wait.
  try {
    const Import<TypeParam> import(owned, view_of(needed));
    import.begin(TypeParam(), x, make_ghosts<TypeParam, double>(import));
    throw std::runtime_error("on all ranks");
  } catch (const std::runtime_error&) {
  }
  world().barrier();
}

HPK_TYPED_TEST(Imports, misuse_is_an_error) {
  const Communicator all = world();
  const Distribution owned(all, 9);
  const hpk::View<index_t*, hpk::HostSpace> wrong("wanted", 3);
  for (const index_t index : {index_t{-1}, index_t{9}}) {
    wrong(1) = index;
    hpk_test::expect_error([&] { Import<TypeParam>(owned, wrong); },
                           {"hpk::mpi::Import: View \"wanted\" of 3 elements: element 1 is the "
                            "index",
                            "; there are 9, from 0 on", "import.cpp"});
  }
  const TypeParam exec;
  index_list needed{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const Import<TypeParam> import(owned, view_of(needed));
  const auto x = make_vector<TypeParam, double>(owned, 1);
  const auto ghosts = make_ghosts<TypeParam, double>(import);
  const hpk::View<double*, TypeParam> long_x("long", x.extent(0) + 1);
  const hpk::View<double*, TypeParam> long_ghosts("many", ghosts.extent(0) + 1);
  hpk::fence();
  hpk_test::expect_error([&] { import.exchange(exec, long_x, ghosts); },
                         {"hpk::mpi::Import::exchange: View \"long\" of", "this rank owns"});
  hpk_test::expect_error(
      [&] { import.begin(exec, x, long_ghosts); },
      {"hpk::mpi::Import::begin", "the View \"many\" for the ghosts has", "there are"});
  hpk_test::expect_error([&] { import.end(); },
                         {"hpk::mpi::Import::end: ", "no exchange is under way"});
  if (all.size() == 2) {
    const hpk::View<double*, TypeParam> both("both", ghosts.extent(0) + x.extent(0) - 1);
    const auto begin = hpk::subview(both, hpk::make_pair(std::size_t{0}, x.extent(0)));
    const auto end = hpk::subview(both, hpk::make_pair(x.extent(0) - 1, both.extent(0)));
    hpk_test::expect_error([&] { import.begin(exec, begin, end); }, {"overlaps it"});
    const hpk::View<double**, hpk::LayoutRight, TypeParam> columns("columns", ghosts.extent(0), 2);
    hpk_test::expect_error([&] { import.begin(exec, x, hpk::subview(columns, hpk::ALL, 0)); },
                           {"for the ghosts is not contiguous"});
  }
  import.begin(exec, x, ghosts);
  hpk_test::expect_error([&] { import.begin(exec, x, ghosts); },
                         {"an exchange of this plan is under way; call end() first"});
  import.end();
  EXPECT_EQ(count_wrong_ghosts(import.ghosts(), ghosts, 1), 0);
}
// If calls are compared, all ranks throw.
HPK_TYPED_TEST(Imports, that_are_wrong_on_one_rank_throw_on_all) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() == 1) return;
  hpk_test::expect_error([&] { Import<TypeParam>(Distribution(all, 9 + all.rank()), view_of({})); },
                         {"the ranks do not make the same call"});
  const Distribution owned(all, 9);
  const index_list needed{all.rank() == 1 ? index_t{9} : index_t{8}};
  hpk_test::expect_error([&] { Import<TypeParam>(owned, view_of(needed)); },
                         {"is the index 9; there are 9"});
  const Import<TypeParam> import(owned, view_of({}));
  const hpk::View<double*, TypeParam> x(
      "x", static_cast<std::size_t>(owned.count()) + (all.rank() == 1 ? 1 : 0));
  const hpk::View<double*, TypeParam> none("none", 0);
  hpk_test::expect_error([&] { import.exchange(TypeParam(), x, none); }, {"this rank owns"});
}

}  // namespace
}  // namespace import_test
