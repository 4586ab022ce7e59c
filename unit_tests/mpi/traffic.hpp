// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what this rank sends, at MPI's profiling interface: for tests of the formulas in
// docs/mpi.md.
#pragma once

namespace mpi_test {

/// Messages between two ranks, their bytes, and calls of collectives.
struct traffic {
  long messages = 0;
  long bytes = 0;
  long collectives = 0;

  friend bool operator==(const traffic&, const traffic&) = default;
};
/// Returns all traffic since the program began.
traffic sent_so_far();

/// Returns the traffic of this rank caused by a function.
template <class F>
traffic sent_by(const F& f) {
  const traffic before = sent_so_far();
  f();
  const traffic after = sent_so_far();
  return {after.messages - before.messages, after.bytes - before.bytes,
          after.collectives - before.collectives};
}

}  // namespace mpi_test
