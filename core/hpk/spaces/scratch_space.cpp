// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/guards.hpp>
#include <hpk/spaces/scratch_space.hpp>

namespace hpk::detail {

void* give_no_scratch(std::size_t bytes, int threads, std::size_t left) {
  if (seam::guards.null_scratch.load(memory_order::relaxed)) return nullptr;
  text out;
  if (threads == 0) {
    out << "a team asks for ";
  } else {
    out << "each of " << threads << (threads == 1 ? " thread" : " threads")
        << " of a team asks for ";
  }
  out << bytes << " bytes of scratch, and " << left
      << " are left; ask for more by set_scratch_size, the sum of View::shmem_size(...) of all "
         "Views there";
  seam::raise_in_kernel(out.str());
}

}  // namespace hpk::detail
