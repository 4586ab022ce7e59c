# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(openmp HOST SPACE OpenMP HEADER hpk/backends/openmp/openmp.hpp SOURCES openmp.cpp
            PACKAGES OpenMP LIBRARIES OpenMP::OpenMP_CXX)
