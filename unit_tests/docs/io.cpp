// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/io.md, where they belong; blocks.py compiles this file.
// Blocks that are whole programs stand in namespaces, where main() needs a return.
#pragma GCC diagnostic ignored "-Wreturn-type"
#include <hpk/core.hpp>
#include <hpk/error.hpp>
#include <hpk/file_replacement.hpp>
#include <hpk/io.hpp>

#include <string>

namespace text {
#include "text.block"
}

namespace pictures {
#include "pictures.block"
}

namespace vtk {
#include "files-of-vtk.block"
}

namespace numpy {
#include "files-of-numpy.block"
}

namespace replacement {
#include "replacement-of-files.block"
}
