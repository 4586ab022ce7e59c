# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The blocks of docs/python.md, run in order as one program. The text after a block is what it prints; `...`
stands for any text."""

import contextlib
import io
import pathlib
import re
import sys
import unittest

from support import needs_emu, needs_numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import pages  # noqa: E402


@needs_numpy
@needs_emu
class Page(unittest.TestCase):
    def test_blocks(self):
        blocks = list(pages.blocks((ROOT / "docs/python.md").read_text()))
        names = {}
        run = 0
        for block, after in zip(blocks, [*blocks[1:], None]):
            if block.language != "python":
                continue
            run += 1
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(block.text, f"<block {run}>", "exec"), names)
            wanted = after.text if after is not None and after.language == "text" else ""
            pattern = ".*".join(re.escape(part) for part in wanted.strip().split("..."))
            self.assertIsNotNone(
                re.fullmatch(pattern, output.getvalue().strip(), re.DOTALL),
                f"block {run} prints:\n{output.getvalue()}\ninstead of:\n{wanted}",
            )
        self.assertGreaterEqual(run, 9)


if __name__ == "__main__":
    unittest.main()
