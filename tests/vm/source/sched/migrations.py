#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare migrations of threads in an ETW stream with ftrace's of the same time.

migrations.py DIRECTORY ROUNDS

Per thread, of any kind, ftrace's sched_migrate_task stand in the stream in one piece:
from where, to where, at which priority. Of the threads that the program moved they are
all there is, and as many as it made. Exit status 1 with any difference.
"""
import re
import struct
import sys
from collections import defaultdict

from etwtest import ftrace
from etwtest import stream
from etwtest.priorities import by_prio

HOOK = 0x053D
LINE = re.compile(r'^\s*.+-\d+\s+\[\d+\]\s+\S+\s+\d+: sched_migrate_task: comm=.*? '
                  r'pid=(?P<tid>\d+) prio=(?P<prio>-?\d+) orig_cpu=(?P<source>\d+) '
                  r'dest_cpu=(?P<target>\d+)$')


def read_ftrace(path):
    moves, lines = defaultdict(list), 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        moves[int(m['tid'])].append((int(m['source']), int(m['target']),
                                     by_prio(int(m['prio']))))
    return moves, lines


def records_of(etl):
    moves = defaultdict(list)
    for r in sorted((r for r in etl.records if r.hook == HOOK), key=lambda r: r.time):
        stream.need(r.version == 2 and r.kind == 0x11 and len(r.payload) == 12,
                    'version or length')
        tid, source, target, priority, adjust, ideal = struct.unpack('<IHHBBH', r.payload)
        stream.need(adjust == 0 and ideal == 0, 'ideal processor')
        moves[tid].append((source, target, priority))
    return moves


def stands_in(part, whole):
    return any(whole[at:at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def main():
    directory, rounds = sys.argv[1], int(sys.argv[2])
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    logged = records_of(etl)
    truth, lines = read_ftrace(f'{directory}/ftrace.txt')
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    with open(f'{directory}/said.txt', encoding='utf-8') as file:
        ours = {int(line.split()[0]) for line in file}
    bad, priorities = 0, set()
    for tid, moves in truth.items():
        same = logged[tid] == moves if tid in ours else stands_in(moves, logged[tid])
        if not same:
            bad += 1
            at = next((i for i, pair in enumerate(zip(moves, logged[tid]))
                       if pair[0] != pair[1]), min(len(moves), len(logged[tid])))
            print(f'difference: {tid}{" of ours" * (tid in ours)}, {len(moves)} of ftrace, '
                  f'{len(logged[tid])} of etw, from {at} on: ftrace {moves[at:at + 8]}, '
                  f'etw {logged[tid][at:at + 8]}')
    for tid in ours:
        priorities |= {priority for _, _, priority in logged[tid]}
        if len(logged[tid]) < rounds - 1 or any(a[1] != b[0] for a, b in
                                              zip(logged[tid], logged[tid][1:])):
            bad += 1
            print(f'difference: {tid} moved {rounds - 1} times: {logged[tid][:8]}...')
    compared = sum(map(len, truth.values()))
    print(f'{compared} migrations of {len(truth)} threads, {len(priorities)} priorities of '
          f'ours, {bad} differences')
    sys.exit(1 if bad or len(ours) != 4 or len(priorities) < 4 else 0)


if __name__ == '__main__':
    main()
