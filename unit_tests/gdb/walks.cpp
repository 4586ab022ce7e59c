// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program for unit_tests/gdb/walks.py: one launch, one copy and one View, on Threads.
#include <hpk/core.hpp>

#include <thread>

namespace {

std::thread::id main_thread;

void stop_in_kernel() {}

struct sum_of_indices {
  void operator()(int i, long& sum) const {
    if (i == 7 && std::this_thread::get_id() == main_thread) stop_in_kernel();
    sum += i;
  }
};

}  // namespace

int main() {
  main_thread = std::this_thread::get_id();
  const hpk::Threads exec(2);
  long sum = 0;
  hpk::parallel_reduce("sum", hpk::RangePolicy(exec, 0, 1 << 20), sum_of_indices(), sum);
  const hpk::View<double*, hpk::HostSpace> from("from", 1 << 20);
  const hpk::View<double*, hpk::HostSpace> to("to", 1 << 20);
  hpk::deep_copy(to, from);
  return sum == 0;
}
