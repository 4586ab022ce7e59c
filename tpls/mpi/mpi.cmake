# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MPI (hpk::mpi): the target hpk_tpl::mpi. Any implementation of MPI 3.1, without the old C++ classes of its
# header.
find_package(MPI 3.1 QUIET COMPONENTS CXX)
if(TARGET MPI::MPI_CXX)
  add_library(hpk_tpl::mpi INTERFACE IMPORTED)
  target_link_libraries(hpk_tpl::mpi INTERFACE MPI::MPI_CXX)
  target_compile_definitions(hpk_tpl::mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endif()
