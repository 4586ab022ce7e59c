// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of one file that all ranks write and read, in several steps.
#include <hpk/mpi/detail/shared_file.hpp>

#include "files.hpp"

namespace mpi_shared_file_test {
namespace {

using namespace mpi_test;

TEST(MpiSharedFile, moves_in_steps) {
  namespace detail = hpk::mpi::detail;
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "x";
  // In steps of 3 elements, so that ranks need different numbers of steps.
  const auto mine = divide<2>({5, 9}, 0, all);
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> a("a", mine.sizes[0], 9),
      b("b", mine.sizes[0], 9);
  fill(a, mine.place);
  const detail::file_part part = detail::part_of(a, mine.place);
  const detail::call what = detail::about("test", a, detail::not_given, detail::not_given, {});
  put(all, path, "begin");
  detail::write_parts(all, what, path, 5, part, a.data(), 12);
  detail::read_parts(all, what, path, 5, part, b.data(), 12);
  EXPECT_EQ(count_different(b, mine.place), 0);
  EXPECT_EQ(content(path).substr(0, 5), "begin");
  EXPECT_EQ(content(path).size(), 5u + 4 * 45);
}

}  // namespace
}  // namespace mpi_shared_file_test
