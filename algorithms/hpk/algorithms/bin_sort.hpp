// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BinSort distributes elements to bins by their keys and permutes any number of Views accordingly.
// It is a stable counting sort: elements of a bin keep their order, for any number of workers, and
// crowded bins cost no more than others. Optionally it sorts the keys of each bin.
#pragma once

#include <hpk/algorithms/detail/bin_dealing.hpp>

namespace hpk {

/// Distributes the keys [begin, end) of a View to bins, and permutes Views accordingly:
///   hpk::BinSort<Keys, Op> sorter(keys, op);  sorter.create_permute_vector(); sorter.sort(values);
///
/// BinOp: a bin operation, callable on the execution space. bin(keys, i) returns a bin from 0 to
/// max_bins() - 1. operator()(keys, i, j) returns whether key i comes before key j of the same bin;
/// it is only called with `sort_within_bins`. Space: the execution space, memory space or Device of
/// the results. SizeType: an integer that holds the number of keys. CountType: an integer that
/// holds the number of keys of one bin; by default it is int in programs of the drop-in for Kokkos.
/// An instance may belong to any execution space that can access keys and results. Calls without an
/// instance run on Space.
///
/// The order is stable: elements of a bin stay in the order of their indices. bin() is called once
/// for each key, and once more if a bin does not exist. BinSort allocates memory for the
/// permutation, on hosts 4 or 8 additional bytes for each key, and a copy of each View while the
/// View is sorted. Calls block. Only one thread at a time may use an object.
template <class KeyView, class BinOp, class Space = typename KeyView::device_type,
          class SizeType = typename KeyView::memory_space::size_type,
          class CountType = std::conditional_t<HPK_PERMISSIVE, int, SizeType>>
class BinSort {
 public:
  /// Template arguments, and the types of the results: offset_type of the permutation and of the
  /// offsets of bins, bin_count_type of the sizes of bins.
  ///@{
  using execution_space = typename Space::execution_space;
  using memory_space = typename Space::memory_space;
  using bin_op_type = BinOp;
  using const_key_view_type = typename KeyView::const_type;
  using size_type = SizeType;
  using value_type = SizeType;
  using offset_type = View<SizeType*, Device<execution_space, memory_space>>;
  using bin_count_type = View<const CountType*, Device<execution_space, memory_space>>;
  ///@}

  /// @cond internal
  /// Copies element i to element i + offset of dst.
  template <class Dst, class Src>
  struct copy_functor {
    Dst dst;
    Src src;
    index_t offset;
    copy_functor(index_t dst_offset, const Dst& to, const Src& from)
        : dst(to), src(from), offset(dst_offset) {}
    HPK_CALLS_EITHER
    HPK_FUNCTION void operator()(index_t i) const {
      detail::sorting::copy_slice(dst, i + offset, src, i);
    }
  };
  /// Copies element permutation(i) + offset to element i of dst.
  template <class Dst, class Permutation, class Src>
  struct copy_permute_functor {
    Dst dst;
    Permutation permutation;
    Src src;
    index_t offset;
    copy_permute_functor(const Dst& to, const Permutation& places, const Src& from,
                         index_t src_offset)
        : dst(to), permutation(places), src(from), offset(src_offset) {}
    HPK_CALLS_EITHER
    HPK_FUNCTION void operator()(index_t i) const {
      detail::sorting::copy_slice(dst, i, src, static_cast<index_t>(permutation(i)) + offset);
    }
  };
  /// @endcond

  /// Makes an object without keys and bins, to be assigned later.
  BinSort() = default;
  /// Prepares the sort of the keys [begin, end).
  ///
  /// Errors: hpk::error if [begin, end) is not a range of the keys, or if there are no bins.
  ///@{
  template <ExecutionSpace Exec>
  BinSort(const Exec& exec, const const_key_view_type& keys, index_t begin, index_t end,
          const BinOp& op, bool sort_within_bins = false,
          const std::source_location& where = std::source_location::current())
      : keys_(keys), begin_(begin), end_(end), op_(op), sort_within_bins_(sort_within_bins) {
    static_assert(reaches<Exec, typename KeyView::memory_space>,
                  "hpk::BinSort: kernels of the execution space can't access the keys; write a "
                  "Space that can as third argument, or none");
    static_assert(reaches<Exec, memory_space>,
                  "hpk::BinSort: kernels of the execution space can't access the results; write a "
                  "Space that it can access as third argument");
    detail::sorting::expect_range("hpk::BinSort", keys, begin, end, where);
    const auto bins = static_cast<index_t>(op.max_bins());
    if (bins < 1) detail::sorting::reject_bin_count("hpk::BinSort", bins, where);
    counts_ = count_type(view_alloc(exec, "hpk::BinSort: counts"), bins);
    offsets_ = offset_type(view_alloc(exec, "hpk::BinSort: offsets"), bins);
  }
  BinSort(const const_key_view_type& keys, index_t begin, index_t end, const BinOp& op,
          bool sort_within_bins = false,
          const std::source_location& where = std::source_location::current())
      : BinSort(detail::sorting::default_instance<execution_space>(), keys, begin, end, op,
                sort_within_bins, where) {}
  ///@}
  /// Prepares the sort of all keys.
  ///@{
  template <ExecutionSpace Exec>
  BinSort(const Exec& exec, const const_key_view_type& keys, const BinOp& op,
          bool sort_within_bins = false,
          const std::source_location& where = std::source_location::current())
      : BinSort(exec, keys, 0, static_cast<index_t>(keys.extent(0)), op, sort_within_bins, where) {}
  BinSort(const const_key_view_type& keys, const BinOp& op, bool sort_within_bins = false,
          const std::source_location& where = std::source_location::current())
      : BinSort(detail::sorting::default_instance<execution_space>(), keys, op, sort_within_bins,
                where) {}
  ///@}

  /// Computes the bins of all keys, and the permutation. Without an instance it first waits for
  /// all instances.
  ///
  /// Errors: hpk::error that names the first key whose bin does not exist. After an error there is
  /// no permutation.
  ///@{
  template <ExecutionSpace Exec>
  void create_permute_vector(const Exec& exec,
                             const std::source_location& where = std::source_location::current()) {
    const index_t n = end_ - begin_;
    const auto bins = static_cast<index_t>(op_.max_bins());
    offset_type places(view_alloc(exec, "hpk::BinSort: permutation", WithoutInitializing), n);
    route_type route;
    places_ = {};
    route_ = {};
    bool found = true;
    bool dealt = false;
    if constexpr (detail::sorting::sorts_on_host<Exec>) {
      constexpr index_t most = 0xffffffff;
      if (n <= most && bins <= most) {
        dealt = true;
        detail::sorting::bin_dealer<Exec, const_key_view_type, BinOp, offset_type, count_type>
            dealer(exec, keys_, op_, begin_, n, sort_within_bins_, places.data(), offsets_,
                   counts_);
        found = dealer.deal(route);
      }
    }
    if (!dealt)
      found = detail::sorting::sort_bins(exec, keys_, op_, begin_, end_, sort_within_bins_,
                                         detail::sorting::row_of_memory_of<Exec>(places), offsets_,
                                         counts_);
    if (!found) detail::sorting::report_wrong_bin(exec, keys_, op_, begin_, end_, bins, where);
    route_ = route;
    places_ = places;
    exec.fence("hpk::BinSort: fence after the permutation");
  }
  void create_permute_vector(const std::source_location& where = std::source_location::current()) {
    hpk::fence("hpk::BinSort: fence before");
    create_permute_vector(detail::sorting::default_instance<execution_space>(), where);
  }
  ///@}

  /// Permutes elements [begin, end) of a View of any rank along its first dimension: element i of
  /// this range becomes the element that belonged to the i-th key of the permutation. Without a
  /// range all elements are permuted. Without an instance it first waits for all instances.
  ///
  /// Errors: hpk::error if the numbers of elements and keys differ, or if create_permute_vector()
  /// was not called.
  ///@{
  template <ExecutionSpace Exec, detail::sorting::sortable_view V>
  void sort(const Exec& exec, const V& values, index_t begin, index_t end,
            const std::source_location& where = std::source_location::current()) const {
    constexpr bool writable = !std::is_const_v<typename V::value_type> && V::rank() > 0;
    static_assert(writable,
                  "hpk::BinSort: only Views of rank 1 and more with non-const elements can be "
                  "permuted");
    constexpr bool reached = reaches<Exec, typename V::memory_space>;
    static_assert(reached,
                  "hpk::BinSort: kernels of the execution space can't access the values; copy them "
                  "to a View that it can access");
    if constexpr (writable && reached) {
      if (HPK_PERMISSIVE && values.extent(0) == 0) return;
      detail::sorting::expect_range("hpk::BinSort::sort", values, begin, end, where);
      const index_t n = end_ - begin_;
      if (n != 0 && !places_.is_allocated()) detail::sorting::reject_no_permutation(where);
      if (end - begin != n)
        detail::sorting::reject_permuted_length(detail::sorting::name_of(keys_), n,
                                                detail::sorting::name_of(values), end - begin,
                                                where);
      if (n == 0) return;
      if (route_.in_order) return;
      const detail::sorting::slices<Exec, V> buffer(exec, values, n);
      const auto& moved = buffer.view();
      using memory = std::remove_cvref_t<decltype(moved)>;
      const RangePolicy<Exec> all(exec, index_t{0}, n);
      if (route_.targets.is_allocated()) {
        parallel_for("hpk::BinSort::sort", all,
                     detail::sorting::send_slices_kernel<memory, V, numbers>{
                         moved, values, route_.targets, begin});
      } else {
        parallel_for(
            "hpk::BinSort::sort", all,
            copy_permute_functor<memory, offset_type, V>(moved, places_, values, begin - begin_));
      }
      if (route_.sources.is_allocated()) {
        parallel_for("hpk::BinSort::sort", all,
                     detail::sorting::fetch_slices_kernel<V, memory, numbers>{
                         values, moved, route_.sources, begin});
      } else {
        parallel_for("hpk::BinSort::sort", all, copy_functor<V, memory>(begin, values, moved));
      }
      exec.fence("hpk::BinSort: fence before memory is freed");
    }
  }
  template <ExecutionSpace Exec, detail::sorting::sortable_view V>
  void sort(const Exec& exec, const V& values,
            const std::source_location& where = std::source_location::current()) const {
    sort(exec, values, 0, static_cast<index_t>(values.extent(0)), where);
  }
  template <detail::sorting::sortable_view V>
  void sort(const V& values, index_t begin, index_t end,
            const std::source_location& where = std::source_location::current()) const {
    hpk::fence("hpk::BinSort: fence before");
    sort(detail::sorting::default_instance<execution_space>(), values, begin, end, where);
  }
  template <detail::sorting::sortable_view V>
  void sort(const V& values,
            const std::source_location& where = std::source_location::current()) const {
    sort(values, 0, static_cast<index_t>(values.extent(0)), where);
  }
  ///@}

  /// Return the results of create_permute_vector(), as Views in the memory of Space: the index of
  /// the key that comes i-th, the position of the first key of each bin in this order, and the
  /// number of keys of each bin.
  ///@{
  HPK_FUNCTION offset_type get_permute_vector() const { return places_; }
  HPK_FUNCTION offset_type get_bin_offsets() const { return offsets_; }
  HPK_FUNCTION bin_count_type get_bin_count() const { return counts_; }
  ///@}

 private:
  using count_type = typename bin_count_type::non_const_type;
  using route_type = detail::sorting::bin_route<Device<execution_space, memory_space>>;
  using numbers = typename route_type::numbers;
  template <class Exec, class Mem>
  static constexpr bool reaches = SpaceAccessibility<Exec, Mem>::accessible;

  const_key_view_type keys_;
  index_t begin_ = 0;
  index_t end_ = 0;
  BinOp op_;
  bool sort_within_bins_ = false;
  offset_type places_;
  offset_type offsets_;
  count_type counts_;
  route_type route_;  // set together with places_ if a host distributed the keys
};

}  // namespace hpk
