#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the allocations of ETW streams with ftrace's of the same time.

pool.py DIRECTORY [debug]

Between two marks, per CPU, both must have the same sequence of allocations and frees, with
their sizes.
Each address has one key, the same all the time, which is no address, and each key
one address. A tag is what the cache's name, or the size of kmalloc(), says; that of
a free is that of the allocation. Sessions with a filter of tags have these and all
of these. debug: the kernel's objects are larger than their caches' names say.
Exit status 1 with any difference.
"""
import re
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import ftrace
from etwtest import stream

LINE = re.compile(r'^\s*.+-\d+\s+\[(?P<cpu>\d+)\]\s+\S+\s+[\d.]+: (?P<event>k\w+): '
                  r'call_site=.*? ptr=(?P<ptr>\S+) ?(?P<rest>.*)$')
ALLOC, FREE = 0x0E20, 0x0E22
# an interrupt between both probes of one event swaps it with its own events: of RCU
# that may be a whole batch of frees
WINDOW = 4096
# bytes of what etw_pool_load allocates and frees on each CPU, before and after all the rest
MARK = 7777
# from 6.11 on kmalloc() has caches of their own for these, which ftrace doesn't show
BUCKETS = ('memd', 'msg_')
Event = namedtuple('Event', 'hook bytes ptr tag')
Pool = namedtuple('Pool', 'hook bytes key tag')


def number(rest, name):
    return int(re.search(rf'\b{name}=(\d+)', rest)[1])


def size_tag(size):
    units = ''
    while size >= 1024 and size % 1024 == 0:
        size, units = size // 1024, {'': 'k', 'k': 'M', 'M': 'G'}[units]
    text = f'{size}{units}'
    return ('km'[:4 - len(text)] + text).ljust(4)


def name_tag(name):
    m = re.match(r'(?:dma-)?kmalloc-.*?(\d+[kM]?)$', name)
    if not m:
        return name[:4].ljust(4)
    return size_tag(int(m[1].rstrip('kM')) * {'k': 1024, 'M': 1 << 20}.get(m[1][-1], 1))


def read_ftrace(path, debug):
    """Events per CPU; a tag is None where the line doesn't have it."""
    events, lines = defaultdict(list), 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        ptr, tag = int(m['ptr'].replace('(null)', '0'), 16), None
        if ptr <= 16:
            continue
        if m['event'] == 'kmem_cache_free':
            tag = name_tag(re.search(r'name=(.*?)\s*$', m['rest'])[1])
        elif m['event'] == 'kmalloc' and not debug:
            tag = size_tag(number(m['rest'], 'bytes_alloc'))
        hook = ALLOC if 'alloc' in m['event'] else FREE
        events[int(m['cpu'])].append(Event(
            hook, number(m['rest'], 'bytes_req') if hook == ALLOC else 0, ptr, tag))
    return events, lines


def pools_of(path):
    etl = stream.load(path)
    if etl.losses() or etl.events_lost:
        sys.exit(f'{path}: etw lost events')
    pools = defaultdict(list)
    for r in etl.records:
        if r.hook in (ALLOC, FREE):
            stream.need(r.version == 2 and r.kind == 0x11, f'{r.hook:#x}: version {r.version}')
            stream.need(len(r.payload) == 24, f'{r.hook:#x}: length')
            kind, tag, size, key = struct.unpack('<I4sQQ', r.payload)
            stream.need(kind == 0x200, f'{r.hook:#x}: type {kind:#x}')
            pools[r.cpu].append(Pool(r.hook, size, key, tag.decode('latin-1')))
    return pools


def between_marks(events):
    """From the first of etw_pool_load's marks to the second; None: there are not two."""
    at = [n for n, e in enumerate(events) if (e.hook, e.bytes) == (ALLOC, MARK)]
    return events[at[0]:at[1]] if len(at) == 2 else None


class Comparison:
    def __init__(self):
        self.key_of, self.ptr_of, self.tag_of = {}, {}, {}
        self.bad = self.compared = self.swapped = self.paired = self.tagged = 0
        self.tags = Counter()
        # frees of what was allocated unseen, per CPU: addresses and keys
        self.strange = defaultdict(lambda: ([], []))

    def difference(self, text):
        self.bad += 1
        if self.bad <= 20:
            print(f'difference: {text}')

    def same(self, event, pool):
        return (event.hook, event.bytes) == (pool.hook, pool.bytes) and \
            self.key_of.get(event.ptr, pool.key) == pool.key and \
            self.ptr_of.get(pool.key, event.ptr) == event.ptr and \
            (event.tag in (None, pool.tag) or pool.tag in BUCKETS)

    def take(self, cpu, event, pool):
        if event.hook == ALLOC or event.ptr in self.key_of:
            self.key_of[event.ptr], self.ptr_of[pool.key] = pool.key, event.ptr
        else:
            # the next in order need not be the same one: an interrupt that frees others of
            # this cache can stand before it in one tracer, and behind it in the other
            self.strange[cpu][0].append(event.ptr)
            self.strange[cpu][1].append(pool.key)
        self.compared += 1
        self.tagged += event.tag is not None
        self.tags[pool.tag] += 1

    def cpu(self, cpu, truth, pools):
        truth, pools = between_marks(truth), between_marks(pools)
        if not truth or not pools:
            self.difference(f'cpu {cpu}: not two marks in each')
            return
        at, held = 0, []
        for event in truth:
            while len(held) < WINDOW and at < len(pools):
                held.append(pools[at])
                at += 1
            for k, pool in enumerate(held):
                if self.same(event, pool):
                    self.take(cpu, event, pool)
                    self.swapped += k > 0
                    del held[k]
                    break
            else:
                self.difference(f'cpu {cpu}: {event} is not in {held[:2]}')
        for pool in held + pools[at:]:
            self.difference(f'cpu {cpu}: {pool} is not in ftrace\'s')

    def strangers(self):
        """Frees of then unknown addresses had the keys that later allocations had."""
        for cpu, (addresses, keys) in self.strange.items():
            want = Counter(self.key_of[ptr] for ptr in addresses if ptr in self.key_of)
            found = Counter(key for key in keys if key in self.ptr_of)
            for key in (want - found) | (found - want):
                self.difference(f'cpu {cpu}: {found[key]} frees of {key:#x}, not {want[key]}')

    def keys(self):
        return set(self.ptr_of).union(*(keys for _, keys in self.strange.values()))

    def lives(self, all_):
        """A free has the tag of its allocation: per key, over all CPUs by time."""
        for pool in all_:
            if pool.hook == ALLOC:
                self.tag_of[pool.key] = pool.tag
            elif pool.key in self.tag_of:
                self.paired += 1
                if self.tag_of.pop(pool.key) != pool.tag:
                    self.difference(f'{pool}: allocated with another tag')


def in_time(path):
    etl = stream.load(path)
    records = sorted((r for r in etl.records if r.hook in (ALLOC, FREE)), key=lambda r: r.time)
    for r in records:
        _, tag, size, key = struct.unpack('<I4sQQ', r.payload)
        yield Pool(r.hook, size, key, tag.decode('latin-1'))


def count(path):
    return Counter((p.hook, p.tag, p.bytes) for list_ in pools_of(path).values() for p in list_)


def check_filtered(directory, comparison):
    """The rounds of etw_pool_load were 300, 500, 700 objects of its cache."""
    found = count(f'{directory}/tags.etl')
    large = {key: found.pop(key) for key in list(found) if key[1] == 'k64k'}
    want = {(ALLOC, 'ew7p', 184): 1500, (FREE, 'ew7p', 0): 1500}
    if found != want:
        comparison.difference(f'filter by tag: {dict(found)} instead of {want}')
    if large.get((ALLOC, 'k64k', 40000)) != 150 or large.get((FREE, 'k64k', 0), 0) < 150:
        comparison.difference(f'filter by tag: {large} of 150 large ones')
    found = count(f'{directory}/updated.etl')
    want = {(ALLOC, 'ew7p', 184): 500, (FREE, 'ew7p', 0): 500}
    if found != want:
        comparison.difference(f'UPDATE of the filter: {dict(found)} instead of {want}')


def main():
    directory = sys.argv[1]
    truth, lines = read_ftrace(f'{directory}/ftrace.txt', 'debug' in sys.argv)
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    pools, comparison = pools_of(f'{directory}/all.etl'), Comparison()
    for cpu, events in sorted(truth.items()):
        comparison.cpu(cpu, events, pools[cpu])
    comparison.strangers()
    comparison.lives(in_time(f'{directory}/all.etl'))
    check_filtered(directory, comparison)
    ours = {e.ptr for events in truth.values() for e in events}
    if ours & comparison.keys() or not all(key & 1 for key in comparison.keys()):
        comparison.difference('a key that is an address')
    c = comparison
    print('tags:', ' '.join(f'{tag!r}:{n}' for tag, n in c.tags.most_common(24)))
    print(f'{c.compared} of ftrace on {len(truth)} CPUs, {len(c.key_of)} addresses, '
          f'{len(c.tags)} tags, {c.tagged} logged by ftrace, {c.paired} frees of allocations, '
          f'{c.swapped} out of order, {c.bad} differences')
    sys.exit(1 if c.bad or c.compared < 5000 or len(c.tags) < 20 or c.tagged < c.compared // 4 or
             c.paired < 2000 or c.swapped > c.compared // 100 else 0)


if __name__ == '__main__':
    main()
