// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

namespace hpk::detail {

namespace {

constexpr std::size_t most_hot = 10;

struct collector {
  std::mutex guard;
  gpu_request request;
  std::vector<gpu_limit> limits;
  file_handle text, html, json;
  seam::device_profile profile;
  gpu_totals totals;
  std::set<std::string> files;  // copied, because a library that launched may be unloaded before
                                // the end
  // The collector of the program's previous start: a launch may still report to it.
  std::unique_ptr<collector> earlier;
};

// Never destroyed: emulated devices may still launch while the program ends.
collector* collecting = nullptr;

bool is_same(const char* a, const char* b) {
  return a == b || (a != nullptr && b != nullptr && std::strcmp(a, b) == 0);
}

const char* interned(collector& c, const char* file) {
  return file == nullptr ? nullptr : c.files.emplace(file).first->c_str();
}

bool is_same_place(const seam::access_counts& a, const seam::access_counts& b) {
  return a.line == b.line && a.kind == b.kind && a.rank == b.rank &&
         a.element_bytes == b.element_bytes && a.read_only == b.read_only && a.label == b.label &&
         is_same(a.file, b.file) && is_same(a.layout, b.layout);
}

// If each request comes from a single lane, the index in which lanes differ is unknown. Those
// requests must not contradict the others.
void merge_lane_index(seam::access_counts& into, const seam::access_counts& from) {
  if (from.accesses == from.requests) return;
  if (into.accesses == into.requests) {
    into.lane_index = from.lane_index;
    into.lane_stride = from.lane_stride;
    return;
  }
  if (into.lane_index != from.lane_index) into.lane_index = -1;
  if (into.lane_index < 0 || into.lane_stride != from.lane_stride) into.lane_stride = 0;
}

void merge(collector& c, std::vector<seam::access_counts>& all, const seam::access_counts& added) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const seam::access_counts& a) {
    return is_same_place(a, added);
  });
  if (found == all.end()) {
    all.push_back(added);
    all.back().file = interned(c, added.file);
    const char* const layout = interned(c, added.layout);
    all.back().layout = layout == nullptr ? "" : layout;
    return;
  }
  merge_lane_index(*found, added);
  found->add(added);
}

void merge(std::vector<seam::view_counts>& all, const seam::view_counts& added) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const seam::view_counts& v) { return v.label == added.label; });
  if (found == all.end()) {
    all.push_back(added);
    return;
  }
  found->bytes = std::max(found->bytes, added.bytes);
  found->sectors += added.sectors;
  found->sectors_of_groups += added.sectors_of_groups;
}

void sort_hot(std::vector<seam::hot_element>& all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(b.operations, a.label, a.byte) < std::tie(a.operations, b.label, b.byte);
  });
}

// The report shows ten elements, so only a few hundred are stored.
void merge(std::vector<seam::hot_element>& all, const seam::hot_element& added) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const seam::hot_element& h) {
    return h.byte == added.byte && h.label == added.label;
  });
  if (found != all.end()) {
    found->operations += added.operations;
    return;
  }
  all.push_back(added);
  if (all.size() < 40 * most_hot) return;
  sort_hot(all);
  all.resize(20 * most_hot);
}

gpu_kernel& kernel_of(collector& c, const seam::launch_counts& launch) {
  auto& all = c.totals.kernels;
  const auto found = std::find_if(all.begin(), all.end(), [&](const gpu_kernel& k) {
    return k.sum.line == launch.line && k.sum.label == launch.label &&
           k.sum.pattern == launch.pattern && is_same(k.sum.file, launch.file);
  });
  if (found != all.end()) return *found;
  gpu_kernel& added = all.emplace_back();
  added.sum.pattern = launch.pattern;
  added.sum.label = launch.label;
  added.sum.file = interned(c, launch.file);
  added.sum.line = launch.line;
  return added;
}

void add_launch(const seam::launch_counts& launch) {
  collector& c = *collecting;
  const std::lock_guard lock(c.guard);
  gpu_kernel& k = kernel_of(c, launch);
  ++k.launches;
  if (launch.is_estimate) ++k.estimates;
  k.groups += static_cast<std::uint64_t>(launch.groups);
  k.lanes += static_cast<std::uint64_t>(launch.groups) * static_cast<std::uint64_t>(launch.lanes);
  k.sum.groups = std::max(k.sum.groups, launch.groups);
  k.sum.lanes = std::max(k.sum.lanes, launch.lanes);
  k.sum.subgroup = std::max(k.sum.subgroup, launch.subgroup);
  for (int level : {0, 1})
    k.sum.scratch_bytes[level] = std::max(k.sum.scratch_bytes[level], launch.scratch_bytes[level]);
  k.sum.barriers += launch.barriers;
  k.sum.syncs += launch.syncs;
  k.sum.unseen_accesses += launch.unseen_accesses;
  for (const auto& a : launch.accesses) {
    merge(c, k.sum.accesses, a);
    if (is_atomic(a)) k.atomics += a.accesses;
    if (is_scratch(a)) continue;
    k.sectors += a.sectors;
    k.used_bytes += a.used_bytes;
    k.requests += a.requests;
  }
  for (const auto& v : launch.views) merge(k.sum.views, v);
  for (const auto& h : launch.hot) merge(k.sum.hot, h);
  const gpu_bound bound = bound_of(launch, c.totals.model);
  k.bound += bound;
  c.totals.bound += bound;
}

void add_copy(const seam::copy_counts& copy) {
  collector& c = *collecting;
  const std::lock_guard lock(c.guard);
  auto& all = c.totals.copies;
  auto found = std::find_if(all.begin(), all.end(), [&](const gpu_copy& one) {
    return one.sum.to == copy.to && one.sum.from == copy.from &&
           one.sum.to_device == copy.to_device && one.sum.from_device == copy.from_device;
  });
  if (found == all.end()) {
    found = all.insert(all.end(), gpu_copy{copy, 0, 0, 0});
    found->sum.bytes = 0;
  }
  ++found->count;
  found->sum.bytes += copy.bytes;
  c.totals.copy_time += copy_time_of(copy, c.totals.model);
  if (!copy.is_repeated) return;
  ++found->repeated;
  found->repeated_bytes += copy.bytes;
}

// Makes the order independent of the order of launches.
void sort(gpu_totals& totals) {
  const auto text = [](const char* file) { return std::string_view(file == nullptr ? "" : file); };
  // Rounded, because sums in another order differ in their last digits.
  const auto part = [&](const gpu_kernel& k) {
    return std::llround(k.bound.time * 1e9 / totals.bound.time);
  };
  std::sort(totals.kernels.begin(), totals.kernels.end(),
            [&](const gpu_kernel& a, const gpu_kernel& b) {
              return std::tuple(part(b), text(a.sum.file), a.sum.line, a.sum.label, a.sum.pattern) <
                     std::tuple(part(a), text(b.sum.file), b.sum.line, b.sum.label, b.sum.pattern);
            });
  for (gpu_kernel& k : totals.kernels) {
    std::sort(k.sum.accesses.begin(), k.sum.accesses.end(), [&](const auto& a, const auto& b) {
      return std::tuple(b.sectors, b.bank_cycles, text(a.file), a.line, a.label, a.kind,
                        text(a.layout), a.rank, a.element_bytes, a.read_only) <
             std::tuple(a.sectors, a.bank_cycles, text(b.file), b.line, b.label, b.kind,
                        text(b.layout), b.rank, b.element_bytes, b.read_only);
    });
    std::sort(k.sum.views.begin(), k.sum.views.end(), [](const auto& a, const auto& b) {
      return std::tie(b.sectors, a.label) < std::tie(a.sectors, b.label);
    });
    sort_hot(k.sum.hot);
    if (k.sum.hot.size() > most_hot) k.sum.hot.resize(most_hot);
  }
  std::sort(totals.copies.begin(), totals.copies.end(), [](const gpu_copy& a, const gpu_copy& b) {
    return std::tie(b.sum.bytes, a.sum.to, a.sum.from, a.sum.to_device, a.sum.from_device) <
           std::tie(a.sum.bytes, b.sum.to, b.sum.from, b.sum.to_device, b.sum.from_device);
  });
}

void put(const file_handle& file, std::string (*report)(const gpu_totals&),
         const gpu_totals& totals) {
  if (file == nullptr) return;
  std::fputs(report(totals).c_str(), file.get());
  std::fflush(file.get());
}

}  // namespace

double copy_time_of(const seam::copy_counts& copies, const gpu_model& model) {
  if (copies.to_device == copies.from_device) return 0;
  return static_cast<double>(copies.bytes) / model.host_link_bandwidth;
}

std::string place_of(const char* file, int line) {
  if (file == nullptr || *file == '\0') return {};
  const std::string_view path = file;
  return std::string(path.substr(path.rfind('/') + 1)) + ':' + std::to_string(line);
}

std::string name_of(const gpu_kernel& kernel) {
  const std::string& label = kernel.sum.label;
  return kernel.sum.pattern + (label.empty() ? std::string() : " \"" + label + '"');
}

std::string launches_of(std::uint64_t launches, std::uint64_t estimates) {
  std::string out = std::to_string(launches);
  out += launches == 1 ? " launch" : " launches";
  if (estimates > 0) out += " (" + std::to_string(estimates) + " counted like earlier ones)";
  return out;
}

std::string text_of_groups(const gpu_kernel& kernel) {
  const double groups = groups_of(kernel);
  return format(groups == 1 ? "%.6g group" : "%.6g groups", groups);
}

double efficiency_of(std::uint64_t used_bytes, std::uint64_t sectors, const gpu_model& model) {
  if (sectors == 0) return 1;
  return static_cast<double>(used_bytes) / (static_cast<double>(sectors) * model.sector_bytes);
}

void begin_gpu_profile(const gpu_request& request) {
  auto fresh = std::make_unique<collector>();
  fresh->request = request;
  fresh->totals.model = find_gpu_model(request.model);
  if (!request.limits.empty()) fresh->limits = read_gpu_limits(request.limits);
  if (request.text) fresh->text = open_report(request.text_path);
  if (!request.html_path.empty()) fresh->html = open_report(request.html_path);
  if (!request.json_path.empty()) fresh->json = open_report(request.json_path);
  const gpu_model& model = fresh->totals.model;
  fresh->profile.sector_bytes = static_cast<int>(model.sector_bytes);
  fresh->profile.banks = static_cast<int>(model.banks);
  fresh->profile.bank_bytes = static_cast<int>(model.bank_bytes);
  fresh->profile.on_launch = &add_launch;
  fresh->profile.on_copy = &add_copy;
  fresh->earlier.reset(collecting);
  collecting = fresh.release();
  seam::current_device_profile.store(&collecting->profile, memory_order::release);
}

static atomic_word<bool> violated{false};

void end_gpu_profile(const char* ended_early_by) {
  if (seam::current_device_profile.exchange(nullptr, memory_order::acq_rel) == nullptr) return;
  collector& c = *collecting;
  // At an early end another thread may be stopped, or this one may have failed, while holding the
  // guard.
  std::unique_lock lock(c.guard, std::defer_lock);
  for (int tries = 0; tries != 100 && !lock.try_lock(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (!lock.owns_lock()) return;
  if (ended_early_by != nullptr) c.totals.ended_early_by = ended_early_by;
  sort(c.totals);
  put(c.text, &gpu_text_of, c.totals);
  put(c.html, &gpu_html_of, c.totals);
  put(c.json, &gpu_json_of, c.totals);
  for (file_handle* file : {&c.text, &c.html, &c.json}) file->reset();
  for (const std::string& sentence : violations_of(c.totals, c.limits, c.request.limits)) {
    std::fprintf(stderr, "hpk: %s\n", sentence.c_str());
    violated.store(true, memory_order::release);
  }
}

// Runs after all destructors and exit handlers of the program, and changes only the status.
[[gnu::destructor(101)]] static void end_with_status() {
  if (!violated.load(memory_order::acquire)) return;
  std::fflush(nullptr);
  std::_Exit(3);
}

}  // namespace hpk::detail
