// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that links both libraries, or that contains one part itself (FIRST = SECOND).
#include "part.hpp"

extern "C" part FIRST();
extern "C" part SECOND();

int main() {
  // A single part sees its own ids and calls.
  return use(FIRST(), SECOND(), true);
}
