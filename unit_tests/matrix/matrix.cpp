// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance matrix: every pattern over every policy, and at every level inside a team, into
// every kind of result, on every space, with several numbers of workers and sizes of teams. Exact
// results have the bits of Serial everywhere. Rounded results have them on all hosts, and on Emu
// the same bits in every order. dimensions.hpp has the lists, and the missing combinations with
// their reasons.
#include <matrix/loops.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace matrix {
namespace {

using names = std::set<std::string>;

struct all_names {
  names present;
  names of_exact;  // combinations whose results are not rounded
};

template <class Where, class... Kinds>
void add_names(all_names& all, pattern what, type_list<Kinds...>) {
  const auto add = [&](std::string_view kind, group of, bool exact, bool is_loop) {
    if (is_hole(what, Where::group, of) || (what == pattern::loop && !is_loop)) return;
    for (const bool tiled : {false, true}) {
      bool there = !tiled;
      if constexpr (requires { Where::has_tiles; }) there = there || Where::has_tiles;
      if (!there) continue;
      all.present.insert(name_of(what, Where::name, tiled, kind));
      if (exact) all.of_exact.insert(name_of(what, Where::name, tiled, kind));
    }
  };
  (add(Kinds::name, Kinds::group, Kinds::exact, is_loop_kind<Kinds>), ...);
}

// Returns the product of the lists without the missing combinations.
const all_names& every_combination() {
  static const all_names all = [] {
    all_names found;
    for (const pattern what : {pattern::loop, pattern::reduce, pattern::scan}) {
      hpk::detail::for_each_type(policies(), [&](auto where) {
        add_names<typename decltype(where)::type>(found, what, kinds());
      });
      hpk::detail::for_each_type(levels(), [&](auto where) {
        add_names<typename decltype(where)::type>(found, what, kinds());
      });
    }
    return found;
  }();
  return all;
}

names names_of(const record& found) {
  names all;
  for (const auto& [name, words] : found.all()) all.insert(name);
  return all;
}

std::string list(const names& all) {
  std::ostringstream out;
  for (const std::string& name : all) out << "\n  " << name;
  return out.str();
}

// Returns the names in `all` that are not in `some`.
names less(const names& all, const names& some) {
  names rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

// Compares the combinations of `which`, which both records contain.
void expect_equal(const record& found, const record& wanted, const names& which) {
  names different;
  for (const std::string& name : which) {
    const auto f = found.all().find(name);
    const auto w = wanted.all().find(name);
    if (f == found.all().end() || w == wanted.all().end() || f->second != w->second)
      different.insert(name);
  }
  EXPECT_TRUE(different.empty()) << different.size() << " of " << which.size()
                                 << " combinations differ:" << list(different);
}

const record& of_serial() {
  static const record found = run(hpk::Serial());
  return found;
}

template <class Exec>
inline constexpr bool rounds_as_serial = hpk_test::is_host<Exec>;

template <class Exec>
class Matrix : public testing::Test {};
TYPED_TEST_SUITE(Matrix, hpk_test::spaces, hpk_test::space_names);

// One test for all, since every test is a process that computes Serial's results again.
TYPED_TEST(Matrix, is_complete_and_has_the_results_of_serial) {
  const names& all = every_combination().present;
  const names& which = rounds_as_serial<TypeParam> ? all : every_combination().of_exact;
  const auto check = [&](const TypeParam& exec) {
    const record found = run(exec);
    const names run_ones = names_of(found);
    EXPECT_TRUE(less(all, run_ones).empty()) << "not run:" << list(less(all, run_ones));
    EXPECT_TRUE(less(run_ones, all).empty()) << "said not to be:" << list(less(run_ones, all));
    expect_equal(found, of_serial(), which);
  };
  if constexpr (hpk_test::has_workers<TypeParam>) {
    for (const int workers : {1, 2, 3, 7}) {
      SCOPED_TRACE(testing::Message() << workers << " workers");
      check(TypeParam(workers));
    }
  } else {
    check(TypeParam());
  }
}

TEST(MatrixOfSerial, has_the_results_of_loops) {
  const record wanted = by_loops::run();
  EXPECT_GT(wanted.all().size(), every_combination().present.size() / 2);
  expect_equal(of_serial(), wanted, names_of(wanted));
}

// Results, also rounded ones, are equal for any order of lanes and groups, and for any sub-group
// width.
TYPED_TEST(Matrix, of_an_emulated_device_is_the_same_in_every_order) {
  if constexpr (!hpk_test::is_emulated<TypeParam>) return;
  const record wanted = run(TypeParam());
  for (const auto& [seed, subgroup] : {std::pair(1, 4), std::pair(2, 64), std::pair(3, 1)}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", subgroups of " << subgroup);
    const hpk::ScopeGuard guard(hpk::InitializationSettings()
                                    .set_option("emu-seed", seed)
                                    .set_option("emu-subgroup", subgroup));
    expect_equal(run(TypeParam()), wanted, every_combination().present);
  }
}

// Returns the text of headers of the library.
std::string text_of(std::initializer_list<const char*> headers) {
  std::ostringstream text;
  for (const char* header : headers) {
    std::ifstream file(std::string(HPK_TEST_HEADERS "/") + header);
    EXPECT_TRUE(file.good()) << header;
    text << file.rdbuf();
  }
  return text.str();
}
// Returns the first groups of all matches of a regular expression.
names found_in(const std::string& text, const char* expression) {
  names found;
  const std::regex regex(expression);
  for (auto it = std::sregex_iterator(text.begin(), text.end(), regex);
       it != std::sregex_iterator(); ++it)
    found.insert((*it)[1]);
  return found;
}
template <class List>
names names_in() {
  names all;
  hpk::detail::for_each_type(List(), [&](auto t) { all.emplace(decltype(t)::type::name); });
  return all;
}

TEST(MatrixLists, have_every_reducer_of_the_library) {
  const names found =
      found_in(text_of({"operations/reducer.hpp", "operations/location_reducer.hpp"}),
               "(?:HPK_DETAIL_\\w*REDUCER\\(|classes::reducer_base<)(?!name\\b|Self\\b)(\\w+)[,<]");
  EXPECT_GE(found.size(), 22u);
  EXPECT_TRUE(less(found, names_in<kinds>()).empty()) << list(less(found, names_in<kinds>()));
}

TEST(MatrixLists, have_every_range_inside_of_a_team) {
  const names found = found_in(text_of({"nested/nested.hpp", "nested/nested_mdrange.hpp"}),
                               "((?:Team|Thread)\\w*Range)\\b");
  EXPECT_GE(found.size(), 6u);
  EXPECT_TRUE(less(found, names_in<levels>()).empty()) << list(less(found, names_in<levels>()));
}

}  // namespace
}  // namespace matrix
