# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(cuda OPT_IN SPACE Cuda HEADER hpk/backends/cuda/cuda.hpp SOURCES cuda.cpp
            LANGUAGE CUDA PACKAGES CUDAToolkit LIBRARIES CUDA::cudart_static)
