#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Stacks of a program without frame pointers, by unwind tables.

unwind.py tables PROGRAM DIRECTORY: the tables of the program: good, with other rows but the same
rules (split), with wrong rules (lies), large, and refused (bad).
unwind.py check DIRECTORY PROGRAM: what guest/unwind.sh left. A line per check.
"""
import itertools
import os
import sys

from etwtest import checks, unwind_table as u
import stack_trace as s

CALLERS = {'leaf': ('handler', 'raises'), 'waits': ('handler', 'raises'), 'handler': ('raises',),
           'raises': ('allocates',), 'allocates': ('link_8',), 'link_1': ('main',),
           **{f'link_{n}': (f'link_{n - 1}',) for n in range(2, 9)}}
COMPLETE = 1
LOAD_IMAGE = 0x030A
# Stacks of a program until the module's worker knows its mappings
FIRST = 5
# The kernel changes the program's registers one after the other in these.
CHANGING = {'do_notify_resume', 'restore_sigframe', '__arm64_sys_rt_sigreturn',
            'arch_do_signal_or_restart', '__do_sys_rt_sigreturn', '__x64_sys_rt_sigreturn'}
# The program's memory is given back in these.
ENDING = {'do_exit', 'do_group_exit'}


def make_tables(program, directory):
    rows = u.rows(program)
    ends = [r[0] for r in rows[1:]] + [rows[-1][0] + 4]
    split = [x for r, end in zip(rows, ends)
             for x in ([r] if end - r[0] < 8 else [r, (r[0] + 4, *r[1:])])]
    tables = {
        'good': rows,
        'split': split,
        'lies': [(r[0], r[1] if r[1] != u.SIGNAL else u.SP, r[2] + 8 * (i % 5 - 2), *r[3:])
                 for i, r in enumerate(rows)],
        'large': [(i, u.SP, 8 * (i % 2), -8, u.SPECIAL) for i in range(120000)],
        'bad': [rows[0], rows[2], rows[1]],
    }
    os.makedirs(directory, exist_ok=True)
    for name, table in tables.items():
        with open(f'{directory}/{name}', 'wb') as file:
            file.write(u.pack(table))


def is_in(of_kernel, kernel, functions):
    return any(kernel.find(f, i > 0) & functions for i, f in enumerate(of_kernel or ()))


class Session:
    """The program's stacks in one session, and its numbers.

    A stack may have the instruction pointer alone: of an interrupt in a context switch, or of a
    thread that ends. Those are not walked, so STATISTICS does not count their ends. While the
    kernel enters or leaves a signal handler, only some registers are those of the handler. Before
    main(), code that the linker made (.plt) has no rules, so early stacks may end there.
    """

    def __init__(self, directory, name, functions, kernel):
        trace = s.Trace(f'{directory}/{name}.etl', (s.SWAP, s.SAMPLE))
        with open(f'{directory}/programs', encoding='ascii') as file:
            tid = next(int(row.split()[1]) for row in file if row.startswith(name + ' '))
        self.whole, self.slept, self.short, self.changing, self.early = 0, 0, [], 0, 0
        for event, of_kernel, frames in trace.stacks()[0]:
            if event.tid == tid and frames:
                self.count(event, is_in(of_kernel, kernel, CHANGING),
                           [min(functions.find(f, i > 0), default=hex(f))
                            for i, f in enumerate(frames)])
        with open(f'{directory}/{name}.stats', encoding='ascii') as file:
            row = next(x for x in file if x.startswith('all '))
        self.numbers = {k: int(v) for k, v in (w.split('=') for w in row.split()[1:])}
        self.incomplete = sum(self.numbers[f'unwind_end{i}'] for i in range(COMPLETE + 1, 6))

    def is_whole(self):
        return self.slept > 20 and self.whole > self.slept and \
            self.incomplete <= self.changing + self.early and self.changing < self.slept and \
            all(len(names) == 1 for names in self.short)

    def count(self, event, changing, names):
        """The program waits in main() until its mappings are known; what is before may be short."""
        known = [n for n in names if n in CALLERS or n == 'main']
        good = all(b in CALLERS.get(a, ()) for a, b in zip(known, known[1:]))
        # arm64's C library has frame records, and main() has the one of its caller
        if known == ['main'] and names[-1] == '_start':
            return
        if good and known and known[-1] == 'main' and names[-1] == '_start':
            self.whole += 1
            self.slept += event.hook == s.SWAP and 'waits' in known
        elif changing:
            self.changing += 1
        elif known and known[0] in CALLERS or self.whole:
            self.short.append(names)
        else:
            self.early += names[-1] != '_start'


def first_stacks(directory, functions, kernel):
    """Of the program that etw record starts: whether each switch has a stack to _start, by time.

    It begins with the load of its image. Stacks of samples may have one frame: see Session.
    """
    with open(f'{directory}/programs', encoding='ascii') as file:
        tid = next(int(row.split()[1]) for row in file if row.startswith('fresh '))
    trace = s.Trace(f'{directory}/fresh.etl', (s.SWAP, s.SAMPLE))
    begin = min(r.time for r in trace.stream.records
                if r.hook == LOAD_IMAGE and '/fresh'.encode('utf-16-le') in r.payload)
    stacks = sorted((event.time, frames) for event, of_kernel, frames in trace.stacks()[0]
                    if event.tid == tid and event.hook == s.SWAP and event.time > begin and
                    frames and not is_in(of_kernel, kernel, CHANGING | ENDING))
    return ['_start' in functions.find(frames[-1], True) for _, frames in stacks]


def vdso_stacks(directory, functions):
    """Of samples in the vDSO: the place in it, and the names of the functions below it."""
    with open(f'{directory}/vdso.says', encoding='ascii') as file:
        start, end = (int(x, 16) for x in file.read().split()[0].split('-'))
    with open(f'{directory}/programs', encoding='ascii') as file:
        tid = next(int(row.split()[1]) for row in file if row.startswith('vdso '))
    trace = s.Trace(f'{directory}/vdso.etl', (s.SAMPLE,))
    stacks = []
    for event, of_kernel, frames in trace.stacks()[0]:
        if event.tid == tid and not of_kernel and frames and start <= frames[0] < end:
            below = itertools.dropwhile(lambda f: start <= f < end, frames)
            stacks.append([hex(frames[0] - start)] +
                          [min(functions.find(f, True), default=hex(f)) for f in below])
    return stacks


def check(directory, program):
    functions, _ = s.program(program)
    kernel = s.kernel(f'{directory}/kallsyms')
    got = {name: Session(directory, name, functions, kernel)
           for name in ('without', 'good', 'lies', 'replaced', 'recorded')}
    with open(f'{directory}/refused', encoding='ascii') as file:
        refused = {words[0]: words[1:] for words in map(str.split, file)}
    of = got['without']
    checks.check(not of.whole and len(of.short) > 20, 'without a table, no stack is whole',
                 f'{len(of.short)} short')
    for name, what in (('good', 'by a table'), ('replaced', 'while tables are replaced'),
                       ('recorded', 'by the tables of etw record')):
        of = got[name]
        checks.check(of.is_whole(),
                     f'{what}, each stack is the chain of calls, from the leaf to _start',
                     f'{of.whole} whole, {of.slept} of switches; {of.incomplete} incomplete, '
                     f'{of.changing} while registers change, {of.early} early; '
                     f'{len(of.short)} others {sorted(of.short, key=len)[-2:]}')
    of = got['good'].numbers
    checks.check(of[f'unwind_end{COMPLETE}'] and of['unwind_frames'] > 200 and
                 of['unwind_tables'] == 1 and 0 < of['unwind_bytes'] < 200000,
                 'STATISTICS counts tables, frames and ends', of)
    of = got['lies']
    checks.check(of.short, 'stacks by a wrong table are wrong, and nothing else',
                 f'{len(of.short)} short, {of.whole} whole')
    of = got['recorded'].numbers
    checks.check(of['unwind_tables'] >= 2 and not of['unwind_given_back'],
                 'etw record hands over the tables of the programs that run', of)
    whole = first_stacks(directory, functions, kernel)
    checks.check(len(whole) > 50 and whole.count(False) <= FIRST and all(whole[FIRST:]),
                 'a command has whole stacks from its start on',
                 f'{len(whole)} switches; not whole: {[i for i, x in enumerate(whole) if not x]}')
    stacks = vdso_stacks(directory, s.program(os.path.dirname(program) + '/asks_time')[0])
    short = [x for x in stacks if not ('ask' in x and x[-1] == '_start')]
    checks.check(len(stacks) > 50 and not short,
                 'by the table of the vDSO, each stack from there leads to _start',
                 f'{len(stacks)} stacks, {len(short)} others: {short[:3]}')
    checks.check(int(refused['replaced'][0]) >= 2, 'a table is replaced while it is used',
                 f"{refused['replaced'][0]} times")
    checks.check(refused['fits'] == ['1', '1'], 'the table that was used least is given back',
                 refused['fits'])
    checks.check(refused['none'] == ['ENOSPC', 'row', '0'],
                 "a table greater than the session's memory is refused", refused['none'])
    checks.check(refused['bad'] == ['EINVAL', 'row', '3'], 'the refused row is reported',
                 refused['bad'])
    checks.check(refused['folder'] == ['EINVAL', 'row', '0'], 'a folder has no table',
                 refused['folder'])


if sys.argv[1] == 'tables':
    make_tables(*sys.argv[2:])
else:
    check(*sys.argv[2:])
