// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/mirror_rules.hpp>
#include <hpk/backends/emu/detectors/page_use.hpp>
#include <hpk/backends/emu/detectors/single_step.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/base/text.hpp>

#include <algorithm>
#include <cstring>

namespace hpk::emu {

namespace {

// Each read takes microseconds.
constexpr int most_single_reads = 1 << 14;

// Returns the device address. The host address may be closed, and accesses to it count as use.
std::byte* device_bytes(const memory_map& map, const block& b) noexcept {
  return map.device_base(b.device) + b.data_offset;
}
std::byte* host_pages(const memory_map& map, const block& b) noexcept {
  return map.host_base() + b.begin;
}

bool are_equal(const memory_map& map, const block& mirror, const block& view) noexcept {
  return view.bytes == mirror.bytes &&
         std::memcmp(device_bytes(map, mirror), device_bytes(map, view), view.bytes) == 0;
}

bool is_zero(const memory_map& map, const block& b) noexcept {
  const std::byte* const data = device_bytes(map, b);
  return b.bytes == 0 || (data[0] == std::byte{0} && std::memcmp(data, data + 1, b.bytes - 1) == 0);
}

template <class Call>
void for_mirrors(memory_map& map, const block& view, const Call& call) {
  for (const std::size_t begin : view.access.mirrors) {
    block& mirror = map.at(begin);
    if (!mirror.freed) call(mirror);
  }
}

// Whether host code, or a system call, has accessed the mirror since it was opened.
bool is_accessed(const memory_map& map, const block& mirror) noexcept {
  return is_used(host_pages(map, mirror), mirror.mapped_bytes);
}

// Whether the View may still hold the zeros of its allocation, and the host has seen no result of
// its kernels.
bool is_untouched(const block& view) noexcept {
  return !view.shared && !view.access.written && !view.access.copied_to_host;
}
// Whether host code filled the mirror with elements that its untouched View should have.
bool is_unsent(const memory_map& map, const block& mirror) noexcept {
  const host_access_state& m = mirror.access;
  const bool filled = m.content == mirror_content::other ||
                      (m.content == mirror_content::copy && is_accessed(map, mirror));
  return filled && !m.sent && !is_zero(map, mirror);
}

// Starts to watch whether kernels use the View, if it lacks the elements of an unsent mirror.
void watch_use(memory_map& map, block& view, std::string_view kernel) {
  host_access_state& v = view.access;
  if (!is_untouched(view)) return;
  if (v.unsent.empty()) {
    for_mirrors(map, view, [&](block& mirror) {
      if (v.unsent.empty() && is_unsent(map, mirror)) v.unsent = mirror.label;
    });
  }
  if (v.unsent.empty()) return;
  // While earlier kernels may run, their accesses would count too.
  if (v.pending_kernels == 0) {
    v.watches_use = true;
    forget_use(map.device_base(view.device) + view.begin, view.mapped_bytes);
    forget_use(host_pages(map, view), view.mapped_bytes);
  }
  if (v.watches_use && !v.read_zeros) note_kernel(v.reader, kernel);
}

void check_use(memory_map& map, block& view) noexcept {
  host_access_state& v = view.access;
  if (!v.watches_use) return;
  v.watches_use = false;
  const bool used = is_used(map.device_base(view.device) + view.begin, view.mapped_bytes) ||
                    is_used(host_pages(map, view), view.mapped_bytes);
  if (used && !is_zero(map, view)) v.written = true;
  if (used) v.read_zeros = true;
  if (!v.read_zeros) v.reader.clear();
}

void close_if_outdated(memory_map& map, const block& view, block& mirror) noexcept {
  host_access_state& m = mirror.access;
  if (!m.outdated || m.may_be_old || m.content != mirror_content::copy) return;
  if (m.waits++ < m.next_look) return;
  m.outdated = false;
  if (are_equal(map, mirror, view)) {
    // A comparison takes as long as a kernel. The longer mirror and View stay equal, the rarer it
    // is.
    if (!current_options().mirrors) m.next_look = m.waits + m.waits / 8;
    return;
  }
  if (m.sum == sum_of_mirror(device_bytes(map, mirror), mirror.bytes)) {
    map.close(mirror);
  } else {
    m.content = mirror_content::other;
  }
}

std::string about_unsent(const block& view) {
  const host_access_state& v = view.access;
  detail::text out;
  out << "kernel " << (v.reader.empty() ? "without a label" : '"' + v.reader + '"')
      << " read View \"" << view.label << "\", which has held zeros since it was made; host code "
      << "had filled its mirror \"" << v.unsent
      << "\" and never copied it: hpk::deep_copy(view, mirror)";
  return out.str();
}

}  // namespace

std::uint64_t sum_of_mirror(const std::byte* data, std::size_t bytes) noexcept {
  // Four independent sums, because a product takes as long as four loads.
  constexpr std::uint64_t prime = 1099511628211u;
  std::uint64_t sums[4] = {1, 2, 3, 4};
  std::size_t k = 0;
  for (; k + sizeof(sums) <= bytes; k += sizeof(sums)) {
    std::uint64_t words[4];
    std::memcpy(words, data + k, sizeof(words));
    for (int w = 0; w < 4; ++w) sums[w] = (sums[w] ^ words[w]) * prime;
  }
  for (; k < bytes; ++k) sums[0] = (sums[0] ^ static_cast<std::uint64_t>(data[k])) * prime;
  for (int w = 1; w < 4; ++w) sums[0] = (sums[0] ^ sums[w]) * prime;
  return std::max<std::uint64_t>(sums[0], 1);
}

void mirror_rules::on_launch(memory_map& map, block& view, std::string_view kernel) {
  view.access.launched = true;
  watch_use(map, view, kernel);
  for_mirrors(map, view, [&](block& mirror) {
    host_access_state& m = mirror.access;
    if (m.content == mirror_content::nothing) {
      note_kernel(m.holder, kernel);
      map.close(mirror);
    } else if (m.content == mirror_content::copy && !m.may_be_old && mirror.open && !view.shared) {
      if (!m.outdated) m.outdated = current_options().mirrors || is_accessed(map, mirror);
      if (m.outdated) note_kernel(m.holder, kernel);
    }
  });
}

void mirror_rules::on_wait(memory_map& map, block& view) noexcept {
  check_use(map, view);
  for_mirrors(map, view, [&](block& mirror) { close_if_outdated(map, view, mirror); });
}

bool mirror_rules::on_copy(memory_map& map, block* to, block* from, const void* begin,
                           std::size_t bytes) noexcept {
  bool fills = false;
  if (to != nullptr && to->access.is_mirror()) {
    host_access_state& m = to->access;
    fills = from != nullptr && from->begin == m.source && bytes == to->bytes &&
            from->bytes == bytes && begin == map.host_base() + to->data_offset;
    m.content = fills ? mirror_content::copy : mirror_content::other;
    m.may_be_old = m.outdated = false;
    m.sum = 0;
    m.waits = m.next_look = m.steps = 0;
    m.holder.clear();
    map.open(*to);
  }
  if (from != nullptr && from->access.is_mirror()) {
    from->access.sent = true;
    map.at(from->access.source).access.unsent.clear();
    from->access.content = mirror_content::other;
    map.open(*from);
  }
  if (to != nullptr) to->access.written = true;
  const bool to_host = to == nullptr || to->shared || to->access.host;
  if (from == nullptr || from->access.host || !to_host) return fills;
  from->access.copied_to_host = from->access.copied_to_host || from->access.launched;
  for_mirrors(map, *from, [&](block& mirror) {
    if (&mirror == to || mirror.access.content != mirror_content::copy) return;
    mirror.access.may_be_old = true;
    map.open(mirror);
  });
  return fills;
}

bool mirror_rules::admits(memory_map& map, block& mirror, const void* address, bool writes,
                          bool& again) noexcept {
  host_access_state& m = mirror.access;
  if (writes) {
    m.content = mirror_content::other;
    return map.open(mirror);
  }
  const block& view = map.at(m.source);
  if (are_equal(map, mirror, view)) return map.open(mirror, PROT_READ);
  if (m.content != mirror_content::copy || !can_step) return false;
  // Elements that have not changed may be read.
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) -
                                               (map.host_base() + mirror.data_offset));
  const std::size_t width = offset % 8 == 0 ? 8 : offset % 4 == 0 ? 4 : 1;
  const std::size_t end = std::min(offset + width, mirror.bytes);
  if (offset >= end || std::memcmp(device_bytes(map, mirror) + offset,
                                   device_bytes(map, view) + offset, end - offset) != 0)
    return false;
  again = ++m.steps < most_single_reads;
  m.may_be_old = !again;
  return map.open(mirror, PROT_READ);
}

std::string mirror_rules::on_free(memory_map& map, const block& freed) {
  const bool is_mirror = freed.access.is_mirror();
  block& view = map.at(is_mirror ? freed.access.source : freed.begin);
  host_access_state& v = view.access;
  if (!is_untouched(view) || v.pending_kernels != 0) return {};
  // A kernel may read the View after its mirror was freed.
  if (is_mirror && v.unsent.empty() && !v.launched && is_unsent(map, freed)) v.unsent = freed.label;
  if (v.unsent.empty() || !v.read_zeros || !is_zero(map, view)) return {};
  return about_unsent(view);
}

}  // namespace hpk::emu
