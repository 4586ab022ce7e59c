// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function and lambda macros as a program uses them.
#include <hpk/base/macros.hpp>

#include <support/test.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace base_macros_test {
namespace {

HPK_FUNCTION int plain(int x) { return x + 1; }
HPK_INLINE_FUNCTION int inlined(int x) { return plain(x) + 1; }
HPK_FORCEINLINE_FUNCTION int forced(int x) { return inlined(x) + 1; }
HPK_NOINLINE int kept_out_of_line(const int* HPK_RESTRICT x) { return forced(*x) + 1; }

struct defaulted {
  HPK_DEFAULTED_FUNCTION defaulted() = default;
  int value = 3;
};

class counter {
 public:
  explicit counter(int value) : value_(value) {}
  template <class Receive>
  void give_reader(const Receive& receive) const {
    receive(HPK_CLASS_LAMBDA() { return value_; });
  }
  template <class Receive>
  void give_inlined_reader(const Receive& receive) const {
    receive(HPK_FORCEINLINE_CLASS_LAMBDA() { return value_; });
  }
  void set(int value) { value_ = value; }

 private:
  int value_;
};

// Not called here, so there is no warning. compile_fail contains a call.
struct HPK_DEPRECATED_WITH_COMMENT("write defaulted") old_class {
  template <class T>
  HPK_DEPRECATED HPK_FUNCTION static T old_function(T x) {
    return x;
  }
};

// A template for host and device. Without the macro nvcc would warn about the call of a host
// function.
HPK_CALLS_EITHER
template <class F>
HPK_FUNCTION int call_twice(const F& f) {
  return f() + f();
}
struct host_only {
  int operator()() const { return 5; }
};
struct for_both {
  HPK_FUNCTION int operator()() const { return 3; }
};

static_assert(HPK_INVALID_INDEX == SIZE_MAX);
static_assert(std::is_same_v<decltype(HPK_INVALID_INDEX), std::size_t>);

TEST(Macros, silence_calls_across_host_and_device) {
  EXPECT_EQ(call_twice(host_only()), 10);
  EXPECT_EQ(call_twice(for_both()), 6);
}

TEST(Macros, mark_functions) {
  const int four = 4;
  EXPECT_EQ(kept_out_of_line(&four), 8);
  EXPECT_EQ(defaulted().value, 3);
}

// Each side calls its own function. GPU compilers reject a call of the other one.
struct sides {
  HPK_HOST_FUNCTION int of_the_host() const { return 1; }
  HPK_DEVICE_FUNCTION int of_the_device() const { return 2; }
  HPK_FUNCTION int chosen() const {
    HPK_IF_ON_HOST((return of_the_host();))
    HPK_IF_ON_DEVICE((return of_the_device();))
  }
};

TEST(Macros, mark_functions_of_one_side) {
  EXPECT_EQ(sides().chosen(), 1);
#if !HPK_HAS_DEVICE_COMPILER
  EXPECT_EQ(sides().of_the_device(), 2) << "a plain function to host compilers";
#endif
}

HPK_TEST(Macros, lambda_captures_by_value) {
  int captured = 1;
  const auto read = HPK_LAMBDA() { return captured; };
  captured = 2;
  EXPECT_EQ(read(), 1);
}

struct set_then_read {
  counter* original;
  int* seen;
  template <class Read>
  void operator()(const Read& read) const {
    original->set(2);
    *seen = read();
  }
};

TEST(Macros, class_lambda_captures_the_object_by_value) {
  counter original(1);
  int seen = 0;
  original.give_reader(set_then_read{&original, &seen});
  EXPECT_EQ(seen, 1);
}

HPK_TEST(Macros, inlined_lambdas_capture_as_the_others_do) {
  int captured = 1;
  const auto read = HPK_FORCEINLINE_LAMBDA() { return captured; };
  captured = 2;
  EXPECT_EQ(read(), 1);
  counter original(1);
  int seen = 0;
  original.give_inlined_reader(set_then_read{&original, &seen});
  EXPECT_EQ(seen, 1);
}

#if !HPK_HAS_DEVICE_COMPILER
// Devices link functions of other files only in relocatable builds.
HPK_RELOCATABLE_FUNCTION int defined_below(int x);

TEST(Macros, mark_functions_of_other_files) { EXPECT_EQ(defined_below(3), 6); }

int defined_below(int x) { return 2 * x; }
#endif

TEST(Macros, host_code_runs_and_device_code_does_not) {
  int host = 0;
  int device = 0;
  HPK_IF_ON_HOST((host = 1; host += 1;))
  HPK_IF_ON_DEVICE((device = 1;))
  EXPECT_EQ(host, 2);
  EXPECT_EQ(device, 0);
}

TEST(Macros, unroll_leaves_the_loop_what_it_was) {
  int sum = 0;
  HPK_UNROLL_16
  for (int k = 0; k < 21; ++k) sum += k;
  EXPECT_EQ(sum, 210);
}

// Both branches return, so no statement is needed after them.
int side() {
  HPK_IF_ON_HOST((return 1;))
  HPK_IF_ON_DEVICE((return 2;))
}

TEST(Macros, code_of_one_side_has_a_scope_of_its_own) {
  int sum = 0;
  const int mine = 100;
  HPK_IF_ON_HOST((int mine = 1, other = 2; sum += mine + other;))
  HPK_IF_ON_HOST((int mine = 3; sum += mine;))
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(mine, 100);
}

TEST(Macros, code_of_one_side_may_return) { EXPECT_EQ(side(), 1); }

template <class T>
struct holder {
  template <class U>
  explicit holder(U given) : value(given) {}
  T value;
};
template <class U>
HPK_DEDUCTION_GUIDE holder(U) -> holder<long>;

TEST(Macros, mark_deduction_guides) {
  static_assert(std::is_same_v<decltype(holder(1)), holder<long>>);
  EXPECT_EQ(holder(1).value, 1);
}

}  // namespace
}  // namespace base_macros_test
