// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting, an execution space that counts fences. Its machine declares that launches may return
// before the work is done, so the library must call every promised fence:
//   const fence_counts counts(exec);
//   ...
//   EXPECT_EQ(counts.of_instance(), 1);
// Kernels run inline on the calling thread. One test at a time.
#pragma once

#include <hpk/tools/started_backends.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <cstdint>

namespace hpk_test {

/// An execution space that runs kernels on the calling thread and counts fences.
class Counting : public hpk::host::space<Counting> {
 public:
  /// The default instance.
  Counting() = default;
  /// A new instance.
  explicit Counting(hpk::NewInstance);
  /// "Counting"
  static constexpr const char* name() noexcept { return "Counting"; }
};

}  // namespace hpk_test

namespace hpk::seam {

/// The machine of Counting. It uses the lane, workspace, copy and fill of host spaces.
template <>
class machine<hpk_test::Counting> : public host::machine {
 public:
  static constexpr bool synchronous = false;

  machine() { register_backend(&machine::fence_all); }
  machine_properties properties() const noexcept { return {.name = hpk_test::Counting::name()}; }

  template <class Body>
  void launch(const shape& shape, const Body& body, const launch_info& info) {
    const kernel_scope scope(info);
    for (index_t group = 0; group < shape.groups; ++group) {
      host::lane self(group, shape.groups, nullptr, nullptr);
      body(self);
    }
  }
  void fence() noexcept {
    ++fences;
    ++all_instance_fences;
  }
  static void fence_all() noexcept { ++global_fences; }

  static machine& default_instance() {
    static machine& only = *new machine;
    return only;
  }
  static void start(const settings&) {}
  static void stop() noexcept {}
  void describe(fact_sink& sink) const { sink.section(hpk_test::Counting::name()); }
  static constexpr std::uint32_t tool_id() noexcept { return 250u << 24; }

  int fences = 0;
  static inline int all_instance_fences = 0;
  static inline std::atomic<int> global_fences = 0;  // threads may fence at the same time

 protected:
  void run(const host::erased_launch& launched) override { host::run_groups(0, 1, launched); }
  index_t workers() const noexcept override { return 1; }
};

}  // namespace hpk::seam

namespace hpk_test {

inline Counting::Counting(hpk::NewInstance) : space(new hpk::seam::machine<Counting>) {}

/// The fences since the object was made.
class fence_counts {
  using machine = hpk::seam::machine<Counting>;

 public:
  explicit fence_counts(const Counting& exec = Counting())
      : exec_(exec),
        instance_before_(exec.instance().fences),
        all_before_(machine::all_instance_fences),
        global_before_(machine::global_fences) {}

  /// Returns the number of fences of the instance.
  int of_instance() const { return exec_.instance().fences - instance_before_; }
  /// Returns the number of fences of other instances.
  int of_others() const { return machine::all_instance_fences - all_before_ - of_instance(); }
  /// Returns the number of global fences.
  int global() const { return machine::global_fences - global_before_; }
  /// Succeeds if the instance was fenced exactly `wanted` times and there were no other fences.
  testing::AssertionResult only(int wanted) const { return are(wanted, 0); }
  /// Succeeds if there were exactly `wanted` global fences and no others.
  testing::AssertionResult only_global(int wanted) const { return are(0, wanted); }

 private:
  testing::AssertionResult are(int wanted, int wanted_global) const {
    if (of_instance() == wanted && of_others() == 0 && global() == wanted_global)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << of_instance() << " fences of the instance, "
                                       << of_others() << " of others, " << global() << " global";
  }

  Counting exec_;
  int instance_before_;
  int all_before_;
  int global_before_;
};

}  // namespace hpk_test
