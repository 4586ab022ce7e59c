// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reports of a profile: as text and as an HTML page.
#include <hpk/base/call_stack.hpp>
#include <hpk/base/text.hpp>
#include <hpk/profiler/profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <algorithm>

namespace hpk::detail {

namespace {

using named_total = std::pair<std::string, profile_total>;

std::string bytes_of(std::uint64_t count) { return text().bytes(static_cast<double>(count)).str(); }

// Sorts by time, longest first.
std::vector<named_total> sorted(std::vector<named_total> rows) {
  std::sort(rows.begin(), rows.end(), [](const named_total& a, const named_total& b) {
    return a.second.nanoseconds != b.second.nanoseconds
               ? a.second.nanoseconds > b.second.nanoseconds
               : a.first < b.first;
  });
  return rows;
}
std::vector<named_total> sorted(const profile_table& all) {
  return sorted(std::vector<named_total>(all.begin(), all.end()));
}
std::vector<named_total> kernels_of(const profile_totals& totals) {
  std::vector<named_total> rows;
  const char* const suffixes[] = {" (for)", " (reduce)", " (scan)"};
  for (int kind = 0; kind != 3; ++kind) {
    for (const auto& [name, total] : totals.kernels[kind])
      rows.emplace_back(name + suffixes[kind], total);
  }
  return sorted(std::move(rows));
}
// Sorts by name.
std::vector<std::pair<std::string, profile_memory>> memory_of(const profile_totals& totals) {
  std::vector<std::pair<std::string, profile_memory>> all(totals.memory.begin(),
                                                          totals.memory.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}
std::uint64_t sum_of(const std::vector<named_total>& all) {
  std::uint64_t sum = 0;
  for (const auto& [name, total] : all) sum += total.nanoseconds;
  return sum;
}

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }
double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}
double mean_us(const profile_total& total) {
  return total.count == 0
             ? 0
             : static_cast<double>(total.nanoseconds) / 1e3 / static_cast<double>(total.count);
}

std::string table_of(std::string_view title, const std::vector<named_total>& rows,
                     std::uint64_t whole, bool moves_bytes) {
  if (rows.empty()) return {};
  std::size_t width = title.size();
  for (const auto& [name, total] : rows) width = std::max(width, name.size());
  width = std::min<std::size_t>(width, 100);
  const int columns = static_cast<int>(width);
  std::string out = format("\n%-*.*s %9s %11s %11s %11s %6s%s\n", columns, columns,
                           std::string(title).c_str(), "count", "total s", "mean us", "longest us",
                           "share", moves_bytes ? "      bytes     GB/s" : "");
  for (const auto& [name, total] : rows) {
    out += format("%-*.*s %9llu %11.6f %11.3f %11.3f %5.1f%%", columns, columns, name.c_str(),
                  static_cast<unsigned long long>(total.count), seconds(total.nanoseconds),
                  mean_us(total), static_cast<double>(total.longest) / 1e3,
                  percent(total.nanoseconds, whole));
    if (moves_bytes) {
      out += format(" %10s %8.2f", bytes_of(total.bytes).c_str(),
                    total.nanoseconds == 0 ? 0.0
                                           : static_cast<double>(total.bytes) /
                                                 static_cast<double>(total.nanoseconds));
    }
    out += '\n';
  }
  return out;
}

// Returns the labels that hold the most memory, and a last entry for the sum of all others.
std::vector<std::pair<std::string, std::uint64_t>> holders_of(const profile_memory& memory) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  for (const auto& entry : memory.at_highest) {
    if (entry.second != 0) all.push_back(entry);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  constexpr std::size_t most = 8;
  if (all.size() > most) {
    std::uint64_t rest = 0;
    for (std::size_t k = most; k != all.size(); ++k) rest += all[k].second;
    const std::string name = (text() << "(" << all.size() - most << " others)").str();
    all.resize(most);
    all.emplace_back(name, rest);
  }
  return all;
}

// Wide tables scroll by themselves, so that the page fits narrow windows.
constexpr const char* begin_table = "<div class=\"wide\"><table>\n";
constexpr const char* end_table = "</table></div>\n";
constexpr const char* style = R"(<style>
:root{color-scheme:light dark;--line:#ccc;--bar:#3b7dd8}
@media (prefers-color-scheme:dark){:root{--line:#444;--bar:#4d7fc4}}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;padding:1em;max-width:75em}
h1{font-size:1.4em;overflow-wrap:anywhere}h2{font-size:1.1em;margin:2em 0 .3em}
h3{font-size:1em;margin:1em 0 .3em}p{margin:.3em 0}.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:2px 8px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
td:first-child,th:first-child{text-align:left}
.fact{text-align:left;white-space:normal;overflow-wrap:anywhere}
.bar{width:240px;min-width:120px}.bar div{background:var(--bar);height:12px}
</style>
)";

// Bars compare the rows of a table: the longest time has a full bar.
void add_html_table(std::string& out, std::string_view title, const std::vector<named_total>& rows,
                    std::uint64_t whole, bool moves_bytes) {
  if (rows.empty()) return;
  out += "<h2>" + std::string(title) + "</h2>\n" + begin_table +
         "<tr><th>name</th><th>count</th><th>total s</th>"
         "<th>mean &micro;s</th><th>longest &micro;s</th><th>share</th>";
  if (moves_bytes) out += "<th>bytes</th>";
  out += "<th></th></tr>\n";
  for (const auto& [name, total] : rows) {
    out += "<tr><td>" + escaped_markup(name) + "</td>";
    out += format("<td>%llu</td><td>%.6f</td><td>%.3f</td><td>%.3f</td><td>%.1f %%</td>",
                  static_cast<unsigned long long>(total.count), seconds(total.nanoseconds),
                  mean_us(total), static_cast<double>(total.longest) / 1e3,
                  percent(total.nanoseconds, whole));
    if (moves_bytes) out += "<td>" + bytes_of(total.bytes) + "</td>";
    out += format("<td class=\"bar\"><div style=\"width:%.1f%%\"></div></td></tr>\n",
                  percent(total.nanoseconds, rows.front().second.nanoseconds));
  }
  out += end_table;
}

// Returns errors in the use of regions, as sentences.
std::vector<std::string> faults_of(const profile_totals& totals) {
  std::vector<std::string> faults;
  if (!totals.ended_early_by.empty())
    faults.push_back("the program was ended by " + totals.ended_early_by);
  for (const auto& [path, count] : totals.open_regions) {
    faults.push_back((text() << "the region \"" << path << "\" was not closed"
                             << (count == 1 ? "" : ", several times"))
                         .str());
  }
  std::sort(faults.begin() + (totals.ended_early_by.empty() ? 0 : 1), faults.end());
  if (totals.stray_pops != 0) {
    faults.push_back((text() << "popRegion() was called " << totals.stray_pops
                             << " times without an open region")
                         .str());
  }
  return faults;
}

}  // namespace

std::string summary_of(const profile_totals& totals) {
  const std::vector<named_total> kernels = kernels_of(totals);
  const std::uint64_t in_kernels = sum_of(kernels);
  std::string out = format("hpk profile: %.6f s in all, %.6f s in kernels (%.1f %%)\n",
                           seconds(totals.nanoseconds), seconds(in_kernels),
                           percent(in_kernels, totals.nanoseconds));
  out += table_of("kernel", kernels, totals.nanoseconds, false);
  out += table_of("copies", sorted(totals.copies), totals.nanoseconds, true);
  out += table_of("fences", sorted(totals.fences), totals.nanoseconds, false);
  out += table_of("regions", sorted(totals.regions), totals.nanoseconds, false);
  for (const std::string& fault : faults_of(totals)) out += "\nhpk profile: " + fault + '\n';
  for (const auto& [space, memory] : memory_of(totals)) {
    out += "\nmemory of " + space + ": at most " + bytes_of(memory.highest) + ", at the end " +
           bytes_of(memory.bytes) + "; held at most by\n";
    for (const auto& [label, bytes] : holders_of(memory))
      out += format("  %10s  %s\n", bytes_of(bytes).c_str(), label.c_str());
  }
  return out;
}

static std::string calls_of(const profile_allocation& made) {
  if (!knows_calls) return "by calls that are unknown: this system has no <execinfo.h>";
  std::string out = "addr2line:";
  for (void* const call : made.calls) {
    if (const std::string name = name_call(call); !name.empty()) (out += ' ') += name;
  }
  return out;
}

static std::string places_of(const profile_totals& totals, const std::string& space) {
  std::vector<const profile_allocation*> all;
  for (const auto& [data, made] : totals.living) {
    if (made.space == space) all.push_back(&made);
  }
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->label < b->label;
  });
  constexpr std::size_t most = 20;
  if (all.size() > most) all.resize(most);
  std::string out;
  for (const profile_allocation* made : all) {
    out += "  " + bytes_of(made->bytes) + " \"" + made->label + "\" was allocated ";
    out += made->region.empty() ? "outside of regions" : "in the region \"" + made->region + '"';
    out += "; " + calls_of(*made) + '\n';
  }
  return out;
}

std::string leaks_of(const profile_totals& totals) {
  std::string out;
  for (const auto& [space, memory] : memory_of(totals)) {
    if (memory.bytes == 0) continue;
    out += "hpk: still allocated in " + space + ": " + bytes_of(memory.bytes) + "\n";
    std::vector<std::pair<std::string, std::uint64_t>> held;
    for (const auto& entry : memory.by_label) {
      if (entry.second != 0) held.push_back(entry);
    }
    std::sort(held.begin(), held.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (const auto& [label, bytes] : held)
      out += format("  %10s  %s\n", bytes_of(bytes).c_str(), label.c_str());
    out += places_of(totals, space);
  }
  return out.empty() ? "hpk: nothing is still allocated\n" : out;
}

std::string report_of(const profile_totals& totals, const run_facts& facts) {
  const std::vector<named_total> kernels = kernels_of(totals);
  const std::uint64_t in_kernels = sum_of(kernels);
  const auto program = std::find_if(facts.begin(), facts.end(),
                                    [](const auto& fact) { return fact.first == "program"; });
  const std::string title =
      program == facts.end() ? "hpk profile" : "hpk profile of " + escaped_markup(program->second);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>";
  out += title + "</title>\n" + style + "</head><body>\n<h1>" + title + "</h1>\n" + begin_table;
  for (const auto& [name, value] : facts)
    out += "<tr><td>" + escaped_markup(name) + "</td><td class=\"fact\">" + escaped_markup(value) +
           "</td></tr>\n";
  out += end_table;
  out += format("<p>%.6f s in all, %.6f s in kernels (%.1f %%)</p>\n", seconds(totals.nanoseconds),
                seconds(in_kernels), percent(in_kernels, totals.nanoseconds));
  add_html_table(out, "Kernels", kernels, totals.nanoseconds, false);
  add_html_table(out, "Copies", sorted(totals.copies), totals.nanoseconds, true);
  add_html_table(out, "Fences", sorted(totals.fences), totals.nanoseconds, false);
  add_html_table(out, "Regions", sorted(totals.regions), totals.nanoseconds, false);
  for (const std::string& fault : faults_of(totals))
    out += "<p>" + escaped_markup(fault) + "</p>\n";
  if (!totals.memory.empty()) out += "<h2>Memory</h2>\n";
  for (const auto& [space, memory] : memory_of(totals)) {
    out += "<h3>" + escaped_markup(space) + "</h3><p>at most " + bytes_of(memory.highest) +
           ", at the end " + bytes_of(memory.bytes) + "</p>\n" + begin_table +
           "<tr><th>label</th><th>bytes at the highest</th><th></th></tr>\n";
    for (const auto& [label, bytes] : holders_of(memory)) {
      out += "<tr><td>" + escaped_markup(label) + "</td><td>" + bytes_of(bytes) + "</td>";
      out += format("<td class=\"bar\"><div style=\"width:%.1f%%\"></div></td></tr>\n",
                    percent(bytes, memory.highest));
    }
    out += end_table;
  }
  return out += "</body></html>\n";
}

}  // namespace hpk::detail
