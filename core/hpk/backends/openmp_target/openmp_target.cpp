// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/openmp_target/openmp_target.hpp>

#include <hpk/backends/gpu/device.hpp>
#include <hpk/backends/gpu/new_machine.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/fork.hpp>
#include <hpk/spaces/device.hpp>

#include <omp.h>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

// LLVM has these calls in a separate library, which it links only to programs with device code.
#if HPK_HAS_OPENMP_DEVICE_PASS
#pragma weak omp_target_alloc
#pragma weak omp_target_free
#pragma weak omp_target_memcpy
#endif

namespace hpk::openmp_target {

class stream {
 public:
  explicit stream(const device_facts& facts) : device(facts) {}
  const device_facts device;
  seam::turn_queue turns;
};

namespace {

// Whether the thread called fork() and is now the first one of the child.
constinit thread_local bool has_forked = false;

constexpr int host_lanes = 256;  // host threads, so programs should ask for few
constexpr int usual_host_lanes = 4;
// GCC runs the teams in turn; LLVM runs them concurrently, with fewer threads each.
constexpr int host_teams = runtime::has_devices ? 1 : 4;
constexpr int device_lanes = 1024;
constexpr int device_teams = 1024;
constexpr std::size_t most_scratch = std::size_t{1} << 30;  // for all teams of a launch

// Allocations by address, because OpenMP cannot tell which device an address belongs to; and the
// living streams. Never destroyed.
struct block {
  std::size_t bytes;
  int device;
  void* begin;  // as returned by OpenMP
};
struct state {
  std::mutex guard;
  std::map<std::uintptr_t, block> blocks;
  std::vector<stream*> streams;
  std::vector<device_facts> devices;
};
state& all() {
  static state& only = *new state;
  return only;
}

// Asks where target regions of a device run, and its limits: this file may have no code for that
// device.
device_facts ask_device(int number) {
  int is_host = 1;
  int limit = 1;
#pragma omp target teams device(number) num_teams(1) thread_limit(device_lanes) \
    map(from : is_host, limit)
#pragma omp parallel num_threads(1)
  {
    is_host = omp_is_initial_device();
    limit = omp_get_thread_limit();
  }
  if (is_host == 0) return {number, false, std::clamp(limit, 32, device_lanes), device_teams};
  limit = std::min(limit, omp_get_thread_limit());
  return {omp_get_initial_device(), true, std::clamp(limit, 1, host_lanes), host_teams};
}
#if HPK_HAS_OPENMP_DEVICE_PASS
bool is_host_alone() noexcept { return omp_target_alloc == nullptr; }
int count_devices() noexcept { return is_host_alone() ? 0 : omp_get_num_devices(); }
#else
constexpr bool is_host_alone() noexcept { return false; }
int count_devices() noexcept { return 0; }
#endif

const device_facts& facts_of(int device) {
  state& known = all();
  const std::lock_guard lock(known.guard);
  if (known.devices.empty()) {
    const int devices = count_devices();
    for (int k = 0; k < devices; ++k) known.devices.push_back(ask_device(k));
    if (known.devices.empty()) known.devices.push_back(ask_device(omp_get_initial_device()));
  }
  return known.devices[static_cast<std::size_t>(device)];
}

// OpenMP's number of the device that owns the address; the host's number for all other addresses.
int device_at(const void* address) {
  state& known = all();
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  const std::lock_guard lock(known.guard);
  auto found = known.blocks.upper_bound(where);
  if (found == known.blocks.begin()) return omp_get_initial_device();
  --found;
  return where - found->first < found->second.bytes ? found->second.device
                                                    : omp_get_initial_device();
}

std::atomic<int> chosen_device{-1};

void* allocate_at(const device_facts& device, std::size_t bytes, std::size_t align) {
  if (bytes + align < bytes) return nullptr;
  void* const begin =
      is_host_alone() ? std::malloc(bytes + align) : omp_target_alloc(bytes + align, device.number);
  if (begin == nullptr) return nullptr;
  const std::uintptr_t data = (reinterpret_cast<std::uintptr_t>(begin) + align - 1) / align * align;
  state& known = all();
  const std::lock_guard lock(known.guard);
  known.blocks.emplace(data, block{bytes, device.number, begin});
  return reinterpret_cast<void*>(data);
}

[[noreturn]] void reject_copy(std::size_t bytes) {
  detail::raise(
      (detail::text() << "hpk::OpenMPTarget: omp_target_memcpy did not copy " << bytes << " bytes")
          .str());
}

}  // namespace

void end_by_exception(const seam::launch_info& info) {
  // Several lanes may call this function; only the first one reports.
  static std::mutex& first = *new std::mutex;
  first.lock();
  detail::text out;
  out << info.pattern;
  if (!info.label.empty()) out << " \"" << info.label << '"';
  out << ": an exception left the kernel, which a device can't do: ";
  try {
    throw;
  } catch (const std::exception& e) {
    out << e.what();
  } catch (...) {
    out << "not a std::exception";
  }
  out << " (launched at " << info.where.file_name() << ':' << info.where.line() << ')';
  detail::abort_program(out.str().c_str());
}

stream* runtime::create_stream(int device) {
  if (device < 0) {
    device = default_device();
  } else {
    seam::check_device(device, device_count(), "OpenMPTarget");
  }
  static const bool watched = (seam::on_fork([] { has_forked = true; }), true);
  static_cast<void>(watched);
  auto* const made = new stream(facts_of(device));
  state& known = all();
  const std::lock_guard lock(known.guard);
  known.streams.push_back(made);
  return made;
}

void runtime::destroy_stream(stream* s) noexcept {
  state& known = all();
  {
    const std::lock_guard lock(known.guard);
    std::erase(known.streams, s);
  }
  delete s;
}

runtime::turn::turn(stream* s) : stream_(s) {
  if (has_forked) {
    detail::raise(
        "hpk::OpenMPTarget: the process is the child of a fork(), and the threads and devices of "
        "OpenMP stay with the parent; fork before the first use, or call exec in the child");
  }
  s->turns.take();
}
runtime::turn::~turn() { stream_->turns.give(); }

// Taking a turn waits for the work of other threads, because it is done when they release the
// stream.
void runtime::synchronize(stream* s) {
  s->turns.take();
  s->turns.give();
}

void runtime::synchronize_all() {
  state& known = all();
  const std::lock_guard lock(known.guard);
  for (stream* s : known.streams) synchronize(s);
}

bool runtime::is_idle(stream* s) noexcept { return s->turns.is_free(); }

Event runtime::record(stream* s) { return seam::event_of_turns(s->turns); }

void runtime::wait(stream*, const Event& event) { event.wait(); }

void runtime::call(stream* s, seam::host_call* work) {
  const std::unique_ptr<seam::host_call> owned(work);
  const turn held_turn(s);
  work->run();
}

const device_facts& runtime::facts(const stream* s) noexcept { return s->device; }

int runtime::device_count() noexcept { return std::max(count_devices(), 1); }

int runtime::default_device() {
  int device = chosen_device.load();
  if (device >= 0) return device;
  const seam::settings asked = seam::current_settings();
  const int devices = device_count();
  device = gpu::choose_device(asked, devices, "OpenMPTarget");
  // Neither the settings nor the local rank name a device: OpenMP's default applies, which
  // OMP_DEFAULT_DEVICE or omp_set_default_device() sets.
  if (asked.device_id < 0 && gpu::local_rank() < 0)
    device = std::clamp(omp_get_default_device(), 0, devices - 1);
  chosen_device.store(device);
  return device;
}
void runtime::forget_default_device() noexcept { chosen_device.store(-1); }

void* runtime::allocate(const stream* s, std::size_t bytes, std::size_t align) {
  return allocate_at(s != nullptr ? s->device : facts_of(default_device()), bytes, align);
}

void runtime::deallocate(void* data) noexcept {
  state& known = all();
  block freed{};
  {
    const std::lock_guard lock(known.guard);
    const auto found = known.blocks.find(reinterpret_cast<std::uintptr_t>(data));
    freed = found->second;
    known.blocks.erase(found);
  }
  if (is_host_alone()) {
    std::free(freed.begin);
  } else {
    omp_target_free(freed.begin, freed.device);
  }
}

void* runtime::allocate_workspace(stream* s, std::size_t bytes) {
  void* const data = allocate(s, bytes, 64);
  if (data == nullptr) {
    detail::raise_bad_alloc((detail::text() << "hpk::OpenMPTarget: no device memory left for "
                                            << bytes << " bytes of a workspace")
                                .str());
  }
  return data;
}
void runtime::free_workspace(void* data, std::size_t) noexcept { deallocate(data); }

void runtime::copy(stream* s, void* to, const void* from, std::size_t bytes) {
  const int host = omp_get_initial_device();
  const int there = device_at(to);
  const int here = device_at(from);
  const turn held_turn(s);
  if (there == host && here == host) {
    std::memmove(to, from, bytes);
  } else if (omp_target_memcpy(to, from, bytes, 0, 0, there, here) != 0) {
    reject_copy(bytes);
  }
}

void runtime::fill(stream* s, void* to, int value, std::size_t bytes) {
  const int device = device_at(to);
  const turn held_turn(s);
  if (device == omp_get_initial_device()) {
    std::memset(to, value, bytes);
    return;
  }
  auto* const data = static_cast<unsigned char*>(to);
  const auto byte = static_cast<unsigned char>(value);
#pragma omp target teams distribute parallel for device(device) is_device_ptr(data) \
    firstprivate(byte, bytes)
  for (std::size_t k = 0; k < bytes; ++k) data[k] = byte;
}

seam::machine_properties runtime::properties(stream* s) {
  const device_facts& device = s->device;
  seam::machine_properties p;
  p.name = "OpenMPTarget";
  p.workers = device.is_host ? 1 : device.most_teams;  // GCC runs teams in turn
  p.largest_lanes = device.largest_lanes;
  p.preferred_lanes = std::min(device.is_host ? usual_host_lanes : 128, device.largest_lanes);
  // A power of two: few lanes on the host, for speed; on devices as many as on all GPUs.
  const int most_folding = device.is_host ? usual_host_lanes : p.folding_lanes;
  p.folding_lanes = static_cast<int>(
      std::bit_floor(static_cast<unsigned>(std::min(most_folding, device.largest_lanes))));
  p.lanes_at_once = static_cast<index_t>(device.most_teams) * p.largest_lanes;
  p.scratch_bytes[0] = std::size_t{48} << 10;
  p.scratch_bytes[1] = std::size_t{20} << 20;
  p.subgroup = 1;
  p.lane_iterations = device.is_host ? 64 : 1;
  return p;
}

int runtime::teams_for(const device_facts& facts, index_t groups, std::size_t bytes) noexcept {
  index_t teams = std::min<index_t>(groups, facts.most_teams);
  if (bytes != 0) teams = std::min<index_t>(teams, static_cast<index_t>(most_scratch / bytes));
  return static_cast<int>(teams);
}

void runtime::reject_threads(int given, int asked, const seam::launch_info& info) {
  detail::text out;
  out << "hpk::" << info.pattern;
  if (!info.label.empty()) out << " \"" << info.label << '"';
  if (given == ran_on_host) {
    out << ": this file is compiled without code for the device; add the offload options with "
           "which the other files are compiled";
    detail::raise(out.str(), info.where);
  }
  out << ": a group has " << asked << " lanes, but OpenMP gave a team " << given
      << (given == 1 ? " thread" : " threads")
      << "; ask for smaller teams, set OMP_DYNAMIC=false, or raise OMP_THREAD_LIMIT (with LLVM "
         "also KMP_TEAMS_THREAD_LIMIT)";
  detail::raise(out.str(), info.where);
}

}  // namespace hpk::openmp_target

namespace hpk {

OpenMPTarget::OpenMPTarget(NewInstance what) : space_base(gpu::new_machine<OpenMPTarget>(what)) {}

int OpenMPTarget::omp_device() const {
  return openmp_target::runtime::facts(instance().stream()).number;
}

namespace seam {

namespace {
constinit seam::default_instance<machine<OpenMPTarget>> default_machine;
}  // namespace

machine<OpenMPTarget>& machine<OpenMPTarget>::default_instance() {
  return default_machine.get([] { return gpu::new_machine<OpenMPTarget>(); });
}

void machine<OpenMPTarget>::start(const settings&) {
  default_machine.reset();
  openmp_target::runtime::forget_default_device();
}

void machine<OpenMPTarget>::stop() noexcept {
  default_machine.reset();
  openmp_target::runtime::forget_default_device();
}

int machine<OpenMPTarget>::device() const noexcept {
  const openmp_target::device_facts& facts = openmp_target::runtime::facts(stream());
  return facts.is_host ? 0 : facts.number;
}

void machine<OpenMPTarget>::describe_device(DeviceProperties& found) const {
  const openmp_target::device_facts& facts = openmp_target::runtime::facts(stream());
  found.device = device();
  found.name = facts.is_host ? (detail::text() << "the host, " << found.name).str()
                             : (detail::text() << "device " << facts.number << " of OpenMP").str();
}

void machine<OpenMPTarget>::describe(fact_sink& sink) const {
  const openmp_target::device_facts& facts = openmp_target::runtime::facts(stream());
  sink.section("OpenMPTarget");
  sink.fact("devices", (detail::text() << omp_get_num_devices()).str());
  sink.fact("runs on", facts.is_host ? "the host" : "a device");
  sink.fact("largest group", (detail::text() << facts.largest_lanes).str());
  sink.fact("OpenMP version", (detail::text() << _OPENMP).str());
}

}  // namespace seam
}  // namespace hpk
