#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Windows' files by ProcessTrace(): as etw dump has them, and as they were counted."""
import re
import sys

from etwtest import checks, compare


def manifest(directory):
    """name -> (events, buffers, counts by header type)"""
    files, name = {}, None
    for line in open(directory + '/MANIFEST.md', encoding='utf-8'):
        cells = [x.strip() for x in line.strip().strip('|').split('|')]
        if len(cells) == 11 and cells[1].isdigit():
            files[cells[0]] = [int(cells[9]), int(cells[8]), {}]
        elif line.startswith('## '):
            name = line[3:].strip()
        elif line.startswith('providers: '):
            for guid, header, n in re.findall(r'([0-9a-f-]{36}) \[(\w+)\] (\d+)', line):
                files[name][2][guid] = files[name][2].get(guid, 0) + int(n)
    return files


def check(program, tool, path, expected):
    logged = compare.compare(program, tool, path)
    assert logged == tuple(expected[:2]), (logged, expected[:2])
    lines = compare.output(program, path)
    assert compare.output(program, '-w', path) == lines, 'OpenTraceW: other events'
    providers = {}
    for guid in (x.split(' ', 3)[2] for x in lines if x[0] == 'E'):
        if guid in expected[2]:
            providers[guid] = providers.get(guid, 0) + 1
    assert providers == {**expected[2], **providers}, providers
    for guid, n in expected[2].items():
        # kernel events come under the same classes
        assert providers[guid] >= n, (guid, n, providers[guid])
    return '%d events' % logged[0]


def main(program, tool, directory):
    for name, expected in sorted(manifest(directory).items()):
        checks.test(name + ': events by class and opcode, in both forms', check, program, tool,
                    '%s/%s.etl' % (directory, name), expected)


main(*sys.argv[1:])
