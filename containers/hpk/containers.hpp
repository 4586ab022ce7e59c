// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes all containers. Each container also has a separate header.
#pragma once

#include <hpk/containers/append_buffer.hpp>
#include <hpk/containers/bitset.hpp>
#include <hpk/containers/dual_view.hpp>
#include <hpk/containers/dyn_rank_view.hpp>
#include <hpk/containers/dynamic_view.hpp>
#include <hpk/containers/error_reporter.hpp>
#include <hpk/containers/functional.hpp>
#include <hpk/containers/jagged_view.hpp>
#include <hpk/containers/offset_view.hpp>
#include <hpk/containers/scatter_view.hpp>
#include <hpk/containers/static_crs_graph.hpp>
#include <hpk/containers/unordered_map.hpp>
#include <hpk/containers/vector.hpp>
#include <hpk/containers/work_queue.hpp>
