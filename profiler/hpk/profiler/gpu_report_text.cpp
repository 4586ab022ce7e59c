// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of an emulated GPU as text, in 100 columns.
#include <hpk/base/text.hpp>
#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hpk::detail {

const char* const note_on_bounds =
    "The times are lower bounds: they leave out arithmetic, registers and latency.";

double groups_of(const gpu_kernel& kernel) { return ratio(kernel.groups, kernel.launches); }

double rounds_of(const gpu_kernel& kernel, const gpu_model& model) {
  const int room = occupancy_of(model, kernel.sum.lanes, kernel.sum.scratch_bytes[0]).groups;
  return room == 0 ? 0 : groups_of(kernel) / (room * model.multiprocessors);
}

std::string duration_of(double seconds) {
  if (seconds >= 1) return format("%.3g s", seconds);
  if (seconds >= 1e-3) return format("%.3g ms", seconds * 1e3);
  if (seconds >= 1e-6) return format("%.3g us", seconds * 1e6);
  return format("%.3g ns", seconds * 1e9);
}

std::string layout_of(const seam::access_counts& access) {
  const std::string_view layout = access.layout;
  return std::string(layout.starts_with("Layout") ? layout.substr(6) : layout);
}

const char* kind_of(const seam::access_counts& access) {
  return is_atomic(access) ? "atomic" : access.read_only ? "read" : "access";
}

const char* copy_direction(const gpu_copy& copy) {
  if (copy.sum.to_device == copy.sum.from_device) return "on the device";
  return copy.sum.to_device ? "to the device" : "to the host";
}

std::vector<std::string> gpu_notes_of(const gpu_totals& totals) {
  std::vector<std::string> notes;
  if (!totals.ended_early_by.empty())
    notes.push_back("the program was ended by " + totals.ended_early_by);
  if (totals.kernels.empty()) {
    notes.emplace_back(
        "no kernel ran on hpk::Emu, whose lanes are what this profile counts; build the program "
        "with "
        "-DHPK_DEFAULT_EXECUTION_SPACE=hpk::Emu, and hpk with -Dhpk_ENABLE_EMU=ON");
  }
  std::uint64_t unseen = 0;
  for (const gpu_kernel& k : totals.kernels) {
    unseen += k.sum.unseen_accesses;
    if (k.sum.subgroup != 0 && k.sum.subgroup != static_cast<int>(totals.model.subgroup)) {
      notes.push_back(format(
          "sub-groups had %d lanes, those of %s have %.0f: set "
          "HPK_EMU_SUBGROUP=%.0f",
          k.sum.subgroup, totals.model.name.c_str(), totals.model.subgroup, totals.model.subgroup));
    }
  }
  std::sort(notes.begin() + (totals.ended_early_by.empty() ? 0 : 1), notes.end());
  notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
  if (unseen != 0) {
    notes.push_back(format("%llu accesses in long loops were not counted",
                           static_cast<unsigned long long>(unseen)));
  }
  return notes;
}

namespace {

// Formats a count in at most five characters: 9999, 12.3k, 1.05M.
std::string count_of(std::uint64_t count) {
  if (count < 10'000) return std::to_string(count);
  auto value = static_cast<double>(count);
  const char* unit = "kMGTPE";
  for (value /= 1e3; value >= 999.5 && unit[1] != '\0'; value /= 1e3) ++unit;
  return format(value < 9.995 ? "%.2f%c" : value < 99.95 ? "%.1f%c" : "%.0f%c", value, *unit);
}

std::string percent(double part) { return format("%.0f%%", 100 * part); }

std::string share_of(double part, double whole) {
  return format("%.1f %%", whole == 0 ? 0.0 : 100 * part / whole);
}

std::string or_unknown(const std::string& name) { return name.empty() ? "?" : name; }

std::string cut(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : name.substr(0, most - 2) + "..";
}

// Breaks a sentence into lines of at most 100 columns.
std::string wrapped(std::string_view sentence) {
  std::string out;
  for (std::size_t most = 100; sentence.size() > most; most = 96) {
    const auto blank = sentence.rfind(' ', most);
    if (blank == sentence.npos || blank < 4) break;
    out.append(sentence.substr(0, blank)).append("\n    ");
    sentence.remove_prefix(blank + 1);
  }
  return out.append(sentence) + '\n';
}

void add_memory(std::string& out, const gpu_kernel& k, const gpu_model& model) {
  bool has_head = false;
  for (const auto& a : k.sum.accesses) {
    if (is_scratch(a)) continue;
    if (!std::exchange(has_head, true)) {
      out += "  View           layout kind   access lanes  reqs  used moved s/req ideal  eff\n";
    }
    out +=
        format("  %-14s %-6s %-6s %6s %5s %5s %5s %5s %5.1f %5.1f %4s  %s\n",
               cut(or_unknown(a.label), 14).c_str(), layout_of(a).c_str(), kind_of(a),
               count_of(a.accesses).c_str(), percent(ratio(a.accesses, a.full_accesses, 1)).c_str(),
               count_of(a.requests).c_str(), count_of(a.used_bytes).c_str(),
               count_of(a.sectors * static_cast<std::uint64_t>(model.sector_bytes)).c_str(),
               ratio(a.sectors, a.requests), ratio(a.ideal_sectors, a.requests),
               percent(efficiency_of(a.used_bytes, a.sectors, model)).c_str(),
               or_unknown(place_of(a.file, a.line)).c_str());
  }
}

void add_scratch(std::string& out, const gpu_kernel& k) {
  bool has_head = false;
  for (const auto& a : k.sum.accesses) {
    if (!is_scratch(a)) continue;
    if (!std::exchange(has_head, true))
      out += "  scratch        layout kind   access lanes  reqs        cycles/req ideal\n";
    out += format(
        "  %-14s %-6s %-6s %6s %5s %5s             %5.1f %5.1f       %s\n",
        cut(or_unknown(a.label), 14).c_str(), layout_of(a).c_str(), kind_of(a),
        count_of(a.accesses).c_str(), percent(ratio(a.accesses, a.full_accesses, 1)).c_str(),
        count_of(a.requests).c_str(), ratio(a.bank_cycles, a.requests),
        ratio(a.ideal_bank_cycles, a.requests), or_unknown(place_of(a.file, a.line)).c_str());
  }
}

void add_atomics(std::string& out, const gpu_kernel& k) {
  for (const auto& a : k.sum.accesses) {
    if (!is_atomic(a)) continue;
    const std::string place = place_of(a.file, a.line);
    out +=
        "  atomics on \"" + or_unknown(a.label) + '"' + (place.empty() ? "" : " (" + place + ')') +
        format(": %.1f lanes of a request on one element\n", ratio(a.serial_atomics, a.requests));
  }
  if (k.sum.hot.empty()) return;
  std::string most = "  most atomics on one element:";
  for (std::size_t n = 0; n != std::min<std::size_t>(k.sum.hot.size(), 3); ++n) {
    const auto& h = k.sum.hot[n];
    most += format("%s \"%s\" byte %zu: %s", n == 0 ? "" : ",", or_unknown(h.label).c_str(), h.byte,
                   count_of(h.operations).c_str());
  }
  out += wrapped(most);
}

void add_shape(std::string& out, const gpu_kernel& k, const gpu_model& model) {
  out += format("  %s of %d lanes, sub-groups of %d, scratch of a group %s",
                text_of_groups(k).c_str(), k.sum.lanes, k.sum.subgroup,
                text().bytes(static_cast<double>(k.sum.scratch_bytes[0])).str().c_str());
  if (k.sum.scratch_bytes[1] != 0) {
    out += " + level 1 " + text().bytes(static_cast<double>(k.sum.scratch_bytes[1])).str();
  }
  const gpu_occupancy room = occupancy_of(model, k.sum.lanes, k.sum.scratch_bytes[0]);
  if (room.groups == 0) {
    out += "\n  a group does not fit on the device\n";
    return;
  }
  out += format(
      "\n  a multiprocessor has room for %d groups (limit: %s; registers are unknown): %.0f "
      "%% of its lanes\n",
      room.groups, room.limit, 100 * room.lanes);
  const double rounds = rounds_of(k, model);
  const double per = groups_of(k) / model.multiprocessors;
  out += format("  %.3g groups for each of %.0f multiprocessors, %.3g rounds", per,
                model.multiprocessors, rounds);
  if (const double lost = 1 - per / std::ceil(per); lost >= 0.01 && per > 0)
    out += format("; on average %.0f %% of them idle", 100 * lost);
  out += format("\n  barriers %.3g a group, syncs of parts %.3g a lane\n",
                ratio(k.sum.barriers, k.groups), ratio(k.sum.syncs, k.lanes));
}

void add_bound(std::string& out, const gpu_kernel& k) {
  const auto launches = static_cast<double>(k.launches);
  out += "  at least " + duration_of(k.bound.time / launches) + " a launch, bound by " +
         name_of(k.bound.binding()) + '\n';
  std::string terms = "   ";
  for (std::size_t t = 0; t != gpu_terms; ++t) {
    terms += format("%s %s %s", t == 0 ? "" : ",", name_of(static_cast<gpu_term>(t)),
                    k.bound.terms[t] == 0 ? "0" : duration_of(k.bound.terms[t] / launches).c_str());
  }
  out += wrapped(terms);
  if (k.bound.work() < k.bound.of(gpu_term::launch))
    out += "  its launches take longer to start than to run\n";
}

void add_copies(std::string& out, const gpu_totals& totals) {
  if (totals.copies.empty()) return;
  out += format("\ncopies, at least %s on the link to the host\n",
                duration_of(totals.copy_time).c_str());
  out += "     count        bytes  repeated  direction       to <- from\n";
  for (const gpu_copy& c : totals.copies) {
    out += format("  %8llu %12s %9llu  %-15s \"%s\" <- \"%s\"\n",
                  static_cast<unsigned long long>(c.count),
                  text().bytes(static_cast<double>(c.sum.bytes)).str().c_str(),
                  static_cast<unsigned long long>(c.repeated), copy_direction(c), c.sum.to.c_str(),
                  c.sum.from.c_str());
  }
}

}  // namespace

std::string gpu_text_of(const gpu_totals& totals) {
  std::uint64_t launches = 0;
  for (const gpu_kernel& k : totals.kernels) launches += k.launches;
  std::string out =
      format("hpk gpu profile, model of %s: %zu %s, %s, at least %s\n", totals.model.name.c_str(),
             totals.kernels.size(), totals.kernels.size() == 1 ? "kernel" : "kernels",
             launches_of(launches).c_str(), duration_of(totals.time()).c_str());
  for (const std::string& note : gpu_notes_of(totals)) out += "hpk gpu profile: " + note + '\n';
  if (!totals.kernels.empty()) {
    out += note_on_bounds;
    out +=
        "\nlanes: active ones of a request; reqs: requests of sub-groups; used, moved: bytes; "
        "s/req: "
        "sectors\nof a request; ideal: if they lay side by side; eff: used of moved\n";
  }
  const std::vector<gpu_finding> advice = advice_for(totals);
  if (!advice.empty()) out += "\nadvice, most costly first\n";
  for (const gpu_finding& f : advice)
    out += wrapped("  " + share_of(f.cost, totals.time()) + ": " + f.text);
  for (const gpu_kernel& k : totals.kernels) {
    out += '\n' + name_of(k);
    if (const std::string place = place_of(k.sum.file, k.sum.line); !place.empty())
      out += " (" + place + ')';
    out += ": " + launches_of(k.launches, k.estimates) + ", " +
           share_of(k.bound.time, totals.time()) + " of the bound\n";
    add_bound(out, k);
    add_shape(out, k, totals.model);
    add_memory(out, k, totals.model);
    add_scratch(out, k);
    add_atomics(out, k);
  }
  add_copies(out, totals);
  return out;
}

}  // namespace hpk::detail
