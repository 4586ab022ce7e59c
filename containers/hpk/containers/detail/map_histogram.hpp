// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of a hash table: how full its buckets are, and how far keys are from the start of
// their paths.
#pragma once

#include <hpk/containers/detail/map_operations.hpp>

#include <cstdint>
#include <iosfwd>

namespace hpk::detail {

inline constexpr int map_bins = 100;

/// Writes the bins, separated by commas, and a new line.
void print_map_bins(std::ostream& out, const std::uint64_t* bins);

/// Three histograms of 100 bins. The last bin also counts larger values.
template <class Table>
class map_histogram {
 public:
  using bins_view = View<std::uint64_t**, LayoutRight, typename Table::device_type>;

  explicit map_histogram(const Table& table)
      : table_(table), bins_("hpk::UnorderedMap: histogram", 3, map_bins) {}

  /// Adds the current entries of the map. Waits.
  void calculate();
  /// Sets all bins to 0. Waits.
  void clear() { deep_copy(bins_, std::uint64_t{0}); }
  /// Bin k: the number of buckets that hold k keys (at most 8).
  void print_length(std::ostream& out) const { print(out, 0); }
  /// Bin k: the number of keys that are k slots after the first slot of their path.
  void print_distance(std::ostream& out) const { print(out, 1); }
  /// Bin k: the number of keys that are k buckets after the first bucket of their path.
  void print_block_distance(std::ostream& out) const { print(out, 2); }

 private:
  void print(std::ostream& out, int which) const {
    const auto bins = create_mirror_view_and_copy(HostSpace(), bins_);
    print_map_bins(out, &bins(which, 0));
  }

  Table table_;
  bins_view bins_;
};

/// Counts the entries of a bucket.
template <class Table, class Bins>
struct map_histogram_of_bucket {
  Table table;
  Bins bins;
  HPK_FUNCTION void count(int which, std::uint64_t bin) const {
    atomic_add(&bins(which, bin < map_bins ? static_cast<int>(bin) : map_bins - 1),
               std::uint64_t{1});
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t g) const {
    const auto bucket = static_cast<std::uint64_t>(g);
    unsigned bits = table.occupied_slots(bucket);
    count(0, static_cast<unsigned>(hpk::popcount(bits)));
    for (; bits != 0; bits &= bits - 1) {
      const int position = hpk::countr_zero(bits);
      map_path path = table.path_of(
          table.key_at(bucket * Table::slots_per_bucket + static_cast<unsigned>(position)));
      while (path.bucket != bucket && path.next()) {
      }
      const std::uint64_t before = path.passed == table.bucket_count ? 0 : path.passed;
      count(1, before * Table::slots_per_bucket +
                   static_cast<unsigned>(Table::slots_before(path, position)));
      count(2, before);
    }
  }
};

template <class Table>
void map_histogram<Table>::calculate() {
  using exec = typename Table::execution_space;
  fence("hpk::UnorderedMap: histogram");
  parallel_for("hpk::UnorderedMap: histogram", map_range(exec(), table_.visited_buckets()),
               map_histogram_of_bucket<Table, bins_view>{table_, bins_});
  fence("hpk::UnorderedMap: histogram");
}

}  // namespace hpk::detail
