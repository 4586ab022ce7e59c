// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/lockstep.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/lockstep.hpp>

using Exec = hpk::DefaultExecutionSpace;
namespace lockstep = hpk::lockstep;

#include "the-model.block"

void the_model(Exec exec, int n, hpk::View<float*> x, hpk::View<float*> y) {
#include "the-model-2.block"
}

struct Frames {
  hpk::View<float*> x;
};

namespace hpk::lockstep {
template <>
struct block_config<Frames> {
  using type = config<256>;
};
}  // namespace hpk::lockstep

struct Kernel {
  static constexpr std::uint32_t block_domain = 256;
  template <class Worker>
  HPK_FUNCTION void operator()(const Worker& w, const hpk::View<float*>& x, int n) const;
};

void launches(Exec exec, int blocks, hpk::View<float*> x, int n, Frames frames) {
  const Kernel kernel;
#include "launches.block"
}

HPK_FUNCTION void compute(int block);

template <class Worker>
HPK_FUNCTION void grid_loop(const Worker& w, int needed) {
#include "launches-2.block"
}

#include "a-cuda-kernel-step-by-step.block"

void a_cuda_kernel(Exec exec, int n, hpk::View<float*> x, hpk::View<float*> y) {
#include "a-cuda-kernel-step-by-step-2.block"
}

struct Steps {
  static constexpr std::uint32_t block_domain = 256;
  struct Shared {
    float row[256];
    float mean;
  };
  static constexpr std::size_t shared_bytes = lockstep::shared_size<Shared>;

  template <class Worker, class In, class Out>
  HPK_FUNCTION void operator()(const Worker& w, const In& x, const Out& y, int n) const {
    Shared& shared = lockstep::shared<Shared>(w);
    const int first = w.block_domain_index() * 256;
#include "a-cuda-kernel-step-by-step-3.block"
  }
};

void steps(Exec exec, int n, hpk::View<float*> x, hpk::View<float*> y) {
  lockstep::launch("steps", lockstep::blocks(exec, n), Steps(), x, y, n);
}

HPK_FUNCTION int first(int cell);
HPK_FUNCTION int next(int frame);
HPK_FUNCTION int size(int frame);
HPK_FUNCTION double energy(int frame, int i);

template <class Worker>
HPK_FUNCTION void frames(const Worker& w, int cell) {
#include "frames-of-particles.block"
}
