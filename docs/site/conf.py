# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sphinx builds the guides with MyST and Furo. docs/site/build.py collects the pages and sets the version.
import os
import pathlib
import re
import sys

import furo

sys.path.insert(0, os.path.dirname(__file__))

project = "hpk"
extensions = ["myst_parser", "sphinx_copybutton", "hpk_site"]
root_doc = "index"
templates_path = ["templates"]
myst_heading_anchors = 4
highlight_language = "none"

html_theme = "furo"
# The styles of Debian 12's furo lack the rules for a system in dark mode, whose variables are these.
styles = (pathlib.Path(furo.__file__).parent / "theme/furo/static/styles/furo.css").read_text()
dark = re.search(r"""body\[data-theme="?dark"?\]\s*\{(.*?)\}""", styles, re.S)
html_theme_options = {"dark_css_variables": dict(re.findall(r"--([\w-]+):\s*([^;]+)", dark[1] if dark else ""))}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
html_sidebars = {
    "**": [
        "sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html",
        "sidebar/scroll-end.html", "versions.html"
    ]
}
