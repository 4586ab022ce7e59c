# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The input filter of Doxygen: puts the public entities of a header into the group of its folder, so that each
# group of docs/site/groups.dox has a page with its functions and macros. A group opened inside a namespace
# holds the members of that namespace, so the filter closes and opens the group at its braces. It also drops
# forward declarations, which would put a class into the groups of others. Lines keep their numbers. The alias
# @in{} of docs/site/Doxyfile opens a group.
BEGIN {
  split("view:views parallel:patterns atomic:atomics math:math base:base spaces:spaces backends:spaces " \
        "runtime:runtime structures:structures memory:structures tools:tools", pairs, " ")
  for (k in pairs) {
    split(pairs[k], pair, ":")
    of_folder[pair[1]] = pair[2]
  }
  close_group = "/** @} */ "
}
FNR == 1 {
  count = split(FILENAME, path, "/")
  for (k = 1; k < count && path[k] != "hpk"; ++k) {
  }
  part = path[k - 1]
  group = part == "core" ? (path[k + 1] in of_folder ? of_folder[path[k + 1]] : "base") : part
  open_group = " /** @in{" group "} */ "
}
{ line[FNR] = $0 }
END {
  for (n = 1; n <= FNR; ++n)
    if (line[n] ~ /^(class|struct) [A-Za-z_]+;$/) {
      first = line[n - 1] ~ /^template <.*>$/ ? n - 1 : n
      if (line[first - 1] !~ /^\/\/\//)
        for (k = first; k <= n; ++k) line[k] = ""
    }
  line[2] = open_group line[2]
  for (n = 1; n <= FNR; ++n) {
    if (line[n] ~ /^namespace .*{$/) {
      opened = n
      line[n] = close_group line[n] open_group
    } else if (line[n] ~ /^}  \/\/ namespace/ || (line[n] == "}" && opened && n <= opened + 3)) {
      # clang-format writes no comment behind a namespace of one declaration.
      opened = 0
      line[n] = close_group "}" open_group
    }
    print line[n]
  }
  print close_group
}
