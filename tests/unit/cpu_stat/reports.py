# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What the tests of etw stat share: reports of fabricated traces."""
import json

from world import e, m
from etwtest import harness as h

T = e.T0
US = 10
THREADS = {0: 0, 100: 100, 101: 100, 200: 200}
SUMS = 'running ns', 'ready ns', 'waiting ns', 'unknown ns'


def stat(content, *options, what='cpu', code=0, tool=h.TOOL):
    return h.run(tool, 'stat', h.save(bytes(content)), what, *options, code=code)


def data(content, *options, **how):
    out = stat(content, '--json', *options, **how)
    return json.loads([x for x in out.splitlines() if x.startswith('{')][0])


def one_cpu(*records, lists=(), **values):
    parts = [(0, m.rundown(THREADS) + list(records), 0)] + [(0, list(x), 0) for x in lists]
    return m.trace(parts, cpus=values.pop('cpus', 1), **values)


def by_tid(result):
    return {r['tid']: r for r in result['rows']}


def sums(row):
    return tuple(row[name] // 1000 for name in SUMS)


def check_sums(result):
    """The invariants, of every trace, whatever is missing."""
    for row in result['rows']:
        assert sum(row[name] for name in SUMS) == row['life ns'], row
        waits = sum(v for k, v in row.items() if k.startswith('waiting ') and k != 'waiting ns')
        assert waits == row['waiting ns'], row
    for row in result['cpus']:
        parts = sum(row[k + ' ns'] for k in ('busy', 'idle', 'lost', 'paused', 'offline',
                                             'filtered out'))
        assert parts == row['all ns'], row
