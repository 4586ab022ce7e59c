// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/fortran/detail/kernel.hpp>
#include <hpk/fortran/detail/kernel_list.hpp>

namespace hpk::detail::fortran {

namespace {

// Kernels register before main() begins.
kernel* first_registered = nullptr;
kernel** last_link = &first_registered;

bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The last word of a declaration, unless the declaration is one word: "hpk::View<double*> x".
std::string_view last_word(std::string_view declaration) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  while (!declaration.empty() && is_blank(declaration.back())) declaration.remove_suffix(1);
  while (!declaration.empty() && is_blank(declaration.front())) declaration.remove_prefix(1);
  std::size_t begin = declaration.size();
  while (begin != 0 && is_part_of_name(declaration[begin - 1])) --begin;
  if (begin == 0 || declaration[begin - 1] == ':') return {};
  return declaration.substr(begin);
}

}  // namespace

registration::registration(kernel& added) noexcept {
  *last_link = &added;
  last_link = &added.next;
}

const kernel* first_kernel() { return first_registered; }

std::string_view parameter_name(std::string_view text, int index) {
  if (index < 0 || text.size() < 2) return {};
  text = text.substr(1, text.size() - 2);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    const char c = k == text.size() ? ',' : text[k];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (c != ',' || depth != 0) continue;
    if (index-- == 0) return last_word(text.substr(begin, k - begin));
    begin = k + 1;
  }
  return {};
}

}  // namespace hpk::detail::fortran
