#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Reads of a file while reads of a pipe block: all are recorded, none is lost.

file_blocked.py DIRECTORY READS: what tests/vm/source/storage/guest/fileio.sh left.
"""
import struct
import sys

from etwtest import stream

READ, OFFSET = 0x443, 4711


def main():
    directory, reads = sys.argv[1], int(sys.argv[2])
    etl = stream.load(f'{directory}/blocked.etl')
    with open(f'{directory}/reader.txt', encoding='ascii') as file:
        reader = int(file.read())
    events = [struct.unpack_from('<QQQQIII', r.payload) for r in etl.of(READ)]
    found = sum(event[0] == OFFSET and event[4] == reader for event in events)
    print(f'{found} of {reads} reads, EventsLost {etl.events_lost}')
    sys.exit(found != reads or etl.events_lost != 0)


if __name__ == '__main__':
    main()
