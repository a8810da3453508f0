#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare sessions with filters with ftrace's switches and wakeups of the same time.

compare_filters.py DIRECTORY tsc|mono_raw

What ftrace saw, filtered here by what it says of processes itself, must be what
each session recorded, event for event: switches with the old thread's state, and
wakeups. Then ftrace's own filter (set_event_pid) is the truth, too. DIRECTORY is
what modes_filters.sh leaves. Exit status 1 with any difference.
"""
import os
import re
import struct
import sys
from bisect import bisect_left
from collections import defaultdict, namedtuple

from etwtest import checks
from etwtest import switches
from etwtest import ftrace
from etwtest import stream

SYSTEM = 4
Wake = namedtuple('Wake', 'time cpu waker tid new')
Life = namedtuple('Life', 'time tid other')
CLONE_THREAD = 0x10000
BEGUN = re.compile(r'pid=(?P<tid>\d+) comm=.*? clone_flags=(?P<flags>[0-9a-f]+) ')
WOKEN = re.compile(r'comm=.*? pid=(?P<tid>\d+) prio=')


class Truth:
    """What ftrace saw of everybody."""

    def __init__(self, directory, clock):
        path = os.path.join(directory, 'ftrace.txt')
        self.switches, wakeups, births, self.kernel, _ = switches.read_ftrace(path, clock)
        self.came_back = switches.comebacks(self.switches, wakeups, births)
        self.wakes, self.forks, self.lines = [], [], 0
        self.kernel |= {int(tid) for tid in words(directory, 'kthreads.txt')}
        self.tgids = {0: 0}
        self.tgids.update(pairs(directory, 'tgids.txt'))
        for name in ('ftrace.txt', 'waking.txt', 'begun.txt'):
            self.lines += self.read_lives(os.path.join(directory, name), clock)
        self.wakes.sort(key=lambda w: w.time)
        # what the script ran had ended before it looked, but left its CPU later: dead (X), or
        # a zombie (Z) where its parent did not come to run in between
        for events in self.switches.values():
            for e in events:
                if e.state[0] in 'XZ':
                    self.tgids.setdefault(e.prev, e.prev)

    def read_lives(self, path, clock):
        """Wakeups as sessions see them, forks, threads; returns the number of lines."""
        lines = 0
        for m in ftrace.matches(path, switches.STACKED):
            if m['whose'] or m['function']:
                continue
            lines += 1
            time, event, rest = ticks(m['time'], clock), m['event'], m['rest']
            if event in ('sched_waking', 'sched_wakeup_new'):
                self.wakes.append(Wake(time, int(m['cpu']), int(m['tid']),
                                       int(WOKEN.match(rest)['tid']),
                                       event == 'sched_wakeup_new'))
            elif event == 'sched_process_fork':
                s = switches.FORK.match(rest)
                self.forks.append(Life(time, int(s['parent']), int(s['child'])))
            elif event == 'task_newtask':
                s = BEGUN.match(rest)
                thread = int(s['flags'], 16) & CLONE_THREAD
                self.tgids[int(s['tid'])] = \
                    self.tgids[int(m['tid'])] if thread else int(s['tid'])
        return lines

    def process(self, tid):
        """As sessions say it: all kernel threads are process 4."""
        if tid in self.kernel:
            return SYSTEM
        if tid not in self.tgids:
            raise ValueError(f'thread {tid} is of no known process')
        return self.tgids[tid]

    def family(self, root, parents):
        """The process and all that descend from it, processes all."""
        members, more = {root}, True
        while more:
            found = {pid for pid, parent in parents.items() if parent in members}
            more = not found <= members
            members |= found
        for fork in sorted(self.forks):
            if self.process(fork.tid) in members:
                members.add(self.process(fork.other))
        return members


def ticks(text, clock):
    return int(text) if clock == 'tsc' else int(text.replace('.', '')) * 1000


def words(directory, name):
    with open(os.path.join(directory, name), encoding='utf-8') as file:
        return file.read().split()


def pairs(directory, name, kind=int):
    found = words(directory, name)
    return {kind(a): int(b) for a, b in zip(found[::2], found[1::2])}


def load(directory, name, clock):
    etl = stream.load(os.path.join(directory, f'{name}.etl'))
    if etl.losses() or etl.events_lost:
        raise ValueError(f'{name}: events were lost')
    convert = switches.raw_clock(etl)[0] if clock == 'mono_raw' else (lambda tick: tick)
    swaps = {cpu: [(s.time, (s.prev, s.next, s.what)) for s in list_]
             for cpu, list_ in switches.swaps_of(etl).items()}
    wakes = defaultdict(list)
    for r in etl.of(0x0532):
        tid, adjust, increment, flag, reserved = struct.unpack('<IbbbB', r.payload)
        if increment or reserved or flag & ~1:
            raise ValueError(f'{name}: a ready thread with fields that should be 0')
        wakes[r.cpu].append((r.time, (tid, adjust)))
    return [{cpu: [(convert(t), what) for t, what in list_] for cpu, list_ in kind.items()}
            for kind in (swaps, wakes)]


def agrees(want, have):
    """Whether a switch, a wakeup or a pair of threads is the expected one."""
    if want == have:
        return True
    return len(want) == len(have) == 3 and want[:2] == have[:2] and \
        switches.agrees(want[2], have[2])


def place(want, have):
    """Where in a session's events ftrace's first one is: nearest in time, or None."""
    first = [what for _, what in want[:200]]
    near = bisect_left([t for t, _ in have], want[0][0])
    for at in sorted(range(len(have)), key=lambda i: abs(i - near)):
        found = have[at:at + len(first)]
        if len(found) == len(first) and \
           all(agrees(what, is_[1]) for what, is_ in zip(first, found)):
            return at
    return None


def same(want, have, slack):
    """How many events of a CPU agree, and what is wrong or ''.

    The session began before ftrace and ended after it.
    """
    if not want:
        return 0, ''
    at = place(want, have)
    if at is None:
        return 0, f'the first events, from {want[0]} on, are not there'
    for i, (time, what) in enumerate(want):
        if at + i >= len(have):
            return i, f'{len(want) - i} events are missing at the end'
        if not agrees(what, have[at + i][1]):
            return i, f'event {i}: ftrace {what} at {time}, session {have[at + i][1]}'
    # what is in excess would be between its neighbours, but for both ends
    if at and have[at - 1][0] > want[0][0] + slack:
        return len(want), 'an event before the first one'
    return len(want), ''


def compare_kind(text, want, have, least, slack):
    matched, wrong = 0, ''
    for cpu in sorted(set(want) | set(have)):
        n, why = same(want.get(cpu, []), have.get(cpu, []), slack)
        matched += n
        wrong = wrong or (why and f'cpu {cpu}: {why}')
    checks.check(not wrong and matched >= least, text,
                 f'{matched} events' + (f'; {wrong}' if wrong else ''))


def expected_swaps(truth, keep):
    out = defaultdict(list)
    for cpu, events in truth.switches.items():
        for i, e in enumerate(events):
            if keep(truth.process(e.prev), truth.process(e.next)):
                what = switches.expected(e, truth.kernel, truth.came_back.get((cpu, i)))
                out[cpu].append((e.time, (e.prev, e.next, what)))
    return out


def expected_wakes(truth, keep):
    out = defaultdict(list)
    for w in truth.wakes:
        if keep(truth.process(w.waker), truth.process(w.tid)):
            out[w.cpu].append((w.time, (w.tid, 0 if w.new else 1)))
    return out


def check_session(directory, clock, truth, name, takes, kinds, least):
    """takes(process): whether a session wants its events; kinds: of swaps, wakes."""
    swaps, wakes = load(directory, name, clock)

    def keep(one, other):
        return takes(one) or takes(other)
    for has, kind, have, want in (
            (kinds[0], 'switches', swaps, expected_swaps),
            (kinds[1], 'wakeups', wakes, expected_wakes)):
        if has:
            compare_kind(f'{name}: {kind}', want(truth, keep), have, least, 100000)
        else:
            checks.check(not have, f'{name}: no {kind}')


def check_ftrace(directory, clock, name, session):
    """ftrace's filter by thread ids, which follows forks, against ours by processes.

    It takes a switch when either side is in the list, and a thread leaves that
    only after it left its CPU for the last time.
    """
    truth = defaultdict(list)
    for m in ftrace.matches(os.path.join(directory, f'{name}.txt'), switches.LINE):
        if m['event'] == 'sched_switch':
            s = switches.SWITCH.match(m['rest'])
            truth[int(m['cpu'])].append((ticks(m['time'], clock),
                                         (int(s['prev']), int(s['next']))))
    swaps = {cpu: [(t, what[:2]) for t, what in list_]
             for cpu, list_ in load(directory, session, clock)[0].items()}
    compare_kind(f'{session}: switches as set_event_pid has them', truth, swaps, 300,
                 100000)


def check_complete(directory, lines):
    """ftrace lost nothing."""
    with open(os.path.join(directory, 'stats.txt'), encoding='utf-8') as file:
        for text in file:
            name, _, value = text.partition(':')
            if name in ('overrun', 'commit overrun', 'dropped events') and int(value):
                raise ValueError(f'ftrace lost events: {text.strip()}')
    if not lines:
        raise ValueError('ftrace saw nothing')


def main():
    directory, clock = sys.argv[1], sys.argv[2]
    truth = Truth(directory, clock)
    check_complete(directory, truth.lines)
    who = pairs(directory, 'who.txt', str)
    family = truth.family(who['family'], pairs(directory, 'parents.txt'))
    print(f'# {sum(map(len, truth.switches.values()))} switches, {len(truth.wakes)} wakeups, '
          f'a family of {len(family)} processes')
    checks.check(len(family) > 8, 'the family has grown')
    for name, takes, kinds, least in (
            ('all', lambda p: True, (1, 1), 3000),
            ('pid', lambda p: p == who['family'], (1, 1), 300),
            ('kernel', lambda p: p == SYSTEM, (1, 1), 300),
            ('tree', lambda p: p in family, (1, 1), 1000),
            ('ready', lambda p: True, (0, 1), 3000),
            ('self', lambda p: p != who['self'], (1, 1), 2000),
            ('combined', lambda p: p == who['pair'], (1, 0), 300)):
        check_session(directory, clock, truth, name, takes, kinds, least)
    swaps, _ = load(directory, 'pid', clock)
    want = expected_swaps(truth, lambda one, other: who['pair'] in (one, other))
    checks.check(any(same(want[cpu], swaps[cpu], 100000)[1] for cpu in want),
                 'events of another process would be noticed')
    check_ftrace(directory, clock, 'pid', 'pid')
    check_ftrace(directory, clock, 'family', 'tree')
    sys.exit(bool(checks.failures))


if __name__ == '__main__':
    main()
