#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""check_recorded.py ETW DIRECTORY: recorded traces with context-switches and cpu-clock."""
import json
import os
import statistics
import subprocess
import sys

from etwtest import checks


def stat(tool, path):
    done = subprocess.run([tool, 'stat', path, 'counters', '--json'], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def check(name, good, why=''):
    return checks.check(good, name, '' if good else str(why)[:300])


def main():
    tool, directory = sys.argv[1:]
    good = True
    for name in 'all', 'filtered', 'late':
        result = stat(tool, os.path.join(directory, name + '.etl'))
        rows = [list(row['values'].values()) for row in result['rows']]
        # a switch ends each interval, and the kernel has counted it
        wrong = [r for r in rows if r[1] != r[2]]
        good &= check('%s: threads have as many intervals as the kernel counted switches' % name,
                      rows and not wrong, wrong)
        # the host may halt the guest between its two clocks, and some thread pays:
        # most don't
        ratio = statistics.median(r[3] / r[0] for r in rows if r[0])
        good &= check('%s: the clock counted the time on the processors' % name,
                      abs(ratio - 1) < 0.05, (ratio, [(r[0], r[3]) for r in rows]))
        whys = [row['why'] for row in result['unattributed']]
        good &= check('%s: the reasons of unattributed time' % name, whys == {
            'all': [], 'filtered': ['switches were filtered out'],
            'late': ['records are missing']}[name], whys)
        good &= check('%s: filtered or not' % name, result['filtered'] == (name == 'filtered'))
    return 0 if good else 1


sys.exit(main())
