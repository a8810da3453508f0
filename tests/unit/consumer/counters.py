#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Hardware counters of a trace of ours: item 8 has what etw dump prints."""
import sys

from etwtest import checks, compare


def main(program, tool, path):
    counted = [x for x in compare.dumped(tool, path) if 'Counter1' in x['fields']]
    compare.compare(program, tool, path)
    _, items, *_ = compare.consume(program, path)
    found = [x for words in items for x in words if x.startswith('+8:')]
    assert len(found) == len(counted) > 200, (len(found), len(counted))
    assert len(set(found)) > 200, 'the counters stand still'
    assert all(len(x) == len('+8:') + 4 * 8 for x in found), found[0]
    return '%d records' % len(found)


checks.test('item 8 contains the two counters of a record', main, *sys.argv[1:])
