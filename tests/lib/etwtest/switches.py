#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the switches of an ETW stream with ftrace's of the same time.

switches.py DIRECTORY tsc|mono_raw MINIMUM [NAME]

Both must have the same switches of each CPU, in the same order. A switch has the two thread ids,
the old thread's state, wait reason and mode, both priorities, and the idle state of an old idle
thread. The time stamps have one order: ftrace's of a switch, etw's, that of the CPU's next event
of ftrace. Exit status 1 with any difference.

On a kernel with RT locks ftrace records the stack of each switch with state D. The stack
distinguishes the waits for such a lock from other waits.
"""
import bisect
import re
import statistics
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import ftrace
from etwtest import stream

Truth = namedtuple('Truth', 'time prev state next comm priorities idle stack until',
                   defaults=(None, None, None, None))
Swap = namedtuple('Swap', 'time prev next what priorities idle', defaults=(None, None))

LINE = re.compile(r'^\s*(?P<task>.+)-(?P<tid>\d+)\s+\[(?P<cpu>\d+)\]\s+(?P<flags>\S+)\s+'
                  r'(?P<time>[\d.]+): (?P<event>\w+): (?P<rest>.*)$')
# behind a switch, as an event of its own, and a line for each of its functions
STACKED = re.compile(LINE.pattern + r'|^\s*.+-(?P<whose>\d+)\s+\[(?P<where>\d+)\]\s+\S+\s+'
                     r'[\d.]+: <stack trace>$|^ => (?P<function>\S+)')
SWITCH = re.compile(r'prev_comm=(?P<comm>.*?) prev_pid=(?P<prev>\d+) '
                    r'prev_prio=(?P<old>-?\d+) prev_state=(?P<state>\S+) ==> '
                    r'next_comm=.*? next_pid=(?P<next>\d+) next_prio=(?P<new>-?\d+)')
IDLE_STATE = re.compile(r'state=(?P<state>\d+) cpu_id=(?P<cpu>\d+)')
LEAVES_IDLE = 0xFFFFFFFF
WAKEUP = re.compile(r'comm=.*? pid=(?P<tid>\d+) prio=')
FORK = re.compile(r'comm=.*? pid=(?P<parent>\d+) child_comm=.*? child_pid=(?P<child>\d+)')

READY, WAITING = 1, 5
# (KTHREAD_STATE, KWAIT_REASON, user mode), from kernel-events.rst 9.4
IDLE = (2, 0, 0)
TERMINATED = (4, 22, 0)
PREEMPTED = (READY, 32, 0)
SUSPENDED = (WAITING, 5, 1)
QUEUE = (WAITING, 15, 0)
EXECUTIVE = (WAITING, 0, 0)
UNINTERRUPTIBLE = (WAITING, 7, 0)
RT_LOCK = (WAITING, 27, 0)
USER_REQUEST = (WAITING, 6, 1)

# a thread sleeps in this function of the kernel only while it waits for an RT lock
RT_SLEEP = 'schedule_rtlock'
# as ftrace prints them of threads that were not preempted
EXITS = ('X', 'Z')


def priority(tid, prio):
    """What kernel-events.rst 9.5 makes of a kernel's priority; no thread here is SCHED_IDLE."""
    if not tid:
        return 0
    if prio < 100:
        return 16 + 14 * (99 - prio) // 99 if prio >= 0 else 31
    nice = prio - 120
    return 8 + 7 * -nice // 20 if nice <= 0 else 8 - (7 * nice + 18) // 19


def switch(s, time, idle):
    """One of ftrace's; @idle: what its CPU went into last, None: unknown."""
    prev, next_ = int(s['prev']), int(s['next'])
    return Truth(time, prev, s['state'], next_, s['comm'],
                 (priority(next_, int(s['new'])), priority(prev, int(s['old']))),
                 0 if prev else idle)


def add_stack(switches, tid, stack):
    """It is of its CPU's last switch, in which the old thread was still the current one."""
    if not switches:
        return      # of one that came just before ftrace was on
    if switches[-1].prev != tid or switches[-1].stack is not None:
        sys.exit(f'ftrace: a stack of {tid} behind {switches[-1]}')
    switches[-1] = switches[-1]._replace(stack=stack)


def end_switch(switches, time):
    """An event at @time follows on their CPU."""
    if switches and switches[-1].until is None:
        switches[-1] = switches[-1]._replace(until=time)


def check_stacks(switches, report):
    """Where there are RT locks each sleep that may be for one has a stack, and some are."""
    stacks = [e.stack for list_ in switches.values() for e in list_ if e.stack]
    if not stacks:
        return
    for cpu, list_ in switches.items():
        # ftrace may have been switched off between a last one and its stack
        if list_[-1].state == 'D' and not list_[-1].stack:
            list_.pop()
        for i, e in enumerate(list_):
            if e.state == 'D' and not e.stack:
                report.difference(f'cpu {cpu} switch {i}: {e} has no stack')
    if not any(RT_SLEEP in s for s in stacks):
        report.difference('nobody waited for an RT lock')


def read_ftrace(path, clock):
    """Switches per CPU, wakeups and first ones per thread, kernel threads born meanwhile."""
    switches, wakeups, kernel = defaultdict(list), defaultdict(list), set()
    births = defaultdict(list)
    idle = {}
    lines = 0
    stack = None
    for m in ftrace.matches(path, STACKED):
        if m['function']:
            stack.append(m['function'])
            continue
        lines += 1
        if m['whose']:
            stack = []
            add_stack(switches[int(m['where'])], int(m['whose']), stack)
            continue
        # microseconds in the text of every clock but the counter
        time = int(m['time']) if clock == 'tsc' else \
            int(m['time'].replace('.', '')) * 1000
        cpu = int(m['cpu'])
        end_switch(switches.get(cpu), time)
        if m['event'] == 'sched_switch':
            switches[cpu].append(switch(SWITCH.match(m['rest']), time, idle.get(cpu)))
        elif m['event'] == 'cpu_idle':
            s = IDLE_STATE.match(m['rest'])
            if int(s['state']) != LEAVES_IDLE:
                idle[int(s['cpu'])] = int(s['state'])
        elif m['event'] == 'sched_process_fork':
            s = FORK.match(m['rest'])
            if int(s['parent']) == 2:
                kernel.add(int(s['child']))
        elif m['event'] != 'sched_waking':
            first = m['event'] == 'sched_wakeup_new'
            (births if first else wakeups)[int(WAKEUP.match(m['rest'])['tid'])].append(time)
    return switches, wakeups, births, kernel, lines


def comebacks(switches, wakeups, births):
    """How threads really left that came back: by (cpu, index), PREEMPTED or RT_LOCK.

    A thread that decided to sleep but has a signal pending stays on the run
    queue; ftrace prints the sleep that it meant. It was none when the thread
    comes back without a wakeup. Of one that exits ftrace prints X or Z from the
    moment of the signal to its parent, while it still runs: it has ended only when it
    does not come back; with PREEMPT_RT it may wait for a lock until then.
    """
    out, moves = {}, defaultdict(list)
    for times in (*wakeups.values(), *births.values()):
        times.sort()
    for cpu, events in switches.items():
        for i, e in enumerate(events):
            moves[e.prev].append((e.time, 1, cpu, i, e.state))
            moves[e.next].append((e.time, 0, cpu, i, None))
    for tid, list_ in moves.items():
        if not tid:
            continue
        # one thread runs on one CPU at a time, and leaves before it comes
        # back: within a time stamp's unit the order is known from that
        list_.sort(key=lambda m: (m[0], m[2], m[3]))
        left = None
        for time, leaving, cpu, i, state in list_:
            if leaving:
                left = (time, cpu, i, state) if state in EXITS or state[0] in 'SDTt' else None
                continue
            if left and not is_between(births[tid], left[0], time):
                if not is_between(wakeups[tid], left[0], time):
                    out[left[1:3]] = PREEMPTED
                elif left[3] in EXITS:
                    out[left[1:3]] = RT_LOCK
            left = None
    return out


def is_between(times, begin, end):
    """Whether one of the @times, which are in order, is"""
    i = bisect.bisect_left(times, begin)
    return i < len(times) and times[i] <= end


def expected(e, kernel, came_back):
    """What kernel-events.rst 9.4 makes of what ftrace saw; @came_back: see comebacks()."""
    state = e.state.rstrip('+')
    if e.prev == 0:
        return IDLE
    if came_back:
        return came_back
    if e.state in EXITS:
        return TERMINATED
    if e.state.startswith('R') or e.state.endswith('+'):
        return PREEMPTED
    if state in ('T', 't', 'P'):
        return SUSPENDED
    if state == 'I':
        return QUEUE
    if state == 'D':
        return RT_LOCK if e.stack and RT_SLEEP in e.stack else UNINTERRUPTIBLE
    if state == 'S':
        if e.prev not in kernel:
            return USER_REQUEST
        return QUEUE if e.comm.startswith('kworker') else EXECUTIVE
    raise ValueError(f'prev_state {e.state}')


def agrees(want, have):
    """Whether a swap's bytes are what ftrace lets expect.

    Its text says D of every uninterruptible sleep; the session separates those
    that wait for I/O (kernel-events.rst 9.4), and nothing else, from the others.
    """
    return have == want or (want == UNINTERRUPTIBLE and have == EXECUTIVE)


def swaps_of(etl):
    swaps = defaultdict(list)
    for r in etl.of(0x0524):
        if r.version != 4 or r.kind != 0x11 or len(r.payload) != 24:
            sys.exit(f'a context swap of version {r.version}, kind {r.kind:#x}')
        new, old, new_prio, old_prio, idle, _, reason, flags, state, ideal, wait, quantum = \
            struct.unpack('<IIbbBbBBBBII', r.payload)
        if flags & ~1 or wait or quantum:
            sys.exit('a context swap with fields that should be 0')
        if ideal != r.cpu:
            sys.exit(f'a context swap of CPU {r.cpu} with ideal processor {ideal}')
        swaps[r.cpu].append(Swap(r.time, old, new, (state, reason, flags & 1),
                                 (new_prio, old_prio), idle))
    return swaps


def raw_clock(etl):
    """From ticks to monotonic_raw through anchors; and their uncertainty, ticks.

    Of all anchors the better half: a pause of the emulation spoils some.
    """
    anchors = sorted(etl.anchors(), key=lambda a: a.uncertainty)
    anchors = sorted(anchors[:max(2, len(anchors) // 2)])
    if len(anchors) < 2:
        sys.exit('fewer than two anchors')

    def convert(tick):
        n = 1
        while n < len(anchors) - 1 and anchors[n].qpc < tick:
            n += 1
        a, b = anchors[n - 1], anchors[n]
        return a.monotonic_raw + (tick - a.qpc) * (b.monotonic_raw - a.monotonic_raw) \
            / (b.qpc - a.qpc)
    return convert, max(a.uncertainty for a in anchors)


def align(truth, swaps):
    """Where in the swaps the first of the truth is, or None."""
    first = [(e.prev, e.next) for e in truth[:200]]
    found = [i for i in range(len(swaps) - len(first) + 1)
             if all((swaps[i + k].prev, swaps[i + k].next) == first[k]
                    for k in range(len(first)))]
    if not found:
        return None
    return min(found, key=lambda i: abs(swaps[i].time - truth[0].time))


class Report:
    def __init__(self):
        self.differences = 0
        self.matched = 0
        self.states = Counter()
        self.idle = Counter()
        self.distances = []
        self.disorder = 0
        self.worst_disorder = 0

    def difference(self, text):
        self.differences += 1
        if self.differences <= 20:
            print(f'difference: {text}')

    def cpu(self, cpu, truth, swaps, kernel, came_back, slack):
        start = align(truth, swaps)
        if start is None:
            self.difference(f'cpu {cpu}: the first switches are not in the stream')
            return
        for i, e in enumerate(truth):
            if start + i >= len(swaps):
                self.difference(f'cpu {cpu}: the stream ends {len(truth) - i} switches early')
                return
            s = swaps[start + i]
            if (s.prev, s.next) != (e.prev, e.next):
                self.difference(f'cpu {cpu} switch {i}: ftrace {e}, etw {s}')
                return
            want = expected(e, kernel, came_back.get((cpu, i)))
            if not agrees(want, s.what) or s.priorities != e.priorities or \
                    e.idle not in (None, s.idle):
                self.difference(f'cpu {cpu} switch {i}: {e} is {want}, but etw has {s}')
            else:
                self.matched += 1
                name = e.state + (' (came back)' if (cpu, i) in came_back else
                                  ' (RT lock)' if want == RT_LOCK else '')
                self.states[(name if e.prev else 'idle', s.what)] += 1
                if not e.prev and e.idle is not None:
                    self.idle[s.idle] += 1
            self.distances.append(abs(s.time - e.time))
            # One order, which no pause of an emulator changes: interrupts are off from
            # ftrace's probe, the older one, to the end of etw's.
            wrong = max(e.time - s.time, s.time - e.until if e.until is not None else 0)
            if wrong > slack:
                self.disorder += 1
                self.worst_disorder = max(self.worst_disorder, wrong)


def main():
    directory, clock, minimum = sys.argv[1], sys.argv[2], int(sys.argv[3])
    switches, wakeups, births, kernel, lines = read_ftrace(f'{directory}/ftrace.txt', clock)
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    with open(f'{directory}/kthreads.txt', encoding='utf-8') as file:
        kernel |= {int(tid) for tid in file}
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    swaps = swaps_of(etl)
    slack, unit = 0, 1e9 / etl.frequency
    if clock == 'mono_raw':
        convert, uncertainty = raw_clock(etl)
        # ftrace's text has whole microseconds; the anchors say how well they know
        slack, unit = 1000 + uncertainty * unit, 1
        print(f'of {len(etl.anchors())} anchors the better half, '
              f'uncertain by at most {slack - 1000:.0f} ns')
        for cpu, list_ in swaps.items():
            swaps[cpu] = [s._replace(time=convert(s.time)) for s in list_]

    came_back = comebacks(switches, wakeups, births)
    report = Report()
    check_stacks(switches, report)
    for cpu, truth in sorted(switches.items()):
        report.cpu(cpu, truth, swaps.get(cpu, []), kernel, came_back, slack)
    for (state, what), n in sorted(report.states.items(), key=lambda x: -x[1]):
        print(f'{n:8d}  prev_state {state:20s} state {what[0]} reason {what[1]:2d} mode {what[2]}')
    print('from idle: ' + ', '.join(f'{n} were in state {state}'
                                    for state, n in sorted(report.idle.items())))
    if not report.idle:
        report.difference('no switch from an idle thread whose state is known')
    ns = sorted(d * unit for d in report.distances) or [0]
    print(f'{report.matched} switches on {len(switches)} CPUs match, '
          f'{report.differences} differences; time stamps differ by '
          f'{statistics.median(ns) / 1e3:.2f} us (median), '
          f'{ns[len(ns) * 99 // 100] / 1e3:.1f} us (99 %), {ns[-1] / 1e3:.1f} us (most); '
          f'{report.disorder} out of order')
    if report.disorder:
        print(f'a stamp is up to {report.worst_disorder * unit / 1e3:.2f} us outside of its place')
    # no disk here: locked pages are all there is to wait for
    sleeps = Counter({what: n for (state, what), n in report.states.items() if state == 'D'})
    as_io = sleeps[EXECUTIVE]
    if as_io > 3 + sleeps.total() // 10:
        report.difference(f'{as_io} of {sleeps.total()} uninterruptible sleeps are for I/O')
    if report.matched < minimum:
        print(f'fewer than {minimum} switches')
    sys.exit(1 if report.differences or report.disorder or report.matched < minimum else 0)


if __name__ == '__main__':
    main()
