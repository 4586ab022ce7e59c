// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wording.hpp"

#include <algorithm>

namespace hpk_diff {

namespace {

std::string at(const hash_file& file, const std::vector<const written_view*>& views,
               std::size_t place) {
  return name_of(file.view_of(*views[place]));
}

std::string elements_of(const view_description& view) {
  return view.element_name + (view.extents.empty() ? "" : ", " + view.shape);
}

// Returns the command of a run that writes all Views of the launch with their values.
std::string second_run(const hash_file& file, const hash_file& other, const std::string& name,
                       std::size_t launch) {
  std::string setting = name;
  const std::string rank = ".rank" + std::string(file.fact("rank"));
  if (rank != ".rank" && name.ends_with(rank)) setting.resize(name.size() - rank.size());
  const auto add = [&](const char* option, const std::string& value) {
    setting += std::string(",") + option + "=" + value;
  };
  const std::string every(file.fact("every"));
  const std::string label(file.fact("label"));
  const std::string unset(file.fact("unset"));
  if (!every.empty() && every != "0" && every != "1") add("every", every);
  if (!label.empty()) add("label", label);
  if (file.fact("regions") == "1") setting += ",regions";
  if (unset != other.fact("unset")) add("unset", unset.empty() ? "none" : unset);
  add("keep", std::to_string(file.launches[launch].number));
  const std::string command(file.fact("command"));
  return "HPK_HASH=" + quoted_for_shell(setting) + " " + (command.empty() ? "./app" : command);
}

}  // namespace

std::string visible(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else if (code < 32 || code == 127) {
      out += "\\x";
      out += "0123456789abcdef"[code >> 4];
      out += "0123456789abcdef"[code & 15];
    } else {
      out += c;
    }
  }
  return out;
}

std::string count_of(std::uint64_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string ordinal(std::uint64_t number) {
  const std::uint64_t last = number % 10;
  const bool is_teen = number / 10 % 10 == 1;
  const char* const end = is_teen || last == 0 || last > 3 ? "th"
                          : last == 1                      ? "st"
                          : last == 2                      ? "nd"
                                                           : "rd";
  return std::to_string(number) + end;
}

std::string name_of(const kernel_description& kernel) {
  if (!kernel.label.empty()) return kernel.pattern + " \"" + visible(kernel.label) + "\"";
  return kernel.pattern + " without label" +
         (kernel.functor.empty() ? "" : " of " + visible(kernel.functor));
}

std::string place_of(const kernel_description& kernel) {
  if (kernel.file.empty()) return {};
  return visible(kernel.file) + (kernel.line == 0 ? "" : ":" + std::to_string(kernel.line));
}

std::string name_of(const hash_file& file, std::size_t launch) {
  const hpk_diff::launch& of = file.launches[launch];
  const kernel_description& kernel = file.kernel_of(of);
  const std::string place = place_of(kernel);
  return "launch " + std::to_string(of.number) + ", the " + ordinal(of.nth) + " " +
         name_of(kernel) + (place.empty() ? "" : " (" + place + ")");
}

std::string name_of(const view_description& view) {
  const std::string label = "\"" + visible(view.label) + "\"";
  const std::string what = view.is_result ? (view.label.empty() ? "the result" : "result " + label)
                           : view.label.empty() ? "memory without label"
                                                : "View " + label;
  const std::string type = view.type.empty() ? view.element_name : visible(view.type);
  return what + " (" + type + (view.extents.empty() ? "" : ", " + view.shape) + ")";
}

std::vector<std::uint64_t> index_of(const view_description& view, const value_difference& values) {
  std::uint64_t place = values.first;
  if (values.is_in_memory_order) return {place};
  std::vector<std::uint64_t> index(view.extents.size());
  for (std::size_t k = index.size(); k != 0; --k) {
    index[k - 1] = place % view.extents[k - 1];
    place /= view.extents[k - 1];
  }
  return index;
}

std::string text_of(const std::vector<std::uint64_t>& index) {
  std::string out = "(";
  for (std::size_t k = 0; k != index.size(); ++k)
    out += (k == 0 ? "" : ", ") + std::to_string(index[k]);
  return out + ")";
}

std::string views_sentence(const file_pair& files, std::size_t a, std::size_t b,
                           const comparison_options& options) {
  const auto views_a = compared_views(files.a, a, options);
  const auto views_b = compared_views(files.b, b, options);
  std::size_t k = 0;
  const std::size_t both = std::min(views_a.size(), views_b.size());
  while (k != both && is_same_view(files.a.view_of(*views_a[k]), files.b.view_of(*views_b[k]))) ++k;
  const std::string number = ordinal(k + 1);
  if (views_a.size() != views_b.size()) {
    const std::string start = "The launch writes " + count_of(views_a.size(), "View", "Views") +
                              " in a and " + std::to_string(views_b.size()) + " in b; the " +
                              number + " is ";
    const std::string in_a = k < views_a.size() ? at(files.a, views_a, k) : "";
    const std::string in_b = k < views_b.size() ? at(files.b, views_b, k) : "";
    if (in_a.empty()) return start + in_b + " and in b only.";
    if (in_b.empty()) return start + in_a + " and in a only.";
    return start + in_a + " in a and " + in_b + " in b.";
  }
  const view_description& in_a = files.a.view_of(*views_a[k]);
  const view_description& in_b = files.b.view_of(*views_b[k]);
  if (in_a.label != in_b.label || in_a.is_result != in_b.is_result) {
    return "The " + number + " View of the launch is " + at(files.a, views_a, k) + " in a and " +
           at(files.b, views_b, k) + " in b.";
  }
  const std::string label = visible(in_a.label);
  const std::string name = (in_a.is_result  ? "The result"
                            : label.empty() ? "The memory without label"
                                            : "The View") +
                           (label.empty() ? "" : " \"" + label + "\"");
  const char* const what = in_a.element_name == in_b.element_name ? " has another shape: "
                           : in_a.shape == in_b.shape             ? " has other elements: "
                                                      : " has other elements and another shape: ";
  return name + what + elements_of(in_a) + " in a and " + elements_of(in_b) + " in b.";
}

std::string quoted_for_shell(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=.,:/@%").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

second_runs second_runs_of(const file_pair& files, const std::string& name_a,
                           const std::string& name_b, std::size_t a, std::size_t b,
                           const comparison_options& options) {
  std::string compare = "hpk-diff";
  if (options.ulps) compare += " --ulp " + std::to_string(*options.ulps);
  for (const auto& label : options.ignored) compare += " --ignore " + quoted_for_shell(label);
  compare += " " + quoted_for_shell(name_a) + " " + quoted_for_shell(name_b);
  return {second_run(files.a, files.b, name_a, a), second_run(files.b, files.a, name_b, b),
          compare};
}

}  // namespace hpk_diff
