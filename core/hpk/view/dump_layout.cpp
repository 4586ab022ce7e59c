// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/view/dump_layout.hpp>

namespace hpk::detail {

namespace {

constexpr index_t cell_width = 44;
constexpr index_t cell_height = 26;
constexpr index_t margin = 10;
constexpr index_t line = 20;

void write(text& out, index_t x, index_t y, std::string_view content, std::string_view anchor) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << content
      << "</text>\n";
}

// Draws a cell, colored by its offset from blue (lowest) over green to red (highest).
void cell(text& out, index_t x, index_t y, index_t offset, index_t span) {
  const index_t hue = span <= 1 ? 210 : 210 - 210 * offset / (span - 1);
  out << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << cell_width << "\" height=\""
      << cell_height << "\" fill=\"hsl(" << hue << ",70%,80%)\" stroke=\"#555\"/>\n";
  write(out, x + cell_width / 2, y + cell_height - 8, (text() << offset).str(), "middle");
}

}  // namespace

std::string draw_layout(const layout_drawing& d) {
  constexpr index_t most = 4096;
  index_t elements = 1;
  for (int r = 0; r < d.rank; ++r) elements *= d.extents[r];
  if (elements > most) {
    raise((text() << "hpk::dump_layout: View \"" << d.title << "\" has " << elements
                  << " elements, more than a picture of " << most << " shows")
              .str());
  }
  const index_t columns = d.rank == 0 ? 1 : d.extents[d.rank - 1];
  const index_t rows = d.rank <= 1 ? 1 : d.extents[d.rank - 2];
  const index_t panels = elements == 0 ? 0 : elements / (rows * columns);
  const index_t panel_height = rows * cell_height + (d.rank > 2 ? line : 0) + margin;
  text out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
      << 2 * margin + (columns < 6 ? 6 : columns) * cell_width << "\" height=\""
      << 2 * margin + line + panels * panel_height
      << "\" font-family=\"sans-serif\" font-size=\"13\">\n";
  text title;
  title << escaped_markup(d.title) << " [";
  for (int r = 0; r < d.rank; ++r) title << (r == 0 ? "" : ", ") << d.extents[r];
  title << "], span " << d.span;
  write(out, margin, margin + line - 6, title.str(), "start");
  index_t element = 0;
  for (index_t panel = 0; panel < panels; ++panel) {
    index_t y = margin + line + panel * panel_height;
    if (d.rank > 2) {
      // The indices of the dimensions that are not part of a table.
      index_t indices[max_rank];
      index_t rest = panel;
      for (int r = d.rank - 3; r >= 0; --r) {
        indices[r] = rest % d.extents[r];
        rest /= d.extents[r];
      }
      text name;
      name << '(';
      for (int r = 0; r < d.rank - 2; ++r) name << indices[r] << ", ";
      name << "i, j)";
      write(out, margin, y + line - 6, name.str(), "start");
      y += line;
    }
    for (index_t i = 0; i < rows; ++i) {
      for (index_t j = 0; j < columns; ++j)
        cell(out, margin + j * cell_width, y + i * cell_height,
             d.offset(d.mapping, d.extents, element++), d.span);
    }
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace hpk::detail
