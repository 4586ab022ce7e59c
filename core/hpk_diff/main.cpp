// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk-diff: finds the first wrong bit between two runs. This file reads the arguments; the text of
// --help is the manual.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"
#include "self_comparison.hpp"

namespace {

constexpr const char* help = R"(usage: hpk-diff [options] A B
       hpk-diff --against-self N [options] ./app [arguments]

Names the first wrong bit between two runs. A and B are files that runs with HPK_HASH=<file>
wrote, or the names of such files without .rank0, .rank1, ... The second form runs a program with 1
to N workers and compares the runs.

  --json             print one JSON object
  --all              list every launch that differs
  --ulp N            treat floating-point numbers within N ulp as equal; needs values (keep=)
  --ignore LABEL     leave out Views of this label; may be repeated
  --against-self N   run the program after the options twice with 1 worker, and with 2 to N
  --keep-files DIR   leave the files of these runs in DIR
  --help, --version  print this text, or the version

Exit status: 0 the runs are equal, 1 they differ, 2 hpk-diff can't tell.

Members of the JSON object:
  equal, a, b        whether the runs are equal, and their names
  ranks, launches, views   how many were compared
  facts              {"space": {"a": ..., "b": ...}}, the facts that differ
  first              null, or the first difference. Its "kind" determines the rest:
                     values: a, b (launch, nth, thread, pattern, label, functor, file, line,
                       error), views (position, label, type, element, shape, result, padding,
                       hash, values), second_runs (commands a, b, compare, where values are
                       missing). The values of a View are null, or have elements, different,
                       first_index, first, first_bits, first_never_written, never_written, nan,
                       other_nans, max_ulp, max_absolute
                     views: a, b, text
                     failure: a, b
                     sequence: thread, count, a and b (lists of launches), next (a, b, or null)
                     ended_early: launch, complete
                     and "rank", which may be null
  later              launches, different, equal_at_end: of the launches after the first difference
  sequence           differences, own_only (launches of hpk itself that only one run has),
                     ranks_only
  all                with --all: kind, rank, launch, text of each
  notes              sentences
  self               with --against-self: repeats, most_workers, workers, command
)";

struct arguments {
  hpk_diff::self_options self;
  std::vector<std::string> files;
  bool is_against_self = false;
};

std::uint64_t number_of(const std::string& option, const std::string& value, std::uint64_t least) {
  std::uint64_t number = 0;
  if (!hpk_diff::read_number(value, number) || number < least) {
    throw hpk_diff::failure(option + " takes a number from " + std::to_string(least) +
                            " on, not '" + value + "'");
  }
  return number;
}

// Reads the arguments up to the program after --against-self.
arguments read_arguments(const std::vector<std::string>& given) {
  arguments out;
  hpk_diff::self_options& self = out.self;
  bool are_options = true;
  for (std::size_t k = 0; k != given.size(); ++k) {
    const std::string& word = given[k];
    const auto value = [&]() -> const std::string& {
      if (k + 1 == given.size()) throw hpk_diff::failure(word + " needs a value");
      return given[++k];
    };
    const bool is_option = are_options && word.size() > 1 && word.front() == '-';
    if (!is_option && out.is_against_self) {
      self.command.assign(given.begin() + static_cast<std::ptrdiff_t>(k), given.end());
      return out;
    }
    if (!is_option) {
      out.files.push_back(word);
    } else if (word == "--") {
      are_options = false;
    } else if (word == "--json") {
      self.as_json = true;
    } else if (word == "--all") {
      self.compare.lists_all = true;
    } else if (word == "--ulp") {
      self.compare.ulps = number_of(word, value(), 0);
    } else if (word == "--ignore") {
      self.compare.ignored.push_back(value());
    } else if (word == "--against-self") {
      self.workers = number_of(word, value(), 1);
      out.is_against_self = true;
    } else if (word == "--keep-files") {
      self.folder = value();
    } else {
      throw hpk_diff::failure("there is no option " + word + "; hpk-diff --help lists them");
    }
  }
  return out;
}

int run(const std::vector<std::string>& given) {
  for (const auto& word : given) {
    if (word == "--against-self" || word == "--") break;
    if (word == "--help") return std::fputs(help, stdout) < 0 ? 2 : 0;
    if (word == "--version") return std::puts("hpk-diff " HPK_DIFF_VERSION) < 0 ? 2 : 0;
  }
  const arguments read = read_arguments(given);
  if (read.is_against_self) {
    if (!read.files.empty() || read.self.command.empty())
      throw hpk_diff::failure("write hpk-diff --against-self N ./app [arguments]");
    return hpk_diff::compare_with_itself(read.self) ? 0 : 1;
  }
  if (!read.self.folder.empty()) throw hpk_diff::failure("--keep-files needs --against-self N");
  if (read.files.size() != 2)
    throw hpk_diff::failure("two files are needed: write hpk-diff A B, or see hpk-diff --help");
  const auto found = hpk_diff::compare_runs(read.files[0], read.files[1], read.self.compare);
  const std::string text =
      read.self.as_json ? hpk_diff::json_report(found) : hpk_diff::text_report(found);
  std::fputs(text.c_str(), stdout);
  return found.equal() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    const int status = run(std::vector<std::string>(words + 1, words + count));
    if (std::fflush(stdout) == 0) return status;
    std::fputs("hpk-diff: can't write the report; check whether the disk is full\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hpk-diff: %s\n", error.what());
  }
  return 2;
}
