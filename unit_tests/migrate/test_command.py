# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpk-migrate as its users call it: modes, exit codes, patches, git, and the files that it leaves alone."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "migrate/hpk-migrate"
OLD = "#include <Kokkos_Core.hpp>\r\nint main() { Kokkos::fence(); }"
NEW = "#include <hpk/core.hpp>\r\nint main() { hpk::fence(); }"


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "src").mkdir()
        self.file = self.folder / "src/a.cpp"
        self.write(self.file, OLD)

    def write(self, path, text):
        path.write_bytes(text.encode("latin-1"))

    def text(self, path):
        return path.read_bytes().decode("latin-1")

    def run_tool(self, *arguments, expect=0):
        done = subprocess.run([sys.executable, str(TOOL), *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.folder,
                              check=True, capture_output=True, text=True).stdout

    def test_default_changes_nothing(self):
        self.assertIn("src/a.cpp: would change, 2 lines", self.run_tool("src"))
        self.assertEqual(self.text(self.file), OLD)

    def test_in_place_keeps_the_mode_and_is_done_once(self):
        self.file.chmod(0o750)
        self.assertIn("src/a.cpp: changed", self.run_tool("--in-place", "src"))
        self.assertEqual(self.text(self.file), NEW)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o750)
        self.assertIn("0 of 1 files changed", self.run_tool("--in-place", "src"))

    def test_check(self):
        self.run_tool("--check", "src", expect=1)
        self.assertEqual(self.text(self.file), OLD)
        self.run_tool("--in-place", "src")
        self.run_tool("--check", "src")

    def test_patches(self):
        self.write(self.folder / "src/b.cpp", "Kokkos::InitArguments a;\n")
        for apply in (["git", "apply", "--whitespace=nowarn", "p.patch"], ["patch", "-p1", "-s", "--binary", "-i", "p.patch"]):
            if shutil.which(apply[0]) is None:
                continue  # `patch` is not everywhere; git is needed below anyway
            copy = self.folder / apply[0]
            shutil.copytree(self.folder / "src", copy / "src")
            subprocess.run([sys.executable, str(TOOL), "src", "--patch", "p.patch", "--leftovers", "left.hpp"], cwd=copy,
                           check=True, capture_output=True)
            self.assertEqual(self.text(copy / "src/a.cpp"), OLD)
            subprocess.run(apply, cwd=copy, check=True)
            self.assertEqual(self.text(copy / "src/a.cpp"), NEW)
            self.assertEqual(self.text(copy / "src/b.cpp"), '#include "../left.hpp"\nhpk::InitArguments a;\n')
            self.assertIn("struct InitArguments {", self.text(copy / "left.hpp"))
        self.assertIn("--- a/src/a.cpp\n+++ b/src/a.cpp\n", self.run_tool("src", "--patch", "-"))
        self.assertIn("outside of the current folder",
                      self.run_tool(str(TOOL.parents[1] / "unit_tests/kokkos/programs/dot_product.cpp"), "--patch", "-",
                                    expect=2))

    def test_names_of_files_in_other_alphabets(self):
        self.file.rename(self.folder / "src/\u540d.cpp")
        self.write(self.folder / "src/b.cpp", "Kokkos::InitArguments a;\n")
        self.run_tool("src", "--patch", "p.patch", "--leftovers", "src/\u4ed6.hpp")
        self.git("apply", "--whitespace=nowarn", "p.patch")
        self.assertEqual(self.text(self.folder / "src/\u540d.cpp"), NEW)
        self.assertIn('#include "\u4ed6.hpp"', (self.folder / "src/b.cpp").read_text("utf-8"))
        self.assertIn("struct InitArguments {", self.text(self.folder / "src/\u4ed6.hpp"))

    def test_git(self):
        self.git("init", "-q")
        self.write(self.folder / "src/b.cpp", "Kokkos::fence();\n")
        self.git("add", "src/a.cpp")
        self.git("commit", "-qm", "a")
        # A file that git does not know could not be restored.
        self.assertIn("git has uncommitted changes of src/b.cpp", self.run_tool("--in-place", "src", expect=2))
        self.assertEqual(self.text(self.file), OLD)
        # Other files may have changes.
        self.run_tool("--in-place", "src/a.cpp")
        self.assertEqual(self.text(self.file), NEW)
        # What a run has changed does not stop the next one, which changes nothing.
        self.run_tool("--in-place", "src/a.cpp")
        self.write(self.file, NEW + "Kokkos::fence();")
        self.run_tool("--in-place", "src/a.cpp", expect=2)
        self.run_tool("--check", "src/a.cpp", expect=1)
        self.run_tool("--in-place", "--force", "src")
        self.assertEqual(self.text(self.folder / "src/b.cpp"), "hpk::fence();\n")

    def test_files_that_stay(self):
        outside = self.folder / "outside.cpp"
        for path in ("outside.cpp", "src/notes.txt", "src/prog.c", "src/.git/x.cpp", "src/build/CMakeCache.txt", "src/build/x.cpp"):
            (self.folder / path).parent.mkdir(exist_ok=True)
            self.write(self.folder / path, "Kokkos::fence();\n")
        os.symlink(outside, self.folder / "src/link.cpp")
        os.symlink(self.folder, self.folder / "src/folder")
        (self.folder / "src/wide.hpp").write_bytes("Kokkos::fence();".encode("utf-16"))
        out = self.run_tool("--in-place", "src")
        self.assertIn("1 of 1 files changed", out)
        self.assertIn("src/wide.hpp:1: contains zero bytes", out)
        self.assertEqual(self.text(outside), "Kokkos::fence();\n")
        self.assertIn("is a symbolic link", self.run_tool("src/link.cpp", expect=2))
        self.assertIn("does not exist", self.run_tool("src/none.cpp", expect=2))
        self.assertIn("the ending of its name is unknown", self.run_tool("src/notes.txt", expect=2))

    def test_a_header_that_is_not_the_tools_stays(self):
        self.assertIn("was not written by hpk-migrate", self.run_tool("src", "--leftovers", "src/a.cpp", expect=2))

    def test_report(self):
        self.write(self.file, 'auto s = "Kokkos";\nKokkos::InitArguments a;\n')
        out = self.run_tool("src")
        self.assertIn("names that hpk lacks:\n  src/a.cpp:2: hpk lacks Kokkos::InitArguments\n", out)
        self.assertIn('src/a.cpp:1: kept "Kokkos"', out)
        self.assertIn("--leftovers FILE", out)


if __name__ == "__main__":
    unittest.main()
