// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that headers read and all libraries of a process share. They are not inline. With
// inline variables, libraries that a program loads with RTLD_LOCAL would each have a copy, with
// clang even if hpk is a shared library. With g++ two copies of hpk would share these variables,
// but not the variables of .cpp files.
#include <hpk/seam/device_profile.hpp>
#include <hpk/seam/graph.hpp>
#include <hpk/seam/guards.hpp>
#include <hpk/seam/inspection.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/seam/settings.hpp>
#include <hpk/seam/slots.hpp>
#include <hpk/seam/turn.hpp>

namespace hpk::seam {

constinit thread_local const launch_info* current_launch = nullptr;
constinit thread_local const task_info* current_task = nullptr;
constinit thread_local occupation occupation_of_thread = occupation::none;
constinit thread_local inspection* current_inspection = nullptr;
constinit thread_local bool records_launches = false;
constinit thread_local access_watcher host_memory_watch = nullptr;
constinit thread_local thread_of_slots slots_of_thread{~std::uint64_t{0}, 0, 0};
constinit detail::atomic_word<std::uint32_t> slot_threads{0};
constinit guard_table guards{};
constinit detail::atomic_word<const device_profile*> current_device_profile{nullptr};
constinit detail::atomic_word<index_t> inline_launches_read{inline_unread};

}  // namespace hpk::seam
