// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace hpk::emu {

namespace {

void add_kernel(detail::text& out) {
  if (!seam::inside_kernel()) return;
  const seam::launch_info& kernel = *seam::current_launch;
  out << "\n  kernel: " << kernel.pattern;
  if (!kernel.label.empty()) out << " \"" << kernel.label << '"';
  if (kernel.where.line() != 0)
    out << " (at " << kernel.where.file_name() << ':' << kernel.where.line() << ')';
  if (const running_group* group = running_group::current()) {
    out << ", group " << group->group << " of " << group->groups << ", lane "
        << group->fibers->lane() << " of " << group->lanes;
  }
}

std::string_view name_of(detector by) noexcept {
  switch (by) {
    case detector::host_access:
      return "host access";
    case detector::mirrors:
      return "mirrors";
    case detector::host_memory:
      return "host memory";
    case detector::captures:
      return "captures";
    case detector::extents:
      return "extents";
    case detector::memory:
      return "memory";
    case detector::uninitialized:
      return "uninitialised";
    case detector::races:
      return "races";
    case detector::lanes:
      return "lanes";
    case detector::kernel:
      break;
  }
  return "kernel";
}

}  // namespace

std::string replay() {
  const options& o = current_options();
  detail::text line;
  if (o.check != check_level::normal) line << "HPK_EMU_CHECK=" << name_of(o.check) << ' ';
  return (line << "HPK_EMU_SEED=" << o.seed << " HPK_EMU_SUBGROUP=" << o.subgroup
               << " HPK_EMU_RACES=" << (o.races ? 1 : 0) << " HPK_EMU_DELAY=" << (o.delay ? 1 : 0)
               << " HPK_EMU_MIRRORS=" << (o.mirrors ? 1 : 0)
               << " HPK_EMU_CAPTURES=" << (o.captures ? 1 : 0) << " HPK_EMU_DEVICES=" << o.devices
               << " HPK_NUM_THREADS=" << o.workers)
      .str();
}

void report(detector by, std::string_view what) {
  detail::text out;
  out << "hpk::Emu [" << name_of(by) << "]: " << what;
  add_kernel(out);
  out << "\n  replay: " << replay() << '\n';
  std::fputs(out.str().c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

void report_divergence(const fibers::fiber_result& result, const running_group& group) {
  const int waiting_elsewhere = group.lanes - result.waiting - result.finished;
  detail::text out;
  out << "lane " << result.lane << " of group " << group.group << " waits at a "
      << (result.at_subgroup ? "shuffle, vote or reduction" : "barrier")
      << " that not all lanes reach: " << result.waiting << " of " << group.lanes << " lanes wait, "
      << result.finished << " left the kernel";
  if (waiting_elsewhere > 0) out << ", " << waiting_elsewhere << " wait elsewhere";
  report(detector::lanes, out.str());
}

void report_exception(const fibers::fiber_result& result) {
  detail::text out;
  out << "an exception left the kernel, which a GPU can't do, in lane " << result.lane << ": ";
  try {
    std::rethrow_exception(result.thrown);
  } catch (const std::exception& e) {
    out << e.what();
  } catch (...) {
    out << "not a std::exception";
  }
  report(detector::kernel, out.str());
}

void report_missing_lane(int from, int width) {
  report(detector::lanes,
         (detail::text() << "a shuffle asks for lane " << from << " of a sub-group of " << width
                         << " lanes; ask team.warp().size() for its width")
             .str());
}

}  // namespace hpk::emu
