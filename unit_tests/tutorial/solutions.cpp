// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All solutions of the tutorial in one program, so that each space compiles the headers once. The
// argument selects the solution.
#include <hpk/algorithms.hpp>
#include <hpk/containers/scatter_view.hpp>
#include <hpk/containers/unordered_map.hpp>
#include <hpk/core.hpp>

#include <algorithm>
#include <cstdlib>

#include "../../example/tutorial/check.hpp"

namespace step_1 {
#include "../../example/tutorial/1_views/solution.cpp"
}
namespace step_2 {
#include "../../example/tutorial/2_reductions/solution.cpp"
}
namespace step_3 {
#include "../../example/tutorial/3_mdrange/solution.cpp"
}
namespace step_4 {
#include "../../example/tutorial/4_copies/solution.cpp"
}
namespace step_5 {
#include "../../example/tutorial/5_teams/solution.cpp"
}
namespace step_6 {
#include "../../example/tutorial/6_atomics/solution.cpp"
}
namespace step_7 {
#include "../../example/tutorial/7_algorithms/solution.cpp"
}
namespace step_8 {
#include "../../example/tutorial/8_mistakes/solution.cpp"
}

int main(int argc, char* argv[]) {
  int (*const solutions[])() = {step_1::main, step_2::main, step_3::main, step_4::main,
                                step_5::main, step_6::main, step_7::main, step_8::main};
  const int step = argc == 2 ? std::atoi(argv[1]) : 0;
  return step < 1 || step > 8 ? 2 : solutions[step - 1]();
}
