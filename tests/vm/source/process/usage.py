#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the resources that processes used, as an ETW stream has them, with /proc.

usage.py DIRECTORY

Each process of the guest program has one record at its end, before its Process Stop, with the
numbers that /proc had at that time. Processes that stay, one of them without its first thread,
have such a record in the stop rundown. Every process with a record there has counters, too. The
start rundown names the files that the processes have open. Two values may differ by a few pages:
the resident peak, which /proc updates late, and the pages of a running thread, which Linux 6.1
counts late. Exit status 1 with any difference.
"""
import struct
import sys
from collections import namedtuple

from etwtest import stream

PAGE = 4096
# pages that the kernel may not have counted yet: 64 for each thread or CPU
NEAR = 256 * PAGE

Counters = namedtuple('Counters', 'pid faults handles reserved peak_virtual peak_resident '
                      'peak_paged quota1 quota2 virtual resident paged quota3 quota4 private')


def counters(record):
    stream.need(record.version == 2 and record.kind == 0x11 and len(record.payload) == 104,
                f'{record.hook:#x}: form')
    return Counters(*struct.unpack('<4I11Q', record.payload))


def said(path):
    """{pid: (kind, numbers by the names above)}"""
    found = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            word = line.split()
            if word[0] == 'process':
                pid, kind, names = int(word[1]), word[2], {'handles': int(word[3])}
            elif word[0] == 'end':
                found[pid] = (kind, names)
            elif word[0] == str(pid):
                # behind the name, which is in brackets
                rest = line.rpartition(')')[2].split()
                names['faults'] = int(rest[7]) + int(rest[9])
            else:
                name = {'Rss:': 'resident', 'Anonymous:': 'private', 'VmPeak:': 'peak_virtual',
                        'VmHWM:': 'peak_resident', 'VmSize:': 'virtual',
                        'VmSwap:': 'paged'}.get(word[0])
                if name:
                    names[name] = int(word[1]) * 1024
    return found


def compare(where, pid, kind, truth, got):
    """How many fields differ."""
    bad = 0
    for name, value in truth.items():
        have = getattr(got, name)
        late = name == 'peak_resident' or where == '0321' and name in ('resident', 'private')
        if abs(have - value) > (NEAR if late else 0):
            bad += 1
            print(f'difference: {where} of {pid} ({kind}): {name} is {have}, /proc says {value}')
    if any((got.reserved, got.peak_paged, got.quota1, got.quota2, got.quota3, got.quota4)):
        bad += 1
        print(f'difference: {where} of {pid}: a field that should be 0')
    return bad


def main():
    directory, bad = sys.argv[1], 0
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    truth, stays = said(f'{directory}/said.txt'), said(f'{directory}/stays.txt')
    ends = {}
    for r in etl.of(0x0320):
        ends.setdefault(counters(r).pid, []).append((r.time, counters(r)))
    stops = {}
    for r in etl.of(0x0302):
        pid, = struct.unpack_from('<I', r.payload, 8)
        stops[pid] = max(r.time, stops.get(pid, 0))
    for pid, (kind, names) in truth.items():
        if len(ends.get(pid, [])) != 1:
            bad += 1
            print(f'difference: {pid} ({kind}) has {len(ends.get(pid, []))} records')
            continue
        time, got = ends[pid][0]
        bad += compare('0320', pid, kind, names, got)
        if time > stops.get(pid, 0):
            bad += 1
            print(f'difference: {pid} ({kind}): counters after its Process Stop')
    # a process that ended has a record, and no other one
    if set(ends) != set(stops):
        bad += 1
        print(f'difference: ends of {sorted(stops)}, counters of {sorted(ends)}')
    rundown = [counters(r) for r in etl.of(0x0321)]
    known = sorted(struct.unpack_from('<I', r.payload, 8)[0] for r in etl.of(0x0304))
    if sorted(c.pid for c in rundown) != known:
        bad += 1
        print(f'difference: processes {known}, counters {sorted(c.pid for c in rundown)}')
    for pid, (kind, names) in stays.items():
        for got in rundown:
            if got.pid == pid:
                bad += compare('0321', pid, kind, names, got)
    logged = [r.payload[8:-2].decode('utf-16-le') for r in etl.of(0x0400)]
    for kind, _ in stays.values():
        if f'/tmp/{kind}.open' not in logged:
            bad += 1
            print(f'difference: the open file of {kind} is not among the {len(logged)} '
                  'of the rundown')
    every = [c for _, list_ in ends.items() for _, c in list_]
    for name in ('faults', 'handles', 'peak_virtual', 'peak_resident', 'virtual', 'resident',
                 'private'):
        if len({getattr(c, name) for c in every}) < 3:
            bad += 1
            print(f'difference: {name} does not vary')
    fields = sum(len(names) for _, names in list(truth.values()) + list(stays.values()))
    print(f'{len(truth)} processes that ended, {len(rundown)} in the rundown, '
          f'{fields} numbers of /proc, {bad} differences')
    sys.exit(1 if bad or len(truth) != 8 or len(stays) != 2 or fields < 70 else 0)


if __name__ == '__main__':
    main()
