// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error handling. On the host every run-time error of hpk is an exception derived from hpk::error,
// whose text names label, extents, index and call site, so that a program (or a test) can catch it
// and continue. Preconditions in hot paths are tested if HPK_CHECKS is 1.
#pragma once

#include <hpk/base/macros.hpp>

#if HPK_HAS_DEVICE_COMPILER
#include <cstdio>
#endif

#include <new>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hpk {

/// Base of every run-time error that hpk reports. Each thrown object is also a std::exception: a
/// std::runtime_error, or a BadAlloc if a memory space has no memory left. This class is not
/// derived from std::exception, because a BadAlloc would then have that base twice and `catch
/// (const std::exception&)` would not catch it. hpk::raise throws an error.
class HPK_EXPORT error {
 public:
  virtual ~error();
  /// The message: what is wrong, where, and what to do.
  virtual const char* what() const noexcept = 0;
  /// The same object as a std::exception, for functions that take one.
  operator const std::exception&() const;

 protected:
  /// @{
  /// For derived classes.
  error() = default;
  error(const error&) = default;
  error& operator=(const error&) = default;
  /// @}
};

/// Reports that a memory space, or the host, has no memory left. Caught as hpk::error,
/// std::bad_alloc and std::exception.
class HPK_EXPORT BadAlloc : public error, public std::bad_alloc {
 public:
  /// An exception whose what() returns a copy of the message.
  explicit BadAlloc(const std::string& message) : text_(message) {}
  const char* what() const noexcept override;

 private:
  std::runtime_error text_;  // holds the message, because its copies cannot throw
};

}  // namespace hpk

namespace hpk::detail {

/// The origin that set_message_origin() set, followed by a colon and a blank; empty if none is set.
std::string_view message_origin() noexcept;

/// Called with each message before hpk throws it or abort_program() prints it; may append to the
/// message. Returns true to end the program instead of throwing. For compatibility layers.
using message_filter = bool (*)(std::string& message);
/// Sets the filter, or removes it with null.
void set_message_filter(message_filter filter) noexcept;

/// Prints the message and ends the program.
[[noreturn]] void abort_program(const char* message);

#if HPK_HAS_DEVICE_COMPILER
/// Ends the kernel with an error that the host sees at the next fence.
[[noreturn]] __device__ inline void stop_kernel() { HPK_DETAIL_TRAP(); }
#endif

/// Throws hpk::error with `message` and the call site, e.g. "hpk::deep_copy: ... (at main.cpp:12)";
/// omits a default-constructed call site.
[[noreturn]] void raise(std::string_view message, const std::source_location& where);
/// Throws hpk::error with `message`.
[[noreturn]] void raise(std::string_view message);
/// Throws hpk::BadAlloc with `message` and the call site, unless it is default-constructed.
[[noreturn]] void raise_bad_alloc(std::string_view message, const std::source_location& where = {});
/// Prints "kind violated: condition (at file:line)" and ends the program.
[[noreturn]] void contract_violation(const char* kind, const char* condition, const char* file,
                                     int line);
/// Prints the violation and ends the program or kernel, from host or device.
[[noreturn]] HPK_INLINE_FUNCTION void violate(const char* kind, const char* condition,
                                              const char* file, int line) {
  HPK_IF_ON_HOST((contract_violation(kind, condition, file, line);))
  HPK_IF_ON_DEVICE(
      (printf("hpk: %s violated: %s (at %s:%d)\n", kind, condition, file, line); stop_kernel();))
}

}  // namespace hpk::detail

namespace hpk {

/// Sets a name of this process, such as "rank 3 of 4", that all later error messages and reports
/// contain; empty for no name. For programs of several processes whose output is mixed. Not
/// thread-safe.
void set_message_origin(std::string_view origin);

/// Prints the message and ends the program, from host or device.
[[noreturn]] HPK_INLINE_FUNCTION void abort(const char* message) {
  HPK_IF_ON_HOST((detail::abort_program(message);))
  HPK_IF_ON_DEVICE((printf("hpk: %s\n", message); detail::stop_kernel();))
}

}  // namespace hpk

/// A contract: if HPK_CHECKS is 1 and the condition is false, aborts with kind, condition, file and
/// line.
#define HPK_DETAIL_CONTRACT(kind, ...)                                                    \
  do {                                                                                    \
    if constexpr (static_cast<bool>(HPK_CHECKS)) {                                        \
      if (!(__VA_ARGS__)) ::hpk::detail::violate(kind, #__VA_ARGS__, __FILE__, __LINE__); \
    }                                                                                     \
  } while (false)

/// A condition that hpk promises to the compiler for optimisation (reason: C++20 has no
/// [[assume]]). If HPK_CHECKS is 1, a false condition aborts with `message`, which tells the cause
/// and what to do.
#define HPK_DETAIL_PROMISE(condition, message)       \
  do {                                               \
    if (!(condition)) {                              \
      if constexpr (static_cast<bool>(HPK_CHECKS)) { \
        ::hpk::abort(message);                       \
      } else {                                       \
        HPK_UNREACHABLE();                           \
      }                                              \
    }                                                \
  } while (false)

/// A condition that must hold here.
#define HPK_ASSERT(...) HPK_DETAIL_CONTRACT("assertion", __VA_ARGS__)
/// A condition that the caller promises.
#define HPK_EXPECTS(...) HPK_DETAIL_CONTRACT("precondition", __VA_ARGS__)
/// A condition that the function promises on return.
#define HPK_ENSURES(...) HPK_DETAIL_CONTRACT("postcondition", __VA_ARGS__)
