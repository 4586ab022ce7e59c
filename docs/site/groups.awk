# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The input filter of Doxygen: puts what a header documents at namespace scope into the group of its folder, so
# that each group of docs/site/groups.dox has a page with its classes, functions and macros. Comments in classes
# are indented and stay as they are. Forward declarations are dropped. Lines keep their numbers. The alias @in{}
# is in docs/site/Doxyfile.
BEGIN {
  split("view:views parallel:patterns atomic:atomics math:math base:base spaces:spaces backends:spaces " \
        "runtime:runtime structures:structures memory:structures tools:tools", pairs, " ")
  for (k in pairs) {
    split(pairs[k], pair, ":")
    of_folder[pair[1]] = pair[2]
  }
}
FNR == 1 {
  count = split(FILENAME, path, "/")
  for (k = 1; k < count && path[k] != "hpk"; ++k) {
  }
  part = path[k - 1]
  group = part == "core" ? (path[k + 1] in of_folder ? of_folder[path[k + 1]] : "base") : part
}
{ line[FNR] = $0 }
END {
  for (n = 1; n <= FNR; ++n)
    if (line[n] ~ /^(class|struct) [A-Za-z_]+;$/) {
      first = line[n - 1] ~ /^template <.*>$/ ? n - 1 : n
      if (line[first - 1] !~ /^\/\/\//)
        for (k = first; k <= n; ++k) line[k] = ""
    }
  for (n = 1; n <= FNR; ++n) {
    if (line[n] ~ /^\/\/\/ / && line[n] !~ /^\/\/\/ @[{}]/ && (line[n - 1] !~ /^\/\/\// || line[n - 1] ~ /^\/\/\/ @{/)) {
      for (end = n; line[end] ~ /^\/\/\//; ++end) {
      }
      if (line[end] !~ /^namespace/) line[n] = "/// @in{" group "} " substr(line[n], 5)
    }
    print line[n]
  }
}
