// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::seam {

namespace {
// `what`, preceded by the name of the kernel that runs on this thread.
std::string name_kernel(std::string_view what) {
  detail::text out;
  if (!inside_kernel()) return (out << "hpk: " << what).str();
  const launch_info& kernel = *current_launch;
  out << "hpk::" << kernel.pattern;
  if (!kernel.label.empty()) out << " \"" << kernel.label << '"';
  return (out << ": " << what).str();
}
std::source_location place_of_kernel() {
  return inside_kernel() ? current_launch->where : std::source_location();
}
}  // namespace

void raise_in_kernel(std::string_view what) { detail::raise(name_kernel(what), place_of_kernel()); }

void raise_bad_alloc(std::string_view what) {
  detail::raise_bad_alloc(name_kernel(what), place_of_kernel());
}

void expect_outside_kernel(std::string_view call) {
  if (!inside_queue()) return;
  const bool is_kernel = inside_kernel();
  const launch_info& inner = is_kernel ? *load_launch() : *load_task();
  const char* const kind = is_kernel ? "kernel" : "task";
  detail::raise((detail::text() << call << ": called inside the " << kind << ' ' << inner.pattern
                                << " \"" << inner.label << "\"; call it after the " << kind)
                    .str(),
                inner.where);
}

}  // namespace hpk::seam
