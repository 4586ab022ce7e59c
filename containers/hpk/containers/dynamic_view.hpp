// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DynamicView, an array in chunks that the host makes longer or shorter without moving elements,
// with deep_copy and mirrors.
#pragma once

#include <hpk/containers/dynamic_copy.hpp>
#include <hpk/containers/dynamic_handle.hpp>
