#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""compare.py DIRECTORY NAME: every switch's PEBS index against the log of the records' writer.

NAME is pebs; both: with counters that follow the laws of etw_testpmu, besides; or other: with
ready threads, which have a counter and never an index.
"""
import re
import struct
import sys
from collections import namedtuple
from pathlib import Path

from etwtest import stream

CONTEXTSWAP = 0x0524
READY_THREAD = 0x0532
# of each counter, how far it goes from one switch of a CPU to the next: see pebs.sh
STEPS = {'pebs': (), 'both': (1, 7, 900), 'other': ()}
Log = namedtuple('Log', 'old new before after')
# index is None where the record has none
Swap = namedtuple('Swap', 'old new index counters')


def swaps(data):
    """Of each CPU, in the order of its buffers."""
    found = {}
    for b in stream.buffers(data)[1:]:
        for record in stream.records(b):
            if record.hook == CONTEXTSWAP:
                new, old = struct.unpack_from('<II', record.payload)
                found.setdefault(b.cpu, []).append(
                    Swap(old, new, record.pebs, record.counters))
    return found


def fits(swap, log):
    return (swap.old, swap.new) == (log.old, log.new) and swap.index is not None and \
        log.before <= swap.index <= log.after


def compare(swapped, logged):
    """How many agree from the best place in the log on; the log began before the session."""
    best = 0
    for start in range(len(logged) - len(swapped) + 1):
        n = 0
        while n < len(swapped) and fits(swapped[n], logged[start + n]):
            n += 1
        if n == len(swapped):
            return start, n
        best = max(best, n)
    return None, best


def wrong_others(data):
    """What is wrong with a ready thread; and how many there are."""
    found = [record for b in stream.buffers(data)[1:] for record in stream.records(b)
             if record.hook == READY_THREAD]
    for record in found:
        if record.pebs is not None or len(record.counters) != 1:
            return f'a ready thread has index {record.pebs}, counters {record.counters}', 0
    return None, len(found)


def uncounted(directory, name):
    """Switches without what they should carry, as STATISTICS says."""
    text = (directory / f'{name}.stats').read_text(encoding='utf-8')
    return int(re.search(r'^all .* uncounted=(\d+)\b', text, re.M)[1])


def wrong_counters(swapped, steps):
    """The first switch of a CPU with counters that are not those of its place; None: all are."""
    first = swapped[0].counters
    for n, swap in enumerate(swapped):
        due = tuple(value + n * step for value, step in zip(first, steps))
        if len(swap.counters) != len(steps) or swap.counters != due:
            return f'switch {n} has {swap.counters}, not {due}'
    return None


def main():
    directory, name = Path(sys.argv[1]), sys.argv[2]
    data = (directory / f'{name}.etl').read_bytes()
    found = swaps(data)
    wrong, others = wrong_others(data)
    if wrong or (name == 'other') != (others > 500):
        print(f'{others} ready threads: {wrong}')
        return 1
    total = exact = last = 0
    for cpu, swapped in sorted(found.items()):
        data = (directory / f'cpu{cpu}').read_bytes()
        logged = [Log(*fields) for fields in struct.iter_unpack('<IIQQ', data)]
        start, n = compare(swapped, logged)
        if start is None:
            bare = sum(swap.index is None for swap in swapped)
            print(f'cpu {cpu}: {n} of {len(swapped)} switches agree, {bare} have no index; '
                  f'{len(logged)} logged')
            return 1
        wrong = wrong_counters(swapped, STEPS[name])
        if wrong:
            print(f'cpu {cpu}: {wrong}')
            return 1
        total += n
        exact += sum(log.before == log.after for log in logged[start:start + n])
        last += swapped[-1].index
    bare = uncounted(directory, name)
    print(f'{total} switches on {len(found)} CPUs agree, {exact} of them to the record, '
          f'{len(STEPS[name])} counters in each; {others} ready threads without an index; '
          f'{last} records; {bare} uncounted')
    return 0 if total >= 1000 and exact * 10 > total * 8 and last > 5 * total and not bare else 1


if __name__ == '__main__':
    sys.exit(main())
