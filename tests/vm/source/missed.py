#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What function probes missed is lost by cause 5, to the event: missed.py DIRECTORY CALLS MISSED"""
import json
import struct
import sys

from etwtest import stream

MISSED = 5


def lost(etl):
    """{(processor, cause): total}"""
    totals = {}
    for record in etl.losses():
        processor, cause, _, total, first, last = struct.unpack('<IIQQQQ', record.payload)
        stream.need(0 < first <= last, 'stamps of a loss')
        totals[processor, cause] = total
    return totals


def main():
    directory, calls, missed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    etl, after = (stream.load(f'{directory}/{name}.etl') for name in ('etw', 'next'))
    written = sum(1 for r in etl.of(0x0531) if r.payload[5] in (6, 7))
    with open(f'{directory}/status.json', encoding='utf-8') as file:
        status, = json.load(file)
    good = written == 3 * calls - missed and \
        lost(etl) == ({(0, MISSED): missed} if missed else {}) and \
        etl.events_lost == status['events_lost'] == missed and \
        status['lost_by_cause'].get('missed by function probes', 0) == missed and \
        not lost(after) and not after.events_lost
    print(f'{written} of {3 * calls} changes written, lost {lost(etl)}, EventsLost '
          f'{etl.events_lost}; the next session {lost(after)}')
    sys.exit(not good)


if __name__ == '__main__':
    main()
