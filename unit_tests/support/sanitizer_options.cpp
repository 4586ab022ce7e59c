// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked into every test executable. Some tests request more memory than exists and expect a null
// pointer; sanitizers must return one too, however the executable is started. Emu writes its report
// in the handler of the fault that ends the program, so calls that are unsafe in handlers are
// accepted there. The OpenMP runtime of clang never frees the records of its threads.

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "allocator_may_return_null=1:report_signal_unsafe=0";
}
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libomp"; }
