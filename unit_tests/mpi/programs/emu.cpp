// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes and correct programs with messages and Emu, whose kernels run while host code continues.
// The first argument selects the program; CMakeLists.txt has its expected output. Each rank sends
// to the next.
#include <hpk/mpi.hpp>

#include <atomic>
#include <cstdio>
#include <string_view>
#include <thread>

namespace {

using hpk::Emu;
using hpk::EmuHostPinnedSpace;

// Kernels of Emu can access static variables of the program.
std::atomic<bool> gate_is_open{false};
void wait_at_gate(const Emu& exec) {
  hpk::parallel_for("gate", hpk::RangePolicy<Emu>(exec, 0, 1), [](int) {
    while (!gate_is_open) std::this_thread::yield();
  });
}
template <class V>
void write_by_a_kernel(const Emu& exec, const V& view) {
  hpk::parallel_for(
      "late kernel", hpk::RangePolicy<Emu>(exec, 0, view.extent(0)),
      HPK_LAMBDA(int i) { view(i) = i + 1; });
}
template <class V, class W>
void pass(const Emu& exec, const V& out, const W& in) {
  const hpk::mpi::Communicator all = hpk::mpi::world();
  const int next = (all.rank() + 1) % all.size();
  hpk::mpi::Request incoming = hpk::mpi::irecv(all, exec, in, next);
  hpk::mpi::send(all, exec, out, next);
  incoming.wait();
}

// Large enough that MPI leaves the copy to the system.
constexpr int n = 100000;

int run(std::string_view what) {
  const Emu mine(hpk::NewInstance{}), other(hpk::NewInstance{});
  const hpk::View<int*, EmuHostPinnedSpace> pinned("pinned", n), arrived("arrived", n);
  const hpk::View<int*, Emu> field("field", n);
  hpk::fence();
  if (what == "sent_while_written" || what == "received_while_written" ||
      what == "halo_while_written" || what == "device_memory_is_sent_while_written")
    wait_at_gate(other);
  if (what == "sent_while_written") {
    write_by_a_kernel(other, pinned);
    pass(mine, pinned, arrived);
  } else if (what == "received_while_written") {
    write_by_a_kernel(other, arrived);
    pass(mine, pinned, arrived);
  } else if (what == "halo_while_written") {
    const hpk::mpi::CartesianGrid<1> grid(hpk::mpi::world(), {2 * n}, {true});
    const hpk::mpi::GridView<hpk::View<int*, EmuHostPinnedSpace>> u("u", grid, 1);
    hpk::mpi::HaloExchange halo(grid, u);
    write_by_a_kernel(other, u.view());
    halo.exchange(mine);
  } else if (what == "follows_the_kernel") {
    write_by_a_kernel(mine, pinned);
    pass(mine, pinned, arrived);
    mine.fence();
    if (arrived(n - 1) != n) return 1;
  } else if (what == "stale_mirror_is_sent") {
    const auto mirror = hpk::create_mirror_view(field);
    write_by_a_kernel(mine, field);
    pass(mine, mirror, arrived);
  } else if (what == "stale_mirror_is_received") {
    const auto mirror = hpk::create_mirror_view(field);
    write_by_a_kernel(mine, field);
    mine.fence();
    hpk::deep_copy(pinned, 5);
    pass(mine, pinned, mirror);
    if (mirror(0) != 5 || mirror(n - 1) != 5) return 1;
  }
  if (what == "device_memory_is_sent_while_written") {
    const hpk::mpi::Communicator all = hpk::mpi::world();
    const hpk::View<int*, Emu> in("in", n);
    write_by_a_kernel(other, field);
    hpk::mpi::Request outgoing = hpk::mpi::isend(all, mine, field, all.rank());
    gate_is_open = true;
    hpk::mpi::recv(all, mine, in, all.rank());
    outgoing.wait();
  }
  gate_is_open = true;
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  hpk::mpi::ScopeGuard guard(argc, argv);
  const int result = run(what);
  std::puts(result == 0 ? "right end" : "wrong end");
  return result;
}
