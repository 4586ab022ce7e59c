// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands for the header of the CUDA driver: what hpk uses of it.
#pragma once

using CUdevice = int;
enum CUresult { CUDA_SUCCESS = 0 };
