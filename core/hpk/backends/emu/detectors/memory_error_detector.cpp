// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/host_pointer_scan.hpp>
#include <hpk/backends/emu/detectors/memory_error_detector.hpp>
#include <hpk/backends/emu/detectors/plain_pointers.hpp>
#include <hpk/backends/emu/detectors/race_detector.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/detectors/scratch_memory.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>

#include <mutex>
#include <string>

namespace hpk::emu {

namespace {

std::string quoted(const std::string& label) {
  return label.empty() ? std::string("without a label") : '"' + label + '"';
}

std::string name_of(const seam::element_access& access) {
  if (access.record != nullptr) return quoted(access.record->label);
  // Outside the arena the address of a kernel's private memory may be any number.
  return quoted(arena::contains(access.address) ? find_block(access.address).label : std::string());
}

void add_index(detail::text& out, int rank, const index_t* values, const char* brackets) {
  out << brackets[0];
  for (int r = 0; r < rank; ++r) out << (r == 0 ? "" : ", ") << values[r];
  out << brackets[1];
}

constexpr const char* advice =
    "; copy to a mirror first: auto h = hpk::create_mirror_view(v); hpk::deep_copy(h, v);";

std::string about_host_access(const void* address) {
  const block_facts facts = find_block(address);
  detail::text out;
  if (facts.freed) {
    out << "host code accesses memory that was freed: byte " << facts.offset << " of what was View "
        << quoted(facts.label) << "; keep a View that owns it alive as long as the pointer";
    return out.str();
  }
  if (facts.held) {
    out << "host code accesses byte " << facts.offset << " of View " << quoted(facts.label)
        << " while a kernel that uses it may still run: " << quoted(facts.holder)
        << "; call fence() on its instance first";
    return out.str();
  }
  out << "host code accesses device memory: byte " << facts.offset << " of View "
      << quoted(facts.label) << advice;
  return out.str();
}

std::string about_mirror(const void* address) {
  const block_facts facts = find_block(address);
  detail::text out;
  out << "host code reads byte " << facts.offset << " of stale mirror " << quoted(facts.label)
      << ": ";
  if (facts.copied) {
    out << "it was copied before kernel " << quoted(facts.holder) << ", and View "
        << quoted(facts.source) << " has changed since; copy again: hpk::deep_copy(mirror, view)";
  } else {
    out << "kernel " << quoted(facts.holder) << " uses View " << quoted(facts.source)
        << " and may have changed it; copy first: hpk::deep_copy(mirror, view)";
  }
  return out.str();
}

void add_space(detail::text& out, const seam::allocation_place& place) {
  out << "View " << quoted(place.label) << " of " << place.space << "Space, ";
}

constexpr const char* no_host_memory = ": a kernel on Emu can't access host memory; ";

// Returns the advice for kernels that access host memory.
std::string instead_of(const void* address) {
  if (!host_access_detector::is_mirror(address))
    return "make a mirror: auto d = hpk::create_mirror_view_and_copy(hpk::Emu(), v), or deep_copy "
           "to a View of EmuSpace";
  return "it is a mirror: capture View " + quoted(find_block(address).source) + " instead";
}

// Returns an empty string if the address is in no host memory that hpk allocated.
std::string about_host_memory(const void* address) {
  seam::allocation_place place;
  if (!seam::find_allocation(address, place)) return {};
  detail::text out;
  add_space(out, place);
  out << "byte " << place.offset << no_host_memory << instead_of(address);
  return out.str();
}

std::string about_kernel_access(const void* address) {
  const block_facts facts = find_block(address);
  detail::text out;
  if (!facts.freed && !facts.shared && facts.device != current_device) {
    out << "a kernel on device " << current_device << " accesses memory of device " << facts.device
        << ": byte " << facts.offset << " of View " << quoted(facts.label)
        << "; launch on an instance of that device, or copy it to a View of this one";
  } else if (facts.freed) {
    out << "a kernel accesses memory that was freed: byte " << facts.offset << " of what was View "
        << quoted(facts.label) << "; fence before the last View of it is destroyed";
  } else {
    out << "a kernel accesses memory past the end: byte " << facts.offset << " of View "
        << quoted(facts.label) << ", which has " << facts.bytes;
  }
  return out.str();
}

std::string about_copy(const block_facts& facts) {
  detail::text out;
  out << "a copy or fill ";
  if (facts.freed) {
    out << "accesses memory that was freed: byte " << facts.offset << " of what was View "
        << quoted(facts.label) << "; fence before the last View of it is destroyed";
  } else {
    out << "runs past the end: byte " << facts.offset << " of View " << quoted(facts.label)
        << ", which has " << facts.bytes;
  }
  return out.str();
}

[[noreturn]] void report_scratch_overflow() {
  const seam::shape& shape = running_group::current()->kernel->shape;
  detail::text out;
  out << "a kernel accesses scratch past the end: the launch asked for " << shape.scratch[0]
      << " bytes of level 0 and " << shape.scratch[1] << " of level 1";
  report(detector::memory, out.str());
}

fibers::signal_handler the_trap;

void on_fault(int signal, siginfo_t* info, void* context) {
  const void* address = info->si_addr;
  if (current_options().watches_races() && race_detector::on_fault(address, context)) return;
  const bool in_kernel = running_group::current() != nullptr;
  if (host_access_detector::is_mirror(address)) {
    if (in_kernel) report(detector::host_memory, about_host_memory(address));
    if (host_access_detector::admits(address, context)) return;
    report(detector::mirrors, about_mirror(address));
  }
  if (arena::contains(address)) {
    if (!in_kernel) report(detector::host_access, about_host_access(address));
    // The kernel captured a plain pointer to device memory.
    if (const block_facts facts = find_block(address);
        (facts.shared || facts.device == current_device) && open_block(address))
      return;
    report(detector::memory, about_kernel_access(address));
  }
  if (const block_facts facts = find_block(address); facts.known)
    report(detector::memory, in_kernel ? about_kernel_access(address) : about_copy(facts));
  if (in_kernel) {
    if (const void* original = original_address(address))
      reject_captured_pointer(original, describe_host_pointer(address));
  }
  if (in_kernel && scratch_memory::is_past_any_end(address)) report_scratch_overflow();
  the_trap.pass_on(signal, info, context);
}

}  // namespace

void reject_host_access(const seam::element_access& access) {
  detail::text out;
  out << "host code accesses element ";
  add_index(out, access.rank, access.index, "()");
  out << " of View " << name_of(access) << ", which lies in device memory" << advice;
  report(detector::host_access, out.str());
}

void reject_host_memory(const seam::element_access& access) {
  const void* original = original_address(access.address);
  const void* address = original == nullptr ? access.address : original;
  // Views of pinned memory may also be in HostSpace, and a kernel may wrap its private variables.
  seam::allocation_place place;
  if ((arena::contains(address) && !host_access_detector::is_mirror(address)) ||
      !seam::find_allocation(address, place))
    return;
  detail::text out;
  add_space(out, place);
  out << "index ";
  add_index(out, access.rank, access.index, "()");
  out << no_host_memory << instead_of(address);
  report(detector::host_memory, out.str());
}

void reject_captured_pointer(const void* address, std::string_view of_other_memory) {
  const std::string of_view = about_host_memory(address);
  report(detector::captures, of_view.empty() ? of_other_memory : std::string_view(of_view));
}

void expect_no_kernel_allocates() {
  if (running_group::current() != nullptr)
    report(detector::kernel,
           "a kernel allocates device memory, which a GPU can't do; allocate before the launch");
}

void check_kernel_access(const seam::element_access& access) {
  bool inside = true;
  for (int r = 0; r < access.rank; ++r)
    inside = inside && access.index[r] >= 0 && access.index[r] < access.extents[r];
  if (inside) return;
  detail::text out;
  out << "index ";
  add_index(out, access.rank, access.index, "()");
  out << " is outside of the extents ";
  add_index(out, access.rank, access.extents, "[]");
  out << " of View " << name_of(access);
  report(detector::extents, out.str());
}

void install_signal_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    the_trap.install(SIGSEGV, &on_fault);
    uninitialized_detector::install();
  });
}

}  // namespace hpk::emu
