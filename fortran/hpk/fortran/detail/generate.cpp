// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/fortran/detail/generate.hpp>
#include <hpk/fortran/detail/kernel_list.hpp>

#include <cstdio>
#include <fstream>
#include <vector>

namespace hpk::detail::fortran {

namespace {

using names = std::vector<std::string>;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool is_known(const names& all, const std::string& name) {
  for (const std::string& known : all) {
    if (known == lower(name)) return true;
  }
  return false;
}

// The texts, one after the other.
template <class... Pieces>
std::string joined(const Pieces&... pieces) {
  std::string result;
  (result.append(std::string_view(pieces)), ...);
  return result;
}

// A name of Fortran has at most 63 characters, to which the generator adds some, and a line 132.
void expect_name(std::string_view name, std::string_view what) {
  const bool begins =
      !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  if (!begins || name.size() > 40)
    throw std::runtime_error(joined(what, " is called '", name,
                                    "'; a name in Fortran begins with a letter and has at most 40 "
                                    "characters"));
}

names parameter_names(const kernel& k) {
  names result;
  names seen = {"stat", "errmsg", "hpk_stat", "hpk_errmsg", "hpk_result", lower(k.name)};
  for (int p = 0; p != k.count; ++p) {
    std::string name(parameter_name(k.parameter_text, p));
    const std::string what = joined("HPK_FORTRAN(", k.name, "): parameter ", std::to_string(p + 1));
    expect_name(name, what);
    if (is_known(seen, name))
      throw std::runtime_error(joined(what, " is called '", name,
                                      "'; another parameter or the function has this name in "
                                      "Fortran, or it is stat or errmsg, which hpk adds"));
    seen.push_back(lower(name));
    result.push_back(std::move(name));
  }
  return result;
}

void expect_names(std::string_view module, const kernel* first) {
  names seen = {lower(module)};
  expect_name(module, "the module");
  for (const kernel* k = first; k != nullptr; k = k->next) {
    expect_name(k->name, "a function of HPK_FORTRAN");
    if (is_known(seen, k->name))
      throw std::runtime_error(joined("HPK_FORTRAN(", k->name,
                                      "): the module or another function has this name in Fortran, "
                                      "where upper and lower case are the same"));
    seen.push_back(lower(k->name));
  }
  if (first == nullptr) throw std::runtime_error("no file has a function of HPK_FORTRAN");
}

// Fortran has lines of at most 132 characters.
std::string wrapped(std::string_view begin, const names& items, std::string_view end) {
  std::string result;
  std::string line(begin);
  const auto next_line = [&] {
    result += joined(line, " &\n");
    line = "         ";
  };
  for (std::size_t k = 0; k != items.size(); ++k) {
    if (line.size() + items[k].size() > 90) next_line();
    if (line.back() != '(') line += ' ';
    line += items[k];
    if (k + 1 != items.size()) line += ',';
  }
  if (line.size() + end.size() > 120) next_line();
  return joined(result, line, end, "\n");
}

bool has_handle(const kernel& k) {
  for (int p = 0; p != k.count; ++p) {
    if (k.parameters[p].how == passing::view || k.parameters[p].how == passing::instance)
      return true;
  }
  return false;
}

bool is_function(const kernel& k) { return k.result.how != passing::nothing; }

const char* unit_of(const kernel& k) { return is_function(k) ? "function" : "subroutine"; }

std::string shape_text(int rank) {
  std::string shape = "(:";
  for (int r = 1; r < rank; ++r) shape += ",:";
  return shape + ")";
}

// The declaration of a dummy argument, in the interface of the C function or in a procedure that
// users call.
std::string declaration(const parameter& p, const std::string& name, bool of_c) {
  const char* type = type_text(p.type);
  const char* intent = p.read_only ? ", intent(in)" : ", intent(inout)";
  switch (p.how) {
    case passing::array:
      return joined(type, intent, p.contiguous ? ", contiguous" : "", " :: ", name,
                    shape_text(p.rank));
    case passing::view:
    case passing::instance:
      if (of_c) return joined("type(c_ptr), value, intent(in) :: ", name);
      return joined(p.how == passing::view ? "type(hpk_view)" : "type(hpk_instance)",
                    ", intent(in) :: ", name);
    case passing::text:
      return joined("character(len=*, kind=c_char), intent(in) :: ", name);
    case passing::value:
      return joined(type, ", value, intent(in) :: ", name);
    default:
      return joined(type, intent, " :: ", name);
  }
}

std::string head(const kernel& k, const names& all, std::string_view name, std::string_view end) {
  names arguments = all;
  arguments.emplace_back("stat");
  arguments.emplace_back("errmsg");
  return wrapped(joined(unit_of(k), " ", name, "("), arguments,
                 joined(")", is_function(k) ? " result(hpk_result)" : "", end));
}

// The declarations of the arguments, of stat, errmsg and the result.
std::string declarations(const kernel& k, const names& all, std::string_view indent, bool of_c) {
  std::string text;
  for (int p = 0; p != k.count; ++p)
    text +=
        joined(indent, declaration(k.parameters[p], all[static_cast<std::size_t>(p)], of_c), "\n");
  text += joined(indent, "integer(c_int), intent(out), optional :: stat\n", indent,
                 "character(len=*, kind=c_char), intent(inout), optional :: errmsg\n");
  if (is_function(k)) text += joined(indent, type_text(k.result.type), " :: hpk_result\n");
  return text;
}

std::string interface_text(std::string_view module, const kernel& k) {
  const names all = parameter_names(k);
  const std::string name = joined(has_handle(k) ? "hpk_c_" : "", k.name);
  return joined("    ", head(k, all, name, joined(" bind(C, name=\"", module, "_", k.name, "\")")),
                "      import\n", declarations(k, all, "      ", true), "    end ", unit_of(k), " ",
                name, "\n");
}

// The procedure for users, where arguments are objects of module hpk. gfortran 12 crashes if an
// optional text is passed on, so that the C function always gets stat and errmsg.
std::string procedure_text(const kernel& k) {
  const names all = parameter_names(k);
  names passed = all;
  for (int p = 0; p != k.count; ++p) {
    std::string& argument = passed[static_cast<std::size_t>(p)];
    if (k.parameters[p].how == passing::view) argument += "%c_view()";
    if (k.parameters[p].how == passing::instance) argument += "%c_instance()";
  }
  passed.emplace_back("hpk_stat");
  passed.emplace_back("hpk_errmsg");
  return joined(
      "\n  ", head(k, all, k.name, ""), declarations(k, all, "    ", false),
      "    integer(c_int) :: hpk_stat\n"
      "    character(len=4096, kind=c_char) :: hpk_errmsg\n",
      wrapped(joined(is_function(k) ? "    hpk_result = " : "    call ", "hpk_c_", k.name, "("),
              passed, ")"),
      "    if (present(stat)) stat = hpk_stat\n"
      "    if (hpk_stat == 0) return\n"
      "    if (present(errmsg)) errmsg = hpk_errmsg\n"
      "    if (.not. present(stat)) error stop trim(hpk_errmsg)\n"
      "  end ",
      unit_of(k), " ", k.name, "\n");
}

const char* c_type_text(int type) {
  switch (type) {
    case HPK_TYPE_BOOL:
      return "bool";
    case HPK_TYPE_INT8:
      return "std::int8_t";
    case HPK_TYPE_INT16:
      return "std::int16_t";
    case HPK_TYPE_INT32:
      return "std::int32_t";
    case HPK_TYPE_INT64:
      return "std::int64_t";
    case HPK_TYPE_FLOAT32:
      return "float";
    default:
      return "double";
  }
}

std::string call_text(std::string_view module, const kernel& k) {
  const std::string symbol = joined(module, "_", k.name);
  const char* result = is_function(k) ? c_type_text(k.result.type) : "void";
  std::string parameters;
  std::string arguments;
  for (int p = 0; p != k.count; ++p) {
    const std::string name = joined("a", std::to_string(p));
    const bool by_value = k.parameters[p].how == passing::value;
    parameters +=
        joined(by_value ? c_type_text(k.parameters[p].type) : "const void*", " ", name, ", ");
    arguments += joined(by_value ? "&" : "", name, ", ");
  }
  return joined("extern \"C\" void ", symbol,
                "_call(void*, const void* const*, int*, CFI_cdesc_t*);\nextern \"C\" HPK_EXPORT ",
                result, " ", symbol, "(", parameters, "int* stat, CFI_cdesc_t* errmsg) {\n",
                "  const void* const arguments[] = {", arguments, "nullptr};\n",
                is_function(k) ? joined("  ", result, " result{};\n") : "", "  ", symbol, "_call(",
                is_function(k) ? "&result" : "nullptr", ", arguments, stat, errmsg);\n",
                is_function(k) ? "  return result;\n" : "", "}\n");
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(joined("file '", path, "' cannot be written"));
}

}  // namespace

std::string module_text(std::string_view module, const kernel* first) {
  expect_names(module, first);
  names exported;
  std::string interfaces;
  std::string procedures;
  for (const kernel* k = first; k != nullptr; k = k->next) {
    exported.emplace_back(k->name);
    interfaces += joined("\n", interface_text(module, *k));
    if (has_handle(*k)) procedures += procedure_text(*k);
  }
  return joined(
      "! The functions of HPK_FORTRAN as Fortran sees them. Generated by "
      "hpk_fortran_module.\nmodule ",
      module, "\n  use, intrinsic :: iso_c_binding\n",
      procedures.empty() ? "" : "  use hpk, only: hpk_view, hpk_instance\n",
      "  implicit none\n  private\n", wrapped("  public ::", exported, ""), "\n  interface",
      interfaces, "  end interface\n", procedures.empty() ? "" : "contains\n", procedures,
      "end module ", module, "\n");
}

std::string calls_text(std::string_view module, const kernel* first) {
  std::string text =
      "// The functions that the Fortran module calls. Generated by hpk_fortran_module.\n"
      "#include <hpk/base/macros.hpp>\n\n#include <cstdint>\n\nstruct CFI_cdesc_t;\n\n";
  for (const kernel* k = first; k != nullptr; k = k->next) text += call_text(module, *k);
  return text;
}

int generate(int argc, char* argv[]) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: generator MODULE MODULE.f90 MODULE.cpp\n");
    return 1;
  }
  try {
    const std::string text = module_text(argv[1], first_kernel());
    write_file(argv[2], text);
    write_file(argv[3], calls_text(argv[1], first_kernel()));
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "hpk_fortran_module: %s\n", problem.what());
    return 1;
  }
}

}  // namespace hpk::detail::fortran
