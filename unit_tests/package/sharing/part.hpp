// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two libraries of a program use hpk: the functions that each of them has, and a test of the
// results.
#pragma once

#include <cstdio>
#include <cstring>

struct part {
  bool (*computes)();                // launches on every space; prints errors
  bool (*nests)(long (*sum)(long));  // kernels that call a function of the other library
  long (*sum)(long below);           // a launch
  void (*listens)();                 // sets callbacks of tools
  int (*heard)();                    // returns the number of their calls
  int (*takes_id)();                 // takes a UniqueToken of global scope and keeps it
  void (*fails)();                   // throws hpk::error
  bool (*catches)(void (*fails)());  // returns whether hpk::error arrived with its text
};

// Returns the number of errors. If `shares` is true, both parts use one hpk, otherwise separate
// copies.
inline int use(const part& a, const part& b, bool shares) {
  int wrong = 0;
  const auto expect = [&](bool holds, const char* what) {
    if (holds) return;
    std::printf("wrong: %s\n", what);
    ++wrong;
  };
  expect(a.computes(), "what the first computes");
  expect(b.computes(), "what the second computes");
  expect(a.nests(b.sum), "launches of the second in kernels of the first");
  expect(b.nests(a.sum), "launches of the first in kernels of the second");
  expect(b.catches(a.fails), "the second catches an error of the first");
  expect(a.catches(b.fails), "the first catches an error of the second");

  a.listens();
  a.sum(10);
  const int own = a.heard();
  b.sum(10);
  const int both = a.heard();
  expect(own == 1, "the first hears of its launch");
  expect(both == (shares ? 2 : 1), "who hears of a launch of the second");

  const int id = a.takes_id();
  expect((b.takes_id() != id) == shares, "ids that are free in the second");
  if (wrong == 0) std::printf("all right\n");
  return wrong;
}
