# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Settings of Sphinx: "make docs" builds the pages into build/docs.

The pages name each other as "format.rst", so that they can be read as plain text. Each such name
becomes a link here; a name without a page is a warning, and the build treats warnings as errors.
"""
import os
import re

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

HERE = os.path.dirname(os.path.abspath(__file__))

project = 'etw'
copyright = "the project's authors"     # noqa: A001
with open(os.path.join(HERE, '..', 'tools', 'etw', 'etw.h'), encoding='utf-8') as header:
    version = release = re.search(r'#define ETW_VERSION\s+"(.*)"', header.read())[1]

extensions = []
html_theme = 'alabaster'
html_theme_options = {'page_width': '1100px', 'sidebar_width': '260px', 'show_powered_by': False}
html_copy_source = False
highlight_language = 'none'     # output of commands and layouts, not programs
nitpicky = True

PAGE = re.compile(r'(?<![\w$/.-])(?:Documentation/)?((?:[\w-]+/)*[\w-]+)\.rst\b')


class PageLinks(SphinxTransform):
    """Turns the name of a page, in text or in a literal of its own, into a link to that page."""
    default_priority = 400

    def apply(self, **_):
        pages = {name.rpartition('/')[2]: name for name in self.env.found_docs}
        for node in list(self.document.findall(nodes.Text)):
            if isinstance(node.parent, (nodes.reference, pending_xref, nodes.literal_block,
                                        nodes.comment)):
                continue
            self.link(node, pages)

    def link(self, node, pages):
        """Replaces a text by its parts: plain ones, and links."""
        text, parts, end = node.astext(), [], 0
        for match in PAGE.finditer(text):
            page = pages.get(match[1].rpartition('/')[2])
            if page is None or not page.endswith(match[1]):
                logging.getLogger(__name__).warning('there is no page %s', match[0],
                                                    location=node.parent)
                continue
            link = pending_xref('', refdomain='std', reftype='doc', reftarget='/' + page,
                                refexplicit=True, refdoc=self.env.docname, refwarn=True)
            link += nodes.inline('', match[0], classes=['doc'])
            parts += [nodes.Text(text[end:match.start()]), link]
            end = match.end()
        if parts:
            node.parent.replace(node, parts + [nodes.Text(text[end:])])


def setup(app):
    app.add_transform(PageLinks)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
