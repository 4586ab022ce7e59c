// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "report.hpp"
#include "scalars.hpp"
#include "wording.hpp"

namespace hpk_diff {

namespace {

constexpr std::size_t most_lines = 8;

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string number_list(const std::vector<std::uint64_t>& numbers) {
  std::string out;
  for (std::size_t k = 0; k != std::min(numbers.size(), most_lines); ++k)
    out += (k == 0 ? "" : ", ") + std::to_string(numbers[k]);
  return numbers.size() > most_lines ? out + ", ..." : out;
}

class text_writer {
 public:
  explicit text_writer(const run_comparison& of) : of_(of) {}
  std::string write();

 private:
  void line(const std::string& text) { out_ += text + '\n'; }
  void write_facts();
  void write_equal();
  void write_ranks();
  void write_first();
  void write_launch(const first_difference& first);
  void write_sequence(const first_difference& first);
  void write_launches(const hash_file& file, const std::vector<std::size_t>& launches,
                      const char* run);
  void write_values(const first_difference& first);
  void write_elements(const first_difference& first, const view_difference& view);
  void write_element(const char* run, const std::string& text, bool is_unset,
                     const hash_file& file);
  void write_distances(const view_description& view, const value_difference& values);
  void write_second_runs(const first_difference& first);
  void write_later(const comparison& found);
  void write_all();

  const run_comparison& of_;
  std::string out_;
};

void text_writer::write_facts() {
  if (of_.facts.empty()) return;
  std::string a = "a: ";
  std::string b = "b: ";
  for (std::size_t k = 0; k != of_.facts.size(); ++k) {
    const fact_difference& fact = of_.facts[k];
    const std::string comma = k == 0 ? "" : ", ";
    a += comma + visible(fact.a.empty() ? fact.key + " unknown" : fact.a);
    b += comma + visible(fact.b.empty() ? fact.key + " unknown" : fact.b);
  }
  line(a + "; " + b);
}

void text_writer::write_equal() {
  line("run a and run b are equal: " +
       (of_.ranks > 1 ? std::to_string(of_.ranks) + " ranks, " : "") +
       count_of(of_.launches, "launch", "launches") + ", " + count_of(of_.views, "View", "Views"));
}

void text_writer::write_ranks() {
  if (!of_.ranks_in_a.empty())
    line("only run a has files of these ranks: " + number_list(of_.ranks_in_a));
  if (!of_.ranks_in_b.empty())
    line("only run b has files of these ranks: " + number_list(of_.ranks_in_b));
  if (!of_.first && of_.ranks != 0) {
    line("the other ranks are equal: " + std::to_string(of_.ranks) + " ranks, " +
         count_of(of_.launches, "launch", "launches") + ", " +
         count_of(of_.views, "View", "Views"));
  }
}

// Writes the name of the launch, and how its name in b differs.
void text_writer::write_launch(const first_difference& first) {
  const hash_file& a = first.files->a;
  const hash_file& b = first.files->b;
  const launch& of_a = a.launches[first.what().a];
  const launch& of_b = b.launches[first.what().b];
  std::string text = "first difference: ";
  if (first.rank) text += "rank " + std::to_string(*first.rank) + ", ";
  text += name_of(a, first.what().a);
  if (of_a.thread != 0) text += ", thread " + std::to_string(of_a.thread);
  std::string other;
  const auto add = [&](const std::string& what) { other += (other.empty() ? "" : ", ") + what; };
  if (of_a.number != of_b.number) add("launch " + std::to_string(of_b.number));
  if (of_a.nth != of_b.nth) add("the " + ordinal(of_b.nth));
  if (place_of(a.kernel_of(of_a)) != place_of(b.kernel_of(of_b))) add(place_of(b.kernel_of(of_b)));
  line(text + (other.empty() ? "" : "; in b: " + other));
}

void text_writer::write_launches(const hash_file& file, const std::vector<std::size_t>& launches,
                                 const char* run) {
  if (launches.empty()) return line(std::string("  run ") + run + " launches nothing here");
  line(std::string("  run ") + run + " launches:");
  for (std::size_t k = 0; k != std::min(launches.size(), most_lines); ++k)
    line("    " + name_of(file, launches[k]));
  if (launches.size() > most_lines)
    line("    and " + std::to_string(launches.size() - most_lines) + " more");
}

void text_writer::write_sequence(const first_difference& first) {
  const hash_file& a = first.files->a;
  const hash_file& b = first.files->b;
  const sequence_difference& gap = first.found.sequences[first.what().a];
  std::string text = "first difference: ";
  if (first.rank) text += "rank " + std::to_string(*first.rank) + ", ";
  if (gap.thread != 0) text += "thread " + std::to_string(gap.thread) + ", ";
  line(text + "the runs launch other kernels");
  write_launches(a, gap.a, "a");
  write_launches(b, gap.b, "b");
  if (gap.next_a) {
    line("  They agree again from launch " + std::to_string(a.launches[*gap.next_a].number) +
         " of a and " + std::to_string(b.launches[*gap.next_b].number) +
         " of b: " + name_of(a.kernel_of(a.launches[*gap.next_a])));
  } else if (gap.a.empty() || gap.b.empty()) {
    line(std::string("  Run ") + (gap.a.empty() ? "a" : "b") + " launches nothing after that.");
  } else if (std::max(gap.a.size(), gap.b.size()) > 1000) {
    line("  They do not agree again within 1000 launches; later launches were not compared.");
  }
}

void text_writer::write_element(const char* run, const std::string& text, bool is_unset,
                                const hash_file& file) {
  const std::string value = is_unset ? "never written (this run fills memory with " +
                                           std::string(file.fact("unset")) + ")"
                                     : text;
  line(std::string("    ") + run + ": " + value);
}

void text_writer::write_distances(const view_description& view, const value_difference& values) {
  std::string distances;
  if (values.most_ulps) distances = text_of(*values.most_ulps) + " ulp";
  if (values.largest)
    distances +=
        (distances.empty() ? "" : ", ") + distance_text(view.element.kind, *values.largest);
  if (!distances.empty()) line("  The largest difference: " + distances + ".");
  const auto add_line = [&](std::uint64_t count, const std::string& one, const std::string& several,
                            const std::string& rest) {
    if (count != 0) line("  " + count_of(count, one, several) + rest + ".");
  };
  add_line(values.nan_in_a, "number is", "numbers are", " NaN in a only");
  add_line(values.nan_in_b, "number is", "numbers are", " NaN in b only");
  add_line(values.other_nans, "number is", "numbers are", " NaN in both, with other bits");
  add_line(values.unset_in_a, "element was", "elements were", " never written in a, but in b");
  add_line(values.unset_in_b, "element was", "elements were", " never written in b, but in a");
}

void text_writer::write_elements(const first_difference& first, const view_difference& view) {
  const view_description& of = first.files->a.view_of(*view.a);
  const value_difference& values = *view.values;
  const element_type& type = of.element;
  if (values.different == 0) {
    line("  " + name_of(of) +
         ": the hashes differ, but no element does; see whether the .values files belong to them");
    return;
  }
  const std::string how = of_.options.ulps && is_floating(type.kind)
                              ? " by more than " + std::to_string(*of_.options.ulps) + " ulp"
                              : "";
  if (of.extents.empty()) {
    line("  " + name_of(of) + ": the value differs" + how + ":");
  } else {
    line("  " + name_of(of) + ": " + std::to_string(values.different) + " of " +
         count_of(values.elements, "element differs",
                  values.different == 1 ? "elements differs" : "elements differ") +
         how + ", the first at " + text_of(index_of(of, values)) + ":");
  }
  const unsigned char* const a = bytes_of(values.bytes_a);
  const unsigned char* const b = bytes_of(values.bytes_b);
  std::string text_a = element_text(type, a, first.files->values_a.unset());
  std::string text_b = element_text(type, b, first.files->values_b.unset());
  if (text_a == text_b) {
    text_a += where_unlike(type, a, b);
    text_b += where_unlike(type, b, a);
  }
  write_element("a", text_a, values.is_unset_a, first.files->a);
  write_element("b", text_b, values.is_unset_b, first.files->b);
  write_distances(of, values);
}

void text_writer::write_second_runs(const first_difference& first) {
  const second_runs again = second_runs_of(*first.files, of_.name_a, of_.name_b, first.what().a,
                                           first.what().b, of_.options);
  const std::string of = first.views.size() == 1 ? "it" : "all of them";
  line("  The files have no values of " + of + "; to see which elements differ, run both again:");
  line("    " + again.a);
  line("    " + again.b);
  line("    " + again.compare);
}

void text_writer::write_values(const first_difference& first) {
  const hash_file& a = first.files->a;
  const auto shown =
      std::find_if(first.views.begin(), first.views.end(),
                   [](const view_difference& view) { return view.values.has_value(); });
  if (shown == first.views.end()) {
    if (!first.views.empty()) line("  " + name_of(a.view_of(*first.views.front().a)) + " differs");
  } else {
    write_elements(first, *shown);
  }
  if (std::any_of(first.views.begin(), first.views.end(),
                  [&](const view_difference& view) { return a.view_of(*view.a).may_have_padding; }))
    line("  Elements may have padding bytes; if they alone differ, the difference means nothing.");
  if (first.views.size() > 1) {
    line("  Views of this launch that differ:");
    for (std::size_t k = 0; k != std::min(first.views.size(), most_lines); ++k) {
      const view_difference& view = first.views[k];
      const std::string count = view.values
                                    ? ": " + std::to_string(view.values->different) + " of " +
                                          count_of(view.values->elements, "element", "elements")
                                    : "";
      line("    " + name_of(a.view_of(*view.a)) + count);
    }
    if (first.views.size() > most_lines)
      line("    and " + std::to_string(first.views.size() - most_lines) + " more");
  }
  const bool have_values =
      std::all_of(first.views.begin(), first.views.end(),
                  [](const view_difference& view) { return view.values.has_value(); });
  if (!have_values && of_.options.asks_for_second_runs) write_second_runs(first);
}

void text_writer::write_later(const comparison& found) {
  const std::uint64_t all = found.later;
  if (all == 0) return line("No later launch is in both runs.");
  const std::string launches = count_of(all, "later launch", "later launches");
  if (found.later_different == 0) {
    const std::string end = found.equal_at_end == 0 ? "." : ": the runs agree again.";
    return line(all == 1 ? "The launch after it is equal" + end
                         : "The " + launches + " are equal" + end);
  }
  const std::string part = "Of " + launches + ", " + std::to_string(found.later_different) +
                           (found.later_different == 1 ? " differs too" : " differ too");
  line(
      found.equal_at_end == 0
          ? part + "."
          : part + "; the last " +
                (found.equal_at_end == 1 ? "one is" : std::to_string(found.equal_at_end) + " are") +
                " equal: the runs agree again.");
}

void text_writer::write_first() {
  const first_difference& first = *of_.first;
  const hash_file& a = first.files->a;
  const hash_file& b = first.files->b;
  const difference& what = first.what();
  if (what.kind == difference_kind::ended_early) {
    const bool in_a = a.ended_early();
    const hash_file& file = in_a ? a : b;
    line("first difference: " + (first.rank ? "rank " + std::to_string(*first.rank) + ", " : "") +
         "run " + (in_a ? "a" : "b") + " ended early, after launch " +
         std::to_string(file.last_number()) + "; up to there the runs are equal: " +
         count_of(first.found.launches, "launch", "launches"));
    return;
  }
  if (what.kind == difference_kind::sequence) {
    write_sequence(first);
  } else {
    write_launch(first);
  }
  if (what.kind == difference_kind::values) write_values(first);
  if (what.kind == difference_kind::views)
    line("  " + views_sentence(*first.files, what.a, what.b, of_.options));
  if (what.kind == difference_kind::failure) {
    const bool in_a = a.launches[what.a].error != 0;
    const std::string& error =
        in_a ? a.errors[a.launches[what.a].error - 1] : b.errors[b.launches[what.b].error - 1];
    line(std::string("  It failed in ") + (in_a ? "a" : "b") + " only: " + visible(error));
  }
  write_later(first.found);
  const std::size_t more =
      first.found.sequences.size() - (what.kind == difference_kind::sequence ? 1 : 0);
  if (more != 0)
    line("The runs launch other kernels in " + count_of(more, "later place", "later places") + ".");
}

void text_writer::write_all() {
  if (of_.all.empty()) return;
  line("all differences:");
  for (const auto& each : of_.all)
    line("  " + (each.rank ? "rank " + std::to_string(*each.rank) + ", " : "") + each.text);
}

std::string text_writer::write() {
  write_facts();
  if (of_.equal()) {
    write_equal();
  } else {
    write_ranks();
  }
  if (of_.first) write_first();
  write_all();
  for (const auto& note : of_.notes) line("note: " + note);
  return std::move(out_);
}

}  // namespace

std::string text_report(const run_comparison& of) { return text_writer(of).write(); }

}  // namespace hpk_diff
