// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines the routines of one build; the macro ROUTINES is its name. Includes no hpk: inline
// functions of hpk must not be compiled with these flags.
#include "routines.hpp"

namespace first_wrong_bit {

namespace {

double conduct(double self, double neighbours, double conductivity) {
  return self + conductivity * (neighbours - 6 * self) / 6.5;
}

double add_scaled(double a, double x, double y) { return y + a * x; }

double repel(double distance, double square, double strength) {
  return strength * distance / 3.25 / (square + 0.01);
}

double exact_sum(const double* numbers, int count) {
  double sum = 0;
  double lost = 0;
  for (int k = 0; k < count; ++k) {
    const double next = numbers[k] - lost;
    const double larger = sum + next;
    lost = (larger - sum) - next;
    sum = larger;
  }
  return sum;
}

double momentum_flux(double depth, double momentum) {
  return momentum * momentum / depth + 0.5 * depth * 9.81 * depth;
}

}  // namespace

extern const routines ROUTINES = {conduct, add_scaled, repel, exact_sum, momentum_flux};

}  // namespace first_wrong_bit
