// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace hpk {

namespace detail {

// The exception for all errors except exhausted memory. std::terminate prints its name, so it is
// not in an anonymous namespace.
class runtime_error : public error, public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  const char* what() const noexcept override { return std::runtime_error::what(); }
};

}  // namespace detail

namespace {

// The prefix "rank 3 of 4: ", or empty.
std::string& origin() {
  static auto& text = *new std::string;
  return text;
}

constinit std::atomic<detail::message_filter> filter{nullptr};

// Prints a message that needs no further additions, and ends the program.
[[noreturn]] void end_program(const std::string& message) {
  const bool named = message.starts_with(origin());
  std::fprintf(stderr, "hpk: %s%s\n", named ? "" : origin().c_str(), message.c_str());
  std::fflush(stderr);
  std::abort();
}

// Returns the complete text of an error, after the message filter. Ends the program if the filter
// demands that.
std::string with_place(std::string_view message, const std::source_location& where) {
  detail::text full;
  full << origin() << message;
  if (where.line() != 0) full << " (at " << where.file_name() << ':' << where.line() << ')';
  std::string result = full.str();
  if (const detail::message_filter set = filter; set != nullptr && set(result)) end_program(result);
  return result;
}

}  // namespace

error::~error() = default;

error::operator const std::exception&() const { return dynamic_cast<const std::exception&>(*this); }

const char* BadAlloc::what() const noexcept { return text_.what(); }

void set_message_origin(std::string_view name) {
  origin() = name;
  if (!name.empty()) origin() += ": ";
}

namespace detail {

std::string_view message_origin() noexcept { return origin(); }

void abort_program(const char* message) {
  std::string text(message);
  if (const message_filter set = filter) set(text);
  end_program(text);
}

void set_message_filter(message_filter given) noexcept { filter = given; }

void raise(std::string_view message, const std::source_location& where) {
  throw runtime_error(with_place(message, where));
}

void raise(std::string_view message) { raise(message, {}); }

void raise_bad_alloc(std::string_view message, const std::source_location& where) {
  throw BadAlloc(with_place(message, where));
}

void contract_violation(const char* kind, const char* condition, const char* file, int line) {
  text full;
  full << kind << " violated: " << condition << " (at " << file << ':' << line << ')';
  hpk::abort(full.str().c_str());
}

}  // namespace detail
}  // namespace hpk
