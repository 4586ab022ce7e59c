# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Sphinx extension: links of the guides that Sphinx alone would not resolve.

- `hpk::View`, `parallel_reduce` or `<hpk/core.hpp>` in code type becomes a link to its entry of the API reference.
- A link to a file or folder of the repository leads to its page under source/.
- /api/page.html#anchor leads into the pages of Doxygen.
"""
import json
import posixpath
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NAME = re.compile(r"(<hpk/[\w/]+\.hpp>|(?:hpk::)?[A-Za-z_][\w:]*)((?:<.*>)?(?:\(.*\))?)$")
WORD = re.compile(r"[a-z]+$")  # such as vector: a name only if arguments follow


def up(app, page, target):
    """The link from a page to a file of the site."""
    return posixpath.relpath(target, posixpath.dirname(app.builder.get_target_uri(page)) or ".")


def resolve(app, env, node, content):
    target, _, anchor = node["reftarget"].partition("#")
    anchor = anchor and "#" + anchor
    page = node.get("refdoc", env.docname)
    if target.startswith("/api/"):
        uri = up(app, page, target[1:]) + anchor
    else:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        there = "index" if path == "README.md" else f"source/{path}"
        if there not in env.found_docs:
            return None
        uri = app.builder.get_relative_uri(page, there) + anchor
    return nodes.reference("", "", content, internal=True, refuri=uri)


class LinkNames(SphinxPostTransform):
    default_priority = 500

    def run(self, **kwargs):
        page = self.env.docname
        if page.startswith(("reference/", "source/")):
            return
        names = self.app.hpk_names
        for literal in list(self.document.findall(nodes.literal)):
            ancestors = literal.parent
            while ancestors is not None and not isinstance(ancestors, (nodes.reference, nodes.title)):
                ancestors = ancestors.parent
            match = ancestors is None and NAME.match(literal.astext())
            if match and WORD.match(match[1]) and not match[2]:
                continue
            target = match and (names.get(match[1]) or names.get("hpk::" + match[1]))
            if target:
                literal.replace_self(nodes.reference("", "", literal.deepcopy(), internal=True,
                                                     refuri=up(self.app, page, target), classes=["hpk-name"]))


def read_names(app):
    with open(app.config.hpk_names, encoding="utf-8") as file:
        app.hpk_names = json.load(file)


def setup(app):
    app.add_config_value("hpk_names", "", "html")
    app.add_config_value("hpk_names_digest", "", "html")
    app.connect("builder-inited", read_names)
    app.connect("missing-reference", resolve)
    app.add_post_transform(LinkNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
