# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The events of probes are what the program did. Usage: ... FOLDER"""
import json
import os
import sys

sys.path.insert(0, 'tests/lib')
from etwtest import checks  # noqa: E402

COUNT = 50


def main(folder):
    with open(os.path.join(folder, 'probes.json'), encoding='utf-8', errors='replace') as file:
        events = [json.loads(line) for line in file]
    with open(os.path.join(folder, 'ticks'), encoding='utf-8') as file:
        ticks = int(file.read())

    def rows(name, *fields, pid=None):
        """The fields of an event of the program, in the order of time"""
        return [tuple(x['fields'][field] for field in fields) for x in events
                if x['event'] == name and x['pid'] == (program if pid is None else pid)]

    numbers = range(COUNT)
    texts = ['/nothing-probed-%d' % i for i in numbers]
    program = next((x['pid'] for x in events if x['event'] == 'Linux.uprobes.work/work'), None)
    found = [x for x in rows('Linux.kprobes.do_sys_openat2/do_sys_openat2', 'dfd', 'file')
             if 'nothing' in x[1]]
    checks.check(found == [(-100, text) for text in texts],
                 'a probe of the kernel records numbers and strings', found[:3])
    found = rows('Linux.uprobes.work/work', 'number', 'text')
    checks.check(found == list(zip(numbers, texts)),
                 'a probe of a program records its arguments', found[:3])
    found = rows('Linux.uprobes.work__return/work__return', 'result')
    checks.check(found == [(3 * i,) for i in numbers],
                 'a probe at the return records the result', found[:3])
    found = rows('Linux.usdt.probed/tick', 'arg1', 'arg2', 'arg3')
    checks.check(found == [(i, 2 * i, 7) for i in numbers],
                 'USDT probes at two places are one event with its arguments', found[:3])
    found = [x for x in rows('Linux.kprobes.opened/opened', 'dfd', 'filename')
             if 'nothing' in x[1]]
    checks.check(found == [(-100, text) for text in texts],
                 'arguments of the kernel are recorded by their names', found[:3])
    other = next((x['pid'] for x in events if x['event'] == 'Linux.uprobes.named/named'), None)
    found = rows('Linux.uprobes.named/named', 'number', 'text', pid=other)
    checks.check(found == list(zip(numbers, texts)),
                 'arguments of a program are recorded by their names', found[:3])
    line = next((x['event'] for x in events if '/probed_c_' in x['event']), '')
    found = rows(line, 'twice', 'text', pid=other)
    checks.check(found == [(2 * i, text) for i, text in zip(numbers, texts)],
                 'variables are recorded at a source line', found[:3])
    checks.check(ticks == COUNT, 'a semaphore is counted up while its probe is recorded', ticks)
    found = rows('Linux.usdt.probed/always', 'arg1')
    checks.check(len(found) == COUNT, 'a USDT probe without a semaphore is recorded', len(found))


main(sys.argv[1])
