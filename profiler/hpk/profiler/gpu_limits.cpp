// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of HPK_GPU_LIMITS: limits for the counts of a program.
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace hpk::detail {

namespace {

// A value, and where it is the worst.
struct measured {
  double value = 0;
  std::string place;
};

// Returns the access with the worst ratio; 0 without accesses.
template <class Has, class Value>
measured worst_of(const gpu_kernel& k, const Has& has, const Value& value) {
  measured worst;
  for (const auto& a : k.sum.accesses) {
    if (!has(a) || value(a) <= worst.value) continue;
    worst = {value(a), place_of(a.file, a.line)};
  }
  return worst;
}

measured sectors_per_request(const gpu_kernel& k, const gpu_model&) {
  return worst_of(
      k, [](const auto& a) { return !is_scratch(a); },
      [](const auto& a) { return ratio(a.sectors, a.requests); });
}
measured bank_conflicts(const gpu_kernel& k, const gpu_model&) {
  return worst_of(
      k, [](const auto& a) { return is_scratch(a); },
      [](const auto& a) { return ratio(a.bank_cycles, a.ideal_bank_cycles); });
}
measured lanes_per_atomic(const gpu_kernel& k, const gpu_model&) {
  return worst_of(
      k, [](const auto& a) { return is_atomic(a); },
      [](const auto& a) { return ratio(a.serial_atomics, a.requests); });
}
measured efficiency(const gpu_kernel& k, const gpu_model& model) {
  const auto wasted = [](const auto& a) {
    return static_cast<double>(a.sectors) - static_cast<double>(a.ideal_sectors);
  };
  const measured worst = worst_of(k, [](const auto& a) { return !is_scratch(a); }, wasted);
  return {efficiency_of(k.used_bytes, k.sectors, model), worst.place};
}
measured active_lanes(const gpu_kernel& k, const gpu_model&) {
  std::uint64_t accesses = 0, full = 0;
  for (const auto& a : k.sum.accesses) {
    accesses += a.accesses;
    full += a.full_accesses;
  }
  const measured worst = worst_of(
      k, [](const auto&) { return true; },
      [](const auto& a) { return static_cast<double>(a.full_accesses - a.accesses); });
  return {ratio(accesses, full, 1), worst.place};
}
measured launches(const gpu_kernel& k, const gpu_model&) {
  return {static_cast<double>(k.launches), {}};
}
measured microseconds(const gpu_kernel& k, const gpu_model&) { return {k.bound.time * 1e6, {}}; }

struct kernel_quantity {
  std::string_view name;
  measured (*of)(const gpu_kernel&, const gpu_model&);
};
constexpr kernel_quantity of_kernels[] = {
    {"sectors-per-request", &sectors_per_request},
    {"bank-conflicts", &bank_conflicts},
    {"lanes-per-atomic", &lanes_per_atomic},
    {"efficiency", &efficiency},
    {"active-lanes", &active_lanes},
    {"launches", &launches},
    {"microseconds", &microseconds},
};

struct program_quantity {
  std::string_view name;
  double (*of)(const gpu_totals&);
};
template <class Value>
double sum_of(const gpu_totals& totals, const Value& value) {
  double sum = 0;
  for (const gpu_copy& c : totals.copies) {
    if (c.sum.to_device != c.sum.from_device) sum += static_cast<double>(value(c));
  }
  return sum;
}
constexpr program_quantity of_programs[] = {
    {"copies", [](const gpu_totals& t) { return sum_of(t, [](auto& c) { return c.count; }); }},
    {"repeated-copies",
     [](const gpu_totals& t) { return sum_of(t, [](auto& c) { return c.repeated; }); }},
    {"copied-bytes",
     [](const gpu_totals& t) { return sum_of(t, [](auto& c) { return c.sum.bytes; }); }},
};

std::string names_of(bool kernels) {
  std::string out;
  const auto add = [&](std::string_view name) { out.append(out.empty() ? "" : ", ").append(name); };
  if (kernels) {
    for (const auto& q : of_kernels) add(q.name);
  } else {
    for (const auto& q : of_programs) add(q.name);
  }
  return out;
}

constexpr std::string_view blanks = " \t\r";

// Reads a line of limits word by word.
class line_reader {
 public:
  line_reader(const std::string& path, int line, std::string_view rest)
      : path_(path), line_(line), rest_(rest) {
    skip();
  }
  bool at_end() const { return rest_.empty() || rest_.front() == '#'; }
  std::string word() {
    const auto end = std::min(rest_.find_first_of(" \t\r#"), rest_.size());
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end);
    skip();
    return result;
  }
  // Reads a label in quotes, or *.
  std::string kernel() {
    if (rest_.starts_with('"')) {
      const auto end = rest_.find('"', 1);
      if (end == rest_.npos || end == 1)
        reject("the label of the kernel has no end; write 'kernel \"<label>\" ...'");
      std::string result(rest_.substr(1, end - 1));
      rest_.remove_prefix(end + 1);
      skip();
      return result;
    }
    const std::string result = word();
    if (result != "*")
      reject(
          "'kernel' is followed by neither a label in quotes nor '*'; write 'kernel \"<label>\" "
          "...' or 'kernel * ...'");
    return result;
  }
  double number() {
    const std::string digits = word();
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0' || !std::isfinite(value))
      reject("the limit '" + digits + "' is no number; write '... <= 8'");
    return value;
  }
  [[noreturn]] void reject(const std::string& why) const {
    raise((text() << "HPK_GPU_LIMITS: " << path_ << ':' << line_ << ": " << why).str());
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }
  const std::string& path_;
  int line_;
  std::string_view rest_;
};

template <class Table>
auto find_in(const Table& table, const std::string& name) {
  return std::find_if(std::begin(table), std::end(table),
                      [&](const auto& q) { return q.name == name; });
}

gpu_limit read_limit(line_reader in, int line) {
  gpu_limit limit;
  limit.line = line;
  limit.what = in.word();
  const bool of_kernel = limit.what == "kernel";
  if (of_kernel) {
    limit.kernel = in.kernel();
    limit.what = in.word();
  }
  const bool is_known = of_kernel ? find_in(of_kernels, limit.what) != std::end(of_kernels)
                                  : find_in(of_programs, limit.what) != std::end(of_programs);
  if (!is_known) {
    const std::string of_all =
        of_kernel ? "" : "; limits of kernels begin with 'kernel \"<label>\"' or 'kernel *'";
    in.reject("there is no limit '" + limit.what + "'; write one of " + names_of(of_kernel) +
              of_all);
  }
  const std::string sign = in.word();
  if (sign != "<=" && sign != ">=")
    in.reject(
        format("'%s' is followed by '%s'; write '<=' or '>='", limit.what.c_str(), sign.c_str()));
  limit.is_lowest = sign == ">=";
  limit.value = in.number();
  if (!in.at_end())
    in.reject(format("'%s' is left over; write one limit in a line", in.word().c_str()));
  return limit;
}

std::string number(double value) { return format("%.6g", value); }

std::string sentence(const gpu_limit& limit, const std::string& path, const std::string& of,
                     const measured& found) {
  return of + ": " + limit.what + " is " + number(found.value) + ", " +
         (limit.is_lowest ? "at least " : "at most ") + number(limit.value) + " is demanded by " +
         path + ':' + std::to_string(limit.line) +
         (found.place.empty() ? "" : "; see " + found.place);
}

bool is_violated(const gpu_limit& limit, double value) {
  // The margin hides rounding: users write and see decimal numbers.
  const double margin = 1e-9 * std::abs(limit.value);
  return limit.is_lowest ? value < limit.value - margin : value > limit.value + margin;
}

}  // namespace

std::vector<gpu_limit> read_gpu_limits(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    raise((text() << "HPK_GPU_LIMITS: the file '" << path
                  << "' can't be read; write the path of a file with lines like "
                     "'kernel \"<label>\" sectors-per-request <= 8'")
              .str());
  }
  std::vector<gpu_limit> all;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line_reader in(path, number, line);
    if (!in.at_end()) all.push_back(read_limit(in, number));
  }
  return all;
}

std::vector<std::string> violations_of(const gpu_totals& totals,
                                       const std::vector<gpu_limit>& limits,
                                       const std::string& path) {
  std::vector<std::string> all;
  for (const gpu_limit& limit : limits) {
    if (limit.kernel.empty()) {
      const measured found{find_in(of_programs, limit.what)->of(totals), {}};
      if (is_violated(limit, found.value)) all.push_back(sentence(limit, path, "copies", found));
      continue;
    }
    bool ran = false;
    for (const gpu_kernel& k : totals.kernels) {
      if (limit.kernel != "*" && limit.kernel != k.sum.label) continue;
      ran = true;
      measured found = find_in(of_kernels, limit.what)->of(k, totals.model);
      if (!is_violated(limit, found.value)) continue;
      if (found.place.empty()) found.place = place_of(k.sum.file, k.sum.line);
      all.push_back(sentence(limit, path, "kernel " + name_of(k), found));
    }
    if (!ran) {
      all.push_back(
          (limit.kernel == "*" ? "no kernel ran" : "kernel \"" + limit.kernel + "\" did not run") +
          std::string(" on hpk::Emu, but ") + path + ':' + std::to_string(limit.line) +
          " limits it");
    }
  }
  return all;
}

}  // namespace hpk::detail
