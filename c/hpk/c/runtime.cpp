// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/profiling.hpp>
#include <hpk/runtime.hpp>
#include <hpk/version.hpp>

#include <hpk/c/detail/errors.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

using namespace hpk::detail::c;

hpk_status hpk_initialize(int num_threads, int device_id) {
  return hpk::call_from_c([&] {
    hpk::InitializationSettings settings;
    if (num_threads < 0)
      fail_argument(hpk::error_message() << "hpk_initialize: num_threads is " << num_threads
                                         << "; write a number from 1, or 0 for hpk's choice");
    if (device_id < -1)
      fail_argument(hpk::error_message() << "hpk_initialize: device_id is " << device_id
                                         << "; write a number from 0, or -1 for hpk's choice");
    if (num_threads != 0) settings.set_num_threads(num_threads);
    if (device_id >= 0) settings.set_device_id(device_id);
    hpk::initialize(settings);
  });
}
int hpk_is_initialized(void) { return hpk::is_initialized() ? 1 : 0; }
hpk_status hpk_finalize(void) {
  return hpk::call_from_c([] { hpk::finalize(); });
}
hpk_status hpk_fence(const char* label) {
  return hpk::call_from_c([&] {
    if (label == nullptr) {
      hpk::fence();
    } else {
      hpk::fence(label);
    }
  });
}

size_t hpk_configuration(char* text, size_t size, int verbose) {
  std::string written;
  const bool is_written = hpk::call_from_c([&] {
                            std::ostringstream out;
                            hpk::print_configuration(out, verbose != 0);
                            written = out.str();
                          }) == HPK_OK;
  const std::string_view all = is_written ? std::string_view(written) : hpk_last_error();
  if (text != nullptr && size != 0) {
    const size_t length = std::min(size - 1, all.size());
    std::memcpy(text, all.data(), length);
    text[length] = '\0';
  }
  return all.size();
}

hpk_status hpk_push_region(const char* name) {
  return hpk::call_from_c([&] {
    expect_pointer("hpk_push_region", name, "name");
    hpk::Tools::pushRegion(name);
  });
}
hpk_status hpk_pop_region(void) {
  return hpk::call_from_c([] { hpk::Tools::popRegion(); });
}
