#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Files with damage: nothing runs away, and what is sound around it is read."""
import os
import random
import struct

import checks
from etwtest import etlmore as m
from etwtest import pack
from etwtest.etlmore import e
from etwtest.tier import stride
from made_files import TOOL, events, run, save

# how buffers are compressed, and what a first buffer may have in State
METHODS = ((m.xpress, (3, 2)), (pack.lznt1, (2, 3)), (pack.xpress_huffman, (4, 3)))


def tracelogging_can_not_run_away():
    # 65535 times a structure of 65535 times a structure of nothing
    bomb = b'a\0\x38\x01\xff\xff' + b'b\0\x38\x01\xff\xff' + b'c\0\x00'
    deep = b''.join(b's\0\x98\x01' for _ in range(60)) + b'x\0\x04'
    wild = b'x\0\x1e'
    names = m.described(b'\x1b[31m"\x9b,', b'\x1b[1m=\0\x04', b'\1', e.T0 + 9,
                        traits=b'\x1b]0;\7\0')
    records = [m.described(b'E', x, b'\1' * 8, e.T0 + 2) for x in (bomb, deep, wild)] + [names]
    lines = events(e.with_records(records))[3:]
    assert [x.get('truncated', False) for x in lines] == [True, True, True, False], lines
    text = run('dump', save(e.with_records(records)))
    assert '\x1b' not in text and '\x9b' not in text, text


def compressed_buffers():
    chance = random.Random(3)
    runs = [b'', b'a' * 9, b'ab' * 40, bytes(300), bytes(70000 - 8), chance.randbytes(900) * 2] + \
        [bytes(n) + b'x' for n in (3, 9, 10, 24, 25, 26, 278, 279, 280, 281)]
    payloads = [bytes(chance.choice(b'abcd') for _ in range(n)) + x[:60000]
                for n, x in enumerate(runs)]
    records = [e.perfinfo(0x1FF, 9, x, e.T0 + 2 + i) for i, x in enumerate(payloads)]
    log = bytearray(e.header_buffer(end=e.END, written=2, mode=0x06000000, size=0x40000))
    # what the first buffer says is believed, and the rest is tried as well
    for function, states in METHODS:
        packed = m.compressed(records, size=0x40000, pack=function, sequence=1, time=e.T0 + 900)
        for state in states:
            log[0x2C] = state
            lines = events(log + packed)[2:]
            assert [bytes.fromhex(x['fields'].get('Payload', '')) for x in lines] == payloads
            assert run.said == '', (function, state, run.said)
            run('check', save(log + packed))


def compressed_damage_is_reported():
    records = [e.cswitch(5, 6 + i, e.T0 + 2 + i) for i in range(40)]
    log = bytearray(e.header_buffer(end=e.END, written=2, mode=0x06000000))
    for function, states in METHODS:
        log[0x2C] = states[0]
        good = m.compressed(records, pack=function, sequence=1, time=e.T0 + 900)
        second = m.compressed([e.cswitch(1, 2, e.T0 + 99)], pack=function, sequence=2,
                              time=e.T0 + 900)
        for at in range(0x48, len(good), stride(3 if function == m.xpress else 11)):
            bad = bytearray(good)
            bad[at] ^= 0xFF
            lines = events(log + bad + second)
            assert lines[-1]['fields'].get('NewThreadId') == 1, at
            assert 'skipped' in run.said or len(lines) == 43, (at, len(lines), run.said)
        # an Offset that is too low, or too high: the header stands in the clear
        end, size = struct.unpack_from('<I', good, 0x30)[0], len(e.cswitch(1, 2, e.T0))
        for wrong in (0, 0x47, 0x48, 0x4C, end - 30 * size, end - 4 * size, end + 8, end + 0x4000):
            bad = bytearray(good)
            struct.pack_into('<I', bad, 0x30, wrong)
            lines = events(log + bad + second)
            assert lines[-1]['fields'].get('NewThreadId') == 1, wrong
            assert 'skipped: ' in run.said, (states, wrong, run.said)
            assert wrong > end or 'larger than in its header' in run.said, (wrong, run.said)
            run('check', save(log + bad + second), code=3)
    # a broken size: what follows can begin anywhere
    good, second = (m.compressed([e.cswitch(1, 2, e.T0 + 99)], sequence=n, time=e.T0 + 900)
                    for n in (1, 2))
    bad = struct.pack('<I', 0x40000000) + good[4:]
    assert events(log + second + bad + second)[-1]['fields']['NewThreadId'] == 1
    assert 'are no buffers: skipped' in run.said, run.said


def a_bomb_has_a_bound():
    """A few bytes unpack to 16 MiB, never more; what is read and printed goes with that."""
    record = e.pad(e.perfinfo(0x1FF, 9, b'', e.T0 + 2))
    size, most = len(record), (16 << 20) - 0x48
    log = bytes(e.header_buffer(end=e.END, written=2, mode=0x06000000))

    def bomb(count, logged=None):
        # bytes as they are, one match of all the rest, and its length in 32 bits
        body = struct.pack('<I', (1 << (32 - size)) - 1) + record
        body += struct.pack('<HBBHI', (size - 1) << 3 | 7, 15, 255, 0, (count - 1) * size - 3)
        head = bytearray(m.compressed([record], sequence=1, time=e.T0 + 900)[:0x48])
        struct.pack_into('<I', head, 0, 0x48 + len(body))
        struct.pack_into('<I', head, 0x30, logged or 0x48 + count * size)
        return save(log + head + body)

    def lines(path):
        return run('dump', path, tool=TOOL).splitlines()

    few, many = lines(bomb(1000)), lines(bomb(2000))
    assert len(few) - 2 == 1000 and len(many) - 2 == 2000, (len(few), len(many))
    assert len({len(x) for x in few[2:] + many[2:]}) == 1, few[:4]
    for logged in None, 64 << 20, 0xFFFFFFFF:
        path = bomb(most // size if logged is None else (64 << 20) // size, logged)
        assert os.path.getsize(path) < len(log) + 0x48 + 64
        # the records are only looked at where they are: memory for one buffer is enough
        words = ['-c', 'ulimit -v 65536 && exec "$@"', 'bash', TOOL, 'dump', '--count', path]
        counted = run(*words, tool='bash').splitlines()
        assert counted[0].split()[0] == str(most // size + 2), counted
        assert ('skipped' in run.said) == bool(logged), run.said


def damaged_records_are_skipped():
    records = [e.cswitch(i, i + 1, e.T0 + 2 + i) for i in range(9)]
    for offset, value in ((3, 0x41), (2, 0x77), (4, 3), (5, 0xFF)):
        content = e.with_records(records)
        # behind the anchor of 0x88 bytes and three of them
        content[e.BS + 0x48 + 0x88 + 3 * 0x28 + offset] = value
        lines = events(content)[3:]
        switches = [x['fields']['NewThreadId'] for x in lines if x['event'] == 'Thread/CSwitch' and
                    not x.get('truncated') and 'Rest' not in x['fields']]
        assert {0, 1, 2, 7, 8} <= set(switches), (offset, value, switches)
        assert 'skipped' in run.said, (offset, value, run.said)


def damaged_buffers_are_skipped():
    for size in (0, 0x47, 0x48, 0x49, 0x800, e.BS - 8, e.BS + 8, 2 * e.BS, 0x7FFFFFFF):
        content = e.good()
        struct.pack_into('<I', content, 2 * e.BS, size)
        assert len(events(content)) == 16, size
        assert '4096 bytes in 1 places, the first at 0x2000' in run.said, run.said
        run('check', save(content), code=3)
        run('stat', save(content))


def one_wrong_size_hides_no_other_buffer():
    # the header buffer and its event have the size of all: either may be wrong
    for size in (0x800, e.BS - 8, e.BS + 8, 2 * e.BS, 4 * e.BS):
        content = e.good()
        struct.pack_into('<I', content, 0, size)
        assert len(events(content)) == 19, size
        assert ('are no buffers' in run.said) == (size < e.BS), run.said
        run('check', save(content), code=3)
    for size in (0, 0x48, 0x800, 2 * e.BS, 0x7FFFFFFF):
        content = e.good()
        struct.pack_into('<I', content, 0x68, size)
        assert len(events(content)) == 19 and run.said == '', (size, run.said)


def what_is_damaged_is_not_cut_off():
    """Nor left out of what takes the file's place."""
    for closed in (True, False):
        for at in (e.BS, 2 * e.BS, 3 * e.BS):
            for size in (0, 0x800, 2 * e.BS):
                content = e.good(closed)
                struct.pack_into('<I', content, at, size)
                path = save(content)
                run('finalize', path, code=1)
                run('merge', '-o', path + '.all', path, save(e.good(), 'good.etl'), code=1)
                assert 'damaged at 0x%x' % at in run.said, run.said
                run('close', path, code=0 if not closed and at < 3 * e.BS else 1)
                with open(path, 'rb') as file:
                    left = file.read()
                assert left[e.BS:3 * e.BS] + left[3 * e.BS:][:0x34] == \
                    content[e.BS:3 * e.BS] + content[3 * e.BS:][:0x34], (closed, at, size)
                assert len(left) == len(content) and len(events(left)) == len(events(content))
    # of two sizes the larger one would take what is damaged for less than a buffer
    content = e.good(closed=False)
    struct.pack_into('<I', content, 0, 2 * e.BS)
    struct.pack_into('<I', content, 3 * e.BS, 0)
    path = save(content)
    run('close', path, code=1)
    assert open(path, 'rb').read() == content, run.said
    # a circular file would be put in order by it
    content = e.good(closed=False, mode=2)
    struct.pack_into('<I', content, 0, 2 * e.BS)
    path = save(content)
    run('close', path, code=1)
    assert 'another BufferSize' in run.said and open(path, 'rb').read() == content, run.said


checks.run(globals(), ('save', 'run', 'events'))
