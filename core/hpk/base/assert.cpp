// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

#include <cstdio>
#include <cstdlib>

namespace hpk {

namespace detail {

void abort_program(const char* message) {
  std::fprintf(stderr, "hpk: %s\n", message);
  std::fflush(stderr);
  std::abort();
}

void raise(std::string_view message, const std::source_location& where) {
  if (where.line() == 0) raise(message);
  text full;
  full << message << " (at " << where.file_name() << ':' << where.line() << ')';
  throw error(full.str());
}

void raise(std::string_view message) { throw error(std::string(message)); }

void contract_violation(const char* kind, const char* condition, const char* file, int line) {
  text full;
  full << kind << " violated: " << condition << " (at " << file << ':' << line << ')';
  hpk::abort(full.str().c_str());
}

}  // namespace detail
}  // namespace hpk
