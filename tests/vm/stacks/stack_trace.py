# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Stacks of a stream, with the events that they name; names of addresses by nm and kallsyms."""
import bisect
import collections
import struct
import subprocess

from etwtest import stream

SWAP, SAMPLE, ZERO_FAULT, SYSCALL, POOL = 0x0524, 0x0F2E, 0x020B, 0x0F33, 0x0E20
STACK, CREATE, DELETE, RUNDOWN, KEY_KERNEL, KEY_USER = \
    0x1820, 0x1822, 0x1823, 0x1824, 0x1825, 0x1826
KERNEL = 1 << 63
# ETW_MINIMUM_CACHED_STACK_LENGTH: shorter parts are written whole
CACHED = 4

# One half of a stack; at is its place among the records of its processor
Part = collections.namedtuple('Part', 'at cpu time pid tid frames key kernel size')
Event = collections.namedtuple('Event', 'at cpu time hook tid payload')


class Names:
    """Functions by address."""

    def __init__(self, rows):
        self.rows = sorted(rows)
        self.starts = [r[0] for r in self.rows]
        self.by_name = collections.defaultdict(list)
        for address, _, name in self.rows:
            self.by_name[name].append(address)

    def find(self, address, caller=False):
        """All names of the function at address; what a call returns to is behind the call."""
        i = bisect.bisect_right(self.starts, address - caller) - 1
        if i < 0 or (self.rows[i][1] and address - caller >= self.rows[i][0] + self.rows[i][1]):
            return set()
        start = self.starts[i]
        return {r[2] for r in self.rows[bisect.bisect_left(self.starts, start):i + 1]}


def keyed_at_least(parts):
    """Parts that have keys when all goes well: from the second time that a part is seen."""
    seen = collections.Counter(p.frames for p in parts if len(p.frames) >= CACHED)
    return sum(n - 1 for n in seen.values())


def program(path):
    """Functions of a program, and its labels."""
    text = subprocess.run(['nm', '-S', path], check=True, stdout=subprocess.PIPE).stdout.decode()
    functions, labels = [], {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in 'tTwW':
            functions.append((int(words[0], 16), int(words[1], 16), words[3]))
        elif len(words) == 3 and words[1] in 'tT':
            labels[words[2]] = int(words[0], 16)
    return Names(functions), labels


def kernel(path):
    rows, module = [], []
    with open(path, encoding='ascii') as file:
        for line in file:
            words = line.split()
            if words[1] in 'tTwW' and words[2][0] not in '$.':
                rows.append((int(words[0], 16), 0, words[2]))
                if len(words) > 3 and words[3] == '[etw]':
                    module.append(int(words[0], 16))
    names = Names(rows)
    names.module = (min(module), max(module) + 0x1000)
    return names


class Trace:
    """A stream's events and stacks."""

    def __init__(self, path, hooks=(SWAP, SAMPLE, ZERO_FAULT)):
        self.path = path
        self.stream = stream.load(path)
        self.hooks = hooks
        self.cpus = collections.defaultdict(list)
        for r in self.stream.records:
            self.cpus[r.cpu].append(r)
        self.events = {}		# (cpu, at)
        self.parts = []
        self.definitions = collections.defaultdict(list)	# key: (time, hook, frames, size)
        self.user = {}			# thread: process, of programs
        self.born = {}
        self.unresolved = 0
        for cpu, records in self.cpus.items():
            for at, r in enumerate(records):
                self.take(cpu, at, r)
        for of_key in self.definitions.values():
            of_key.sort(key=lambda d: d[0])
        self.parts = [self.resolve(p) for p in self.parts]
        self.parts_at = collections.defaultdict(list)
        for p in self.parts:
            self.parts_at[p.cpu, p.time].append(p)

    def take(self, cpu, at, r):
        n = len(r.payload)
        if r.hook in (0x0501, 0x0503, 0x0504):
            pid, tid = struct.unpack_from('<II', r.payload)
            if pid not in (0, 4):
                self.user[tid] = pid
            if r.hook == 0x0501:
                self.born[tid] = r.time
        elif r.hook == STACK:
            time, pid, tid = struct.unpack_from('<QII', r.payload)
            frames = struct.unpack_from(f'<{(n - 16) // 8}Q', r.payload, 16)
            stream.need(n % 8 == 0 and frames, f'a stack of {n} bytes')
            self.parts.append(Part(at, cpu, time, pid, tid, frames, None, frames[0] >= KERNEL,
                                   n + 16))
        elif r.hook in (KEY_KERNEL, KEY_USER):
            stream.need(n == 24, f'a stack by key of {n} bytes')
            time, pid, tid, key = struct.unpack('<QIIQ', r.payload)
            self.parts.append(Part(at, cpu, time, pid, tid, (), key, r.hook == KEY_KERNEL, 40))
        elif r.hook in (CREATE, DELETE, RUNDOWN):
            stream.need(n % 8 == 0 and n >= 16, f'a key of {n} bytes')
            key, *frames = struct.unpack_from(f'<{n // 8}Q', r.payload)
            self.definitions[key].append((r.time, r.hook, tuple(frames), n + 16))
        if r.hook in self.hooks:
            self.events[cpu, at] = Event(at, cpu, r.time, r.hook, self.thread_of(r), r.payload)

    @staticmethod
    def thread_of(r):
        if r.hook == SWAP:
            return struct.unpack_from('<I', r.payload)[0]
        if r.hook == SAMPLE:
            return struct.unpack_from('<I', r.payload, 8)[0]
        return r.tid

    def resolve(self, part):
        """The frames of a key: as in TraceEvent, those defined next, when it goes or at the end."""
        if part.key is None:
            return part
        for time, hook, frames, _ in self.definitions.get(part.key, ()):
            if hook != CREATE and time >= part.time:
                return part._replace(frames=frames)
        self.unresolved += 1
        return part

    def event_of(self, part):
        """The event that the part names: of its processor, before it, not of another thread."""
        for at in range(part.at - 1, -1, -1):
            event = self.events.get((part.cpu, at))
            if event and event.time == part.time and event.tid in (None, part.tid):
                return event
            if self.cpus[part.cpu][at].time < part.time:
                return None
        return None

    def stacks(self):
        """Of each event in order of time: (event, kernel frames or None, user frames or None)"""
        found = {k: [None, None] for k in self.events}
        strays, doubles = [], []
        for p in self.parts:
            event = self.event_of(p)
            if not event:
                strays.append(p)
                continue
            slot = found[event.cpu, event.at]
            if slot[not p.kernel] is not None:
                doubles.append(p)
            slot[not p.kernel] = p
        rows = [(self.events[k], *[p and p.frames for p in v]) for k, v in found.items()]
        rows.sort(key=lambda row: row[0].time)
        return rows, strays, doubles

    def running(self):
        """(cpu, at) of events without a thread: the thread that ran there, by context swaps."""
        who = {}
        for cpu, records in self.cpus.items():
            now = None
            for at, r in enumerate(records):
                if r.hook == SWAP:
                    now = struct.unpack_from('<I', r.payload)[0]
                if (cpu, at) in self.events:
                    who[cpu, at] = now
        return who
