// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the machines of host spaces whose instances have several workers. It makes and ends the
// default instance, checks and counts workers, and registers the backend for global fences. The
// backend adds the workers: how they start, run the groups of a launch, and stop.
#pragma once

#include <hpk/backends/host/machine.hpp>
#include <hpk/backends/host/worker_record.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/tools/started_backends.hpp>

namespace hpk::host {

/// What the instances of a host machine M have in common: the default instance, and the largest
/// number of workers of any instance.
template <class M>
struct instances {
  seam::default_instance<M> by_default;
  worker_record largest;
};

/// Base of seam::machine<Exec>, which adds run() and
///   static constinit instances<machine> all;  // HPK_EXPORT in a .cpp file, or inline
///   static machine* make(const settings& s);  // a new default instance; may throw
///   void describe(fact_sink& sink) const;
///   static constexpr std::uint32_t tool_id() noexcept;
/// A backend with a .cpp file instantiates this class there and declares that in its header
/// (`extern template`), so that programs do not compile it.
template <class Exec>
class pooled_machine : public machine {
  using self = seam::machine<Exec>;

 public:
  using erased_body = erased_launch;

  /// Throws hpk::error, which names the space, if `workers` < 1.
  explicit pooled_machine(int workers);
  seam::machine_properties properties() const noexcept {
    return {.name = Exec::name(), .workers = workers_, .single_group_bytes = single_group_bytes};
  }
  // Always inline because a call costs as much as a launch over a few iterations.
  HPK_FORCEINLINE static self& default_instance() {
    self* const found = self::all.by_default.find();
    if (found == nullptr) [[unlikely]]
      return first_use();
    return *found;
  }
  static void start(const seam::settings& s);
  static void stop() noexcept;
  /// The number of workers of the largest instance that was made.
  static int most_workers() noexcept;

 protected:
  index_t workers() const noexcept final { return workers_; }

 private:
  static self& first_use();

  int workers_;
};

template <class Exec>
pooled_machine<Exec>::pooled_machine(int workers)
    : workers_(expect_workers(workers, Exec::name())) {
  self::all.largest.raise_to(workers);
  seam::register_backend(&fence_all, self::tool_id());
}

template <class Exec>
seam::machine<Exec>& pooled_machine<Exec>::first_use() {
  return self::all.by_default.get([] { return self::make(seam::current_settings()); });
}

template <class Exec>
void pooled_machine<Exec>::start(const seam::settings& s) {
  self::all.by_default.reset();
  self::all.by_default.get([&] { return self::make(s); });
}

template <class Exec>
void pooled_machine<Exec>::stop() noexcept {
  self::all.by_default.reset();
}

template <class Exec>
int pooled_machine<Exec>::most_workers() noexcept {
  return self::all.largest.most();
}

}  // namespace hpk::host
