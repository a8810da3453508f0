#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Hold the hardware counters of streams against what is known and against perf.

check_arm64.py DIRECTORY: of tests/vm/counters/guest/counters_arm64.sh. A thread's sum is
that of the differences between the context swap that brought it and the one
that took it away. Prints "ok" and "not ok" lines; exit status 1 with any of
the latter.
"""
import json
import os
import struct
import subprocess
import sys
from collections import defaultdict

from etwtest import stream
from checks import Wrong, need, run

SWAP = 0x0524
TOOL = 'build/host/tools/etw'
# User instructions that a process of `known` shows besides its own
KNOWN_EXTRA = 0


class Swaps:
    """The context swaps of a stream of one CPU."""

    def __init__(self, directory, name):
        path = os.path.join(directory, name)
        with open(path + '.methods', encoding='utf-8') as file:
            self.methods = dict(word.split(':') for word in file.read().split())
        with open(path + '.stats', encoding='utf-8') as file:
            for line in file:
                if line.startswith('all'):
                    numbers = dict(word.split('=') for word in line.split()[1:])
        for cause in range(8):
            need(numbers[f'lost{cause}'] == '0', f'{name}: records are lost')
        need(numbers['uncounted'] == '0', f'{name}: {numbers["uncounted"]} records uncounted')
        self.swaps = []     # (new, old, counters)
        for r in stream.load(path + '.etl').of(SWAP):
            new, old = struct.unpack_from('<II', r.payload)
            need(len(r.counters) == len(self.methods), f'{name}: {len(r.counters)} counters')
            need(not self.swaps or self.swaps[-1][0] == old,
                 f'{name}: {old} goes, {self.swaps and self.swaps[-1][0]} came')
            self.swaps.append((new, old, r.counters))
        need(len(self.swaps) > 10, f'{name}: {len(self.swaps)} swaps')

    def deltas(self):
        """(thread that ran, by how much each counter went on) from swap to swap"""
        for (_, _, before), (_, old, after) in zip(self.swaps, self.swaps[1:]):
            for a, b in zip(before, after):
                need(b >= a, f'a counter goes back from {a} to {b}')
            yield old, [b - a for a, b in zip(before, after)]

    def threads(self):
        """By thread: the sums"""
        sums = defaultdict(lambda: [0] * len(self.methods))
        for thread, delta in self.deltas():
            sums[thread] = [a + b for a, b in zip(sums[thread], delta)]
        return sums


def logged(directory, name, counters):
    """By thread: what `etw stat` says that each of so many counters counted"""
    done = subprocess.run([TOOL, 'stat', os.path.join(directory, name + '.etl'), 'counters',
                           '--json'], capture_output=True, check=False)
    need(done.returncode == 0, f'etw stat {name}: {done.stderr.decode()}')
    result = json.loads(done.stdout)
    need(not result['unattributed'], f'{name}: unattributed: {result["unattributed"]}')
    # time and intervals stand first, ratios last; a thread has a row for each of its programs
    sums = defaultdict(lambda: [0] * counters)
    for row in result['rows']:
        values = list(row['values'].values())[2:2 + counters]
        sums[row['tid']] = [a + b for a, b in zip(sums[row['tid']], values)]
    return sums


def known(directory, name):
    """(thread, instructions that it ran)"""
    with open(os.path.join(directory, name + '.txt'), encoding='utf-8') as file:
        for line in file:
            thread, _, instructions = map(int, line.split())
            yield thread, instructions


def check_known(directory, name, method):
    swaps = Swaps(directory, name)
    need(set(swaps.methods.values()) == {method}, f'read by {swaps.methods}')
    sums = swaps.threads()
    tool = logged(directory, name, len(swaps.methods))
    processes = list(known(directory, name))
    for thread, instructions in processes:
        need(tool[thread][0] == instructions + KNOWN_EXTRA,
             f'{thread} ran {instructions}, etw stat says {tool[thread][0]}')
        extra = sums[thread][0] - instructions
        need(extra == KNOWN_EXTRA, f'{thread} ran {instructions}, counted {extra} more')
        if len(sums[thread]) > 1:
            need(sums[thread][1] >= instructions, 'fewer with those of the kernel')
            # one cycle each, with -icount
            need(abs(sums[thread][2] - sums[thread][1]) <= 0.01 * sums[thread][1],
                 f'{sums[thread][2]} cycles, {sums[thread][1]} instructions')
    return (f'{len(processes)} processes, {sum(i for _, i in processes)} user instructions, '
            f'each to the last one, read by {method}')


def check_wide(directory):
    need(all(i > 1 << 32 for _, i in known(directory, 'wide')), 'a counter of 32 bits holds it')
    return check_known(directory, 'wide', 'direct')


def align(one, other):
    """The swaps that both sessions have: (counters of one, of the other)"""
    a, b = one.swaps, other.swaps
    # the first of the two began before, and ended after
    for at in range(len(a) - len(b) + 1):
        if all(x[:2] == y[:2] for x, y in zip(a[at:], b)):
            return [(x[2], y[2]) for x, y in zip(a[at:], b)]
    raise Wrong('the two sessions saw different swaps')


def check_methods(directory):
    """The same swaps, read by both ways"""
    one, other = Swaps(directory, 'direct'), Swaps(directory, 'slow')
    need(set(one.methods.values()) == {'direct'}, f'read by {one.methods}')
    need(set(other.methods.values()) == {'pmu'}, f'read by {other.methods}')
    pairs = align(one, other)
    # in a swap there is no user instruction between the one's reading and the other's
    user = {x[0] - y[0] for x, y in pairs}
    need(len(user) == 1, f'user instructions: {len(user)} different differences')
    # what lies between them: some hundred instructions, whenever they are read
    every = sorted(x[1] - y[1] for x, y in pairs)
    middle = every[len(every) // 2]
    need(max(middle - every[0], every[-1] - middle) < 2000,
         f'instructions: differences from {every[0]} to {every[-1]}')
    return (f'{len(pairs)} swaps, user instructions equal in all, with the kernel\'s '
            f'within {every[-1] - every[0]}')


def read_perf(path):
    """By event: the count"""
    found = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            fields = line.strip().split(',')
            if len(fields) > 4 and not line.startswith('#'):
                need(fields[0].isdigit(), f'perf: {line.strip()}')
                need(float(fields[4]) == 100, f'perf multiplexed: {line.strip()}')
                found[fields[2]] = int(fields[0])
    return found


def difference(counted, wanted, what):
    off = abs(counted - wanted) / wanted
    need(off <= 0.01, f'{what}: {counted} here, {wanted} by perf: {off:.2%}')
    return off


def check_perf(directory):
    sums, worst, names = logged(directory, 'programs', 3), 0, []
    for file in sorted(os.listdir(directory)):
        if not file.startswith('pid.'):
            continue
        name = file[4:]
        names.append(name)
        with open(os.path.join(directory, file), encoding='utf-8') as text:
            thread = int(text.read())
        perf = read_perf(os.path.join(directory, 'perf.' + name))
        for column, event in enumerate(('r08:u', 'r08', 'r11')):
            worst = max(worst, difference(sums[thread][column], perf[event],
                                          f'{name}: {event}'))
    need(len(names) == 4, f'{len(names)} programs')
    return f'{", ".join(names)}: user and all instructions, cycles; at most {worst:.3%} off'


def check_total(directory):
    threads = logged(directory, 'programs', 3)
    total = sum(counted[1] for counted in threads.values())
    perf = read_perf(os.path.join(directory, 'perf.all'))
    off = difference(total, perf['r08'], 'all of the CPU')
    return f'{total} instructions of {len(threads)} threads, {off:.3%} off perf\'s'


def check_hotplug(directory):
    """Counters that are read directly go on where they were when their CPU comes back."""
    with open(os.path.join(directory, 'hotplug.methods'), encoding='utf-8') as file:
        methods = file.read().split()
    need(all(m.endswith(':direct') for m in methods), f'read by {methods}')
    last, times, away = {}, [0], False
    for r in stream.load(os.path.join(directory, 'hotplug.etl')).of(SWAP):
        if not r.counters:
            need(r.cpu == 1, 'CPU 0 has context swaps without counters')
            away = True
            continue
        for a, b in zip(last.get(r.cpu, r.counters), r.counters):
            need(b >= a, f'CPU {r.cpu}: a counter goes back from {a} to {b} at {r.time}')
        last[r.cpu] = r.counters
        if r.cpu == 1:
            times += [0] * away
            times[-1] += 1
            away = False
    need(len([n for n in times if n > 20]) >= 3, f'CPU 1: context swaps from away to away: {times}')
    return f'context swaps of CPU 1 with counters, from away to away: {times}'


def main():
    directory = sys.argv[1]
    todo = [
        ('known instructions, counters read directly', check_known,
         (directory, 'knownY', 'direct')),
        ('known instructions, by pmu->read', check_known, (directory, 'knownN', 'pmu')),
        ('known instructions, in another register', check_known, (directory, 'moved', 'direct')),
        ('both ways at once', check_methods, (directory,)),
        ('read directly on a CPU that goes and comes', check_hotplug, (directory,)),
    ]
    # what the guest had to leave out
    if sys.argv[2:] != ['quick']:
        todo.append(('more than 32 bits', check_wide, (directory,)))
    if os.path.exists(os.path.join(directory, 'perf.all')):
        todo += [
            ('programs beside perf stat', check_perf, (directory,)),
            ('total of the CPU', check_total, (directory,)),
        ]
    sys.exit(run(todo))


if __name__ == '__main__':
    main()
