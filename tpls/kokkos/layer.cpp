// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/kokkos/layer.hpp>
#include <hpk/runtime/compat_layer.hpp>
#include <hpk/runtime/initialize.hpp>
#include <hpk/seam/guards.hpp>

#include "messages.hpp"

#include <cstdlib>
#include <string_view>

namespace hpk::kokkos {

namespace {

struct known_name {
  std::string_view name;
  std::string_view why;
};
constexpr std::string_view old_tools = "write tools-libs";
constexpr std::string_view no_choice =
    "hpk takes the device of device-id, else that of the rank on the machine";
// Flags and variables of Kokkos without a counterpart in hpk. The names of variables come first.
constexpr std::string_view of_variables[] = {"profile-library", "map-device-id-by",
                                             "visible-devices"};
constexpr known_name known[] = {
    {"tools-library", old_tools},    {"profile-library", old_tools},
    {"map-device-id-by", no_choice}, {"visible-devices", no_choice},
    {"num-devices", no_choice},      {"ndevices", no_choice},
    {"skip-device", no_choice},      {"numa", "workers follow the machine's topology"}};

std::string_view explain(std::string_view name) {
  for (const known_name& k : known) {
    if (k.name == name) return k.why;
  }
  return {};
}

bool is_strict() noexcept {
  const char* const set = std::getenv("HPK_KOKKOS_STRICT");
  return set != nullptr && std::string_view(set) != "0" && *set != '\0';
}

[[noreturn]] void forbid(const detail::text& message) { hpk::abort(message.str().c_str()); }

// Returns "before hpk::initialize" or "after hpk::finalize".
std::string_view when() noexcept {
  return is_finalized() ? "after hpk::finalize" : "before hpk::initialize";
}

void tell(detail::compat_event event) {
  if (!is_strict()) return;
  detail::text message;
  if (event == detail::compat_event::hook_threw) forbid(message << "a finalize hook threw");
  if (event == detail::compat_event::guard_ends_late)
    forbid(message << "a ScopeGuard ends after hpk::finalize; write one or the other");
  if (event == detail::compat_event::guard_begins) {
    if (is_initialized()) forbid(message << "a ScopeGuard begins while hpk is initialized");
    if (is_finalized()) forbid(message << "a ScopeGuard begins after hpk::finalize");
  } else if (event == detail::compat_event::initialize) {
    if (is_initialized()) forbid(message << "hpk::initialize: called twice");
    if (is_finalized())
      forbid(message << "hpk::initialize: called after hpk::finalize; Kokkos can't start again");
  } else if (!is_initialized()) {
    forbid(message << "hpk::finalize: called " << (is_finalized() ? "twice" : "before initialize"));
  }
}

void judge_launch(const std::source_location& where) {
  if (is_initialized()) return;
  forbid(detail::text() << "a kernel is launched " << when() << ": " << where.file_name() << ":"
                        << where.line());
}

void judge_memory(const char* label, bool ends) {
  if (is_initialized()) return;
  forbid(detail::text() << "View \"" << label << "\" is " << (ends ? "freed " : "allocated ")
                        << when());
}

constexpr detail::compat_layer over_hpk{
    "--kokkos-", "KOKKOS_", &explain, std::begin(of_variables), std::end(of_variables), &tell};

}  // namespace

bool add_layer() noexcept {
  detail::set_compat_layer(&over_hpk);
  seam::guards.null_scratch.store(true, detail::memory_order::release);
  seam::guards.reversed_empty.store(!is_strict(), detail::memory_order::release);
  seam::guards.tool_prefix.store("Kokkos::", detail::memory_order::release);
  if (is_strict()) {
    detail::set_message_filter(&add_words_of_kokkos);
    seam::guards.launch.store(&judge_launch, detail::memory_order::release);
    seam::guards.memory.store(&judge_memory, detail::memory_order::release);
  }
  return true;
}

}  // namespace hpk::kokkos
