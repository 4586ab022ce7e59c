// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/threads/threads.hpp>

#include <hpk/backends/host/topology.hpp>
#include <hpk/backends/threads/pool.hpp>
#include <hpk/base/text.hpp>

namespace hpk {

Threads::Threads(int workers)
    : space(new seam::machine<Threads>(workers, false,
                                       seam::machine<Threads>::spin(seam::current_settings()))) {}

namespace {
int workers_for(const NewInstance& what) {
  host::check_request(what, Threads::name());
  return host::worker_count(seam::current_settings().num_threads);
}
}  // namespace

Threads::Threads(NewInstance what) : Threads(workers_for(what)) {}

template class host::pooled_machine<Threads>;

namespace seam {

machine<Threads>::machine(int workers, bool pin, std::int64_t spin_microseconds)
    : pooled_machine(workers),
      pool_(new threads::pool(workers, pin, std::chrono::microseconds(spin_microseconds))) {}

machine<Threads>::~machine() { delete pool_; }

constinit host::instances<machine<Threads>> machine<Threads>::all;

machine<Threads>* machine<Threads>::make(const settings& s) {
  return new machine(host::with_note(host::worker_count(s.num_threads), s), s.pin_workers, spin(s));
}

std::int64_t machine<Threads>::spin(const settings& s) { return backend_value(s, options[0].name); }

int machine<Threads>::worker_rank() noexcept { return threads::pool::rank_of_thread(); }

void machine<Threads>::describe(fact_sink& sink) const {
  sink.section("Threads");
  sink.fact("workers", (detail::text() << workers() << ", the calling thread is one").str());
  sink.fact("pinned", pool_->pinned() ? "yes" : "no");
  sink.fact("topology", host::describe_topology());
}

bool machine<Threads>::workers_sleep() noexcept { return pool_->let_sleep(); }

void machine<Threads>::run(const host::erased_launch& launched) { pool_->run(launched); }

}  // namespace seam
}  // namespace hpk
