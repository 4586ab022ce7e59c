// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/fibers/context.hpp>
#include <hpk/backends/fibers/fiber.hpp>
#include <hpk/backends/fibers/guarded_stacks.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

extern "C" {
void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t bytes);
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* bytes);
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);
}

// Part of the C++ ABI and present in every runtime, but not declared in the header of libc++.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1

namespace hpk::fibers {

namespace {

constexpr bool asan = HPK_HAS_ADDRESS_SANITIZER != 0;
constexpr bool tsan = HPK_HAS_THREAD_SANITIZER != 0;
// Flag of __tsan_switch_to_fiber: the switch establishes no happens-before order.
constexpr unsigned no_sync = 1;

// Reserved addresses; pages are committed when a lane touches them. Sanitizers enlarge frames and
// print their reports on the current stack.
constexpr std::size_t stack_bytes = std::size_t{asan || tsan ? 512 : 256} << 10;
constexpr std::size_t stacks_per_map = 32;

void acquire([[maybe_unused]] void* address) {
  if constexpr (tsan) __tsan_acquire(address);
}
void release([[maybe_unused]] void* address) {
  if constexpr (tsan) __tsan_release(address);
}

// The per-thread state of exceptions being handled in the Itanium C++ ABI (__cxa_eh_globals).
struct exception_state {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

// Thrown through a paused lane when its group stops.
struct group_stopped {};

// Where a lane waits: not at all; at the barrier; at a barrier of another kind than the lanes
// before it; or, if positive, for its aligned block of that many lanes.
enum : int { not_waiting = 0, at_barrier = -1, at_another = -2 };

// A stack and the lane on it. The lanes of a group are stored in the order in which they run.
struct alignas(64) fiber {
  context resume_at = nullptr;
  std::byte* stack = nullptr;
  exception_state exceptions;
  int lane = 0;
  int waits = not_waiting;
  // AddressSanitizer's fake stack, which holds the lane's variables. The next lane on this stack
  // reuses it because creating one takes many system calls. It can't be destroyed afterwards, so it
  // lives as long as the process.
  void* asan_stack = nullptr;
  void* tsan_fiber = nullptr;
};

// A synchronisation point of lanes. It alternates between two addresses: with a single one
// ThreadSanitizer would consider what a lane does after one synchronisation ordered by the next.
struct rendezvous {
  int waiting = 0;
  int lanes = 0;  // number of lanes that must arrive
  bool open = false;
  bool parity = false;
  const void* kind = nullptr;  // kind that the first lane passed
  char addresses[2] = {};
  rendezvous* next = nullptr;  // in the list of synchronisation points at which lanes wait
};

}  // namespace

constinit thread_local fiber_group* fiber_group::current_ = nullptr;

struct fiber_group::engine final : stack_owner {
  explicit engine(fiber_group& group) : group_(group) {}
  ~engine();
  fiber_result run(const fiber_plan& plan);
  void pause(int where, const void* kind = nullptr, void (*work)(void*) = nullptr,
             void* context = nullptr);
  int subgroup() const { return plan_->subgroup; }
  const std::byte* running_stack(lane_place& place) const noexcept override;
  HPK_NO_TSAN void publish(const void* value) {
    published_[static_cast<std::size_t>(running_->lane)] = value;
  }
  HPK_NO_TSAN const void* peek(int lane) const {
    return published_[static_cast<std::size_t>(lane)];
  }

 private:
  // These run on the caller's stack.
  void prepare(const fiber_plan& plan);
  void start(fiber& f);
  void map_stacks();
  bool open_rendezvous();
  void resume(fiber& f);
  fiber_result make_result();

  // These run on the stack that is about to be suspended.
  fiber* next_ready_fiber();
  void make_running(fiber& f);
  // Prefetches the stack of the fibre that runs next: with many lanes no near cache holds it.
  static void fetch([[maybe_unused]] const fiber& f) {
    for (int line = 0; line < 5; ++line)
      HPK_PREFETCH(static_cast<const std::byte*>(f.resume_at) + 64 * line);
  }

  // Stores the context of the suspended stack at the address that the switch passed as its message.
  HPK_NO_TSAN static void store_context(const transfer& from) {
    *static_cast<context*>(from.data) = from.fctx;
  }

  // These run on a fibre.
  static void enter(transfer from);
  void run_lanes() noexcept;
  void suspend();
  void arrive(const transfer& from);
  void throw_if_stopped() const {
    // A destructor that waits for other lanes during unwinding continues without them.
    if (unwinding_ && std::uncaught_exceptions() == 0) throw group_stopped{};
  }

  bool has_more_lanes() const { return next_ < plan_->lanes && failed_lane_ < 0; }
  int next_lane() const { return plan_->order != nullptr ? plan_->order[next_] : next_; }
  // Blocks are the nodes of a binary tree over the lanes: node 1 is the root, nodes 2n and 2n + 1
  // are the children of n.
  rendezvous& place(const fiber& f) {
    if (f.waits == at_barrier) return barrier_;
    if (f.waits == at_another) return another_;
    const int node = (leaves_ + f.lane) >> std::countr_zero(static_cast<unsigned>(f.waits));
    return blocks_[static_cast<std::size_t>(node)];
  }
  // The number of lanes that synchronise where f waits.
  int lanes_at_place(const fiber& f) const {
    if (f.waits == at_barrier) return plan_->lanes;
    return std::min(plan_->lanes - f.lane / f.waits * f.waits, f.waits);
  }

  fiber_group& group_;
  const fiber_plan* plan_ = nullptr;  // null between runs
  int leaves_ = 1;
  int next_ = 0;  // number of lanes started
  int finished_ = 0;
  bool unwinding_ = false;
  int failed_lane_ = -1;
  std::exception_ptr failure_;
  rendezvous barrier_;
  rendezvous another_;  // lanes at a barrier of another kind; never opens
  std::vector<rendezvous> blocks_;
  rendezvous* places_ = nullptr;        // the synchronisation points at which lanes wait
  std::vector<const void*> published_;  // by lane

  std::vector<fiber> fibers_;
  std::size_t used_ = 0;  // number of fibres with a lane
  fiber* running_ = nullptr;
  // Lanes continue in phases. Within a phase each fibre switches to the next one that may continue,
  // because a switch back to run() in between would take twice as long.
  std::size_t next_at_ = 0;                // the next fibre to examine
  std::size_t phase_end_ = 0;              // after the last fibre of this phase; 0 outside phases
  exception_state* exceptions_ = nullptr;  // exception state of this thread
  std::vector<guarded_stacks> maps_;

  context caller_ = nullptr;
  const void* caller_stack_ = nullptr;
  std::size_t caller_stack_bytes_ = 0;
  void* caller_tsan_ = nullptr;
  char begin_ = 0, end_ = 0;  // addresses by which TSan orders run() around its lanes
};

fiber_group::engine::~engine() {
  for ([[maybe_unused]] const fiber& f : fibers_) {
    if constexpr (tsan) {
      if (f.tsan_fiber != nullptr) __tsan_destroy_fiber(f.tsan_fiber);
    }
  }
  // The frames of enter(), which never returns, are still poisoned; the next owner of this memory
  // must not inherit that.
  for ([[maybe_unused]] const guarded_stacks& stacks : maps_) {
    if constexpr (asan) __asan_unpoison_memory_region(stacks.begin(), stacks.size());
  }
}

HPK_NO_TSAN fiber_result fiber_group::engine::run(const fiber_plan& plan) {
  prepare(plan);
  exceptions_ = reinterpret_cast<exception_state*>(__cxxabiv1::__cxa_get_globals());
  const exception_state callers = *exceptions_;
  fiber_group* const outer = current_;
  current_ = &group_;
  if constexpr (tsan) caller_tsan_ = __tsan_get_current_fiber();
  release(&begin_);

  while (has_more_lanes()) start(fibers_[used_]);
  while (finished_ < plan.lanes && failed_lane_ < 0 && open_rendezvous()) {
    next_at_ = 0;
    phase_end_ = used_;
    while (fiber* const f = next_ready_fiber()) resume(*f);
    phase_end_ = 0;
  }
  fiber_result result = make_result();
  unwinding_ = true;
  for (std::size_t k = 0; k < used_; ++k) {
    if (fibers_[k].waits != not_waiting) resume(fibers_[k]);
  }

  acquire(&end_);
  result.thrown = std::exchange(failure_, nullptr);
  *exceptions_ = callers;
  current_ = outer;
  plan_ = nullptr;
  return result;
}

HPK_NO_TSAN void fiber_group::engine::prepare(const fiber_plan& plan) {
  if (plan_ != nullptr)
    detail::raise(
        "hpk::fibers::fiber_group::run: this group is already running; a nested group needs a "
        "separate fiber_group");
  HPK_EXPECTS(plan.lanes > 0 && plan.subgroup > 0 && (plan.subgroup & (plan.subgroup - 1)) == 0);
  const auto lanes = static_cast<std::size_t>(plan.lanes);
  if (fibers_.size() < lanes)
    fibers_.resize((lanes + stacks_per_map - 1) / stacks_per_map * stacks_per_map);
  while (places_ != nullptr) {
    rendezvous& left = *places_;
    places_ = left.next;
    left = {};
  }
  if (plan.subgroup > 1) {
    const auto leaves = std::max(std::bit_ceil(lanes), static_cast<std::size_t>(plan.subgroup));
    if (blocks_.size() < 2 * leaves) blocks_.resize(2 * leaves);
    if (published_.size() < lanes) published_.resize(lanes);
    leaves_ = static_cast<int>(leaves);
  }
  barrier_ = {};
  another_ = {};
  next_ = finished_ = 0;
  used_ = 0;
  unwinding_ = false;
  failed_lane_ = -1;
  group_.lanes_ = plan.lanes;
  plan_ = &plan;
}

// Starts the next lane on f, and further lanes after it until one pauses.
HPK_NO_TSAN void fiber_group::engine::start(fiber& f) {
  if (f.stack == nullptr) {
    try {
      map_stacks();
    } catch (...) {
      failed_lane_ = next_lane();
      failure_ = std::current_exception();
      return;
    }
  }
  if constexpr (tsan) {
    if (f.tsan_fiber == nullptr) f.tsan_fiber = __tsan_create_fiber(0);
  }
  // Lanes use the same few cache lines of their stacks; stagger them over different cache sets.
  const std::size_t stagger = used_ * 192 % 2048;
  std::byte* const top = f.stack + stack_bytes - stagger;
  // The frames of the suspend() that did not return are still poisoned.
  if constexpr (asan) __asan_unpoison_memory_region(top - 16384, 16384);
  f.resume_at = make_context(f.resume_at, top, stack_bytes - stagger, &engine::enter);
  f.exceptions = {};
  ++used_;
  resume(f);
}

void fiber_group::engine::map_stacks() {
  const std::size_t first = maps_.size() * stacks_per_map;
  const guarded_stacks& stacks = maps_.emplace_back(stacks_per_map, stack_bytes, *this);
  for (std::size_t k = 0; k < stacks_per_map; ++k) fibers_[first + k].stack = stacks[k];
}

const std::byte* fiber_group::engine::running_stack(lane_place& place) const noexcept {
  const fiber_plan* const plan = plan_;
  if (plan == nullptr || running_ == nullptr) return nullptr;
  if (plan->describe != nullptr) plan->describe(plan->context, place);
  place.lane = running_->lane;
  place.lanes = plan->lanes;
  return running_->stack;
}

// Opens each synchronisation point at which all lanes have arrived. Returns whether any has opened.
HPK_NO_TSAN bool fiber_group::engine::open_rendezvous() {
  bool any = false;
  for (rendezvous** link = &places_; *link != nullptr;) {
    rendezvous& r = **link;
    r.open = r.waiting == r.lanes;
    if (r.open) {
      r.waiting = 0;
      r.parity = !r.parity;
      any = true;
      *link = r.next;
    } else {
      link = &r.next;
    }
  }
  return any;
}

HPK_NO_TSAN fiber_result fiber_group::engine::make_result() {
  fiber_result result;
  result.finished = finished_;
  if (failed_lane_ >= 0) {
    result.how = fiber_result::kind::threw;
    result.lane = failed_lane_;
  } else if (finished_ < plan_->lanes) {
    result.how = fiber_result::kind::diverged;
    const fiber* lowest = nullptr;
    for (std::size_t k = 0; k < used_; ++k) {
      const fiber& f = fibers_[k];
      if (f.waits != not_waiting && (lowest == nullptr || f.lane < lowest->lane)) lowest = &f;
    }
    result.lane = lowest->lane;
    result.at_subgroup = lowest->waits > 0;
    result.waiting = place(*lowest).waiting;
  }
  return result;
}

// Returns the next fibre of the phase whose lane may continue. Null after the last one, or if a
// lane has failed.
HPK_NO_TSAN fiber* fiber_group::engine::next_ready_fiber() {
  while (next_at_ < phase_end_ && failed_lane_ < 0) {
    fiber& f = fibers_[next_at_++];
    if (next_at_ < phase_end_) fetch(fibers_[next_at_]);
    if (f.waits != not_waiting && place(f).open) return &f;
  }
  return nullptr;
}

// Makes f the fibre that the next switch resumes.
HPK_NO_TSAN void fiber_group::engine::make_running(fiber& f) {
  running_ = &f;
  f.waits = not_waiting;
  group_.lane_ = f.lane;
  *exceptions_ = f.exceptions;
}

// Runs lanes on f, and on the fibres that it switches to, until one switches back.
HPK_NO_TSAN void fiber_group::engine::resume(fiber& f) {
  [[maybe_unused]] void* asan_stack = nullptr;
  if constexpr (asan) __sanitizer_start_switch_fiber(&asan_stack, f.stack, stack_bytes);
  if constexpr (tsan) __tsan_switch_to_fiber(f.tsan_fiber, plan_->is_ordered ? 0 : no_sync);
  make_running(f);
  store_context(switch_to(f.resume_at, &caller_));
  if constexpr (asan) __sanitizer_finish_switch_fiber(asan_stack, nullptr, nullptr);
}

// Switches to the next fibre of the phase, or back to resume(); returns when the fibre is resumed.
// Under ThreadSanitizer it always switches back, because ThreadSanitizer would attribute the choice
// of the next fibre to the lane.
HPK_NO_TSAN void fiber_group::engine::suspend() {
  fiber& current = *running_;
  current.exceptions = *exceptions_;
  fiber* const next = tsan ? nullptr : next_ready_fiber();
  if constexpr (asan) {
    __sanitizer_start_switch_fiber(&current.asan_stack,
                                   next != nullptr ? next->stack : caller_stack_,
                                   next != nullptr ? stack_bytes : caller_stack_bytes_);
  }
  if constexpr (tsan) __tsan_switch_to_fiber(caller_tsan_, plan_->is_ordered ? 0 : no_sync);
  if (next != nullptr) make_running(*next);
  arrive(switch_to(next != nullptr ? next->resume_at : caller_, &current.resume_at));
}

// Runs first on a fibre after a switch.
HPK_NO_TSAN void fiber_group::engine::arrive(const transfer& from) {
  store_context(from);
  if constexpr (asan) {
    const bool is_caller = from.data == &caller_;
    __sanitizer_finish_switch_fiber(running_->asan_stack, is_caller ? &caller_stack_ : nullptr,
                                    is_caller ? &caller_stack_bytes_ : nullptr);
  }
}

// The first function on a fibre that resume() starts.
HPK_NO_TSAN void fiber_group::engine::enter(transfer from) {
  engine& self = *current_->engine_;
  self.arrive(from);
  for (;;) {
    self.run_lanes();
    self.suspend();
  }
}

// Under ThreadSanitizer a fibre has one lane, because everything on one fibre counts as ordered.
HPK_NO_TSAN void fiber_group::engine::run_lanes() noexcept {
  fiber& current = *running_;
  const fiber_plan plan = *plan_;
  acquire(&begin_);
  do {
    const int lane = next_lane();
    ++next_;
    current.lane = group_.lane_ = lane;
    try {
      plan.call(plan.context, lane);
      ++finished_;
    } catch (const group_stopped&) {
    } catch (...) {
      if (!unwinding_) {
        failed_lane_ = lane;
        failure_ = std::current_exception();
      }
    }
    if (plan.paused != nullptr && !unwinding_) plan.paused(plan.context, lane);
  } while (!tsan && has_more_lanes());
  release(&end_);
}

HPK_NO_TSAN void fiber_group::engine::pause(int where, const void* kind, void (*work)(void*),
                                            void* context) {
  if (where == 1) return;
  throw_if_stopped();
  if (unwinding_) return;
  fiber& current = *running_;
  if (plan_->paused != nullptr) plan_->paused(plan_->context, current.lane);
  current.waits = where;
  if (where == at_barrier && barrier_.waiting != 0 && barrier_.kind != kind) {
    current.waits = at_another;
    ++another_.waiting;
    suspend();
    throw_if_stopped();
    return;
  }
  rendezvous& here = place(current);
  if (here.waiting++ == 0) {
    here.kind = kind;
    here.lanes = lanes_at_place(current);
    here.next = places_;
    places_ = &here;
  }
  char* address = &here.addresses[here.parity ? 1 : 0];
  release(address);
  if (work != nullptr && here.waiting == here.lanes) {
    acquire(address);
    work(context);
    release(address);
  }
  suspend();
  acquire(address);
  throw_if_stopped();
}

fiber_result fiber_group::run(const fiber_plan& plan) { return engine_->run(plan); }

void fiber_group::barrier(const void* kind) {
  HPK_EXPECTS(current_ == this);
  engine_->pause(at_barrier, kind);
}

void fiber_group::barrier(const void* kind, void (*work)(void*), void* context) {
  HPK_EXPECTS(current_ == this);
  engine_->pause(at_barrier, kind, work, context);
}

void fiber_group::sync_subgroup() { sync(engine_->subgroup()); }

void fiber_group::sync(int width) {
  HPK_EXPECTS(current_ == this && width > 0 && (width & (width - 1)) == 0 &&
              width <= engine_->subgroup());
  engine_->pause(width);
}

void fiber_group::publish(const void* value) { engine_->publish(value); }

const void* fiber_group::peek(int lane) const { return engine_->peek(lane); }

fiber_group::fiber_group() : engine_(new engine(*this)) {}
fiber_group::~fiber_group() { delete engine_; }

}  // namespace hpk::fibers
