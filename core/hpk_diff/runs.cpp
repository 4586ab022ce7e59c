// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "wording.hpp"

namespace hpk_diff {

namespace {

std::vector<rank_file> files_of(const std::string& name) {
  auto files = find_rank_files(name);
  if (files.empty()) {
    throw failure("there is no file " + name + "; write HPK_HASH=" + quoted_for_shell(name) +
                  " ./app to make one");
  }
  return files;
}

// Describes a fact in words. Paths lose their folder, which differs from machine to machine.
std::string in_words(std::string_view key, std::string_view value) {
  if (key == "program") return std::string(value.substr(value.find_last_of('/') + 1));
  if (value.empty()) return {};
  if (value == "1" && (key == "workers" || key == "ranks"))
    return key == "ranks" ? "1 rank" : "1 worker";
  if (key == "workers" || key == "ranks") return std::string(value) + " " + std::string(key);
  if (key == "version") return "hpk " + std::string(value);
  if (key == "commit") return "commit " + std::string(value);
  return std::string(value);
}

std::vector<fact_difference> facts_of(const hash_file& a, const hash_file& b) {
  std::vector<fact_difference> found;
  for (const char* key :
       {"program", "space", "workers", "ranks", "compiler", "version", "commit"}) {
    fact_difference fact{key, in_words(key, a.joined_facts(key)),
                         in_words(key, b.joined_facts(key))};
    if (fact.a != fact.b) found.push_back(std::move(fact));
  }
  return found;
}

class collector {
 public:
  collector(run_comparison& result, std::optional<std::uint64_t> rank, const file_pair& files)
      : result_(result), rank_(rank), files_(files) {}

  void note_files();
  void note_comparison(const comparison& found);
  void list(const comparison& found);

 private:
  void note(const std::string& text) {
    const std::string head = rank_ ? "rank " + std::to_string(*rank_) + ": " : "";
    result_.notes.push_back(head + text);
  }
  void note_file(const hash_file& file, const std::string& name);
  std::string text_of(const difference& each, const comparison& found) const;

  run_comparison& result_;
  std::optional<std::uint64_t> rank_;
  const file_pair& files_;
};

void collector::note_file(const hash_file& file, const std::string& name) {
  if (file.ended_early()) {
    note("run " + name + " ended early, " +
         (file.launches.empty() ? "before its first launch"
                                : "after launch " + std::to_string(file.last_number())) +
         ": its file has no last line");
  }
  for (const auto& text : file.messages) note("run " + name + " says: " + visible(text));
}

void collector::note_files() {
  note_file(files_.a, "a");
  note_file(files_.b, "b");
}

void collector::note_comparison(const comparison& found) {
  if (found.own_in_a + found.own_in_b != 0) {
    note("launches that only one run has, of hpk itself or for mirrors, were left out: " +
         std::to_string(found.own_in_a) + " of a and " + std::to_string(found.own_in_b) + " of b");
  }
  if (found.behind_cut != 0) {
    note(count_of(found.behind_cut, "launch was", "launches were") +
         " not compared: the file of the other run stops before");
  }
  if (found.views_within_ulps != 0) {
    note(count_of(found.views_within_ulps, "View has", "Views have") + " other bits within " +
         std::to_string(*result_.options.ulps) + " ulp");
  }
  if (found.views_without_values != 0) {
    note(count_of(found.views_without_values, "View of other hashes counts",
                  "Views of other hashes count") +
         " as different: --ulp needs their values, which keep=<launch> "
         "writes");
  }
  for (const auto& label : found.ignored_in_vain)
    note("--ignore: no View has the label \"" + visible(label) + "\"");
}

std::string collector::text_of(const difference& each, const comparison& found) const {
  if (each.kind == difference_kind::sequence) {
    const sequence_difference& gap = found.sequences[each.a];
    return count_of(gap.a.size(), "launch", "launches") + " of a and " +
           std::to_string(gap.b.size()) + " of b have no counterpart, the first is " +
           (gap.a.empty() ? name_of(files_.b, gap.b.front()) + " of b"
                          : name_of(files_.a, gap.a.front()) + " of a");
  }
  std::string text = name_of(files_.a, each.a) + ": ";
  if (each.kind == difference_kind::failure)
    return text + "failed in " + (files_.a.launches[each.a].error != 0 ? "a" : "b") + " only";
  if (each.kind == difference_kind::views)
    return text + views_sentence(files_, each.a, each.b, result_.options);
  const auto views = differing_views(files_, each.a, each.b, result_.options, false);
  for (std::size_t k = 0; k != views.size(); ++k)
    text += (k == 0 ? "" : ", ") + name_of(files_.a.view_of(*views[k].a));
  return text;
}

void collector::list(const comparison& found) {
  for (const difference& each : found.differences) {
    if (each.kind == difference_kind::ended_early) continue;
    listed_difference line{rank_, each.kind, std::nullopt, std::nullopt, text_of(each, found)};
    if (each.kind == difference_kind::sequence) {
      const sequence_difference& gap = found.sequences[each.a];
      if (!gap.a.empty()) line.launch_a = files_.a.launches[gap.a.front()].number;
      if (!gap.b.empty()) line.launch_b = files_.b.launches[gap.b.front()].number;
    } else {
      line.launch_a = files_.a.launches[each.a].number;
      line.launch_b = files_.b.launches[each.b].number;
    }
    result_.all.push_back(std::move(line));
  }
}

void compare_rank(run_comparison& result, std::optional<std::uint64_t> rank,
                  const std::string& path_a, const std::string& path_b) {
  auto files = std::make_unique<file_pair>(path_a, path_b);
  if (result.ranks++ == 0) {
    result.facts = facts_of(files->a, files->b);
    result.workers_b = files->b.joined_facts("workers");
  }
  collector collect(result, rank, *files);
  collect.note_files();
  comparison found = compare(*files, result.options);
  collect.note_comparison(found);
  if (result.options.lists_all) collect.list(found);
  result.launches += found.launches;
  result.views += found.views;
  result.differences += found.differences.size();
  result.sequence_differences += found.sequences.size();
  result.own_in_a += found.own_in_a;
  result.own_in_b += found.own_in_b;
  if (found.equal()) return;
  const auto order = [](const comparison& of) {
    return std::tuple(of.differences.front().number, of.differences.front().place);
  };
  if (!result.first || order(found) < order(result.first->found)) {
    result.first.reset();
    result.first.emplace(
        first_difference{rank, std::move(files), std::move(found), std::vector<view_difference>()});
  }
}

}  // namespace

run_comparison compare_runs(const std::string& name_a, const std::string& name_b,
                            const run_options& options) {
  run_comparison result;
  result.name_a = name_a;
  result.name_b = name_b;
  result.options = options;
  const auto files_a = files_of(name_a);
  const auto files_b = files_of(name_b);
  const auto rank_a = files_a.front().rank;
  const auto rank_b = files_b.front().rank;
  const bool are_single = files_a.size() == 1 && files_b.size() == 1;
  if (are_single && (!rank_a || !rank_b || rank_a == rank_b)) {
    compare_rank(result, rank_a && rank_b ? rank_a : std::nullopt, files_a.front().path,
                 files_b.front().path);
  } else if (!rank_a || !rank_b) {
    const bool a_has_ranks = rank_a.has_value();
    throw failure((a_has_ranks ? name_b : name_a) + " is one file, and " +
                  (a_has_ranks ? name_a : name_b) +
                  " has files of several ranks; name one of them, as in " +
                  (a_has_ranks ? files_a : files_b).front().path);
  } else {
    auto a = files_a.begin();
    auto b = files_b.begin();
    while (a != files_a.end() || b != files_b.end()) {
      if (b == files_b.end() || (a != files_a.end() && a->rank < b->rank)) {
        result.ranks_in_a.push_back(*a++->rank);
      } else if (a == files_a.end() || b->rank < a->rank) {
        result.ranks_in_b.push_back(*b++->rank);
      } else {
        compare_rank(result, a->rank, a->path, b->path);
        ++a;
        ++b;
      }
    }
  }
  if (result.first && result.first->what().kind == difference_kind::values) {
    first_difference& first = *result.first;
    first.views = differing_views(*first.files, first.what().a, first.what().b, options, true);
  }
  return result;
}

}  // namespace hpk_diff
