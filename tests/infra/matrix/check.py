#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The files of a smoke test: every CPU is in them, known processes, every loss.

check.py DIRECTORY CPUS: what tests/infra/matrix/guest/smoke.sh left; the last line is for
tests/infra/matrix/cell.
"""
import os
import re
import struct
import sys

from etwtest import processes
from etwtest import stream
from etwtest.processes import check

CSWITCH, READY = 0x0524, 0x0532


def text_of(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def check_law(name, etl, read, lost):
    """What the file has is what the session says; so is what it has not."""
    # without the two records of the header buffer
    have = len(etl.records) - 2
    logged = sum(struct.unpack_from('<Q', r.payload, 8)[0] for r in etl.losses())
    check(f'{name}: the file has the events that the session counted',
          [] if have == read else [f'{have} in the file, the session counted {read}'], read)
    check(f'{name}: the file reports each lost event',
          [] if logged == lost else [f'{logged} in the file, the session counted {lost}'], lost)


def check_cpus(etl, cpus):
    for name, hook in (('context swaps', CSWITCH), ('ready threads', READY)):
        seen = {r.cpu for r in etl.of(hook)}
        check(f'{name} on all CPUs',
              [f'none on CPU {cpu}' for cpu in cpus if cpu not in seen] +
              [f'on CPU {cpu}, which is not there' for cpu in sorted(seen - set(cpus))])


def check_names(etl, known):
    events = processes.events_of(etl)
    bad = []
    for line in known.splitlines():
        pid, _, status = map(int, line.split())
        mine = [e for e in events if e.what.pid == pid]
        starts = [e.what for e in mine if e.hook == processes.PROCESS_START]
        stops = [e.what for e in mine if e.hook == processes.PROCESS_STOP]
        names = [p.image for p in starts]
        command = '/tmp/smoke-child' + (' nothing' if status == 0 else '')
        if not names or names[-1] != 'smoke-child' or starts[-1].command != command:
            bad.append(f'process {pid} starts as {starts}')
        if not stops or (stops[-1].image, stops[-1].status) != ('smoke-child', status):
            bad.append(f'process {pid}, exit status {status}, stops as {stops}')
    check('known processes, their images, arguments, exit status',
          bad or ([] if known else ['there are none']))
    rundown = {e.what.image for e in events if e.hook == processes.PROCESS_DC_START}
    check('Idle, System and the shell are in the rundown',
          [name for name in ('Idle', 'System', 'busybox') if name not in rundown])
    threads = {e.what.name for e in events if e.hook == processes.THREAD_DC_START}
    check('kthreadd is in the rundown', [] if 'kthreadd' in threads else [str(threads)])


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    cpus = [int(n) for n in text_of(directory, 'cpus.txt').split()]
    check('all CPUs are online', [] if cpus == list(range(count)) else [str(cpus)])

    etl = stream.load(os.path.join(directory, 'smoke.etl'))
    record = re.search(r'(\d+) events, (\d+) lost', text_of(directory, 'record.txt'))
    events, lost = map(int, record.groups())
    check_law('recording', etl, events, lost)
    check('recording: nothing lost', [] if not lost else [f'{lost} lost'])
    check_cpus(etl, cpus)
    check_names(etl, text_of(directory, 'known.txt'))

    small = stream.load(os.path.join(directory, 'small.etl'))
    numbers = dict(re.findall(r'(\w+)=(\d+)', text_of(directory, 'small.txt')))
    small_lost = int(numbers['lost'])
    # what was buffered when hold asked is what was read then
    check_law('too small session', small, int(numbers['read']) + int(numbers['buffered']),
              small_lost)
    check('too small session: some are lost', [] if small_lost else ['none'])

    torture = re.search(r'attempted (\d+) .* lost (\d+)', text_of(directory, 'torture.txt'))
    print('numbers', events, small_lost, *(torture.groups() if torture else (0, 0)))
    sys.exit(bool(processes.checks.failures))


if __name__ == '__main__':
    main()
