// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-length encoding with algorithms: finds where runs of equal values begin and how long they
// are, and restores the sequence from the runs. Every line is parallel, on every space, with the
// same result.
#include <hpk/algorithms.hpp>

#include <cstdio>

namespace KE = hpk::Experimental;

int main() {
  const int n = 1'000'000;
  const hpk::DefaultExecutionSpace exec;
  hpk::View<int*> signal("signal", n), index("index", n), begins("begins", n),
      lengths("lengths", n);
  hpk::View<int*> values("values", n), restored("restored", n);
  hpk::parallel_for(
      "a signal", n, HPK_LAMBDA(int i) {
        signal(i) = (i / 100 + 3) * (i / 700 + 5) % 9;
        index(i) = i;
      });

  // Encode.
  const auto values_end = KE::unique_copy(exec, signal, values);
  const auto begins_end = KE::copy_if(
      exec, index, begins, HPK_LAMBDA(int i) { return i == 0 || signal(i) != signal(i - 1); });
  const auto runs = static_cast<int>(begins_end - KE::begin(begins));
  hpk::parallel_for(
      "lengths", runs,
      HPK_LAMBDA(int r) { lengths(r) = (r + 1 < runs ? begins(r + 1) : n) - begins(r); });
  const auto longest = KE::max_element(exec, KE::begin(lengths), KE::begin(lengths) + runs);

  // Decode: the prefix sum of marks is the number of the run that an element belongs to.
  KE::for_each(exec, KE::begin(begins), begins_end, HPK_LAMBDA(int at) { restored(at) = 1; });
  KE::inclusive_scan(exec, restored, restored);
  KE::for_each(exec, restored, HPK_LAMBDA(int& number) { number = values(number - 1); });

  std::printf("%d runs, values of %d, the longest is run %d; restored: %s\n", runs,
              static_cast<int>(values_end - KE::begin(values)),
              static_cast<int>(longest - KE::begin(lengths)),
              KE::equal(exec, signal, restored) ? "yes" : "no");
}
