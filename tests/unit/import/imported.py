# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""An imported trace, read without code of the tool: switches, wakeups, samples, stacks."""
import json
import struct

from etwtest import etlread
from etwtest import harness as h

SWITCH, READY, SAMPLE, COUNTER, STACK = 0x0524, 0x0532, 0x0F2E, 0x0F2F, 0x1820
PERFINFO, EVENT = 0x11, 0x13


class Trace:
    """What a file contains: each list has tuples, the time first."""

    def __init__(self, content):
        self.hooks, self.events, self.stacks = [], [], {}
        for head, body in etlread.buffers(content):
            cpu = struct.unpack_from('<H', head, 0x28)[0]
            for record in etlread.records(body):
                self.add(cpu, record)

    def add(self, cpu, record):
        if etlread.is_hooked(record):
            fixed = 0x10 if record[2] == PERFINFO else 0x20
            hook, time = (struct.unpack_from('<H', record, 6)[0],
                          struct.unpack_from('<Q', record, fixed - 8 if fixed == 0x10 else 0x10)[0])
            payload = record[fixed:]
            if hook == STACK:
                time, _, tid = struct.unpack_from('<QII', payload)
                frames = struct.unpack('<%dQ' % (len(payload) // 8 - 2), payload[16:])
                self.stacks.setdefault((time, tid), []).extend(frames)
            else:
                self.hooks.append((hook, time, cpu, payload))
        elif record[2] == EVENT:
            self.events.append((struct.unpack_from('<Q', record, 0x10)[0], cpu, record))

    def of(self, hook):
        return [x[1:] for x in self.hooks if x[0] == hook]

    def switches(self):
        """(time, cpu, old thread, new thread, its state)"""
        return [(time, cpu, *struct.unpack_from('<II', p)[::-1], p[14])
                for time, cpu, p in self.of(SWITCH)]

    def wakeups(self):
        return [x[:3] for x in self.ready()]

    def ready(self):
        """(time, cpu, thread, whether it waited before)"""
        return [(time, cpu, *struct.unpack_from('<I?', p)) for time, cpu, p in self.of(READY)]

    def samples(self, hook=SAMPLE):
        """(time, cpu, thread, address, stack)"""
        result = []
        for time, cpu, payload in self.of(hook):
            address, tid = struct.unpack_from('<QI', payload)
            result.append((time, cpu, tid, address, tuple(self.stacks.get((time, tid), ()))))
        return result


def times():
    """Microseconds of 'etw stat out.etl cpu': {thread: running}; lost, filtered out by CPU"""
    text = h.run(h.SANE, 'stat', '--json', h.path('out.etl'), 'cpu')
    report, _ = json.JSONDecoder().raw_decode(text, text.index('{'))
    running = {}
    for row in report['rows']:
        if row['tid']:
            running[row['tid']] = running.get(row['tid'], 0) + row['running ns'] // 1000
    return (running, *([x[column] // 1000 for x in report['cpus']]
                       for column in ('lost ns', 'filtered out ns')))
