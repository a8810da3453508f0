#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare what an ETW stream has of virtual memory with what a program did.

virtual.py DIRECTORY

Between the program's first and last mapping, its events are those of its list, no
more, no less, in order. Both rundowns have the memory that /proc/PID/maps has of a
process that does nothing; so do those of a session that asks for it by UPDATE, and the
name of that process's file. Exit status 1 with any difference.
"""
import struct
import sys

from etwtest import stream

FIRST, LAST = 0x123000, 0x124000


def compare_rundown(etl, directory):
    """Of one process: (differences, mappings)."""
    with open(f'{directory}/stays.txt', encoding='utf-8') as file:
        pid = int(file.read())
    truth = set()
    with open(f'{directory}/maps.txt', encoding='utf-8') as file:
        for line in file:
            place, mode, _, _, inode, *name = line.split()
            huge = name[:1] == ['/anon_hugepage']
            if mode[3] != 'p' or inode != '0' and not huge or name and name[0][:2] == '[v':
                continue
            base, end = (int(word, 16) for word in place.split('-'))
            truth.add((base, end - base, 0x3000, 0 if mode == '---p' else end - base))
    bad = 0
    for hook in (0x0280, 0x0281):
        got = []
        for r in etl.of(hook):
            stream.need(r.version == 2 and r.kind == 2 and len(r.payload) == 32, f'{hook:#x}: form')
            base, size, process, flags, commit = struct.unpack('<QQIIQ', r.payload)
            if process == pid:
                got.append((base, size, flags, commit))
        if len(got) != len(truth) or set(got) != truth:
            bad += 1
            print(f'difference: {hook:#x}: {sorted(set(got) ^ truth)}')
    return bad, len(truth)


def compare_updated(directory):
    """Of a session that came to it later: (differences, mappings)."""
    etl = stream.load(f'{directory}/updated.etl')
    bad, mappings = compare_rundown(etl, directory)
    for hook in (0x0400, 0x0424):
        names = {r.payload[8:].decode('utf-16-le').rstrip('\0') for r in etl.of(hook)}
        if not any(name.endswith('/virtual') for name in names):
            bad += 1
            print(f'difference: updated, {hook:#x}: {sorted(names)}')
    return bad, mappings


def main():
    directory = sys.argv[1]
    with open(f'{directory}/list.txt', encoding='utf-8') as file:
        rows = [line.split()[1:] for line in file]
    pid = int(rows[0][0])
    expected = [tuple(int(word, 16) for word in row[1:]) for row in rows]
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    got, others = [], 0
    for r in sorted(etl.records, key=lambda r: r.time):
        if r.hook not in (0x0262, 0x0263):
            continue
        stream.need(r.version == 2 and r.kind == 2 and len(r.payload) == 24, f'{r.hook:#x}: form')
        base, size, process, flags = struct.unpack('<QQII', r.payload)
        stream.need(process == r.pid, 'process of header and payload')
        if process == pid:
            got.append((r.hook, base, size, flags))
        else:
            others += 1
    begin = next((i for i, e in enumerate(got) if e[2] == FIRST), 0)
    end = next((i for i, e in enumerate(got) if e[2] == LAST), len(got) - 1)
    got, bad = got[begin:end + 1], 0
    for i in range(max(len(expected), len(got))):
        e = expected[i] if i < len(expected) else None
        g = got[i] if i < len(got) else None
        if e != g:
            bad += 1
            print(f'difference: expected {e and [hex(x) for x in e]}, '
                  f'got {g and [hex(x) for x in g]}')
    wrong, mappings = compare_rundown(etl, directory)
    bad += wrong
    wrong, later = compare_updated(directory)
    bad += wrong
    print(f'{later} mappings in the rundowns of who asked later')
    print(f'{mappings} mappings in the rundowns, {len(expected)} events of the list, {others} of other processes, {bad} differences')
    sys.exit(1 if bad or len(expected) < 20 or others < 10 or mappings < 6 else 0)


if __name__ == '__main__':
    main()
