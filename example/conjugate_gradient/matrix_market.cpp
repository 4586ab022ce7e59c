// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <sstream>
#include <string_view>
#include <tuple>

namespace matrix_market {

namespace {

template <class... Parts>
[[noreturn]] void fail(const std::string& file, std::int64_t line, const Parts&... parts) {
  std::ostringstream message;
  message << file << ':';
  if (line > 0) message << line << ':';
  message << ' ';
  (message << ... << parts);
  throw error(message.str());
}

std::string contents(const std::string& file) {
  struct closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  const std::unique_ptr<std::FILE, closer> in(std::fopen(file.c_str(), "rb"));
  if (!in) fail(file, 0, std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (const std::size_t got = std::fread(block, 1, sizeof block, in.get()))
    text.append(block, got);
  if (std::ferror(in.get()) != 0) fail(file, 0, std::strerror(errno));
  return text;
}

// Returns a word of the file for a message: short, without characters that could confuse a
// terminal.
std::string shown(std::string_view word) {
  std::string result = "'";
  for (const char c : word.substr(0, 30)) {
    result += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  return result + (word.size() > 30 ? "...'" : "'");
}

std::string lower(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Reads the text line by line and word by word.
class reader {
 public:
  reader(const std::string& file, std::string_view text) : file_(file), rest_(text) {}

  // Moves to the next line. Returns false at the end of the file.
  bool next_line() {
    if (rest_.empty()) return false;
    const auto length = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    ++number_;
    return true;
  }
  // As next_line(), but skips empty lines and comments.
  bool next_data_line() {
    while (next_line()) {
      if (line_.find_first_not_of(" \t\r") != std::string_view::npos && line_.front() != '%')
        return true;
    }
    return false;
  }

  // Returns the next word of the line; empty at its end.
  std::string_view word() {
    const auto begin = line_.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    const auto length = std::min(line_.find_first_of(" \t\r", begin), line_.size()) - begin;
    const std::string_view result = line_.substr(begin, length);
    line_.remove_prefix(begin + length);
    return result;
  }
  std::int64_t integer(const char* what, std::int64_t lowest, std::int64_t highest) {
    const std::string_view text = word();
    std::int64_t value = 0;
    if (text.empty()) refuse("the line ends before the ", what);
    if (!parse(text, value)) refuse("the ", what, " is ", shown(text), ", which is not an integer");
    if (value < lowest || value > highest) {
      refuse("the ", what, " is ", value, "; it must be between ", lowest, " and ", highest);
    }
    return value;
  }
  double real() {
    const std::string_view text = word();
    double value = 0;
    if (text.empty()) refuse("the line ends before the value");
    if (!parse(text, value) || !std::isfinite(value)) {
      refuse("the value is ", shown(text), ", which is not a finite number");
    }
    return value;
  }
  void end_of_line() {
    const std::string_view text = word();
    if (!text.empty()) refuse("there is ", shown(text), " after the end of the entry");
  }
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(file_, number_, parts...);
  }
  std::int64_t number() const { return number_; }

 private:
  template <class Number>
  static bool parse(std::string_view text, Number& value) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && stop == text.data() + text.size();
  }

  const std::string& file_;
  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
};

struct header {
  std::string field;
  symmetry promised = symmetry::general;
};

header read_header(reader& in) {
  if (!in.next_line())
    in.refuse("the file is empty; a Matrix Market file begins with %%MatrixMarket");
  const std::string_view banner = in.word();
  if (lower(banner) != "%%matrixmarket") {
    in.refuse("begins with ", shown(banner), "; a Matrix Market file begins with %%MatrixMarket");
  }
  const std::string object = lower(in.word());
  if (object != "matrix") in.refuse("holds ", shown(object), "; this program reads 'matrix'");
  const std::string format = lower(in.word());
  if (format != "coordinate") {
    in.refuse("the format is ", shown(format), "; this program reads 'coordinate'");
  }
  header result;
  result.field = lower(in.word());
  if (result.field != "real" && result.field != "integer" && result.field != "pattern") {
    in.refuse("the field is ", shown(result.field),
              "; this program reads 'real', 'integer' and 'pattern'");
  }
  const std::string word = lower(in.word());
  if (word == "symmetric") {
    result.promised = symmetry::symmetric;
  } else if (word == "skew-symmetric") {
    result.promised = symmetry::skew_symmetric;
  } else if (word != "general") {
    in.refuse("the symmetry is ", shown(word),
              "; this program reads 'general', 'symmetric' and 'skew-symmetric'");
  }
  if (result.promised == symmetry::skew_symmetric && result.field == "pattern") {
    in.refuse("a pattern can't be skew-symmetric");
  }
  in.end_of_line();
  return result;
}

void expect_in_triangle(const reader& in, symmetry promised, const entry& e) {
  if (promised == symmetry::general || e.row > e.column) return;
  if (promised == symmetry::symmetric && e.row == e.column) return;
  in.refuse(
      "entry (", e.row + 1, ", ", e.column + 1,
      ") is not below the diagonal; the header promises that only the ",
      promised == symmetry::symmetric ? "diagonal and the lower triangle are" : "lower triangle is",
      " stored");
}

// Sorts by row and column. Rejects a pair of indices that occurs twice.
void order(matrix& a) {
  std::sort(a.entries.begin(), a.entries.end(), [](const entry& l, const entry& r) {
    return std::tie(l.row, l.column, l.line) < std::tie(r.row, r.column, r.line);
  });
  const auto same = [](const entry& l, const entry& r) {
    return l.row == r.row && l.column == r.column;
  };
  const auto twice = std::adjacent_find(a.entries.begin(), a.entries.end(), same);
  if (twice == a.entries.end()) return;
  // In a triangle that was filled in, row and column are swapped relative to the file.
  const bool mirrored = a.promised != symmetry::general && twice->row < twice->column;
  fail(a.file, (twice + 1)->line, "entry (", (mirrored ? twice->column : twice->row) + 1, ", ",
       (mirrored ? twice->row : twice->column) + 1, ") was given before, on line ", twice->line);
}

}  // namespace

matrix read(const std::string& file) {
  const std::string text = contents(file);
  reader in(file, text);
  const header promises = read_header(in);
  if (!in.next_data_line())
    in.refuse("the file ends before the line with rows, columns and entries");

  constexpr int most = std::numeric_limits<int>::max() - 1;
  matrix a;
  a.file = file;
  a.promised = promises.promised;
  a.rows = static_cast<int>(in.integer("number of rows", 1, most));
  a.columns = static_cast<int>(in.integer("number of columns", 1, most));
  const std::int64_t count =
      in.integer("number of entries", 0, static_cast<std::int64_t>(a.rows) * a.columns);
  in.end_of_line();
  if (a.promised != symmetry::general && a.rows != a.columns) {
    in.refuse("the matrix has ", a.rows, " rows and ", a.columns,
              " columns; one that is symmetric, as the header promises, is square");
  }

  const bool has_values = promises.field != "pattern";
  for (std::int64_t k = 0; k < count; ++k) {
    if (!in.next_data_line()) {
      in.refuse("the file ends after ", k, " of ", count, " entries; it is truncated");
    }
    entry e{};
    e.line = in.number();
    e.row = static_cast<int>(in.integer("row", 1, a.rows)) - 1;
    e.column = static_cast<int>(in.integer("column", 1, a.columns)) - 1;
    e.value = has_values ? in.real() : 1.0;
    if (promises.field == "integer" && e.value != std::floor(e.value)) {
      in.refuse("the value ", e.value, " is not an integer, as the header promises");
    }
    in.end_of_line();
    expect_in_triangle(in, a.promised, e);
    a.entries.push_back(e);
    if (a.promised != symmetry::general && e.row != e.column) {
      const double mirrored = a.promised == symmetry::symmetric ? e.value : -e.value;
      a.entries.push_back({e.column, e.row, mirrored, e.line});
    }
  }
  if (in.next_data_line()) in.refuse("there is text after the last of ", count, " entries");
  order(a);
  return a;
}

void expect_symmetric(const matrix& a) {
  if (a.rows != a.columns) {
    fail(a.file, 0, "the matrix has ", a.rows, " rows and ", a.columns,
         " columns; it must be square and symmetric");
  }
  for (const entry& e : a.entries) {
    const auto mirror =
        std::lower_bound(a.entries.begin(), a.entries.end(), e, [](const entry& l, const entry& r) {
          return std::tie(l.row, l.column) < std::tie(r.column, r.row);
        });
    const bool there =
        mirror != a.entries.end() && mirror->row == e.column && mirror->column == e.row;
    const double other = there ? mirror->value : 0.0;
    if (other != e.value) {
      fail(a.file, e.line, "entry (", e.row + 1, ", ", e.column + 1, ") is ", e.value, " but (",
           e.column + 1, ", ", e.row + 1, ") is ", other, "; the matrix must be symmetric");
    }
  }
}

void expect_positive_diagonal(const matrix& a) {
  std::vector<bool> positive(static_cast<std::size_t>(a.rows));
  for (const entry& e : a.entries) {
    if (e.row == e.column && e.value > 0) positive[static_cast<std::size_t>(e.row)] = true;
  }
  const auto lacking = std::find(positive.begin(), positive.end(), false);
  if (lacking == positive.end()) return;
  fail(a.file, 0, "row ", lacking - positive.begin() + 1,
       " has no entry above zero on the diagonal; the matrix must be positive definite");
}

}  // namespace matrix_market
