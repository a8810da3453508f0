# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Writes .nettrace files of versions 4 to 6, by their documented format."""
import struct

TRACE, EVENTS, METADATA, POINT, STACKS, THREADS, REMOVED, LABELS = range(1, 9)
NAMES = {TRACE: 'Trace', EVENTS: 'EventBlock', METADATA: 'MetadataBlock', POINT: 'SPBlock',
         STACKS: 'StackBlock'}
OBJECT, BOOL, CHAR, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, SINGLE, DOUBLE = \
    1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
DATETIME, GUID, STRING, ARRAY, VARINT, VARUINT, FIXED, CHAR8, RELLOC, DATALOC, BOOL8 = \
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
OPCODE_TAG, FIELDS_TAG = 1, 2
SYNC, FREQUENCY, PID = 5000, 10**9, 70
NONE = bytes(16)


def var(value):
    out = b''
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def wide(text):
    return text.encode('utf-16le') + bytes(2)


def text_of(text):
    return var(len(text.encode())) + text.encode()


def padding(size):
    return bytes(-size % 4)


def time_of_day():
    """2023-11-14 22:13:20.5"""
    return struct.pack('<8H', 2023, 11, 2, 14, 22, 13, 20, 500)


def trace(version, pointer=8, frequency=FREQUENCY):
    head = time_of_day() + struct.pack('<QQI', SYNC, frequency, pointer)
    if version < 6:
        return head + struct.pack('<III', PID, 4, 0)
    keys = {'HardwareThreadCount': '4', 'ProcessId': str(PID), 'Other': 'x'}
    return head + struct.pack('<I', len(keys)) + b''.join(text_of(x) for pair in keys.items()
                                                          for x in pair)


def head_of_object(version, name):
    return b'\5\5\1' + struct.pack('<IIi', version, version, len(name)) + name.encode() + b'\6'


def file_of(version, blocks, end=True, **more):
    """blocks: (kind, bytes)"""
    out = b'Nettrace'
    if version >= 6:
        out += struct.pack('<III', 0, version, 0)
        for kind, content in [(TRACE, trace(version, **more)), *blocks]:
            out += struct.pack('<I', kind << 24 | len(content)) + content
        return out + (bytes(4) if end else b'')
    out += struct.pack('<I', 20) + b'!FastSerialization.1'
    out += head_of_object(version, 'Trace') + trace(version, **more) + b'\6'
    for kind, content in blocks:
        out += head_of_object(2, NAMES.get(kind, 'Unknown')) + struct.pack('<I', len(content))
        out += padding(len(out)) + content + b'\6'
    return out + (b'\1' if end else b'')


def fields_4(fields):
    """(name, type) or (name, OBJECT, fields)"""
    out = struct.pack('<I', len(fields))
    for name, kind, *members in fields:
        out += struct.pack('<I', kind) + (fields_4(*members) if members else b'') + wide(name)
    return out


def fields_5(fields):
    """(name, type), (name, ARRAY, type) or (name, OBJECT, fields)"""
    out = struct.pack('<I', len(fields))
    for name, kind, *rest in fields:
        one = wide(name) + struct.pack('<I', kind)
        if rest:
            one += struct.pack('<I', *rest) if kind == ARRAY else fields_5(*rest)
        out += struct.pack('<I', 4 + len(one)) + one
    return out


def type_6(kind, *rest):
    out = bytes([kind])
    if kind == OBJECT:
        return out + fields_6(*rest)
    if kind in (ARRAY, FIXED, RELLOC, DATALOC):
        out += type_6(rest[0])
    return out + (struct.pack('<H', rest[1]) if kind == FIXED else b'')


def fields_6(fields):
    out = struct.pack('<H', len(fields))
    for name, *kind in fields:
        one = text_of(name) + type_6(*kind)
        out += struct.pack('<H', len(one)) + one
    return out


def row_4(ident, provider, event, name, fields=(), keywords=0, version=0, level=4, tags=b''):
    return struct.pack('<I', ident) + wide(provider) + struct.pack('<I', event) + wide(name) + \
        struct.pack('<QII', keywords, version, level) + fields_4(fields) + tags


def tag(kind, content):
    return struct.pack('<IB', len(content), kind) + content


def row_6(ident, provider, event, name, fields=(), options=b''):
    return var(ident) + text_of(provider) + var(event) + text_of(name) + fields_6(fields) + \
        struct.pack('<H', len(options)) + options


def heads(blobs, compressed=True, base=20):
    return struct.pack('<HHQQ', base, compressed, 0, 0) + b''.join(blobs)


def compressed(payload, time=0, metadata=None, capture=None, thread=None, stack=None, activity=None,
               related=None, labels=None, is_sorted=False):
    """Each of them as it stands in the file; capture: (sequence, thread, processor)"""
    flags, out = 0x80 | is_sorted << 6, b''
    for bit, value in ((1, metadata), (2, capture), (4, thread), (8, stack)):
        if value is not None:
            flags |= bit
            out += b''.join(map(var, value if isinstance(value, tuple) else (value,)))
    out += var(time)
    for bit, value in ((16, activity), (32, related)):
        if value is not None:
            flags |= bit
            out += value
    if labels is not None:
        flags |= 16
        out += var(labels)
    return bytes([flags]) + out + var(len(payload)) + payload


def plain(version, payload, time, metadata, sequence, thread, capture=None, processor=0, stack=0,
          activity=NONE, related=NONE, labels=0, is_sorted=False):
    out = struct.pack('<IIQQIIQ', metadata | (0 if is_sorted else 1 << 31), sequence, thread,
                      thread if capture is None else capture, processor, stack, time)
    out += activity + related if version < 6 else struct.pack('<I', labels)
    out += struct.pack('<I', len(payload)) + payload
    out = struct.pack('<I', len(out)) + out
    return out + (padding(len(out)) if version < 6 else b'')


def metadata(version, rows):
    if version >= 6:
        return METADATA, bytes(2) + b''.join(struct.pack('<H', len(x)) + x for x in rows)
    return METADATA, heads([compressed(x) for x in rows])


def events(blobs, is_compressed=True):
    return EVENTS, heads(blobs, is_compressed)


def stacks(first, *lists, pointer='Q'):
    out = struct.pack('<II', first, len(lists))
    for addresses in lists:
        content = struct.pack('<%d%s' % (len(addresses), pointer), *addresses)
        out += struct.pack('<I', len(content)) + content
    return STACKS, out


def point(version, time, threads, flags=0):
    """threads: (thread, sequence)"""
    if version >= 6:
        return POINT, struct.pack('<QII', time, flags, len(threads)) + \
            b''.join(var(x) for pair in threads for x in pair)
    return POINT, struct.pack('<QI', time, len(threads)) + \
        b''.join(struct.pack('<QI', *x) for x in threads)


def threads(*rows):
    """(index, process, thread)"""
    out = b''
    for index, pid, tid in rows:
        row = var(index) + b'\1' + text_of('named') + b'\2' + var(pid) + b'\3' + var(tid)
        out += struct.pack('<H', len(row)) + row
    return THREADS, out


def labels(first, *lists):
    """Of each: (kind, bytes)"""
    out = struct.pack('<II', first, len(lists))
    for entries in lists:
        for i, (kind, content) in enumerate(entries):
            out += bytes([kind | (i == len(entries) - 1) << 7]) + content
    return LABELS, out


def small(version):
    """A file with a block of each kind"""
    fields = [('number', INT32), ('text', STRING), ('both', OBJECT, [('x', INT16), ('y', GUID)])]
    payload = struct.pack('<i', 1) + wide('x') + bytes(18)
    rows = [row_4(1, 'A-Provider', 10, 'WorkStart', fields, tags=tag(OPCODE_TAG, b'\1')),
            row_4(2, 'A-Provider', 11, 'List',
                  tags=tag(FIELDS_TAG, fields_5([('l', ARRAY, INT8)])))]
    tid, first, last = 71, [], []
    if version >= 6:
        tid, first = 1, [threads((1, 70, 71)), labels(1, [(1, bytes(16)), (2, bytes(16))])]
        last = [(REMOVED, var(1) + var(3))]
        rows = [row_6(1, 'A-Provider', 10, 'WorkStart', fields, struct.pack('<BQ', 3, 1)),
                row_6(2, 'A-Provider', 0, 'List', [('l', ARRAY, INT8), ('f', FIXED, CHAR8, 2)])]
    blobs = [compressed(payload, 9000, 1, (0, tid, 0), tid, 1, labels=1 if version >= 6 else None),
             compressed(payload, 5), compressed(b'\1\0\5ab', 5, 2, is_sorted=True)]
    blocks = [*first, metadata(version, rows), stacks(1, [1, 2, 3]), events(blobs),
              events([plain(version, payload, 9100, 1, 4, tid)], False),
              point(version, 9500, [(tid, 5)], *([3] if version >= 6 else [])), *last]
    return file_of(version, blocks)
