// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP's spelling of a GPU runtime: a launch is a target region of teams, a group a parallel
// region, a stream no more than a name, because target regions and copies are done when they
// return. Without a device they run on the host, as OpenMP has it.
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

/// What is known of a device.
struct device_facts {
  int number = 0;         ///< OpenMP's; that of the host where there is no other
  bool is_host = true;    ///< target regions run on the host
  int largest_lanes = 1;  ///< threads of a team
  int most_teams = 1;     ///< teams of a region
};

/// An instance: work of it does not overlap.
class stream;

/// A target region in numbers, for each of its threads.
struct region {
  index_t groups;
  int teams;
  int lanes;
  std::byte* scratch;             ///< of the first team, or null
  std::size_t bytes[2];           ///< of scratch for each team and level
  const seam::launch_info* info;  ///< of the host
  /// Runs the lanes of threads of the host; null where they are to be a device's. By its address: a
  /// compiler of one pass would look for a device's code in all that it calls.
  void (*on_host)(const void* body, const region& r, int team, int teams, int index);
};

/// Ends the program: an exception left a kernel. Inside of a catch block.
[[noreturn]] void end_by_exception(const seam::launch_info& info);

/// Runs the body for one lane of the groups that fall to a team.
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
    // The next group has the same scratch.
    if (r.groups > teams) me.barrier();
  }
}

/// The same where the lane is a thread of the host.
template <class Body>
void run_groups_on_host(const void* body, const region& r, int team, int teams, int index) {
  const seam::kernel_scope inside(*r.info);
  try {
    run_groups(*static_cast<const Body*>(body), r, team, teams, index);
  } catch (...) {
    end_by_exception(*r.info);
  }
}

/// What run_region() returns where the region ran on the host, in spite of another device.
inline constexpr int ran_on_host = -1;

/// The target region, which returns when it is done: how many threads its teams had, less than
/// asked for if nothing was run. `body` is an address of the device.
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
  /// Whether the compiler makes target regions of this file.
  static constexpr bool compiled_here = HPK_HAS_OPENMP_COMPILER != 0;
  /// Whether it may make code for other devices than the host.
  static constexpr bool has_devices = HPK_HAS_OPENMP_DEVICE_PASS != 0;
  static constexpr bool owns_bodies = false;  // nothing is queued

  static stream* create_stream(int device);
  static void destroy_stream(stream* s) noexcept;
  static void synchronize(stream* s);
  static void synchronize_all();
  static bool is_idle(stream* s) noexcept;
  static Event record(stream* s);
  static void call(stream* s, seam::host_call* work);
  static void* allocate_workspace(stream* s, std::size_t bytes);
  static void free_workspace(void* data, std::size_t bytes) noexcept;
  static void copy(stream* s, void* to, const void* from, std::size_t bytes);
  static void fill(stream* s, void* to, int value, std::size_t bytes);
  static seam::machine_properties properties(stream* s);

  /// The facts of the device of a stream.
  static const device_facts& facts(const stream* s) noexcept;
  /// Devices, or 1 for the host.
  static int device_count() noexcept;
  /// The device of instances that name none; asked again after the settings changed.
  static int default_device();
  static void forget_default_device() noexcept;
  /// Memory of a device, the default one for null; null when there is none left. Any thread.
  static void* allocate(const stream* s, std::size_t bytes, std::size_t align);
  static void deallocate(void* data) noexcept;

  /// Work of an instance is done in the order in which threads come.
  class turn {
   public:
    explicit turn(stream* s);
    ~turn();
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

   private:
    stream* stream_;
  };

  /// Runs the body, whose bytes are copied to the device, as the vendors' kernels have theirs.
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
      const turn mine(queue);
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
