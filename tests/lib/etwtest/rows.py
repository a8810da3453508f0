# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The rows of tools/libetl/events as data, and the constants of the headers."""
import glob
import json
import re
import subprocess
import tempfile


def read(build='build/host'):
    """All rows, by table: of hooks, of our provider, of what enables events."""
    # not what else an older build left there
    objects = [build + path.replace('tools', '/tools/objects', 1)[:-2] + '.o' for path in
               glob.glob('tools/libetl/*.c') + glob.glob('tools/libetl/events/*.c')]
    with tempfile.TemporaryDirectory(prefix='etw-rows-') as out:
        subprocess.run(['ar', 'rcs', out + '/libetl.a', *objects], check=True)
        subprocess.run(['cc', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-I.', '-Iuapi',
                        '-Itools', '-o', out + '/rows', 'tests/unit/reader/rows.c',
                        out + '/libetl.a'], check=True)
        text = subprocess.run([out + '/rows'], check=True, capture_output=True,
                              text=True).stdout
    tables = {'hooks': [], 'linux': [], 'flags': []}
    for row in map(json.loads, text.splitlines()):
        for version in row.get('versions', [])[:-1]:
            version['fields'].pop()
        if 'versions' in row:
            row['versions'].pop()
        tables[row['table']].append(row)
    return tables


def constants(pattern):
    """{name: value} of what the headers define as a number."""
    text = subprocess.run(['cc', '-E', '-dM', '-Iuapi', '-include', 'etw_hooks.h', '-x', 'c',
                           '/dev/null'], check=True, capture_output=True, text=True).stdout
    return {name: int(value, 16) for name, value in
            re.findall(r'^#define (%s) (0x[0-9A-Fa-f]+)U?$' % pattern, text, re.M)}
