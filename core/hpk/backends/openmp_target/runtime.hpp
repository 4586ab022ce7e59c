// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP as a GPU runtime: a launch is a target region of teams, a group is a parallel region, and
// a stream is only a name, because target regions and copies are synchronous. Without a device,
// OpenMP runs target regions on the host.
#pragma once

#include <hpk/backends/gpu/runtime.hpp>
#include <hpk/backends/openmp_target/lane.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/seam/host_call.hpp>
#include <hpk/spaces/event.hpp>

#if HPK_HAS_OPENMP_COMPILER
#include <omp.h>
#endif

#include <cstddef>
#include <type_traits>

namespace hpk {
struct DeviceProperties;
}

namespace hpk::openmp_target {

/// The facts of a device.
struct device_facts {
  int number = 0;         ///< OpenMP's number; the host's if there is no device
  bool is_host = true;    ///< target regions run on the host
  int largest_lanes = 1;  ///< maximum threads of a team
  int most_teams = 1;     ///< maximum teams of a region
};

/// An instance. Its work does not overlap.
class stream;

/// The parameters of a target region, read by each of its threads.
struct region {
  index_t groups;
  int teams;
  int lanes;
  std::byte* scratch;             ///< scratch of the first team, or null
  std::size_t bytes[2];           ///< scratch bytes per team and level
  const seam::launch_info* info;  ///< in host memory
  /// Runs the lanes as host threads; null if they must run on a device. A function pointer, because
  /// single-pass compilers would otherwise generate device code for everything that it calls.
  void (*on_host)(const void* body, const region& r, int team, int teams, int index);
};

/// Ends the program because an exception left a kernel. Called inside a catch block.
[[noreturn]] void end_by_exception(const seam::launch_info& info);

/// Runs the body for one lane of the groups that are assigned to a team.
template <class Body>
HPK_INLINE_FUNCTION void run_groups(const Body& body, const region& r, int team, int teams,
                                    int index) {
  std::byte* small = nullptr;
  std::byte* large = nullptr;
  if (r.scratch != nullptr) {
    small = r.scratch + static_cast<std::size_t>(team) * (r.bytes[0] + r.bytes[1]);
    large = small + r.bytes[0];
  }
  for (index_t group = team; group < r.groups; group += teams) {
    lane me(group, r.groups, index, r.lanes, small, large);
    body(me);
    // The next group reuses the scratch.
    if (r.groups > teams) me.barrier();
  }
}

/// Runs the body in the same way on a lane that is a host thread.
template <class Body>
void run_groups_on_host(const void* body, const region& r, int team, int teams, int index) {
  const seam::kernel_scope inside(*r.info);
  try {
    run_groups(*static_cast<const Body*>(body), r, team, teams, index);
  } catch (...) {
    end_by_exception(*r.info);
  }
}

/// Returned by run_region() if the region ran on the host although a device exists.
inline constexpr int ran_on_host = -1;

/// Runs the target region synchronously. Returns the number of threads per team; if it is less than
/// requested, nothing has run. `body` is a device address.
template <class Body>
int run_region([[maybe_unused]] const Body* body, [[maybe_unused]] const region& asked,
               [[maybe_unused]] int device) {
  int given = 0;
#if HPK_HAS_OPENMP_COMPILER
  const region r = asked;
  const int count = asked.teams;
  const int lanes = asked.lanes;
  given = lanes;
#pragma omp target teams device(device) num_teams(count) thread_limit(lanes) \
    firstprivate(r, lanes) is_device_ptr(body) map(tofrom : given)
  {
    const int team = omp_get_team_num();
    const int teams = omp_get_num_teams();
#pragma omp parallel num_threads(lanes)
    {
      const int threads = omp_get_num_threads();
      const int index = omp_get_thread_num();
      int found = threads;
      HPK_IF_ON_HOST((if (r.on_host == nullptr) found = ran_on_host;))
      if (found == lanes) {
        HPK_IF_ON_HOST((r.on_host(body, r, team, teams, index);))
        HPK_IF_ON_DEVICE((run_groups(*body, r, team, teams, index);))
      } else if (index == 0) {
#pragma omp atomic write
        given = found;
      }
    }
  }
#endif
  return given;
}

/// Models gpu::gpu_streams.
class runtime {
 public:
  using stream_type = stream*;
  /// Whether this file is compiled with OpenMP, so that it has target regions.
  static constexpr bool compiled_here = HPK_HAS_OPENMP_COMPILER != 0;
  /// Whether the compiler may generate code for devices other than the host.
  static constexpr bool has_devices = HPK_HAS_OPENMP_DEVICE_PASS != 0;
  static constexpr bool owns_bodies = false;  // bodies are never queued

  static stream* create_stream(int device);
  static void destroy_stream(stream* s) noexcept;
  static void synchronize(stream* s);
  static void synchronize_all();
  static bool is_idle(stream* s) noexcept;
  static Event record(stream* s);
  static void wait(stream* s, const Event& event);
  static void call(stream* s, seam::host_call* work);
  static void* allocate_workspace(stream* s, std::size_t bytes);
  static void free_workspace(void* data, std::size_t bytes) noexcept;
  static void copy(stream* s, void* to, const void* from, std::size_t bytes);
  static void fill(stream* s, void* to, int value, std::size_t bytes);
  static seam::machine_properties properties(stream* s);

  /// The facts of the device of a stream.
  static const device_facts& facts(const stream* s) noexcept;
  /// The number of devices; 1 if there is only the host.
  static int device_count() noexcept;
  /// Returns the device of instances that do not name one. It is chosen again after the settings
  /// have changed.
  static int default_device();
  static void forget_default_device() noexcept;
  /// Allocates memory on the stream's device, or on the default device for null; null if out of
  /// memory. Any thread.
  static void* allocate(const stream* s, std::size_t bytes, std::size_t align);
  static void deallocate(void* data) noexcept;

  /// Serialises the work of an instance, first come, first served.
  class turn {
   public:
    explicit turn(stream* s);
    ~turn();
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

   private:
    stream* stream_;
  };

  /// Runs the body on the device, to which it is copied bytewise, like the bodies of vendor
  /// kernels.
  template <class Machine, class Body>
  static void launch(Machine& machine, const seam::shape& shape, const Body& body,
                     const seam::launch_info& info) {
    constexpr bool compiled = compiled_here;
    static_assert(compiled || detail::always_false<Machine>,
                  "hpk: a kernel for OpenMP's target is launched in a file that is compiled "
                  "without OpenMP; in CMake link hpk::hpk, or add -fopenmp");
    if constexpr (compiled) run(machine, shape, body, info);
  }

 private:
  static int teams_for(const device_facts& facts, index_t groups, std::size_t bytes) noexcept;
  [[noreturn]] static void reject_threads(int given, int asked, const seam::launch_info& info);

  template <class Machine, class Body>
  static void run(Machine& machine, const seam::shape& shape, const Body& body,
                  const seam::launch_info& info) {
    stream* const queue = machine.stream();
    const device_facts& device = facts(queue);
    region r{shape.groups, 1, shape.lanes, nullptr, {}, &info, nullptr};
    if (device.is_host) r.on_host = &run_groups_on_host<Body>;
    std::size_t bytes = 0;
    for (int level = 0; level < 2; ++level)
      bytes += r.bytes[level] = (shape.scratch[level] + 63) / 64 * 64;
    r.teams = teams_for(device, shape.groups, bytes);
    const std::size_t of_teams = static_cast<std::size_t>(r.teams) * bytes;
    const std::size_t of_body = device.is_host ? 0 : (sizeof(Body) + 63) / 64 * 64;
    const Body* there = &body;
    int given = shape.lanes;
    const auto submit = [&] {
      const turn held_turn(queue);
      given = run_region(there, r, device.number);
    };
    if (of_teams + of_body == 0) {
      submit();
    } else {
      const typename Machine::workspace space(machine, of_teams + of_body);
      auto* const data = static_cast<std::byte*>(space.data());
      if (of_body != 0) {
        copy(queue, data, &body, sizeof(Body));
        there = reinterpret_cast<const Body*>(data);
      }
      if (of_teams != 0) r.scratch = data + of_body;
      submit();
    }
    if (given != shape.lanes) reject_threads(given, shape.lanes, info);
  }
};

static_assert(gpu::gpu_streams<runtime>);

}  // namespace hpk::openmp_target
