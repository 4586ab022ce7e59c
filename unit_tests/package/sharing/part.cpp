// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a program, in a separate library. The macro NAME is its name.
#include <hpk/core.hpp>

#include <string_view>

#include "part.hpp"

// Not in an unnamed namespace: with the default visibility, both libraries define them.
struct count_in_row {
  template <class I>
  void operator()(I k, long& sum) const {
    sum += static_cast<long>(k);
  }
};

// Made when the library is loaded, destroyed when the program ends.
static const hpk::View<double*, hpk::HostSpace> of_the_file("of the file", 8);

namespace {

int calls = 0;

long sum_below(long n) {
  long sum = 0;
  hpk::parallel_reduce("sum", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, n),
                       count_in_row(), sum);
  return sum;
}

template <class Exec>
bool is_right_on(const Exec& exec) {
  constexpr int rows = 64;
  const hpk::View<long*, Exec> sums("sums", rows);
  hpk::parallel_for(
      "outer", hpk::RangePolicy<Exec>(exec, 0, rows), HPK_LAMBDA(int i) {
        long sum = 0;
        if constexpr (hpk::seam::machine<Exec>::runs_on_host) {
          hpk::parallel_reduce("inner", hpk::RangePolicy<Exec>(0, 100), count_in_row(), sum);
        } else {
          for (int k = 0; k < 100; ++k) count_in_row()(k, sum);
        }
        sums(i) = sum;
      });
  hpk::fence();  // for all instances of this library and of others
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sums);
  bool right = true;
  for (int i = 0; i < rows; ++i) right = right && mirror(i) == 4950;
  if (!right) std::printf("wrong: a kernel on %s\n", Exec::name());
  return right;
}

bool computes() {
  bool right = of_the_file(3) == 0;
  hpk::for_each_space([&](const auto& exec) { right = is_right_on(exec) && right; });
  return right;
}

template <class Exec>
bool nests_on(long (*sum)(long)) {
  long sums[64] = {};
  hpk::parallel_for("calls the other", hpk::RangePolicy<Exec>(0, 64),
                    [&](int i) { sums[i] = sum(i); });
  for (int i = 0; i < 64; ++i)
    if (sums[i] != i * (i - 1) / 2) return false;
  return true;
}

bool nests(long (*sum)(long)) {
  bool right = true;
  hpk::for_each_space([&]<class Exec>(const Exec&) {
    if constexpr (hpk::seam::machine<Exec>::runs_on_host) right = nests_on<Exec>(sum) && right;
  });
  return right;
}

void listens() {
  hpk::Tools::Experimental::set_begin_parallel_reduce_callback(
      [](const char*, std::uint32_t, std::uint64_t* id) {
        ++calls;
        *id = 0;
      });
}
int heard() { return calls; }

int takes_id() {
  using token = hpk::Experimental::UniqueToken<hpk::DefaultHostExecutionSpace,
                                               hpk::Experimental::UniqueTokenScope::Global>;
  return static_cast<int>(token().acquire());
}

void fails() { hpk::raise(hpk::error_message() << "for the other library"); }

bool catches(void (*fails)()) {
  try {
    fails();
  } catch (const hpk::error& e) {
    return std::string_view(e.what()).find("for the other library") != std::string_view::npos;
  } catch (...) {
  }
  return false;
}

}  // namespace

// The only name that differs between the libraries.
extern "C" __attribute__((visibility("default"))) part NAME() {
  return {computes, nests, sum_below, listens, heard, takes_id, fails, catches};
}
