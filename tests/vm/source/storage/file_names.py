#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Names of files that are opened in turn: each is recorded once.

file_names.py DIRECTORY FILES: what tests/vm/source/storage/guest/fileio.sh left.
"""
import re
import sys
from collections import Counter

from etwtest import stream

NAME_CREATE = 0x0420


def main():
    directory, files = sys.argv[1], int(sys.argv[2])
    etl = stream.load(f'{directory}/names.etl')
    texts = [r.payload[8:].decode('utf-16-le').rstrip('\0') for r in etl.of(NAME_CREATE)]
    times = Counter(text for text in texts if re.search(r'/many/n\d+$', text))
    # a name may be repeated if its ghost gave way to another: hashes decide, not the machine
    again = sum(times.values()) - len(times)
    print(f'{len(times)} of {files} files have names, {again} records repeat one, '
          f'EventsLost {etl.events_lost}')
    sys.exit(len(times) != files or again > files // 100 or etl.events_lost != 0)


if __name__ == '__main__':
    main()
