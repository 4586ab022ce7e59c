// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu_performance <transpose|stencil|soa|histogram|reduction> [<version>]
#include "examples.hpp"

#include <cstdio>
#include <string_view>

int main(int argc, char* argv[]) {
  const hpk::ScopeGuard scope(argc, argv);
  const std::string_view name = argc > 1 ? argv[1] : "";
  const std::string_view version = argc > 2 ? argv[2] : "";
  constexpr struct {
    std::string_view name;
    bool (*function)(std::string_view version);
  } examples[] = {{"transpose", &transpose},
                  {"stencil", &stencil},
                  {"soa", &soa},
                  {"histogram", &histogram},
                  {"reduction", &reduction}};
  for (const auto& e : examples) {
    if (e.name != name) continue;
    const bool is_right = e.function(version);
    std::printf("%s: results are %s\n", argv[1], is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
  }
  std::fputs("usage: gpu_performance <transpose|stencil|soa|histogram|reduction> [<version>]\n",
             stderr);
  return 2;
}
