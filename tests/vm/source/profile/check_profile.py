#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Samples against known loads and perf's samples of the same: check_profile.py DIR HOGS EXACT

DIR is what tests/vm/source/profile/guest/profile.sh left, HOGS the program that ran, EXACT 1 where virtual
time depends on instructions alone: else the machine of the tests takes time away from
the CPUs, and only what was sampled together can be compared.
"""
import collections
import math
import os
import re
import struct
import subprocess
import sys

from etwtest import checks
from etwtest import stream

SWAP, SAMPLE, OVERFLOW, CONFIG, SET, BEGIN, END = 0x0524, 0x0F2E, 0x0F2F, 0x0F30, 0x0F48, 0x0F49, 0x0F4A
KERNEL = 1 << 63
# one false alarm in a million
SIGMAS, UNLIKELY = 5, 1e-6

directory, program, exact = sys.argv[1], sys.argv[2], int(sys.argv[3])
Sample = collections.namedtuple('Sample', 'time cpu ip tid source flags items')
Interval = collections.namedtuple('Interval', 'hook time source new old name')


def tell(good, name, why=''):
    checks.check(good, name, why)


def path(name):
    return os.path.join(directory, name)


def symbol(name):
    """Where a function of the program is."""
    text = subprocess.run(['nm', '-S', program], check=True, capture_output=True, text=True)
    for line in text.stdout.splitlines():
        parts = line.split()
        if parts[-1] == name and len(parts) == 4:
            return int(parts[0], 16), int(parts[0], 16) + int(parts[1], 16)
    sys.exit(f'{program} has no {name}')


class Trace(stream.Stream):
    """Samples, with the counters that they carry, and what the stream says of them."""

    def __init__(self, name):
        with open(path(name + '.etl'), 'rb') as file:
            super().__init__(file.read())
        self.samples = {SAMPLE: [], OVERFLOW: []}
        self.names, self.intervals = [], []
        for buffer in self.buffers:
            for record, items in self.with_items(buffer):
                self.take(record, items)
        for kept in (*self.samples.values(), self.intervals, self.names):
            kept.sort(key=lambda r: r.time if hasattr(r, 'time') else r[0])

    @staticmethod
    def with_items(buffer):
        at = stream.BUFFER_HEADER
        for record in stream.records(buffer):
            version, _, _, size = struct.unpack_from('<HBBH', buffer.data, at)
            n = (version >> 8 & 7) + (version >> 15) if record.kind == 0x11 else 0
            if record.kind == 0x13:
                size, = struct.unpack_from('<H', buffer.data, at)
            yield record, struct.unpack_from(f'<{n}Q', buffer.data, at + 16)
            at += (size + 7) & ~7

    def take(self, record, items):
        if record.hook == SAMPLE:
            ip, tid, count, flags, rank = struct.unpack('<QIHBB', record.payload)
            assert record.version == 2 and (count, rank) == (1, 0), record
            self.samples[SAMPLE].append(Sample(record.time, record.cpu, ip, tid, 0, flags, items))
        elif record.hook == OVERFLOW:
            ip, tid, source, zero = struct.unpack('<QIHH', record.payload)
            assert record.version == 2 and not zero, record
            self.samples[OVERFLOW].append(
                Sample(record.time, record.cpu, ip, tid, source, 0, items))
        elif record.hook == SET:
            assert record.version == 2 and record.kind == 2, record
            fixed = struct.unpack('<III', record.payload)
            self.intervals.append(Interval(record.hook, record.time, *fixed, None))
        elif record.hook in (BEGIN, END):
            assert record.version == 3 and record.kind == 2, record
            fixed = struct.unpack_from('<III', record.payload)
            name = record.payload[12:].decode('utf-16-le')
            assert name.endswith('\0') and '\0' not in name[:-1], name
            self.intervals.append(Interval(record.hook, record.time, *fixed, name[:-1]))
        elif record.hook == CONFIG:
            count, = struct.unpack_from('<I', record.payload)
            names = record.payload[4:].decode('utf-16-le').split('\0')
            assert record.version == 2 and record.kind == 2 and names[count:] == [''], names
            self.names.append((record.time, names[:-1]))

    def logged(self, hook):
        return [(i.source, i.new, i.old, i.name) for i in self.intervals if i.hook == hook]

    def seconds(self, ticks):
        return ticks / self.frequency


def hogs(name):
    """{tid: (pid, seconds on a CPU)}"""
    with open(path(name), encoding='ascii') as file:
        rows = [[int(word) for word in line.split()] for line in file]
    return {tid: (pid, ns / 1e9) for pid, tid, ns in rows}


def improbability(chi_square, freedom):
    """P(X > chi_square) of a chi-square distribution: the upper incomplete gamma function."""
    a, x = freedom / 2, chi_square / 2
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - total * math.exp(-x + a * math.log(x) - math.lgamma(a)) if x else 1.0
    tiny = 1e-300
    b, c = x + 1 - a, 1 / tiny
    d = h = 1 / b
    for i in range(1, 1000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        h *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return h * math.exp(-x + a * math.log(x) - math.lgamma(a))


def same_shares(ours, theirs):
    """Two counts of the same threads: are their shares the same? Probability if they were."""
    a, b = sum(ours.values()), sum(theirs.values())
    chi_square = sum((ours[t] * math.sqrt(b / a) - theirs[t] * math.sqrt(a / b)) ** 2 /
                     (ours[t] + theirs[t]) for t in ours if ours[t] + theirs[t])
    return chi_square, improbability(chi_square, len(ours) - 1)


def given_shares(ours, truth):
    """Likewise, where the true shares are known."""
    n, all_time = sum(ours.values()), sum(truth.values())
    chi_square = sum((ours[t] - n * truth[t] / all_time) ** 2 / (n * truth[t] / all_time)
                     for t in truth)
    return chi_square, improbability(chi_square, len(truth) - 1)


def counts(trace, threads):
    found = collections.Counter(s.tid for s in trace.samples[SAMPLE])
    return {tid: found[tid] for tid in threads}


def perf_counts(threads):
    """Samples of perf by thread, and of user code by whether they hit the loop."""
    found = collections.Counter()
    with open(path('perf.txt'), encoding='ascii') as file:
        for line in file:
            match = re.match(r'\s*(\d+)/(\d+)\s+([0-9a-f]+)', line)
            if match:
                found[int(match[2])] += 1
    return {tid: found[tid] for tid in threads}


def nt_priority(nice):
    return 8 + -nice * 7 // 20 if nice <= 0 else 8 - (7 * nice + 18) // 19


def check_addresses(trace, slow, threads):
    low, high = symbol('hog_burn')
    user = [s for s in trace.samples[SAMPLE] if s.tid in threads and s.ip < KERNEL]
    hits = sum(low <= s.ip < high for s in user)
    tell(len(user) and hits >= 0.9 * len(user), 'instruction pointers are in the hot function',
         f'{hits} of {len(user)} in user code')
    kernel = [s for s in trace.samples[SAMPLE] if s.ip >= KERNEL]
    tell(kernel and not [s for s in slow.samples[SAMPLE] if s.ip >= KERNEL] and
         [s for s in slow.samples[SAMPLE] if not s.ip],
         'kernel addresses: shown by one session, zero in the other',
         f'{len(kernel)} of {len(trace.samples[SAMPLE])} in the kernel')


def check_split():
    trace, slow, load = Trace('split'), Trace('slow'), hogs('split.hogs')
    ours = counts(trace, load)
    interval = trace.logged(BEGIN)[0][1]
    due = (0, interval, interval, 'Timer')
    tell(trace.logged(BEGIN) == [due] and trace.logged(END) == [due] and not trace.logged(SET) and
         slow.logged(BEGIN) == slow.logged(END) == [(0, 37000, 37000, 'Timer')],
         'the stream has the interval at both ends', f'{trace.intervals}')
    first = min(s.time for s in trace.samples[SAMPLE])
    tell(trace.seconds(trace.intervals[0].time - first) < 0.1, 'and at once',
         f'{trace.seconds(trace.intervals[0].time - first):.4f} s after the first sample')
    pids = {tid: pid for tid, (pid, _) in load.items()}
    text = ', '.join(f'{pids[t]}/{t}: {load[t][1]:.3f} s {ours[t]}' for t in load)
    if exact:
        chi_square, p = given_shares(ours, {t: load[t][1] for t in load})
        tell(p > UNLIKELY, 'threads share samples as they share time',
             f'{text}; chi-square {chi_square:.2f}, p {p:.3g}')
        bad = [t for t in load if abs(ours[t] * interval / 1e7 - load[t][1]) >
               0.02 * load[t][1] + SIGMAS * math.sqrt(load[t][1] * interval / 1e7 / 12)]
        tell(not bad, 'a sample stands for its interval', f'{text}; wrong: {bad}')
        both, n = sum(counts(slow, load).values()), sum(ours.values())
        share = interval / 37000
        tell(abs(both - n * share) < SIGMAS * math.sqrt(n * share) and both,
             'two sessions sample by their own intervals', f'{both} beside {n}')
    check_addresses(trace, slow, load)
    if os.path.exists(path('perf.txt')):
        theirs = perf_counts(load)
        chi_square, p = same_shares(ours, theirs)
        text += f'; perf: {", ".join(str(theirs[t]) for t in load)}'
        tell(p > UNLIKELY and sum(theirs.values()), 'threads share samples as perf says',
             f'{text}; chi-square {chi_square:.2f}, p {p:.3g}')
    else:
        checks.skip('threads share samples as perf says', 'no perf for this guest')
    seen = {s.flags >> 3 for s in trace.samples[SAMPLE] if s.tid in load}
    tell(seen == {nt_priority(n) for n in (0, 5, -5)}, 'samples have priorities', f'{seen}')


def check_changes():
    trace = Trace('changes')
    due = [(BEGIN, 20000, 20000), (SET, 5000, 20000)]
    for i in range(1, 9):
        due += [(END, 5000 + i - 1, 5000 + i - 1), (BEGIN, 5000 + i, 5000 + i)]
    due += [(END, 5008, 5008), (BEGIN, 20000, 20000), (END, 20000, 20000)]
    tell([(i.hook, i.new, i.old) for i in trace.intervals] == due and
         not [i for i in trace.intervals if i.source or i.hook != SET and i.name != 'Timer'],
         'every change is recorded, in order', f'{trace.intervals}')
    edges = [(i.time, 0 if i.hook == END else i.new) for i in trace.intervals]
    if len(edges) != len(due):
        return
    rates = []
    # the four that are waited in; an update between takes what this machine makes it take
    for at in (0, 1, -3, -2):
        (begin, interval), (end, _) = edges[at], edges[at + 1]
        # an update writes what it is about to do
        start = begin if interval else begin + trace.frequency * 0.05
        n = sum(start < s.time < end and s.cpu == 0 for s in trace.samples[SAMPLE])
        rates.append((interval, n, trace.seconds(end - begin)))
    text = ', '.join(f'{i}: {n} in {s:.2f} s' for i, n, s in rates)
    tell([i for i, _, s in rates if s > 0.3] == [20000, 5000, 0, 20000] or not exact,
         'there is time for each interval', text)
    tell(not [r for r in rates if not r[0] and r[1]], 'no sample while it is off', text)
    if exact:
        tell(not [r for r in rates if r[0] and abs(r[1] * r[0] / 1e7 - r[2]) > 0.02 * r[2]],
             'intervals change under load', text)
    else:
        per_second = collections.defaultdict(list)
        for interval, n, seconds in rates:
            per_second[interval].append(n / seconds)
        tell(min(per_second[5000]) > 1.3 * max(per_second[20000]) and per_second[20000],
             'intervals change under load', text)


def check_unlogged():
    trace = Trace('unlogged')
    due = [(BEGIN, 20000), (BEGIN, 5000), (END, 5000)]
    tell([(i.hook, i.new) for i in trace.intervals] == due,
         'an interval that was lost is recorded when there is room', f'{trace.intervals}')


def check_hotplug():
    trace = Trace('hotplug')
    before, without, after = (hogs(f'hotplug.{name}') for name in ('before', 'without', 'after'))

    def rate(load):
        found = counts(trace, load)
        return sum(found.values()) / sum(seconds for _, seconds in load.values()), found

    tell(rate(after)[0] > 0.5 * rate(before)[0] > 0, 'a CPU that came is sampled',
         f'before {rate(before)}, without {rate(without)}, after {rate(after)}')
    cpus = collections.Counter(s.cpu for s in trace.samples[SAMPLE] if s.tid in after)
    # it is born on any
    tell(cpus[1] > 0.95 * sum(cpus.values()), 'on that CPU', f'{cpus}')
    gone = [s.time for s in trace.samples[SAMPLE] if s.tid in without]
    tell(not [s for s in trace.samples[SAMPLE] if s.cpu == 1 and gone[0] < s.time < gone[-1]],
         'and not while it was gone')


def check_overflows():
    trace = Trace('overflows')
    with open(path('overflows.hogs'), encoding='ascii') as file:
        tid, instructions = (int(word) for word in file.read().split())
    periods = {0x1000: 1000000, 19: 100000, 2: 1000000}
    names = {0x1000: 'InstRetired', 19: 'TotalCycles', 2: 'TotalIssues'}
    due = [(0, 10000, 10000, 'Timer')] + \
        [(s, periods[s], periods[s], names[s]) for s in (0x1000, 19, 2)]
    tell(trace.logged(BEGIN) == due == trace.logged(END), 'sources have their names',
         f'{trace.logged(BEGIN)}')
    low, high = symbol('hog_burn')
    samples = trace.samples[OVERFLOW]
    n = sum(s.tid == tid and s.source == 0x1000 and low <= s.ip < high for s in samples)
    tell(abs(n - instructions / periods[0x1000]) <= 2,
         'a sample of user instructions stands for its period',
         f'{n} samples, {instructions} instructions')
    # what the session counted between the first and the last sample of the loop
    mine = [s for s in samples if s.tid == tid and s.source == 2]
    steps = [(b.items[0] - a.items[0]) / periods[2] for a, b in zip(mine, mine[1:])]
    # as late as the first and the last may be, or one that came late by a period
    tell(len(steps) > 300 and abs(sum(steps) - len(steps)) < 2,
         'counters in samples move by a period from one to the next',
         f'{min(steps)} to {max(steps)}, all {sum(steps):.3f} in {len(steps)}')
    tell([names for _, names in trace.names] == 2 * [['Instructions']],
         'the counter in samples is named at both ends', f'{trace.names}')
    tell({len(s.items) for s in samples} == {1} and
         {len(s.items) for s in trace.samples[SAMPLE]} == {0}, 'only chosen samples carry it')
    trace = Trace('flight')
    tell([names for _, names in trace.names][-1:] == [['Source4096']] and
         [i[:2] for i in trace.logged(END)] == [(0, 10000), (0x1000, 65536)],
         'a snapshot ends with names and intervals', f'{trace.names} {trace.intervals}')


def uncounted(name):
    """Records without counters, as STATISTICS says."""
    with open(path(name + '.stats'), encoding='utf-8') as file:
        return int(re.search(r'^all.* uncounted=(\d+)', file.read(), re.M)[1])


def check_nested_counters(name, trace, asked):
    """In the order of a CPU's buffers no counter goes back, with any interrupt within another. NMIs
    come within their PMU's own function where it is @asked, and find nothing to read."""
    first, last, back, bare, carried = {}, {}, [], 0, collections.Counter()
    for record in trace.records:
        if record.hook not in (SAMPLE, SWAP):
            continue
        if not record.counters:
            bare += 1
            continue
        carried[record.hook] += 1
        first.setdefault(record.cpu, record.counters)
        before = last.get(record.cpu, record.counters)
        if any(now < then for now, then in zip(record.counters, before)):
            back.append((record.cpu, record.hook, before, record.counters))
        last[record.cpu] = record.counters
    went = {cpu: [a - b for a, b in zip(last[cpu], first[cpu])] for cpu in last}
    tell(not back and carried[SAMPLE] and carried[SWAP],
         f'{name}: counters that NMIs read go on in the order of the records',
         f'{carried[SAMPLE]} samples, {carried[SWAP]} context swaps; back: {back[:3]}')
    # two of cycles, all and those of programs; one of page faults
    tell(went and all(of[0] > of[1] > 1000000 and of[2] > 0 for of in went.values()),
         f'{name}: the counters that NMIs read count', went)
    tell(bare == uncounted(name) and bare * 100 < sum(carried.values()) and asked == (bare > 0),
         f'{name}: records without counters are {"few" if asked else "none"}, and counted',
         f'{bare}, {uncounted(name)} counted')


def check_nmi():
    trace = Trace('nmi')
    inside = [s for s in trace.samples[SAMPLE] if s.flags & 2]
    softirq = [s for s in trace.samples[SAMPLE] if s.flags & 1]
    tell(inside and min(s.ip for s in inside) >= KERNEL, 'NMIs sample interrupts',
         f'{len(inside)} in interrupts, {len(softirq)} in softirqs, of '
         f'{len(trace.samples[SAMPLE])}')
    check_nested_counters('nmi', trace, False)
    check_nested_counters('nmi2', Trace('nmi2'), True)


CHECKS = {'split': check_split, 'changes': check_changes, 'unlogged': check_unlogged,
          'hotplug': check_hotplug,
          'overflows': check_overflows, 'nmi': check_nmi}
for part, check in CHECKS.items():
    if os.path.exists(path(part + '.etl')):
        check()
