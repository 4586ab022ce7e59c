// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map into which all lanes insert the same few keys, and one with as many keys as lanes.
#include <checks.hpp>

#include <hpk/containers/unordered_map.hpp>

#include <cstdint>

namespace gpu_checks {

void map() {
  using number = std::uint64_t;
  using adding = hpk::UnorderedMapInsertOpTypes<hpk::View<int*, space>>::AtomicAdd;
  const int n = on_gpu(1 << 20, 1 << 10);
  hpk::UnorderedMap<number, int, space> few(1000);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(int i) { few.insert(static_cast<number>(i % 7), 1, adding()); });
  hpk::fence();
  expect_equal("the number of keys", few.size(), 7);
  int inserted = 0;
  hpk::parallel_reduce(
      range(7),
      HPK_LAMBDA(int k, int& sum) {
        const auto at = few.find(static_cast<number>(k));
        if (few.valid_at(at)) sum += few.value_at(at);
      },
      inserted);
  expect_equal("the number of insertions", inserted, n);

  hpk::UnorderedMap<number, int, space> many(static_cast<std::size_t>(n));
  hpk::parallel_for(
      range(n), HPK_LAMBDA(int i) { many.insert(static_cast<number>(i) * 7919u, i); });
  expect_equal("the number of different keys", many.size(), static_cast<std::size_t>(n));
  if (many.failed_insert()) fail("an insertion failed");
}

}  // namespace gpu_checks
