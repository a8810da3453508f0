#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Small files of every form for the fuzzer of the import: import_seeds.py DIRECTORY

They are perf.data, .nettrace, and what the libraries give the import of a trace.dat or a CTF trace:
import_fuzz.c has the names that a number stands for.
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../../unit/import'))
import nettrace         # noqa: E402 pylint: disable=wrong-import-position
import perfdata as p    # noqa: E402 pylint: disable=wrong-import-position

T0 = 1000
ATTRS = [(p.attr(p.SOFTWARE, 0), 1), (p.attr(p.TRACEPOINT, 300, p.TYPE | p.RAW), 2),
         (p.attr(p.TRACEPOINT, 302, p.TYPE | p.RAW), 3),
         (p.attr(p.TRACEPOINT, 310, p.TYPE | p.RAW), 4),
         (p.attr(p.TRACEPOINT, 311, p.TYPE | p.RAW), 5)]
FEATURES = {p.TRACING: p.tracing_data({
    'sched': [p.format_of('sched_switch', 300, p.SWITCH_FIELDS)],
    'block': [p.format_of('block_rq_issue', 310, p.BLOCK_FIELDS),
              p.format_of('block_rq_complete', 311, p.BLOCK_FIELDS)],
    'test': [p.format_of('other', 302, p.OTHER_FIELDS)]}),
            p.IDS: p.build_id('/bin/a', bytes(20)), p.CLOCK_DATA: p.clock(10**18, T0)}
SWITCH = p.raw(300, 'old', ('<ii', 7, 120), ('<q', 1), 'new', ('<ii', 8, 120))
OTHER = p.raw(302, ('<I', 4 << 16 | 38), ('<III', 1, 2, 3), ('<b', -1), ('<Q', 9)) + b'text\0name'
REQUEST = [p.raw(310 + i, ('<I', 8), ('<Q', 100), ('<I', 8)) + b'FWS\0\0\0\0\0' for i in (0, 1)]
RECORDS = [p.fork(2, 0), p.comm(2, 'kthreadd'), p.fork(7, 1), p.comm(7, 'a'),
           p.mmap(-1, 0xFFFFFFFF81000000, 0x1000, '[kernel.kallsyms]_text'),
           p.mmap2(7, 0x400000, 0x1000, '/bin/a', ident=bytes(20)),
           p.sample(1, T0, chain=(p.KERNEL, 2**64 - 8192, p.USER, 0x401000)),
           p.sample(2, T0 + 1, raw=SWITCH, chain=(p.USER, 0x401000)),
           p.sample(3, T0 + 2, raw=OTHER), p.record(p.ROUND, b''), p.fork(9, 7, T0 + 3),
           p.comm(9, 'b', T0 + 4, misc=p.EXEC), p.lost(3, T0 + 5), p.switch(T0 + 6, 7, True, 8),
           p.record(p.THROTTLE, bytes(24) + p.sample_id(T0 + 7)),
           p.record(p.TIME_CONV, struct.pack('<QQQ', 10, 512, 0)),
           p.sample(4, T0 + 8, raw=REQUEST[0]), p.sample(5, T0 + 9, raw=REQUEST[1]),
           p.fork(9, 7, T0 + 10, kind=p.EXIT)]

STACKS = [(p.attr(p.SOFTWARE, 0, p.TYPE | p.REGISTERS | p.STACK | p.CGROUP, registers=0xFF0FFF,
                  stack=512), 1)]
REST = p.copy_of_stack([*7 * [0], 0x7FFE00000000, 0x402100, *11 * [0]], struct.pack('<Q', 0x402200) * 16)
UNWOUND = [p.mmap2(7, 0x402000, 0x8000, '/bin/true', offset=0x2000),
           p.record(p.CGROUP_RECORD, struct.pack('<Q', 40) + p.padded('/group') + p.sample_id(0)),
           p.sample(1, T0, chain=(p.KERNEL, 2**64 - 8192), rest=REST + struct.pack('<Q', 40))]
FORMATS = p.tracing_data({'test': [p.format_of('more', 400 + i, p.BLOCK_FIELDS) for i in range(9)]})
TRACING = p.record(p.TRACING_DATA, struct.pack('<I', len(FORMATS))) + FORMATS + bytes(-len(FORMATS) % 8)
ROUNDS = [p.record(p.ROUND, b'')] * 3


NUMBER, TEXT, AT = 0, 3, 4
# (name, kind, size) of each field of a format, by the format
SOURCES = {0: [(5, TEXT, 16), (2, NUMBER, 4), (3, NUMBER, 4), (4, NUMBER, 8), (8, TEXT, 16),
               (6, NUMBER, 4), (7, NUMBER, 4)],
           **{x: [(0, NUMBER, 4), (9, NUMBER, 4)] for x in (2, 3, 4, 8)},
           5: [(0, NUMBER, 4), (9, NUMBER, 4), (10, NUMBER, 4), (11, NUMBER, 4)],
           6: [(12, NUMBER, 4), (13, NUMBER, 4), (14, NUMBER, 4), (15, TEXT, 16)],
           7: [(0, NUMBER, 4), (16, AT, 4)],
           9: [(0, NUMBER, 4), (1, NUMBER, 4), (17, NUMBER, 4), (18, TEXT, 16), (19, NUMBER, 4)],
           **{x: [(20, NUMBER, 4), (21, NUMBER, 8), (22, NUMBER, 4), (23, TEXT, 8)]
              for x in (10, 11)},
           **{x: [(24, NUMBER, 4), (25, NUMBER, 4)] for x in (12, 13)},
           **{x: [(26, NUMBER, 4)] for x in (14, 15)},
           **{x: [(27, NUMBER, 8), (25, NUMBER, 8)] for x in (16, 17, 19, 20, 21)},
           23: [(29, 2, 8), (30, NUMBER, 1), (31, NUMBER, 1)]}


def source():
    """Each format, and events of them, with a loss"""
    result = b'SOURCE'
    for name, fields in SOURCES.items():
        result += bytes((0, name, len(fields)))
        offset = 0
        for field, kind, size in fields:
            result += struct.pack('<BBHHB', kind, field, offset, size, size.bit_length() - 1)
            offset += size
    for turn in range(3):
        for kind in range(len(SOURCES)):
            raw = bytes((8 + turn, 0, 0, 0, 7, 0, 0, 0)) * 7
            result += struct.pack('<BHBBBBBB', 2, 100, 1, kind, turn, 7, 7, len(raw)) + raw
        result += struct.pack('<BHBB', 1, 10, 3, 0)
    return result


def main(folder):
    files = {'file': p.file_of(RECORDS, ATTRS, FEATURES), 'piped': p.piped(RECORDS, ATTRS, FEATURES),
             'packed': p.file_of(p.packed(RECORDS, 2), ATTRS, FEATURES),
             'twice': p.piped([*RECORDS[6:9], *ROUNDS, TRACING, *RECORDS[6:9]], ATTRS, FEATURES),
             'stacks': p.file_of(UNWOUND, STACKS, FEATURES),
             'source': source(),
             'plain': p.file_of(RECORDS[2:7], ATTRS[:1]),
             **{'nettrace%d' % x: nettrace.small(x) for x in (4, 5, 6)}}
    for name, content in files.items():
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(content)


main(sys.argv[1])
