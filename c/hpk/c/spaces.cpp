// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/c/detail/instances.hpp>

#include <cstring>

namespace hpk::detail::c {

namespace {

const char* find_memory_space(std::string_view name) {
  const char* found = nullptr;
  // Emu, Cuda and HIP name an execution space and its memory.
  if (!with_execution_space(
          name, [&]<class Exec>(std::type_identity<Exec>) { found = Exec::memory_space::name(); }))
    with_memory_space(name, [&]<class M>(std::type_identity<M>) { found = M::name(); });
  return found;
}

error_message& list_memory_spaces(error_message& message) {
  const char* seen[32] = {};
  int count = 0;
  const char* between = "";
  any_memory_space([&]<class M>(std::type_identity<M>) {
    for (int i = 0; i != count; ++i) {
      if (std::string_view(seen[i]) == M::name()) return false;
    }
    if (count != 32) seen[count++] = M::name();
    message << between << M::name();
    between = ", ";
    return false;
  });
  for_each_space([&](auto space) {
    for (int i = 0; i != count; ++i) {
      if (std::string_view(seen[i]) == space.name()) return;
    }
    message << between << space.name();
  });
  return message;
}

}  // namespace

const char* expect_memory_space(const char* function, const char* name) {
  if (name == nullptr) return DefaultExecutionSpace::memory_space::name();
  const char* found = find_memory_space(name);
  if (found == nullptr) {
    error_message message;
    message << function << ": there is no space '" << name << "'; this hpk has ";
    fail_argument(list_memory_spaces(message));
  }
  return found;
}

void fail_unknown_space(const char* function, const char* name) {
  error_message message;
  message << function << ": there is no execution space '" << name << "'; this hpk has ";
  const char* between = "";
  for_each_space([&](auto space) {
    message << between << space.name();
    between = ", ";
  });
  fail_argument(message);
}

void fail_unreachable(const char* function, const char* label, const char* exec,
                      const char* memory) {
  fail(HPK_TYPE_MISMATCH, error_message()
                              << function << " \"" << label << "\": kernels of " << exec
                              << " can't access memory of " << memory
                              << "; copy it by hpk_view_mirror, or pass another instance");
}

}  // namespace hpk::detail::c

using namespace hpk::detail::c;

int hpk_space_count(void) {
  int count = 0;
  hpk::for_each_space([&](auto) { ++count; });
  return count;
}

const char* hpk_space_name(int index) {
  const char* name = nullptr;
  int at = 0;
  hpk::for_each_space([&](auto space) {
    if (at++ == index) name = space.name();
  });
  return name;
}

const char* hpk_default_space(void) { return hpk::DefaultExecutionSpace::name(); }
const char* hpk_default_host_space(void) { return hpk::DefaultHostExecutionSpace::name(); }

const char* hpk_memory_space(const char* space) {
  const char* name = nullptr;
  if (space != nullptr)
    with_execution_space(
        space, [&]<class Exec>(std::type_identity<Exec>) { name = Exec::memory_space::name(); });
  return name;
}

int hpk_is_host_accessible(const char* memory_space) {
  int result = -1;
  if (memory_space != nullptr)
    with_memory_space(memory_space, [&]<class M>(std::type_identity<M>) {
      result = hpk::SpaceAccessibility<hpk::DefaultHostExecutionSpace, M>::accessible ? 1 : 0;
    });
  return result;
}
