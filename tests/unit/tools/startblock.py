# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Builds START blocks byte by byte, from format.rst 6 alone."""
import struct
import uuid

KERNEL = uuid.UUID('9E814AAD-3204-11D2-9A82-006008A86939').bytes_le
REALTIME, SEQUENTIAL, CIRCULAR, NEWFILE, BUFFERING = 0x100, 1, 2, 8, 0x400
SYSTEM, MS = 0x02000000, 0x10


def item(kind, *dwords):
    return struct.pack('<HH%dI' % len(dwords), len(dwords) + 1, kind, *dwords)


def array(*items):
    body = b''.join(items)
    return struct.pack('<HH', len(body) // 4 + 1, len(items)) + body


def masks(*values):
    """PERF_ values as an item: three bits of index, 29 of mask."""
    of = [0] * 8
    for value in values:
        of[value >> 29] |= value & 0x1FFFFFFF
    return item(1, *of)


def block(name, file='', kb=0, least=0, most=0, max_file=0, mode=REALTIME | SYSTEM, timer=1,
          flags=0x813, clock=1, extension=b'', out=None, readers=0,
          guid=KERNEL):
    """Fixed part, both names, and at a multiple of 4 the extension."""
    texts = [name.encode('utf-16-le'), file.encode('utf-16-le')]
    places = [0xB0, 0xB0 + len(texts[0]) + 2]
    tail = texts[0] + b'\0\0' + texts[1] + b'\0\0'
    if extension:
        tail += bytes(-len(tail) % 4)
        flags = 0x80FF0000 | (0xB0 + len(tail))
        tail += extension
    wnode = struct.pack('<IIQQ16sII', 0xB0 + len(tail), 0, 0, 0, guid, clock, 0x20000)
    fixed = struct.pack('<IIIIIIII', kb, least, most, max_file, mode, timer, flags, 0)
    fixed += struct.pack('<QQ', 0, 0)
    fixed += struct.pack('<IIIIII', *(out or (0, 0, 0, 0, 0, 0))) + struct.pack('<Q', 0)
    for text, place in ((texts[1], places[1]), (texts[0], places[0])):
        fixed += struct.pack('<HHIQ', len(text), len(text) + 2, 0, place)
    fixed += struct.pack('<IIQ', readers, 0, 0)
    assert len(wnode + fixed) == 0xB0
    return wnode + fixed + tail
