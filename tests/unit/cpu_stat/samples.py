# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Processes and samples of Windows' own traces, read with as little as that takes."""
import collections
import functools
import struct

from etwtest import etlread
from etwtest import harness as h

Found = collections.namedtuple('Found', 'pids starts ends threads images')


def kernel_samples():
    """Those that have processes and threads."""
    return [path for path in h.samples() if processes(path).threads]


@functools.lru_cache(None)
def records(path):
    """Those with a hook id: (time, hook, version, width, payload)"""
    with open(path, 'rb') as file:
        content = file.read()
    found = []
    for _, body in etlread.buffers(content):
        for record in filter(etlread.is_hooked, etlread.records(body)):
            version, kind, _, _, hook = struct.unpack_from('<HBBHH', record)
            head = {1: 0x20, 2: 0x20, 3: 0x18, 4: 0x18, 16: 0x10, 17: 0x10}[kind]
            time = struct.unpack_from('<Q', record, 8 if head == 0x10 else 16)[0]
            found.append((time, hook, version, 4 if kind in (1, 3, 16) else 8, record[head:]))
    return sorted(found, key=lambda x: x[0])


def image_of(payload, version, width):
    """Behind the fixed part stands the user's SID, behind that the name."""
    at = {2: 16 + width, 3: 16 + 2 * width, 4: 20 + 2 * width, 5: 20 + 2 * width}[version]
    if struct.unpack_from('<I', payload, at)[0]:
        at += 2 * width
        at += 8 + 4 * payload[at + 1]
    else:
        at += 4
    return payload[at:payload.index(b'\0', at)].decode('latin-1')


def owners(path):
    """{thread: processes}: all that its events say; ids come again"""
    found = collections.defaultdict(set)
    for _, hook, _, _, payload in records(path):
        if 0x0501 <= hook <= 0x0504:
            pid, tid = struct.unpack_from('<II', payload)
            found[tid].add(pid)
    return found


def weights(path):
    """{thread: how many samples of the timer}"""
    found = collections.Counter()
    for _, hook, _, width, payload in records(path):
        if hook == 0x0F2E:
            tid, count = struct.unpack_from('<IH', payload, width)
            found[tid] += count
    return found


def requests(path):
    """{thread: what it had disks read and write}"""
    found = collections.Counter()
    for _, hook, version, width, payload in records(path):
        if hook in (0x010A, 0x010B) and version >= 3:
            found[struct.unpack_from('<I', payload, 32 + 2 * width)[0]] += 1
    return found


def processes(path):
    pids, ends, images = set(), [], collections.defaultdict(set)
    starts = threads = 0
    seen = set()
    for _, hook, version, width, payload in records(path):
        if hook in (0x0301, 0x0302, 0x0303, 0x0304, 0x0327):
            pid, _, _, status = struct.unpack_from('<IIII', payload, width)
            pids.add(pid)
            images[pid].add(image_of(payload, version, width))
            starts += hook == 0x0301
            # what is gone says when, if it was not seen
            if hook == 0x0302 or (version > 4 and any(payload[-8:]) and
                                  pid not in dict(ends)):
                ends.append((pid, status))
        elif hook in (0x0501, 0x0503, 0x0504):
            pid, tid = struct.unpack_from('<II', payload)
            pids.add(pid)
            threads += hook == 0x0501 or (pid, tid) not in seen
            seen.add((pid, tid))
    return Found(pids, starts, ends, threads, images)
