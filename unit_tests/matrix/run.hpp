// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs all combinations on an instance of a space and records their results.
#pragma once

#include <matrix/bodies.hpp>

namespace matrix {

/// Runs all combinations. Defined for each enabled space in a file made from space.cpp.in.
template <class Exec>
record run(const Exec& exec);

template <class Exec>
struct over_policies {
  const Exec& exec;
  record& found;

  template <class... Wheres>
  void run_all(type_list<Wheres...>) const {
    (run_loops<Wheres>(loop_kinds()), ...);
    (run_folds<Wheres>(kinds()), ...);
  }

 private:
  template <class Where, class... Kinds>
  void run_loops(type_list<Kinds...>) const {
    (loop<Where, Kinds>(), ...);
  }
  template <class Where, class... Kinds>
  void run_folds(type_list<Kinds...>) const {
    (reduce<Where, Kinds>(), ...);
    (scan<Where, Kinds>(), ...);
  }

  template <class Where, class Kind>
  void loop() const {
    if constexpr (exists<pattern::loop, Where, Kind>) {
      for (const int size : Where::sizes) {
        const std::string name =
            name_of(pattern::loop, Where::name, Where::is_tiled(size), Kind::name);
        const marks<Exec> sums("marks", 1);
        hpk::parallel_for(name, Where::template policy<Exec, typename Kind::tag>(exec, size),
                          body_of<for_body, Kind, Exec, Where>{sums});
        add_marks(name, sums);
      }
    }
  }
  template <class Where, class Kind>
  void reduce() const {
    if constexpr (exists<pattern::reduce, Where, Kind>) {
      for (const int size : Where::sizes) {
        const std::string name =
            name_of(pattern::reduce, Where::name, Where::is_tiled(size), Kind::name);
        const auto policy = Where::template policy<Exec, typename Kind::tag>(exec, size);
        if constexpr (Kind::group == group::several) {
          sum_and_most result{};
          hpk::parallel_reduce(name, policy, body_of<several_body, Kind, Exec, Where>(), result.sum,
                               hpk::Max<std::int64_t>(result.most));
          found.add(name, words_of(result));
        } else if constexpr (Kind::group == group::array) {
          three_sums result{};
          hpk::parallel_reduce(name, policy, body_of<array_body, Kind, Exec, Where>(), result.v);
          found.add(name, words_of(result));
        } else {
          const place<Kind> result(exec);
          hpk::parallel_reduce(name, policy, body_of<reduce_body, Kind, Exec, Where>(),
                               result.into());
          found.add(name, words_of(result.value()));
        }
      }
    }
  }
  template <class Where, class Kind>
  void scan() const {
    if constexpr (exists<pattern::scan, Where, Kind>) {
      for (const int size : Where::sizes) {
        const std::string name =
            name_of(pattern::scan, Where::name, Where::is_tiled(size), Kind::name);
        const marks<Exec> sums("marks", 1);
        const place<Kind> result(exec);
        hpk::parallel_scan(name, Where::template policy<Exec, typename Kind::tag>(exec, size),
                           body_of<scan_body, Kind, Exec, Where>(sums, 0, 0), result.into());
        found.add(name, words_of(result.value()));
        add_marks(name, sums);
      }
    }
  }

  // The target of a result.
  template <class Kind>
  class place {
   public:
    explicit place(const Exec& exec) : exec_(exec) {}
    decltype(auto) into() const { return Kind::into(value_); }
    const auto& value() const { return value_; }

   private:
    const Exec& exec_;
    mutable typename Kind::value_type value_{};
  };
  template <class Kind>
    requires Kind::in_view
  class place<Kind> {
   public:
    explicit place(const Exec& exec) : exec_(exec) {}
    const auto& into() const { return view_; }
    auto value() const {
      typename Kind::value_type value;
      exec_.fence();
      hpk::deep_copy(value, view_);
      return value;
    }

   private:
    const Exec& exec_;
    hpk::View<typename Kind::value_type, Exec> view_{"result"};
  };

  void add_marks(const std::string& name, const marks<Exec>& sums) const {
    exec.fence();
    const auto host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sums);
    for (std::size_t k = 0; k < host.extent(0); ++k) found.add(name, host(k));
  }
};

inline constexpr int leagues = 3;
inline constexpr int team_sizes[] = {1, 2, 7, 64};

/// The values that each thread of each team gets at each level, and the marks of each team and
/// level.
template <class Exec>
struct nested_results {
  hpk::View<word*****, Exec> values;  // pattern, level, team, thread, word
  marks<Exec> sums;                   // pattern, level and team
};

/// Runs all patterns at all levels into one kind of result, in order.
template <class Kind, class Exec>
struct nested_kernel {
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  using value_type = typename Kind::value_type;
  nested_results<Exec> results;
  hpk::View<value_type**, Exec> cells;  // team, thread
  int size;

  HPK_FUNCTION void operator()(const member& team) const { run_levels(team, levels()); }

 private:
  template <class... Levels>
  HPK_FUNCTION void run_levels(const member& team, type_list<Levels...>) const {
    int number = 0;
    (run_level<Levels>(team, number++), ...);
  }
  template <class Level>
  HPK_FUNCTION void run_level(const member& team, int number) const {
    const int l = team.league_rank();
    const std::int64_t origin = 1000 * (l + 1);
    const auto place = [&](int pattern) {
      return (pattern * static_cast<int>(levels::size) + number) * leagues + l;
    };
    if constexpr (exists<pattern::loop, Level, Kind>) {
      hpk::parallel_for(Level::range(team, size),
                        body_of<for_body, Kind, Exec, Level>{results.sums, place(0), origin});
    }
    if constexpr (exists<pattern::reduce, Level, Kind> && Kind::group == group::several) {
      const body_of<several_body, Kind, Exec, Level> body(origin);
      value_type result{};
      hpk::parallel_reduce(Level::range(team, size), body, result.sum,
                           hpk::Max<std::int64_t>(result.most));
      store(team, 1, number, result);
    } else if constexpr (exists<pattern::reduce, Level, Kind>) {
      const body_of<reduce_body, Kind, Exec, Level> body(origin);
      const auto range = Level::range(team, size);
      store(team, 1, number,
            result_of<Level>(team, [&](auto&& into) { hpk::parallel_reduce(range, body, into); }));
    }
    if constexpr (exists<pattern::scan, Level, Kind>) {
      const body_of<scan_body, Kind, Exec, Level> body(results.sums, place(2), origin);
      const auto range = Level::range(team, size);
      store(team, 2, number,
            result_of<Level>(team, [&](auto&& into) { hpk::parallel_scan(range, body, into); }));
    }
  }
  template <class Level, class Call>
  HPK_FUNCTION value_type result_of(const member& team, const Call& call) const {
    if constexpr (Kind::in_view) {
      const int thread = Level::shared ? 0 : team.team_rank();
      const hpk::View<value_type, Exec, hpk::MemoryUnmanaged> cell(
          &cells(team.league_rank(), thread));
      call(cell);
      const value_type result = cell();
      team.team_barrier();
      return result;
    } else {
      value_type result{};
      call(Kind::into(result));
      return result;
    }
  }
  HPK_FUNCTION void store(const member& team, int pattern, int number,
                          const value_type& value) const {
    const words all = words_of(value);
    for (int w = 0; w < 4; ++w)
      results.values(pattern, number, team.league_rank(), team.team_rank(), w) = all.w[w];
  }
};

/// Runs the kernel and records the words of each level under its name.
template <class Exec>
struct in_teams {
  const Exec& exec;
  record& found;

  template <class Kind>
  void run_kind() const {
    for (int size = 0; size < nested_sizes; ++size) {
      for (const int threads : team_sizes) {
        const int all_levels = static_cast<int>(levels::size);
        const nested_results<Exec> results{
            hpk::View<word*****, Exec>("values", 3, all_levels, leagues, threads, 4),
            marks<Exec>("marks", 3 * all_levels * leagues)};
        const hpk::View<typename Kind::value_type**, Exec> cells("cells", leagues, threads);
        hpk::parallel_for("nested", hpk::TeamPolicy<Exec>(exec, leagues, threads),
                          nested_kernel<Kind, Exec>{results, cells, size});
        exec.fence();
        file<Kind>(hpk::create_mirror_view_and_copy(hpk::HostSpace(), results.values),
                   hpk::create_mirror_view_and_copy(hpk::HostSpace(), results.sums));
      }
    }
  }

 private:
  template <class Kind, class Values, class Sums>
  void file(const Values& values, const Sums& sums) const {
    int number = 0;
    hpk::detail::for_each_type(levels(), [&](auto where) {
      using level = typename decltype(where)::type;
      for (const pattern what : {pattern::loop, pattern::reduce, pattern::scan}) {
        if (is_hole(what, level::group, Kind::group)) continue;
        if (what == pattern::loop && !is_loop_kind<Kind>) continue;
        const std::string name = name_of(what, level::name, false, Kind::name);
        const int p = static_cast<int>(what) - 1;
        for (int l = 0; l < leagues; ++l) {
          if (what != pattern::reduce)
            found.add(name, sums((p * static_cast<int>(levels::size) + number) * leagues + l));
          for (int t = 0; what != pattern::loop && t < values.extent_int(3); ++t)
            for (int w = 0; w < 4; ++w) found.add(name, values(p, number, l, t, w));
        }
      }
      ++number;
    });
  }
};

template <class Exec>
record run_all(const Exec& exec) {
  record found;
  over_policies<Exec>{exec, found}.run_all(policies());
  hpk::detail::for_each_type(kinds(), [&](auto kind) {
    using K = typename decltype(kind)::type;
    // Loops inside a team take no tags and return no arrays.
    if constexpr (K::group != group::tagged && K::group != group::array)
      in_teams<Exec>{exec, found}.template run_kind<K>();
  });
  return found;
}

}  // namespace matrix
