#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare changes of priorities in an ETW stream with what else is known of them.

priorities.py DIRECTORY

Boosts: ftrace's sched_pi_setprio, event for event. What threads were given: what the
program that did it read back. Exit status 1 with any difference.
"""
import re
import struct
import sys
from collections import defaultdict

from etwtest import ftrace
from etwtest import stream

BOOST, BASE, IO = 0x0530, 0x0531, 0x0534
IDLE = 5
LINE = re.compile(r'^\s*.+-\d+\s+\[\d+\]\s+\S+\s+[\d.]+: sched_pi_setprio: comm=.*? '
                  r'pid=(?P<tid>\d+) oldprio=(?P<old>-?\d+) newprio=(?P<new>-?\d+)$')

# kernel-events.rst 9.5
def nt_priority(policy, nice, rt):
    if policy in (1, 2):
        return 16 + 14 * rt // 99
    if policy == IDLE:
        return 1
    return 8 + -nice * 7 // 20 if nice <= 0 else 8 - (7 * nice + 18) // 19


def by_prio(prio):
    return nt_priority(1, 0, 99 - prio) if prio < 100 else nt_priority(0, prio - 120, 0)


def nt_io(level_class, level):
    return {0: 2, 1: 3, 2: 1 if level > 4 else 2, 3: 0}[level_class]


def read_said(path):
    """{hook: {tid: [(old, new)]}}, tids"""
    changes = {BASE: defaultdict(list), IO: defaultdict(list)}
    last, tids = {}, set()
    with open(path, encoding='utf-8') as file:
        for words in map(str.split, file):
            numbers = [int(word) for word in words[1:]]
            if words[0] == 'threads':
                tids.update(numbers)
                continue
            hook, tid = (BASE, numbers[0]) if words[0] == 'base' else (IO, numbers[0])
            now = nt_priority(*numbers[1:]) if hook == BASE else nt_io(*numbers[1:])
            # of I/O's only what Windows distinguishes changes
            if (hook, tid) in last and (hook == BASE or now != last[hook, tid]):
                changes[hook][tid].append((last[hook, tid], now))
            last[hook, tid] = now
    return changes, tids


def read_ftrace(path):
    boosts, lines = defaultdict(list), 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        boosts[int(m['tid'])].append((by_prio(int(m['old'])), by_prio(int(m['new']))))
    return boosts, lines


def records_of(etl):
    logged = defaultdict(lambda: defaultdict(list))
    for r in sorted((r for r in etl.records if r.hook in (BOOST, BASE, IO)),
                    key=lambda r: r.time):
        stream.need(r.version == 3 and r.kind == 0x11 and len(r.payload) == 8,
                    f'{r.hook:#x}: version or length')
        tid, old, new, reserved = struct.unpack('<IBBH', r.payload)
        stream.need(reserved == 0, 'reserved')
        logged[r.hook][tid].append((old, new))
    return logged


def main():
    directory = sys.argv[1]
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    logged = records_of(etl)
    truth, tids = read_said(f'{directory}/said.txt')
    truth[BOOST], lines = read_ftrace(f'{directory}/ftrace.txt')
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    bad, compared = 0, defaultdict(int)
    for hook, changes in truth.items():
        for tid in sorted(set(changes) | (tids & set(logged[hook]) if hook != BASE else set())):
            compared[hook] += len(changes[tid])
            if changes[tid] != logged[hook][tid]:
                bad += 1
                print(f'difference: {hook:#x} of {tid}: {changes[tid]} are {logged[hook][tid]}')
    # threads that wait made themselves SCHED_FIFO
    for tid in tids - set(truth[BASE]):
        base = logged[BASE][tid]
        if len(base) != 1 or base[0][0] != 8 or base[0][1] < 16:
            bad += 1
            print(f'difference: {tid} is {logged[BASE][tid]}')
    print(f'{compared[BOOST]} boosts, {compared[BASE]} changes of priority, {compared[IO]} of '
          f'I/O\'s, {bad} differences')
    sys.exit(1 if bad or compared[BOOST] < 20 or compared[BASE] < 60 or compared[IO] < 6 else 0)


if __name__ == '__main__':
    main()
