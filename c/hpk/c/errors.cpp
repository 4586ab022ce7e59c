// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/c/detail/errors.hpp>

#include <exception>
#include <new>
#include <string>

namespace hpk::detail::c {

namespace {

// The text of the last error. A thread that has no memory for a long text gets a short one, and so
// do calls at the end of the thread, such as those of functions of atexit().
thread_local constinit const char* last_error_text = "";
thread_local constinit bool is_ending = false;
struct error_text {
  std::string text;
  ~error_text() {
    is_ending = true;
    last_error_text = "hpk: the thread has ended";
  }
};
thread_local error_text last_error;

hpk_status set_last_error(hpk_status status, const char* text) noexcept {
  if (is_ending) {
    last_error_text = "hpk: an error after the end of the thread";
    return status;
  }
  try {
    last_error.text = text;
    last_error_text = last_error.text.c_str();
  } catch (...) {
    last_error_text = "hpk: out of memory";
  }
  return status;
}

}  // namespace

void fail(hpk_status status, const error_message& message) { throw failure(status, message.str()); }

void expect_pointer(const char* function, const void* pointer, const char* what) {
  if (pointer == nullptr) fail_argument(error_message() << function << ": " << what << " is null");
}

hpk_status status_of_exception() noexcept {
  try {
    throw;
  } catch (const failure& e) {
    return set_last_error(e.status, e.what());
  } catch (const std::bad_alloc& e) {  // also hpk::BadAlloc, whose what() is hpk's text
    return set_last_error(HPK_OUT_OF_MEMORY, e.what());
  } catch (const std::exception& e) {
    return set_last_error(HPK_ERROR, e.what());
  } catch (...) {
    return set_last_error(HPK_ERROR, "an exception that is no std::exception");
  }
}

}  // namespace hpk::detail::c

const char* hpk_last_error(void) { return hpk::detail::c::last_error_text; }

hpk_status hpk_set_last_error(hpk_status status, const char* text) {
  return hpk::detail::c::set_last_error(status, text == nullptr ? "" : text);
}
