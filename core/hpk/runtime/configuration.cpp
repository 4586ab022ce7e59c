// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/backends.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/config.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/configuration.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/version.hpp>

#include <ostream>
#include <vector>

namespace hpk {

namespace {

struct entry {
  std::string key;
  std::string value;
};
struct section {
  std::string name;
  std::vector<entry> entries;
};

class collector : public seam::fact_sink {
 public:
  void section(std::string_view name) override { sections.push_back({std::string(name), {}}); }
  void fact(std::string_view key, std::string_view value) override {
    sections.back().entries.push_back({std::string(key), std::string(value)});
  }
  std::vector<hpk::section> sections;
};

std::vector<section> collect() {
  collector all;
  all.section("hpk");
  all.fact("version", version);
  all.fact("compiler", __VERSION__);
  all.fact("checks", HPK_CHECKS != 0 ? "on" : "off");
  all.fact("fibres", HPK_WITH_BOOST_CONTEXT != 0 ? "Boost.Context" : "ucontext");
  all.fact("default execution space", DefaultExecutionSpace::name());
  all.fact("default host execution space", DefaultHostExecutionSpace::name());
  const detail::effective_settings settings = detail::in_force();
  const auto& table = detail::option_table();
  all.section("settings");
  for (std::size_t k = 0; k < table.size(); ++k) {
    detail::text value;
    value << table[k].show(settings.values, table[k]) << " ("
          << detail::name_of(settings.origins[k]) << ')';
    all.fact(table[k].name, value.str());
  }
  detail::for_each_type(detail::enabled_spaces{}, [&](auto space) {
    using type = typename decltype(space)::type;
    try {
      type().instance().describe(all);
    } catch (const error& why) {
      // A GPU space where there is no GPU.
      all.section(type::name());
      all.fact("not available", why.what());
    }
  });
  return all.sections;
}

void quote(detail::text& out, std::string_view s) {
  out << '"';
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out << ' ';
    } else {
      out << c;
    }
  }
  out << '"';
}

std::string as_json(const std::vector<section>& sections) {
  detail::text out;
  out << "{\n";
  for (std::size_t k = 0; k < sections.size(); ++k) {
    out << "  ";
    quote(out, sections[k].name);
    out << ": {\n";
    const auto& entries = sections[k].entries;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      out << "    ";
      quote(out, entries[e].key);
      out << ": ";
      quote(out, entries[e].value);
      out << (e + 1 < entries.size() ? ",\n" : "\n");
    }
    out << (k + 1 < sections.size() ? "  },\n" : "  }\n");
  }
  out << "}\n";
  return out.str();
}

std::string as_text(const std::vector<section>& sections) {
  detail::text out;
  for (const section& s : sections) {
    out << s.name << '\n';
    for (const entry& e : s.entries) out << "  " << e.key << ": " << e.value << '\n';
  }
  return out.str();
}

}  // namespace

std::string configuration(configuration_format format) {
  const std::vector<section> sections = collect();
  return format == configuration_format::json ? as_json(sections) : as_text(sections);
}

void print_configuration(std::ostream& out, bool /*verbose*/) { out << configuration(); }

}  // namespace hpk
