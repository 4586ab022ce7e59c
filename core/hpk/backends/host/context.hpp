// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one stack of a thread gives way to another: by Boost.Context where hpk is built with it, else
// by ucontext of POSIX. Included by .cpp files of this folder alone.
#pragma once

#include <hpk/base/compiler.hpp>

#include <cstddef>

#if HPK_WITH_BOOST_CONTEXT
#include <boost/context/detail/fcontext.hpp>
#endif

// The lanes' bookkeeping is shared without synchronisation, which is right on one thread, yet would
// look like races: ThreadSanitizer must not see it. clang needs the second attribute as well, else
// it counts calls that never return.
#if !HPK_HAS_THREAD_SANITIZER
#define HPK_NO_TSAN
#elif __has_attribute(disable_sanitizer_instrumentation)
#define HPK_NO_TSAN __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define HPK_NO_TSAN __attribute__((no_sanitize("thread")))
#endif

namespace hpk::host {

#if HPK_WITH_BOOST_CONTEXT

/// A stack that waits to go on.
using context = boost::context::detail::fcontext_t;
/// What a stack learns when it goes on: the one that gave way (fctx), and what that one said
/// (data).
using transfer = boost::context::detail::transfer_t;

/// Gives way to `next`, which learns `data`; returns when another stack gives way to this one.
HPK_NO_TSAN inline transfer switch_to(context next, void* data) {
  return boost::context::detail::jump_fcontext(next, data);
}

/// A stack of so many bytes below `top` that begins with entry, which never returns. `before` is
/// null, or where entry has given way on this stack when its work was done: it may go on there
/// instead, so entry is a loop. The floating-point environment is the caller's.
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

}  // namespace hpk::host
