// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <unordered_map>

namespace hpk_diff {

namespace {

// Position of a difference relative to its launch.
enum place : std::uint8_t { before, at, behind };

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string key_of(const kernel_description& kernel) {
  const char end = '\0';
  if (!kernel.label.empty()) return kernel.pattern + end + kernel.label;
  return kernel.pattern + end + end + base_name(kernel.file) + end + kernel.functor;
}

bool is_own(const kernel_description& kernel) {
  return kernel.label.starts_with("hpk::") || kernel.label.starts_with("Kokkos::");
}

// Gives equal kernels of both runs the same number.
class kernel_numbers {
 public:
  // `mirrors`: whether one run may lack copies of mirrors, because on its space mirrors are the
  // Views themselves.
  explicit kernel_numbers(bool mirrors) : mirrors_(mirrors) {}
  std::vector<token> tokens_of(const hash_file& file) {
    std::vector<token> all;
    for (const auto& kernel : file.kernels) {
      const auto number = static_cast<std::uint32_t>(numbers_.size());
      const bool may_be_alone = is_own(kernel) || (mirrors_ && kernel.pattern == "deep_copy");
      all.push_back({numbers_.emplace(key_of(kernel), number).first->second, may_be_alone, 0});
    }
    return all;
  }

 private:
  const bool mirrors_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

bool has_fact(const hash_file& file, std::string_view key) {
  return std::any_of(file.facts.begin(), file.facts.end(),
                     [&](const auto& fact) { return fact.first == key; });
}

// Throws failure if both files name an option and the values differ. A file that ends before it
// names its options may have any.
void expect_same_selection(const hash_file& a, const hash_file& b) {
  for (const std::string_view option : {"every", "label", "regions"}) {
    const std::string in_a(a.fact(option));
    const std::string in_b(b.fact(option));
    if (in_a == in_b || !has_fact(a, option) || !has_fact(b, option)) continue;
    const auto in_words = [&](const std::string& value) {
      return (value.empty() ? "without " : "with ") + std::string(option) +
             (value.empty() ? "" : "=" + value);
    };
    throw failure(a.path + " was written " + in_words(in_a) + ", and " + b.path + " " +
                  in_words(in_b) + "; let both runs write with the same options");
  }
}

struct thread_launches {
  std::vector<std::size_t> places;
  std::vector<token> tokens;
};
using launches_by_thread = std::map<std::uint32_t, thread_launches>;

launches_by_thread by_thread(const hash_file& file, const std::vector<token>& kernels) {
  // If runs write every nth launch, launches with the same count correspond.
  const bool counts = !file.fact("every").empty() && file.fact("every") != "1";
  launches_by_thread all;
  for (std::size_t k = 0; k != file.launches.size(); ++k) {
    const launch& next = file.launches[k];
    token what = kernels[next.kernel];
    if (counts) what.nth = next.nth;
    thread_launches& of_thread = all[next.thread];
    of_thread.places.push_back(k);
    of_thread.tokens.push_back(what);
  }
  return all;
}

// Returns for each thread of a its partner in b, under the number of the thread of a. Threads are
// numbered in the order of their first launches, which may change from run to run. Threads with
// equal launches correspond, first those with equal numbers. The remaining threads correspond by
// number, then in order.
launches_by_thread match_threads(const launches_by_thread& a, launches_by_thread b, bool a_is_cut,
                                 bool b_is_cut) {
  // Ignores kernels of hpk, which may be in one run only, and the missing end of a run that was
  // cut.
  const auto launches_of_program = [](const thread_launches& thread) {
    std::vector<token> found;
    std::copy_if(thread.tokens.begin(), thread.tokens.end(), std::back_inserter(found),
                 [](const token& one) { return !one.is_own; });
    return found;
  };
  const auto begins_with = [](const std::vector<token>& whole, const std::vector<token>& part) {
    return !part.empty() && part.size() <= whole.size() &&
           std::equal(part.begin(), part.end(), whole.begin());
  };
  const auto launch_alike = [&](const thread_launches& of_a, const thread_launches& of_b) {
    const std::vector<token> x = launches_of_program(of_a);
    const std::vector<token> y = launches_of_program(of_b);
    return x == y || (a_is_cut && begins_with(y, x)) || (b_is_cut && begins_with(x, y));
  };
  launches_by_thread matched;
  const auto match = [&](bool same_number, bool same_launches) {
    for (const auto& [number, of_a] : a) {
      if (matched.contains(number)) continue;
      const auto partner = std::find_if(b.begin(), b.end(), [&](const auto& of_b) {
        return (!same_number || of_b.first == number) &&
               (!same_launches || launch_alike(of_a, of_b.second));
      });
      if (partner == b.end()) continue;
      matched.emplace(number, std::move(partner->second));
      b.erase(partner);
    }
  };
  match(true, true);
  match(false, true);
  match(true, false);
  match(false, false);
  // Threads that only b has.
  for (auto& [number, of_b] : b) {
    std::uint32_t free = number;
    while (matched.contains(free)) ++free;
    matched.emplace(free, std::move(of_b));
  }
  return matched;
}

bool has_ignored(const view_description& view, const comparison_options& options) {
  return std::find(options.ignored.begin(), options.ignored.end(), view.label) !=
         options.ignored.end();
}

class comparer {
 public:
  comparer(const file_pair& files, const comparison_options& options)
      : files_(files),
        a_(files.a),
        b_(files.b),
        options_(options),
        states_(files.a.launches.size(), state::alone) {}

  comparison run();

 private:
  enum class state : std::uint8_t { alone, equal, different };

  void compare_threads(const thread_launches& a, const thread_launches& b, std::uint32_t thread);
  void compare_launches(std::size_t a, std::size_t b);
  bool views_differ(const written_view& a, const written_view& b);
  void add_gap(const gap& next, const thread_launches& a, const thread_launches& b,
               std::uint32_t thread);
  void add(difference_kind kind, std::size_t a, std::size_t b) {
    result_.differences.push_back({kind, a_.launches[a].number, at, a, b});
  }
  void count_later();

  const file_pair& files_;
  const hash_file& a_;
  const hash_file& b_;
  const comparison_options& options_;
  std::vector<state> states_;  // states of the launches of a
  comparison result_;
};

comparison comparer::run() {
  expect_same_selection(a_, b_);
  kernel_numbers numbers(a_.fact("space") != b_.fact("space"));
  launches_by_thread threads_a = by_thread(a_, numbers.tokens_of(a_));
  launches_by_thread threads_b =
      match_threads(threads_a, by_thread(b_, numbers.tokens_of(b_)), a_.is_cut(), b_.is_cut());
  for (const auto& [thread, launches] : threads_b) threads_a[thread];
  for (const auto& [thread, launches] : threads_a)
    compare_threads(launches, threads_b[thread], thread);
  if (a_.ended_early() != b_.ended_early()) {
    result_.differences.push_back(
        {difference_kind::ended_early, std::numeric_limits<std::uint64_t>::max(), behind, 0, 0});
  }
  std::stable_sort(result_.differences.begin(), result_.differences.end(),
                   [](const difference& x, const difference& y) {
                     return x.number != y.number ? x.number < y.number : x.place < y.place;
                   });
  count_later();
  for (const auto& label : options_.ignored) {
    const auto has_label = [&](const view_description& view) { return view.label == label; };
    if (std::none_of(a_.views.begin(), a_.views.end(), has_label) &&
        std::none_of(b_.views.begin(), b_.views.end(), has_label))
      result_.ignored_in_vain.push_back(label);
  }
  return std::move(result_);
}

void comparer::compare_threads(const thread_launches& a, const thread_launches& b,
                               std::uint32_t thread) {
  std::vector<gap> gaps = find_gaps(a.tokens, b.tokens);
  gaps.push_back({a.tokens.size(), b.tokens.size()});
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  for (const gap& next : gaps) {
    for (; at_a != next.a; ++at_a, ++at_b) compare_launches(a.places[at_a], b.places[at_b]);
    if (next.count_a + next.count_b != 0) add_gap(next, a, b, thread);
    at_a += next.count_a;
    at_b += next.count_b;
  }
}

void comparer::add_gap(const gap& next, const thread_launches& a, const thread_launches& b,
                       std::uint32_t thread) {
  const std::size_t end_a = next.a + next.count_a;
  const std::size_t end_b = next.b + next.count_b;
  if (next.is_own) {
    result_.own_in_a += next.count_a;
    result_.own_in_b += next.count_b;
    return;
  }
  // A file that stops before its run lacks the end of each thread.
  if ((next.count_a == 0 && end_a == a.places.size() && a_.is_cut()) ||
      (next.count_b == 0 && end_b == b.places.size() && b_.is_cut())) {
    result_.behind_cut += next.count_a + next.count_b;
    return;
  }
  const auto part = [](const thread_launches& all, std::size_t from, std::size_t to) {
    return std::vector(all.places.begin() + static_cast<std::ptrdiff_t>(from),
                       all.places.begin() + static_cast<std::ptrdiff_t>(to));
  };
  sequence_difference found;
  found.thread = thread;
  found.a = part(a, next.a, end_a);
  found.b = part(b, next.b, end_b);
  if (next.goes_on) {
    found.next_a = a.places[end_a];
    found.next_b = b.places[end_b];
  }
  difference where{difference_kind::sequence, 0, behind, result_.sequences.size(), 0};
  if (next.a != a.places.size()) {
    where.place = before;
    where.number = a_.launches[a.places[next.a]].number;
  } else if (!a.places.empty()) {
    where.number = a_.launches[a.places.back()].number;
  }
  result_.differences.push_back(where);
  result_.sequences.push_back(std::move(found));
}

bool comparer::views_differ(const written_view& a, const written_view& b) {
  if (a.hash == b.hash) return false;
  const view_description& view = a_.view_of(a);
  if (!options_.ulps || !is_floating(view.element.kind)) return true;
  if (!have_both(files_.values_a, a, files_.values_b, b)) {
    ++result_.views_without_values;
    return true;
  }
  const bool differ =
      compare_values(files_.values_a, a, files_.values_b, b, view, options_.ulps).different != 0;
  if (!differ) ++result_.views_within_ulps;
  return differ;
}

void comparer::compare_launches(std::size_t a, std::size_t b) {
  ++result_.launches;
  bool differs = false;
  const auto found = [&](difference_kind kind) {
    add(kind, a, b);
    differs = true;
  };
  const auto views_a = a_.written_by(a);
  const auto views_b = b_.written_by(b);
  const auto same = [&](const written_view& x, const written_view& y) {
    return is_same_view(a_.view_of(x), b_.view_of(y));
  };
  bool same_views = false;
  bool same_values = true;
  if (options_.ignored.empty()) {
    same_views = std::equal(views_a.begin(), views_a.end(), views_b.begin(), views_b.end(), same);
    result_.views += same_views ? views_a.size() : 0;
    for (std::size_t k = 0; same_views && k != views_a.size(); ++k)
      same_values = !views_differ(views_a[k], views_b[k]) && same_values;
  } else {
    const auto some_a = compared_views(a_, a, options_);
    const auto some_b = compared_views(b_, b, options_);
    same_views = std::equal(some_a.begin(), some_a.end(), some_b.begin(), some_b.end(),
                            [&](const auto* x, const auto* y) { return same(*x, *y); });
    result_.views += same_views ? some_a.size() : 0;
    for (std::size_t k = 0; same_views && k != some_a.size(); ++k)
      same_values = !views_differ(*some_a[k], *some_b[k]) && same_values;
  }
  if ((a_.launches[a].error != 0) != (b_.launches[b].error != 0)) {
    found(difference_kind::failure);
  } else if (!same_views) {
    found(difference_kind::views);
  } else if (!same_values) {
    found(difference_kind::values);
  }
  states_[a] = differs ? state::different : state::equal;
}

void comparer::count_later() {
  if (result_.differences.empty()) return;
  const difference& first = result_.differences.front();
  std::uint64_t last = 0;
  bool ends_alike = true;
  for (const difference& each : result_.differences) {
    if (each.kind == difference_kind::ended_early) continue;
    last = std::max(last, each.number);
    if (each.kind != difference_kind::sequence) continue;
    const sequence_difference& gap = result_.sequences[each.a];
    if (!gap.next_a) ends_alike = false;
    for (const std::size_t k : gap.a) last = std::max(last, a_.launches[k].number);
  }
  for (std::size_t k = 0; k != states_.size(); ++k) {
    const std::uint64_t number = a_.launches[k].number;
    const bool is_later =
        number > first.number || (number == first.number && first.place == before);
    if (states_[k] == state::alone) continue;
    if (is_later) ++result_.later;
    if (is_later && states_[k] == state::different) ++result_.later_different;
    if (ends_alike && states_[k] == state::equal && number >= last) ++result_.equal_at_end;
  }
}

}  // namespace

comparison compare(const file_pair& files, const comparison_options& options) {
  return comparer(files, options).run();
}

std::vector<const written_view*> compared_views(const hash_file& of, std::size_t launch,
                                                const comparison_options& options) {
  std::vector<const written_view*> some;
  for (const written_view& view : of.written_by(launch)) {
    if (!has_ignored(of.view_of(view), options)) some.push_back(&view);
  }
  return some;
}

bool is_same_view(const view_description& a, const view_description& b) {
  return a.element_name == b.element_name && a.is_result == b.is_result && a.shape == b.shape &&
         a.label == b.label;
}

std::vector<view_difference> differing_views(const file_pair& files, std::size_t a, std::size_t b,
                                             const comparison_options& options, bool with_values) {
  const auto views_a = compared_views(files.a, a, options);
  const auto views_b = compared_views(files.b, b, options);
  std::vector<view_difference> found;
  for (std::size_t k = 0; k != std::min(views_a.size(), views_b.size()); ++k) {
    const written_view& of_a = *views_a[k];
    const written_view& of_b = *views_b[k];
    const view_description& view = files.a.view_of(of_a);
    if (of_a.hash == of_b.hash || !is_same_view(view, files.b.view_of(of_b))) continue;
    view_difference next{k, &of_a, &of_b, std::nullopt};
    const bool needs_values = with_values || (options.ulps && is_floating(view.element.kind));
    if (needs_values && have_both(files.values_a, of_a, files.values_b, of_b)) {
      next.values = compare_values(files.values_a, of_a, files.values_b, of_b, view, options.ulps);
      const bool is_within = next.values->different == 0 && options.ulps;
      if (is_within && is_floating(view.element.kind)) continue;
    }
    found.push_back(std::move(next));
  }
  return found;
}

}  // namespace hpk_diff
