// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/gang.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/base/text.hpp>

#include <algorithm>
#include <cstring>

namespace hpk::host {

namespace {

void expect_one_lane(const seam::shape& shape, const seam::launch_info& info) {
  if (shape.lanes == 1) return;
  detail::raise((detail::text() << info.pattern << " \"" << info.label
                                << "\": a host group has one lane, not " << shape.lanes)
                    .str(),
                info.where);
}

void fetch_early([[maybe_unused]] const void* data) noexcept {
#if HPK_HAS_GNU_ATTRIBUTES
  __builtin_prefetch(data);
#endif
}

std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

lane make_lane(index_t group, const seam::shape& shape, const arena_lease& scratch) {
  std::byte* level0 = scratch.data();
  return {group, shape.groups, level0,
          level0 == nullptr ? nullptr : level0 + padded(shape.scratch[0])};
}

// The piece [begin, end) of bytes that a group handles, cut at cache lines.
template <class Work>
void share_bytes(lane& l, std::size_t bytes, Work work) {
  const auto lines = static_cast<index_t>(padded(bytes) / 64);
  const auto begin = static_cast<std::size_t>(lines * l.group() / l.groups()) * 64;
  const auto end =
      std::min(static_cast<std::size_t>(lines * (l.group() + 1) / l.groups()) * 64, bytes);
  if (begin < end) work(begin, end - begin);
}

}  // namespace

void run_share(index_t rank, index_t workers, const seam::shape& shape, group_body body,
               const seam::launch_info& info, failure_log& failures) noexcept {
  // Both lie in another CPU's cache: fetched at the same time, not one after the other.
  fetch_early(body.object);
  fetch_early(body.kernel);
  const seam::kernel_scope scope(info);
  for (index_t group = rank; group < shape.groups; group += workers) {
    index_t position = group;
    try {
      expect_one_lane(shape, info);
      const arena_lease scratch(padded(shape.scratch[0]) + padded(shape.scratch[1]));
      lane l = make_lane(group, shape, scratch);
      try {
        body(l);
      } catch (...) {
        position = l.position();
        throw;
      }
    } catch (...) {
      failures.record(position);
    }
  }
}

void gang::run_inline(const seam::shape& shape, group_body body, const seam::launch_info& info) {
  expect_one_lane(shape, info);
  const seam::kernel_scope scope(info);
  const arena_lease scratch(padded(shape.scratch[0]) + padded(shape.scratch[1]));
  for (index_t group = 0; group < shape.groups; ++group) {
    lane l = make_lane(group, shape, scratch);
    body(l);
  }
}

void gang::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes < single_group_bytes || workers() == 1) {
    std::memcpy(to, from, bytes);
    return;
  }
  launch({.groups = workers()},
         [=](lane& l) {
           share_bytes(l, bytes, [=](std::size_t begin, std::size_t count) {
             std::memcpy(static_cast<std::byte*>(to) + begin,
                         static_cast<const std::byte*>(from) + begin, count);
           });
         },
         {.pattern = "copy", .label = {}, .where = {}});
}

void gang::fill(void* to, int value, std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes < single_group_bytes || workers() == 1) {
    std::memset(to, value, bytes);
    return;
  }
  launch({.groups = workers()},
         [=](lane& l) {
           share_bytes(l, bytes, [=](std::size_t begin, std::size_t count) {
             std::memset(static_cast<std::byte*>(to) + begin, value, count);
           });
         },
         {.pattern = "fill", .label = {}, .where = {}});
}

}  // namespace hpk::host
