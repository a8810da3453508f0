#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Process Starts and Stops of a crowd of processes.

check_many.py DIRECTORY COUNT: what tests/vm/source/process/guest/many_processes.sh left.
"""
import sys
from collections import defaultdict

from etwtest import processes
from etwtest import stream


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    with open(f'{directory}/pids.txt', encoding='ascii') as file:
        pids = [int(line) for line in file]
    etl = stream.load(f'{directory}/etw.etl')
    check = processes.check
    check('nothing lost', ['events'] if etl.events_lost or etl.losses() else [])
    check(f'{count} processes', [] if len(set(pids)) == count else [str(len(set(pids)))])
    starts, stops = defaultdict(list), defaultdict(list)
    for r in etl.of(processes.PROCESS_START):
        what = processes.process_of(r)
        starts[what.pid].append(what)
    for r in etl.of(processes.PROCESS_STOP):
        what = processes.process_of(r)
        stops[what.pid].append(what)
    for name, of in ('Start', starts), ('Stop', stops):
        check(f'each has one Process {name}',
              [f'pid {pid}: {len(of[pid])}' for pid in pids if len(of[pid]) != 1])
        check(f'each Process {name} has the image',
              [f'pid {pid}: {what.image}' for pid in pids for what in of[pid]
               if what.image != 'many_processes'])
    sys.exit(processes.failed)


if __name__ == '__main__':
    main()
