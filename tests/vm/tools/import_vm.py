# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare an imported recording of perf with the trace of the same run: import_vm.py DIRECTORY"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../../unit/import'))
import imported             # noqa: E402 pylint: disable=wrong-import-position
from etwtest import checks  # noqa: E402 pylint: disable=wrong-import-position


def load(name):
    with open(os.path.join(sys.argv[1], name), 'rb') as file:
        return imported.Trace(file.read())


def by_cpu(records):
    """{processor: [(time, what)]} of tuples with time, processor and what"""
    result = {}
    for time, cpu, *what in sorted(records):
        result.setdefault(cpu, []).append((time, what))
    return result


def within(own, other):
    """The part of @own that begins with the first record of @other, by their order"""
    wanted = [x for _, x in other]
    # the times of one switch differ by less than its distance from the next
    first = min(range(len(own)), key=lambda i: abs(own[i][0] - other[0][0]))
    return next((own[i:i + len(wanted)] for i in (first, first - 1, first + 1)
                 if i >= 0 and [x for _, x in own[i:i + len(wanted)]] == wanted), [])


def compare():
    """Return: how many switches were compared, and how far apart they are"""
    own, other = [by_cpu([x[:4] for x in load(name).switches()]) for name in ('own.etl', 'perf.etl')]
    assert other and set(other) <= set(own), (set(own), set(other))
    apart = []
    for cpu, records in other.items():
        part = within(own[cpu], records)
        assert part, 'processor %d: other switches' % cpu
        for i, (time, _) in enumerate(part):
            # both record it before the next one
            assert i + 1 == len(part) or time < records[i + 1][0], (cpu, time)
            assert not i or time > records[i - 1][0], (cpu, time)
            apart.append(abs(time - records[i][0]))
    apart.sort()
    return '%d switches, %d ns apart (median)' % (len(apart), apart[len(apart) // 2])


checks.test('switches of perf are those of the module', compare)
