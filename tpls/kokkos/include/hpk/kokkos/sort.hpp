// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sorts of Kokkos, under the names that hpk also uses: sort, sort_by_key, BinSort with its bin
// operations, and the sorts inside kernels. Also sort of a DynamicView.
#pragma once

#include <Kokkos_Core.hpp>

#include <hpk/algorithms/bin_sort.hpp>
#include <hpk/algorithms/nested_sort.hpp>
#include <hpk/algorithms/sort.hpp>
#include <hpk/algorithms/sort_by_key.hpp>

namespace hpk {

template <class DataType, class... Properties>
class DynamicView;

namespace kokkos {
/// The elements of a DynamicView from `begin` on, for sorts that take iterators.
template <class V>
struct chunked_elements {
  using value_type = typename V::non_const_value_type;
  V view;
  index_t first = 0;
  index_t operator-(const chunked_elements& other) const { return first - other.first; }
  HPK_CALLS_EITHER
  HPK_FUNCTION typename V::reference_type operator[](index_t i) const { return view(first + i); }
};
}  // namespace kokkos

/// Sorts elements [begin, end) of a DynamicView in ascending order, in order with other work of the
/// instance.
template <ExecutionSpace Exec, class D, class... Ps>
void sort(const Exec& exec, const DynamicView<D, Ps...>& view, index_t begin, index_t end) {
  using elements = kokkos::chunked_elements<DynamicView<D, Ps...>>;
  hpk::sort(exec, elements{view, begin}, elements{view, end});
}
/// As above, on the default instance, after a fence of all spaces.
template <class D, class... Ps>
void sort(const DynamicView<D, Ps...>& view, index_t begin, index_t end) {
  const typename DynamicView<D, Ps...>::execution_space exec;
  hpk::fence("hpk::sort: fence before");
  sort(exec, view, begin, end);
  exec.fence("hpk::sort: fence after");
}

}  // namespace hpk
