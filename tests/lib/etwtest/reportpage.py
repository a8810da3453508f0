# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Traces for pages of etw report, and what is in a page."""
import base64
import gzip
import json
import random
import re
import struct

from etwtest import etlfile as e
from etwtest import harness as h
from etwtest import model as m
from etwtest import objects as o

T = e.T0
TICK = m.TICK
HOSTILE = '</script><img src=x onerror=document.title=1>'
KERNEL = 0xffffffff81000000
THREADS = {10: 5, 11: 5, 12: 6, 13: 6, 14: 7}
STEPS = 400


def mark(text, time):
    return e.perfinfo(0x0F22, 2, text.encode() + b'\0', time)


def disk(time, number, took):
    payload = struct.pack('<IIIIQQQQI', 0, 0x60043, 4096 << number % 3, 0, 4096 * number,
                          0xffff800000000000 + number % 4, 0, took, 10 + number % 4)
    return e.perfinfo(0x010A + number % 2, 3, payload, time)


def faults_and_interrupts(time, number, tid):
    """A soft fault, a hard one with its wait, an interrupt and deferred work."""
    kind = 0x020A + number % 3
    return [e.system(kind, 2, struct.pack('<QQ', 0x7f0000000000 + 0x1000 * number, 0x400000), time,
                     tid, THREADS[tid]),
            e.perfinfo(0x0220, 2, struct.pack('<QQQQII', time - 50 * number, 0,
                                              0x7f0000000000, 0xF1, tid, 4096), time + 1),
            e.perfinfo(0x0F43, 2, struct.pack('<QQBBH', time - 3 * number, KERNEL, 0, 25, 0),
                       time + 2),
            e.perfinfo(0x0F44, 2, struct.pack('<QQ', time - 5 * number, KERNEL + 0x100), time + 3)]


def switch(new, old, time, ready):
    payload = struct.pack('<IIbbBbBBBBII', new, old, 8, 8, 0, 0, 32 if ready else 6, 1,
                          1 if ready else 5, 0, 0, 0)
    return e.perfinfo(0x0524, 4, payload, time)


def busy(cpu, chance, tids):
    """One processor: its threads are its own; waits, wakeups, samples, stacks, disk."""
    running, records = 0, []
    for i in range(STEPS):
        time = T + 1000 + 50000 * i + chance.randrange(20000)
        new = chance.choice([x for x in tids + [0] if x != running])
        if new and chance.randrange(3):
            records.append(e.ready(new, time - 300))
        records.append(switch(new, running, time, chance.randrange(4) == 0))
        records.append(o.stack(time, THREADS.get(new, 0), new,
                               [KERNEL + 0x100 * (i % 4), KERNEL + 0x1000], time + 1))
        if new and i % 2:
            records.append(o.sample(KERNEL + 0x100 * (i % 5), new, time + 7000))
            records.append(o.stack(time + 7000, THREADS[new], new,
                                   [KERNEL + 0x100 * (i % 5), KERNEL + 0x1000 + 0x100 * (i % 3)],
                                   time + 7001))
        if i % 5 == 0:
            records.append(disk(time + 9000, i, 1000 + i))
        if i % 7 == 3:
            records += faults_and_interrupts(time + 9100, i, new or tids[0])
        if i % 40 == 20:
            records.append(e.event(bytes(range(16)), i % 3, b'', time + 9500, tid=new or 10))
        running = new
    return records


def world(lost=False, seed=3):
    """The file of a trace with most of what a page shows; names are hostile."""
    chance = random.Random(seed)
    head = [e.process(0x0303, 0, 'Idle', T + 1, sid=False), e.thread(0x0503, 0, 0, None, T + 1)]
    for pid, name in ((5, 'alpha'), (6, HOSTILE), (7, 'gamma')):
        head.append(e.process(0x0303, pid, name, T + 2))
    head += [e.thread(0x0503, pid, tid, 'thread%d' % tid, T + 3) for tid, pid in THREADS.items()]
    head += [mark(HOSTILE, T + 500), mark('second', T + 50000 * STEPS // 2)]
    first, second = busy(0, chance, [10, 11, 12]), busy(1, chance, [13, 14])
    if lost:
        middle = m.time_of(first[1000]) + 5
        first.insert(1001, e.loss(middle, total=7, count=7))
    buffers = [(0, head + first[:100], 0), (1, second[:80], 0)]
    for at in range(0, STEPS * 4, 100):
        if first[100 + at:200 + at]:
            flags = m.BUFFER_LOST if lost and at == 900 else 0
            buffers.append((0, first[100 + at:200 + at], flags))
        if second[80 + at:180 + at]:
            buffers.append((1, second[80 + at:180 + at], 0))
    return h.save(m.trace(buffers), 'lost.etl' if lost else 'world.etl' if seed == 3 else
                  'world%d.etl' % seed)


def compared(name, pid, length, ran, reads, lost=0, threads=1):
    """
    The file of a trace of @length ms: each thread of the process alpha ran @ran ms, counted 1,000
    cycles in each and was sampled once in each; it then read 4 KB from the disk @reads times.
    """
    tids = [10 * pid + i for i in range(threads)]
    records = [e.process(0x0303, 0, 'Idle', T + 1, sid=False), e.thread(0x0503, 0, 0, None, T + 1),
               e.process(0x0303, pid, 'alpha', T + 2), m.names(['cycles'])]
    records += [e.thread(0x0503, pid, tid, 'worker', T + 3) for tid in tids]
    time, old, cycles = T + 1000, 0, 0
    records.append(m.swap(tids[0], old, time, [cycles]))
    for tid, new in zip(tids, tids[1:] + [0]):
        for i in range(ran):
            records.append(o.sample(KERNEL + 0x100, tid, time + 10000 * i + 5000))
            records.append(o.stack(time + 10000 * i + 5000, pid, tid, [KERNEL + 0x100],
                                   time + 10000 * i + 5001))
        time, cycles = time + 10000 * ran, cycles + 1000 * ran
        records.append(m.swap(new, tid, time, [cycles]))
    payload = struct.pack('<IIIIQQQQI', 0, 0x60043, 4096, 0, 4096, KERNEL, 0, 5, tids[0])
    records += [e.perfinfo(0x010A, 3, payload, time + 10 + i) for i in range(reads)]
    if lost:
        records.append(e.loss(time + 1000, total=lost, count=lost))
    return h.save(m.trace([(0, records, 0)], size=0x20000, end=e.START + 10000 * length,
                          lost=lost), name)


def counted():
    """Switches with counters."""
    records = m.rundown({0: 0, **THREADS}) + [m.names(['cycles', 'instructions'])]
    old, tids = 0, list(THREADS)
    for i in range(200):
        new = tids[i % 5]
        records.append(m.swap(new, old, T + 1000 + 1000 * i, [1000 * i + i % 7, 2500 * i]))
        old = new
    return h.save(m.trace([(0, records[i:i + 100], 0) for i in range(0, len(records), 100)]),
                  'counted.etl')


def make(file, *options, tool=None):
    """The page of a trace: its path."""
    out = h.path('page.html')
    h.run(tool or h.TOOL, 'report', *options, '-o', out, file)
    return out


def decode(page):
    """The data in a page."""
    with open(page, encoding='utf-8') as text:
        content = text.read()
    data = re.search(r'id="data" data-form="gzip">([A-Za-z0-9+/=]*)</script>', content).group(1)
    return json.loads(gzip.decompress(base64.b64decode(data)))


def stat(file, *report):
    """What etw stat --json says; None: nothing."""
    out = h.run(h.TOOL, 'stat', file, *report, '--json', code=None)
    assert h.run.code in (0, 1, 3), out
    lines = [x for x in out.splitlines() if x.startswith('{')]
    return json.loads(lines[0]) if lines else None


def items(section):
    """Tuples of at, length, weight, thread, what."""
    at, now = [], 0
    for step in section['at']:
        now += step
        at.append(now)
    return list(zip(at, section['length'], section['weight'], section['thread'],
                    section['what']))


def stacks(tree, weights=None):
    """Weight by stack of a tree in a page."""
    paths, found = [()], {}
    weights = weights or tree['self']
    for parent, name in list(zip(tree['parent'], tree['name']))[1:]:
        paths.append(paths[parent] + (tree['names'][name],))
    for path, weight in zip(paths, weights):
        if weight // tree['unit']:
            found[path] = found.get(path, 0) + weight // tree['unit']
    return found
