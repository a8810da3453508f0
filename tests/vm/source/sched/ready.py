#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the ready threads of an ETW stream with ftrace's of the same time.

ready.py DIRECTORY

Per CPU both must have the same sequence of switches and of ready threads: why, by
which, and whether by an interrupt or softirq, which ftrace prints of each of its events.
Exit status 1 with any difference.
"""
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import switches
from etwtest import ftrace
from etwtest import stream

Swap = namedtuple('Swap', 'prev next')
# reason: AdjustReason; dpc: by an interrupt; by: the CPU's current thread
Ready = namedtuple('Ready', 'tid reason dpc by')

REASONS = {'sched_waking': 1, 'sched_wakeup_new': 0}
# among ftrace's flags, whose number of columns is the kernel's; Z and z are of NMIs
INTERRUPTS, NMIS = set('hsH'), set('zZ')


def read_ftrace(path):
    """Per CPU, what both have."""
    logged = defaultdict(list)
    for m in ftrace.matches(path, switches.STACKED):
        if m['event'] == 'sched_switch':
            s = switches.SWITCH.match(m['rest'])
            logged[int(m['cpu'])].append(Swap(int(s['prev']), int(s['next'])))
        elif m['event'] in REASONS:
            stream.need(not NMIS & set(m['flags']), f'made ready in an NMI: {m["flags"]}')
            logged[int(m['cpu'])].append(
                Ready(int(switches.WAKEUP.match(m['rest'])['tid']), REASONS[m['event']],
                      bool(INTERRUPTS & set(m['flags'])), int(m['tid'])))
    return logged


def read_stream(etl):
    logged, current = defaultdict(list), {}
    for r in etl.records:
        if r.hook == 0x0524:
            new, old = struct.unpack_from('<II', r.payload)
            current[r.cpu] = new
            logged[r.cpu].append(Swap(old, new))
        elif r.hook == 0x0532:
            stream.need(r.version == 2 and r.kind == 0x11 and len(r.payload) == 8,
                        f'a ready thread of version {r.version}, kind {r.kind:#x}')
            tid, reason, increment, flags, reserved = struct.unpack('<IBbBB', r.payload)
            stream.need(flags in (0, 1) and not increment and not reserved,
                        f'a ready thread with {r.payload.hex()}')
            logged[r.cpu].append(Ready(tid, reason, flags == 1, current.get(r.cpu)))
    return logged


def align(truth, logged):
    """Where what etw wrote begins to be of the same threads, or None."""
    first, threads = [event[:2] for event in truth[:200]], [event[:2] for event in logged]
    return next((at for at in range(len(logged) - len(first) + 1)
                 if threads[at:at + len(first)] == first), None)


def main():
    directory = sys.argv[1]
    logged = read_stream(stream.load(f'{directory}/etw.etl'))
    kinds, bad = Counter(), 0
    for cpu, truth in sorted(read_ftrace(f'{directory}/ftrace.txt').items()):
        at = align(truth, logged[cpu])
        if at is None:
            print(f'difference: cpu {cpu}: nothing like ftrace\'s {truth[:3]}')
            bad += 1
            continue
        for k, event in enumerate(truth):
            have = logged[cpu][at + k] if at + k < len(logged[cpu]) else None
            if have != event:
                bad += 1
                if bad <= 20:
                    print(f'difference: cpu {cpu} {k}: ftrace {event}, etw {have}')
            elif isinstance(event, Ready):
                kinds[event.reason, event.dpc] += 1
    texts = {(1, False): 'by threads', (1, True): 'by interrupts', (0, False): 'new'}
    print(f'{kinds.total()} ready threads, {bad} differences: ' +
          ', '.join(f'{kinds[kind]} {text}' for kind, text in texts.items()))
    sys.exit(1 if bad or min(kinds[kind] for kind in texts) < 10 else 0)


if __name__ == '__main__':
    main()
