#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""In files of Windows no record is later than the stamp of its buffer, its end: what ProcessTrace
of a running session rests on. Buffers that header events are in have none that counts."""
import glob
import os
import struct
import sys

from etwtest import checks, etlread

PERFINFO = (0x10, 0x11)
# SYSTEM, COMPACT, FULL, INSTANCE, EVENT_HEADER, in both widths
LONG = (1, 2, 3, 4, 0x0A, 0x0B, 0x12, 0x13, 0x14, 0x15)


def time_of(record):
    """In the session's clock; None: a message: its time is optional"""
    kind = record[2]
    if record[3] & 0xF0 == 0xC0 and kind in PERFINFO + LONG:
        return struct.unpack_from('<q', record, 8 if kind in PERFINFO else 16)[0]
    return None


def count(path):
    """(records with a time, those that are later than their buffer)"""
    read = late = 0
    with open(path, 'rb') as file:
        for number, (head, body) in enumerate(etlread.buffers(file.read())):
            stamp = struct.unpack_from('<q', head, 0x10)[0]
            if not number or not stamp:
                continue
            times = [time_of(record) for record in etlread.records(body)]
            read += sum(time is not None for time in times)
            late += sum(time is not None and time > stamp for time in times)
    return read, late


def main(directory):
    total, wrong = 0, []
    for path in sorted(glob.glob(directory + '/*.etl')):
        read, late = count(path)
        total += read
        if late:
            wrong.append('%s: %d of %d' % (os.path.basename(path), late, read))
    checks.check(total and not wrong, 'no record of Windows is later than its buffer',
                 ', '.join(wrong) or '%d records' % total)


main(sys.argv[1])
