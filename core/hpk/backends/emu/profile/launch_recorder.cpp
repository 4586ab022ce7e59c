// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/memory_error_detector.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/profile/launch_recorder.hpp>
#include <hpk/backends/emu/profile/launch_sample.hpp>
#include <hpk/backends/emu/profile/request.hpp>
#include <hpk/memory/allocation.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace hpk::emu {

namespace {

// Largest number of accesses of a lane at one place that are stored.
constexpr std::size_t most_waiting = std::size_t{1} << 16;
// A stored access: the offset in its block, and the iteration of its lane.
struct waiting_access {
  std::uint64_t offset : 40;
  std::uint64_t iteration : 24;
};
constexpr std::uint32_t last_iteration = (1u << 24) - 1;

// Number of groups in which the recorder looks for the index that differs between neighbouring
// lanes.
constexpr index_t groups_looked_at = 4;

struct free_memory {
  void operator()(void* data) const noexcept { std::free(data); }
};

// The memory of a View. `last_group` has, for each sector, the last group that accessed it, counted
// from 1.
struct watched_block {
  const std::byte* begin = nullptr;
  std::uint64_t sectors = 0;
  seam::view_counts counts;
  std::unique_ptr<std::uint32_t[], free_memory> last_group;
};

// The first access of a lane at a place.
struct first_access {
  int rank = -1;  // -1: none
  index_t index[max_rank];
};

// A place of the program at which lanes access one View.
struct place {
  const char* file;
  int line;
  const void* owner;  // record of the allocation, or start of the wrapped block
  seam::access_counts counts;
  watched_block* block = nullptr;  // null for scratch
  place* next = nullptr;           // the place that a lane accessed next, the last time
  bool is_used = false;            // since the last flush
  // By lane of the group, since the last flush.
  std::vector<std::vector<waiting_access>> accesses;
  std::vector<first_access> first;
  // How often neighbouring lanes differed in exactly one index, by difference; and in several
  // indices.
  std::map<index_t, std::uint64_t> votes[max_rank];
  std::uint64_t other_votes = 0;
};

struct place_hash {
  std::size_t operator()(const std::tuple<const char*, int, const void*>& key) const noexcept {
    const auto& [file, line, owner] = key;
    return std::hash<const void*>()(file) * 31 + std::hash<const void*>()(owner) * 7 +
           static_cast<std::size_t>(line);
  }
};

constexpr const char* of_scratch[2] = {"scratch", "scratch of level 1"};

}  // namespace

struct launch_recorder::state {
  state* outer;
  const seam::device_profile& profile;
  const kernel_call& kernel;
  seam::atomic_watcher outer_atomics;
  seam::launch_counts counts = {};
  std::deque<place> places = {};
  std::unordered_map<std::tuple<const char*, int, const void*>, place*, place_hash> known = {};
  std::unordered_map<const void*, watched_block> blocks = {};  // by start
  struct hot_counts {
    const watched_block* block;
    std::uint64_t operations;
  };
  std::unordered_map<const std::byte*, hot_counts> hot = {};
  request asked = {};
  // Where the running lane accessed memory last.
  place* last = nullptr;
  // State of the running group.
  index_t group = 0;
  int barriers = 0;
  std::vector<int> barriers_of_lane = {};
  std::vector<std::uint32_t> iteration_of_lane = {};
  std::vector<std::size_t> counted =
      {};  // by lane of a sub-group: accesses that flush() has counted

  place& find(const seam::element_access& what, int scratch_level);
  void add(place& at, const void* address, int lane);
  void flush();
  void flush(place& at);
  void count(place& at, std::uint64_t present);
  void stamp(watched_block& block, std::uint64_t first, std::uint64_t last);
  watched_block& block_of(const void* address, const seam::allocation_record* record);
  void note_index(place& at, const seam::element_access& what, int lane);
  void vote(place& at);
};

thread_local launch_recorder::state* launch_recorder::recording = nullptr;

launch_recorder::launch_recorder(const seam::device_profile& profile, const kernel_call& kernel)
    : state_(new state{recording, profile, kernel, seam::atomic_watch}) {
  recording = state_.get();
  seam::atomic_watch = &on_atomic;
  seam::launch_counts& c = state_->counts;
  c.pattern = kernel.info->pattern;
  c.label = kernel.info->label;
  c.file = kernel.info->where.file_name();
  c.line = static_cast<int>(kernel.info->where.line());
  c.groups = kernel.shape.groups;
  c.lanes = kernel.shape.lanes;
  std::copy(kernel.shape.scratch, kernel.shape.scratch + 2, c.scratch_bytes);
}

launch_recorder::~launch_recorder() {
  state& s = *state_;
  recording = s.outer;
  seam::atomic_watch = s.outer_atomics;
  for (place& p : s.places) {
    // Neighbouring lanes differ in two indices where a row of an MDRange ends.
    std::uint64_t of_index[max_rank] = {};
    std::uint64_t all = p.other_votes;
    for (int r = 0; r < max_rank; ++r) {
      for (const auto& [stride, votes] : p.votes[r]) of_index[r] += votes;
      all += of_index[r];
    }
    for (int r = 0; r < max_rank; ++r) {
      if (8 * of_index[r] <= 7 * all) continue;
      p.counts.lane_index = r;
      for (const auto& [stride, votes] : p.votes[r]) {
        if (8 * votes > 7 * all) p.counts.lane_stride = stride;
      }
    }
    s.counts.accesses.push_back(std::move(p.counts));
  }
  // Sorted, because the order in which lanes reach the places depends on the seed.
  std::sort(s.counts.accesses.begin(), s.counts.accesses.end(), [](const auto& a, const auto& b) {
    const auto key = [](const seam::access_counts& c) {
      return std::make_tuple(std::string_view(c.file == nullptr ? "" : c.file), c.line,
                             std::string_view(c.label), c.kind, c.accesses, c.sectors);
    };
    return key(a) < key(b);
  });
  for (const auto& [address, h] : s.hot) {
    s.counts.hot.push_back(
        {h.block == nullptr ? std::string() : h.block->counts.label,
         h.block == nullptr ? 0 : static_cast<std::size_t>(address - h.block->begin),
         h.operations});
  }
  std::sort(s.counts.hot.begin(), s.counts.hot.end(), [](const auto& a, const auto& b) {
    return std::tie(b.operations, a.label, a.byte) < std::tie(a.operations, b.label, b.byte);
  });
  constexpr std::size_t most_hot = 10;
  if (s.counts.hot.size() > most_hot) s.counts.hot.resize(most_hot);
  for (auto& [begin, block] : s.blocks) s.counts.views.push_back(std::move(block.counts));
  std::sort(s.counts.views.begin(), s.counts.views.end(), [](const auto& a, const auto& b) {
    return std::tie(a.label, a.bytes, a.sectors) < std::tie(b.label, b.bytes, b.sectors);
  });
  if (s.profile.on_launch != nullptr) s.profile.on_launch(s.counts);
  keep_sample(s.kernel, s.counts);
}

void launch_recorder::on_access(const seam::element_access& what) {
  check_kernel_access(what);
  const running_group& group = *running_group::current();
  state& s = *recording;
  int level = -1;
  if (!arena::contains(what.address)) {
    // Private variables don't count, because a GPU holds them in registers.
    if (group.scratch_offset(what.address) < 0) return;
    const std::ptrdiff_t in_first = static_cast<const std::byte*>(what.address) - group.scratch[0];
    level = group.scratch[0] != nullptr && in_first >= 0 &&
                    in_first < static_cast<std::ptrdiff_t>(group.kernel->shape.scratch[0])
                ? 0
                : 1;
  }
  place& at = s.find(what, level);
  const int lane = group.fibers->lane();
  if (group.group < groups_looked_at) s.note_index(at, what, lane);
  s.add(at, what.address, lane);
}

place& launch_recorder::state::find(const seam::element_access& what, int scratch_level) {
  watched_block* block = nullptr;
  const void* owner = scratch_level < 0 ? static_cast<const void*>(what.record)
                                        : static_cast<const void*>(of_scratch[scratch_level]);
  // A View of wrapped memory is identified by its block.
  if (owner == nullptr) {
    block = &block_of(what.address, nullptr);
    owner = block->begin;
  }
  const auto is_it = [&](const place* p) {
    return p != nullptr && p->line == what.line && p->file == what.file && p->owner == owner &&
           p->counts.element_bytes == what.bytes;
  };
  if (is_it(last)) return *last;
  if (last != nullptr && is_it(last->next)) return *(last = last->next);
  place*& found = known[{what.file, what.line, owner}];
  if (!is_it(found)) {
    const auto same =
        std::find_if(places.begin(), places.end(), [&](const place& p) { return is_it(&p); });
    if (same != places.end()) {
      found = &*same;
    } else {
      found = &places.emplace_back();
      found->file = what.file;
      found->line = what.line;
      found->owner = owner;
      seam::access_counts& c = found->counts;
      c.kind = scratch_level == 0 ? seam::access_kind::scratch : seam::access_kind::plain;
      c.file = what.file;
      c.line = what.line;
      c.layout = what.layout;
      c.rank = what.rank;
      c.read_only = what.read_only;
      c.element_bytes = what.bytes;
      found->accesses.resize(static_cast<std::size_t>(kernel.shape.lanes));
      found->first.resize(found->accesses.size());
      if (scratch_level < 0) {
        found->block = block == nullptr ? &block_of(what.address, what.record) : block;
        c.label = found->block->counts.label;
      } else {
        c.label = of_scratch[scratch_level];
      }
    }
  }
  if (last != nullptr) last->next = found;
  return *(last = found);
}

watched_block& launch_recorder::state::block_of(const void* address,
                                                const seam::allocation_record* record) {
  const std::byte* begin;
  std::size_t bytes;
  std::string label;
  if (record != nullptr) {
    begin = static_cast<const std::byte*>(record->data);
    bytes = record->bytes;
    label = record->label;
  } else {
    const block_facts facts = find_block(address);
    begin = static_cast<const std::byte*>(address) - facts.offset;
    bytes = facts.bytes;
    label = facts.label;
  }
  watched_block& block = blocks[begin];
  if (block.begin == nullptr) {
    block.begin = begin;
    block.counts.label = std::move(label);
    block.counts.bytes = bytes;
    block.sectors = bytes / static_cast<std::uint64_t>(profile.sector_bytes) + 1;
    // Pages that no lane touches cost nothing.
    block.last_group.reset(
        static_cast<std::uint32_t*>(std::calloc(block.sectors, sizeof(std::uint32_t))));
  }
  return block;
}

void launch_recorder::state::add(place& at, const void* address, int lane) {
  std::vector<waiting_access>& waiting = at.accesses[static_cast<std::size_t>(lane)];
  if (waiting.size() == most_waiting) {
    ++counts.unseen_accesses;
    return;
  }
  at.is_used = true;
  const auto* bytes = static_cast<const std::byte*>(address);
  const auto offset = static_cast<std::uint64_t>(
      at.block != nullptr ? bytes - at.block->begin
                          : running_group::current()->scratch_offset(address));
  waiting.push_back({offset, iteration_of_lane[static_cast<std::size_t>(lane)]});
}

void launch_recorder::state::note_index(place& at, const seam::element_access& what, int lane) {
  first_access& first = at.first[static_cast<std::size_t>(lane)];
  if (first.rank >= 0) return;
  first.rank = what.rank;
  for (int r = 0; r < what.rank; ++r) first.index[r] = what.index[r];
}

void launch_recorder::on_atomic(const void* address, detail::atomic_mode mode) {
  state* s = recording;
  if (s == nullptr) return;
  if (s->outer_atomics != nullptr) s->outer_atomics(address, mode);
  const running_group* group = running_group::current();
  if (address == nullptr || group == nullptr) return;
  const int lane = group->fibers->lane();
  const bool in_scratch = group->scratch_offset(address) >= 0;
  // The recorder stores host addresses.
  const auto* seen = in_scratch ? static_cast<const std::byte*>(address)
                                : static_cast<const std::byte*>(address) - thread_translation.shift;
  if (!in_scratch && !arena::contains(seen)) return;
  // Finds the access of a View that computed the address. Without one, counts an access to memory
  // whose View is unknown.
  place* at = s->last;
  const auto is_there = [&] {
    if (at == nullptr) return false;
    const auto& waiting = at->accesses[static_cast<std::size_t>(lane)];
    if (waiting.empty()) return false;
    const std::uint64_t offset = waiting.back().offset;
    return in_scratch ? at->block == nullptr &&
                            offset == static_cast<std::uint64_t>(group->scratch_offset(seen))
                      : at->block != nullptr && seen == at->block->begin + offset;
  };
  if (!is_there()) {
    at = nullptr;
    for (place& p : s->places) {
      at = &p;
      if (p.is_used && is_there()) break;
      at = nullptr;
    }
  }
  if (at == nullptr) {
    if (in_scratch) return;
    const index_t none[] = {0};
    at = &s->find(
        {.address = seen, .bytes = 4, .record = nullptr, .rank = 0, .index = none, .extents = none},
        -1);
    s->add(*at, seen, lane);
  }
  at->counts.kind = in_scratch ? seam::access_kind::atomic_scratch : seam::access_kind::atomic;
}

void launch_recorder::on_sync(int width) {
  state* s = recording;
  if (s == nullptr || width == 1) return;
  if (width != 0) {
    ++s->counts.syncs;
    return;
  }
  int& of_lane =
      s->barriers_of_lane[static_cast<std::size_t>(running_group::current()->fibers->lane())];
  // The first lane that continues: all lanes have arrived.
  if (++of_lane > s->barriers) {
    s->barriers = of_lane;
    ++s->counts.barriers;
    s->flush();
    std::fill(s->iteration_of_lane.begin(), s->iteration_of_lane.end(), 0u);
  }
}

void launch_recorder::on_iteration() noexcept {
  state* s = recording;
  if (s == nullptr) return;
  std::uint32_t& of_lane =
      s->iteration_of_lane[static_cast<std::size_t>(running_group::current()->fibers->lane())];
  if (of_lane < last_iteration) ++of_lane;
}

void launch_recorder::on_group_begin() {
  if (recording == nullptr) return;
  state& s = *recording;
  s.counts.subgroup = running_group::current()->subgroup;
  s.group = running_group::current()->group;
  s.barriers = 0;
  s.barriers_of_lane.assign(static_cast<std::size_t>(s.kernel.shape.lanes), 0);
  s.iteration_of_lane.assign(s.barriers_of_lane.size(), 0);
}

void launch_recorder::on_group_end() {
  if (recording == nullptr) return;
  recording->flush();
  recording->last = nullptr;
}

void launch_recorder::state::flush() {
  for (place& p : places) {
    if (p.is_used) flush(p);
  }
}

void launch_recorder::state::flush(place& at) {
  const std::size_t lanes = at.accesses.size();
  const auto width = static_cast<std::size_t>(counts.subgroup);
  for (std::size_t begin = 0; begin < lanes; begin += width) {
    const std::size_t end = std::min(begin + width, lanes);
    counted.assign(end - begin, 0);
    // Lanes wait for each other at the end of each iteration.
    std::uint32_t iteration = 0;
    while (true) {
      asked.clear(at.counts.element_bytes);
      std::uint32_t next = last_iteration + 1;
      for (std::size_t lane = begin; lane < end; ++lane) {
        std::size_t& k = counted[lane - begin];
        if (k == at.accesses[lane].size()) continue;
        const waiting_access access = at.accesses[lane][k];
        if (access.iteration == iteration) {
          asked.add(access.offset);
          ++k;
        } else {
          next = std::min(next, static_cast<std::uint32_t>(access.iteration));
        }
      }
      if (asked.lanes() != 0) {
        count(at, end - begin);
      } else if (next <= last_iteration) {
        iteration = next;
      } else {
        break;
      }
    }
    for (std::size_t lane = begin; lane < end; ++lane) at.accesses[lane].clear();
  }
  if (group < groups_looked_at) vote(at);
  at.is_used = false;
}

void launch_recorder::state::count(place& at, std::uint64_t present) {
  asked.finish();
  seam::access_counts& c = at.counts;
  c.accesses += asked.lanes();
  c.full_accesses += present;
  ++c.requests;
  const request::extent used = asked.used();
  c.used_bytes += used.bytes;
  c.runs += used.runs;
  const bool atomic =
      c.kind == seam::access_kind::atomic || c.kind == seam::access_kind::atomic_scratch;
  if (at.block == nullptr && c.label == of_scratch[0]) {
    c.bank_cycles += asked.bank_cycles(profile.banks, profile.bank_bytes);
    c.ideal_bank_cycles += asked.ideal_bank_cycles(profile.banks, profile.bank_bytes);
  } else {
    const auto bytes = static_cast<std::uint64_t>(profile.sector_bytes);
    c.ideal_sectors += (used.bytes + bytes - 1) / bytes;
    asked.for_sectors(bytes, [&](std::uint64_t first, std::uint64_t last) {
      c.sectors += last - first + 1;
      if (at.block != nullptr) stamp(*at.block, first, last);
    });
  }
  if (!atomic) return;
  c.serial_atomics += asked.for_elements([&](std::uint64_t offset, std::size_t lanes) {
    if (at.block == nullptr) return;
    hot_counts& h = hot[at.block->begin + offset];
    h.block = at.block;
    h.operations += lanes;
  });
}

void launch_recorder::state::stamp(watched_block& block, std::uint64_t first, std::uint64_t last) {
  const auto mark = static_cast<std::uint32_t>(group + 1);
  for (std::uint64_t k = first; k <= last && k < block.sectors; ++k) {
    std::uint32_t& seen = block.last_group[k];
    if (seen == mark) continue;
    if (seen == 0) ++block.counts.sectors;
    ++block.counts.sectors_of_groups;
    seen = mark;
  }
}

void launch_recorder::state::vote(place& at) {
  const auto width = static_cast<std::size_t>(counts.subgroup);
  for (std::size_t lane = 1; lane < at.first.size(); ++lane) {
    const first_access& a = at.first[lane - 1];
    const first_access& b = at.first[lane];
    if (lane % width == 0 || a.rank < 0 || a.rank != b.rank) continue;
    int differing = 0;
    int which = 0;
    for (int r = 0; r < a.rank; ++r) {
      if (a.index[r] == b.index[r]) continue;
      ++differing;
      which = r;
    }
    if (differing == 1) ++at.votes[which][b.index[which] - a.index[which]];
    if (differing > 1) ++at.other_votes;
  }
  for (first_access& f : at.first) f.rank = -1;
}

}  // namespace hpk::emu
