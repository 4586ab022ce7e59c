// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>

#include "json.hpp"
#include "report.hpp"
#include "scalars.hpp"
#include "wording.hpp"

namespace hpk_diff {

namespace {

constexpr std::size_t most_launches = 100;

const char* name_of(difference_kind kind) {
  switch (kind) {
    case difference_kind::sequence:
      return "sequence";
    case difference_kind::failure:
      return "failure";
    case difference_kind::views:
      return "views";
    case difference_kind::values:
      return "values";
    default:
      return "ended_early";
  }
}

template <class Value>
json_object both(const Value& a, const Value& b) {
  json_object object;
  object.add("a", a).add("b", b);
  return object;
}

json_object elements_json(const file_pair& files, const view_description& view,
                          const value_difference& values) {
  const values_file& values_a = files.values_a;
  const values_file& values_b = files.values_b;
  const element_type& type = view.element;
  json_object out;
  out.add("elements", values.elements).add("different", values.different);
  if (values.different != 0) {
    const auto* a = reinterpret_cast<const unsigned char*>(values.bytes_a.data());
    const auto* b = reinterpret_cast<const unsigned char*>(values.bytes_b.data());
    out.add("first_index", index_of(view, values))
        .add("first",
             both(element_text(type, a, values_a.unset()), element_text(type, b, values_b.unset())))
        .add("first_bits", both(element_hex(type, a), element_hex(type, b)))
        .add("first_never_written", both(values.is_unset_a, values.is_unset_b));
  }
  out.add("never_written", both(values.unset_in_a, values.unset_in_b))
      .add("nan", both(values.nan_in_a, values.nan_in_b))
      .add("other_nans", values.other_nans)
      .add_text("max_ulp", values.most_ulps ? text_of(*values.most_ulps) : "null");
  std::string largest = "null";
  if (values.largest) {
    largest = distance_text(type.kind, *values.largest);
    if (!std::isfinite(static_cast<double>(*values.largest))) largest = json_string(largest);
  }
  return out.add_text("max_absolute", largest);
}

json_object view_json(const first_difference& first, const view_difference& difference) {
  const view_description& view = first.files->a.view_of(*difference.a);
  json_object out;
  out.add("position", difference.position)
      .add("label", view.label)
      .add("type", view.type)
      .add("element", view.element_name)
      .add("shape", view.extents)
      .add("result", view.is_result)
      .add("padding", view.may_have_padding)
      .add("hash", both(hex_of(difference.a->hash, 8), hex_of(difference.b->hash, 8)));
  return difference.values
             ? out.add("values", elements_json(*first.files, view, *difference.values))
             : out.add_text("values", "null");
}

json_object launch_json(const hash_file& file, std::size_t place) {
  const launch& of = file.launches[place];
  const kernel_description& kernel = file.kernel_of(of);
  json_object out;
  out.add("launch", of.number)
      .add("nth", of.nth)
      .add("thread", std::uint64_t(of.thread))
      .add("pattern", kernel.pattern)
      .add("label", kernel.label)
      .add("functor", kernel.functor)
      .add("file", kernel.file)
      .add("line", kernel.line);
  return out.add_text("error", of.error == 0 ? "null" : json_string(file.errors[of.error - 1]));
}

std::string launches_json(const hash_file& file, const std::vector<std::size_t>& places) {
  std::vector<json_object> out;
  for (std::size_t k = 0; k != std::min(places.size(), most_launches); ++k)
    out.push_back(launch_json(file, places[k]));
  return json_value(out);
}

std::string first_json(const run_comparison& of) {
  if (!of.first) return "null";
  const first_difference& first = *of.first;
  const file_pair& files = *first.files;
  const difference& what = first.what();
  json_object out;
  out.add("kind", name_of(what.kind)).add("rank", first.rank);
  if (what.kind == difference_kind::ended_early) {
    return out.add("launch", both(files.a.last_number(), files.b.last_number()))
        .add("complete", both(!files.a.ended_early(), !files.b.ended_early()))
        .str();
  }
  if (what.kind == difference_kind::sequence) {
    const sequence_difference& gap = first.found.sequences[what.a];
    out.add("thread", std::uint64_t(gap.thread))
        .add("count", both<std::uint64_t>(gap.a.size(), gap.b.size()))
        .add_text("a", launches_json(files.a, gap.a))
        .add_text("b", launches_json(files.b, gap.b));
    return out
        .add_text("next", !gap.next_a ? "null"
                                      : both(files.a.launches[*gap.next_a].number,
                                             files.b.launches[*gap.next_b].number)
                                            .str())
        .str();
  }
  out.add("a", launch_json(files.a, what.a)).add("b", launch_json(files.b, what.b));
  if (what.kind == difference_kind::views)
    out.add("text", views_sentence(files, what.a, what.b, of.options));
  if (what.kind != difference_kind::values) return out.str();
  std::vector<json_object> views;
  bool has_values = true;
  for (const auto& view : first.views) {
    views.push_back(view_json(first, view));
    has_values = has_values && view.values.has_value();
  }
  out.add("views", views);
  if (has_values || !of.options.asks_for_second_runs)
    return out.add_text("second_runs", "null").str();
  const second_runs again = second_runs_of(files, of.name_a, of.name_b, what.a, what.b, of.options);
  json_object commands;
  commands.add("a", again.a).add("b", again.b).add("compare", again.compare);
  return out.add("second_runs", commands).str();
}

std::string facts_json(const run_comparison& of) {
  json_object out;
  for (const auto& fact : of.facts) out.add(fact.key.c_str(), both(fact.a, fact.b));
  return out.str();
}

std::string all_json(const run_comparison& of) {
  std::vector<json_object> lines;
  for (const auto& each : of.all) {
    json_object next;
    next.add("kind", name_of(each.kind))
        .add("rank", each.rank)
        .add("launch", both(each.launch_a, each.launch_b))
        .add("text", each.text);
    lines.push_back(next);
  }
  return json_value(lines);
}

}  // namespace

std::string json_report(const run_comparison& of, const std::string& more) {
  json_object later;
  const bool differs = of.first.has_value();
  later.add("launches", differs ? of.first->found.later : 0)
      .add("different", differs ? of.first->found.later_different : 0)
      .add("equal_at_end", differs ? of.first->found.equal_at_end : 0);
  json_object sequence;
  sequence.add("differences", of.sequence_differences)
      .add("own_only", both(of.own_in_a, of.own_in_b))
      .add("ranks_only", both(of.ranks_in_a, of.ranks_in_b));
  std::string out = "{\"equal\": " + json_value(of.equal());
  const auto add = [&](const char* key, const std::string& value) {
    out += ",\n " + json_string(key) + ": " + value;
  };
  add("a", json_string(of.name_a));
  add("b", json_string(of.name_b));
  add("ranks", json_value(of.ranks));
  add("launches", json_value(of.launches));
  add("views", json_value(of.views));
  add("facts", facts_json(of));
  add("first", first_json(of));
  add("later", later.str());
  add("sequence", sequence.str());
  if (of.options.lists_all) add("all", all_json(of));
  add("notes", json_value(of.notes));
  return out + more + "}\n";
}

}  // namespace hpk_diff
