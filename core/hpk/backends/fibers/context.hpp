// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Switches between the stacks of one thread: with Boost.Context if hpk is built with it, else with
// POSIX ucontext. Only for .cpp files of this folder.
#pragma once

#include <hpk/base/compiler.hpp>

#include <cstddef>

#if HPK_WITH_BOOST_CONTEXT
#include <boost/context/detail/fcontext.hpp>
#endif

// Lanes share their bookkeeping without synchronisation. That is correct on one thread, but
// ThreadSanitizer would report it as races, so it must not instrument these functions. clang also
// needs the second attribute; otherwise it counts calls that never return.
#if !HPK_HAS_THREAD_SANITIZER
#define HPK_NO_TSAN
#elif __has_attribute(disable_sanitizer_instrumentation)
#define HPK_NO_TSAN __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define HPK_NO_TSAN __attribute__((no_sanitize("thread")))
#endif

namespace hpk::fibers {

#if HPK_WITH_BOOST_CONTEXT

/// A suspended stack.
using context = boost::context::detail::fcontext_t;
/// The data that a stack receives when it resumes: the stack that was suspended for it (fctx), and
/// the message of that stack (data).
using transfer = boost::context::detail::transfer_t;

/// Suspends the current stack and resumes `next`, which receives `data`. Returns when another stack
/// resumes this one.
HPK_NO_TSAN inline transfer switch_to(context next, void* data) {
  return boost::context::detail::jump_fcontext(next, data);
}

/// Returns the context of a stack of `bytes` bytes below `top` that starts in `entry`, which never
/// returns. `before` is null, or the context in which an earlier `entry` was suspended on this
/// stack after it had finished its work. In that case the stack may resume there instead of
/// starting again, so `entry` must be a loop. The floating-point environment is the caller's.
inline context make_context(context /*before*/, std::byte* top, std::size_t bytes,
                            void (*entry)(transfer)) {
  return boost::context::detail::make_fcontext(top, bytes, entry);
}

#else

using context = void*;
struct transfer {
  context fctx;
  void* data;
};
transfer switch_to(context next, void* data);
context make_context(context before, std::byte* top, std::size_t bytes, void (*entry)(transfer));

#endif

}  // namespace hpk::fibers
