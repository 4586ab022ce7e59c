// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that both libraries are linked to, or that has one part in itself (FIRST = SECOND).
#include "part.hpp"

extern "C" part FIRST();
extern "C" part SECOND();

int main() {
  // A part alone sees its own ids and calls.
  return use(FIRST(), SECOND(), true);
}
