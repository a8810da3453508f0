#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What dump leaves out: ranges, hooks, processes; files that do not end."""
import json
import struct
import subprocess

import checks
from etwtest import leaks
from etwtest.etlmore import e
from made_files import SANE, events, run, save


def unclosed_files_are_read():
    whole = e.good(closed=False)
    assert len(events(whole)) == 19
    assert len(events(whole[:-1])) == 15 and 'no whole buffer' in run.said
    # one that was allocated beforehand
    assert len(events(whole + bytes(3 * e.BS))) == 19 and 'no whole buffer' in run.said


def circular_files_are_read_in_order():
    whole = e.good()
    parts = [whole[i:i + e.BS] for i in range(0, len(whole), e.BS)]
    for turn in range(1, 3):
        lines = events(parts[0] + b''.join(parts[1 + turn:] + parts[1:1 + turn]))
        times = [x['ns'] for x in lines]
        assert times == sorted(times) and len(times) == 19


def ranges_hooks_and_processes():
    path = save(e.good())

    def dump(*options):
        lines = run('dump', '--json', *options, path).splitlines()
        return [json.loads(x) for x in lines]

    assert [x['ns'] for x in dump('--range', '0.0000017-0.000002')] == [1700, 1800, 2000]
    assert len(dump('--range', '1-')) + len(dump('--range', '-0.999999999')) == 19
    assert {x['event'] for x in dump('--hook', 'Thread/CSwitch,0x0548')} == \
        {'Thread/CSwitch', 'Thread/SetName'}
    assert len(dump('--hook', 'CSwitch', '--range', '-0.5')) == 3
    assert run('dump', '--count', '--hook', 'CSwitch', path).startswith('         5 events')
    # an id as JSON has it; one that is a decimal number, too, gets a hint at what it may have meant
    assert {x['event'] for x in dump('--hook', dump('--hook', 'CSwitch')[0]['hook'])} == \
        {'Thread/CSwitch'}
    for decimal, text in (('1403', '0x057b'), ('302', '0x012e')):
        assert run('dump', '--hook', decimal, path) == ''
        assert 'hook %s is %s, of' % (decimal, text) in run.said, run.said
    assert run.said.endswith('0x302 is Process/Stop\n'), run.said
    assert run('dump', '--hook', '1316', '--count', path).startswith('         5 events')
    assert run.said == '', run.said
    names = [x['event'] for x in dump('--pid', '100')]
    assert names.count('Thread/CSwitch') == 5 and 'Process/Defunct' not in names, names
    assert [x['event'] for x in dump('--pid', '102')] == ['Process/Defunct']
    for bad in (['--range', 'x'], ['--range', '2-1'], ['--range', '1'], ['--hook', 'Nonsense'],
                ['--pid', 'x'], ['--xml', '--csv']):
        run('dump', *bad, path, code=2)
        assert run.said.startswith('etw: dump: ') and 'dump --help' in run.said, (bad, run.said)


def processes_that_only_the_end_names():
    """A flight recorder: what names threads is behind all else; ids come again."""
    t = e.T0
    sample = e.perfinfo(0xF2E, 2, struct.pack('<QIHH', 0x1000, 31, 1, 0), t + 7)
    records = [e.cswitch(31, 0, t + 2), e.cswitch(0, 31, t + 3), e.ready(31, t + 4),
               e.cswitch(32, 0, t + 5), e.cswitch(0, 32, t + 6), sample,
               e.thread(0x502, 30, 31, None, t + 8), e.thread(0x501, 90, 31, None, t + 9),
               e.ready(31, t + 10), e.thread(0x504, 30, 33, None, t + 12),
               e.thread(0x504, 91, 32, None, t + 13), e.thread(0x504, 90, 31, None, t + 14)]
    content = bytes(e.with_records(records))
    path = save(content)

    def times(*options, stdin=None):
        done = subprocess.run([SANE, 'dump', '--json', *options], capture_output=True, check=True,
                              input=stdin, env=leaks.environment(SANE, 'dump'))
        return [json.loads(x)['ns'] // 100 for x in done.stdout.splitlines()]

    of_30, of_90 = [2, 3, 4, 7, 8, 12], [9, 10, 14]
    assert times('--pid', '30', path) == times('--unordered', '--pid', '30', path) == of_30
    # a pipe is read whole before, so it is looked through as well
    assert times('--pid', '30', '-', stdin=content) == of_30
    assert times('--pid', '90', path) == of_90 and times('--pid', '91', path) == [5, 6, 13]
    assert times('--pid', '30', '--hook', 'CSwitch', path) == [2, 3]
    assert times('--pid', '30,91', '--range', '0.0000003-0.0000006', path) == [3, 4, 5, 6]
    assert run('dump', '--count', '--pid', '30', path).startswith('         6 events')


def what_never_ends_and_is_no_trace():
    """Its first buffer shows that: memory need not be full of it before."""
    content = bytearray(e.good()[:0x1000])
    content[0x4A] = 0x7F
    endless = 'while cat "$1"; do :; done 2>/dev/null | "$0" "$2" -'
    for verb, code in ('dump', 1), ('stat', 1), ('check', 3):
        run(verb, '/dev/zero', code=code)
        done = subprocess.run(['sh', '-c', endless, SANE, save(content), verb], timeout=50,
                              capture_output=True, check=False, env=leaks.environment(SANE, verb))
        assert done.returncode == code and b'Sanitizer' not in done.stderr, (verb, done.stderr)


def processes_of_what_names_no_thread():
    """System calls and the like are of the thread that the switches say ran there."""
    t = e.T0
    first = [e.thread(0x503, 30, 31, None, t + 2), e.thread(0x503, 40, 41, None, t + 2),
             e.perfinfo(0xF33, 2, bytes(8), t + 3), e.cswitch(31, 41, t + 4)]
    for i, (hook, size) in enumerate(((0xF33, 8), (0xF34, 4), (0xE20, 24), (0xE22, 24),
                                      (0x44C, 24), (0xF44, 16))):
        first.append(e.perfinfo(hook, 2, bytes(size), t + 5 + i))
    first += [e.cswitch(41, 31, t + 20), e.perfinfo(0xF34, 2, bytes(4), t + 21)]
    # then the same: the thread is known as long as nothing was lost
    second = [e.perfinfo(0xF33, 2, bytes(8), t + 30), e.cswitch(31, 41, t + 31),
              e.perfinfo(0xF33, 2, bytes(8), t + 32)]

    def times(pid, *options, flags=0, program=(), logged=()):
        content = e.header_buffer(end=e.START + 10**9, written=3) + \
            e.buffer([e.anchor(t + 1, 0), *first, *program], sequence=1, time=t + 25) + \
            e.buffer([*second, *logged], sequence=2, time=t + 10**6, flags=0x21 | flags)
        lines = run('dump', '--json', '--pid', pid, *options, save(content)).splitlines()
        return [json.loads(x)['ns'] // 100 for x in lines]

    # interrupts (0F44) have no thread as cause
    assert times('30') == [2, 4, 5, 6, 7, 8, 9, 20, 31, 32], times('30')
    assert times('30', '--unordered') == times('30')
    assert times('40') == [2, 3, 4, 20, 21, 30, 31], times('40')
    assert times('40', flags=2) == [2, 3, 4, 20, 21, 31], times('40', flags=2)
    # a loss is behind the last record whose time is sure, whatever a program says of its own
    logged = [e.loss(t + 28)]
    assert times('40', logged=logged) == [2, 3, 4, 20, 21, 31], times('40', logged=logged)
    program = [e.full(b'\x11' * 16, 1, bytes(8), t + 10**5)]
    assert times('40', logged=logged, program=program) == [2, 3, 4, 20, 21, 31]


checks.run(globals(), ('save', 'run', 'events'))
