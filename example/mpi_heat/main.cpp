// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flows through a plate that is divided among the ranks of a program; rank 0 writes the
// picture. The output is the same for any number of ranks, and after a restart. Exit code 0: done;
// 2: wrong call, with a message of one line; others: an error, with a message before.
#include <hpk/mpi.hpp>

#include "command_line.hpp"
#include "picture.hpp"
#include "simulation.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

namespace {

constexpr const char* usage = R"(usage: mpiexec -n RANKS mpi_heat [flags]

Lets heat flow through a plate of N x N cells that is divided among all ranks; rank 0
writes a picture.

  --size N           cells along each side, 16 to 65536      (default 512)
  --steps N          steps of time, 0 to 1000000             (default 400)
  --output FILE      where the picture goes                  (default heat.png)
  --checkpoint FILE  goes on from this checkpoint, if there is one, and writes it every K steps
  --every K          steps between checkpoints               (default 100)
  --crash-after N    kills rank 0 after N steps, to try a restart
  --verbose          tells on standard error how the plate is divided
  --help             print this text and exit
  --hpk-help         print the flags of hpk and exit
)";

struct arguments {
  bool help = false;
  bool verbose = false;
  int size = 0;
  int steps = 0;
  int every = 0;
  int crash_after = 0;
  std::string output;
  std::string checkpoint;
};

arguments read_arguments(int argc, char* argv[]) {
  example::command_line line(argc, argv);
  arguments result;
  result.help = line.take_switch("--help");
  result.verbose = line.take_switch("--verbose");
  result.size = line.take_number("--size", 16, 65536, 512);
  result.steps = line.take_number("--steps", 0, 1000000, 400);
  result.every = line.take_number("--every", 1, 1000000, 100);
  result.crash_after = line.take_number("--crash-after", 1, 1000000, 1000001);
  result.output = line.take_text("--output").value_or("heat.png");
  result.checkpoint = line.take_text("--checkpoint").value_or("");
  for (const std::string& operand : line.take_operands()) {
    throw example::usage_error("'" + operand + "' is not understood; --help says more");
  }
  return result;
}

using space = hpk::DefaultExecutionSpace;

/// Returns all cells on rank 0, and an empty View on the other ranks.
heat::cells gather_on_root(const mpi_heat::simulation<space>& plate,
                           const mpi_heat::simulation<space>::field& field) {
  const bool is_root = plate.grid().communicator().rank() == 0;
  const heat::cells whole(field.label() + " of all ranks", is_root ? plate.grid().extent(0) : 0,
                          is_root ? plate.grid().extent(1) : 0);
  hpk::mpi::gather(plate.grid(), field, whole, 0);
  return whole;
}

void paint(const mpi_heat::simulation<space>& plate, const std::string& output) {
  const heat::cells temperature = gather_on_root(plate, plate.temperature());
  const heat::cells matter = gather_on_root(plate, plate.matter());
  if (plate.grid().communicator().rank() == 0) heat::write_picture(output, temperature, matter);
}

void run(const arguments& given) {
  const hpk::mpi::Communicator all = hpk::mpi::world();
  mpi_heat::simulation<space> plate(all, space(), given.size);
  if (given.verbose && all.rank() == 0) {
    std::fprintf(stderr, "%d x %d blocks, %d messages of rank 0 in each step, on %s\n",
                 plate.grid().ranks(0), plate.grid().ranks(1), plate.messages_per_step(),
                 space::name());
  }
  const bool has_checkpoint = !given.checkpoint.empty();
  if (has_checkpoint && plate.read(given.checkpoint) && given.verbose && all.rank() == 0)
    std::fprintf(stderr, "goes on after %d steps\n", plate.steps());
  while (plate.steps() < given.steps) {
    plate.step();
    if (has_checkpoint && plate.steps() % given.every == 0) plate.write(given.checkpoint);
    if (plate.steps() == given.crash_after && all.rank() == 0) std::raise(SIGKILL);
  }
  const double heat = plate.heat();
  paint(plate, given.output);
  if (all.rank() == 0) {
    std::printf("plate of %d x %d cells after %d steps\nheat: %.17g (%a)\npicture: %s\n",
                given.size, given.size, plate.steps(), heat, heat, given.output.c_str());
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const hpk::mpi::ScopeGuard scope(argc, argv);
  const bool is_root = hpk::mpi::world().rank() == 0;
  arguments given;
  try {
    given = read_arguments(argc, argv);
  } catch (const example::usage_error& problem) {
    // All ranks have the same arguments and end.
    if (is_root) std::fprintf(stderr, "mpi_heat: %s\n", problem.what());
    return 2;
  }
  if (given.help) {
    if (is_root) std::fputs(usage, stdout);
    return 0;
  }
  try {
    run(given);
  } catch (const std::exception& problem) {
    // The other ranks may be waiting for this one.
    std::fprintf(stderr, "mpi_heat: %s\n", problem.what());
    MPI_Abort(hpk::mpi::world().native(), 1);
  }
  return 0;
}
