// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/emu/profile/launch_sample.hpp>

#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace hpk::emu {

namespace {

constexpr std::uint64_t first_launches = 16;
constexpr std::uint64_t one_of = 16;

using key = std::tuple<void (*)(const running_group&), std::string, const char*, std::uint32_t,
                       index_t, int>;

key key_of(const kernel_call& kernel) {
  const seam::launch_info& info = *kernel.info;
  return {kernel.run_lane,   std::string(info.label), info.where.file_name(),
          info.where.line(), kernel.shape.groups,     kernel.shape.lanes};
}

struct sample {
  std::uint64_t launches = 0;
  bool is_known = false;
  seam::launch_counts counts = {};
};

struct samples {
  std::mutex guard;
  std::map<key, sample> all;
};
samples& known() {
  // Never destroyed, because the queues that use it never are.
  static samples& only = *new samples;
  return only;
}

}  // namespace

const seam::device_profile* sample_launch(const kernel_call& kernel) {
  const seam::device_profile* const profile = counting_for();
  if (profile == nullptr) return nullptr;
  samples& s = known();
  const std::lock_guard lock(s.guard);
  sample& of = s.all[key_of(kernel)];
  const std::uint64_t number = of.launches++;
  if (!of.is_known || number < first_launches || number % one_of == 0) return profile;
  if (profile->on_launch != nullptr) profile->on_launch(of.counts);
  return nullptr;
}

void keep_sample(const kernel_call& kernel, const seam::launch_counts& counts) {
  samples& s = known();
  const std::lock_guard lock(s.guard);
  sample& of = s.all[key_of(kernel)];
  of.is_known = true;
  of.counts = counts;
  of.counts.is_estimate = true;
}

void forget_samples() noexcept {
  samples& s = known();
  const std::lock_guard lock(s.guard);
  s.all.clear();
}

}  // namespace hpk::emu
