// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "messages.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace hpk::kokkos {

namespace {

enum class then { end, go_on };

// An error: a pattern for hpk's text, in which * matches any text, and Kokkos' text. In Kokkos'
// text $1 is the match of the first *, %1 is the same without blanks, and $bound is the one of two
// bounds that does not fit: the bounds are the matches from number `bounds` on, followed by the
// range of the index type.
struct row {
  std::string_view ours;
  std::string_view theirs;
  then next = then::end;
  std::size_t bounds = 0;
};
constexpr std::string_view initialized_once =
    "Error: Kokkos::initialize() has already been called. Kokkos can be initialized at most once.";
constexpr row rows[] = {
    // Start and end.
    {"hpk::initialize: called*", initialized_once},
    {"hpk::finalize: called before*",
     "Error: Kokkos::finalize() may only be called after Kokkos has been initialized."},
    {"hpk::finalize: called twice*", "Error: Kokkos::finalize() has already been called."},
    {"a ScopeGuard begins while hpk is initialized*",
     "Creating a ScopeGuard while Kokkos is initialized"},
    {"a ScopeGuard begins after hpk::finalize*",
     "Creating a ScopeGuard after Kokkos was finalized"},
    {"a ScopeGuard ends after hpk::finalize*",
     "Destroying a ScopeGuard after Kokkos was finalized"},
    {"a finalize hook threw*",
     "Kokkos::finalize: A finalize hook (set via Kokkos::push_finalize_hook) threw an exception "
     "that it did not catch."},
    {"View \"*\" is allocated*",
     "Constructing View and initializing data with uninitialized execution space"},
    {"View \"*\" is freed after*",
     "Kokkos allocation \"$1\" is being deallocated after Kokkos::finalize was called"},

    // Views.
    {"hpk::View \"*\": index (*) is outside of the extents [*]*",
     "Kokkos::View ERROR: out of bounds access label=(\"$1\") with indices [%2] but extents [%3]"},
    {"hpk::View (wrapped memory): index (*) is outside of the extents [*]*",
     "Kokkos::View ERROR: out of bounds access label=(\"UNMANAGED\") with indices [%1] but extents "
     "[%2]"},
    {"hpk::subview: slice * of View *", "Kokkos::subview bounds error"},
    {"hpk::View: can't assign View *: its extents differ from the fixed*",
     "View Assignment: trying to assign runtime dimension to non matching compile time dimension."},
    {"*: the Aligned trait requires memory*",
     "Assigning NonAligned View or Pointer to Kokkos::View with Aligned attribute"},
    {"hpk::deep_copy: the extents differ; destination \"*\" of extents [*] at *, source \"*\" of "
     "extents [*] at *",
     "Kokkos::deep_copy extents of views don't match: $1(%2) $4(%5)", then::go_on},
    {"hpk::* \"*\": * memory space failed to allocate * bytes, that is *; *",
     "Kokkos ERROR: $3 memory space failed to allocate $5 (label=\"$2\").", then::go_on},

    // Policies.
    {"hpk::RangePolicy(*, *): the lower bound is greater*",
     "Kokkos::RangePolicy bounds error: The lower bound ($1) is greater than the upper bound "
     "($2)."},
    {"hpk::RangePolicy(*, *): a bound does not fit the index type, which holds * to *; *",
     "Kokkos::RangePolicy bound type error: an unsafe implicit conversion is performed on a bound "
     "($bound), which may not preserve its original value.",
     then::end, 1},
    {"hpk::MDRangePolicy: in dimension * the upper bound * is below the lower bound *",
     "Kokkos::MDRangePolicy bounds error: The lower bound ($3) is greater than its upper bound "
     "($2) "
     "in dimension $1."},
    {"hpk::MDRangePolicy: in dimension * the bounds [*, *) do not fit the index type, which goes "
     "from * to *; *",
     "Kokkos::MDRangePolicy bound type error: an unsafe implicit conversion is performed on a "
     "bound "
     "($bound) in dimension ($1), which may not preserve its original value.",
     then::end, 2},
    {"*: a team of * threads; this space takes *", "Requested Team Size is too large!"},
    {"hpk::TeamPolicy: there is no scratch of level *",
     "TeamPolicy::set_scratch_size storage level argument must be 0 or 1 to be valid"},

    // Others.
    {"Array: index -* is outside of [0, *", "Kokkos::Array: index -$1 < 0"},
    {"Array: index * is outside of [0, *)", "Kokkos::Array: index $1 >= $2"},
    {"precondition violated: *",
     "Kokkos contract violation: Expected precondition `$1` evaluated false."},
    {"postcondition violated: *",
     "Kokkos contract violation: Ensured postcondition `$1` evaluated false."},
    {"assertion violated: *",
     "Kokkos contract violation: Asserted condition `$1` evaluated false."},
    {"hpk::DualView \"*\": both sides are modified*",
     "Kokkos::DualView::modify ERROR: Concurrent modification of host and device views in DualView "
     "\"$1\""},
    {"hpk::MemoryPool *: allocate(*) is more than the max block*",
     "Kokkos MemoryPool allocation request exceeded specified maximum allocation size"},
    {"hpk::MemoryPool *: deallocate(*", "Kokkos MemoryPool::deallocate given erroneous pointer"},
};

using pieces = std::vector<std::string_view>;

// Whether the text matches the pattern; `found` gets the match of each *. A * matches as little as
// possible, the last one all of the rest.
bool matches(std::string_view pattern, std::string_view text, pieces& found) {
  found.clear();
  std::size_t star = pattern.find('*');
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(std::min(star, text.size()));
  while (star != pattern.npos) {
    const std::size_t next = pattern.find('*', star + 1);
    const std::string_view behind = pattern.substr(star + 1, next - star - 1);
    const std::size_t at = behind.empty() ? text.size() : text.find(behind);
    if (at == text.npos) return false;
    found.push_back(text.substr(0, at));
    text.remove_prefix(at + behind.size());
    star = next;
  }
  return text.empty();
}

std::string without_blanks(std::string_view text) {
  std::string result(text);
  std::erase(result, ' ');
  return result;
}

long double value_of(std::string_view number) { return std::stold(std::string(number)); }

std::string_view unfit_bound(const row& r, const pieces& found) {
  const auto* const bounds = found.data() + r.bounds - 1;
  const long double first = value_of(bounds[0]);
  const bool fits = first >= value_of(bounds[2]) && first <= value_of(bounds[3]);
  return bounds[fits ? 1 : 0];
}

std::string fill_in(const row& r, const pieces& found) {
  constexpr std::string_view bound = "$bound";
  std::string result;
  for (std::string_view rest = r.theirs; !rest.empty();) {
    if (rest.starts_with(bound)) {
      result += unfit_bound(r, found);
      rest.remove_prefix(bound.size());
    } else if (rest[0] == '$' || rest[0] == '%') {
      const std::string_view piece = found[static_cast<std::size_t>(rest[1] - '1')];
      result += rest[0] == '$' ? std::string(piece) : without_blanks(piece);
      rest.remove_prefix(2);
    } else {
      result += rest[0];
      rest.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace

bool add_words_of_kokkos(std::string& message) {
  // Without the source location of the call.
  const std::string text =
      message.substr(0, message.ends_with(')') ? message.rfind(" (at ") : message.npos);
  pieces found;
  for (const row& r : rows) {
    if (!matches(r.ours, text, found)) continue;
    message += '\n' + fill_in(r, found);
    return r.next == then::end;
  }
  return false;
}

}  // namespace hpk::kokkos
