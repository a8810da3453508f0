# SPDX-License-Identifier: GPL-2.0
"""Processes of Windows' own traces, read with as little as that takes."""
import collections
import struct

import harness as h

Found = collections.namedtuple('Found', 'pids starts ends threads images')


def kernel_samples():
    """Those whose buffers are plain and have processes and threads."""
    return [path for path in h.samples() if processes(path).threads]


def records(path):
    """Those with a hook id: (time, hook, version, width, payload); none if it is compressed"""
    with open(path, 'rb') as file:
        content = file.read()
    at, size = 0, struct.unpack_from('<I', content)[0]
    found = []
    while size and at + size <= len(content):
        filled, flags = struct.unpack_from('<I', content, at + 4)[0], content[at + 0x34]
        end, i = at + min(filled, size), at + 0x48
        if flags & 0x40:
            return []
        while i + 0x20 <= end:
            kind = content[i + 2]
            if content[i + 3] & 0xF0 != 0xC0 or kind not in (1, 2, 3, 4, 16, 17):
                length = struct.unpack_from('<H', content, i)[0]
            else:
                version, _, _, length, hook = struct.unpack_from('<HBBHH', content, i)
                head = {1: 0x20, 2: 0x20, 3: 0x18, 4: 0x18, 16: 0x10, 17: 0x10}[kind]
                time = struct.unpack_from('<Q', content, i + (8 if head == 0x10 else 16))[0]
                width = 4 if kind in (1, 3, 16) else 8
                found.append((time, hook, version, width, content[i + head:i + length]))
            if length < 8:
                break
            i += (length + 7) & -8
        at += size
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
            if hook == 0x0302:
                ends.append((pid, status))
        elif hook in (0x0501, 0x0503, 0x0504):
            pid, tid = struct.unpack_from('<II', payload)
            pids.add(pid)
            threads += hook == 0x0501 or (pid, tid) not in seen
            seen.add((pid, tid))
    return Found(pids, starts, ends, threads, images)
