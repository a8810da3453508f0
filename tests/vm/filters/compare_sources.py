#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Sessions that want some processes, or some of their events, against one that wants all.

compare_sources.py DIRECTORY calls|kernel

Of a session without a filter, what belongs to the chosen processes is, on each CPU, in
order, with the same payloads, what the filtered sessions have: no more, no less. Where an
interrupt came between two sessions' records of an event, what it wrote is before that event
in one of them and behind it in the other. What the chosen are known to do is there as often
as they do it, and what is no process's is kept. DIRECTORY is what filters_sources.sh leaves of
that part. Exit status 1 with any difference.
"""
import struct
import sys
from collections import Counter, defaultdict

import switch_samples
from owners import BY_HEADER, BY_PROCESS, DISK_INIT, END, POOL, SOURCES, SWITCH, Owners, comparable

from etwtest import checks
from etwtest import stream

# interrupts write these, or softirqs
INTERRUPTS = POOL | {0x010A, 0x010B, 0x010E, 0x053D} | \
    {hook for hook in BY_PROCESS if hook >> 8 in (6, 8)}
NOBODYS = {0x0F32, 0x0F43, 0x0F44, 0x0F45}
KINDS = {
    'calls': {
        'system calls': {0x0F33, 0x0F34}, 'page faults': BY_HEADER, 'priorities': {0x0531, 0x0534},
        'virtual memory': {0x0262, 0x0263}, 'images': {0x030A, 0x1402},
        'network': {0x060A, 0x060B, 0x080A, 0x081A}, 'process counters': {0x0320}},
    'kernel': {
        'opens': {0x0440}, 'closes': {0x0441, 0x0442}, 'reads': {0x0443}, 'writes': {0x0444},
        'attributes': {0x0445, 0x044A}, 'deletes': {0x0446}, 'renames': {0x0447},
        'directories': {0x0448}, 'flushes': {0x0449}, 'paths': {0x044F, 0x0450, 0x0451},
        'ends': {END}, 'disk reads': {0x010A}, 'disk writes': {0x010B}, 'disk flushes': {0x010E},
        'wishes for a disk': DISK_INIT, 'migrations': {0x053D}, 'allocations': {0x0E20},
        'frees': {0x0E22}}}


def load(directory, name):
    etl = stream.load(f'{directory}/{name}.etl')
    if etl.losses() or etl.events_lost:
        sys.exit(f'{name}: events were lost')
    # a CPU's records in the order in which they were written
    cpus = defaultdict(list)
    for buffer in etl.buffers[1:]:
        cpus[buffer.cpu].extend(stream.records(buffer))
    return etl, cpus


def expected(cpus, owners, chosen):
    """({cpu: events of the chosen}, number of events of others by hook)"""
    want, others = {}, Counter()
    for cpu, records in cpus.items():
        want[cpu], running = [], None
        for r in records:
            if r.hook == SWITCH:
                running, = struct.unpack_from('<I', r.payload)
            elif r.hook in SOURCES:
                if owners.of(r, running) in chosen:
                    want[cpu].append(comparable(r))
                else:
                    others[r.hook] += 1
    return want, others


def interrupted(before, behind):
    """How many events an interrupt wrote before the first one of the other session, or 0."""
    n = 0
    while n < len(before) and before[n] not in behind[:1] and before[n][0] in INTERRUPTS:
        n += 1
    if not behind or before[n:n + 1] != behind[:1]:
        return 0
    index, _ = first_difference(before[:n], behind[1:n + 1])
    return n if index is None else 0


def first_difference(a, b):
    """Index of the first event that is not the same, or None; and how many interrupts wrote."""
    i = moved = 0
    while i < max(len(a), len(b)):
        n = 0
        if a[i:i + 1] != b[i:i + 1]:
            n = interrupted(a[i:], b[i:]) or interrupted(b[i:], a[i:])
            if not n:
                return i, moved
        moved += n
        i += n + 1
    return None, moved


def compare(name, want, have):
    """How many CPUs have differences; the first one of each CPU is shown."""
    bad = 0
    for cpu in sorted(set(want) | set(have)):
        a, b = want.get(cpu, []), have.get(cpu, [])
        i, moved = first_difference(a, b)
        if moved:
            print(f'  {name}: cpu {cpu}: interrupts wrote {moved} between two records of one event')
        if i is not None:
            bad += 1
            show = [f'{e[0][0]:04x} {e[0][1].hex()}' if e else 'nothing'
                    for e in (a[i:i + 1], b[i:i + 1])]
            print(f'  {name}: cpu {cpu}, event {i} of {len(a)}: {show[0]} expected, '
                  f'{show[1]} recorded')
    return bad


def loads(have):
    """{what: (how often the chosen do it, how often that was recorded)}, of the kernel's part."""
    count = Counter()
    for hook, payload in (e for events in have.values() for e in events):
        if hook in (0x010A, 0x010C, 0x053D):
            count[hook] += 1
        elif hook in POOL:
            count[hook, payload[4:8]] += 1
        elif hook in (0x0443, 0x0444):
            count[hook, struct.unpack_from('<I', payload, 20)[0]] += 1
    found = {'reads of the disk': (64, count[0x010A]), 'wishes for them': (64, count[0x010C]),
             'objects': (300, count[0x0E20, b'ew7p']),
             'objects that go': (300, count[0x0E22, b'ew7p']),
             # four threads that move 39 times; the scheduler may move them, and others, besides
             'migrations, these at least': (156, min(count[0x053D], 156))}
    # two threads, three rounds; sizes that no other program uses
    for i in range(10, 40):
        found[f'reads of {500 + 11 * i}'] = 6, count[0x0443, 500 + 11 * i]
        found[f'writes of {1000 + 37 * i}'] = 6, count[0x0444, 1000 + 37 * i]
    return found


def compare_loads(have):
    bad = {what: pair for what, pair in loads(have).items() if pair[0] != pair[1]}
    for what, (want, is_) in bad.items():
        print(f'  {what}: {want} expected, {is_} recorded')
    return len(bad)


def compare_kept(name, all_, some):
    """Interrupts and deferred work, of no process: from the first to the last, on each CPU."""
    def logged(records):
        kinds = defaultdict(set)
        for r in records:
            if r.hook in NOBODYS:
                kinds[r.hook].add(bytes(r.payload))
        return kinds

    bad, count = [], 0
    for cpu, records in some.items():
        every = logged(all_[cpu])
        for hook, mine in logged(records).items():
            # they begin one after the other
            first, last = (f(struct.unpack_from('<Q', p)[0] for p in mine) for f in (min, max))
            want = {p for p in every[hook] if first <= struct.unpack_from('<Q', p)[0] <= last}
            count += len(mine)
            if mine != want:
                bad.append(f'cpu {cpu}: {hook:04x}: {len(want - mine)} of {len(want)} are missing, '
                           f'{len(mine - want)} are others')
    if not count:
        bad.append('none')
    for text in bad:
        print(f'  {name}: interrupts and deferred work: {text}')
    return len(bad)


def compare_filtered(directory, part, cpus, want, others):
    """Both sessions by process; returns whether all is well."""
    with open(f'{directory}/hooks.txt', encoding='utf-8') as file:
        hooks = {int(word, 16) for word in file.read().strip().split(',')}
    good = True
    for name, wanted in (('pids', SOURCES), ('hooks', hooks)):
        mine = load(directory, name)[1]
        have = {cpu: [comparable(r) for r in records if r.hook in SOURCES]
                for cpu, records in mine.items()}
        some = {cpu: [e for e in events if e[0] in wanted] for cpu, events in want.items()}
        bad = compare(name, some, have)
        kinds = Counter(hook for events in have.values() for hook, _ in events)
        # of each source there is something to keep, and something to leave out
        for kind, members in KINDS[part].items():
            if members & wanted and (not sum(kinds[h] for h in members & wanted) or
                                     not sum(others[h] for h in members)):
                bad += 1
                print(f'  {name}: no {kind} of the chosen, or of others')
        if part == 'kernel' and name == 'pids':
            bad += compare_loads(have) + compare_kept(name, cpus, mine)
        elif any(r.hook in NOBODYS for records in mine.values() for r in records):
            bad += 1
            print(f'  {name}: interrupts, which the filter of hooks leaves out')
        good &= not bad
        every = sum(map(len, want.values())) + sum(others.values())
        checks.check(not bad, f'{name}: the events of the chosen processes are there, in order',
                     f'{sum(kinds.values())} of {every} events')
    return good


def main():
    directory, part = sys.argv[1:]
    with open(f'{directory}/pids.txt', encoding='utf-8') as file:
        chosen = set(map(int, file.read().split()))
    etl, cpus = load(directory, 'all')
    owners = Owners(etl)
    good = compare_filtered(directory, part, cpus, *expected(cpus, owners, chosen))
    if part == 'kernel':
        wrong, samples, timer = switch_samples.compare(cpus, load(directory, 'samples')[1], owners,
                                                       chosen)
        for text in wrong:
            print(f'  samples: {text}')
        good &= not wrong
        checks.check(not wrong, 'samples: each is of a chosen process',
                     f'{samples} of switches, {timer} by time')
    sys.exit(not good)


if __name__ == '__main__':
    main()
