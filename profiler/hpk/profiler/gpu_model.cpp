// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/profiler/gpu_model.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hpk::detail {

namespace {

struct model_entry {
  std::string_view key;
  double gpu_model::* value;
  bool may_be_zero = false;
};
constexpr model_entry entries[] = {
    {"sector_bytes", &gpu_model::sector_bytes},
    {"banks", &gpu_model::banks},
    {"bank_bytes", &gpu_model::bank_bytes},
    {"subgroup", &gpu_model::subgroup},
    {"multiprocessors", &gpu_model::multiprocessors},
    {"clock", &gpu_model::clock},
    {"dram_bandwidth", &gpu_model::dram_bandwidth},
    {"l2_bandwidth", &gpu_model::l2_bandwidth},
    {"fill_bytes_per_clock", &gpu_model::fill_bytes_per_clock},
    {"l1_bytes_per_clock", &gpu_model::l1_bytes_per_clock},
    {"scratch_per_multiprocessor", &gpu_model::scratch_per_multiprocessor},
    {"scratch_per_group", &gpu_model::scratch_per_group},
    {"scratch_reserved_per_group", &gpu_model::scratch_reserved_per_group, true},
    {"lanes_per_multiprocessor", &gpu_model::lanes_per_multiprocessor},
    {"groups_per_multiprocessor", &gpu_model::groups_per_multiprocessor},
    {"lanes_per_group", &gpu_model::lanes_per_group},
    {"atomics_per_clock_one_address", &gpu_model::atomics_per_clock_one_address},
    {"atomic_sectors_per_clock", &gpu_model::atomic_sectors_per_clock},
    {"launch_cost", &gpu_model::launch_cost, true},
    {"host_link_bandwidth", &gpu_model::host_link_bandwidth},
};

std::string_view trimmed(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r");
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

[[noreturn]] void reject(const std::string& source, int line, const std::string& why) {
  text message;
  message << "HPK_GPU_MODEL: " << source;
  if (line != 0) message << ':' << line;
  raise((message << ": " << why).str());
}

double read_number(const std::string& source, int line, const model_entry& entry,
                   std::string_view value) {
  const std::string digits(value);
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  const bool is_number = !digits.empty() && *end == '\0' && std::isfinite(number);
  if (!is_number || number < 0 || (number == 0 && !entry.may_be_zero)) {
    reject(source, line,
           (text() << '\'' << entry.key << "' has the value '" << value
                   << "'; write a positive number, as in '" << entry.key << " = 32  # source'")
               .str());
  }
  return number;
}

gpu_model read_model(std::istream& in, const std::string& source) {
  gpu_model model;
  std::array<bool, std::size(entries)> has{};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    const auto equals = content.find('=');
    if (equals == content.npos)
      reject(source, number, "there is no '='; write '<key> = <value>  # source'");
    const std::string_view key = trimmed(content.substr(0, equals));
    const std::string_view value = trimmed(content.substr(equals + 1));
    if (key == "name") {
      model.name = value;
      continue;
    }
    const auto* const found = std::find_if(std::begin(entries), std::end(entries),
                                           [&](const model_entry& e) { return e.key == key; });
    if (found == std::end(entries)) {
      const auto* const nearest = std::min_element(
          std::begin(entries), std::end(entries), [&](const model_entry& a, const model_entry& b) {
            return edit_distance(key, a.key) < edit_distance(key, b.key);
          });
      reject(source, number,
             (text() << "there is no key '" << key << "'; did you mean '" << nearest->key << "'?")
                 .str());
    }
    model.*found->value = read_number(source, number, *found, value);
    has[static_cast<std::size_t>(found - std::begin(entries))] = true;
  }
  for (std::size_t k = 0; k != has.size(); ++k) {
    if (!has[k]) {
      reject(source, 0,
             (text() << "the key '" << entries[k].key << "' is missing; write '" << entries[k].key
                     << " = <number>  # source'")
                 .str());
    }
  }
  if (model.name.empty()) model.name = source;
  return model;
}

}  // namespace

const char* name_of(gpu_term term) {
  constexpr const char* names[] = {"DRAM",        "L2",      "L1",    "scratch",
                                   "one address", "atomics", "launch"};
  return names[static_cast<std::size_t>(term)];
}

gpu_model find_gpu_model(const std::string& name_or_path) {
  std::string known;
  for (const embedded_gpu_model* m = embedded_gpu_models; m->name != nullptr; ++m) {
    if (name_or_path == m->name) {
      std::istringstream in(m->text);
      return read_model(in, name_or_path);
    }
    if (!known.empty()) known += ", ";
    known += m->name;
  }
  std::ifstream file(name_or_path);
  if (!file) {
    raise((text() << "HPK_GPU_MODEL: there is no model and no file '" << name_or_path
                  << "'; write one of " << known << ", or the path of a file of a model")
              .str());
  }
  return read_model(file, name_or_path);
}

gpu_occupancy occupancy_of(const gpu_model& model, int lanes, std::size_t scratch_bytes) {
  gpu_occupancy result;
  const double rounded = std::ceil(std::max(lanes, 1) / model.subgroup) * model.subgroup;
  const double by_lanes = std::floor(model.lanes_per_multiprocessor / rounded);
  double most = std::min(by_lanes, model.groups_per_multiprocessor);
  result.limit = by_lanes <= model.groups_per_multiprocessor ? "lanes" : "groups";
  result.groups_without_scratch = static_cast<int>(most);
  const auto scratch = static_cast<double>(scratch_bytes);
  const double by_scratch = scratch_bytes == 0 ? most
                            : scratch > model.scratch_per_group
                                ? 0.0
                                : std::floor(model.scratch_per_multiprocessor /
                                             (scratch + model.scratch_reserved_per_group));
  if (by_scratch < most) {
    most = by_scratch;
    result.limit = "scratch";
  }
  if (lanes > model.lanes_per_group) most = 0;
  result.groups = static_cast<int>(most);
  result.lanes = most * rounded / model.lanes_per_multiprocessor;
  return result;
}

gpu_term gpu_bound::binding() const {
  return static_cast<gpu_term>(std::max_element(terms.begin(), terms.end()) - terms.begin());
}
double gpu_bound::work() const {
  return *std::max_element(terms.begin(), terms.begin() + static_cast<int>(gpu_term::launch));
}
gpu_bound& gpu_bound::operator+=(const gpu_bound& other) {
  for (std::size_t k = 0; k != terms.size(); ++k) terms[k] += other.terms[k];
  time += other.time;
  time_even += other.time_even;
  return *this;
}

// Returns the terms of a launch whose groups keep `busy` multiprocessors busy all the time.
static std::array<double, gpu_terms> terms_of(const seam::launch_counts& launch,
                                              const gpu_model& model, double busy) {
  double l1 = 0, l2 = 0, dram = 0, cycles = 0, atomic_sectors = 0;
  for (const seam::access_counts& a : launch.accesses) {
    switch (a.kind) {
      case seam::access_kind::atomic:
        // L2 executes atomic operations; they pass through L1.
        atomic_sectors += static_cast<double>(a.sectors);
        break;
      case seam::access_kind::plain:
        l1 += static_cast<double>(a.sectors);
        break;
      case seam::access_kind::scratch:
        cycles += static_cast<double>(a.bank_cycles);
        break;
      case seam::access_kind::atomic_scratch:
        cycles += static_cast<double>(std::max(a.bank_cycles, a.serial_atomics));
        break;
    }
  }
  for (const seam::view_counts& v : launch.views) {
    dram += static_cast<double>(v.sectors);
    l2 += static_cast<double>(v.sectors_of_groups);
  }
  const double hottest =
      launch.hot.empty() ? 0.0 : static_cast<double>(launch.hot.front().operations);
  const double of_busy = busy * model.clock;
  const double fill = of_busy * model.fill_bytes_per_clock;
  std::array<double, gpu_terms> terms{};
  terms[static_cast<int>(gpu_term::dram)] =
      dram * model.sector_bytes / std::min(model.dram_bandwidth, fill);
  terms[static_cast<int>(gpu_term::l2)] =
      l2 * model.sector_bytes / std::min(model.l2_bandwidth, fill);
  terms[static_cast<int>(gpu_term::l1)] =
      l1 * model.sector_bytes / (of_busy * model.l1_bytes_per_clock);
  terms[static_cast<int>(gpu_term::scratch)] = cycles / of_busy;
  terms[static_cast<int>(gpu_term::one_address)] =
      hottest / (model.clock * model.atomics_per_clock_one_address);
  terms[static_cast<int>(gpu_term::atomics)] =
      atomic_sectors / (model.clock * model.atomic_sectors_per_clock);
  terms[static_cast<int>(gpu_term::launch)] = model.launch_cost;
  return terms;
}

gpu_bound bound_of(const seam::launch_counts& launch, const gpu_model& model) {
  // The busiest multiprocessor runs one more round of groups than the least busy one.
  const auto groups = static_cast<double>(std::max<index_t>(launch.groups, 1));
  const double busy = groups / std::ceil(groups / model.multiprocessors);
  gpu_bound bound;
  bound.terms = terms_of(launch, model, busy);
  const auto even = terms_of(launch, model, model.multiprocessors);
  bound.time = *std::max_element(bound.terms.begin(), bound.terms.end());
  bound.time_even = *std::max_element(even.begin(), even.end());
  return bound;
}

}  // namespace hpk::detail
