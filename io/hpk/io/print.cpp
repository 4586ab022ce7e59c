// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/detail/numbers.hpp>
#include <hpk/io/print.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace hpk::detail {

namespace {

// A text, or a floating-point number whose format depends on the others.
struct piece {
  std::string text;
  long double value = 0;
  bool is_number = false;
  bool is_float = false;  // has no more digits than a float
};

template <class F, class... Options>
std::string digits_of(F value, Options... options) {
  // A long double has up to 4933 digits before the point.
  char digits[5100];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value, options...);
  return error == std::errc() ? std::string(digits, end) : std::string("?");
}

// The number of digits after the point.
std::size_t places_of(const std::string& digits) {
  const auto point = digits.find('.');
  return point == std::string::npos ? 0 : std::min(digits.find('e'), digits.size()) - point - 1;
}

// The digits of a finite number: as few as identify it, but no more than `precision` after the
// point, without zeros at the end.
std::string short_digits(const piece& number, std::chars_format format, int precision) {
  std::string digits = number.is_float ? digits_of(static_cast<float>(number.value), format)
                                       : digits_of(static_cast<double>(number.value), format);
  const bool overflows = std::isinf(static_cast<double>(number.value));
  if (overflows || places_of(digits) > static_cast<std::size_t>(precision))
    digits = digits_of(number.value, format, precision);
  const auto point = digits.find('.');
  if (point == std::string::npos) return digits;
  const auto end = std::min(digits.find('e'), digits.size());
  auto keep = end;
  while (digits[keep - 1] == '0') --keep;
  if (digits[keep - 1] == '.') --keep;
  return digits.erase(keep, end - keep);
}

// Writes numbers so that their points are in one column.
class number_format {
 public:
  number_format(const std::vector<piece>& pieces, int precision) : precision_(precision) {
    long double largest = 0;
    long double smallest = 1;
    for (const piece& p : pieces) {
      if (!p.is_number || !std::isfinite(p.value) || p.value == 0) continue;
      largest = std::max(largest, std::fabs(p.value));
      smallest = std::min(smallest, std::fabs(p.value));
    }
    if (largest >= 1e8L || smallest < 1e-4L) format_ = std::chars_format::scientific;
    for (const piece& p : pieces) {
      if (p.is_number && std::isfinite(p.value))
        places_ = std::max(places_, places_of(short_digits(p, format_, precision_)));
    }
    places_ = std::min(places_, static_cast<std::size_t>(precision_));
  }
  std::string operator()(const piece& p) const {
    if (!p.is_number) return p.text;
    if (std::isnan(p.value)) return "nan";
    if (std::isinf(p.value)) return p.value > 0 ? "inf" : "-inf";
    std::string digits = short_digits(p, format_, precision_);
    const std::size_t missing = places_ - places_of(digits);
    const auto end = std::min(digits.find('e'), digits.size());
    if (places_ != 0 && digits.find('.') == std::string::npos)
      return digits.insert(end, '.' + std::string(places_, '0'));
    return digits.insert(end, missing, '0');
  }

 private:
  int precision_;
  std::chars_format format_ = std::chars_format::fixed;
  std::size_t places_ = 1;
};

constexpr index_t gap = -1;

// The indices of a dimension that are shown, with `gap` for those that are left out.
std::vector<index_t> shown_indices(index_t extent, bool is_cut, index_t edge) {
  const bool has_gap = is_cut && extent > 2 * edge;
  std::vector<index_t> shown(has_gap ? 2 * edge + 1 : extent);
  std::iota(shown.begin(), shown.end(), 0);
  if (has_gap) {
    shown[edge] = gap;
    std::iota(shown.end() - edge, shown.end(), extent - edge);
  }
  return shown;
}

// Elements on the host, or copies of the blocks at the ends of the dimensions that are cut.
class shown_elements {
 public:
  shown_elements(const elements& all, const std::vector<index_t>* shown, index_t edge)
      : all_(all), edge_(edge) {
    if (all.copy == nullptr) return;
    for (int r = 0; r < all.rank; ++r)
      is_cut_[r] = std::find(shown[r].begin(), shown[r].end(), gap) != shown[r].end();
    blocks_.resize(std::size_t{1} << all.rank);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      index_t begins[max_rank] = {};
      index_t extents[max_rank] = {};
      bool is_there = true;
      for (int r = 0; r < all.rank; ++r) {
        const bool at_end = (k >> r & 1) != 0;
        is_there = is_there && (!at_end || is_cut_[r]);
        extents[r] = is_cut_[r] ? edge : all.extents[r];
        begins[r] = at_end ? all.extents[r] - edge : 0;
      }
      if (is_there) blocks_[k] = all.copy(all, begins, extents);
    }
  }
  const void* at(const index_t* index) const {
    if (blocks_.empty()) return all_.at(index);
    index_t inner[max_rank] = {};
    std::size_t k = 0;
    for (int r = 0; r < all_.rank; ++r) {
      const bool at_end = is_cut_[r] && index[r] >= edge_;
      inner[r] = at_end ? index[r] - (all_.extents[r] - edge_) : index[r];
      if (at_end) k |= std::size_t{1} << r;
    }
    return blocks_[k].at(inner);
  }

 private:
  const elements& all_;
  index_t edge_;
  bool is_cut_[max_rank] = {};
  std::vector<elements> blocks_;
};

}  // namespace

struct text_pieces {
  std::vector<piece> pieces;
};

void element_text::number(number_kind kind, const void* value) {
  with_type_of(kind, [&]<class T>(T) {
    const T number = *static_cast<const T*>(value);
    if constexpr (std::is_same_v<T, bool>) {
      text(number ? "true" : "false");
    } else if constexpr (std::is_integral_v<T>) {
      text((error_message() << number).str());
    } else {
      piece p;
      p.value = static_cast<long double>(number);
      p.is_number = true;
      p.is_float = sizeof(T) <= sizeof(float);
      pieces_.pieces.push_back(std::move(p));
    }
  });
}
void element_text::text(std::string_view added) {
  piece p;
  p.text = added;
  pieces_.pieces.push_back(std::move(p));
}
void element_text::address(const void* pointer) { text((error_message() << pointer).str()); }
void element_text::stream(void (*write)(std::ostream&, const void*), const void* element) {
  std::ostringstream stream;
  write(stream, element);
  text(stream.str());
}

namespace {

// The table of a View.
class table {
 public:
  table(const elements& all, append_function* append, const PrintOptions& options)
      : all_(all), options_(options) {
    const index_t edge = std::max(options.edge, 1);
    const bool is_cut = static_cast<std::size_t>(all.size()) > options.threshold;
    for (int r = 0; r < all.rank; ++r) shown_[r] = shown_indices(all.extents[r], is_cut, edge);
    read(shown_elements(all, shown_, edge), append);
  }
  std::string str() {
    write_from(0);
    return std::move(text_);
  }

 private:
  // Reads the cells that are shown, in the order in which they are written.
  void read(const shown_elements& source, append_function* append) {
    text_pieces found;
    std::vector<std::size_t> ends;
    element_text out(found);
    index_t index[max_rank] = {};
    read_from(0, index, [&] {
      append(out, source.at(index));
      ends.push_back(found.pieces.size());
    });
    const number_format format(found.pieces, std::clamp(options_.precision, 0, 100));
    std::size_t next = 0;
    for (const std::size_t end : ends) {
      std::string cell;
      for (; next != end; ++next) cell += format(found.pieces[next]);
      width_ = std::max(width_, cell.size());
      cells_.push_back(std::move(cell));
    }
  }
  template <class Take>
  void read_from(int dimension, index_t* index, const Take& take) {
    if (dimension == all_.rank || dimension == max_rank) return take();
    for (const index_t i : shown_[dimension]) {
      if (i == gap) continue;
      index[dimension] = i;
      read_from(dimension + 1, index, take);
    }
  }

  void write_from(int dimension) {
    if (dimension == all_.rank - 2 && dimension > 0) {
      text_ += '(';
      for (int r = 0; r < dimension; ++r) text_ += std::to_string(leading_[r]) + ", ";
      text_ += "i, j)\n";
    }
    if (dimension >= all_.rank - 1) return write_row(dimension);
    for (const index_t i : shown_[dimension]) {
      if (i == gap) {
        text_ += dimension == all_.rank - 2 ? "  ...\n" : "...\n";
        continue;
      }
      leading_[dimension] = i + all_.begins[dimension];
      write_from(dimension + 1);
    }
  }
  void write_row(int dimension) {
    constexpr std::size_t between = 2;
    std::size_t used = 0;
    const auto put = [&](const std::string& cell, std::size_t width) {
      const std::size_t most = static_cast<std::size_t>(std::max(options_.width, 1));
      if (used != 0 && used + between + width > most) {
        text_ += all_.rank > 1 ? "\n    " : "\n";
        used = all_.rank > 1 ? 4 : 0;
      }
      text_ += std::string(between + (width - cell.size()), ' ') + cell;
      used += between + width;
    };
    if (dimension == all_.rank) {
      put(cells_[next_++], width_);
    } else {
      for (const index_t i : shown_[dimension]) {
        if (i == gap) {
          put("...", 3);
        } else {
          put(cells_[next_++], width_);
        }
      }
    }
    text_ += '\n';
  }

  const elements& all_;
  const PrintOptions& options_;
  std::vector<index_t> shown_[max_rank];
  std::vector<std::string> cells_;
  std::size_t width_ = 0;
  std::size_t next_ = 0;
  index_t leading_[max_rank] = {};
  std::string text_;
};

}  // namespace

std::string format_elements(const elements& all, append_function* append,
                            const PrintOptions& options) {
  std::string text = all.name() + " of " + std::string(all.type) + '\n';
  if (all.size() == 0) return text + "  (no elements)\n";
  if (all.data == nullptr) return text + "  (no memory)\n";
  return text + table(all, append, options).str();
}

void print_text(std::FILE* stream, const std::string& text, std::string_view label,
                const std::source_location& where) {
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size()) return;
  const int reason = errno;
  hpk::raise(error_message() << "hpk::print: View \"" << label
                             << "\" cannot be written: " << std::generic_category().message(reason),
             where);
}

}  // namespace hpk::detail
