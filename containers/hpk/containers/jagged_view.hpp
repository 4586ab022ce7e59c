// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JaggedView: rows of different lengths in one allocation, which replaces a View of Views. Copies
// are shallow, and rows need no destruction in a certain order.
#pragma once

#include <hpk/core.hpp>

#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk {

namespace detail {

/// Computes the offsets of rows of given lengths: the sum of the lengths before each row, and the
/// total. Counts negative lengths in `wrong`.
template <class Offsets, class Counts>
struct jagged_offsets {
  Offsets offsets;
  Counts counts;
  View<int, typename Offsets::device_type> wrong;
  HPK_FUNCTION void operator()(index_t i, index_t& sum, bool is_final) const {
    if (is_final) offsets(i) = sum;
    if (i >= static_cast<index_t>(counts.extent(0))) return;
    const auto count = static_cast<index_t>(counts(i));
    if (count < 0) {
      if (is_final) atomic_inc(&wrong());
    } else {
      sum += count;
    }
  }
};

/// Stores the length of each row, which f(i) returns.
template <class Counts, class F>
struct jagged_count {
  Counts counts;
  F f;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { counts(i) = static_cast<index_t>(f(i)); }
};
/// Calls f(i, row) for each row.
template <class Jagged, class F>
struct jagged_fill {
  Jagged rows;
  F f;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { f(i, rows.row(i)); }
};

/// Errors: each function throws hpk::error.
[[noreturn]] void reject_jagged_counts(const std::string& label, int wrong,
                                       const std::source_location& where);
[[noreturn]] void reject_jagged_row(const std::string& label, index_t row, index_t rows);
[[noreturn]] void reject_jagged_copy(const std::string& to, index_t to_rows, index_t to_size,
                                     const std::string& from, index_t from_rows, index_t from_size,
                                     const std::source_location& where);

}  // namespace detail

/// Rows of T in the memory of Device; each row has its own length:
///   hpk::JaggedView<double> neighbours("neighbours", counts);  // a View or std::vector of lengths
///   in a kernel: auto row = neighbours.row(i); for (k < row.extent(0)) row(k) = ...;
/// Copies share the values; kernels capture a JaggedView by value. Lengths are fixed. If they are
/// not known in advance, call build(). Values are value-initialised.
///
/// Threads: as for View. Errors: hpk::error with label and call site; in kernels, builds with
/// HPK_CHECKS report rows and indices that are out of range.
template <class T, class DeviceType = DefaultExecutionSpace>
class JaggedView {
 public:
  /// Types of a value, of values() and offsets(), of the place of the values, and of a mirror.
  ///@{
  using value_type = T;
  using non_const_value_type = std::remove_const_t<T>;
  using values_type = View<T*, DeviceType>;
  using execution_space = typename values_type::execution_space;
  using memory_space = typename values_type::memory_space;
  using device_type = typename values_type::device_type;
  using offsets_type = View<const index_t*, device_type>;
  /// A row: a View that does not own its memory, and must not outlive the JaggedView.
  using row_type = View<T*, LayoutRight, device_type, MemoryTraits<Unmanaged>>;
  using host_mirror_type =
      JaggedView<non_const_value_type, typename values_type::host_mirror_type::device_type>;
  ///@}

  /// Makes a JaggedView without rows.
  JaggedView() = default;
  /// Makes rows with the lengths in a rank-1 View that the execution space can access. Throws
  /// hpk::error if a length is negative.
  template <class D, class... Ps>
  JaggedView(const std::string& label, const View<D, Ps...>& lengths,
             const std::source_location& where = std::source_location::current()) {
    static_assert(View<D, Ps...>::rank == 1,
                  "hpk::JaggedView: write a View of rank 1, with the length of each row");
    static_assert(
        SpaceAccessibility<execution_space, typename View<D, Ps...>::memory_space>::accessible,
        "hpk::JaggedView: its execution space can't access the lengths; write "
        "create_mirror_view_and_copy(space, lengths)");
    allocate(label, lengths, where);
  }
  /// The same with lengths in host memory.
  template <class I>
  JaggedView(const std::string& label, const std::vector<I>& lengths,
             const std::source_location& where = std::source_location::current()) {
    const View<const I*, HostSpace, MemoryTraits<Unmanaged>> given(lengths.data(), lengths.size());
    allocate(label, create_mirror_view_and_copy(memory_space(), given), where);
  }
  /// Makes rows from host data: a list of rows.
  template <class U>
  JaggedView(const std::string& label, const std::vector<std::vector<U>>& rows,
             const std::source_location& where = std::source_location::current()) {
    std::vector<index_t> lengths;
    for (const auto& row : rows) lengths.push_back(static_cast<index_t>(row.size()));
    *this = JaggedView(label, lengths, where);
    const auto mirror = create_mirror_view(values_);
    std::size_t k = 0;
    for (const auto& row : rows) {
      for (const U& value : row) mirror(k++) = static_cast<T>(value);
    }
    hpk::deep_copy(values_, mirror);
  }
  /// Shares values and offsets of rows. There is one offset more than rows.
  template <class D, class... Ps, class E, class... Qs>
  JaggedView(const View<D, Ps...>& values, const View<E, Qs...>& offsets)
      : values_(values), offsets_(offsets) {}
  /// Shares the rows of a JaggedView as rows of const values.
  template <class U, class Dev>
    requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
  JaggedView(const JaggedView<U, Dev>& other)
      : values_(other.values()), offsets_(other.offsets()) {}

  /// Builds rows whose lengths a kernel computes, in two passes: count(i) returns the length of row
  /// i < rows, then fill(i, row) sets its values.
  template <class Count, class Fill>
  static JaggedView build(const std::string& label, index_t rows, const Count& count,
                          const Fill& fill,
                          const std::source_location& where = std::source_location::current()) {
    using lengths_type = View<index_t*, device_type>;
    const lengths_type lengths(view_alloc("hpk::JaggedView: lengths", WithoutInitializing), rows);
    const RangePolicy<execution_space, IndexType<index_t>> all(index_t{0}, rows);
    parallel_for("hpk::JaggedView::build: count", all,
                 detail::jagged_count<lengths_type, Count>{lengths, count});
    const JaggedView result(label, lengths, where);
    parallel_for("hpk::JaggedView::build: fill", all,
                 detail::jagged_fill<JaggedView, Fill>{result, fill});
    fence("hpk::JaggedView::build");
    return result;
  }

  /// The values of row i.
  HPK_CALLS_EITHER
  HPK_FUNCTION row_type row(index_t i) const {
    check(i);
    const index_t first = offsets_(i);
    return row_type(values_.data() + first, offsets_(i + 1) - first);
  }
  /// Value k of row i.
  HPK_CALLS_EITHER
  HPK_FUNCTION T& operator()(index_t i, index_t k) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      return row(i)(k);
    } else {
      return values_(offsets_(i) + k);
    }
  }
  /// The length of row i.
  HPK_CALLS_EITHER
  HPK_FUNCTION index_t length(index_t i) const {
    check(i);
    return offsets_(i + 1) - offsets_(i);
  }
  /// The number of rows.
  HPK_FUNCTION index_t num_rows() const {
    return offsets_.extent(0) == 0 ? 0 : static_cast<index_t>(offsets_.extent(0)) - 1;
  }
  /// The number of values in all rows.
  HPK_FUNCTION index_t size() const { return static_cast<index_t>(values_.extent(0)); }
  /// Whether there is memory for rows.
  HPK_FUNCTION bool is_allocated() const { return offsets_.is_allocated(); }
  std::string label() const { return values_.label(); }  ///< Label of the values.
  /// All values in the order of the rows; row i begins at offsets()(i).
  ///@{
  HPK_FUNCTION const values_type& values() const { return values_; }
  HPK_FUNCTION const offsets_type& offsets() const { return offsets_; }
  ///@}

 private:
  template <class Lengths>
  void allocate(const std::string& label, const Lengths& lengths,
                const std::source_location& where) {
    using made_type = View<index_t*, device_type>;
    const auto rows = static_cast<index_t>(lengths.extent(0));
    const made_type made(view_alloc(label + "_offsets", WithoutInitializing), rows + 1);
    const View<int, device_type> wrong("hpk::JaggedView: wrong lengths");
    index_t total = 0;
    parallel_scan("hpk::JaggedView: offsets",
                  RangePolicy<execution_space, IndexType<index_t>>(index_t{0}, rows + 1),
                  detail::jagged_offsets<made_type, Lengths>{made, lengths, wrong}, total);
    fence("hpk::JaggedView: offsets");
    const int found = create_mirror_view_and_copy(HostSpace(), wrong)();
    if (found != 0) detail::reject_jagged_counts(label, found, where);
    offsets_ = made;
    values_ = values_type(label, total);
  }

  HPK_FUNCTION void check([[maybe_unused]] index_t i) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (i < 0 || i >= num_rows()) {
        HPK_IF_ON_HOST((detail::reject_jagged_row(label(), i, num_rows());))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::JaggedView: a row is outside of the number of rows");))
      }
    }
  }

  values_type values_;
  offsets_type offsets_;
};

/// Copies the values between JaggedViews, also between memory spaces. Throws hpk::error if their
/// numbers of rows or values differ.
template <class T, class DevT, class U, class DevU>
void deep_copy(const JaggedView<T, DevT>& to, const JaggedView<U, DevU>& from,
               const std::source_location& where = std::source_location::current()) {
  if (to.num_rows() != from.num_rows() || to.size() != from.size())
    detail::reject_jagged_copy(to.label(), to.num_rows(), to.size(), from.label(), from.num_rows(),
                               from.size(), where);
  deep_copy(to.values(), from.values());
}

/// Gives JaggedViews all forms of create_mirror, create_mirror_view and create_mirror_view_and_copy
/// that Views have. Offsets, which never change, are shared if they are in the memory of the
/// values, else copied.
template <class T, class Dev>
auto mirrors_of(const JaggedView<T, Dev>&) {
  return []<class Mirror>(const JaggedView<T, Dev>& source, const Mirror& mirror) {
    const auto values = mirror(source.values());
    using made = std::remove_const_t<decltype(values)>;
    using value_type = std::conditional_t<Mirror::copies, T, typename made::value_type>;
    return JaggedView<value_type, typename made::device_type>(
        values, create_mirror_view_and_copy(typename made::memory_space(), source.offsets()));
  };
}

}  // namespace hpk
