// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dual_view_state.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace hpk {

namespace {

bool is_one(const char* variable) noexcept {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}
std::atomic<bool>& strictness() noexcept {
  static std::atomic<bool> strict = is_one("HPK_STRICT_DUAL_VIEWS");
  return strict;
}
std::atomic<bool>& checking() noexcept {
  static std::atomic<bool> check = is_one("HPK_CHECK_DUAL_VIEWS");
  return check;
}

constexpr int index(detail::dual_side side) { return static_cast<int>(side); }
constexpr int other(int side) { return 1 - side; }
const char* name_of(int side) { return side == 0 ? "host" : "device"; }

error_message begin_message(const std::string& label) {
  error_message message;
  message << "hpk::DualView \"" << label << "\": ";
  return message;
}

// "<verb> at file:line", or "resized or copied to" if hpk itself modified the side.
void add_place(error_message& message, const char* verb, const std::source_location& where) {
  if (where.line() == 0)
    message << "resized or copied to";
  else
    message << verb << " at " << where.file_name() << ':' << where.line();
}

}  // namespace

bool set_strict_dual_views(bool strict) noexcept { return strictness().exchange(strict); }
bool are_dual_views_strict() noexcept { return strictness().load(); }
bool set_check_dual_views(bool check) noexcept { return checking().exchange(check); }
bool are_dual_views_checked() noexcept { return checking().load(); }

namespace detail {

struct dual_state::guarded {
  std::recursive_mutex mutex;
  std::shared_ptr<const whole_dual_view> whole;
};

dual_state::dual_state() : guarded_(new guarded) {}
dual_state::~dual_state() { delete guarded_; }

void dual_state::lock() const { guarded_->mutex.lock(); }
void dual_state::unlock() const noexcept { guarded_->mutex.unlock(); }

bool dual_state::has_whole(const void* device, const void* host) const {
  const holder hold(*this);
  const whole_dual_view* const whole = guarded_->whole.get();
  return whole != nullptr && whole->data(dual_side::device) == device &&
         whole->data(dual_side::host) == host;
}

void dual_state::set_whole(const whole_dual_view* owned) {
  std::shared_ptr<const whole_dual_view> whole(owned);
  const holder hold(*this);
  guarded_->whole.swap(whole);
}

bool dual_state::copy_whole(dual_side to, const std::source_location& where) const {
  std::shared_ptr<const whole_dual_view> whole;
  {
    const holder hold(*this);
    whole = guarded_->whole;
  }
  return whole->copy(to, where);
}

bool dual_state::is_stale(dual_side side) const {
  const holder hold(*this);
  return newer_ == other(index(side));
}

void dual_state::modify(dual_side side, const std::source_location& where) {
  const int this_side = index(side);
  const int other_side = other(this_side);
  const holder hold(*this);
  if (newer_ == other_side) {
    error_message message = begin_message(label_);
    message << "both sides are modified: the " << name_of(other_side) << " side was ";
    add_place(message, "modified", modified_[other_side]);
    message << ", and now the " << name_of(this_side) << " side is ";
    add_place(message, "modified", where);
    message << "; call sync_" << name_of(this_side)
            << "() in between, or clear_sync_state() to drop "
            << "the changes of the " << name_of(other_side) << " side";
    hpk::raise(std::move(message), where);
  }
  newer_ = this_side;
  modified_[this_side] = where;
}

void dual_state::modify_unknown_side(const std::source_location& where) {
  const holder hold(*this);
  newer_ = unknown_side;
  for (std::source_location& place : modified_) place = where;
}

bool dual_state::begins_sync(dual_side to, const std::source_location& where) {
  const int this_side = index(to);
  const int other_side = other(this_side);
  const holder hold(*this);
  if (newer_ != other_side && newer_ != unknown_side) return false;
  if (newer_ == other_side && open_[other_side].writers != 0) {
    error_message message = begin_message(label_);
    message << "the " << name_of(this_side) << " side can't be synchronised while the "
            << name_of(other_side) << " side is being written by the handle ";
    add_place(message, "opened", open_[other_side].opened);
    message << "; end the life of the handle first";
    hpk::raise(std::move(message), where);
  }
  return true;
}

void dual_state::end_sync(dual_side to, const void* data) {
  {
    const holder hold(*this);
    newer_ = none;
    marks[index(to)].clear();
  }
  Tools::syncDualView(label_, data, to == dual_side::device);
}

void dual_state::clear() {
  const holder hold(*this);
  newer_ = none;
  for (stale_mark& mark : marks) mark.clear();
}

// FNV-1a over words: a change of one word always changes the sum.
std::uint64_t sum_bytes(const void* data, std::size_t bytes) noexcept {
  constexpr std::uint64_t prime = 1099511628211u;
  std::uint64_t sum = 14695981039346656037u;
  const auto* const first = static_cast<const unsigned char*>(data);
  std::size_t k = 0;
  for (; k + 8 <= bytes; k += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, first + k, 8);
    sum = (sum ^ word) * prime;
  }
  for (; k < bytes; ++k) sum = (sum ^ first[k]) * prime;
  return sum;
}

bool dual_state::is_in_sync() const {
  const holder hold(*this);
  return newer_ == none;
}

void dual_state::store_checksums(const dual_checksums& now) {
  const holder hold(*this);
  checksums_ = now;
}

void dual_state::expect_stored_checksums(const dual_checksums& now, dual_side to,
                                         const std::source_location& where) const {
  const holder hold(*this);
  if (!checksums_.known || !now.known || newer_ != none) return;
  if (now.sums[0] == now.sums[1]) return;  // the program copied the elements itself
  for (int side = 0; side != 2; ++side) {
    if (now.sums[side] == checksums_.sums[side]) continue;
    error_message message = begin_message(label_);
    message << "the " << name_of(side) << " side was changed without a call of modify_"
            << name_of(side) << "(), so sync_" << name_of(index(to))
            << "() copies nothing; call modify_" << name_of(side)
            << "() where it is written, or clear_sync_state() if the sides are to differ";
    hpk::raise(std::move(message), where);
  }
}

void dual_state::open(dual_side side, bool writes, const std::source_location& where) {
  const int this_side = index(side);
  const int other_side = other(this_side);
  const holder hold(*this);
  const handles& other_handles = open_[other_side];
  if (other_handles.writers != 0 || (writes && other_handles.readers != 0)) {
    error_message message = begin_message(label_);
    message << "the " << name_of(this_side) << " side can't be opened for "
            << (writes ? "writing" : "reading") << " while the " << name_of(other_side)
            << " side is open for " << (other_handles.writers != 0 ? "writing" : "reading")
            << " by the handle ";
    add_place(message, "opened", other_handles.opened);
    message << "; end the life of the handle first";
    hpk::raise(std::move(message), where);
  }
  ++(writes ? open_[this_side].writers : open_[this_side].readers);
  open_[this_side].opened = where;
}

void dual_state::close(dual_side side, bool writes) noexcept {
  const holder hold(*this);
  handles& opened = open_[index(side)];
  --(writes ? opened.writers : opened.readers);
}

void dual_state::expect_no_writer(const char* call) const {
  const holder hold(*this);
  for (int side = 0; side != 2; ++side) {
    if (open_[side].writers == 0) continue;
    error_message message = begin_message(label_);
    message << call << " while the " << name_of(side) << " side is being written by the handle ";
    add_place(message, "opened", open_[side].opened);
    message << "; end the life of the handle first";
    hpk::raise(std::move(message));
  }
}

void dual_state::reject_const(dual_side to, const std::source_location& where) const {
  const int this_side = index(to);
  error_message message = begin_message(label_);
  {
    const holder hold(*this);
    message << "the " << name_of(this_side) << " side is stale, since the "
            << name_of(other(this_side)) << " side was ";
    add_place(message, "modified", modified_[other(this_side)]);
  }
  message << ", but its elements are const; call sync_" << name_of(this_side)
          << "() of the DualView of non-const elements that this one was made of";
  hpk::raise(std::move(message), where);
}

std::string dual_state::why_stale(dual_side side) const {
  const int this_side = index(side);
  const int other_side = other(this_side);
  error_message message;
  message << "the " << name_of(other_side) << " side of DualView \"" << label_ << "\" was ";
  const holder hold(*this);
  add_place(message, "modified", modified_[other_side]);
  message << "; call sync_" << name_of(this_side)
          << "() first, or clear_sync_state() if every element is to be overwritten";
  return message.str();
}

void reject_sides(const std::string& device, const std::string& host, const char* what,
                  const std::source_location& where) {
  error_message message;
  message << "hpk::DualView: the Views \"" << device << "\" and \"" << host
          << "\" can't be device and host side: " << what;
  hpk::raise(std::move(message), where);
}

shared_dual_state make_dual_state(std::string label) {
  shared_dual_state state(view_alloc("hpk::DualView: state", SequentialHostInit));
  state.data()->name(std::move(label));
  return state;
}

}  // namespace detail
}  // namespace hpk
