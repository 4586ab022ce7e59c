// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/scratch_space.hpp>

namespace hpk::detail {

void reject_scratch(std::size_t bytes, std::size_t left) {
  text out;
  out << "a team asks for " << bytes << " bytes of scratch, and " << left
      << " are left; ask for more by set_scratch_size, the sum of View::shmem_size(...) of all "
         "Views there";
  seam::raise_in_kernel(out.str());
}

}  // namespace hpk::detail
