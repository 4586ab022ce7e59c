// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequence.hpp"

#include <algorithm>
#include <optional>

namespace hpk_diff {

namespace {

constexpr std::size_t window = 1000;

// Returns the number of launches of hpk itself at the front.
std::size_t own_at_front(std::span<const token> all) {
  const auto end = std::find_if(all.begin(), all.end(), [](const token& t) { return !t.is_own; });
  return static_cast<std::size_t>(end - all.begin());
}

// Returns whether both sequences begin with `least` corresponding launches, or with all that are
// left.
bool agree_at_front(std::span<const token> a, std::span<const token> b, std::size_t least) {
  if (a.empty() != b.empty()) return false;
  const std::size_t count = std::min({least, a.size(), b.size()});
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count), b.begin());
}

struct skip {
  std::size_t a, b;
};

// Returns the smallest skip after which the sequences agree. Among skips of equal size it returns
// the most even one, which finds a launch that replaces another.
std::optional<skip> smallest_skip(std::span<const token> a, std::span<const token> b,
                                  std::size_t most_a, std::size_t most_b, std::size_t least) {
  const auto fits = [&](std::size_t of_a, std::size_t of_b) {
    return of_a <= most_a && of_b <= most_b &&
           agree_at_front(a.subspan(of_a), b.subspan(of_b), least);
  };
  for (std::size_t size = 1; size <= most_a + most_b; ++size) {
    for (std::size_t odds = size % 2; odds <= size; odds += 2) {
      const std::size_t more = (size + odds) / 2;
      const std::size_t less = (size - odds) / 2;
      if (fits(more, less)) return skip{more, less};
      if (fits(less, more)) return skip{less, more};
    }
  }
  return std::nullopt;
}

// Returns the gap at the front of two sequences whose first launches do not correspond.
gap first_gap(std::span<const token> a, std::span<const token> b) {
  const std::size_t most_a = std::min(a.size(), window);
  const std::size_t most_b = std::min(b.size(), window);
  const auto make = [](const skip& found, bool is_own) {
    return gap{0, 0, found.a, found.b, is_own};
  };
  const std::size_t own_a = own_at_front(a.first(most_a));
  const std::size_t own_b = own_at_front(b.first(most_b));
  if (const auto own = smallest_skip(a, b, own_a, own_b, 1)) return make(*own, true);
  if (!a.empty() && !b.empty()) {
    for (const std::size_t least : {3u, 1u}) {
      if (const auto found = smallest_skip(a, b, most_a, most_b, least)) return make(*found, false);
    }
  }
  const bool is_own = own_at_front(a) == a.size() && own_at_front(b) == b.size();
  return {0, 0, a.size(), b.size(), is_own};
}

}  // namespace

std::vector<gap> find_gaps(std::span<const token> a, std::span<const token> b) {
  std::vector<gap> gaps;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  while (true) {
    const auto [end_a, end_b] =
        std::mismatch(a.begin() + static_cast<std::ptrdiff_t>(at_a), a.end(),
                      b.begin() + static_cast<std::ptrdiff_t>(at_b), b.end());
    at_a = static_cast<std::size_t>(end_a - a.begin());
    at_b = static_cast<std::size_t>(end_b - b.begin());
    if (at_a == a.size() && at_b == b.size()) return gaps;
    gap next = first_gap(a.subspan(at_a), b.subspan(at_b));
    next.a = at_a;
    next.b = at_b;
    at_a += next.count_a;
    at_b += next.count_b;
    next.goes_on = at_a != a.size() && at_b != b.size();
    gaps.push_back(next);
  }
}

}  // namespace hpk_diff
