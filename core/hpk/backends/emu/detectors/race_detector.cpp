// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/race_detector.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/detectors/scratch_watch.hpp>
#include <hpk/backends/emu/detectors/write_watch.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hpk::emu {

namespace {

// The lanes of a watched kernel run one after another, so they share one clock.
using tick = std::int64_t;

// The logical time at which a lane accessed an element.
struct lane_clock {
  index_t group = -1;
  int lane = -1;
  int barriers = 0;
  int syncs[running_group::widths] = {};  // by width of the lane's block: 1, 2, 4 ... 64 lanes
  tick at = 0;
  // Tick of the last release that the lane acquired. Everything released until then happened
  // before.
  tick acquired = 0;
};

// Returns how many synchronisations of `of` included `with_lane`: those of common blocks.
int common_syncs(const lane_clock& of, int with_lane) {
  int sum = 0;
  for (int k = 0; k < running_group::widths; ++k) {
    if (of.lane >> k == with_lane >> k) sum += of.syncs[k];
  }
  return sum;
}

// A release: a lane publishes what it had done until the tick `done`.
struct release {
  lane_clock by;
  tick done;
};

// Whether the earlier access happened before the later one for lanes of one group: by program
// order, a barrier or an exchange.
bool is_ordered_in_group(const lane_clock& earlier, const lane_clock& later) {
  if (earlier.lane == later.lane || earlier.barriers < later.barriers) return true;
  return common_syncs(earlier, later.lane) < common_syncs(later, earlier.lane);
}

// The happens-before order of the accesses of a launch.
struct launch_order {
  std::unordered_map<index_t, std::vector<release>> releases;  // by group, in order of time

  // Whether the earlier access happened before the later one, or both are of one lane. Every
  // release and acquire in between counts, whichever variable it uses, because a chain of several
  // variables may order the accesses.
  bool happens_before(const lane_clock& earlier, const lane_clock& later) const {
    if (earlier.group == later.group && is_ordered_in_group(earlier, later)) return true;
    if (later.acquired <= earlier.at) return false;
    const auto found = releases.find(earlier.group);
    if (found == releases.end()) return false;
    const auto first = std::upper_bound(found->second.begin(), found->second.end(), earlier.at,
                                        [](tick at, const release& r) { return at < r.by.at; });
    for (auto r = first; r != found->second.end() && r->by.at <= later.acquired; ++r) {
      if (earlier.at <= r->done && is_ordered_in_group(earlier, r->by)) return true;
    }
    return false;
  }
};

// The accesses of a launch to an element: the last write, and up to two reads since. Two are
// enough: if more lanes have read, a later write conflicts with at least one of the two.
struct shadow_cell {
  lane_clock writer;
  bool atomic_writer = false;
  bool atomic_in_group = false;  // the write was atomic only among the lanes of its group
  lane_clock readers[2];
};

// The earlier access that conflicts with a new one, and its verb in the report.
struct conflict {
  lane_clock earlier;
  const char* did;
};

// How an element is accessed.
struct access_kind {
  bool wrote = false;
  bool atomic = false;
  bool atomic_in_group = false;
};

// Records an access in the shadow cell of an element. Returns the earlier access that conflicts
// with it, if there is one.
std::optional<conflict> record_access(shadow_cell& cell, const lane_clock& me, access_kind kind,
                                      const launch_order& order) {
  const bool both_atomic =
      kind.atomic && cell.atomic_writer &&
      (cell.writer.group == me.group || !(kind.atomic_in_group || cell.atomic_in_group));
  if (cell.writer.lane >= 0 && !both_atomic && !order.happens_before(cell.writer, me))
    return conflict{cell.writer, "wrote"};
  if (kind.wrote && !kind.atomic) {
    for (const lane_clock& reader : cell.readers) {
      if (reader.lane >= 0 && !order.happens_before(reader, me)) return conflict{reader, "read"};
    }
  }
  if (kind.wrote || kind.atomic) {
    cell.writer = me;
    cell.atomic_writer = kind.atomic;
    cell.atomic_in_group = kind.atomic_in_group;
    cell.readers[0] = cell.readers[1] = {};
  } else {
    const bool is_first = cell.readers[0].lane < 0 ||
                          (cell.readers[0].group == me.group && cell.readers[0].lane == me.lane);
    cell.readers[is_first ? 0 : 1] = me;
  }
  return std::nullopt;
}

// An access of the lane that runs now.
struct access {
  seam::element_access what;
  index_t index[max_rank];
  std::size_t value;  // index in state::values of the value before the access
  access_kind kind;
};

// The atomic operations and fences of a lane, as ticks.
struct lane_fences {
  tick fence = 0;  // the last releasing fence
  tick seen = 0;   // the last release that it may have read from but has not acquired
};

}  // namespace

struct race_detector::state {
  state* outer;
  std::unordered_map<const void*, shadow_cell> elements;
  // Accesses of the running lane since its last pause, release or acquire.
  std::vector<access> accesses;
  std::unordered_map<const void*, std::size_t> index_of_access;
  std::vector<std::byte> values;
  write_watch writes;
  // By lane of the group.
  std::vector<lane_clock> lanes;
  std::vector<lane_fences> fences;
  // Maxima over the lanes of the group when they paused.
  tick sync_fence = 0;
  tick sync_seen = 0;
  tick sync_acquired = 0;
  // State of the launch.
  tick now = 1;
  launch_order order;
  std::unordered_map<const void*, tick> released;  // tick of the last release of an object
  // Scratch of the group by address, and the address on which the running lane is about to perform
  // an atomic operation.
  std::unordered_map<const void*, shadow_cell> scratch;
  const void* atomic_scratch = nullptr;
  int scratch_accesses = 0;

  lane_clock& running_clock() {
    const running_group& group = *running_group::current();
    const auto lane = static_cast<std::size_t>(group.fibers->lane());
    if (lanes.size() <= lane) {
      lanes.resize(static_cast<std::size_t>(group.lanes));
      fences.resize(lanes.size());
    }
    lane_clock& p = lanes[lane];
    p.group = group.group;
    p.lane = static_cast<int>(lane);
    p.at = now;
    return p;
  }
  [[noreturn]] void report_race(const access& a, const lane_clock& other, const char* other_did,
                                const lane_clock& me, const char* i_did) const;
  void check_access(const access& a, const lane_clock& me);
  void check_accesses();
  void apply_order(const void* address, detail::atomic_mode mode);
};

thread_local race_detector::state* race_detector::watching = nullptr;

race_detector::race_detector() : state_(new state{}) {
  state_->outer = watching;
  watching = state_;
  seam::atomic_watch = &on_atomic;
  seam::handover_watch = &on_handover;
}

race_detector::~race_detector() {
  watching = state_->outer;
  if (watching == nullptr) {
    seam::atomic_watch = nullptr;
    seam::handover_watch = nullptr;
  }
  delete state_;
}

void race_detector::on_access(const seam::element_access& what) {
  check_kernel_access(what);
  // Ignores private variables. Lanes run on the same stack one after another, so private variables
  // of different lanes may have the same address.
  if (!arena::contains(what.address)) return;
  state& s = *watching;
  const auto [place, is_new] = s.index_of_access.try_emplace(what.address, s.accesses.size());
  if (!is_new) return;
  access a{what, {}, s.values.size(), {}};
  for (int r = 0; r < what.rank; ++r) a.index[r] = what.index[r];
  const auto* bytes = static_cast<const std::byte*>(device_address(what.address));
  s.values.insert(s.values.end(), bytes, bytes + what.bytes);
  s.accesses.push_back(a);
  s.writes.add(bytes, what.bytes);
}

void race_detector::on_write(const void* address) noexcept {
  state& s = *watching;
  const auto* seen = static_cast<const std::byte*>(address) - thread_translation.shift;
  auto last = s.accesses.rbegin();
  if (const auto found = s.index_of_access.find(seen); found != s.index_of_access.end()) {
    s.accesses[found->second].kind.wrote = true;
  } else {
    // The write is not to the first byte of an element.
    last = std::find_if(last, s.accesses.rend(), [&](const access& a) {
      const auto* begin = static_cast<const std::byte*>(a.what.address);
      return begin <= seen && seen < begin + a.what.bytes;
    });
    if (last != s.accesses.rend()) last->kind.wrote = true;
  }
}

void race_detector::on_atomic(const void* address, detail::atomic_mode mode) {
  state* s = watching;
  if (s == nullptr || running_group::current() == nullptr) return;
  if (address != nullptr) {
    if (running_group::current()->scratch_offset(address) >= 0) {
      s->atomic_scratch = address;
    } else if (const auto found =
                   // Accesses are indexed by host addresses.
               s->index_of_access.find(static_cast<const std::byte*>(address) -
                                       thread_translation.shift);
               found != s->index_of_access.end()) {
      s->accesses[found->second].kind = {
          .atomic = true, .atomic_in_group = mode.scope == detail::memory_scope::core};
    }
  }
  s->apply_order(address, mode);
}

// Records the ordering effect of an atomic operation, or of a fence (null), of the running lane.
void race_detector::state::apply_order(const void* address, detail::atomic_mode mode) {
  const bool releases = detail::releases(mode.order);
  const bool acquires = detail::acquires(mode.order);
  if (releases || acquires) check_accesses();
  lane_clock& me = running_clock();
  lane_fences& own = fences[static_cast<std::size_t>(me.lane)];
  if (address == nullptr) {
    if (releases) own.fence = now++;
    if (acquires) me.acquired = std::max(me.acquired, own.seen);
    return;
  }
  if (const auto found = released.find(address); found != released.end()) {
    own.seen = std::max(own.seen, found->second);
    if (acquires) me.acquired = std::max(me.acquired, found->second);
  }
  if (releases || own.fence > 0) {
    const tick done = releases ? now : own.fence;
    me.at = ++now;
    order.releases[me.group].push_back({me, done});
    released[address] = now++;
  }
}

void race_detector::on_handover(const void* data, std::size_t bytes) {
  if (watching == nullptr) return;
  state& s = *watching;
  s.check_accesses();
  const auto* first = static_cast<const std::byte*>(data);
  if (bytes < s.elements.size()) {
    for (std::size_t k = 0; k < bytes; ++k) s.elements.erase(first + k);
  } else {
    std::erase_if(s.elements, [&](const auto& element) {
      const auto* address = static_cast<const std::byte*>(element.first);
      return address >= first && address < first + bytes;
    });
  }
}

void race_detector::on_pause(void*, int) {
  state& s = *watching;
  s.check_accesses();
  s.atomic_scratch = nullptr;
  const lane_clock& me = s.running_clock();
  const lane_fences& own = s.fences[static_cast<std::size_t>(me.lane)];
  s.sync_fence = std::max(s.sync_fence, own.fence);
  s.sync_seen = std::max(s.sync_seen, own.seen);
  s.sync_acquired = std::max(s.sync_acquired, me.acquired);
}

void race_detector::state::check_accesses() {
  const lane_clock me = running_clock();
  for (const access& a : accesses) check_access(a, me);
  accesses.clear();
  index_of_access.clear();
  values.clear();
}

void race_detector::on_scratch(const void* address, bool wrote) {
  state& s = *watching;
  const running_group& group = *running_group::current();
  const std::ptrdiff_t byte = group.scratch_offset(address);
  if (byte < 0) return;
  ++s.scratch_accesses;
  // An atomic operation may read before it writes. The write ends the operation.
  const bool atomic = address == s.atomic_scratch;
  if (wrote || !atomic) s.atomic_scratch = nullptr;
  const lane_clock me = s.running_clock();
  const auto found =
      record_access(s.scratch[address], me, {.wrote = wrote, .atomic = atomic}, s.order);
  if (!found) return;
  report(detector::races,
         (detail::text() << "race on byte " << byte << " of the scratch of the group: lane "
                         << found->earlier.lane << ' ' << found->did << " it, lane " << me.lane
                         << ' ' << (wrote ? "writes" : "reads") << " it, with no barrier between")
             .str());
}

void race_detector::on_sync(int width) {
  state* s = watching;
  if (s == nullptr || width == 1) return;
  lane_clock& me = s->running_clock();
  ++(width == 0 ? me.barriers : me.syncs[std::countr_zero(static_cast<unsigned>(width))]);
  // The lane inherits from the lanes with which it synchronised: the releases that they acquired,
  // the fences that its own releases publish, and the releases that its own fences acquire.
  me.acquired = std::max(me.acquired, s->sync_acquired);
  lane_fences& own = s->fences[static_cast<std::size_t>(me.lane)];
  own.fence = std::max(own.fence, s->sync_fence);
  own.seen = std::max(own.seen, s->sync_seen);
}

bool race_detector::watches_scratch() noexcept {
  constexpr int most = 1 << 14;  // sixteen for each lane of the largest group
  return watching != nullptr && watching->scratch_accesses < most;
}

bool race_detector::on_fault(const void* address, void* context) {
  return scratch_watch::on_fault(address, context) || write_watch::on_fault(address, context);
}

void race_detector::on_group() {
  state* s = watching;
  if (s == nullptr) return;
  s->lanes.clear();
  s->fences.clear();
  s->sync_fence = s->sync_seen = s->sync_acquired = 0;
  s->scratch.clear();
}

void race_detector::state::check_access(const access& a, const lane_clock& me) {
  const void* found_there = device_address(a.what.address);
  access_kind kind = a.kind;
  kind.wrote = kind.wrote || std::memcmp(found_there, values.data() + a.value, a.what.bytes) != 0;
  if (const auto found = record_access(elements[a.what.address], me, kind, order))
    report_race(a, found->earlier, found->did, me, kind.wrote ? "wrote" : "read");
}

void race_detector::state::report_race(const access& a, const lane_clock& other,
                                       const char* other_did, const lane_clock& me,
                                       const char* i_did) const {
  const auto who = [](detail::text& out, const lane_clock& p, const char* did) {
    out << "lane " << p.lane << " of group " << p.group << ' ' << did << " it";
  };
  detail::text out;
  out << "race on element (";
  for (int r = 0; r < a.what.rank; ++r) out << (r == 0 ? "" : ", ") << a.index[r];
  out << ") of View ";
  if (a.what.record != nullptr) {
    out << '"' << a.what.record->label << '"';
  } else {
    out << '"' << find_block(a.what.address).label << '"';
  }
  out << ": ";
  who(out, other, other_did);
  out << ", ";
  who(out, me, i_did);
  out << ", and neither a barrier nor an atomic operation lies between";
  report(detector::races, out.str());
}

}  // namespace hpk::emu
