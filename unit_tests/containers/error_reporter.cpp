// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/error_reporter.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace {

struct report {
  int row;
  double value;
};

template <class Exec>
class Reporter : public testing::Test {
 public:
  using reporter = hpk::ErrorReporter<report, Exec>;
};
TYPED_TEST_SUITE(Reporter, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class R>
void report_some(const Exec& exec, const R& errors, int n, const hpk::View<int, Exec>& kept) {
  hpk::parallel_for(
      "report", hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        if (errors.add_report(i, {2 * i, 0.5 * i})) hpk::atomic_inc(&kept());
      });
  exec.fence();
}

HPK_TYPED_TEST(Reporter, keeps_reports_with_their_ids) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<int, TypeParam> kept("kept");
    typename TestFixture::reporter errors("errors", 500);
    EXPECT_EQ(errors.capacity(), 500);
    EXPECT_EQ(errors.num_reports(), 0);
    report_some(exec, errors, 300, kept);
    EXPECT_EQ(errors.num_reports(), 300);
    EXPECT_EQ(errors.num_report_attempts(), 300);
    EXPECT_FALSE(errors.full());
    const auto [ids, reports] = errors.get_reports();
    ASSERT_EQ(ids.size(), 300u);
    ASSERT_EQ(reports.size(), 300u);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      ASSERT_EQ(reports[k].row, 2 * ids[k]);
      ASSERT_EQ(reports[k].value, 0.5 * ids[k]);
    }
    auto sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < ids.size(); ++k) ASSERT_EQ(sorted[k], static_cast<int>(k));
    report_some(exec, errors, 300, kept);
    EXPECT_EQ(errors.num_reports(), 500);
    EXPECT_EQ(errors.num_report_attempts(), 600);
    EXPECT_TRUE(errors.full());
    EXPECT_EQ(hpk_test::on_host(kept)(), 500);
    errors.clear();
    EXPECT_EQ(errors.num_report_attempts(), 0);
    EXPECT_TRUE(errors.get_reports().first.empty());
  }
}

HPK_TYPED_TEST(Reporter, keeps_what_fits_when_it_is_resized) {
  const TypeParam exec;
  const hpk::View<int, TypeParam> kept("kept");
  typename TestFixture::reporter errors(10);
  report_some(exec, errors, 25, kept);
  const auto first = errors.get_reports().first;
  errors.resize(20);
  EXPECT_EQ(errors.capacity(), 20);
  EXPECT_EQ(errors.num_reports(), 10);
  EXPECT_EQ(errors.num_report_attempts(), 10);
  EXPECT_EQ(errors.get_reports().first, first);
  report_some(exec, errors, 5, kept);
  EXPECT_EQ(errors.num_reports(), 15);
  errors.resize(4);
  EXPECT_EQ(errors.num_reports(), 4);
  EXPECT_EQ(errors.get_reports().first, std::vector<int>(first.begin(), first.begin() + 4));
  hpk_test::expect_error([&] { errors.resize(-1); },
                         {"hpk::ErrorReporter", "a capacity of -1", "error_reporter.cpp"});
  hpk_test::expect_error([] { typename TestFixture::reporter bad("bad", -3); },
                         {"\"bad\"", "a capacity of -3", "error_reporter.cpp"});
}

HPK_TYPED_TEST(Reporter, has_older_names) {
  const hpk::View<int, TypeParam> kept("kept");
  typename TestFixture::reporter errors("errors", 8);
  report_some(TypeParam(), errors, 9, kept);
  EXPECT_EQ(errors.getCapacity(), 8);
  EXPECT_EQ(errors.getNumReports(), 8);
  EXPECT_EQ(errors.getNumReportAttempts(), 9);
  std::vector<int> ids{1, 2};
  std::vector<report> reports;
  errors.getReports(ids, reports);
  ASSERT_EQ(ids.size(), 8u);
  EXPECT_EQ(reports[3].row, 2 * ids[3]);
  typename hpk::View<int*, typename TypeParam::device_type>::host_mirror_type id_view;
  typename hpk::View<report*, typename TypeParam::device_type>::host_mirror_type report_view;
  errors.getReports(id_view, report_view);
  ASSERT_EQ(id_view.extent(0), 8u);
  EXPECT_EQ(id_view(7), ids[7]);
  EXPECT_EQ(report_view(7).row, reports[7].row);
}

template <class Exec>
class ReporterOnHost : public testing::Test {};
TYPED_TEST_SUITE(ReporterOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ReporterOnHost, takes_reports_of_many_threads) {
  hpk::ErrorReporter<int, TypeParam> errors("errors", 1600);
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&errors, t] {
      for (int k = 0; k < 100; ++k) errors.add_report(t, k);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors.num_reports(), 1600);
  EXPECT_TRUE(errors.full());
}

// Random calls, compared with a vector of the reports.
TEST(ReporterModel, keeps_the_first_reports) {
  std::mt19937 random(3);
  for (int sequence = 0; sequence < hpk_test::random_sequences; ++sequence) {
    int capacity = static_cast<int>(random() % 4);
    hpk::ErrorReporter<int, hpk::Serial> errors("errors", capacity);
    std::vector<int> model;
    int attempts = 0;
    for (int step = 0; step < 6; ++step) {
      const auto what = random() % 8;
      if (what < 6) {
        const bool kept = attempts < capacity;
        ASSERT_EQ(errors.add_report(sequence, step), kept) << sequence;
        if (kept) model.push_back(step);
        ++attempts;
      } else if (what == 6) {
        errors.clear();
        model.clear();
        attempts = 0;
      } else {
        const int size = static_cast<int>(random() % 4);
        errors.resize(size);
        const int kept = std::min(static_cast<int>(model.size()), size);
        if (size > capacity || kept < size) attempts = kept;
        capacity = size;
        model.resize(static_cast<std::size_t>(kept));
      }
      ASSERT_EQ(errors.num_reports(), static_cast<int>(model.size())) << sequence;
      ASSERT_EQ(errors.full(), attempts >= capacity) << sequence;
    }
    ASSERT_EQ(errors.get_reports().second, model) << sequence;
  }
}

}  // namespace
