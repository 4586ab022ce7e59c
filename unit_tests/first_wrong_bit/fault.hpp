// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five small programs that can run with a fault, to test whether hpk-diff finds it. faults.txt
// lists the faults.
#pragma once

#include <hpk/core.hpp>

#include <thread>

namespace first_wrong_bit {

class arguments {
 public:
  using extent = hpk::index_t;
  int fault = 0;  ///< 0: none
  int size = 0;   ///< 0: the default size of the program
  int steps = 4;
  hpk::DefaultExecutionSpace space;

  bool has(int number) const { return fault == number; }
  int size_or(int usual) const { return size == 0 ? usual : size; }

  hpk::RangePolicy<> range(extent end) const { return {space, 0, end}; }
  auto box(const extent (&begin)[2], const extent (&end)[2]) const {
    return hpk::MDRangePolicy<hpk::Rank<2, hpk::Iterate::Right, hpk::Iterate::Right>>(space, begin,
                                                                                      end);
  }
  auto box(const extent (&begin)[3], const extent (&end)[3]) const {
    return hpk::MDRangePolicy<hpk::Rank<3, hpk::Iterate::Right, hpk::Iterate::Right>>(space, begin,
                                                                                      end);
  }
};

void conjugate_gradient(const arguments& given);
void heat(const arguments& given);
void matrix(const arguments& given);
void particles(const arguments& given);
void shallow_water(const arguments& given);

/// Makes dependences on the order of iterations visible in every run: with several workers the
/// first iteration starts when the last one is done, as it may on a busy machine.
class late_start {
 public:
  explicit late_start(bool is_wanted)
      : waits_(is_wanted && hpk::DefaultExecutionSpace().concurrency() > 1) {}
  HPK_FUNCTION void before(int iteration) const {
    if (iteration != 0 || !waits_) return;
    constexpr int patience = 1000000;
    for (int tries = 0; tries != patience && hpk::atomic_load(&last_is_done_()) == 0; ++tries)
      std::this_thread::yield();
  }
  HPK_FUNCTION void behind(int iteration, int count) const {
    if (iteration == count - 1) hpk::atomic_store(&last_is_done_(), 1);
  }

 private:
  hpk::View<int> last_is_done_{"last is done"};
  bool waits_;
};

}  // namespace first_wrong_bit
