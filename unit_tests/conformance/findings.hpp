// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared code of the steps: the lists of broken laws and of untested features, memory of the space
// under test, and the launch_info of the launches. It uses no test framework, so that a new
// backend, or one outside of this repository, can run the ladder from a plain main().
#pragma once

#include <hpk/core.hpp>

#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk_conformance {

using hpk::index_t;

/// Collects broken laws, each once per line of the ladder, and untested features.
class findings {
 public:
  /// Records the law with its place unless it holds.
  void expect(bool holds, std::string_view law,
              const std::source_location& where = std::source_location::current()) {
    ++checks_;
    if (holds) return;
    std::string text(where.file_name());
    text.erase(0, text.rfind('/') + 1);
    text += ":" + std::to_string(where.line()) + ": ";
    text += law;
    note(list_, std::move(text));
  }
  /// Records that the step does not test `what` on this space, and why.
  void leave_out(std::string_view what, std::string_view why) {
    note(left_out_, std::string(what) + ": " + std::string(why));
  }
  /// Returns the broken laws.
  const std::vector<std::string>& list() const { return list_; }
  /// Returns the untested features.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// Returns the number of calls of expect().
  int checks() const { return checks_; }

 private:
  static void note(std::vector<std::string>& notes, std::string text) {
    for (const std::string& known : notes) {
      if (known == text) return;
    }
    notes.push_back(std::move(text));
  }
  std::vector<std::string> list_;
  std::vector<std::string> left_out_;
  int checks_ = 0;
};

template <class Exec>
using machine_of = hpk::seam::machine<Exec>;
template <class Exec>
using lane_of = typename machine_of<Exec>::lane;
template <class Exec>
using memory_of = hpk::seam::memory<typename Exec::memory_space>;

/// Returns the launch_info of the ladder's launches.
inline hpk::seam::launch_info ladder_info(
    const std::source_location& where = std::source_location::current()) {
  return {.pattern = "ladder", .label = "conformance", .where = where};
}

/// n elements in the space's memory. All bytes are 0xee at first; host() returns a copy.
template <class T, class Exec>
class buffer {
 public:
  buffer(const Exec& exec, std::size_t n)
      : exec_(exec),
        n_(n),
        data_(static_cast<T*>(memory_of<Exec>::allocate(n * sizeof(T) + 1, alignof(T)))) {
    if (data_ == nullptr) throw hpk::BadAlloc("conformance: the memory space gave no memory");
    exec_.instance().fill(data_, 0xee, n * sizeof(T));
  }
  ~buffer() {
    exec_.instance().fence();
    memory_of<Exec>::deallocate(data_, n_ * sizeof(T) + 1, alignof(T));
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  T* data() const { return data_; }
  /// Returns the elements after all work of the instance.
  std::vector<T> host() const {
    std::vector<T> copy(n_);
    exec_.instance().copy(copy.data(), data_, n_ * sizeof(T));
    exec_.instance().fence();
    return copy;
  }
  void set(const std::vector<T>& values) const {
    exec_.instance().copy(data_, values.data(), values.size() * sizeof(T));
    exec_.instance().fence();
  }

 private:
  Exec exec_;
  std::size_t n_;
  T* data_;
};

/// Returns the number of elements of a list that differ from `value`.
template <class T>
std::size_t count_other(const std::vector<T>& values, const T& value) {
  std::size_t others = 0;
  for (const T& v : values) others += v == value ? 0 : 1;
  return others;
}

/// Whether a space has instances other than the default one.
template <class Exec>
inline constexpr bool has_instances =
    std::is_constructible_v<Exec, int> || std::is_constructible_v<Exec, hpk::NewInstance>;

/// Returns an instance other than exec if the space has several, else a copy of exec.
template <class Exec>
Exec another_instance(const Exec& exec) {
  if constexpr (std::is_constructible_v<Exec, int>) {
    return Exec(3);
  } else if constexpr (std::is_constructible_v<Exec, hpk::NewInstance>) {
    return Exec(hpk::NewInstance{});
  } else {
    return exec;
  }
}

/// Returns the group widths to test on a machine.
template <class Exec>
std::vector<int> group_widths(const Exec& exec) {
  const auto properties = exec.instance().properties();
  std::vector<int> widths = {1};
  if (properties.preferred_lanes > 1) widths.push_back(properties.preferred_lanes);
  if (properties.largest_lanes > widths.back()) widths.push_back(properties.largest_lanes);
  return widths;
}

}  // namespace hpk_conformance
