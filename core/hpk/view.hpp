// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View, mirrors, deep_copy, resize, and the enabled spaces.
#pragma once

#include <hpk/backends/backends.hpp>

// First, so that compiler messages about the type of a View begin with a short chain of includes.
#include <hpk/view/memory_traits.hpp>
#include <hpk/view/traits.hpp>
#include <hpk/view/view.hpp>

#include <hpk/spaces/anonymous_space.hpp>
#include <hpk/view/as_view.hpp>
#include <hpk/view/common_alloc.hpp>
#include <hpk/view/copy.hpp>
#include <hpk/view/dump_layout.hpp>
#include <hpk/view/host_access.hpp>
#include <hpk/view/is_assignable.hpp>
#include <hpk/view/local_copy.hpp>
#include <hpk/view/malloc.hpp>
#include <hpk/view/mirror.hpp>
#include <hpk/view/reshape.hpp>
#include <hpk/view/resize.hpp>
#include <hpk/view/stale.hpp>
#include <hpk/view/subview.hpp>
#include <hpk/view/temporary_memory.hpp>
