// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flows through a plate, on every enabled space in turn. The final temperatures become a
// picture, and the program reports whether all spaces computed the same one. Exit code 0: all
// pictures are equal; 1: they differ; 2: wrong call or the picture can't be written, with a message
// of one line.
#include <hpk/core.hpp>
#include <hpk/progress.hpp>

#include "command_line.hpp"
#include "heat.hpp"
#include "picture.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

constexpr const char* usage = R"(usage: heat [flags]

Lets heat flow through a plate of N x N cells on every enabled space, and writes a picture of it:
black is cold, pale yellow is hot, walls that let no heat through are gray.

  --size N        cells along each side, 16 to 16384      (default 2048)
  --steps N       steps of time, 0 to 1000000             (default 400)
  --output FILE   where the picture goes                  (default heat.png)
  --help          print this text and exit
  --hpk-help      print the flags of hpk and exit

Columns: workers of the space; milliseconds of all steps; bytes that the steps must move / time; a
checksum of the temperatures.
)";

struct arguments {
  bool help = false;
  int size = 0;
  int steps = 0;
  std::string output;
};

arguments read_arguments(int argc, char* argv[]) {
  example::command_line line(argc, argv);
  arguments result;
  result.help = line.take_switch("--help");
  result.size = line.take_number("--size", 16, 16384, 2048);
  result.steps = line.take_number("--steps", 0, 1000000, 400);
  result.output = line.take_text("--output").value_or("heat.png");
  for (const std::string& operand : line.take_operands()) {
    throw example::usage_error("'" + operand + "' is not understood; --help says more");
  }
  if (result.output.empty()) throw example::usage_error("--output needs the name of a file");
  return result;
}

/// FNV-1a hash of the bytes: a short text that depends on every bit.
std::uint64_t checksum(const heat::cells& values) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, values.data() + k, sizeof bits);
    sum = (sum ^ bits) * 0x100000001b3;
  }
  return sum;
}

/// The final state of the plate, on the host.
struct result {
  std::string space;
  heat::cells temperature;
  heat::cells matter;
};

template <class Field>
heat::cells on_host(const Field& field) {
  const heat::cells copy(field.label(), field.extent(0), field.extent(1));
  hpk::deep_copy(copy, field);
  return copy;
}

/// Throws usage_error if a file can't be written; leaves no file.
void expect_writable(const std::string& path) {
  hpk::FileReplacement probe;
  const std::string fault = probe.begin(path);
  if (!fault.empty()) throw example::usage_error("--output: file '" + path + "' " + fault);
}

/// Runs all steps on one space and prints one row of the table.
template <class Space>
result run(const Space& space, const arguments& given) {
  heat::simulation<Space> plate(space, given.size);
  double seconds = 0;
  {
    hpk::Progress steps(space.name(), given.steps, hpk::ProgressEnd::clear);
    const hpk::Timer timer;
    for (int step = 0; step < given.steps; ++step) {
      plate.step();
      ++steps;
    }
    space.fence();
    seconds = timer.seconds();
  }
  result end{space.name(), on_host(plate.temperature()), on_host(plate.matter())};
  std::printf("%-10s %7d %9.1f %8.2f  %016llx\n", space.name(), space.concurrency(), seconds * 1e3,
              plate.bytes_per_step() * given.steps / seconds * 1e-9,
              static_cast<unsigned long long>(checksum(end.temperature)));
  std::fflush(stdout);
  return end;
}

int run_everywhere(const arguments& given) {
  expect_writable(given.output);
  std::printf("plate of %d x %d cells, %d steps\n\n", given.size, given.size, given.steps);
  std::printf("%-10s %7s %9s %8s  %s\n", "space", "workers", "ms", "GB/s", "checksum");
  result first;
  std::string differing;
  hpk::for_each_space([&](auto space) {
    result next = run(space, given);
    if (first.temperature.size() == 0) {
      first = std::move(next);
    } else if (std::memcmp(first.temperature.data(), next.temperature.data(),
                           first.temperature.size() * sizeof(float)) != 0) {
      differing += ' ' + next.space;
    }
  });
  heat::write_picture(given.output, first.temperature, first.matter);
  std::printf("\nsame picture on all spaces: %s%s\npicture: %s\n",
              differing.empty() ? "yes" : "no:", differing.c_str(), given.output.c_str());
  return differing.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const hpk::ScopeGuard scope(argc, argv);
    const arguments given = read_arguments(argc, argv);
    if (given.help) {
      std::fputs(usage, stdout);
      return 0;
    }
    return run_everywhere(given);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "heat: %s\n", problem.what());
    return 2;
  }
}
