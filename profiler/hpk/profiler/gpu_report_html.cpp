// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of an emulated GPU as an HTML page: bar charts of the bounds and tables, without
// network access or scripts.
#include <hpk/base/text.hpp>
#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <algorithm>

namespace hpk::detail {

namespace {

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>hpk gpu profile</title>
<style>
:root{color-scheme:light dark;--line:#ccc;--bar:#9db7d6;--binds:#c8442f;--soft:#666}
@media (prefers-color-scheme:dark){:root{--line:#444;--bar:#4d6a8c;--binds:#e2745f;--soft:#aaa}}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;padding:1em;max-width:70em}
h1{font-size:1.4em}h2{font-size:1.1em;margin:2em 0 .3em;overflow-wrap:anywhere}
p{margin:.3em 0}.soft{color:var(--soft)}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:2px 8px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
td:first-child,th:first-child{text-align:left}
.bars{width:100%;max-width:52em;margin:.5em 0;table-layout:fixed}
.bars td{border:0;padding:1px 6px;width:32%;overflow-wrap:anywhere;white-space:normal}
.bars td.bar{width:36%;padding:1px 0}
svg{display:block;width:100%;height:14px}
rect{fill:var(--bar)}rect.binds{fill:var(--binds)}.binds td{font-weight:600}
</style></head><body>
)";

std::string cell(const std::string& content) { return "<td>" + content + "</td>"; }
std::string number(std::uint64_t value) { return std::to_string(value); }
std::string bytes(std::uint64_t count) { return text().bytes(static_cast<double>(count)).str(); }

// Returns a row of a chart: a name, a bar whose length is `part` of the longest bar, and a text.
std::string bar(const std::string& name, double part, bool binds, const std::string& behind) {
  return format("<tr%s>", binds ? " class=\"binds\"" : "") + cell(escaped_markup(name)) +
         format(
             "<td class=\"bar\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
             "role=\"img\" aria-label=\"%.1f percent\"><rect%s width=\"%.2f\" "
             "height=\"10\"></rect></svg></td>",
             100 * part, binds ? " class=\"binds\"" : "", 100 * part) +
         cell(escaped_markup(behind)) + "</tr>\n";
}

void add_overview(std::string& out, const gpu_totals& totals) {
  out += "<h2>Where the time goes (lower bounds)</h2>\n<table class=\"bars\">\n";
  double longest = totals.copy_time;
  for (const gpu_kernel& k : totals.kernels) longest = std::max(longest, k.bound.time);
  if (longest <= 0) longest = 1;
  for (const gpu_kernel& k : totals.kernels) {
    out += bar(name_of(k), k.bound.time / longest, false,
               duration_of(k.bound.time) + ", bound by " + name_of(k.bound.binding()));
  }
  if (totals.copy_time > 0) {
    out += bar("copies", totals.copy_time / longest, false,
               duration_of(totals.copy_time) + ", bound by the link to the host");
  }
  out += "</table>\n";
}

void add_terms(std::string& out, const gpu_kernel& k) {
  const auto launches = static_cast<double>(k.launches);
  const gpu_term binding = k.bound.binding();
  const double longest = std::max(k.bound.of(binding), 1e-30);
  out += "<table class=\"bars\">\n";
  for (std::size_t t = 0; t != gpu_terms; ++t) {
    const auto term = static_cast<gpu_term>(t);
    const double time = k.bound.of(term);
    out += bar(name_of(term), time / longest, term == binding,
               (time == 0 ? std::string("0") : duration_of(time / launches)) +
                   (term == binding ? " binds" : ""));
  }
  out += "</table>\n";
}

void add_shape_html(std::string& out, const gpu_kernel& k, const gpu_model& model) {
  const gpu_occupancy room = occupancy_of(model, k.sum.lanes, k.sum.scratch_bytes[0]);
  out += format(
      "<p>%s of %d lanes in sub-groups of %d; scratch of a group %s; barriers "
      "%.3g a group, syncs of parts %.3g a lane.</p>\n",
      text_of_groups(k).c_str(), k.sum.lanes, k.sum.subgroup, bytes(k.sum.scratch_bytes[0]).c_str(),
      ratio(k.sum.barriers, k.groups), ratio(k.sum.syncs, k.lanes));
  if (room.groups == 0) {
    out += "<p>A group does not fit on the device.</p>\n";
    return;
  }
  out += format(
      "<p>A multiprocessor has room for %d groups (limit: %s; registers are unknown), %.0f "
      "%% of its lanes; a launch takes %.3g rounds.</p>\n",
      room.groups, room.limit, 100 * room.lanes, rounds_of(k, model));
}

void add_accesses(std::string& out, const gpu_kernel& k, const gpu_model& model) {
  if (k.sum.accesses.empty()) return;
  out +=
      "<div class=\"wide\"><table><tr><th>View</th><th>layout</th><th>kind</th><th>place</th>"
      "<th>accesses</th><th>active lanes</th><th>requests</th><th>bytes used</th><th>moved</th>"
      "<th>sectors per request</th><th>ideal</th><th>efficiency</th><th>bank cycles per "
      "request</th>"
      "<th>ideal</th><th>lanes on one element</th></tr>\n";
  for (const auto& a : k.sum.accesses) {
    out += "<tr>" + cell(escaped_markup(a.label.empty() ? "?" : a.label)) +
           cell(escaped_markup(layout_of(a))) +
           cell((is_scratch(a) ? "scratch " : "") + std::string(kind_of(a))) +
           cell(escaped_markup(place_of(a.file, a.line))) + cell(number(a.accesses)) +
           cell(format("%.0f %%", 100 * ratio(a.accesses, a.full_accesses, 1))) +
           cell(number(a.requests));
    if (is_scratch(a)) {
      out += cell("") + cell("") + cell("") + cell("") + cell("") +
             cell(format("%.2f", ratio(a.bank_cycles, a.requests))) +
             cell(format("%.2f", ratio(a.ideal_bank_cycles, a.requests)));
    } else {
      out += cell(bytes(a.used_bytes)) +
             cell(bytes(a.sectors * static_cast<std::uint64_t>(model.sector_bytes))) +
             cell(format("%.2f", ratio(a.sectors, a.requests))) +
             cell(format("%.2f", ratio(a.ideal_sectors, a.requests))) +
             cell(format("%.0f %%", 100 * efficiency_of(a.used_bytes, a.sectors, model))) +
             cell("") + cell("");
    }
    out +=
        cell(is_atomic(a) ? format("%.1f", ratio(a.serial_atomics, a.requests)) : "") + "</tr>\n";
  }
  out += "</table></div>\n";
}

void add_hot(std::string& out, const gpu_kernel& k) {
  if (k.sum.hot.empty()) return;
  out +=
      "<div class=\"wide\"><table><tr><th>View with hot elements</th><th>byte</th>"
      "<th>atomic operations</th></tr>\n";
  for (const auto& h : k.sum.hot) {
    out += "<tr>" + cell(escaped_markup(h.label)) + cell(number(h.byte)) +
           cell(number(h.operations)) + "</tr>\n";
  }
  out += "</table></div>\n";
}

void add_copies_html(std::string& out, const gpu_totals& totals) {
  if (totals.copies.empty()) return;
  out +=
      "<h2>Copies</h2>\n<div class=\"wide\"><table><tr><th>to</th><th>from</th><th>direction</th>"
      "<th>count</th><th>bytes</th><th>repeated</th><th>repeated bytes</th></tr>\n";
  for (const gpu_copy& c : totals.copies) {
    out += "<tr>" + cell(escaped_markup(c.sum.to)) + cell(escaped_markup(c.sum.from)) +
           cell(copy_direction(c)) + cell(number(c.count)) + cell(bytes(c.sum.bytes)) +
           cell(number(c.repeated)) + cell(bytes(c.repeated_bytes)) + "</tr>\n";
  }
  out += "</table></div>\n";
}

}  // namespace

std::string gpu_html_of(const gpu_totals& totals) {
  std::string out = head;
  out += "<h1>hpk gpu profile</h1>\n<p>Model of " + escaped_markup(totals.model.name) +
         ". The program takes at least " + duration_of(totals.time()) + ".</p>\n";
  out += std::string("<p class=\"soft\">") + note_on_bounds + "</p>\n";
  for (const std::string& note : gpu_notes_of(totals))
    out += "<p>" + escaped_markup(note) + "</p>\n";
  const std::vector<gpu_finding> advice = advice_for(totals);
  if (!advice.empty()) {
    out += "<h2>Advice, most costly first</h2>\n<ol>\n";
    for (const gpu_finding& f : advice) {
      const double part = totals.time() > 0 ? f.cost / totals.time() : 0;
      out += "<li>" + escaped_markup(f.text) + format(": %.1f %% of all", 100 * part) + "</li>\n";
    }
    out += "</ol>\n";
  }
  if (!totals.kernels.empty()) add_overview(out, totals);
  for (const gpu_kernel& k : totals.kernels) {
    const std::string place = place_of(k.sum.file, k.sum.line);
    out +=
        "<h2>" + escaped_markup(name_of(k) + (place.empty() ? "" : " (" + place + ')')) + "</h2>\n";
    out += "<p>" + launches_of(k.launches, k.estimates) + ", each at least " +
           duration_of(k.bound.time / static_cast<double>(k.launches)) + ".</p>\n";
    add_terms(out, k);
    add_shape_html(out, k, totals.model);
    add_accesses(out, k, totals.model);
    add_hot(out, k);
  }
  add_copies_html(out, totals);
  return out + "</body></html>\n";
}

}  // namespace hpk::detail
