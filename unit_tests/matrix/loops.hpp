// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected results of combinations with a simple order, computed by loops without hpk's
// patterns. They check Serial, with which all other spaces are compared.
#pragma once

#include <matrix/run.hpp>

namespace matrix {

/// Computes Serial's words under the same names, except for values that are rounded and for boxes
/// in tiles, whose order the loops do not reproduce.
class by_loops {
 public:
  static record run() {
    by_loops all;
    all.run_policies(policies());
    all.run_levels(levels());
    return all.found_;
  }

 private:
  template <class... Wheres>
  void run_policies(type_list<Wheres...>) {
    (run_kinds<pattern::loop, Wheres>(loop_kinds()), ...);
    (run_kinds<pattern::reduce, Wheres>(kinds()), ...);
    (run_kinds<pattern::scan, Wheres>(kinds()), ...);
  }
  template <pattern What, class Where, class... Kinds>
  void run_kinds(type_list<Kinds...>) {
    (run_policy<What, Where, Kinds>(), ...);
  }
  template <pattern What, class Where, class Kind>
  void run_policy() {
    if constexpr (exists<What, Where, Kind> && Kind::exact) {
      for (const int size : Where::sizes) {
        if (Where::is_tiled(size)) continue;
        const std::string name = name_of(What, Where::name, false, Kind::name);
        sums<Kind> s =
            fold<What, Kind>([&](const auto& visit) { Where::for_numbers(size, visit); });
        if (What == pattern::reduce) Kind::finish(s.value);
        if (What != pattern::loop) found_.add(name, words_of(s.value));
        if (What != pattern::reduce) found_.add(name, s.marks);
      }
    }
  }

  template <class... Levels>
  void run_levels(type_list<Levels...>) {
    (run_level<Levels>(kinds()), ...);
  }
  template <class Level, class... Kinds>
  void run_level(type_list<Kinds...>) {
    (run_level_kind<pattern::loop, Level, Kinds>(), ...);
    (run_level_kind<pattern::reduce, Level, Kinds>(), ...);
    (run_level_kind<pattern::scan, Level, Kinds>(), ...);
  }
  template <pattern What, class Level, class Kind>
  void run_level_kind() {
    if constexpr (exists<What, Level, Kind> && Kind::exact) {
      const std::string name = name_of(What, Level::name, false, Kind::name);
      for (int size = 0; size < nested_sizes; ++size) {
        for (const int threads : team_sizes) {
          for (int l = 0; l < leagues; ++l) {
            sums<Kind> s = fold<What, Kind>(
                [&](const auto& visit) { visit_nested<Level>(size, 1000 * (l + 1), visit); });
            if (What == pattern::reduce) Kind::finish(s.value);
            // Each thread runs all of a range that is not shared.
            const word times = Level::shared ? 1 : static_cast<word>(threads);
            if (What != pattern::reduce) found_.add(name, times * s.marks);
            for (int t = 0; What != pattern::loop && t < threads; ++t)
              found_.add(name, words_of(s.value));
          }
        }
      }
    }
  }

  template <class Kind>
  struct sums {
    typename Kind::value_type value;
    word marks;
  };
  template <pattern What, class Kind, class ForNumbers>
  static sums<Kind> fold(const ForNumbers& for_numbers) {
    sums<Kind> s{Kind::start(), 0};
    for_numbers([&](std::int64_t k) {
      if (What == pattern::loop) s.marks += mark(k);
      if (What == pattern::scan) s.marks += mark(k, s.value);
      Kind::fold(k, s.value);
      if (What == pattern::scan) s.marks += mark(-k, s.value);
    });
    return s;
  }
  template <class Level, class Visit>
  static void visit_nested(int size, std::int64_t origin, const Visit& visit) {
    const auto number = [&](auto... is) {
      std::int64_t k = origin;
      (count_on(k, is), ...);
      visit(k);
    };
    if constexpr (Level::rank == 1) {
      for (int i = 3; i < 3 + nested_length(size); ++i) number(i);
    } else {
      for (int i = 0; i < nested_extent(size, 0); ++i)
        for (int j = 0; j < nested_extent(size, 1); ++j)
          for (int k = 0; k < nested_extent(size, 2); ++k) number(i, j, k);
    }
  }

  record found_;
};

}  // namespace matrix
