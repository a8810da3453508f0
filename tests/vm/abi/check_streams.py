#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What tests/vm/abi/guest/stream saved: each file must be a whole, valid stream.

check_streams.py DIRECTORY SWAPS: each has more than SWAPS context swaps
"""
import os
import sys

from etwtest import stream
from etwtest.checks import check

PIECES = 7


def main():
    by_pieces = sorted(name[:-4] for name in os.listdir(sys.argv[1])
                       if name.startswith('by-') and name.endswith('.etl'))
    good = check(len(by_pieces) == PIECES, 'streams were read by pieces', ' '.join(by_pieces))
    for name in by_pieces + ['dead-reader', 'splice', 'closed', 'unclosed']:
        try:
            s = stream.load(f'{sys.argv[1]}/{name}.etl')
        except (OSError, stream.FormatError) as error:
            good = check(False, f'{name}: a valid stream', str(error))
            continue
        swaps = len(s.of(0x0524))
        good &= check(swaps > int(sys.argv[2]), f'{name}: a valid stream',
                      f'{len(s.buffers)} buffers, {swaps} context swaps')
        if name == 'unclosed':
            good &= check(s.end_time == 0 and s.buffers_written == 0,
                          f'{name}: EndTime and BuffersWritten are 0')
            continue
        good &= check(s.buffers_written == len(s.buffers),
                      f'{name}: BuffersWritten is the number of buffers', f'{s.buffers_written}')
        good &= check(s.end_time > s.start_time, f'{name}: EndTime is after StartTime')
        good &= check(not s.events_lost and not s.losses(), f'{name}: nothing lost')
        anchors = s.anchors()
        good &= check(anchors and anchors[-1].reason == 3 and s.records[-1].hook[1] == 1,
                      f'{name}: the last buffer has the last anchor')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
