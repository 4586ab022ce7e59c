# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The input filter of Doxygen: puts what a header documents at namespace scope into the group of its folder, so
# that each group of docs/site/groups.dox has a page with its classes, functions and macros. Comments in classes
# are indented and stay as they are. Forward declarations are dropped. Lines keep their numbers. The alias @in{}
# is in docs/site/Doxyfile.
#
# It also lets Doxygen show the members of bases on the page of the class that a program names. Doxygen 1.9.4 finds
# them reliably only in bases without template arguments, so these are dropped. A class of namespace hpk::classes
# whose comment begins with "Base" gets no page.
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
  part = path[k - 1] == "include" ? path[k - 2] : path[k - 1]
  group = part == "core" ? (path[k + 1] in of_folder ? of_folder[path[k + 1]] : "base") : part
}
{ line[FNR] = $0 }
END {
  for (n = 1; n <= FNR; ++n) {
    if (line[n] ~ /^namespace /) scope = line[n]
    if (line[n] ~ /^}  \/\/ namespace /) scope = ""
    scope_of[n] = scope
    # What CMake fills in, which Doxygen would take for its own commands.
    gsub(/@[A-Z_]+@/, "configured", line[n])
    # Where no GPU is compiled for, printf is that of the C library.
    sub(/^using ::printf;/, "template <class... Ts> void printf(const char* format, Ts... values);", line[n])
    # The members that programs for Kokkos use are in a specialisation for Views: the only one, so the base of View.
    sub(/^struct compat_members<View<.*>> /, "struct compat_members ", line[n])
    # Names of the C interface of tools, which are also in detail.
    gsub(/detail::(space_handle|tuning_string|(tool|candidate|variable|optimization)_[a-z]+|[a-z_]+_callback)/,
         "classes::&", line[n])
    gsub(/classes::detail::/, "classes::", line[n])
    # Doxygen never inherits assignments.
    sub(/^  using operators::operator=;/,
        "/** Sets the element and returns the value. */ value_type operator=(value_type value) const;", line[n])
    # Names of a base that a class repeats, and friends of it.
    if (line[n] ~ /^  (using (typename )?(base|types|dual|operators)::[^;]*|friend class classes::.*);$/) line[n] = ""
    if (line[n] ~ /^(class|struct) [A-Za-z_0-9]+( :.*)?$/ && scope !~ /detail/) join_bases(n)
  }
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
      base = scope_of[n] ~ /classes/ && line[n] ~ /^\/\/\/ Base/
      if (line[end] !~ /^namespace/) line[n] = "/// " (base ? "@private " : "@in{" group "} ") substr(line[n], 5)
    }
    print line[n]
  }
}

# Writes the head of a class on one line, the bases without template arguments.
function join_bases(first,   head, last, at, c, depth) {
  head = line[first]
  for (last = first; line[last] !~ /\{/ && last < FNR; ++last) head = head line[last + 1]
  if (head !~ /^[a-z]+ [A-Za-z_0-9]+ +: / || head ~ /std::/) return
  # Bases that are computed from arguments.
  sub(/classes::vector_base<.*>::type/, "DualView", head)
  sub(/device_view_t<.*>::traits/, "ViewTraits", head)
  # Bases that have another name in an internal namespace.
  gsub(/seam::space_base/, "classes::space_base", head)
  gsub(/seam::memory_space_base/, "classes::memory_space_base", head)
  gsub(/host::space/, "classes::space", head)
  # Bases without members for programs.
  sub(/ +: (public )?(classes::(held_occupancy|tile_counts)|seam::(graph|capture)_names_of).*\{/, " {", head)
  line[first] = ""
  for (at = 1; at <= length(head); ++at) {
    c = substr(head, at, 1)
    depth += c == "<"
    if (depth == 0) line[first] = line[first] c
    depth -= c == ">"
  }
  for (++first; first <= last; ++first) line[first] = ""
}
