# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The events that TraceEvent has no class for: unknown.txt, and the table in symbols.rst"""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = 'Documentation/reference/symbols.rst'


def hooks_without_class():
    """{hook id: name in TraceEvent} of the module's events in unknown.txt"""
    found = {}
    with open(os.path.join(HERE, 'unknown.txt'), encoding='utf-8') as file:
        for row in file.read().partition('# of the module')[2].partition('\n# ')[0].splitlines():
            hook = re.search(r'\(([0-9A-F]{4})\)$', row)
            if hook:
                found[hook[1]] = row.split()[0]
    return found


def hooks_in_document():
    """Hook ids in the table of events that a finalized trace describes"""
    with open(TABLE, encoding='utf-8') as file:
        text = file.read()
    table = re.search(r'^TraceEvent, the library of PerfView.*?^A description ends', text,
                      re.M | re.S)[0]
    return set(re.findall(r'\(([0-9A-F]{4})\)', table))
