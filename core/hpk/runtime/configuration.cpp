// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/backends.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/config.hpp>
#include <hpk/base/file_settings.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/configuration.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/runtime/tool_library.hpp>
#include <hpk/version.hpp>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
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

// Replaces all characters except printable ASCII, so that text and JSON agree.
std::string plain(std::string_view value) {
  std::string out(value);
  for (char& c : out) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code > 0x7e) c = '?';
  }
  return out;
}
std::string_view or_unknown(std::string_view value) { return value.empty() ? "unknown" : value; }

// Returns the CPUs that the calling thread may use: "0-3 8".
std::string cpus() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return "unknown";
  detail::text out;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mask)) continue;
    const int first = cpu;
    while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, &mask)) ++cpu;
    out << (out.str().empty() ? "" : " ") << first;
    if (cpu != first) out << '-' << cpu;
  }
  return out.str();
}

void add_system(collector& all) {
  utsname system{};
  if (uname(&system) == 0)
    all.fact("system", plain((detail::text()
                              << system.sysname << ' ' << system.release << ' ' << system.machine)
                                 .str()));
  all.fact("CPUs of the calling thread", cpus());
  std::string tools;
  for (const std::string& path : detail::loaded_tools())
    (tools += tools.empty() ? "" : ";") += path;
  all.fact("tools", tools.empty() ? "none" : plain(tools));
}

// Returns "on", "off", or the number of files of the program in which an option is on.
std::string share(int on, int files) {
  if (on == files) return "on";
  if (on == 0) return "off";
  return (detail::text() << "on in " << on << " of " << files << " files").str();
}

// Adds how the program itself is compiled, because its kernels are compiled with it.
void add_program(collector& all) {
  const detail::program_record program = detail::records_of_program();
  all.section("program");
  all.fact("files that use hpk", (detail::text() << program.files).str());
  if (program.files == 0) return;
  const int unoptimized = program.files - program.optimized;
  detail::text optimized;
  optimized << share(program.optimized, program.files);
  if (unoptimized != 0) {
    optimized << "; NOTE: kernels are slow without, as in " << program.unoptimized_file
              << "; compile with -O2, in CMake with CMAKE_BUILD_TYPE=Release";
  }
  all.fact("optimisation", plain(optimized.str()));
  all.fact("NDEBUG", share(program.files - program.asserting, program.files));
  all.fact("checks", share(program.checked, program.files));
  all.fact("default execution space", plain(program.default_space));
}

// Adds the environment variables that affect hpk and the libraries that it uses.
void add_environment(collector& all) {
  constexpr std::string_view starts[] = {"HPK_", "KOKKOS_", "OMP_", "GOMP_",
                                         "KMP_", "CUDA_",   "HIP_", "ROCR_"};
  std::vector<std::string_view> set;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line = *entry;
    const bool counts =
        std::any_of(std::begin(starts), std::end(starts),
                    [&](std::string_view start) { return line.starts_with(start); });
    if (counts && line.find('=') != std::string_view::npos) set.push_back(line);
  }
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  all.section("environment");
  for (const std::string_view line : set) {
    const auto equals = line.find('=');
    all.fact(plain(line.substr(0, equals)), plain(line.substr(equals + 1)));
  }
}

std::vector<section> collect() {
  collector all;
  all.section("hpk");
  all.fact("version", version);
  all.fact("commit", or_unknown(HPK_COMMIT));
  add_system(all);
  all.section("library");
  all.fact("compiler", __VERSION__);
  all.fact("C++", (detail::text() << __cplusplus).str());
  all.fact("flags", plain(or_unknown(HPK_FLAGS)));
  all.fact("checks", HPK_CHECKS != 0 ? "on" : "off");
  all.fact("fibres", HPK_WITH_BOOST_CONTEXT != 0 ? "Boost.Context" : "ucontext");
  all.fact("hwloc", HPK_WITH_HWLOC != 0 ? "found" : "none");
  all.fact("default execution space", DefaultExecutionSpace::name());
  all.fact("default host execution space", DefaultHostExecutionSpace::name());
  add_program(all);
  const detail::effective_settings settings = detail::in_force();
  const auto& table = detail::option_table();
  all.section("settings");
  for (std::size_t k = 0; k < table.size(); ++k) {
    detail::text value;
    value << table[k].show(settings.values, table[k]) << " ("
          << detail::name_of(settings.origins[k]) << ')';
    all.fact(table[k].name, value.str());
  }
  add_environment(all);
  detail::for_each_type(detail::enabled_spaces{}, [&](auto space) {
    using type = typename decltype(space)::type;
    try {
      type().instance().describe(all);
    } catch (const error& why) {
      // This GPU space has no GPU.
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
