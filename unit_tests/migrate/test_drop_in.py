# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of hpk-migrate agree with the drop-in, and every name of the drop-in is decided."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "migrate"))

from hpk_migrate import cmake, table  # noqa: E402
from hpk_migrate.leftovers import Leftovers  # noqa: E402
from hpk_migrate.main import load_names  # noqa: E402

NAMES = load_names()
DROP_IN = NAMES.dropin
PATHS = {"::".join(path[1:]) for path in [*DROP_IN.renames, *[entity.path for entity in DROP_IN.entities]]}
HEADERS = {path.relative_to(part).as_posix() for part in (ROOT / name for name in ("core", *table.PARTS))
           for path in part.rglob("*.hpp")}


class Tables(unittest.TestCase):
    def test_names_exist_in_the_drop_in(self):
        for group in (table.RENAMES, table.UNLESS_ARGUMENTS, table.CALLS, table.OVERLOADS, table.ONLY_IN_DROP_IN,
                      [name for name in table.TRIGGERS.values()], [name for name in table.TOGETHER.values()],
                      [f"Experimental::{name}" for name in table.ALSO_ALGORITHMS], table.UNQUALIFIED):
            self.assertEqual([name for name in group if name not in PATHS], [])

    def test_macros_exist_in_the_drop_in(self):
        for group in (table.DEFINED, table.VALUES, table.STATEMENTS, table.UNDECIDED, NAMES.comparisons):
            self.assertEqual([name for name in group if name not in DROP_IN.macros], [])

    def test_every_macro_of_the_drop_in_is_decided(self):
        undecided = [name for name in DROP_IN.macros if name.startswith(("KOKKOS", "DESUL_")) and name not in {
            *NAMES.macros, *NAMES.comparisons, *table.DEFINED, *table.UNDECIDED}]
        # Copied to the header of leftovers, so they may not depend on conditions: a second definition would be lost.
        self.assertEqual(undecided, ["DESUL_ATOMICS_ENABLE_CUDA", "DESUL_ATOMICS_ENABLE_HIP",
                                     "DESUL_ATOMICS_ENABLE_OPENMP", "KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_PUSH",
                                     "KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_POP"])

    def test_every_name_of_the_drop_in_is_decided(self):
        leftovers = Leftovers(NAMES)
        lost = ["::".join(path) for path in NAMES.lacking
                if not leftovers.available(path) and "::".join(path[1:]) not in table.ONLY_IN_DROP_IN]
        self.assertEqual(lost, [])
        self.assertGreater(len(NAMES.lacking), 40)
        self.assertGreater(len(NAMES.renames), 180)

    def test_renames_lead_to_names_of_hpk(self):
        text = "".join((part / name).read_text() for part in (ROOT / name for name in ("core", *table.PARTS))
                       for name in HEADERS if (part / name).is_file())
        words = set(re.findall(r"\w+", text))
        for path, target in NAMES.renames.items():
            name = re.sub(r"<>$", "", target).split("::")[-1]
            if target not in ("int",) and tuple(target.split("::")) not in NAMES.lacking:
                # Macros of hpk put names of atomic functions together.
                self.assertTrue(name in words or name.removeprefix("atomic_") in words or target.startswith("std::"),
                                f"{path} -> {target}")


class Headers(unittest.TestCase):
    def test_every_header_of_the_drop_in_leads_to_public_ones(self):
        generated = {"hpk/version.hpp"}
        for name in DROP_IN.headers:
            found = NAMES.includes(name)
            self.assertTrue(found or name in table.WHOLE_HEADERS, name)
            for header in found:
                self.assertTrue(header in HEADERS | generated or "/" not in header, f"{name} -> {header}")

    def test_the_table_in_cmake_is_read_whole(self):
        # The words of headers.cmake that look like headers, and the generated ones of its loops.
        text = re.sub(r"#[^\n]*", "", (ROOT / "tpls/kokkos/headers.cmake").read_text())
        for name in re.findall(r"(?<![\w/])(?:\w+/)?Kokkos\w+[.]hp*(?=[=\s)])", text):
            self.assertIn(name, DROP_IN.headers)
        self.assertIn("sorting/Kokkos_BinOpsPublicAPI.hpp", DROP_IN.headers)
        self.assertIn("std_algorithms/Kokkos_RotateCopy.hpp", DROP_IN.headers)
        self.assertIn("Kokkos_SIMD_NEON.hpp", DROP_IN.headers)

    def test_standard_headers(self):
        brought = {name for name in DROP_IN.files["hpk/kokkos/standard.hpp"].includes if "/" not in name}
        self.assertEqual(brought, {*table.STANDARD, *table.C_STANDARD})

    def test_what_the_core_of_kokkos_brings_beyond_the_core_of_hpk(self):
        beyond, core = set(), (ROOT / "core/hpk/core.hpp").read_text()
        for file in DROP_IN._order():
            if file in ("Kokkos_Core.hpp", "hpk/kokkos/profiling.hpp"):
                beyond |= {name for name in DROP_IN.files[file].includes
                           if name.startswith("hpk/") and "kokkos" not in name and f"<{name}>" not in core}
        self.assertEqual(beyond - {"hpk/core.hpp", "hpk/tasks.hpp"}, set(table.BESIDE_CORE))


class Others(unittest.TestCase):
    def test_targets(self):
        text = (ROOT / "tpls/kokkos/KokkosConfig.cmake.in").read_text()
        names = re.search(r"foreach\(_hpk_name (kokkos [^)]*)\)", text)[1].split() + ["kokkoscore"]
        self.assertTrue(all(re.fullmatch(cmake.TARGETS, f"Kokkos::{name}") for name in names))

    def test_settings(self):
        text = (ROOT / "core/hpk/runtime/option_table.cpp").read_text()
        self.assertEqual([name for name in table.SETTINGS if f'"{name}"' not in text and name != "help"], [])


if __name__ == "__main__":
    unittest.main()
