// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings that the files of a program are compiled with. A function or class of hpk's headers
// has the same name in all files, and the linker keeps only one copy, so settings that change their
// meaning must agree. Each file records its settings before any other code of the program runs, and
// the first difference ends the program with a message that names both files.
#pragma once

#include <hpk/base/config.hpp>

#include <string_view>

namespace hpk::detail {

/// How a file of the program was compiled.
struct file_record {
  const char* file;                ///< the name that the compiler was given
  std::string_view default_space;  ///< the default execution space; must agree
  bool has_thread_sanitizer;       ///< HPK_HAS_THREAD_SANITIZER; must agree
  bool checks;                     ///< HPK_CHECKS; may differ
  bool asserts;                    ///< without NDEBUG; may differ
  bool optimized;                  ///< HPK_HAS_OPTIMIZER; may differ
};

/// The counts of all files recorded so far.
struct program_record {
  int files = 0;                      ///< files that record settings; hpk's own files do not
  int checked = 0;                    ///< number of files with checks
  int asserting = 0;                  ///< number of files compiled without NDEBUG
  int optimized = 0;                  ///< number of files compiled with optimisation
  std::string_view unoptimized_file;  ///< the first file without optimisation; empty if none
  std::string_view default_space;     ///< empty without files
};

/// Records a file. Ends the program as require_same_setting() does. Any thread.
void record_file(const file_record& record) noexcept;

/// Requires that all files which call this for a setting have the same value. Otherwise prints the
/// setting, both files, both values and the advice, and ends the program: callers run before main()
/// or inside of dlopen(), where no exception can be caught. Any thread.
void require_same_setting(std::string_view setting, std::string_view value, std::string_view file,
                          std::string_view advice) noexcept;

/// Returns the counts of all files recorded so far. Any thread.
program_record records_of_program() noexcept;

}  // namespace hpk::detail

#ifndef HPK_DETAIL_OF_LIBRARY
/// 1 in the files of hpk's own libraries: they depend on no setting that must agree.
#define HPK_DETAIL_OF_LIBRARY 0
#endif

#if HPK_HAS_GNU_ATTRIBUTES
/// Begins the definition of a function of this file that runs before all initialisers of the
/// program's static objects (reason: C++ orders initialisers only within a file). A static object
/// instead would cause a warning in each file (-Wglobal-constructors).
#define HPK_DETAIL_BEFORE_MAIN(name) __attribute__((constructor(101))) static void name()
#else
#define HPK_DETAIL_BEFORE_MAIN(name) [[maybe_unused]] static void name()
#endif
