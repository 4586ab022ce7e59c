// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code that accesses device memory, or shared memory before a fence.
#include <emu_bugs/bugs.hpp>

#include <hpk/memory_pool.hpp>
#include <support/wait.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

namespace emu_bugs {

using hpk::View;

HPK_BUG(
    HostAccessBug, reads_an_element,
    "host code accesses element \\(3\\) of View \"field\", which lies in device memory; copy to "
    "a mirror first: auto h = hpk::create_mirror_view") {
  const View<double*, S> field("field", 10);
  EXPECT_EQ(field(3), 0);
}

HPK_BUG(HostAccessBug, allocates_from_a_pool_of_the_device,
        "host code accesses element \\([0-9]+\\) of View \"nodes \\(bookkeeping\\)\"") {
  const hpk::MemoryPool<S> pool("nodes", typename S::memory_space(), 4096);
  EXPECT_NE(pool.allocate(64), nullptr);
}

HPK_CLEAN(HostAccess, asks_a_pool_of_the_device_for_its_usage) {
  const hpk::MemoryPool<S> pool("nodes", typename S::memory_space(), 4096);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 20), HPK_LAMBDA(int) { pool.allocate(64); });
  hpk::MemoryPoolUsage usage;
  pool.get_usage_statistics(usage);
  EXPECT_EQ(usage.consumed_blocks, 20u);
}

HPK_CLEAN(HostAccess, reads_a_mirror) {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(mirror(3), 0);
}

HPK_BUG(HostAccessBug, writes_an_element,
        "host code accesses element \\(1, 2\\) of View \"matrix\"") {
  const View<double**, S> matrix("matrix", 4, 5);
  matrix(1, 2) = 7;
}

HPK_CLEAN(HostAccess, writes_a_mirror_and_copies_it) {
  const View<double**, S> matrix("matrix", 4, 5);
  const auto mirror = hpk::create_mirror_view(matrix);
  mirror(1, 2) = 7;
  hpk::deep_copy(matrix, mirror);
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 4), HPK_LAMBDA(int i, double& s) { s += matrix(i, 2); }, sum);
  EXPECT_EQ(sum, 7);
}

HPK_BUG(HostAccessBug, reads_through_a_pointer,
        "host code accesses device memory: byte 16 of View \"field\"") {
  const View<double*, S> field("field", 10);
  const volatile double* data = field.data();
  EXPECT_EQ(data[2], 0);
}

HPK_CLEAN(HostAccess, passes_a_pointer_on) {
  const View<double*, S> field("field", 10);
  double* data = field.data();
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(field.data() + 10 - data, 10);
}

HPK_BUG(HostAccessBug, shared_memory_that_was_freed,
        "host code accesses memory that was freed: byte 16 of what was View \"gone\"") {
  View<double*, shared<S>, hpk::MemoryTraits<hpk::Unmanaged>> view;
  view = View<double*, shared<S>>("gone", 10);
  if constexpr (!hpk_test::is_host<S>) view(2) = 1;
}

HPK_BUG(HostAccessBug, sets_bytes,
        "host code accesses device memory: byte [0-9]+ of View \"bytes\"") {
  const View<char*, S> bytes("bytes", 100);
  std::memset(bytes.data(), 1, 100);
}

HPK_CLEAN(HostAccess, copies_a_value_to_all) {
  const View<char*, S> bytes("bytes", 100);
  hpk::deep_copy(bytes, 'x');
  EXPECT_EQ(hpk_test::on_host(bytes)(99), 'x');
}

HPK_BUG(HostAccessBug, runs_an_algorithm_of_std,
        "host code accesses device memory: .*\"numbers\"") {
  const View<int*, S> numbers("numbers", 50);
  std::iota(numbers.data(), numbers.data() + 50, 0);
}

HPK_CLEAN(HostAccess, runs_an_algorithm_of_std_on_a_mirror) {
  const View<int*, S> numbers("numbers", 50);
  const auto mirror = hpk::create_mirror_view(numbers);
  std::iota(mirror.data(), mirror.data() + 50, 0);
  hpk::deep_copy(numbers, mirror);
}

HPK_BUG(HostAccessBug, runs_a_kernel_of_the_host,
        "host code accesses element \\(0\\) of View \"field\"(.|\n)*kernel: parallel_for \"on the "
        "host\"") {
  const View<double*, S> field("field", 10);
  hpk::parallel_for(
      "on the host", hpk::RangePolicy<hpk::Serial>(0, 10), HPK_LAMBDA(int i) { field(i) = i; });
}

HPK_CLEAN(HostAccess, runs_a_kernel_of_the_device) {
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = i; });
  EXPECT_EQ(hpk_test::on_host(field)(9), 9);
}

HPK_BUG(HostAccessBug, reads_shared_memory_without_a_fence,
        "host code accesses byte 0 of View \"pinned\" while a kernel that uses it may still run: "
        "\"fill\"; call fence\\(\\)") {
  const View<int*, shared<S>> pinned("pinned", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  EXPECT_EQ(pinned(0), 1);
}

// The kernel has long finished, by luck.
HPK_BUG(HostAccessBug, reads_shared_memory_late_without_a_fence,
        "host code accesses byte 0 of View \"pinned\" while a kernel that uses it may still run: "
        "\"fill\"; call fence\\(\\)") {
  const View<int*, shared<S>> pinned("pinned", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  hpk_test::let_others_run(100);
  EXPECT_EQ(pinned(0), 1);
}

// A launch of the library keeps the View of the result alive.
HPK_BUG(HostAccessBug, reads_a_result_without_a_fence,
        "host code accesses byte 0 of View \"result\" while a kernel that uses it may still run: "
        "\"sum\"; call fence\\(\\)") {
  const View<double, shared<S>> result("result");
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i, double& sum) { sum += i; }, result);
  EXPECT_EQ(result(), 4950);
}
HPK_CLEAN(HostAccess, reads_a_result_after_a_fence) {
  const View<double, shared<S>> result("result");
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i, double& sum) { sum += i; }, result);
  S().fence();
  EXPECT_EQ(result(), 4950);
}

// A read that a library announces is reported like an access of host code.
HPK_BUG(HostAccessBug, announces_a_read_without_a_fence,
        "host code accesses byte 0 of View \"pinned\" while a kernel that uses it may still run: "
        "\"fill\"; call fence\\(\\)") {
  const View<int*, shared<S>> pinned("pinned", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  hpk::announce_host_read(pinned);
}
HPK_BUG(HostAccessBug, announces_a_write_without_a_fence,
        "host code accesses byte 0 of View \"pinned\" while a kernel") {
  const View<int*, shared<S>> pinned("pinned", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  hpk::announce_host_write(pinned);
}
HPK_CLEAN(HostAccess, announces_them_after_a_fence) {
  const View<int*, shared<S>> pinned("pinned", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  S().fence();
  hpk::announce_host_read(pinned);
  hpk::announce_host_write(pinned);
  EXPECT_EQ(pinned(0), 1);
}

HPK_CLEAN(HostAccess, reads_shared_memory_after_a_fence) {
  const View<int*, shared<S>> pinned("pinned", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  S().fence();
  EXPECT_EQ(pinned(0), 1);
}

HPK_BUG(HostAccessBug, writes_shared_memory_without_a_fence,
        "host code accesses byte 40 of View \"pinned\" while a kernel") {
  const View<int*, shared<S>> pinned("pinned", 100);
  const View<int*, S> sink("sink", 100);
  hpk::parallel_for(
      "read", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { sink(i) = pinned(i); });
  pinned(10) = 1;
}

// An event or a query that reports the kernel as done counts as a fence.
HPK_CLEAN(HostAccess, reads_shared_memory_after_an_event) {
  const View<int*, shared<S>> pinned("pinned", 100);
  const S exec;
  hpk::parallel_for(hpk::RangePolicy<S>(exec, 0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  exec.record().wait();
  EXPECT_EQ(pinned(0), 1);
  hpk::parallel_for(hpk::RangePolicy<S>(exec, 0, 100), HPK_LAMBDA(int i) { pinned(i) = 2; });
  const hpk::Event done = exec.record();
  while (!done.ready()) std::this_thread::yield();
  EXPECT_EQ(pinned(0), 2);
  hpk::parallel_for(hpk::RangePolicy<S>(exec, 0, 100), HPK_LAMBDA(int i) { pinned(i) = 3; });
  while (!exec.idle()) std::this_thread::yield();
  EXPECT_EQ(pinned(0), 3);
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(exec, 0, 100), HPK_LAMBDA(int i, double& s) { s += pinned(i); }, sum);
  EXPECT_EQ(pinned(1) + sum, 303);
}

// One instance waits for the kernel's instance, and host code fences the waiting instance.
HPK_CLEAN(HostAccess, reads_shared_memory_after_a_fence_of_what_waited_for_the_kernel) {
  const View<int*, shared<S>> pinned("pinned", 100);
  const S first(hpk::NewInstance{});
  const S second(hpk::NewInstance{});
  hpk::parallel_for(hpk::RangePolicy<S>(first, 0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  second.wait(first.record());
  second.fence();
  EXPECT_EQ(pinned(0), 1);
}

// Memory freed while a kernel held it is allocated again without the hold.
HPK_CLEAN(HostAccess, takes_memory_again_that_a_kernel_held) {
  for (int round = 0; round < 50; ++round) {
    const View<int*, shared<S>> pinned("pinned", 100);
    pinned(0) = 1;
    hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = 1; });
  }
  hpk::fence();
}

HPK_CLEAN(HostAccess, touches_shared_memory_that_no_kernel_uses) {
  const View<int*, shared<S>> used("used", 100);
  const View<int*, shared<S>> unused("unused", 100);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { used(i) = 1; });
  unused(10) = 1;
  hpk::fence();
  EXPECT_EQ(used(10) + unused(10), 2);
}

// The type of a View determines whether host code may access its elements, for any location of the
// memory.
HPK_BUG(HostAccessBug, reads_managed_memory_through_a_view_of_the_device,
        "host code accesses element \\(3\\) of View \"managed\", which lies in device memory") {
  const View<double*, shared<S>> managed("managed", 10);
  const View<double*, S> device = managed;
  EXPECT_EQ(device(3), 0);
}

HPK_CLEAN(HostAccess, lends_managed_memory_to_views_of_the_device) {
  const View<double*, shared<S>> managed("managed", 10);
  {
    const View<double*, S> device = managed;
    hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { device(i) = i; });
  }
  S().fence();
  EXPECT_EQ(managed(9), 9);
}

template <class S>
using pinned_of = View<int*, hpk::Device<S, typename S::pinned_memory_space>>;

// Leaves an address on the stack where functions called next have their variables.
HPK_NOINLINE void litter_stack(const void* address) {
  const void* volatile words[4096];
  for (auto& word : words) word = address;
}

// A copy holds no addresses except those of its Views.
HPK_CLEAN(HostAccess, touches_pinned_memory_while_others_are_copied) {
  const pinned_of<S> pinned("pinned", 100);
  const View<int**, hpk::LayoutRight, S> from("from", 10, 10), to("to", 10, 20);
  const auto half = hpk::subview(to, hpk::ALL, std::pair(0, 10));
  litter_stack(pinned.data());
  hpk::deep_copy(S(), half, from);
  pinned(0) = 1;
  S().fence();
}

HPK_BUG(HostAccessBug, reads_pinned_memory_through_a_view_of_the_host_without_a_fence,
        "host code accesses byte 0 of View \"pinned\" while a kernel that uses it may still run: "
        "\"fill\"; call fence\\(\\)") {
  const pinned_of<S> pinned("pinned", 100);
  const View<const int*, hpk::HostSpace> here = pinned;
  hpk::parallel_for(
      "fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        volatile unsigned work = 0;
        for (unsigned k = 0; k < 100000; ++k) work = work + k;
        pinned(i) = 1;
      });
  EXPECT_EQ(here(0), 1);
}

HPK_CLEAN(HostAccess, reads_pinned_memory_through_a_view_of_the_host) {
  View<const int*, hpk::HostSpace> here;
  {
    const pinned_of<S> pinned("pinned", 100);
    here = pinned;
    hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { pinned(i) = i; });
  }
  S().fence();
  EXPECT_EQ(here(99), 99);
}

// The access through the View is not checked, but the access to device memory is detected.
HPK_BUG(HostAccessBug, reads_device_memory_through_an_anonymous_view,
        "host code accesses device memory: byte 24 of View \"field\"") {
  const View<double*, S> field("field", 10);
  const View<double*, hpk::AnonymousSpace> unknown = field;
  EXPECT_EQ(unknown(3), 0);
}

HPK_CLEAN(HostAccess, reads_its_own_memory_through_an_anonymous_view) {
  const View<double*, hpk::HostSpace> field("field", 10);
  const View<double*, shared<S>> managed("managed", 10);
  const View<double*, hpk::AnonymousSpace> unknown = field;
  const View<double*, hpk::AnonymousSpace> too = managed;
  unknown(3) = 4;
  too(3) = 5;
  EXPECT_EQ(field(3) + managed(3), 9);
}

}  // namespace emu_bugs
