# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Writes trace.dat files of version 6, by their documented format (trace-cmd.dat.v6(5))."""
import struct

PAGE = 4096
HEADER_PAGE = b'''\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
'''
HEADER_EVENT = b'''# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
'''
MISSED, STORED = 1 << 31, 1 << 30


def sized(text, kind='<Q'):
    return struct.pack(kind, len(text)) + text


def event(delta, raw):
    """A record of a page: nanoseconds since the one before, the fields"""
    raw += bytes(-len(raw) % 4)
    if len(raw) <= 4 * 28:
        return struct.pack('<I', len(raw) // 4 | delta << 5) + raw
    return struct.pack('<II', delta << 5, len(raw) + 4) + raw


def pages(records, missed=0, gap=None):
    """
    Pages of a processor. @records: [(time, raw)]; @missed: events lost before the second page, -1:
    an unknown number; @gap: index of the first record of that page, if the first page is not full
    """
    result, body, begin, last, flags = [], b'', None, None, 0

    def end():
        tail = struct.pack('<Q', missed) if flags & STORED else b''
        page = struct.pack('<QQ', begin, len(body) | flags) + body + tail
        result.append(page.ljust(PAGE, b'\0'))

    for i, (time, raw) in enumerate(records):
        if begin is not None and (i == gap or len(body) + len(raw) + 8 > PAGE - 32):
            end()
            body, begin, flags = b'', None, 0
            if missed and len(result) == 1:
                flags = MISSED | (STORED if missed > 0 else 0)
        if begin is None:
            begin = last = time
        body += event(time - last, raw)
        last = time
    end()
    return b''.join(result)


def file_of(processors, systems, names=(), ftrace=()):
    """A trace.dat. @processors: pages of each; @systems: {system: [format]}; @names: [(tid, name)]"""
    head = b'\x17\x08\x44tracing6\0\0\x08' + struct.pack('<I', PAGE)
    head += b'header_page\0' + sized(HEADER_PAGE) + b'header_event\0' + sized(HEADER_EVENT)
    head += struct.pack('<I', len(ftrace)) + b''.join(map(sized, ftrace))
    head += struct.pack('<I', len(systems))
    for system, formats in systems.items():
        head += system.encode() + b'\0' + struct.pack('<I', len(formats)) + \
            b''.join(map(sized, formats))
    head += sized(b'', '<I') + sized(b'', '<I')
    head += sized(b''.join(b'%d %s\n' % (tid, name.encode()) for tid, name in names))
    head += struct.pack('<I', len(processors)) + b'options  \0' + struct.pack('<H', 0)
    head += b'flyrecord\0'
    at, table = len(head) + 16 * len(processors), b''
    at += -at % PAGE
    first = at
    for content in processors:
        table += struct.pack('<QQ', at, len(content))
        at += len(content)
    return (head + table).ljust(first, b'\0') + b''.join(processors)
