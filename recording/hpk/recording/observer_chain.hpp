// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An observer that passes all events on to the next one, so that several work in one run. Internal
// to recording/.
#pragma once

#include <hpk/tools/launch_observer.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace hpk::detail {

/// Makes an object reachable until the program ends, because threads may still call an observer
/// that has ended, and leak checkers must find it. One thread at a time.
template <class T>
T& keep_reachable(T* object) {
  static auto& all = *new std::vector<T*>();
  all.push_back(object);
  return *object;
}

class observer_chain : public launch_observer {
 public:
  std::uint64_t begin(const launch_event& launch) final {
    const std::uint64_t behind = next_ == nullptr ? 0 : next_->begin(launch);
    const std::uint64_t token = ++tokens();
    open().emplace_back(token, behind);
    try {
      launch_begins(launch, token);
    } catch (...) {
      open().pop_back();
      if (behind != 0) next_->end(behind, true);
      throw;
    }
    return token;
  }
  void end(std::uint64_t token, bool failed) final {
    launch_ends(token, failed);
    if (open().empty()) return;
    const std::uint64_t behind = open().back().second;
    open().pop_back();
    if (next_ != nullptr && behind != 0) next_->end(behind, failed);
  }
  void stored(const seam::view_facts& result) final {
    result_stored(result);
    if (next_ != nullptr) next_->stored(result);
  }
  void wrote(const seam::launch_info& info, bool is_fill, const seam::view_facts& to) final {
    other_event();
    if (next_ != nullptr) next_->wrote(info, is_fill, to);
  }
  void begin_region(std::string_view name) final {
    if (next_ != nullptr) next_->begin_region(name);
  }
  void end_region() final {
    if (next_ != nullptr) next_->end_region();
  }

 protected:
  explicit observer_chain(launch_observer* next) : next_(next) {}
  ~observer_chain() = default;

 private:
  /// `token` identifies the launch within this thread until it ends.
  virtual void launch_begins(const launch_event& launch, std::uint64_t token) = 0;
  virtual void launch_ends(std::uint64_t token, bool failed) = 0;
  virtual void result_stored(const seam::view_facts& result) = 0;
  /// Called for a copy or a fill, which counts as a launch.
  virtual void other_event() {}

  // The last token of this thread.
  static std::uint64_t& tokens() {
    static thread_local std::uint64_t last = 0;
    return last;
  }
  static std::vector<std::pair<std::uint64_t, std::uint64_t>>& open() {
    static thread_local std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    return all;
  }

  launch_observer* const next_;
};

}  // namespace hpk::detail
