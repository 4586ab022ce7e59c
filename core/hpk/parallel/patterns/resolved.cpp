// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/patterns/resolved.hpp>

namespace hpk {

namespace {

void describe_place(detail::text& out, const ResolvedLaunch& l) {
  switch (l.place) {
    case ResolvedLaunch::Place::Caller:
      out << "on the calling thread";
      return;
    case ResolvedLaunch::Place::Device:
      out << "in " << l.groups << (l.groups == 1 ? " group of " : " groups of ") << l.lanes
          << (l.lanes == 1 ? " lane" : " lanes");
      return;
    case ResolvedLaunch::Place::Workers:
    case ResolvedLaunch::Place::Measured:
      out << "in " << l.groups << (l.dynamic ? " groups" : " chunks") << " on " << l.workers
          << " workers";
      if (l.place == ResolvedLaunch::Place::Measured)
        out << ", or on the calling thread once the kernel has proved to be light";
  }
}

}  // namespace

std::string ResolvedLaunch::text() const {
  detail::text out;
  out << space << ": " << iterations << (team_size != 0 ? " teams " : " iterations ");
  describe_place(out, *this);
  const bool shared = place == Place::Workers || place == Place::Measured;
  if (shared && dynamic)
    out << ", " << chunk << " claimed at a time";
  else if (shared && chunk != 1)
    out << ", chunks end at multiples of " << chunk;
  if (rank != 0) {
    out << "; the " << (order == Iterate::Left ? "first" : "last") << " index runs fastest, ";
    bool tiled = false;
    for (int r = 0; r < rank; ++r) tiled = tiled || tile[r] != 0;
    if (!tiled) {
      out << "no tiles";
    } else {
      out << "tiles of ";
      for (int r = 0; r < rank; ++r) {
        if (r != 0) out << " x ";
        if (tile[r] == 0)
          out << "all";
        else
          out << tile[r];
      }
    }
  }
  if (team_size != 0) {
    out << "; teams of " << team_size << (team_size == 1 ? " thread" : " threads")
        << ", vector length " << vector_length << ", scratch " << scratch[0] << " and "
        << scratch[1] << " bytes";
  }
  return out.str();
}

}  // namespace hpk
