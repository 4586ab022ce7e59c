// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/policies/team_policy.hpp>

namespace hpk::detail {

void reject_league_size(number size, const std::source_location& where) {
  raise(
      (text() << "hpk::TeamPolicy: a league of " << size << " teams; write 0 to 2147483647").str(),
      where);
}

void reject_team_size(int size, const std::source_location& where) {
  raise(
      (text() << "hpk::TeamPolicy: a team of " << size << " threads; write 1 or more, or hpk::AUTO")
          .str(),
      where);
}

void reject_vector_length(int length, int most, bool of_two, const std::source_location& where) {
  raise((text() << "hpk::TeamPolicy: a vector length of " << length << "; write "
                << (of_two ? "a power of two up to " : "1 to ") << most << ", or hpk::AUTO")
            .str(),
        where);
}

void reject_scratch_level(int level, const std::source_location& where) {
  raise((text() << "hpk::TeamPolicy: there is no scratch of level " << level
                << "; write 0 (small and fast) or 1 (large)")
            .str(),
        where);
}

void reject_scratch_size(number bytes, const std::source_location& where) {
  raise((text() << "hpk::TeamPolicy: " << bytes
                << " bytes of scratch; write 0 to 2^40. (Did a product of int overflow?)")
            .str(),
        where);
}

void reject_scratch_of_one(const seam::launch_info& info, std::size_t bytes, std::size_t most) {
  text out;
  out << "hpk::" << info.pattern;
  if (!info.label.empty()) out << " \"" << info.label << '"';
  out << ": a team of one thread needs " << bytes << " bytes of scratch of level 0, which has "
      << most << "; ask scratch_size_max(0), and take level 1 for more";
  raise(out.str(), info.where);
}

void reject_large_team(const seam::launch_info& info, int size, int most) {
  text out;
  out << "hpk::" << info.pattern;
  if (!info.label.empty()) out << " \"" << info.label << '"';
  out << ": a team of " << size << " threads; this space takes " << most
      << " at most: ask team_size_max(), or write hpk::AUTO";
  raise(out.str(), info.where);
}

}  // namespace hpk::detail
