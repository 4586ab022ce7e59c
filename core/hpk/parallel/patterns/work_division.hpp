// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkDivision: items divided among teams, threads, and consecutive items of a thread.
// divide_work() recommends a division for an instance and a kernel; is_valid_on() checks one.
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/parallel/patterns/team_launch.hpp>
#include <hpk/seam/machine.hpp>

#include <source_location>
#include <string>

namespace hpk {

/// `items` divided among league_size teams of team_size threads, each of which processes up to
/// `elements` items. A plain aggregate; after changes, check is_valid_on().
struct WorkDivision {
  index_t items = 0;     ///< the number of items, 0 or more
  int league_size = 0;   ///< the number of teams, 0 or more
  int team_size = 1;     ///< the number of threads of a team, 1 or more
  index_t elements = 1;  ///< the most items of a thread, 1 or more

  /// Whether teams, threads and elements suffice for all items.
  bool covers_all() const noexcept;
  /// Returns why an instance with teams of up to `largest` threads can't run the division, as text;
  /// empty if the instance can.
  std::string fault(int largest) const;
  /// Whether an instance can run the division.
  template <seam::execution_space Exec>
  bool is_valid_on(const Exec& exec) const {
    return fault(seam::largest_team(exec.instance())).empty();
  }
  /// Returns the policy of the launch. Inside of the kernel, parallel_for over
  /// LeagueThreadRange(team, items) processes every item once. Throws hpk::error if is_valid_on()
  /// is false.
  template <seam::execution_space Exec>
  TeamPolicy<Exec> policy(
      const Exec& exec, const std::source_location& where = std::source_location::current()) const {
    expect_valid(seam::largest_team(exec.instance()), where);
    return TeamPolicy<Exec>(exec, league_size, team_size, 1, where);
  }
  /// Compares all members.
  friend bool operator==(const WorkDivision&, const WorkDivision&) = default;

 private:
  void expect_valid(int largest, const std::source_location& where) const;
};

}  // namespace hpk

namespace hpk::detail {

/// The numbers from which a division is computed.
struct division_facts {
  int team;          ///< the team size that the space prefers
  index_t workers;   ///< the number of workers if the groups of the space have one lane; else 0
  index_t elements;  ///< the least number of items for each thread
};
WorkDivision divide(index_t items, const division_facts& facts, const std::source_location& where);

}  // namespace hpk::detail

namespace hpk {

/// Returns a division of `items` that suits an instance and a kernel over teams. On a GPU and Emu:
/// teams of the size that TeamPolicy would choose for the kernel, with room for its scratch. On
/// hosts: teams of one thread, up to eight for each worker. Each thread processes at least
/// `elements` items if there are enough. Throws hpk::error for negative numbers. Any thread.
template <seam::execution_space Exec, class F>
  requires(!detail::integer_value<F>)
WorkDivision divide_work(const Exec& exec, index_t items, const F& kernel, index_t elements = 1,
                         const std::source_location& where = std::source_location::current()) {
  const TeamPolicy<Exec> any(exec, 1, AUTO, 1, where);
  constexpr bool single = seam::machine<Exec>::lane::single;
  return detail::divide(items,
                        {any.team_size_recommended(kernel, ParallelForTag()),
                         single ? exec.instance().properties().workers : 0, elements},
                        where);
}
/// divide_work() for a kernel without scratch.
template <seam::execution_space Exec>
WorkDivision divide_work(const Exec& exec, index_t items, index_t elements = 1,
                         const std::source_location& where = std::source_location::current()) {
  return divide_work(exec, items, detail::no_functor(), elements, where);
}
/// Returns a division of the points of a box; delinearize() (linear_index.hpp) converts their
/// numbers to indices.
template <seam::execution_space Exec, std::integral I, std::size_t N>
WorkDivision divide_work(const Exec& exec, const Array<I, N>& extents, index_t elements = 1,
                         const std::source_location& where = std::source_location::current()) {
  index_t points = 1;
  for (const I extent : extents) points *= static_cast<index_t>(extent);
  return divide_work(exec, points, detail::no_functor(), elements, where);
}

}  // namespace hpk
