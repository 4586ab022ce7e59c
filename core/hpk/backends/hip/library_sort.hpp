// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's radix sort, if its headers are installed. Compiled, never run yet.
#pragma once

#include <hpk/backends/gpu/library_call.hpp>
#include <hpk/backends/hip/hip.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/seam/library_sort.hpp>

#if HPK_HAS_HIP_COMPILER && __has_include(<rocprim/device/device_radix_sort.hpp>)
#include <hip/hip_runtime.h>
#include <rocprim/device/device_radix_sort.hpp>

#include <cstddef>
#include <string>

namespace hpk::seam {

template <>
struct library_sort<HIP> {
  static constexpr bool is_known = true;
  static constexpr bool sorts_segments = false;

  template <bool Descending, class Key>
  static void sort(const HIP& exec, sort_buffers<Key>& keys, index_t n, int first_bit,
                   int end_bit) {
    rocprim::double_buffer<Key> both(keys.elements, keys.spare);
    const auto first = static_cast<unsigned>(first_bit);
    const auto end = static_cast<unsigned>(end_bit);
    run(exec, [&](void* space, std::size_t& bytes) {
      if constexpr (Descending) {
        return rocprim::radix_sort_keys_desc(space, bytes, both, static_cast<std::size_t>(n), first,
                                             end, exec.hip_stream());
      } else {
        return rocprim::radix_sort_keys(space, bytes, both, static_cast<std::size_t>(n), first, end,
                                        exec.hip_stream());
      }
    });
    keys = {both.current(), both.alternate()};
  }
  template <bool Descending, class Key, class Value>
  static void sort_pairs(const HIP& exec, sort_buffers<Key>& keys, sort_buffers<Value>& values,
                         index_t n, int first_bit, int end_bit) {
    rocprim::double_buffer<Key> both(keys.elements, keys.spare);
    rocprim::double_buffer<Value> both_values(values.elements, values.spare);
    const auto first = static_cast<unsigned>(first_bit);
    const auto end = static_cast<unsigned>(end_bit);
    run(exec, [&](void* space, std::size_t& bytes) {
      if constexpr (Descending) {
        return rocprim::radix_sort_pairs_desc(space, bytes, both, both_values,
                                              static_cast<std::size_t>(n), first, end,
                                              exec.hip_stream());
      } else {
        return rocprim::radix_sort_pairs(space, bytes, both, both_values,
                                         static_cast<std::size_t>(n), first, end,
                                         exec.hip_stream());
      }
    });
    keys = {both.current(), both.alternate()};
    values = {both_values.current(), both_values.alternate()};
  }

 private:
  template <class Call>
  static void run(const HIP& exec, const Call& call) {
    gpu::call_with_workspace(exec.instance(), [&](void* space, std::size_t& bytes) {
      const hipError_t error = call(space, bytes);
      if (error == hipSuccess) return;
      static_cast<void>(hipGetLastError());
      detail::raise(std::string("hpk::HIP: a sort of rocPRIM failed: ") + hipGetErrorString(error));
    });
  }
};

}  // namespace hpk::seam
#endif
