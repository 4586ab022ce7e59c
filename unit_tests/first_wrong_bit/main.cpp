// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: first_wrong_bit_<space> PROGRAM [--fault=N] [--size=N] [--steps=N]
// [--workers=N], which may be more than the machine has CPUs.
#include "fault.hpp"

#include <charconv>
#include <cstdio>
#include <string_view>
#include <type_traits>

namespace {

using namespace first_wrong_bit;

struct program {
  std::string_view name;
  void (*run)(const arguments& given);
};
constexpr program programs[] = {{"conjugate_gradient", conjugate_gradient},
                                {"heat", heat},
                                {"matrix", matrix},
                                {"particles", particles},
                                {"shallow_water", shallow_water}};

bool read(std::string_view argument, std::string_view flag, int& number) {
  if (!argument.starts_with(flag)) return false;
  argument.remove_prefix(flag.size());
  const char* const end = argument.data() + argument.size();
  return std::from_chars(argument.data(), end, number).ptr == end;
}

template <class Space>
Space with_workers(int count) {
  if constexpr (std::is_constructible_v<Space, int>) {
    return Space(count);
  } else {
    return Space();
  }
}

bool run(int count, char** words) {
  arguments given;
  int workers = 0;
  for (int k = 2; k < count; ++k) {
    const std::string_view word = words[k];
    if (!read(word, "--fault=", given.fault) && !read(word, "--size=", given.size) &&
        !read(word, "--steps=", given.steps) && !read(word, "--workers=", workers))
      return false;
  }
  if (workers > 0) given.space = with_workers<hpk::DefaultExecutionSpace>(workers);
  for (const program& one : programs) {
    if (count < 2 || one.name != words[1]) continue;
    one.run(given);
    return true;
  }
  return false;
}

}  // namespace

int main(int count, char** words) {
  const hpk::ScopeGuard scope(count, words);
  if (run(count, words)) return 0;
  std::fputs(
      "usage: first_wrong_bit_<space> PROGRAM [--fault=N] [--size=N] [--steps=N] [--workers=N]\n",
      stderr);
  return 2;
}
