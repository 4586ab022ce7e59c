// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/parallel.hpp>
#include <hpk/recording/launch_capture.hpp>
#include <hpk/recording/launch_replay.hpp>
#include <hpk/recording/observer_chain.hpp>
#include <hpk/recording/program_image.hpp>
#include <hpk/recording/remade_kernel.hpp>
#include <hpk/recording/view_content.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hpk::detail {

namespace {

using seam::view_facts;

// Makes the host space of this name run the launches of all host spaces.
void redirect_launches(const std::string& space) {
  bool found = false;
  std::string known;
  for_each_type(enabled_spaces{}, [&](auto type) {
    using exec = typename decltype(type)::type;
    using machine = seam::machine<exec>;
    if constexpr (requires(machine& m) { m.take_all_launches(); }) {
      known += (known.empty() ? "" : ", ") + std::string(exec::name());
      if (exec::name() != space) return;
      found = true;
      exec().instance().take_all_launches();
    }
  });
  if (!found) {
    reject_replay(
        (text() << "no host space is called '" << space << "'; write space= with one of " << known)
            .str());
  }
}

std::string indices_of(index_t number, const captured_view& view) {
  if (view.rank == 0) return {};
  index_t index[seam::largest_rank] = {};
  for (int r = view.rank - 1; r >= 0; --r) {
    index[r] = number % view.extents[r];
    number /= view.extents[r];
  }
  text out;
  out << " at (";
  for (int r = 0; r < view.rank; ++r) out << (r == 0 ? "" : ", ") << index[r];
  out << ')';
  return out.str();
}

std::string hexadecimal(const std::byte* data, std::size_t bytes) {
  std::string out = "0x";
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t k = bytes; k-- > 0;) {
    out += digits[static_cast<unsigned>(data[k]) >> 4];
    out += digits[static_cast<unsigned>(data[k]) & 15];
  }
  return out;
}
// Formats a value: numbers as numbers, other types as bytes.
std::string shown_value(const std::byte* data, const captured_view& view) {
  const auto number = [&]<class T>(T value) {
    std::memcpy(&value, data, sizeof value);
    char digits[64];
    const auto done = std::to_chars(digits, digits + sizeof digits, value);
    return std::string(digits, done.ptr);
  };
  if (view.element == "f64") return number(double{});
  if (view.element == "f32") return number(float{});
  if (view.element == "i32") return number(std::int32_t{});
  if (view.element == "u32") return number(std::uint32_t{});
  if (view.element == "i64") return number(std::int64_t{});
  if (view.element == "u64") return number(std::uint64_t{});
  return hexadecimal(data, view.element_bytes);
}

// Returns the name of View number k of a kernel. Views of memory that hpk doesn't own have no
// label.
std::string name_of_view(const std::string& label, std::size_t k) {
  return label.empty() ? (text() << "View number " << k + 1).str() : "View \"" + label + '"';
}

// Prints how a View or a result differs from the capture. Returns whether it differs.
bool print_difference(const captured_view& captured, const std::string& what,
                      const std::vector<std::byte>& now) {
  if (captured.after == now) return false;
  const auto size = static_cast<std::size_t>(captured.element_bytes);
  if (captured.after.size() != now.size()) {
    std::printf("  %s has %zu bytes, %zu when it was captured\n", what.c_str(), now.size(),
                captured.after.size());
    return true;
  }
  std::size_t first = now.size();
  std::size_t count = 0;
  for (std::size_t at = 0; at != now.size(); at += size) {
    if (std::memcmp(now.data() + at, captured.after.data() + at, size) == 0) continue;
    ++count;
    first = std::min(first, at);
  }
  std::printf("  %s: %zu of %zu elements differ, first%s: %s, captured %s\n", what.c_str(), count,
              now.size() / size, indices_of(static_cast<index_t>(first / size), captured).c_str(),
              shown_value(now.data() + first, captured).c_str(),
              shown_value(captured.after.data() + first, captured).c_str());
  if (captured.is_padded)
    std::printf("  (they may have padding bytes; if those alone differ, it means nothing)\n");
  return true;
}

class launch_replay;
launch_replay* current_replay = nullptr;
void (*end_other_tools)() = nullptr;

// Ends the program without destroying static objects, because other threads may still run.
[[noreturn]] void end_program(int status) {
  current_replay = nullptr;
  end_other_tools();
  std::fflush(nullptr);
  std::_Exit(status);
}

class launch_replay final : public observer_chain {
 public:
  launch_replay(replay_request request, captured_launch launch, launch_observer* next)
      : observer_chain(next), request_(std::move(request)), launch_(std::move(launch)) {}

  bool is_alone() const { return !request_.in_place; }

  /// Runs the launch alone. Returns whether it wrote the captured results.
  bool run() {
    is_running_ = true;
    {
      const std::lock_guard lock(guard_);
      owner_ = std::this_thread::get_id();
    }
    const program_image image;
    const auto function = [&]<class F>(const captured_address& at, F) {
      return reinterpret_cast<F>(
          static_cast<std::uintptr_t>(image.address_of(at.module, at.place)));
    };
    const auto inspect = function(launch_.inspect, launched_kernel{});
    const auto replay =
        function(launch_.replay, static_cast<void (*)(const seam::launch_replay&)>(nullptr));
    if (!request_.space.empty()) redirect_launches(request_.space);
    const seam::launch_info info{.pattern = launch_.pattern, .label = launch_.label, .where = {}};
    remade_kernel kernel(launch_, inspect);
    kernel.allocate();
    double shortest = 0;
    for (std::uint64_t k = 0; k != request_.times; ++k) {
      kernel.restore();
      results_.clear();
      const auto begin = std::chrono::steady_clock::now();
      replay({info, launch_.policy, kernel.address()});
      // The launch is done, because its observer has waited for it.
      const double seconds =
          elapsed_ > 0
              ? elapsed_
              : std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      shortest = k == 0 ? seconds : std::min(shortest, seconds);
    }
    if (request_.times > 1)
      std::printf("%s: %.3g us, the shortest of %llu\n", name_of(launch_).c_str(), shortest * 1e6,
                  static_cast<unsigned long long>(request_.times));
    return compare(kernel.views());
  }

  /// Whether the launch has thrown an exception that is still propagating.
  bool is_failing() const { return failed_ && std::uncaught_exceptions() > 0; }
  void missed() const {
    if (failed_) return;
    std::fprintf(stderr,
                 token_ != 0 ? "hpk: HPK_REPLAY: the program ended before it had all results of "
                               "%s; nothing was compared\n"
                             : "hpk: HPK_REPLAY: the program ended before %s; nothing was "
                               "replayed\n",
                 name_of(launch_).c_str());
  }

 private:
  void launch_begins(const launch_event& launch, std::uint64_t token) override {
    if (is_alone()) {
      if (!is_running_.exchange(true)) run_replay();
      if (is_replaying_thread()) begun_ = std::chrono::steady_clock::now();
      return;
    }
    if (!launch.info.pattern.starts_with("parallel_")) return;
    const launched_types types = launch.kernel_types({}, nullptr);
    // Counted as HPK_CAPTURE counts.
    const auto name = launch.info.label.empty() ? types.functor : launch.info.label;
    if (name != (launch_.label.empty() ? launch_.function_type : launch_.label)) return;
    {
      const std::lock_guard lock(guard_);
      if (++count_ != launch_.nth) return;
      owner_ = std::this_thread::get_id();
    }
    try {
      prepare(launch);
    } catch (const std::exception& wrong) {
      // If the program caught this exception, it could end as if the bits were the same.
      std::fprintf(stderr, "hpk: %s\n", wrong.what());
      end_program(2);
    }
    token_ = token;
    results_.clear();
    begun_ = std::chrono::steady_clock::now();
  }

  // Sets the Views of this launch to the captured elements. Throws hpk::error if it is another
  // launch than the captured one.
  void prepare(const launch_event& launch) {
    if (launch.info.pattern != launch_.pattern) {
      reject_replay((text() << name_of(launch_) << " is a " << launch.info.pattern << ", a "
                            << launch_.pattern << " when it was captured")
                        .str());
    }
    const kernel_snapshot seen(launch.kernel_types, launch.objects);
    views_.clear();
    for (const seen_view& view : seen.views) {
      if (view.facts.data != nullptr && view_content::is_readable(view.facts))
        views_.push_back(view);
    }
    for (const captured_view& view : launch_.views) {
      if (view.is_pointer) views_.push_back(pointed_to(view, seen));
    }
    check_in_place(seen);
    if (!request_.space.empty()) redirect_launches(request_.space);
    set_elements();
  }

  void launch_ends(std::uint64_t token, bool failed) override {
    if (!is_replaying_thread()) return;
    if (is_alone()) {
      const auto now = std::chrono::steady_clock::now();
      elapsed_ = std::chrono::duration<double>(now - begun_).count();
      return;
    }
    if (token != token_) return;
    if (failed) {
      std::fprintf(stderr, "hpk: HPK_REPLAY: %s fails with an exception; nothing was compared\n",
                   name_of(launch_).c_str());
      failed_ = true;
      token_ = 0;
      return;
    }
    if (launch_.results.empty()) finish_in_place();
  }

  void result_stored(const seam::view_facts& result) override {
    if (!is_replaying_thread() || !view_content::is_readable(result)) return;
    results_.push_back(capture_elements(result));
    if (!is_alone() && token_ != 0 && results_.size() == launch_.results.size()) finish_in_place();
  }

  // Whether this thread runs the replay, or made the launch that is replayed in place.
  bool is_replaying_thread() {
    const std::lock_guard lock(guard_);
    return owner_ == std::this_thread::get_id();
  }

  [[noreturn]] void finish_in_place() {
    token_ = 0;
    const bool same = compare(views_);
    end_program(same ? 0 : 1);
  }

  // Returns the memory that a pointer in the kernel of this program refers to.
  seen_view pointed_to(const captured_view& view, const kernel_snapshot& seen) const {
    const auto at = static_cast<std::size_t>(view.offset);
    if (at + 8 <= seen.bytes.size()) {
      const seen_view found = memory_of(view, seen.bytes.data());
      seam::allocation_place place;
      if (seam::find_allocation(found.facts.data, place) && place.offset == 0 &&
          place.bytes == static_cast<std::size_t>(view.extents[0]))
        return found;
    }
    reject_replay((text() << "the pointer at byte " << at << " of the kernel of "
                          << name_of(launch_)
                          << " refers to other memory than when it was captured")
                      .str());
  }

  // Checks that the Views of this launch have the captured shapes and element sizes.
  void check_in_place(const kernel_snapshot& seen) const {
    if (seen.policy.count != launch_.policy.count ||
        !std::equal(seen.policy.values, seen.policy.values + seen.policy.count,
                    launch_.policy.values))
      std::fprintf(stderr, "hpk: HPK_REPLAY: the policy of %s differs from the captured one\n",
                   name_of(launch_).c_str());
    if (views_.size() != launch_.views.size()) {
      reject_replay((text() << name_of(launch_) << " captures " << views_.size() << " Views, "
                            << launch_.views.size() << " when it was captured")
                        .str());
    }
    for (std::size_t k = 0; k != views_.size(); ++k) {
      const view_facts& now = views_[k].facts;
      const captured_view& then = launch_.views[k];
      const bool same_shape =
          now.rank == then.rank && std::equal(now.extents, now.extents + now.rank, then.extents);
      if (same_shape && now.type->element.bytes == then.element_bytes) continue;
      reject_replay((text() << name_of_view(label_of(now), k) << " of " << name_of(launch_)
                            << " has elements " << now.type->element.name << " and shape "
                            << name_of_shape(now) << "; when it was captured, elements "
                            << then.type << " and another shape")
                        .str());
    }
  }

  // Sets the Views of this program to the captured elements.
  void set_elements() const {
    const program_image image;
    for (std::size_t k = 0; k != views_.size(); ++k) {
      const view_facts& view = views_[k].facts;
      const std::vector<std::byte>& wanted = launch_.views[k].before;
      const std::size_t bytes = static_cast<std::size_t>(view.span) * view.type->element.bytes;
      if (view_content(view).has(wanted)) continue;
      if (view.type->on_host && !image.is_writable(view.data, bytes)) {
        reject_replay((text() << name_of_view(label_of(view), k) << " of " << name_of(launch_)
                              << " has other elements than when it was captured, in memory that "
                                 "can't be written")
                          .str());
      }
      view_content::write(view, wanted);
    }
  }

  bool compare(const std::vector<seen_view>& views) const {
    std::size_t count = 0;
    bool differs = false;
    text head;
    head << "replayed " << name_of(launch_) << " (" << launch_.pattern;
    if (!request_.space.empty()) head << ", on " << request_.space;
    head << ", captured on " << launch_.space << " with " << launch_.workers
         << (launch_.workers == 1 ? " worker)" : " workers)");
    std::printf("%s\n", head.str().c_str());
    for (std::size_t k = 0; k != views.size(); ++k) {
      if (launch_.views[k].is_const) continue;
      ++count;
      differs = print_difference(launch_.views[k], name_of_view(launch_.views[k].label, k),
                                 capture_elements(views[k].facts)) ||
                differs;
    }
    for (std::size_t k = 0; k != launch_.results.size(); ++k) {
      if (k < results_.size()) {
        const std::string& label = launch_.results[k].label;
        differs =
            print_difference(launch_.results[k],
                             label.empty() ? "the result" : "View \"" + label + '"', results_[k]) ||
            differs;
      } else {
        std::printf("  result %zu was not stored\n", k + 1);
        differs = true;
      }
    }
    if (!differs) {
      std::printf("  the same bits: %zu View%s, %zu result%s\n", count, count == 1 ? "" : "s",
                  launch_.results.size(), launch_.results.size() == 1 ? "" : "s");
    }
    std::fflush(stdout);
    return !differs;
  }

  const replay_request request_;
  const captured_launch launch_;
  std::atomic<bool> is_running_ = false;
  std::mutex guard_;
  std::uint64_t count_ = 0;
  std::thread::id owner_;
  std::uint64_t token_ = 0;
  bool failed_ = false;
  double elapsed_ = 0;
  std::chrono::steady_clock::time_point begun_{};
  std::vector<seen_view> views_;
  std::vector<std::vector<std::byte>> results_;
};

// Returns why this program can't run the launch alone; empty if it can.
std::string why_not_alone(const captured_launch& launch) {
  const auto refused = [&](const std::string& why) {
    return name_of(launch) + why +
           " write HPK_REPLAY=file,in-place, which runs the program up to the launch";
  };
  if (!launch.runs_alone) return refused(" can't run alone: " + launch.reason + ';');
  const program_image image;
  for (const captured_module& module : launch.modules) {
    const std::string build = image.build_of(module.path);
    if (build.empty())
      return refused(" needs '" + module.path +
                     "', which is not loaded when the program begins, or can't be read;");
    if (build != module.build)
      return refused((module.path.empty()
                          ? std::string(" was captured by another build of this program")
                          : " was captured with another build of '" + module.path + '\'') +
                     " (compiler " + launch.compiler + "); capture it again, or");
  }
  return {};
}

}  // namespace

bool read_replay_request(std::string_view text, replay_request& into) {
  into = {};
  into.path = text.substr(0, text.find(','));
  while (text.find(',') != text.npos) {
    text.remove_prefix(text.find(',') + 1);
    const std::string_view word = text.substr(0, text.find(','));
    if (word == "in-place") {
      into.in_place = true;
    } else if (word.starts_with("space=") && word.size() > 6) {
      into.space = word.substr(6);
    } else if (word.starts_with("times=")) {
      const auto [end, fault] =
          std::from_chars(word.data() + 6, word.data() + word.size(), into.times);
      if (fault != std::errc() || end != word.data() + word.size() || into.times == 0) return false;
    } else {
      return false;
    }
  }
  return !into.path.empty();
}

launch_observer& make_replay(const replay_request& request, launch_observer* next,
                             void (*end_tools)()) {
  captured_launch launch = read_capture(request.path);
  if (!request.in_place) {
    const std::string fault = why_not_alone(launch);
    if (!fault.empty()) reject_replay(fault);
  }
  end_other_tools = end_tools;
  current_replay = &keep_reachable(new launch_replay(request, std::move(launch), next));
  return *current_replay;
}

void run_replay() {
  launch_replay* const replay = current_replay;
  if (replay == nullptr || !replay->is_alone()) return;
  int status = 2;
  try {
    status = replay->run() ? 0 : 1;
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "hpk: HPK_REPLAY: the launch failed: %s\n", wrong.what());
  }
  end_program(status);
}

bool end_replay() {
  launch_replay* const replay = std::exchange(current_replay, nullptr);
  if (replay == nullptr || replay->is_failing()) return true;
  replay->missed();
  return false;
}

}  // namespace hpk::detail
