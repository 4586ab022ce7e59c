// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's radix sort, which reads and writes each key once for every eight bits (D. Merrill, A.
// Grimshaw, High performance and scalable radix sorting, 2011), and its sort of segments, each by
// one warp or block. Part of the CUDA toolkit.
#pragma once

#include <hpk/backends/cuda/cuda.hpp>
#include <hpk/backends/gpu/library_call.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/seam/library_sort.hpp>

#if HPK_HAS_CUDA_COMPILER && __has_include(<cub/device/device_radix_sort.cuh>)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <cstddef>
#include <string>

namespace hpk::seam {

template <>
struct library_sort<Cuda> {
  static constexpr bool is_known = true;
  static constexpr bool sorts_segments = true;

  template <bool Descending, class Key>
  static void sort(const Cuda& exec, sort_buffers<Key>& keys, index_t n, int first_bit,
                   int end_bit) {
    cub::DoubleBuffer<Key> both(keys.elements, keys.spare);
    run(exec, [&](void* space, std::size_t& bytes) {
      if constexpr (Descending) {
        return cub::DeviceRadixSort::SortKeysDescending(space, bytes, both, n, first_bit, end_bit,
                                                        exec.cuda_stream());
      } else {
        return cub::DeviceRadixSort::SortKeys(space, bytes, both, n, first_bit, end_bit,
                                              exec.cuda_stream());
      }
    });
    keys = {both.Current(), both.Alternate()};
  }
  template <bool Descending, class Key, class Value>
  static void sort_pairs(const Cuda& exec, sort_buffers<Key>& keys, sort_buffers<Value>& values,
                         index_t n, int first_bit, int end_bit) {
    cub::DoubleBuffer<Key> both(keys.elements, keys.spare);
    cub::DoubleBuffer<Value> both_values(values.elements, values.spare);
    run(exec, [&](void* space, std::size_t& bytes) {
      if constexpr (Descending) {
        return cub::DeviceRadixSort::SortPairsDescending(space, bytes, both, both_values, n,
                                                         first_bit, end_bit, exec.cuda_stream());
      } else {
        return cub::DeviceRadixSort::SortPairs(space, bytes, both, both_values, n, first_bit,
                                               end_bit, exec.cuda_stream());
      }
    });
    keys = {both.Current(), both.Alternate()};
    values = {both_values.Current(), both_values.Alternate()};
  }

  template <bool Descending, class Key>
  static void sort_segments(const Cuda& exec, sort_buffers<Key>& keys, index_t n,
                            const index_t* offsets, index_t segments) {
    cub::DoubleBuffer<Key> both(keys.elements, keys.spare);
    run(exec, [&](void* space, std::size_t& bytes) {
      if constexpr (Descending) {
        return cub::DeviceSegmentedSort::SortKeysDescending(
            space, bytes, both, n, segments, offsets, offsets + 1, exec.cuda_stream());
      } else {
        return cub::DeviceSegmentedSort::SortKeys(space, bytes, both, n, segments, offsets,
                                                  offsets + 1, exec.cuda_stream());
      }
    });
    keys = {both.Current(), both.Alternate()};
  }

 private:
  template <class Call>
  static void run(const Cuda& exec, const Call& call) {
    gpu::call_with_workspace(exec.instance(),
                             [&](void* space, std::size_t& bytes) { expect(call(space, bytes)); });
  }
  static void expect(cudaError_t error) {
    if (error == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    detail::raise(std::string("hpk::Cuda: a sort of CUB failed: ") + cudaGetErrorString(error));
  }
};

}  // namespace hpk::seam
#endif
