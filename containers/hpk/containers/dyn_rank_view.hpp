// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DynRankView, a View whose rank is chosen at run time, with its functions: deep_copy, mirrors,
// resize and realloc, subview, and conversion to Views of static rank.
#pragma once

#include <hpk/containers/dyn_rank_copy.hpp>
#include <hpk/containers/dyn_rank_handle.hpp>
#include <hpk/containers/dyn_rank_mirror.hpp>
#include <hpk/containers/dyn_rank_resize.hpp>
#include <hpk/containers/dyn_rank_static.hpp>
#include <hpk/containers/dyn_rank_subview.hpp>
