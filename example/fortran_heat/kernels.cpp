// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the Fortran program: a step of heat flow, for Fortran arrays and for views of any
// space, and the picture. hpk_fortran_module makes the Fortran module heat_kernels of this file.
#include <hpk/core.hpp>
#include <hpk/fortran.hpp>
#include <hpk/io.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace {

template <class T>
using array = hpk::View<T, hpk::LayoutLeft, hpk::HostSpace>;

/// Every inner cell gets a share of each temperature difference to its four neighbours.
template <class Exec, class Next, class Now>
void step(const Exec& on, const Next& next, const Now& now, double share) {
  const int rows = static_cast<int>(now.extent(0)) - 1;
  const int columns = static_cast<int>(now.extent(1)) - 1;
  hpk::parallel_for(
      "heat step", hpk::MDRangePolicy<Exec, hpk::Rank<2>>(on, {1, 1}, {rows, columns}),
      HPK_LAMBDA(int i, int j) {
        const double sum = now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1);
        next(i, j) = now(i, j) + share * (sum - 4 * now(i, j));
      });
}

}  // namespace

// On the default host space, with arrays of the program.
HPK_FORTRAN(heat_step, (array<double**> next, array<const double**> now, double share)) {
  step(hpk::DefaultHostExecutionSpace(), next, now, share);
}

// On the space of an instance, with views that it can access.
HPK_FORTRAN(heat_step_on,
            (const hpk_view* next, const hpk_view* now, double share, const hpk_instance* on)) {
  bool found = false;
  hpk::for_each_space([&](auto space) {
    using exec = decltype(space);
    using memory = typename exec::memory_space;
    if (std::string_view(hpk_instance_space(on)) != exec::name()) return;
    found = true;
    step(hpk::from_c<exec>(on), hpk::from_c<hpk::View<double**, hpk::LayoutLeft, memory>>(next),
         hpk::from_c<hpk::View<const double**, hpk::LayoutLeft, memory>>(now), share);
  });
  if (!found) throw std::runtime_error("this file was built without the space of the instance");
}

// Black is cold, pale yellow is hot.
HPK_FORTRAN(write_picture, (std::string_view path, array<const double**> temperature)) {
  hpk::PictureOptions options;
  options.colormap = hpk::Colormap::heat;
  hpk::write_ppm(std::string(path), temperature, options);
}
