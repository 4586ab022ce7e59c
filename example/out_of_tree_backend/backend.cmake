# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(tbb HOST SPACE TBB NAMESPACE tbb_backend HEADER tbb_backend.hpp
            PACKAGES TBB PUBLIC_LIBRARIES TBB::tbb)
