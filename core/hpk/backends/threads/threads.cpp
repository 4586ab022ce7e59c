// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/threads/threads.hpp>

#include <hpk/backends/host/topology.hpp>
#include <hpk/backends/host/worker_record.hpp>
#include <hpk/backends/threads/pool.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/tools/started_backends.hpp>

namespace hpk {

Threads::Threads(int workers)
    : space(workers >= 1
                ? new seam::machine<Threads>(workers, false,
                                             seam::machine<Threads>::spin(seam::current_settings()))
                : nullptr) {
  if (workers < 1) {
    detail::raise(
        (detail::text() << "hpk::Threads(" << workers << "): write at least one worker").str());
  }
}

namespace {
int workers_for(const NewInstance& what) {
  host::check_request(what, Threads::name());
  return host::worker_count(seam::current_settings().num_threads);
}
}  // namespace

Threads::Threads(NewInstance what) : Threads(workers_for(what)) {}

namespace seam {

namespace {
constinit host::worker_record largest;

machine<Threads>* make(const settings& s) {
  return new machine<Threads>(host::with_note(host::worker_count(s.num_threads), s), s.pin_workers,
                              machine<Threads>::spin(s));
}
}  // namespace

machine<Threads>::machine(int workers, bool pin, std::int64_t spin_microseconds)
    : workers_(workers),
      pool_(new threads::pool(workers, pin, std::chrono::microseconds(spin_microseconds))) {
  largest.raise_to(workers);
  register_backend(&fence_all, tool_id());
}

int machine<Threads>::worker_rank() noexcept { return threads::pool::rank_of_thread(); }
int machine<Threads>::most_workers() noexcept { return largest.most(); }

std::int64_t machine<Threads>::spin(const settings& s) { return backend_value(s, options[0].name); }

machine<Threads>::~machine() { delete pool_; }

constinit host::default_instance<machine<Threads>> machine<Threads>::default_;

machine<Threads>& machine<Threads>::first_use() {
  return default_.get([] { return make(current_settings()); });
}

void machine<Threads>::start(const settings& s) {
  default_.reset();
  default_.get([&] { return make(s); });
}

void machine<Threads>::stop() noexcept { default_.reset(); }

void machine<Threads>::describe(fact_sink& sink) const {
  sink.section("Threads");
  sink.fact("workers", (detail::text() << workers_ << ", the calling thread is one").str());
  sink.fact("pinned", pool_->pinned() ? "yes" : "no");
  sink.fact("topology", host::describe_topology());
}

bool machine<Threads>::workers_sleep() noexcept { return pool_->let_sleep(); }

void machine<Threads>::run(const host::erased_launch& launched) { pool_->run(launched); }

}  // namespace seam
}  // namespace hpk
