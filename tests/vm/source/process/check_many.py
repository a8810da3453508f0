#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Process Starts and Stops of a crowd of processes, Loads and Unloads of a crowd of images.

check_many.py DIRECTORY COUNT PLACES: what tests/vm/source/process/guest/many_processes.sh left.
"""
import struct
import sys
from collections import Counter, defaultdict

from etwtest import processes
from etwtest import stream


LOAD, UNLOAD = 0x030A, 0x1402


def pids_of(path):
    with open(path, encoding='ascii') as file:
        return [int(line) for line in file]


def images(etl, hook):
    """{(process, base): records}"""
    return Counter(struct.unpack_from('<16xI', r.payload) + struct.unpack_from('<Q', r.payload)
                   for r in etl.of(hook))


def check_images(directory, places):
    """Each mapping of each process begins once and ends once."""
    etl, pids = stream.load(f'{directory}/images.etl'), pids_of(f'{directory}/mappers.txt')
    check = processes.check
    check('no image record is lost', ['events'] if etl.events_lost or etl.losses() else [])
    loads, unloads = images(etl, LOAD), images(etl, UNLOAD)
    of_process = Counter(pid for pid, _ in loads)
    check(f'each process has Loads of more than {places} images',
          [f'pid {pid}: {of_process[pid]}' for pid in pids if of_process[pid] <= places])
    mappers = set(pids)
    check('each image has one Load and one Unload',
          [f'{key}: {loads[key]}, {unloads[key]}' for key in loads | unloads
           if key[0] in mappers and not loads[key] == unloads[key] == 1])


def main():
    directory, count, places = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pids = pids_of(f'{directory}/pids.txt')
    etl = stream.load(f'{directory}/etw.etl')
    check = processes.check
    check('nothing lost', ['events'] if etl.events_lost or etl.losses() else [])
    check('the processes have numbers of their own', [] if len(set(pids)) == count else [str(len(set(pids)))])
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
    check_images(directory, places)
    sys.exit(bool(processes.checks.failures))


if __name__ == '__main__':
    main()
