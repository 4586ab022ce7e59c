// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pretend runtime, compiled once for each vendor. README.md describes it.
#include <gpu/pretend/control_functions.hpp>
#include <gpu/pretend/device_calls.hpp>
#include <gpu/pretend/launch_calls.hpp>
#include <gpu/pretend/memory_calls.hpp>
#include <gpu/pretend/stream_calls.hpp>
#include <gpu/pretend/vendor_calls.hpp>
