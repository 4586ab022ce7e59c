// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations for the C++ of docs/containers.md, which uses these names without declaring them.
#pragma once

#include <hpk/containers.hpp>

#include <cstdio>
#include <vector>

inline constexpr int n = 10;
inline constexpr int pairs = 20;
inline constexpr int root = 0;
inline const std::vector<int> lengths{1, 2};

// Declared in the previous block of the page.
extern const hpk::DualView<double*> x;

HPK_INLINE_FUNCTION int first(int p) { return p % n; }
HPK_INLINE_FUNCTION int second(int p) { return (p + 1) % n; }
HPK_INLINE_FUNCTION double f(int p) { return p; }
HPK_INLINE_FUNCTION bool leaves(int i) { return i % 2 == 0; }
HPK_INLINE_FUNCTION void use(int) {}
HPK_INLINE_FUNCTION void visit(int, const hpk::WorkQueue<int>&) {}
