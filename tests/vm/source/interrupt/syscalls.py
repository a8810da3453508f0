#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the system calls of an ETW stream with ftrace's of the same time.

syscalls.py DIRECTORY

Per thread, as the context switches of the stream say it, both must have the same sequence
of entries and exits; and per CPU, where the kernel runs their probes with preemption off: from
6.13 on a thread may be preempted between the two. All entries of one
number have one function, another one for each number; what both call a file's
read, write, open and so on has that name; where the kernel doesn't show its table
(no CONFIG_KALLSYMS_ALL), all have the number's place instead. An exit has ftrace's result: 0, or the
errno. What one thread called is what ptrace saw of it, call by call: another way than the
tracepoints, which both others take.
Where a program of 32 bits ran (compat.etl), its exit is there, and every call is of
an image. Exit status 1 with any difference.
"""
import os
import re
import struct
import sys
from collections import Counter, defaultdict

from etwtest import ftrace
from etwtest import stream

LINE = re.compile(r'^\s*.+-(?P<tid>\d+)\s+\[(?P<cpu>\d+)\]\s+\S+\s+[\d.]+: '
                  r'sys_(?P<phase>enter|exit): NR (?P<number>-?\d+) (?P<rest>.*)$')
# {number: name} of the calls that the workload is sure to make
BASE, BASE_32 = 0xFFFFFFFFFFE00000, 0xFFFFFFFFFFE10000
EXIT_32 = 1
NUMBERS = {
    'x64': {0: 'read', 1: 'write', 3: 'close', 62: 'kill', 231: 'exit_group', 59: 'execve',
            257: 'openat'},
    'arm64': {63: 'read', 64: 'write', 57: 'close', 129: 'kill', 94: 'exit_group', 221: 'execve',
              56: 'openat'},
}


def read_ftrace(path):
    """{('thread' or 'cpu', number): [(call, result)]}, and how many in all."""
    events, lines = defaultdict(list), 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        number = int(m['number'])
        result = int(m['rest'].lstrip('= ')) if m['phase'] == 'exit' else None
        for key in ('thread', int(m['tid'])), ('cpu', int(m['cpu'])):
            events[key].append((number, result))
    return events, lines


def records_of(etl):
    """Likewise. The switches say of which thread: these records have none of their own"""
    running, records = {}, defaultdict(list)
    for r in sorted(etl.records, key=lambda r: r.time):
        if r.hook == 0x0524:
            running[r.cpu] = struct.unpack_from('<I', r.payload)[0]
        elif r.hook in (0x0F33, 0x0F34):
            stream.need(r.version == 2 and r.kind == 0x11, f'{r.hook:#x}: version {r.version}')
            form = '<Q' if r.hook == 0x0F33 else '<I'
            stream.need(len(r.payload) == struct.calcsize(form), f'{r.hook:#x}: length')
            for key in ('thread', running.get(r.cpu)), ('cpu', r.cpu):
                records[key].append((r.hook, struct.unpack(form, r.payload)[0]))
    return records


def is_pinned(path):
    """Whether this kernel's probes of calls run with preemption off."""
    with open(path, encoding='utf-8') as file:
        return tuple(map(int, file.read().split('.')[:2])) < (6, 13)


def same(event, record, functions):
    number, result = event
    hook, value = record
    if result is None:
        return hook == 0x0F33 and functions.setdefault(number, value) == value
    return hook == 0x0F34 and value == (result & 0xFFFFFFFF if -4096 < result < 0 else 0)


def align(truth, records, functions):
    """Where in the records the truth begins: the first place where 200 agree."""
    n = min(200, len(truth))
    for at in range(len(records) - n + 1):
        known = dict(functions)
        if all(same(truth[k], records[at + k], known) for k in range(n)):
            return at
    return None


def read_ptrace(path):
    """The thread, and its calls: (number, None) and (number, result)"""
    with open(path, encoding='utf-8') as file:
        tid, events = int(file.readline()), []
        for number, result in map(str.split, file):
            events.append((int(number), None))
            if result != '-':
                events.append((int(number), int(result)))
    return tid, events


def compare_ptrace(directory, records, functions):
    """From where ptrace began to look on to the thread's end. Return: differences"""
    tid, events = read_ptrace(f'{directory}/ptrace.txt')
    records = records['thread', tid][-len(events):]
    if len(events) < 900 or len(records) < len(events):
        print(f'difference: ptrace saw {len(events)} events of {tid}, etw {len(records)}')
        return 1
    bad = [(event, record) for event, record in zip(events, records)
           if not same(event, record, functions)]
    for event, record in bad[:20]:
        print(f'difference: ptrace saw {event}, etw {record}')
    calls = Counter(number for number, result in events if result is None)
    logged = Counter(value for hook, value in records if hook == 0x0F33)
    for number, times in calls.items():
        if logged[functions.get(number)] != times:
            print(f'difference: call {number}: {times} by ptrace, {logged[functions.get(number)]}')
            bad.append(number)
    print(f'ptrace: {len(events)} events of {len(calls)} calls, {len(bad)} differences')
    return len(bad)


def compare_compat(path):
    """Differences: a call's address that no image has, at the start or the end."""
    if not os.path.exists(path):
        return 0
    etl = stream.load(path)
    calls = {struct.unpack('<Q', r.payload)[0] for r in etl.of(0x0F33)}
    bad = BASE_32 + 16 * EXIT_32 not in calls
    if bad:
        print('difference: no exit of a program of 32 bits')
    for hook in (0x1403, 0x1404):
        images = [struct.unpack_from('<QQ', r.payload) for r in etl.of(hook)]
        lost = [call for call in calls
                if not any(base <= call < base + size for base, size in images)]
        if lost:
            print(f'difference: {hook:04X}: no image of {[hex(call) for call in lost]}')
            bad = True
    print(f'{len(calls)} calls beside a program of 32 bits')
    return int(bad)


def main():
    directory = sys.argv[1]
    truth, lines = read_ftrace(f'{directory}/ftrace.txt')
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    with open(f'{directory}/symbols.txt', encoding='utf-8') as file:
        symbols = {int(address, 16): name for address, name in map(str.split, file)}
    records, functions, bad, done = records_of(etl), {}, 0, Counter()
    if not is_pinned(f'{directory}/release.txt'):
        truth = {key: events for key, events in truth.items() if key[0] == 'thread'}
    # the longest first: a few calls are distinguished by their functions
    for key, events in sorted(truth.items(), key=lambda item: -len(item[1])):
        at = align(events, records[key], functions)
        if at is None:
            print(f'difference: {key}: nothing like ftrace\'s {len(events)} events: {events[:4]}')
            bad += 1
            continue
        done[key[0]] += 1
        for k, event in enumerate(events):
            record = records[key][at + k] if at + k < len(records[key]) else (None, None)
            done['compared'] += key[0] == 'thread'
            done['failed'] += key[0] == 'thread' and event[1] is not None and event[1] < 0
            if not same(event, record, functions):
                bad += 1
                if bad <= 20:
                    print(f'difference: {key}: {event} is {record}')
    machine = 'arm64' if '__arm64_sys_read' in symbols.values() else 'x64'
    if functions.get(0) == BASE or functions.get(63) == BASE + 16 * 63:
        symbols = {BASE + 16 * number: f'__{machine}_sys_{NUMBERS[machine].get(number, number)}'
                   for number in functions}
        print('the kernel does not tell its table')
    for number, name in NUMBERS[machine].items():
        if symbols.get(functions.get(number)) != f'__{machine}_sys_{name}':
            print(f'difference: {name} is {symbols.get(functions.get(number))}')
            bad += 1
    if any(value not in symbols for number, value in functions.items() if number >= 0):
        print('difference: a function that has no name')
        bad += 1
    if len(set(functions.values())) != len(functions):
        print('difference: two calls of one function')
        bad += 1
    bad += compare_ptrace(directory, records, functions)
    bad += compare_compat(f'{directory}/compat.etl')
    print(f'{done["compared"]} of ftrace of {done["thread"]} threads and in the order of '
          f'{done["cpu"]} CPUs, {len(functions)} calls, {done["failed"]} failed, {bad} differences')
    sys.exit(1 if bad or done['compared'] < 5000 or done['failed'] < 6 or len(functions) < 20
             else 0)


if __name__ == '__main__':
    main()
