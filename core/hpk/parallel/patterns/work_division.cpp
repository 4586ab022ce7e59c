// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/parallel/patterns/work_division.hpp>

#include <algorithm>
#include <limits>

namespace hpk {

namespace {

index_t ceil_of(index_t items, index_t each) { return items / each + (items % each != 0); }

}  // namespace

bool WorkDivision::covers_all() const noexcept {
  if (items <= 0) return true;
  if (league_size < 1 || team_size < 1 || elements < 1) return false;
  return ceil_of(ceil_of(items, elements), team_size) <= league_size;
}

std::string WorkDivision::fault(int largest) const {
  detail::text out;
  if (items < 0 || league_size < 0 || team_size < 1 || elements < 1) {
    out << "items and teams are 0 or more, threads and elements 1 or more";
  } else if (team_size > largest) {
    out << "teams on this instance have at most " << largest << " threads";
  } else if (!covers_all()) {
    out << "there are too few teams; write at least "
        << ceil_of(ceil_of(items, elements), team_size) << " teams";
  }
  return out.str();
}

void WorkDivision::expect_valid(int largest, const std::source_location& where) const {
  const std::string why = fault(largest);
  if (why.empty()) return;
  detail::raise((detail::text() << "hpk::WorkDivision: " << items << " items in " << league_size
                                << " teams of " << team_size << " threads with " << elements
                                << " elements each: " << why)
                    .str(),
                where);
}

WorkDivision detail::divide(index_t items, const division_facts& facts,
                            const std::source_location& where) {
  if (items < 0 || facts.elements < 1) {
    raise((text() << "hpk::divide_work: " << items << " items, at least " << facts.elements
                  << " for each thread; write 0 items or more, and 1 element or more")
              .str(),
          where);
  }
  WorkDivision found;
  found.items = items;
  found.team_size = std::max(facts.team, 1);
  found.elements = facts.elements;
  // On hosts more teams do not run faster.
  constexpr index_t teams_for_each_worker = 8;
  if (facts.workers > 0)
    found.elements = std::max(
        found.elements, ceil_of(items, facts.workers * teams_for_each_worker * found.team_size));
  constexpr index_t most_teams = std::numeric_limits<int>::max();
  found.elements = std::max(found.elements, ceil_of(ceil_of(items, most_teams), found.team_size));
  const index_t threads = ceil_of(items, found.elements);
  if (threads > 0 && threads < found.team_size) found.team_size = static_cast<int>(threads);
  found.league_size = static_cast<int>(ceil_of(threads, found.team_size));
  return found;
}

}  // namespace hpk
