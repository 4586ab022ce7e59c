// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/backends.hpp>
#include <hpk/runtime/run_facts.hpp>

#include <ctime>
#include <fstream>

namespace hpk::detail {

// The words of the command line, those with blanks in quotes; empty without /proc.
static std::string command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::string all;
  for (std::string word; std::getline(file, word, '\0');) {
    if (!all.empty()) all += ' ';
    all += word.find(' ') == word.npos ? word : '"' + word + '"';
  }
  return all;
}

run_facts facts_of_run() {
  run_facts facts;
  const std::string line = command_line();
  const std::string program = line.substr(0, line.find(' '));
  facts.emplace_back("program", program.substr(program.rfind('/') + 1));
  facts.emplace_back("command line", line);
  const std::time_t now = std::time(nullptr);
  char date[64] = "";
  if (std::tm parts = {}; localtime_r(&now, &parts) != nullptr)
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &parts);
  facts.emplace_back("began", date);
  facts.emplace_back("default execution space", std::string(DefaultExecutionSpace::name()));
  facts.emplace_back("default host space", std::string(DefaultHostExecutionSpace::name()));
  return facts;
}

}  // namespace hpk::detail
