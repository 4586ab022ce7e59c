// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CrsMatrix: a sparse matrix in compressed row storage whose rows are distributed over ranks, and
// its product with a vector. The bits of the product do not depend on the number of ranks.
#pragma once

#include <hpk/mpi/import.hpp>

#include <hpk/core.hpp>
#include <hpk/math.hpp>

#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk::mpi {

namespace detail {

/// The rows of this rank with global columns, on the host: row i has the entries row_map(i), ...,
/// row_map(i + 1) - 1.
struct global_rows {
  View<const index_t*, HostSpace> row_map;
  View<const index_t*, HostSpace> columns;
};
/// Returns what is wrong with the rows of this rank; empty if they are valid. Fills `ghosts` with
/// the columns that other ranks own, sorted and without duplicates.
std::string fault_of_rows(const Distribution& rows, const Distribution& columns,
                          const global_rows& given, index_t values, std::vector<index_t>& ghosts);
/// The same rows with local columns: first the columns that this rank owns, then the ghosts.
struct local_rows {
  std::vector<int> columns;
  std::vector<int> without_ghosts, with_ghosts;  // rows
};
local_rows make_local(const Distribution& columns, std::span<const index_t> ghosts,
                      const global_rows& given);

#ifdef __FP_FAST_FMA
inline constexpr bool has_fused_multiply_add = true;
#else
inline constexpr bool has_fused_multiply_add = false;
#endif
/// Returns sum + a * b. Where the processor has a fused multiply-add, as GPUs have, compilers may
/// use it or not, and may decide differently in two kernels that compute the same row. There this
/// function always uses it, so all kernels give the same bits.
template <class T>
HPK_INLINE_FUNCTION T add_product(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    HPK_IF_ON_DEVICE((return hpk::fma(a, b, sum);))
    if constexpr (has_fused_multiply_add) return hpk::fma(a, b, sum);
  }
  return sum + a * b;
}

template <class T, class Mem>
struct matrix_parts {
  View<const index_t*, Mem> row_map;
  View<const T*, Mem> values;
  View<int*, Mem> columns;                      // local
  View<int*, Mem> without_ghosts, with_ghosts;  // rows
  View<T*, Mem> ghosts;
};

/// Computes y(i) = (A x)(i) for the listed rows. Rows with and without ghosts use the same kernel.
template <class Exec, class T, class Mem, class X, class Y>
void multiply_rows(const Exec& exec, const matrix_parts<T, Mem>& a, const View<int*, Mem>& rows,
                   const X& x, const Y& y) {
  if (rows.extent(0) == 0) return;
  const View<const T*, Mem> ghosts = a.ghosts;
  const auto row_map = a.row_map;
  const auto values = a.values;
  const View<const int*, Mem> columns = a.columns;
  const int owned = x.extent_int(0);
  parallel_for(
      "hpk::mpi::multiply", RangePolicy<Exec>(exec, 0, rows.extent(0)), HPK_LAMBDA(index_t k) {
        const int i = rows(k);
        T sum{};
        const index_t end = row_map(i + 1);
        for (index_t entry = row_map(i); entry < end; ++entry) {
          const int j = columns(entry);
          sum = add_product<T>(sum, values(entry), j < owned ? x(j) : ghosts(j - owned));
        }
        y(i) = sum;
      });
}

/// Returns a View in memory space Mem with a copy of the elements.
template <class Mem, class T>
View<T*, Mem> copy_to(const char* label, const std::vector<T>& elements) {
  const View<T*, Mem> result(view_alloc(WithoutInitializing, label), elements.size());
  deep_copy(result, View<const T*, HostSpace>(elements.data(), elements.size()));
  return result;
}

}  // namespace detail

/// A sparse matrix in compressed row storage, distributed by rows: each rank has the rows that a
/// Distribution assigns to it. A handle: copies are the same matrix.
///
/// The matrix refers to the Views of row_map and values it is made from without copying them, so
/// kernels may change values between products. Additional memory, without its Import: 4 bytes for
/// each entry and row, and one element for each ghost.
///
/// Threads: one at a time.
///
/// \tparam T type of the elements, trivially copyable, with + and *
/// \tparam Space execution space, memory space or Device that has the matrix and computes its
/// products
template <class T, class Space = DefaultExecutionSpace>
class CrsMatrix {
 public:
  using value_type = T;                                         ///< the type of the elements
  using memory_space = typename View<T*, Space>::memory_space;  ///< has the matrix

  /// A null handle; only assignment is allowed.
  CrsMatrix() = default;
  /// Makes a matrix from the rows of this rank. Row i has the entries row_map(i), ..., row_map(i +
  /// 1) - 1, each with a global column and a value, in any order. Products add the entries in this
  /// order; entries with the same column add up. `columns` distributes the vectors that the matrix
  /// is multiplied by, `rows` the products. Collective; makes the Import.
  ///
  /// Throws hpk::error (on all ranks in communicators that check messages) if row_map does not have
  /// one element more than this rank has rows, does not begin with 0, descends, or does not end
  /// with the number of columns and values; if a column is not in the distribution; or if a rank
  /// has more than 2^31 - 1 columns with its ghosts, or more than 2^31 - 2 rows.
  CrsMatrix(const Distribution& rows, const Distribution& columns,
            const View<const index_t*, memory_space>& row_map,
            const View<const index_t*, memory_space>& global_columns,
            const View<const T*, memory_space>& values,
            const std::source_location& where = std::source_location::current()) {
    const detail::call what = detail::about("hpk::mpi::CrsMatrix", global_columns,
                                            detail::not_given, detail::not_given, where);
    fence("hpk::mpi::CrsMatrix: before the rows are read");
    const detail::global_rows given{create_mirror_view_and_copy(HostSpace(), row_map),
                                    create_mirror_view_and_copy(HostSpace(), global_columns)};
    std::vector<index_t> ghosts;
    const std::string fault =
        detail::fault_of_rows(rows, columns, given, static_cast<index_t>(values.extent(0)), ghosts);
    detail::expect_agreement(rows.communicator(), what,
                             {.type = type_name<T>(), .count = rows.size()}, fault);
    state_ = std::make_shared<state>();
    state_->rows = rows;
    const View<const index_t*, HostSpace> needed(ghosts.data(), ghosts.size());
    state_->import = Import<memory_space>(columns, needed, where);
    const detail::local_rows local = detail::make_local(columns, state_->import.ghosts(), given);
    detail::matrix_parts<T, memory_space>& parts = state_->parts;
    parts.row_map = row_map;
    parts.values = values;
    parts.columns = detail::copy_to<memory_space>("hpk::mpi::CrsMatrix: columns", local.columns);
    parts.without_ghosts =
        detail::copy_to<memory_space>("hpk::mpi::CrsMatrix: rows", local.without_ghosts);
    parts.with_ghosts =
        detail::copy_to<memory_space>("hpk::mpi::CrsMatrix: rows with ghosts", local.with_ghosts);
    parts.ghosts =
        View<T*, memory_space>("hpk::mpi::CrsMatrix: ghosts", state_->import.ghosts().size());
  }
  /// Makes a matrix whose rows and columns have the same distribution.
  CrsMatrix(const Distribution& rows, const View<const index_t*, memory_space>& row_map,
            const View<const index_t*, memory_space>& global_columns,
            const View<const T*, memory_space>& values,
            const std::source_location& where = std::source_location::current())
      : CrsMatrix(rows, rows, row_map, global_columns, values, where) {}

  /// Return the distribution of the rows and products, and of the columns and factors.
  ///@{
  const Distribution& rows() const noexcept { return state_->rows; }
  const Distribution& columns() const noexcept { return state_->import.distribution(); }
  ///@}
  /// Returns the Import that products use to exchange ghosts.
  const Import<memory_space>& import() const noexcept { return state_->import; }
  /// Return the Views from which the matrix was made.
  ///@{
  const View<const index_t*, memory_space>& row_map() const noexcept {
    return state_->parts.row_map;
  }
  const View<const T*, memory_space>& values() const noexcept { return state_->parts.values; }
  ///@}
  /// Returns the number of rows of this rank that have entries in columns of other ranks.
  int num_rows_with_ghosts() const noexcept { return state_->parts.with_ghosts.extent_int(0); }

 private:
  template <class U, class S, ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
  friend void multiply(const Exec& exec, const CrsMatrix<U, S>& a, const View<D, Ps...>& x,
                       const View<E, Qs...>& y, const std::source_location& where);

  struct state {
    Distribution rows;
    Import<memory_space> import;
    detail::matrix_parts<T, memory_space> parts;
  };
  detail::import_state<memory_space>& exchange() const { return *state_->import.state_; }

  std::shared_ptr<state> state_;
};

/// Computes y = A x. Each rank has its part of x by the distribution of columns, and its part of y
/// by the distribution of rows. Runs after work launched earlier in the instance; work launched
/// there later runs after it. Collective. Computes the rows without ghosts while the messages of
/// the ghosts travel.
///
/// Adds the entries of each row in their order, so y has the same bits on any number of ranks.
///
/// Throws hpk::error (on all ranks in communicators that check messages) if x or y does not have
/// the number of elements of this rank's part, if they overlap, or if an exchange of the Import is
/// under way. If a kernel throws, no exchange stays under way on any rank, and y is unspecified.
///
/// Threads: one product of a matrix at a time. All products use the same instance; fence it before
/// using another one.
template <class T, class Space, ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
void multiply(const Exec& exec, const CrsMatrix<T, Space>& a, const View<D, Ps...>& x,
              const View<E, Qs...>& y,
              const std::source_location& where = std::source_location::current()) {
  using from = View<D, Ps...>;
  using to = View<E, Qs...>;
  static_assert(from::rank() == 1 && to::rank() == 1,
                "hpk::mpi::multiply: both vectors are Views of rank 1");
  static_assert(std::is_same_v<typename from::non_const_value_type, T> &&
                    std::is_same_v<typename to::value_type, T>,
                "hpk::mpi::multiply: both vectors have the element type of the matrix, and the "
                "product is not const");
  static_assert(
      detail::accept_exchanged<Exec, typename CrsMatrix<T, Space>::memory_space, from, to>());
  static_assert(SpaceAccessibility<Exec, typename to::memory_space>::accessible,
                "hpk::mpi::multiply: kernels of the instance write the product; use a View in "
                "memory that they reach");
  const detail::call what =
      detail::about("hpk::mpi::multiply", x, detail::not_given, detail::not_given, where);
  auto& exchange = a.exchange();
  const auto& parts = a.state_->parts;
  std::string fault = detail::fault_of_exchange(exchange, x, parts.ghosts);
  if (fault.empty()) {
    error_message why;
    if (static_cast<index_t>(y.extent(0)) != a.rows().count()) {
      why << "the View \"" << y.label() << "\" for the product has " << y.extent(0)
          << " elements; this rank has " << a.rows().count() << " rows";
    } else if (detail::overlap(x, y)) {
      why << "the View \"" << y.label() << "\" for the product overlaps it";
    }
    fault = why.str();
  }
  detail::expect_agreement(a.rows().communicator(), what, {.type = type_name<T>()}, fault);
  detail::begin_exchange(exchange, exec, x, parts.ghosts, what);
  detail::work_meanwhile(exchange,
                         [&] { detail::multiply_rows(exec, parts, parts.without_ghosts, x, y); });
  detail::end_exchange(exchange, what);
  detail::multiply_rows(exec, parts, parts.with_ghosts, x, y);
}

}  // namespace hpk::mpi
