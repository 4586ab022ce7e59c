// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors that captured objects which a GPU cannot access: references, pointers, `this`,
// containers and Views of the host. Capturing is legal as long as no kernel accesses the memory.
// Emu always detects Views; it detects the others with the probe of the first lane, which is on by
// default, and in every lane with HPK_EMU_CAPTURES.
#include <emu_bugs/bugs.hpp>

#include <cstdio>
#include <memory>
#include <new>
#include <numeric>
#include <string>

namespace emu_bugs {

using hpk::View;
#define HPK_TOUCHES_HOST "a kernel touches host memory that its functor captured"

HPK_CAPTURE_BUG(CaptureBug, reference_to_a_variable,
                HPK_TOUCHES_HOST
                ".*points to the stack of the launching thread.*HPK_LAMBDA(.|\n)*kernel: "
                "parallel_for \"scale\"") {
  const View<double*, S> field("field", 10);
  double factor = 2;
  hpk::parallel_for("scale", hpk::RangePolicy<S>(0, 10), [&](int i) { field(i) = factor; });
  S().fence();
}

HPK_CLEAN(Capture, value_of_a_variable) {
  const View<double*, S> field("field", 10);
  double factor = 2;
  hpk::parallel_for("scale", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = factor; });
  EXPECT_EQ(hpk_test::on_host(field)(9), 2);
}

HPK_CAPTURE_BUG(CaptureBug, counter_by_reference, HPK_TOUCHES_HOST) {
  int count = 0;
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), [&count](int) { ++count; });
  S().fence();
}

HPK_CLEAN(Capture, counter_by_a_reduction) {
  int count = 0;
  hpk::parallel_reduce(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int, int& n) { ++n; }, count);
  EXPECT_EQ(count, 10);
}

template <class S>
struct simulation {
  View<double*, S> field{"field", 10};
  double step = 0.5;
  void run_through_this() {
    hpk::parallel_for("step", hpk::RangePolicy<S>(0, 10), [=, this](int i) { field(i) = step; });
    S().fence();
  }
  void run_on_a_copy() {
    hpk::parallel_for(
        "step", hpk::RangePolicy<S>(0, 10), HPK_CLASS_LAMBDA(int i) { field(i) = step; });
    S().fence();
  }
};

HPK_CAPTURE_BUG(CaptureBug, this_of_the_object,
                HPK_TOUCHES_HOST ".*HPK_CLASS_LAMBDA in a member function") {
  simulation<S>().run_through_this();
}

HPK_CLEAN(Capture, copy_of_the_object) {
  simulation<S> s;
  s.run_on_a_copy();
  EXPECT_EQ(hpk_test::on_host(s.field)(9), 0.5);
}

HPK_CAPTURE_BUG(CaptureBug, this_of_an_object_on_the_heap,
                HPK_TOUCHES_HOST ".*the heap or a static") {
  const auto s = std::make_unique<simulation<S>>();
  s->run_through_this();
}

HPK_CAPTURE_BUG(CaptureBug, pointer_to_the_stack, HPK_TOUCHES_HOST) {
  double table[16] = {1, 2, 3};
  const double* entries = table;
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = entries[i]; });
  S().fence();
}

HPK_CLEAN(Capture, array_by_value) {
  double table[16] = {1, 2, 3};
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = table[i]; });
  EXPECT_EQ(hpk_test::on_host(field)(2), 3);
}

HPK_CAPTURE_BUG(CaptureBug, vector_by_value, HPK_TOUCHES_HOST) {
  const std::vector<double> values(1000, 3);
  const View<double*, S> field("field", 10);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 10),
      HPK_LAMBDA(int i) { field(i) = values[static_cast<std::size_t>(i)]; });
  S().fence();
}

HPK_CLEAN(Capture, vector_that_no_kernel_touches) {
  const std::vector<double> values(1000, 3);
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), [=](int i) {
    field(i) = 1;
    if (i > 1000) field(0) = values[0];
  });
  EXPECT_EQ(hpk_test::on_host(field)(9), 1);
}

// The message about a View of the host.
#define HPK_VIEW_OF_HOST(label, where)                                   \
  "View \"" label "\" of HostSpace, " where                              \
  ": a kernel on Emu can't access host memory; make a mirror: auto d = " \
  "hpk::create_mirror_view_and_copy.hpk::Emu.., v.(.|\n)*kernel: parallel_"

HPK_BUG(CaptureBug, view_of_the_host,
        HPK_VIEW_OF_HOST("input", "index \\(3\\)") "for \"copy\" \\(at .*captures.cpp:[0-9]+\\)") {
  const View<double*, hpk::HostSpace> input("input", 10);
  const View<double*, S> field("field", 10);
  hpk::parallel_for("copy", hpk::RangePolicy<S>(3, 4), HPK_LAMBDA(int i) { field(i) = input(i); });
  S().fence();
}

HPK_BUG(CaptureBug, view_of_the_host_written, HPK_VIEW_OF_HOST("table", "index \\(1, 2\\)")) {
  const View<int**, hpk::HostSpace> table("table", 4, 5);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) { table(1, 2) = 3; });
  S().fence();
}

HPK_BUG(CaptureBug, subview_of_the_host, HPK_VIEW_OF_HOST("table", "index \\(2\\)")) {
  const View<int**, hpk::HostSpace> table("table", 4, 5);
  const auto row = hpk::subview(table, 1, hpk::ALL);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) { row(2) = 3; });
  S().fence();
}

HPK_BUG(CaptureBug, unmanaged_view_of_the_host, HPK_VIEW_OF_HOST("input", "index \\(0\\)")) {
  const View<int*, hpk::HostSpace> input("input", 10);
  const View<const int*, hpk::HostSpace, hpk::MemoryUnmanaged> borrowed = input;
  int sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int i, int& s) { s += borrowed(i); }, sum);
}

HPK_BUG(CaptureBug, mirror_in_place_of_its_view,
        "View \"field_mirror\" of HostSpace, index \\(4\\): a kernel on Emu can't access host "
        "memory; it is a mirror: capture View \"field\" instead") {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  mirror(4) = 1;
  hpk::parallel_for(hpk::RangePolicy<S>(4, 5), HPK_LAMBDA(int i) { mirror(i) = 2; });
  S().fence();
}

HPK_CAPTURE_BUG(CaptureBug, pointer_into_a_view_of_the_host, HPK_VIEW_OF_HOST("input", "byte 24")) {
  const View<double*, hpk::HostSpace> input("input", 10);
  const double* data = input.data();
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(3, 4), HPK_LAMBDA(int i) { field(i) = data[i]; });
  S().fence();
}

// A mirror in device memory.
HPK_CLEAN(Capture, copy_of_a_view_of_the_host) {
  const View<double*, hpk::HostSpace> input("input", 10);
  input(9) = 4;
  const auto copied = hpk::create_mirror_view_and_copy(S(), input);
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = copied(i); });
  EXPECT_EQ(hpk_test::on_host(field)(9), 4);
}

HPK_CLEAN(Capture, view_of_the_host_that_no_kernel_touches) {
  const View<double*, hpk::HostSpace> input("input", 10);
  const View<int*, S> sizes("sizes", 10);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 10),
      HPK_LAMBDA(int i) { sizes(i) = static_cast<int>(input.extent(0)); });
  EXPECT_EQ(hpk_test::on_host(sizes)(9), 10);
}

// Views with the type of host memory: kernels can access pinned memory and their own variables
// through them.
HPK_CLEAN(Capture, pinned_memory_and_variables_as_views_of_the_host) {
  const View<int*, hpk::Device<S, typename S::pinned_memory_space>> pinned("pinned", 10);
  const View<int*, hpk::HostSpace> named = pinned;
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) {
        int values[2] = {i, 1};
        const View<int*, hpk::HostSpace, hpk::MemoryUnmanaged> own(values, 2);
        named(i) = own(0) + own(1);
      });
  S().fence();
  EXPECT_EQ(pinned(9), 10);
}

// Host kernels that run at the same time are not checked by Emu.
HPK_CLEAN(Capture, view_of_the_host_in_a_kernel_of_the_host) {
  const View<double*, hpk::HostSpace> input("input", 10);
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = 1; });
  hpk::parallel_for(hpk::RangePolicy<hpk::Serial>(0, 10), HPK_LAMBDA(int i) { input(i) = i; });
  S().fence();
  EXPECT_EQ(input(9) + hpk_test::on_host(field)(9), 10);
}

HPK_CLEAN(Capture, view_of_shared_memory) {
  const View<double*, shared<S>> input("input", 10);
  std::iota(input.data(), input.data() + 10, 0);
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = input(i); });
  EXPECT_EQ(hpk_test::on_host(field)(9), 9);
}

// Halves of a word and contents of padding are not taken for pointers.
HPK_CLEAN(Capture, numbers_that_look_like_pointers) {
  const View<long*, S> field("field", 4);
  const int low = 0x1234'5678;
  const short high = 0x4abc;
  const std::uint64_t nothing_there = 0x0000'4123'4567'89a8;
  const double value = 4.5;
  for (int round = 0; round < 50; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) {
          field(0) = low;
          field(1) = high;
          field(2) = static_cast<long>(nothing_there);
          field(3) = static_cast<long>(value * 2);
        });
    const auto seen = hpk_test::on_host(field);
    ASSERT_EQ(seen(0), low);
    ASSERT_EQ(seen(1), high);
    ASSERT_EQ(seen(2), static_cast<long>(nothing_there));
    ASSERT_EQ(seen(3), 9);
  }
}

// Numbers that are addresses of memory of each kind: kernels receive them unchanged, unless
// captures are watched.
HPK_CLEAN(Capture, numbers_that_are_addresses) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-captures", 0));
  double variable = 1;
  const auto on_heap = std::make_unique<double>(2);
  const View<double*, hpk::HostSpace> input("input", 10);
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  const auto number = [](const auto* address) { return reinterpret_cast<std::uintptr_t>(address); };
  const std::uintptr_t keys[] = {number(&variable), number(on_heap.get()), number(input.data()),
                                 number(mirror.data()), number(field.data())};
  const View<std::uintptr_t*, S> seen("seen", 5);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 5), HPK_LAMBDA(int i) { seen(i) = keys[i]; });
  const auto found = hpk_test::on_host(seen);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(found(k), keys[k]);
}

// A number that is an address far past the end of a View, where another View is allocated after the
// kernel.
HPK_CLEAN(Capture, number_that_looks_like_an_address) {
  const View<int*, shared<S>> shown("shown", 1);
  const auto number = reinterpret_cast<std::uintptr_t>(shown.data()) + (1 << 20);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) { shown(0) = number == 0 ? 1 : 2; });
  std::vector<View<char*, shared<S>>> behind;
  for (int k = 0; k < 20; ++k)
    behind.emplace_back(hpk::view_alloc("behind", hpk::WithoutInitializing), 1 << 16);
  S().fence();
  EXPECT_EQ(shown(0), 2);
}

// The lane is watched again after a barrier.
HPK_CAPTURE_BUG(CaptureBug, reference_behind_a_barrier, HPK_TOUCHES_HOST "(.|\n)*lane 0 of ") {
  int seen = 0;
  launch<S>({.groups = 2, .lanes = 8}, [&seen](auto& lane) {
    lane.barrier();
    if (lane.lane_index() == 0) seen = 1;
  });
}

HPK_CLEAN(Capture, reference_that_no_lane_follows) {
  double factor = 2;
  const View<double*, S> field("field", 10);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10),
                    [field, &factor](int i) { field(i) = i < 100 ? 1 : factor; });
  EXPECT_EQ(hpk_test::on_host(field)(9), 1);
}

template <class S>
struct named_simulation {
  View<double*, S> field{"field", 10};
  std::string name = "a name that is too long to lie in the object itself";
  std::vector<double> history = std::vector<double>(100);
  void run() {
    hpk::parallel_for("step", hpk::RangePolicy<S>(0, 10), [copy = field, this](int i) {
      copy(i) = 1;
      if (i > 100) history[0] = 1;
    });
    hpk::parallel_for(
        "copy", hpk::RangePolicy<S>(0, 10),
        HPK_CLASS_LAMBDA(int i) { field(i) += static_cast<double>(history.size() + name.size()); });
    S().fence();
  }
};

// `this` that no lane follows, and containers of which lanes read only the size, which is in the
// functor.
HPK_CLEAN(Capture, object_with_containers) {
  named_simulation<S> s;
  s.run();
  EXPECT_EQ(hpk_test::on_host(s.field)(9), 1 + 100 + 51);
}

// Pointers that are compared and printed, while the lane allocates, prints and waits at barriers.
HPK_CLEAN(Capture, pointers_as_numbers) {
  const std::vector<double> values(5, 3);
  const double* const first = values.data();
  int here = 0;
  int* const stack = &here;
  const View<int**, S> count("count", 2, 8);
  launch<S>({.groups = 2, .lanes = 8}, [=](auto& lane) {
    char text[80];
    std::snprintf(text, sizeof text, "%p %p", static_cast<const void*>(first),
                  static_cast<const void*>(stack));
    std::string long_text(100, 'a');
    long_text += text;
    const std::vector<std::string> several(values.size(), long_text);
    lane.barrier();
    count(lane.group(), lane.lane_index()) =
        first == nullptr || stack == nullptr || several.empty() ? 0 : 1;
    lane.barrier();
  });
  EXPECT_EQ(hpk_test::on_host(count)(1, 0), 1);
}

struct shape_of_area {
  virtual double area() const { return 0; }
  virtual ~shape_of_area() = default;
};
struct square : shape_of_area {
  double side = 3;
  double area() const override { return side * side; }
};

// A virtual call of an object that a kernel constructed in device memory.
HPK_CLEAN(Capture, virtual_call_on_the_device) {
  const View<square*, shared<S>> objects(hpk::view_alloc("objects", hpk::WithoutInitializing), 1);
  const View<double*, S> area("area", 1);
  int unused = 0;
  int* const pointer = &unused;
  hpk::parallel_for(hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) { ::new (&objects(0)) square; });
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) {
        const shape_of_area& shape = objects(0);
        area(0) = shape.area() + (pointer == nullptr ? 1 : 0);
      });
  EXPECT_EQ(hpk_test::on_host(area)(0), 9);
}

// An exception inside the kernel, and a lane that runs longer than it is watched.
HPK_CLEAN(Capture, long_lane_that_throws_inside) {
  int unused = 0;
  int* const pointer = &unused;
  const View<int*, S> count("count", 1);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) {
        try {
          if (pointer != nullptr) throw 1;
        } catch (int one) {
          count(0) += one;
        }
        for (int k = 0; k < 100'000; ++k) count(0) += k % 2;
      });
  EXPECT_EQ(hpk_test::on_host(count)(0), 50'001);
}

}  // namespace emu_bugs
