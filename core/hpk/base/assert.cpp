// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

#include <cstdio>
#include <cstdlib>

namespace hpk {

namespace {

// "rank 3 of 4: ", or nothing.
std::string& origin() {
  static auto& text = *new std::string;
  return text;
}

}  // namespace

void set_message_origin(std::string_view name) {
  origin() = name;
  if (!name.empty()) origin() += ": ";
}

namespace detail {

std::string_view message_origin() noexcept { return origin(); }

void abort_program(const char* message) {
  const bool named = std::string_view(message).starts_with(origin());
  std::fprintf(stderr, "hpk: %s%s\n", named ? "" : origin().c_str(), message);
  std::fflush(stderr);
  std::abort();
}

void raise(std::string_view message, const std::source_location& where) {
  if (where.line() == 0) raise(message);
  text full;
  full << message << " (at " << where.file_name() << ':' << where.line() << ')';
  raise(full.str());
}

void raise(std::string_view message) { throw error(origin() + std::string(message)); }

void contract_violation(const char* kind, const char* condition, const char* file, int line) {
  text full;
  full << kind << " violated: " << condition << " (at " << file << ':' << line << ')';
  hpk::abort(full.str().c_str());
}

}  // namespace detail
}  // namespace hpk
