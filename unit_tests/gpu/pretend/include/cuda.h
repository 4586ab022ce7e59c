// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A substitute for the header of the CUDA driver, with the parts that hpk uses.
#pragma once

using CUdevice = int;
enum CUresult { CUDA_SUCCESS = 0 };
