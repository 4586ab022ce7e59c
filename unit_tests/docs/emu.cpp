// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/emu.md, where they belong; blocks.py compiles this file.
// docs.output.emu.* runs it and compares what it reports with the page.
#include <hpk/core.hpp>

int main() {
#include "emu-a-gpu-on-any-laptop.block"
}
