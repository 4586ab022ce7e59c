// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of the programs, in a file that is compiled several times: some faults are builds
// with other flags.
#pragma once

namespace first_wrong_bit {

struct routines {
  /// Returns the next temperature of a cell.
  double (*conduct)(double self, double neighbours, double conductivity);
  /// Returns y + a x.
  double (*add_scaled)(double a, double x, double y);
  /// Returns the force along one axis between particles whose squared distance is `square`.
  double (*repel)(double distance, double square, double strength);
  /// Returns the sum of numbers, compensated (Kahan, 1965).
  double (*exact_sum)(const double* numbers, int count);
  /// Returns the flux of momentum through the side of a cell.
  double (*momentum_flux)(double depth, double momentum);
};

extern const routines plain;        // -ffp-contract=off
extern const routines fast_math;    // -ffast-math
extern const routines fused;        // -mfma -ffp-contract=fast
extern const routines reciprocal;   // -freciprocal-math
extern const routines associative;  // -fassociative-math
extern const routines unsafe_math;  // -funsafe-math-optimizations

}  // namespace first_wrong_bit
