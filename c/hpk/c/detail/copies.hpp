// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of views for algorithms that need elements without gaps.
#pragma once

#include <hpk/c/detail/instances.hpp>
#include <hpk/c/detail/views.hpp>

namespace hpk::detail::c {

/// Returns a new view with the elements in this layout, RIGHT or LEFT, in the same memory space.
hpk_view* make_dense(const char* function, const hpk_view& view, hpk_layout layout);
/// Copies the elements. Waits for all earlier work, and for the copy.
void copy_view(const char* function, const hpk_view& to, const hpk_view& from);
/// Writes the bytes of an element with this value. Throws if the element type can't have it.
void expect_value(const char* function, const hpk_view& view, const hpk_scalar& value,
                  void* element);

}  // namespace hpk::detail::c
