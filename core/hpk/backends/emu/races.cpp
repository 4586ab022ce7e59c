// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/crew.hpp>
#include <hpk/backends/emu/races.hpp>
#include <hpk/backends/emu/reach.hpp>
#include <hpk/backends/emu/report.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/allocation.hpp>
#include <hpk/seam/atomic.hpp>

#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hpk::emu {

namespace {

// Where a lane stood when it touched an element.
struct position {
  index_t group = -1;
  int lane = -1;
  int barriers = 0;
  int exchanges = 0;
};

// Whether the earlier access happened before the later one, or both are of one lane.
bool is_ordered(const position& earlier, const position& later, int subgroup) {
  if (earlier.group != later.group) return false;
  if (earlier.lane == later.lane || earlier.barriers < later.barriers) return true;
  return earlier.lane / subgroup == later.lane / subgroup && earlier.exchanges < later.exchanges;
}

// What a launch did to an element: who wrote it last, and who read it since, two of them at most:
// if there are more, a later writer conflicts with one of the two at least.
struct history {
  position writer;
  bool atomic_writer = false;
  position readers[2];
};

// Whom an access conflicts with, and what that did.
struct conflict {
  position with;
  const char* did;
};

// Adds an access to a history that it does not conflict with.
std::optional<conflict> add(history& past, const position& me, bool wrote, bool atomic,
                            int subgroup) {
  const bool both_atomic = atomic && past.atomic_writer;
  if (past.writer.lane >= 0 && !both_atomic && !is_ordered(past.writer, me, subgroup))
    return conflict{past.writer, "wrote"};
  if (wrote && !atomic) {
    for (const position& reader : past.readers) {
      if (reader.lane >= 0 && !is_ordered(reader, me, subgroup)) return conflict{reader, "read"};
    }
  }
  if (wrote || atomic) {
    past.writer = me;
    past.atomic_writer = atomic;
    past.readers[0] = past.readers[1] = {};
  } else {
    const bool is_first = past.readers[0].lane < 0 ||
                          (past.readers[0].group == me.group && past.readers[0].lane == me.lane);
    past.readers[is_first ? 0 : 1] = me;
  }
  return std::nullopt;
}

// An access of the lane that runs now.
struct access {
  seam::element_access what;
  index_t index[max_rank];
  std::size_t value;  // where the value that it found is kept
  bool atomic;
};

}  // namespace

struct race_watch::state {
  state* outer;
  std::unordered_map<const void*, history> elements;
  // Of the lane that runs now, since it last met others.
  std::vector<access> accesses;
  std::unordered_map<const void*, std::size_t> known;
  std::vector<std::byte> values;
  // Of each lane of the group.
  std::vector<position> lanes;
  // Of the group, and where the lane that runs now has announced an atomic operation.
  std::unordered_map<const void*, history> scratch;
  const void* atomic_scratch = nullptr;
  int scratch_accesses = 0;

  position& here() {
    const running_group& group = *running_group::current();
    const auto lane = static_cast<std::size_t>(group.fibers->lane());
    if (lanes.size() <= lane) lanes.resize(static_cast<std::size_t>(group.lanes));
    position& p = lanes[lane];
    p.group = group.group;
    p.lane = static_cast<int>(lane);
    return p;
  }
  [[noreturn]] void report_race(const access& a, const position& other, const char* other_did,
                                const position& me, const char* i_did) const;
  void settle(const access& a, const position& me, int subgroup);
  void settle_all();
};

thread_local race_watch::state* race_watch::watching = nullptr;

race_watch::race_watch() : state_(new state{}) {
  state_->outer = watching;
  watching = state_;
  seam::atomic_watch = &on_atomic;
  seam::handover_watch = &on_handover;
}

race_watch::~race_watch() {
  watching = state_->outer;
  if (watching == nullptr) {
    seam::atomic_watch = nullptr;
    seam::handover_watch = nullptr;
  }
  delete state_;
}

void race_watch::on_access(const seam::element_access& what) {
  check_kernel_access(what);
  state& s = *watching;
  const auto [place, is_new] = s.known.try_emplace(what.address, s.accesses.size());
  if (!is_new) return;
  access a{what, {}, s.values.size(), false};
  for (int r = 0; r < what.rank; ++r) a.index[r] = what.index[r];
  const auto* bytes = static_cast<const std::byte*>(reachable(what.address));
  s.values.insert(s.values.end(), bytes, bytes + what.bytes);
  s.accesses.push_back(a);
}

void race_watch::on_atomic(const void* address) {
  state* s = watching;
  if (s == nullptr) return;
  if (const running_group* group = running_group::current();
      group != nullptr && group->scratch_offset(address) >= 0) {
    s->atomic_scratch = address;
    return;
  }
  // Kernels know elements by the other address.
  const auto found = s->known.find(static_cast<const std::byte*>(address) - thread_reach.shift);
  if (found != s->known.end()) s->accesses[found->second].atomic = true;
}

void race_watch::on_handover(const void* data, std::size_t bytes) {
  if (watching == nullptr) return;
  state& s = *watching;
  s.settle_all();
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

void race_watch::on_pause(void*, int) {
  state& s = *watching;
  s.settle_all();
  s.atomic_scratch = nullptr;
}

void race_watch::state::settle_all() {
  const position me = here();
  const int subgroup = running_group::current()->subgroup;
  for (const access& a : accesses) settle(a, me, subgroup);
  accesses.clear();
  known.clear();
  values.clear();
}

void race_watch::on_scratch(const void* address, bool wrote) {
  state& s = *watching;
  const running_group& group = *running_group::current();
  const std::ptrdiff_t byte = group.scratch_offset(address);
  if (byte < 0) return;
  ++s.scratch_accesses;
  // An atomic operation may read first, and ends with what it writes.
  const bool atomic = address == s.atomic_scratch;
  if (wrote || !atomic) s.atomic_scratch = nullptr;
  const position me = s.here();
  const auto found = add(s.scratch[address], me, wrote, atomic, group.subgroup);
  if (!found) return;
  report((detail::text() << "race on byte " << byte << " of the scratch of the group: lane "
                         << found->with.lane << ' ' << found->did << " it, lane " << me.lane << ' '
                         << (wrote ? "writes" : "reads") << " it, with no barrier between")
             .str());
}

void race_watch::on_meeting(bool of_subgroup) {
  state* s = watching;
  if (s == nullptr) return;
  position& me = s->here();
  ++(of_subgroup ? me.exchanges : me.barriers);
}

bool race_watch::watches_scratch() noexcept {
  constexpr int most = 1 << 14;  // sixteen for each lane of the largest group
  return watching != nullptr && watching->scratch_accesses < most;
}

void race_watch::on_group() {
  state* s = watching;
  if (s == nullptr) return;
  s->lanes.clear();
  s->scratch.clear();
}

void race_watch::state::settle(const access& a, const position& me, int subgroup) {
  const void* now = reachable(a.what.address);
  const bool wrote = std::memcmp(now, values.data() + a.value, a.what.bytes) != 0;
  if (const auto found = add(elements[a.what.address], me, wrote, a.atomic, subgroup))
    report_race(a, found->with, found->did, me, wrote ? "wrote" : "read");
}

void race_watch::state::report_race(const access& a, const position& other, const char* other_did,
                                    const position& me, const char* i_did) const {
  const auto who = [](detail::text& out, const position& p, const char* did) {
    out << "lane " << p.lane << " of group " << p.group << ' ' << did << " it";
  };
  detail::text out;
  out << "race on element (";
  for (int r = 0; r < a.what.rank; ++r) out << (r == 0 ? "" : ", ") << a.index[r];
  out << ") of View ";
  if (a.what.record != nullptr) {
    out << '"' << a.what.record->label << '"';
  } else {
    out << '"' << arena::find(a.what.address).label << '"';
  }
  out << ": ";
  who(out, other, other_did);
  out << ", ";
  who(out, me, i_did);
  out << ", and neither a barrier nor an atomic operation lies between";
  report(out.str());
}

}  // namespace hpk::emu
