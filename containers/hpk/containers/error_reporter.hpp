// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ErrorReporter: kernels report errors, each report with the id of its reporter. The host reads the
// first reports, up to the capacity.
#pragma once

#include <hpk/core.hpp>

#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk {

namespace detail {
/// Throws hpk::error: the number of reports is negative.
[[noreturn]] void reject_report_capacity(const std::string& label, int capacity,
                                         const std::source_location& where);
}  // namespace detail

/// Reports of kernels of Device: pairs of an int and a trivially copyable ReportType. Copies share
/// the reports; a kernel captures a copy.
///
/// Threads: any number of lanes may call add_report() at the same time. The other functions are
/// called by the host while no kernel reports; they wait for all work.
template <class ReportType, class DeviceType = typename DefaultExecutionSpace::device_type>
class ErrorReporter {
 public:
  /// Type of a report, and the place of the reports.
  ///@{
  using report_type = ReportType;
  using device_type = typename View<int, DeviceType>::device_type;
  using execution_space = typename device_type::execution_space;
  ///@}
  static_assert(!std::is_const_v<ReportType> && std::is_trivially_copyable_v<ReportType>,
                "hpk::ErrorReporter: reports are copied as bytes; write a trivially copyable, "
                "non-const type");

  /// Allocates memory for `size` reports. Throws hpk::error if `size` is negative.
  ///@{
  explicit ErrorReporter(const std::string& label, int size,
                         const std::source_location& where = std::source_location::current())
      : attempts_(label + "_attempts"),
        ids_(label + "_ids", checked(label, size, where)),
        reports_(label, size) {}
  explicit ErrorReporter(int size,
                         const std::source_location& where = std::source_location::current())
      : ErrorReporter("ErrorReporter", size, where) {}
  ///@}

  /// Adds a report. Returns false if the reporter is full; the attempt is counted nevertheless.
  HPK_FUNCTION bool add_report(int reporter_id, const report_type& report) const {
    const int slot = atomic_fetch_add(&attempts_(), 1);
    if (slot < 0 || slot >= capacity()) return false;
    ids_(slot) = reporter_id;
    reports_(slot) = report;
    return true;
  }

  /// The largest number of reports.
  HPK_FUNCTION int capacity() const { return static_cast<int>(reports_.extent(0)); }
  /// The number of reports stored.
  int num_reports() const { return hpk::min(num_report_attempts(), capacity()); }
  /// The number of calls of add_report() since construction or clear(), at most the largest int.
  int num_report_attempts() const {
    fence("hpk::ErrorReporter: reports are complete");
    return create_mirror_view_and_copy(HostSpace(), attempts_)();
  }
  /// Whether the next report would be dropped.
  bool full() const { return num_report_attempts() >= capacity(); }

  /// The ids and reports, in the order of arrival.
  std::pair<std::vector<int>, std::vector<report_type>> get_reports() const {
    std::pair<std::vector<int>, std::vector<report_type>> result;
    getReports(result.first, result.second);
    return result;
  }
  /// Removes all reports.
  void clear() const { deep_copy(attempts_, 0); }
  /// Changes the capacity and keeps the reports that fit. Copies made earlier, for example by
  /// kernels, keep the old reports. Throws hpk::error if `size` is negative.
  void resize(int size, const std::source_location& where = std::source_location::current()) {
    checked(reports_.label(), size, where);
    const int remaining = hpk::min(num_reports(), size);
    const int before = capacity();
    hpk::resize(ids_, size);
    hpk::resize(reports_, size);
    // Attempts that did not fit do not count as reports in the new slots.
    if (size > before || remaining < size) deep_copy(attempts_, remaining);
  }

  /// @{
  /// The functions under their names in older versions of Kokkos.
  HPK_FUNCTION int getCapacity() const { return capacity(); }
  int getNumReports() const { return num_reports(); }
  int getNumReportAttempts() const { return num_report_attempts(); }
  void getReports(std::vector<int>& ids, std::vector<report_type>& reports) const {
    copy_out(ids_, ids);
    copy_out(reports_, reports);
  }
  /// Copies to Views in host memory, which are allocated with the number of reports as extent.
  void getReports(typename View<int*, device_type>::host_mirror_type& ids,
                  typename View<report_type*, device_type>::host_mirror_type& reports) const {
    const auto n = static_cast<std::size_t>(num_reports());
    const std::pair<std::size_t, std::size_t> range(std::size_t{0}, n);
    ids = typename View<int*, device_type>::host_mirror_type("reporters", n);
    reports = typename View<report_type*, device_type>::host_mirror_type("reports", n);
    deep_copy(ids, subview(ids_, range));
    deep_copy(reports, subview(reports_, range));
  }
  /// @}

 private:
  static int checked(const std::string& label, int size, const std::source_location& where) {
    if (size < 0) detail::reject_report_capacity(label, size, where);
    return size;
  }
  template <class V, class T>
  void copy_out(const V& from, std::vector<T>& to) const {
    const auto n = static_cast<std::size_t>(num_reports());
    to.clear();
    if (n == 0) return;
    const auto mirror = create_mirror_view_and_copy(HostSpace(), from);
    to.reserve(n);
    for (std::size_t k = 0; k < n; ++k) to.push_back(mirror(k));
  }

  View<int, device_type> attempts_;
  View<int*, device_type> ids_;
  View<report_type*, device_type> reports_;
};

}  // namespace hpk
