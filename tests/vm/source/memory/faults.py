#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the page faults of an ETW stream with what others say of them.

faults.py DIRECTORY

Of every child process of the guest program: as many soft and hard faults as the
kernel counted for it; and at the pages that it touched the very faults that it
expected, in its order, by its instructions, with the place in the file. All faults, and
hard ones of files, are between what /proc/vmstat says of a shorter and of a longer time. On
x86, where ftrace has a tracepoint, every fault of a child by an instruction is one of
ftrace's, and the other way round. Exit status 1 with any difference.
"""
import json
import os
import re
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import ftrace
from etwtest import stream

SOFT, HARD, VIOLATION = (0x020A, 0x020B, 0x020C), 0x020E, 0x020F
PAGE, HUGE = 4096, 2 << 20

Fault = namedtuple('Fault', 'hook address pc time')
Expected = namedtuple('Expected', 'hook address begin end')

FTRACE = re.compile(r'^\s*.+-(?P<tid>\d+)\s+\[\d+\]\s+\S+\s+[\d.]+: page_fault_(?P<mode>\w+): '
                    r'address=(?P<address>\S+) ip=(?P<ip>\S+) error_code=(?P<code>\S+)$')


class Report:
    def __init__(self):
        self.differences = 0

    def difference(self, text):
        self.differences += 1
        if self.differences <= 20:
            print(f'difference: {text}')


def read_list(path):
    children, pages, files = {}, defaultdict(list), {}
    with open(path, encoding='utf-8') as file:
        for what, *words in map(str.split, file):
            if what == 'child':
                children[int(words[1])] = (words[0], int(words[2]), int(words[3]))
            elif what == 'page':
                pages[int(words[0])].append(Expected(*(int(w, 16) for w in words[1:])))
            elif what == 'file':
                files[int(words[0]), int(words[1], 16)] = int(words[2], 16)
    return children, pages, files


def read_vmstat(path):
    values = defaultdict(dict)
    with open(path, encoding='utf-8') as file:
        for when, name, value in map(str.split, file):
            values[when][name] = int(value)
    return values


def faults_of(etl):
    """Per process its faults; hard ones by (thread, address), in order."""
    faults, hard, threads = defaultdict(list), defaultdict(list), {}
    for r in sorted(etl.records, key=lambda r: r.time):
        if r.hook in (*SOFT, HARD, VIOLATION):
            stream.need(r.version == 2 and r.kind == 2 and len(r.payload) == 16,
                        f'{r.hook:#x}: version {r.version}, kind {r.kind}')
            address, pc = struct.unpack('<QQ', r.payload)
            faults[r.pid].append(Fault(r.hook, address, pc, r.time))
            threads[r.tid] = r.pid
        elif r.hook == 0x0220:
            stream.need(r.version == 2 and r.kind == 0x11 and len(r.payload) == 40,
                        f'{r.hook:#x}: version {r.version}, kind {r.kind}')
            begin, offset, address, key, tid, size = struct.unpack('<QQQQII', r.payload)
            stream.need(size == PAGE and begin <= r.time and key, '0220: a field')
            hard[tid].append((address, offset, key, begin, r.time))
    return faults, hard, threads


def compare_child(report, pid, child, expected, faults):
    """The kernel's sums; and the pages that it named, in its order."""
    name, soft, hard = child
    counts = Counter(f.hook for f in faults)
    got = sum(counts[h] for h in SOFT)
    if (got, counts[HARD]) != (soft, hard):
        report.difference(f'{name}: {got} soft and {counts[HARD]} hard faults, '
                          f'but the kernel counted {soft} and {hard}')
    size = HUGE if name.startswith('huge-') else PAGE
    pages = {e.address & -size for e in expected}
    mine = [f for f in faults if f.address & -size in pages]
    if name == 'threads':
        expected = sorted(expected, key=lambda e: e.address)
        mine.sort(key=lambda f: f.address)
    if len(mine) != len(expected):
        report.difference(f'{name}: {len(mine)} faults at its pages, not {len(expected)}')
    for e, f in zip(expected, mine):
        right = f.hook == e.hook and f.address == e.address
        if e.begin:
            right &= e.begin <= f.pc < e.begin + 64
        else:
            right &= f.pc >> 47 != 0    # by the kernel
        if not right:
            report.difference(f'{name}: expected {e}, got {f}')
            break
    print(f'{name:15s} {soft:6d} soft {hard:4d} hard  ' +
          ' '.join(f'{h:04x}:{n}' for h, n in sorted(counts.items())))


def compare_hard(report, children, files, faults, hard, unit):
    """Every 020E has its 0220; of known pages, which place of one file it was."""
    keys, shortest = defaultdict(set), None
    for pid, child in children.items():
        logged = [f.address for f in faults[pid] if f.hook == HARD]
        if logged != [h[0] for h in hard[pid]]:
            report.difference(f'{child[0]}: 020E and 0220 are not of the same addresses')
        for address, offset, key, begin, end in hard[pid]:
            if (pid, address) not in files:
                continue
            keys[child[0]].add(key)
            if files[pid, address] != offset:
                report.difference(f'{child[0]}: {address:#x} is at {offset:#x} of the file')
            if child[0] == 'slow-device':
                took = (end - begin) * unit
                shortest = took if shortest is None else min(took, shortest)
    for name, found in keys.items():
        if len(found) != 1:
            report.difference(f'{name}: {len(found)} keys of one file')
    if len(set.union(*keys.values())) != len(keys):
        report.difference('two files of one key')
    if shortest is None or shortest < 2e-3:
        report.difference(f'a fault of the slow device took {shortest} s, at least 2 ms expected')
    else:
        print(f'the slow device\'s faults took {shortest * 1e3:.1f} ms at least')


def compare_alone(report, directory):
    """Hard faults in a session of these alone: as many, and as long."""
    children, _, _ = read_list(f'{directory}/hard.txt')
    etl = stream.load(f'{directory}/hard.etl')
    _, hard, _ = faults_of(etl)
    if etl.losses() or etl.events_lost:
        report.difference('hard faults alone: etw lost events')
    for pid, (name, _, count) in children.items():
        if len(hard[pid]) != count:
            report.difference(f'{name}, hard faults alone: {len(hard[pid])}, but the kernel '
                              f'counted {count}')
        if name == 'slow-device' and (not count or min((end - begin) / etl.frequency for
                                      _, _, _, begin, end in hard[pid]) < 2e-3):
            report.difference(f'{name}, hard faults alone: {count}, at least 2 ms expected')
    if 'slow-device' not in {name for name, _, _ in children.values()}:
        report.difference('hard faults alone: no slow-device')


def compare_vmstat(report, path, children, faults):
    values = read_vmstat(path)
    if not values['inner-end'].get('pgfault'):
        return print('no counters in /proc/vmstat here')
    total = sum(f.hook != VIOLATION for list_ in faults.values() for f in list_)
    inner, outer = (values[f'{w}-end']['pgfault'] - values[f'{w}-begin']['pgfault']
                    for w in ('inner', 'outer'))
    # 6.1 counts each try of a fault, and those that failed: a few
    if not inner * 0.98 <= total <= outer:
        report.difference(f'{total} faults; vmstat has {inner} of a shorter time, {outer} of a '
                          'longer one')
    print(f'{total} faults; /proc/vmstat: {inner} of a shorter time, {outer} of a longer one')
    # a reader of files counts these, a device's driver doesn't
    major = sum(f.hook == HARD for pid, list_ in faults.items() for f in list_
                if pid not in children or children[pid][0] != 'slow-device')
    inner, outer = (values[f'{w}-end']['pgmajfault'] - values[f'{w}-begin']['pgmajfault']
                    for w in ('inner', 'outer'))
    if not inner <= major <= outer:
        report.difference(f'{major} hard faults of files; vmstat has {inner} of a shorter time, '
                          f'{outer} of a longer one')
    print(f'{major} hard faults of files; /proc/vmstat: {inner} and {outer}')
    return None


def compare_ftrace(report, directory, children, faults, threads):
    """The faults of children by instructions, as a multiset."""
    path = f'{directory}/ftrace.txt'
    truth, lines = Counter(), 0
    for m in ftrace.matches(path, FTRACE):
        lines += 1
        pid = threads.get(int(m['tid']))
        if pid not in children:
            continue
        # of the kernel's instructions it has names
        ip = int(m['ip'], 16) if m['mode'] == 'user' else 'kernel'
        truth[pid, int(m['address'], 16), ip] += 1
    if not lines:
        return print('no tracepoint of ftrace for page faults here')
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    mine = Counter((pid, f.address, 'kernel' if f.pc >> 47 else f.pc)
                   for pid in children for f in faults[pid])
    # where the kernel may not wait it only tries: signal frames; no fault is handled then
    tried = 0
    for (pid, address, ip), n in (truth - mine).items():
        tried += n if ip == 'kernel' else 0
        if ip != 'kernel' or tried > 5:
            report.difference(f'ftrace has {n} of {children[pid][0]} at {address:#x} by {ip}')
    for (pid, address, ip), n in (mine - truth).items():
        report.difference(f'etw has {n} of {children[pid][0]} at {address:#x} by {ip}')
    print(f'{sum(truth.values())} faults of ftrace, {sum((truth & mine).values())} the same, '
          f'{tried} that the kernel did not wait for')
    return None


def compare_stat(report, path, children, hard, unit):
    """What etw stat FILE faults says of the children, and of files."""
    with open(path, encoding='utf-8') as file:
        logged = json.load(file)
    sums = defaultdict(Counter)
    for row in logged['threads']:
        sums[row['pid']].update({name: n for name, n in row.items() if isinstance(n, int)})
    for pid, (name, soft, major) in children.items():
        row = sums[pid]
        waited = sum(end - begin for _, _, _, begin, end in hard[pid]) * unit * 1e9
        if (row['transition'] + row['demand zero'] + row['copy on write'] != soft or
                row['hard'] != major or row['waits'] != major or
                abs(row['waited ns'] - waited) > 100 * (major + 1)):
            report.difference(f'stat has {dict(row)} of {name}, which waited {waited} ns')
    keys = Counter(h[2] for list_ in hard.values() for h in list_)
    files = {row['file']: row['waits'] for row in logged['files']}
    if sorted(files.values()) != sorted(keys.values()):
        report.difference(f'stat has {files}, the trace {keys}')
    ranges = sum(row['faults'] for row in logged['ranges'])
    if ranges != sum(row[k] for row in logged['threads'] for k in (
            'transition', 'demand zero', 'copy on write', 'guard', 'hard', 'violations')):
        report.difference(f'stat has {ranges} faults in ranges, other ones of threads')


def main():
    directory = sys.argv[1]
    children, pages, files = read_list(f'{directory}/list.txt')
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    faults, hard, threads = faults_of(etl)
    report = Report()
    for pid, child in children.items():
        compare_child(report, pid, child, pages[pid], faults[pid])
    compare_hard(report, children, files, faults, hard, 1 / etl.frequency)
    compare_alone(report, directory)
    compare_vmstat(report, f'{directory}/vmstat.txt', children, faults)
    if os.path.exists(f'{directory}/ftrace.txt'):
        compare_ftrace(report, directory, children, faults, threads)
    compare_stat(report, f'{directory}/stat.json', children, hard, 1 / etl.frequency)
    logged = sum(map(len, pages.values()))
    print(f'{len(children)} processes, {logged} faults logged in advance, '
          f'{report.differences} differences')
    sys.exit(1 if report.differences or len(children) < 8 or logged < 500 else 0)


if __name__ == '__main__':
    main()
