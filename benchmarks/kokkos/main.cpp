// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kokkos_kernels --list: prints the version and the default host space of the library that it is
// compiled with, then the names of the kernels, one per line. kokkos_kernels [--quick] [NAME]: runs
// one kernel, or all, and prints a JSON object for each: its name, the number that it computed, and
// the median time of a call in nanoseconds. kokkos_kernels --check: runs the small kernels and
// times nothing. Exit code 2: wrong call. scripts/bench runs the programs of both libraries in
// turns.
#include "kernels.hpp"

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace kernels {

namespace {

struct kernel {
  std::string name;
  index_t n;
  std::function<void(measurement&)> setup;
};

// The largest size that --check runs.
constexpr index_t small = 99'999;

std::vector<kernel>& all() {
  static std::vector<kernel> kernels;
  return kernels;
}

int run(const std::vector<std::string>& names, bool list) {
  add_patterns();
  add_teams();
  add_views();
  add_containers();
  if (list) {
    std::printf("%d.%d.%d %s\n", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                KOKKOS_VERSION % 100, Kokkos::DefaultHostExecutionSpace::name());
    for (const kernel& k : all()) std::printf("%s\n", k.name.c_str());
    return 0;
  }
  bool found = names.empty();
  for (const kernel& k : all()) {
    if (!names.empty() && names[0] != k.name) continue;
    if (bench::current_plan().check_only && k.n > small) continue;
    found = true;
    measurement m;
    k.setup(m);
    std::printf("{\"name\": \"%s\", \"computed\": %.17g, \"ns\": %.17g}\n", k.name.c_str(),
                m.value(), m.seconds() * 1e9);
    std::fflush(stdout);
  }
  if (!found) std::fprintf(stderr, "kokkos_kernels: there is no kernel '%s'\n", names[0].c_str());
  return found ? 0 : 2;
}

}  // namespace

void add(const std::string& topic, const std::string& space, const std::string& variant, index_t n,
         std::function<void(measurement&)> setup) {
  all().push_back(
      {topic + '/' + space + '/' + variant + '/' + std::to_string(n), n, std::move(setup)});
}

}  // namespace kernels

int main(int argc, char** argv) {
  bool list = false;
  std::vector<std::string> names;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--list") == 0) {
      list = true;
    } else if (std::strcmp(argv[k], "--quick") == 0) {
      bench::current_plan().be_quick();
    } else if (std::strcmp(argv[k], "--check") == 0) {
      bench::current_plan().check_only = true;
    } else {
      names.emplace_back(argv[k]);
    }
  }
  if (names.size() > 1) {
    std::fprintf(stderr, "kokkos_kernels: give one kernel, or none\n");
    return 2;
  }
  Kokkos::initialize();
  const int result = kernels::run(names, list);
  Kokkos::finalize();
  return result;
}
