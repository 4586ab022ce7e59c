// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 7 of the tutorial, solved: algorithms and containers.
#include <hpk/algorithms.hpp>
#include <hpk/containers/unordered_map.hpp>
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int n = 101;
  const hpk::DefaultExecutionSpace exec;
  hpk::View<int*> key("key", n), name("name", n);
  hpk::parallel_for(
      "fill", n, HPK_LAMBDA(int i) {
        key(i) = i * 37 % 101;
        name(i) = i;
      });

  hpk::sort_by_key(exec, key, name);

  const auto above = static_cast<double>(
      hpk::Experimental::count_if(exec, key, HPK_LAMBDA(int k) { return k > 90; }));

  hpk::UnorderedMap<int, int> tens(hpk::view_alloc("tens"), 20);
  using add = hpk::UnorderedMapInsertOpTypes<hpk::View<int*>>::AtomicAdd;
  hpk::parallel_for("count", n, HPK_LAMBDA(int i) { tens.insert(key(i) / 10, 1, add()); });

  tutorial::Check check;
  check.expect("key(1)", tutorial::element(key, 1), 1);
  check.expect("name(1)", tutorial::element(name, 1), 71);
  check.expect("above", above, 10);
  check.expect("tens", static_cast<double>(tens.size()), 11);
  int in_the_forties = 0;
  hpk::parallel_reduce(
      "find", 1,
      HPK_LAMBDA(int, int& found) {
        const auto slot = tens.find(4);
        if (tens.valid_at(slot)) found += tens.value_at(slot);
      },
      in_the_forties);
  check.expect("in the forties", in_the_forties, 10);
  return check.verdict();
}
