#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""check_crowd.py DIRECTORY: no rundown names one of a crowd that is gone.

The directory is what tests/vm/source/process/guest/rundown_crowd.sh left. Named are a part of each
crowd, those for whom there was room before the rundown had to wait.
"""
import struct
import sys

from etwtest.checks import check
from etwtest import stream

# 1970 in FILETIME
EPOCH = 116444736000000000
# above its program, which stays; memory by MEMORY() of ended_crowd.c, which no other is
IMAGES = range(1 << 32, 1 << 64)
MEMORY = range(1 << 36, 1 << 37)
# an image that no program unmaps
VDSO = '[vdso]\0'.encode('utf-16-le')
# of each trace: the hook id that names the crowd, where in the payload the process is;
# what begins with an address: which ones are meant
TOLD = {'images': (0x1403, 16, None), 'unmapped': (0x1403, 16, IMAGES),
        'counters': (0x0321, 0, None), 'zombies': (0x0327, 8, None),
        'memory': (0x0280, 16, None), 'given-back': (0x0280, 16, MEMORY),
        'execed': (0x0280, 16, MEMORY)}


def check_one(directory, name):
    hook, at, where = TOLD[name]
    with open(f'{directory}/{name}.txt', encoding='ascii') as file:
        *pids, gone = [int(line) for line in file]
    logged = [(r.time, pid) for r in stream.load(f'{directory}/{name}.etl').of(hook)
            for pid in struct.unpack_from('<I', r.payload, at) if pid in pids and
            not r.payload.endswith(VDSO) and
            (not where or struct.unpack_from('<Q', r.payload)[0] in where)]
    late = [pid for time, pid in logged if time > EPOCH + gone // 100]
    early = {pid for _, pid in logged} - set(late)
    # else it did not come to wait among them
    return check(5 < len(early) < len(pids) - 5,
                 f'{name}: the rundown writes a part of them, then it waits',
                 f'{len(early)} of {len(pids)}') & \
        check(not late, f'{name}: the rundown has none that is gone', late)


def check_modules(directory):
    """The last of many, which goes while the rundown stands at some before it."""
    etl = stream.load(f'{directory}/modules.etl')
    images = [r for r in etl.records if r.hook in (0x1402, 0x1403)]
    names = [r.payload[56:].decode('utf-16-le').rstrip('\0') for r in images]
    ends = [n for n, r in enumerate(images) if r.hook == 0x1402 and names[n].startswith('039_')]
    logged = [n for n, r in enumerate(images) if r.hook == 0x1403 and names[n][3:5] == '_x']
    before = [n for n in logged if n < ends[0]] if ends else []
    late = [names[n] for n in logged if names[n].startswith('039_')]
    lost = sum(struct.unpack_from('<Q', r.payload, 8)[0] for r in etl.losses())
    return check(len(ends) == 1 and 5 < len(before) < 35,
                 'modules: the rundown writes a part of them, then it waits, and one goes',
                 f'{len(before)} of 40, {len(ends)} went') & \
        check(not late, 'modules: the rundown does not have the one that is gone', late) & \
        check(len(logged) - len(late) <= 39 <= len(logged) - len(late) + lost,
              'modules: the rundown has all others, or they are counted',
              f'{len(logged) - len(late)}, {lost} lost')


def main():
    # all of them
    results = [check_one(sys.argv[1], name) for name in TOLD] + [check_modules(sys.argv[1])]
    return 0 if all(results) else 1


sys.exit(main())
