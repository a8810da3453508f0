#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sessions that want some processes, or some of their events, against one that wants all.

compare_sources.py DIRECTORY

Of a session without a filter, what belongs to the chosen processes is, on each CPU, in
order, with the same payloads, what the filtered sessions have: no more, no less. Whose
an event is is worked out here: from its header, its payload, or from who was running.
DIRECTORY is what filters_sources.sh leaves. Exit status 1 with any difference.
"""
import os
import struct
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'truth'))
import stream  # noqa: E402  pylint: disable=wrong-import-position

SWITCH = 0x0524
BY_HEADER = {0x020A, 0x020B, 0x020C, 0x020E, 0x020F}
BY_THREAD = {0x0530: 0, 0x0531: 0, 0x0534: 0, 0x0220: 32}
BY_PROCESS = {0x0262: 16, 0x0263: 16, 0x030A: 16, 0x1402: 16, 0x0320: 0}
BY_PROCESS.update((hook, 0) for group, lows in ((0x0600, range(0x0A, 0x21)),
                                                (0x0800, (0x0A, 0x0B, 0x1A, 0x1B)))
                  for hook in (group + low for low in lows) if hook != 0x0611)
BY_RUNNING = {0x0F33, 0x0F34}
# the payload doesn't say whose it is, nor does the header
UNKNOWN = {0x0611}
SOURCES = BY_HEADER | set(BY_THREAD) | set(BY_PROCESS) | BY_RUNNING
KINDS = {'system calls': BY_RUNNING, 'page faults': BY_HEADER, 'priorities': {0x0531, 0x0534},
         'virtual memory': {0x0262, 0x0263}, 'images': {0x030A, 0x1402},
         'network': {0x060A, 0x060B, 0x080A, 0x081A}, 'process counters': {0x0320}}


def load(directory, name):
    etl = stream.load(f'{directory}/{name}.etl')
    if etl.losses() or etl.events_lost:
        sys.exit(f'{name}: events were lost')
    # a CPU's records in the order in which they were written
    cpus = defaultdict(list)
    for buffer in etl.buffers[1:]:
        cpus[buffer.cpu].extend(stream.records(buffer))
    return etl, cpus


def comparable(record):
    """What has no key and no stamp of the session's own."""
    if record.hook == 0x0220:
        return record.hook, record.payload[8:24] + record.payload[32:]
    return record.hook, bytes(record.payload)


class Owners:
    """Whose threads they are, of the session that knows."""

    def __init__(self, etl):
        self.process = {}
        for hook in (0x0503, 0x0501, 0x0504):
            for r in etl.of(hook):
                process, thread = struct.unpack_from('<II', r.payload)
                self.process[thread] = process

    def of(self, record, running):
        hook = record.hook
        if hook in BY_HEADER:
            return record.pid
        if hook in BY_PROCESS:
            return struct.unpack_from('<I', record.payload, BY_PROCESS[hook])[0]
        thread = running
        if hook in BY_THREAD:
            thread, = struct.unpack_from('<I', record.payload, BY_THREAD[hook])
        return self.process.get(thread)


def expected(cpus, owners, chosen):
    """({cpu: events of the chosen}, number of events of others by hook)"""
    want, others = {}, Counter()
    for cpu, records in cpus.items():
        want[cpu], running = [], None
        for r in records:
            if r.hook == SWITCH:
                running, = struct.unpack_from('<I', r.payload)
            elif r.hook in SOURCES:
                if owners.of(r, running) in chosen:
                    want[cpu].append(comparable(r))
                else:
                    others[r.hook] += 1
    return want, others


def compare(name, want, have):
    """How many differences; the first one of each CPU is shown."""
    bad = 0
    for cpu in sorted(set(want) | set(have)):
        a, b = want.get(cpu, []), have.get(cpu, [])
        for i in range(max(len(a), len(b))):
            one, other = a[i:i + 1], b[i:i + 1]
            if one != other:
                bad += 1
                show = [f'{e[0][0]:04x} {e[0][1].hex()}' if e else 'nothing' for e in (one, other)]
                print(f'  {name}: cpu {cpu}, event {i} of {len(a)}: {show[0]} expected, '
                      f'{show[1]} recorded')
                break
    return bad


def main():
    directory = sys.argv[1]
    with open(f'{directory}/pids.txt', encoding='utf-8') as file:
        chosen = set(map(int, file.read().split()))
    with open(f'{directory}/hooks.txt', encoding='utf-8') as file:
        hooks = {int(word, 16) for word in file.read().strip().split(',')}
    etl, cpus = load(directory, 'all')
    want, others = expected(cpus, Owners(etl), chosen)
    failed = False
    for name, wanted in (('pids', SOURCES), ('hooks', hooks)):
        have = {cpu: [comparable(r) for r in records if r.hook in SOURCES]
                for cpu, records in load(directory, name)[1].items()}
        some = {cpu: [e for e in events if e[0] in wanted] for cpu, events in want.items()}
        bad = compare(name, some, have)
        kinds = Counter(hook for events in have.values() for hook, _ in events)
        # of each source there is something to keep, and something to leave out
        for kind, members in KINDS.items():
            if not sum(kinds[h] for h in members & wanted) or not sum(others[h] for h in members):
                bad += 1
                print(f'  {name}: no {kind} of the chosen, or of others')
        failed |= bool(bad)
        every = sum(map(len, want.values())) + sum(others.values())
        print(f'{"not ok" if bad else "ok"} - {name}: {sum(kinds.values())} events of '
              f'{len(chosen)} processes, out of {every}')
    sys.exit(failed)


if __name__ == '__main__':
    main()
