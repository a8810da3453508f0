#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Check the counters in streams against the laws of the test PMU.

check_counters.py DIRECTORY: of tests/vm/counters/guest/counters_testpmu.sh. For each
NAME.etl there is NAME.txt with lines KEY=VALUE (counters: LAW:STEP in their
order; hooks: those that carry them) and perhaps NAME.stats. Prints "ok" and
"not ok" lines; exit status 1 with any of the latter.
"""
import os
import struct
import sys
from collections import Counter, defaultdict

from etwtest import checks
from etwtest import stream
from checks import Wrong, need, run

SWAP, OVERFLOW, CONFIG, FILE_NAME_END = 0x0524, 0x0F2F, 0x0F30, 0x0424
SET, BEGIN, END = 0x0F48, 0x0F49, 0x0F4A
EXACT = {'switches', 'narrow', 'context'}
MEMORY = {'context', 'faults'}


def read_description(path):
    with open(path, encoding='utf-8') as file:
        d = dict(line.rstrip('\n').split('=', 1) for line in file)
    d['laws'] = [(law, int(step)) for law, step in
                 (word.split(':') for word in d['counters'].split())]
    d['carry'] = {int(hook, 16) for hook in d['hooks'].split(',') if hook}
    # which of them NMIs write: without counters, as the test PMU is not read there
    d['nmis'] = {int(hook, 16) for hook in d.get('nmis', '').split(',') if hook}
    return d


def read_statistics(path):
    """By 'all', 'cpu0'...: its numbers."""
    found = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            for line in file:
                words = line.split()
                if words[0] != 'session':
                    found[words[0]] = {k: int(v) for k, v in
                                       (word.split('=') for word in words[1:])}
    return found


def check_masks(records, d):
    """Whether each record carries what it should; uncounted ones by CPU."""
    uncounted, counted = Counter(), 0
    for r in records:
        carried = len(r.counters)
        if r.hook not in d['carry']:
            need(carried == 0, f'a record {r.hook} carries {carried} counters')
        elif carried:
            need(carried == len(d['laws']), f'{carried} counters in a record')
            counted += 1
        else:
            uncounted[r.cpu] += 1
        need(r.pebs is None, 'a PEBS index')
    return uncounted, counted


class Law:
    """One counter on one CPU, through all records of that CPU."""

    def __init__(self, law, step, ordered):
        self.law, self.step, self.ordered = law, step, ordered
        self.last, self.values = None, []

    def check(self, value, swaps, gap):
        """swaps: since the last value, None: unknown; gap: records without counters since it"""
        self.values.append(value)
        last, self.last = self.last, value
        if last is None:
            return
        delta = value - last
        if self.law == 'reads' and not self.ordered:
            return
        need(delta >= 0, f'{self.law} goes back from {last} to {value}')
        if self.law in EXACT and swaps is not None:
            most = self.step * swaps
            need(delta == most or (gap and delta % self.step == 0 and delta < most),
                 f'{self.law}: {delta} in {swaps} swaps{" with a gap" if gap else ""}, '
                 f'step {self.step}')
        elif self.law == 'reads':
            # one may be read once more when it goes with its CPU
            need(delta == self.step or (gap and delta == 2 * self.step),
                 f'reads: {delta} more{" with a gap" if gap else ""}, step {self.step}')

    def finish(self, gaps, interrupting):
        """
        Records of interrupts may stand before the one they interrupted, which then was read for
        once more: interrupting is how many of them there are.
        """
        if self.law == 'reads' and not self.ordered and not gaps:
            span = max(self.values) - min(self.values)
            fewest = self.step * (len(self.values) - 1)
            need(fewest <= span <= fewest + self.step * interrupting and
                 len(set(self.values)) == len(self.values),
                 f'reads: {span} in {len(self.values)} reads, step {self.step}')


def check_laws(records, d):
    """All values of all CPUs. Returns how many were compared."""
    ordered = d['carry'] == {SWAP}
    values = 0
    by_cpu = defaultdict(list)
    for r in records:
        by_cpu[r.cpu].append(r)
    for cpu, mine in by_cpu.items():
        laws = [Law(law, step, ordered) for law, step in d['laws']]
        swaps = gaps = gap = 0
        # START and STOP begin and end with one source after the other
        known = [i for i, r in enumerate(mine) if r.hook == SWAP] or [0]
        for i, r in enumerate(mine):
            swaps += r.hook == SWAP
            if r.hook not in d['carry']:
                continue
            if not r.counters:
                gap = 1
                gaps += 1
                continue
            try:
                for law, value in zip(laws, r.counters):
                    law.check(value, swaps if known[0] < i <= known[-1] else None, gap)
            except Wrong as wrong:
                raise Wrong(f'CPU {cpu}, record {r.hook:#x} at {r.time}: {wrong}') from wrong
            values += len(laws)
            swaps = gap = 0
        interrupting = sum(r.hook != SWAP and r.hook in d['carry'] for r in mine)
        for law in laws:
            law.finish(gaps, interrupting)
    return values


def check_clock(s, records, d):
    """A clock that counts must show the time of the records' stamps."""
    for column, (law, step) in enumerate(d['laws']):
        if law not in ('clock', 'cpuclock') or d.get('uncounted'):
            continue
        for cpu in {r.cpu for r in records}:
            mine = [r for r in records if r.cpu == cpu and r.counters]
            if len(mine) < 2:
                continue
            stamps = (mine[-1].time - mine[0].time) * 10**9 / s.frequency
            counted = (mine[-1].counters[column] - mine[0].counters[column]) / step
            need(abs(counted - stamps) < 0.02 * stamps + 1e6,
                 f'{law} of CPU {cpu}: {counted:.0f} ns in {stamps:.0f} ns')


def check_uncounted(uncounted, statistics, d):
    want = 'uncounted' in d
    total = sum(uncounted.values())
    need(want or total == 0, f'{total} records without counters')
    if not statistics:
        return
    for name, numbers in statistics.items():
        for cause in range(8):
            need(numbers[f'lost{cause}'] == 0, f'{name}: records are lost')
        found = total if name == 'all' else uncounted[int(name[3:])]
        need(numbers['uncounted'] == found,
             f'{name}: {numbers["uncounted"]} counted as uncounted, {found} in the stream')
    if 'away' in d:
        need(not uncounted[0], 'CPU 0 has records without counters')
    if 'robbed' in d:
        need(uncounted[1] > 100, f'only {uncounted[1]} records without counters')


def is_end_of(tid, swap):
    """Whether it is the last switch of a thread: state 4, terminated."""
    return struct.unpack_from('<4xI', swap.payload)[0] == tid and swap.payload[14] == 4


def check_names(s, records, d):
    """0x0F30 with all names, at the begin and at the end."""
    # the stream has one buffer after another, of whatever CPU
    found = sorted((r for r in s.records if r.hook == CONFIG), key=lambda r: r.time)
    if not d['laws']:
        need(not found, '0x0F30 without counters')
        return
    need(len(found) == 2, f'{len(found)} records 0x0F30')
    # the first is written in START, so by a thread that ends later, as no worker does
    need(any(r.hook == SWAP and r.time > found[0].time and is_end_of(found[0].tid, r)
             for r in s.records), 'the first 0x0F30 is not of who started the session')
    names = d['names'].split(',') if 'names' in d else \
        [f'Source{0x1000 + i}' for i in range(len(d['laws']))]
    want = struct.pack('<I', len(names)) + b''.join(n.encode('utf-16-le') + b'\0\0' for n in names)
    for r in found:
        need(r.kind == 2 and r.version == 2, f'0x0F30: kind {r.kind}, version {r.version}')
        need(r.payload == want, f'0x0F30 has {bytes(r.payload)!r}')


def check_unread(records, d):
    """What NMIs write has no counters, all else has."""
    for r in records:
        need(r.hook not in d['carry'] or bool(r.counters) != (r.hook in d['nmis']),
             f'a record {r.hook:#x} with counters {r.counters}, NMIs write {d["nmis"]}')


def check_remade(uncounted, records):
    """CPU 0 was without counters, and is no more."""
    need(uncounted[0], 'CPU 0 was never without counters')
    need([r for r in records if r.cpu == 0 and r.hook == SWAP][-1].counters,
         'the last switch of CPU 0 has no counters')


def check_stop_rundown(directory):
    """Its records carry none, though they have a hook that does; none is missed."""
    path = os.path.join(directory, 'stoprun')
    names = stream.load(path + '.etl').of(FILE_NAME_END)
    need(names, 'no names of files in the stop rundown')
    for r in names:
        need(not r.counters, f'a name of the stop rundown carries {r.counters}')
    check_uncounted(Counter(), read_statistics(path + '.stats'), {})
    return f'{len(names)} names without counters'


def check_methods(d):
    """No program can read this PMU's registers, and software events are in memory."""
    want = ' '.join(f'{0x1000 + i:#x}:{"memory" if law in MEMORY else "pmu"}'
                    for i, (law, _) in enumerate(d['laws']))
    need(d.get('methods') == want, f'read by {d.get("methods")}, not {want}')


def check_stream(directory, name):
    path = os.path.join(directory, name)
    d = read_description(path + '.txt')
    s = stream.load(path + '.etl')
    records = [r for r in s.records if r.kind == 0x11]
    uncounted, counted = check_masks(records, d)
    check_uncounted(uncounted, read_statistics(path + '.stats'), d)
    check_methods(d)
    if d['nmis']:
        check_unread(records, d)
    if 'remade' in d:
        check_remade(uncounted, records)
    values = check_laws(records, d)
    check_clock(s, records, d)
    check_names(s, records, d)
    cpus = {r.cpu for r in records if r.counters}
    need(counted > 100 or not d['laws'] or 'few' in d, f'only {counted} records with counters')
    for hook in d['carry'] - d['nmis']:
        need(any(r.hook == hook and r.counters for r in records), f'no {hook:#x} with counters')
    for hook in d['nmis']:
        need(any(r.hook == hook for r in records), f'no {hook:#x}')
    return (f'{len(records)} records, {counted} with counters on {len(cpus)} CPUs, '
            f'{values} values, {sum(uncounted.values())} uncounted'
            f'{"; read by " + d["methods"] if d.get("methods") else ""}')


def check_samples(directory, name, symbol):
    """A sample per hundred switches of a CPU, all of them where the PMU says."""
    with open(os.path.join(directory, 'sampled.symbols'), encoding='utf-8') as file:
        symbols = {words[2]: int(words[0], 16) for words in map(str.split, file)}
    records = stream.load(os.path.join(directory, name))
    switches = Counter(r.cpu for r in records.of(SWAP))
    samples = Counter()
    for r in records.of(OVERFLOW):
        at, = struct.unpack_from('<Q', r.payload)
        need(at == symbols[symbol], f'a sample at 0x{at:x}, not at {symbol}')
        samples[r.cpu] += 1
    need(len(samples) == 2, f'samples of {len(samples)} CPUs')
    for cpu, n in samples.items():
        # the session's first and last switches may be in a hundred that is not whole
        need(abs(n * 100 - switches[cpu]) < 200, f'{n} samples of {switches[cpu]} switches')
    return f'{sum(samples.values())} samples of {sum(switches.values())} switches'


def check_changed(directory):
    """No sample stands for fewer switches than the last record before it says."""
    records = stream.load(os.path.join(directory, 'changed.etl')).records
    logged = sorted((r.time, r.hook, *struct.unpack_from('<II', r.payload, 4))
                  for r in records if r.hook in (BEGIN, SET, END))
    need([t[1:] for t in logged] ==
         [(BEGIN, 300, 300), (SET, 100, 300), (SET, 200, 100), (SET, 100, 200), (END, 100, 100)],
         f'logged: {logged}')
    before, shortest = 0, Counter()
    for cpu in (0, 1):
        swaps = None
        for r in records:
            # behind the end one source goes after the other: of the last hundred some are missing
            if r.cpu != cpu or r.time > logged[-1][0]:
                continue
            if r.hook == OVERFLOW:
                old = r.time < logged[1][0]
                need(swaps is None or swaps >= (300 if old else 100),
                     f'CPU {cpu}: a sample of {swaps} switches at {r.time}, logged: {logged}')
                before += old
                shortest[cpu, swaps] += 1
                swaps = 0
            elif r.hook == SWAP and swaps is not None:
                swaps += 1
        need(shortest[cpu, 300] and shortest[cpu, 100] > 5,
             f'CPU {cpu}: samples by their switches: {shortest}')
    return f'{before} samples by the old interval, {shortest[0, 100] + shortest[1, 100]} by the new'


def check_nested(directory):
    """An interrupt in the middle of a reading has no value, and disturbs none."""
    path = os.path.join(directory, 'nested')
    records = [r for r in stream.load(path + '.etl').records if r.kind == 0x11]
    samples = [r for r in records if r.hook == OVERFLOW]
    need(len(samples) > 50, f'only {len(samples)} samples in readings')
    for r in samples:
        need(not r.counters, f'a sample in a reading carries {r.counters}')
    uncounted, _ = check_masks(records, {'carry': {SWAP, OVERFLOW}, 'laws': [('switches', 1)]})
    check_uncounted(uncounted, read_statistics(path + '.stats'), {'uncounted': ''})
    swaps = [r for r in records if r.hook == SWAP]
    need(all(r.counters for r in swaps), 'a context swap without counters')
    check_laws(swaps, {'carry': {SWAP}, 'laws': [('switches', 1)]})
    return f'{len(samples)} samples in readings of {len(swaps)} context swaps'


def check_read_in_nmis(cpu, mine, laws):
    """A sample comes behind the PMU's own count of a switch, and before that switch's record."""
    for before, r in zip(mine, mine[1:]):
        switches = 0 if before.hook == OVERFLOW else 1
        need(r.hook == SWAP or switches, f'CPU {cpu}: two samples of a switch at {r.time}')
        for (law, step), last, now in zip(laws, before.counters, r.counters):
            where = f'CPU {cpu}, record {r.hook:#x} at {r.time}: {law} from {last} to {now}'
            need(last <= now, where)
            if law == 'reads' or law in EXACT:
                need(now - last == step * (1 if law == 'reads' else switches), where)


def check_nmis(directory, name, laws, readable):
    """Samples that came in NMIs: what those may read is there, and right; else they are bare."""
    path = os.path.join(directory, name)
    with open(path + '.nmis', encoding='utf-8') as file:
        nmis = int(file.read())
    records = [r for r in stream.load(path + '.etl').records if r.kind == 0x11]
    carry = {SWAP, OVERFLOW}
    uncounted, _ = check_masks(records, {'carry': carry, 'laws': laws})
    check_uncounted(uncounted, read_statistics(path + '.stats'),
                    {} if readable else {'uncounted': ''})
    samples = [r for r in records if r.hook == OVERFLOW]
    swaps = [r for r in records if r.hook == SWAP]
    need(30 < len(samples) <= nmis, f'{len(samples)} samples, {nmis} in NMIs')
    for r in swaps if not readable else []:
        need(r.counters, f'a context swap without counters at {r.time}')
    for r in samples:
        need(bool(r.counters) == readable, f'a sample in an NMI carries {r.counters}')
    if readable:
        for cpu in {r.cpu for r in samples}:
            # START and STOP begin and end with one source after the other
            mine = [r for r in records if r.cpu == cpu and r.hook in carry]
            known = [i for i, r in enumerate(mine) if r.hook == SWAP]
            check_read_in_nmis(cpu, mine[known[0]:known[-1] + 1], laws)
    else:
        check_laws(swaps, {'carry': {SWAP}, 'laws': laws})
    return f'{len(samples)} samples in NMIs, among {len(swaps)} context swaps'


def nmis(directory):
    """On x86 there are some."""
    both = [('switches', 1), ('reads', 7)]
    software = [('context', 1), ('faults', 1), ('cpuclock', 1)]
    if not os.path.exists(os.path.join(directory, 'nmi.nmis')):
        return []
    return [(f'samples in NMIs: {what}', check_nmis, (directory, name, laws, readable))
            for what, name, laws, readable in (
                ('counters not for NMIs', 'nmi', both, False),
                ('software counters', 'nmisoftware', software, True),
                ("the CPU's own counters", 'nmiown', both, True),
                ('in readings', 'nminested', [('switches', 1), ('switches', 3)], False))]


def main():
    directory = sys.argv[1]
    names = sorted(file[:-4] for file in os.listdir(directory) if file.endswith('.txt'))
    if not names:
        checks.not_ok('there are streams to check')
    todo = [(name, check_stream, (directory, name)) for name in names]
    todo.append(('stop rundown', check_stop_rundown, (directory,)))
    todo.append(('samples by PEBS', check_samples, (directory, 'sampledp', 'at_precise')))
    todo.append(('samples without', check_samples, (directory, 'sampled', 'at_skid')))
    todo.append(('samples in readings', check_nested, (directory,)))
    todo.append(('intervals that change', check_changed, (directory,)))
    todo += nmis(directory)
    sys.exit(run(todo) or not names)


if __name__ == '__main__':
    main()
