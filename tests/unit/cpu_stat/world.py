# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""A made-up machine with a scheduler that keeps its own books, and the trace that it leaves."""
import collections
import random
import struct

from etwtest import etlfile as e
from etwtest import model as m

TICK = m.TICK
READY, TERMINATED, WAITING = 1, 4, 5
REASONS = {0: 'Executive', 6: 'UserRequest', 15: 'WrQueue', 37: 'WrAlertByThreadId'}


def swap(new, old, time, state=WAITING, reason=6):
    if not old:
        state, reason = 2, 0
    if state == READY:
        reason = 32
    if state == TERMINATED:
        reason = 22
    return e.perfinfo(0x0524, 4, struct.pack('<IIbbBbBBBBII', new, old, 8, 8, 0, 0, reason, 1,
                                             state, 0, 0, 0), time)


def ready(tid, time, interrupt=False):
    return e.perfinfo(0x0532, 2, struct.pack('<IbbbB', tid, 1, 0, int(interrupt), 0), time)


def create(pid, tid, time, by=7):
    payload = e.thread(0x0501, pid, tid, 'thread%d' % tid, time)[0x20:]
    return e.system(0x0501, 3, payload, time, tid=by, pid=pid)


class Thread:
    """One, as the machine knows it; its books begin when the trace sees it first."""

    def __init__(self, tid, pid):
        self.tid, self.pid = tid, pid
        self.state, self.since, self.reason = 'waiting', None, 'none'
        self.seen = False
        self.born = self.gone = None
        self.sums = collections.Counter()
        self.switches = 0
        self.longest = 0
        self.spans = []
        self.cpu = None
        self.by = collections.Counter()

    def book(self, now):
        """What it did since the last change of its state."""
        if self.seen and self.since is not None:
            ns = (now - self.since) * TICK
            self.sums[self.state] += ns
            self.spans.append((self.state, self.since, now, self.cpu, self.reason))
            if self.state == 'waiting':
                self.sums['waiting ' + self.reason] += ns
            if self.state == 'ready':
                self.longest = max(self.longest, ns)

    def change(self, state, now):
        self.book(now)
        self.state, self.since = state, now

    def see(self, now):
        if not self.seen:
            self.seen, self.born, self.since = True, now, now


class World:
    """Processors that run threads at random; records are in order of time, for each one."""

    def __init__(self, seed, steps=200, cpus=None):
        chance = self.chance = random.Random(seed)
        self.cpus = cpus or chance.randrange(1, 4)
        self.time = e.T0 + 100
        self.threads = {t: Thread(t, 100 * (1 + t % 3)) for t in range(1001, 1001 + 6)}
        self.running = [0] * self.cpus
        self.records = [[] for _ in range(self.cpus)]
        self.first, self.last = [None] * self.cpus, [None] * self.cpus
        self.busy, self.idle = [0] * self.cpus, [0] * self.cpus
        self.switches = [0] * self.cpus
        self.spans = [[] for _ in range(self.cpus)]
        self.causes = [None] * self.cpus
        self.readiers = []
        self.next_tid = 2000
        for _ in range(steps):
            self.step()
        self.finish()

    def emit(self, cpu, record):
        self.records[cpu].append(record)

    def step(self):
        self.time += self.chance.randrange(1, 5000)
        cpu = self.chance.randrange(self.cpus)
        what = self.chance.random()
        if what < 0.35:
            self.wake(cpu)
        elif what < 0.40:
            self.fork(cpu)
        else:
            self.switch(cpu)

    def wake(self, cpu):
        """By what runs here; a wakeup of one that does not wait changes nothing."""
        tid = self.chance.choice(sorted(self.threads))
        thread = self.threads[tid]
        if thread.state in ('gone', 'running'):
            return
        interrupt = self.chance.random() < 0.3
        self.emit(cpu, ready(tid, self.time, interrupt))
        if thread.state != 'waiting':
            return
        if thread.seen:
            # the thread that ran shows when the CPU switches from it
            self.readiers.append((cpu, tid, 'interrupt' if interrupt else self.running[cpu],
                                  self.switches[cpu], self.time))
        thread.change('ready', self.time)

    def fork(self, cpu):
        tid, self.next_tid = self.next_tid, self.next_tid + 1
        thread = self.threads[tid] = Thread(tid, 100 * (1 + tid % 3))
        thread.see(self.time)
        thread.reason = 'NotStarted'
        self.emit(cpu, create(thread.pid, tid, self.time, self.running[cpu]))

    def switch(self, cpu):
        old = self.running[cpu]
        runnable = [t for t in sorted(self.threads) if self.threads[t].state == 'ready']
        new = self.chance.choice(runnable + [0])
        if new == old:
            return
        state, reason = WAITING, self.chance.choice(sorted(REASONS))
        if self.chance.random() < 0.3:
            state = READY
        elif self.chance.random() < 0.1 and len(self.threads) > 3:
            state = TERMINATED
        self.emit(cpu, swap(new, old, self.time, state, reason))
        if self.last[cpu] is not None:
            ns = (self.time - self.last[cpu]) * TICK
            self.busy[cpu] += ns if old else 0
            self.idle[cpu] += 0 if old else ns
            self.spans[cpu].append(('busy' if old else 'idle', self.last[cpu], self.time,
                                     None if old else self.causes[cpu]))
        else:
            self.first[cpu] = self.time
        self.last[cpu] = self.time
        self.switches[cpu] += 1
        self.running[cpu] = new
        self.causes[cpu] = REASONS[reason] if old and state == WAITING else 'unknown'
        if old:
            thread = self.threads[old]
            thread.see(self.time)
            thread.change({WAITING: 'waiting', READY: 'ready', TERMINATED: 'gone'}[state],
                          self.time)
            thread.gone = self.time if state == TERMINATED else None
            if state == WAITING:
                thread.reason = REASONS[reason]
        if new:
            thread = self.threads[new]
            thread.see(self.time)
            thread.change('running', self.time)
            thread.cpu = cpu
            thread.switches += 1

    def finish(self):
        """Books are closed at the last switch of all; of a running thread, at its begin."""
        self.end = max([t for t in self.last if t is not None], default=None)
        if self.end is None:
            return
        for thread in self.threads.values():
            if not thread.seen or thread.state == 'gone':
                continue
            if thread.born >= self.end:
                thread.gone = thread.born
                thread.sums.clear()
            elif thread.state == 'running':
                thread.gone = thread.since
            elif thread.since >= self.end:
                # after the last switch: that wait or that time ready is none
                thread.gone = self.end
                if thread.state == 'ready' and thread.since > self.end:
                    excess = (thread.since - self.end) * TICK
                    thread.sums['waiting'] -= excess
                    thread.sums['waiting ' + thread.reason] -= excess
            else:
                thread.gone = self.end
                thread.book(self.end)
        for cpu, tid, by, switches, _ in self.readiers:
            known = by == 'interrupt' or 0 < switches < self.switches[cpu]
            self.threads[tid].by[by if known else 'unknown'] += 1

    def pids(self):
        return {0: 0} | {t: x.pid for t, x in self.threads.items() if t < 2000}

    def bytes(self, lose=None):
        """lose: how many records of a processor at a place are left out; a loss reports it."""
        buffers, tail = [(0, m.rundown(self.pids()), 0)], []
        for cpu, records in enumerate(self.records):
            parts = [records[i:i + 25] for i in range(0, len(records), 25)]
            if lose and cpu == lose[0] and records:
                at, count = lose[1] % len(records), lose[2]
                lost = records[at:at + count]
                tail.append(e.event(e.OURS, 2, struct.pack(
                    '<IIQQQQ', cpu, 0, len(lost), len(lost), m.time_of(lost[0]),
                    m.time_of(lost[-1])), self.time + 1))
                parts = [records[:at], records[at + count:]]
            buffers += [(cpu, part, 0) for part in parts if part]
        buffers.append((0, tail + [e.anchor(self.time + 2, 3)], 0))
        return m.trace(buffers, cpus=self.cpus, size=0x10000)
