# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Random schedules with counters, written as traces, with their own accounting."""
import collections
import random
import struct

from etwtest import etlfile as e

MASK = (1 << 64) - 1
STOPPER = 15
TICK = 1000000000 // e.FREQ
LOST, BUFFER_LOST = 2, 4


def swap(new, old, time, values=None, pebs=None, priority=8):
    """A context swap with counters, or (None) without them."""
    items = b'' if pebs is None else struct.pack('<Q', pebs & MASK)
    items += b''.join(struct.pack('<Q', v & MASK) for v in values or [])
    version = 4 | len(values or []) << 8 | (0x8000 if pebs is not None else 0)
    return e.cswitch(new, old, time, version, items, priority)


def names(texts, time=e.T0 + 2):
    payload = struct.pack('<I', len(texts)) + b''.join(e.wide(x) for x in texts)
    return e.system(0x0F30, 2, payload, time)


def interval(hook, source, new, old, time, name=''):
    fixed = struct.pack('<III', source, new, old)
    if hook == 0x0F48:
        return e.system(hook, 2, fixed, time)
    return e.system(hook, 3, fixed + e.wide(name), time)


def sample(tid, time, count=1, ip=0x401000):
    return e.perfinfo(0x0F2E, 2, struct.pack('<QIHBB', ip, tid, count, 0x40, 0), time)


def pmc_sample(tid, source, time, ip=0x401000):
    return e.perfinfo(0x0F2F, 2, struct.pack('<QIHH', ip, tid, source, 0), time)


def rundown(threads, time=e.T0 + 1):
    """Threads as {tid: pid}; a process is named after its number."""
    records = [e.anchor(time, 0), e.process(0x0303, 0, 'Idle', time, sid=False),
               e.thread(0x0503, 0, 0, None, time)]
    for pid in sorted(set(threads.values()) - {0}):
        records.append(e.process(0x0303, pid, 'program%d' % pid, time))
    for tid, pid in sorted(threads.items()):
        if tid:
            records.append(e.thread(0x0503, pid, tid, 'thread%d' % tid, time))
    return records


def trace(buffers, cpus=2, **values):
    """buffers: (cpu, records, flags), in the order of the stream."""
    content, time = [], e.T0 + 1
    size = values.pop('size', 0x4000)
    for i, (cpu, records, flags) in enumerate(buffers):
        for record in records:
            time = max(time, time_of(record))
        last = i + 1 == len(buffers)
        content.append(e.buffer(records, cpu=cpu, sequence=i + 1, time=time,
                                flags=0x21 if last else 0x20 | flags, size=size))
    end = values.pop('end', e.START + 10**12)
    return e.header_buffer(end=end, written=len(buffers) + 1, cpus=cpus, size=size,
                           **values) + b''.join(content)


def time_of(record):
    at = 8 if record[2] == 0x11 else 0x10
    return struct.unpack_from('<Q', record, at)[0]


class Truth:
    """What a reader has to find: numbers by thread and processor, and those of no thread."""

    def __init__(self, columns):
        self.columns = columns
        self.threads = collections.defaultdict(lambda: [0] * (columns + 2))
        self.nobody = collections.defaultdict(lambda: [0] * (columns + 2))
        self.cpus = collections.defaultdict(lambda: [0] * (columns + 2))

    def add(self, cpu, tid, why, ticks, deltas):
        numbers = [ticks * TICK, 1] + list(deltas)
        for cells, key in ((self.nobody, (why, cpu)) if why else (self.threads, (tid, cpu)),
                           (self.cpus, cpu)):
            for i, value in enumerate(numbers):
                cells[key][i] += value


class Processor:
    """Runs threads at random and keeps the books."""

    def __init__(self, chance, cpu, truth, threads, counters, pebs):
        self.chance, self.cpu, self.truth, self.threads = chance, cpu, truth, threads
        self.counters, self.pebs = counters, pebs
        # some begin close to the end of 64 bits
        self.value = [chance.choice((chance.randrange(1 << 40), MASK - chance.randrange(1 << 30)))
                      for _ in range(counters + pebs)]
        self.logged = None
        self.time = e.T0 + 10 + cpu
        self.running = chance.choice(threads)
        self.buffers = [[]]
        self.begun = False
        self.ends_counted = False
        self.why = None

    def run(self):
        """A while of the thread that runs."""
        self.time += self.chance.randrange(1, 100000)
        for i in range(len(self.value)):
            self.value[i] += self.chance.choice((0, 1, self.chance.randrange(1 << 34)))
        if self.chance.random() < 0.2:
            self.buffers[-1].append(e.perfinfo(
                0x0532, 2 | self.counters << 8, struct.pack('<IbbbB', 5, 1, 0, 0, 0), self.time,
                b''.join(struct.pack('<Q', v & MASK) for v in self.value[:self.counters])))

    def switch(self, new=None, counted=True, priority=8, old=None):
        """The next switch; what was since the last one is a thread's, or no thread's."""
        old = self.running if old is None else old
        new = self.chance.choice([t for t in self.threads if t != old]) if new is None else new
        if self.begun:
            why = self.why or (None if counted and self.ends_counted else 'uncounted')
            deltas = [0] * len(self.value)
            if counted and self.logged:
                deltas = [a - b for a, b in zip(self.value, self.logged)]
            self.truth.add(self.cpu, old, why, self.time - self.begun, deltas)
        if counted:
            self.logged = list(self.value)
        values = self.value[:self.counters] if counted else []
        pebs = self.value[self.counters] if self.pebs and counted else None
        self.buffers[-1].append(swap(new, old, self.time, values, pebs, priority))
        self.begun, self.ends_counted, self.why = self.time, counted, None
        self.running = new

    def next_buffer(self):
        self.buffers.append([])

    def lose(self):
        """Switches that nothing is written of, between two buffers. Return: first and last"""
        self.next_buffer()
        self.run()
        first = self.time
        for _ in range(self.chance.randrange(3)):
            self.run()
        self.buffers[-1] = []
        last = self.time
        self.running = self.chance.choice(self.threads)
        self.why = 'lost'
        return first, last

    def go_down(self):
        self.switch(new=STOPPER, priority=30)
        self.run()
        self.buffers[-1] = [r for r in self.buffers[-1] if time_of(r) <= self.begun]
        self.running = 0
        self.why = 'offline'


class Schedule:
    def __init__(self, seed, losses='none', steps=60):
        chance = random.Random(seed)
        self.counters = chance.randrange(8)
        self.pebs = not self.counters or chance.random() < 0.4
        self.pids = {0: 0, STOPPER: 4, 100: 100, 101: 100, 102: 100, 200: 200, 300: 300}
        threads = [t for t in self.pids if t != STOPPER]
        self.truth = Truth(self.counters + self.pebs)
        self.buffers, losses_logged = [], []
        self.nr_cpus = chance.randrange(1, 4)
        for cpu in range(self.nr_cpus):
            processor = Processor(chance, cpu, self.truth, threads, self.counters, self.pebs)
            flagged = self.play(chance, processor, losses, steps, losses_logged)
            for i, records in enumerate(processor.buffers):
                self.buffers.append((cpu, records, flagged.get(i, 0)))
        self.buffers.insert(0, (0, rundown(self.pids), 0))
        tail = [e.event(e.OURS, 2, struct.pack('<IIQQQQ', cpu, 0, 3, 3, first, last), self.end())
                for cpu, first, last in losses_logged]
        self.buffers.append((0, tail + [e.anchor(self.end(), 3)], 0))

    def end(self):
        return max(time_of(r) for _, records, _ in self.buffers for r in records) + 1

    def play(self, chance, processor, losses, steps, logged):
        """Return: flags of the processor's buffers"""
        flagged, lost = {}, False
        for step in range(steps):
            processor.run()
            processor.switch(counted=chance.random() < 0.9)
            if step % 20 == 19:
                processor.next_buffer()
            if step in (25, 30) and chance.random() < 0.5:
                processor.go_down()
                processor.run()
                processor.switch(old=0)
            if losses != 'none' and step >= steps // 2 and not lost:
                lost = True
                first, last = processor.lose()
                if losses == 'logged':
                    logged.append((processor.cpu, first, last))
                else:
                    flagged[len(processor.buffers) - 1] = chance.choice((LOST, BUFFER_LOST))
                    processor.run()
                    processor.switch()
                    # the flag does not say on which side of the buffer it was
                    processor.next_buffer()
                    processor.why = 'lost'
        processor.run()
        processor.switch()
        return flagged

    def bytes(self):
        return trace(self.buffers, cpus=self.nr_cpus)
