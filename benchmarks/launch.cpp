// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch latency: a parallel_for with an empty body, compared with a bare parallel loop (Serial: a
// plain loop) with the same body; on two workers of Threads also compared with one question and
// answer between two threads of this machine. On Serial also with tools that listen.
#include <hpk/profiling.hpp>

#include "pair.hpp"
#include "topics.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace bench {

namespace {

// Prevents the compiler from removing the loop.
inline void stay(int i) { asm volatile("" : : "r"(i) : "memory"); }

void bare_loop(int n) {
  for (int i = 0; i < n; ++i) stay(i);
}

void bare_parallel_loop(int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) stay(i);
}

// The other side of a kernel that runs n iterations of a policy.
template <class Space>
void bare(int n) {
  if constexpr (is_serial<Space>) {
    bare_loop(n);
  } else {
    bare_parallel_loop(n);
  }
}

template <class Space>
void compare(comparison& pair, int n) {
  const auto kernel = [](int i) { stay(i); };
  pair.time([&] { hpk::parallel_for("empty", hpk::RangePolicy<Space>(0, n), kernel); },
            [&] { bare<Space>(n); });
}

// Never runs inline: measures waking the workers and waiting for them.
template <class Space>
void compare_on_workers(comparison& pair, int n) {
  using heavy = hpk::Experimental::WorkItemProperty::HintHeavyWeight_t;
  const auto kernel = [](int i) { stay(i); };
  pair.time([&] { hpk::parallel_for("empty", hpk::RangePolicy<Space, heavy>(0, n), kernel); },
            [&] { bare<Space>(n); });
}

// A thread that answers each question by writing one word. Both sides spin, so an answer takes as
// long as two transfers of a cache line between two CPUs.
class ping_pong_peer {
 public:
  ping_pong_peer() : thread_([this] { serve(); }) {}
  ~ping_pong_peer() {
    asked_.exchange(end);
    asked_.notify_one();
    thread_.join();
  }
  ping_pong_peer(const ping_pong_peer&) = delete;
  ping_pong_peer& operator=(const ping_pong_peer&) = delete;

  void ask() {
    question_ = question_ % (end - 1) + 1;
    asked_.exchange(question_, std::memory_order_acq_rel);
    asked_.notify_one();
    while (answered_.load(std::memory_order_acquire) != question_) relax();
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr unsigned end = ~0u;
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  bool hears_now(unsigned heard) const {
    for (int round = 0; round < 100; ++round) {
      if (asked_.load(std::memory_order_acquire) != heard) return true;
      relax();
    }
    return false;
  }
  // Yields its CPU to the other side of the pair soon after the last question.
  bool hears_soon(unsigned heard) const {
    if (hears_now(heard)) return true;
    for (const auto last = clock::now() + std::chrono::milliseconds(2); clock::now() < last;) {
      if (hears_now(heard)) return true;
    }
    return false;
  }
  void serve() {
    for (unsigned heard = 0; heard != end;) {
      if (!hears_soon(heard)) asked_.wait(heard, std::memory_order_acquire);
      heard = asked_.load(std::memory_order_acquire);
      answered_.store(heard, std::memory_order_release);
    }
  }

  alignas(64) std::atomic<unsigned> asked_{0};
  alignas(64) std::atomic<unsigned> answered_{0};
  alignas(64) unsigned question_ = 0;
  std::thread thread_;
};

template <class Space>
void compare_with_round_trip(comparison& pair) {
  using heavy = hpk::Experimental::WorkItemProperty::HintHeavyWeight_t;
  const auto kernel = [](int i) { stay(i); };
  const Space two(2);
  ping_pong_peer other;
  pair.time([&] { hpk::parallel_for("empty", hpk::RangePolicy<Space, heavy>(two, 0, 2), kernel); },
            [&] { other.ask(); });
}

template <class Space>
void compare_mdranges(comparison& pair, int n) {
  using policy = hpk::MDRangePolicy<Space, hpk::Rank<2>>;
  const auto kernel = [](int i, int j) { stay(i + j); };
  pair.time([&] { hpk::parallel_for("empty", policy({0, 0}, {1, n}), kernel); },
            [&] { bare<Space>(n); });
}

template <class Space>
void compare_teams(comparison& pair, int n) {
  using policy = hpk::TeamPolicy<Space>;
  const auto kernel = [](const typename policy::member_type& team) { stay(team.league_rank()); };
  pair.time([&] { hpk::parallel_for("empty", policy(n, hpk::AUTO), kernel); },
            [&] { bare<Space>(n); });
}

// A tool with empty callbacks.
class idle_tool {
 public:
  idle_tool() {
    listen([](const char*, std::uint32_t, std::uint64_t*) {}, [](std::uint64_t) {});
  }
  ~idle_tool() { listen(nullptr, nullptr); }
  idle_tool(const idle_tool&) = delete;
  idle_tool& operator=(const idle_tool&) = delete;

 private:
  static void listen(hpk::Tools::Experimental::beginFunction begin,
                     hpk::Tools::Experimental::endFunction end) {
    hpk::Tools::Experimental::set_begin_parallel_for_callback(begin);
    hpk::Tools::Experimental::set_end_parallel_for_callback(end);
  }
};

// The other side is the kernel without tools.
template <class Space>
void add_tools() {
  add("launch", Space::name(), "no tool", 1, [](comparison& pair) { compare<Space>(pair, 1); });
  add("launch", Space::name(), "with a callback", 1, [](comparison& pair) {
    const idle_tool listens;
    compare<Space>(pair, 1);
  });
  add("launch", Space::name(), "with the summary", 1, [](comparison& pair) {
    const hpk::ScopeGuard profile(hpk::InitializationSettings().set_profile("summary=/dev/null"));
    compare<Space>(pair, 1);
  });
}

// Constructs a policy, or just its bounds.
template <class Policy, class... Args>
void compare_policies(comparison& pair, Args... args) {
  const auto keep = [](const auto& made) { asm volatile("" : : "r"(&made) : "memory"); };
  pair.time(
      [&] {
        stay(1);
        keep(Policy(args...));
      },
      [&] {
        const std::common_type_t<Args...> bounds[] = {args...};
        stay(1);
        keep(bounds);
      });
}

}  // namespace

void add_launch() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const int n : {0, 1, 2, 100, 1000})
      add("launch", type::name(), "empty", n, [n](comparison& pair) { compare<type>(pair, n); });
    for (const int n : {2, 1000}) {
      add("launch", type::name(), "on workers", n,
          [n](comparison& pair) { compare_on_workers<type>(pair, n); });
    }
    if constexpr (std::string_view(type::name()) == "Threads") {
      add("launch", type::name(), "round trip", 2,
          [](comparison& pair) { compare_with_round_trip<type>(pair); });
    }
    for (const int n : {1, 100}) {
      add("launch", type::name(), "mdrange", n,
          [n](comparison& pair) { compare_mdranges<type>(pair, n); });
      add("launch", type::name(), "teams", n,
          [n](comparison& pair) { compare_teams<type>(pair, n); });
    }
    add("launch", type::name(), "range policy", 1,
        [](comparison& pair) { compare_policies<hpk::RangePolicy<type>>(pair, 0, 1); });
    add("launch", type::name(), "team policy", 1,
        [](comparison& pair) { compare_policies<hpk::TeamPolicy<type>>(pair, 1, 1); });
    if constexpr (is_serial<type>) add_tools<type>();
  });
}

}  // namespace bench
