# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(openmptarget OPT_IN SPACE OpenMPTarget HEADER hpk/backends/openmp_target/openmp_target.hpp
            SOURCES openmp_target.cpp PACKAGES OpenMP PUBLIC_LIBRARIES OpenMP::OpenMP_CXX)
