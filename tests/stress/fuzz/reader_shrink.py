#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""
Real traces in small: reader_shrink.py DIRECTORY FILE...

Writes to DIRECTORY what a fuzzer can change quickly: files of up to three buffers with a few
records each, as they stand in the traces, behind the trace's own header event. Every kind of
record comes at least once, with those that follow it; what is as large as a whole file of a
fuzzer is left out.
"""
import os
import struct
import sys

from etwtest import etlmore as m
from etwtest import etlread
from etwtest.etlmore import e

MOST = 2000         # bytes of the records of one buffer
TOGETHER = 5        # records of one buffer
BUFFERS = 3
IN_THE_CLEAR = ~0x04000000  # of LogFileMode


def kind_of(record):
    """What two records have in common that are read by the same code"""
    if etlread.is_hooked(record):
        version, kind, _, _, hook = struct.unpack_from('<HBBHH', record)
        return kind, hook, version
    kind, flag = record[2], record[3]
    if flag & 0xF0 == 0x90:
        return 'message', record[4:8]
    if len(record) < 0x30:
        return kind, flag
    # class, or provider; opcode and version, or id, version and what stands before the payload
    return (kind, record[0x18:0x28], record[4:8]) if kind in (0x0A, 0x14, 0x15) else \
        (kind, record[0x18:0x28], record[0x28:0x2B], record[4] & 1)


def groups(body, seen, first):
    """Lists of records that begin with one of a kind that is not in @seen"""
    records = list(etlread.records(body))[1 if first else 0:]
    i = 0
    while i < len(records):
        if kind_of(records[i]) in seen or len(records[i]) > MOST:
            i += 1
            continue
        group, size = [], 0
        for record in records[i:i + TOGETHER]:
            size += len(e.pad(record))
            if size > MOST:
                break
            group.append(record)
            seen.add(kind_of(record))
        yield group
        i += len(group)


def whole(head, records, size):
    """A buffer of @size bytes with the header that it had"""
    body = b''.join(map(e.pad, records))
    end = etlread.HEAD + len(body)
    head = bytearray(head)
    struct.pack_into('<III', head, 0, size, end, end)
    struct.pack_into('<I', head, 0x30, end)
    head[0x34] &= ~etlread.COMPRESSED
    return bytes(head) + body + b'\xff' * (size - end)


def packed(buffer):
    end = struct.unpack_from('<I', buffer, 0x30)[0]
    body = m.xpress(buffer[etlread.HEAD:end])
    head = bytearray(buffer[:etlread.HEAD])
    struct.pack_into('<I', head, 0, etlread.HEAD + len(body))
    head[0x34] |= etlread.COMPRESSED
    return bytes(head) + body


def header_event(record, size, compressed):
    """The header event of a trace with buffers of @size bytes"""
    event = bytearray(record)
    struct.pack_into('<I', event, 0x20, size)
    mode = struct.unpack_from('<I', event, 0x40)[0] & IN_THE_CLEAR
    struct.pack_into('<I', event, 0x40, mode | (~IN_THE_CLEAR if compressed else 0))
    return bytes(event)


def pieces(content, seen):
    """Files, each as a whole"""
    found, first = [], None
    for head, body in etlread.buffers(content):
        if first is None:
            first = head, next(etlread.records(body), b'')
            # a header event before Windows 2000 is none of ours to know
            if not etlread.is_hooked(first[1] or bytes(4)) or len(first[1]) > MOST:
                return
        found += [(head, group) for group in groups(body, seen, not found)]
    for i in range(0, len(found), BUFFERS):
        part = found[i:i + BUFFERS]
        size = max(len(e.pad(first[1])), *(sum(len(e.pad(r)) for r in x) for _, x in part))
        size = (etlread.HEAD + size + 0xFF) & -0x100
        for compressed in (False, True)[:1 if i % (4 * BUFFERS) else 2]:
            yield whole(first[0], [header_event(first[1], size, compressed)], size) + b''.join(
                (packed if compressed else bytes)(whole(*one, size)) for one in part)


def main(directory, *paths):
    seen, count = set(), 0
    for path in paths:
        with open(path, 'rb') as file:
            content = file.read()
        name = os.path.splitext(os.path.basename(path))[0]
        for count, piece in enumerate(pieces(content, seen), count + 1):
            with open(os.path.join(directory, 'real-%s-%d' % (name, count)), 'wb') as file:
                file.write(piece)


main(*sys.argv[1:])
