# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The input filter of Doxygen: puts the public entities of a header into the group of its folder, so that each
# group of docs/site/groups.dox has a page with its functions and macros. A group opened inside a namespace
# holds the members of that namespace, so the filter closes and opens the group at its braces. Lines keep their
# numbers. The alias @in{} of docs/site/Doxyfile opens a group.
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
  print
  next
}
FNR == 2 { print "/** @in{" group "} */ " $0; next }
/^namespace .*{$/ { opened = FNR; print "/** @} */ " $0 " /** @in{" group "} */"; next }
# clang-format writes no comment behind a namespace of one declaration.
/^}  \/\/ namespace/ || (/^}$/ && opened && FNR <= opened + 3) { opened = 0; print "/** @} */ } /** @in{" group "} */"; next }
{ print }
END { print "/** @} */" }
