#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Manifest events that are described in the same file, as merging on Windows writes them."""
import json
import os
import random
import struct
import xml.dom.minidom

from etwtest import harness as h
import checks
from etwtest import etlmore as m
from etwtest.etlinfo import (ANSI, COUNT_OF, FIXED_COUNT, FIXED_LENGTH, GUID, I16, I32,
                     LENGTH_OF, RELOG, U8, U16, U32, U64, UTF16, described, info, map_of, prop,
                     struct_of)
from etwtest.etlmore import e

TEXT = '03020100-0504-0706-0809-0a0b0c0d0e0f'


def file_of(infos, records, mode=RELOG):
    """The descriptions come last, as in files of Windows."""
    last = [described(x, e.T0 + 900 + i) for i, x in enumerate(infos)]
    return h.save(e.header_buffer(size=0x10000, end=e.START + 10**9, written=2, mode=mode) +
                  e.buffer([*records, *last], sequence=1, time=e.T0 + 10**6, flags=0x21,
                           size=0x10000))


def events(infos, records, **how):
    lines = h.run(TOOL, 'dump', '--json', file_of(infos, records, **how)).splitlines()
    return [x for x in map(json.loads, lines) if x['header'] == 'EVENT_HEADER']


def fields(content, payload, ident=7):
    record, = events([content], [e.event(GUID, ident, payload, e.T0 + 2)])
    return {k: v for k, v in record['fields'].items()
            if k not in ('EventId', 'Level', 'Opcode', 'Task', 'Keyword')}, record


def values_of_all_types_have_their_names():
    sid = bytes.fromhex('010100000000000512000000')
    table = [('wide', UTF16, 1, e.wide('w'), 'w'), ('ansi', ANSI, 1, b'abc\0', 'abc'),
             ('i8', 3, 3, b'\xff', -1), ('u8', U8, 4, b'\xff', 255), ('i16', I16, 5, b'\xfe\xff', -2),
             ('u16', U16, 6, b'\1\2', 513), ('i32', I32, 7, b'\xff' * 4, -1),
             ('u32', U32, 8, b'\xff' * 4, 0xFFFFFFFF), ('i64', 9, 9, b'\xff' * 8, -1),
             ('u64', U64, 10, b'\1' + bytes(7), 1), ('float', 11, 11, struct.pack('<f', 0.5), 0.5),
             ('double', 12, 12, struct.pack('<d', -2), -2.0), ('bool', 13, 13, b'\1\0\0\0', 1),
             ('guid', 15, 14, GUID, TEXT), ('pointer', 16, 0, struct.pack('<Q', 4096), '0x1000'),
             ('time', 17, 2, struct.pack('<Q', e.START), e.START),
             ('date', 18, 2, struct.pack('<8H', 2024, 5, 1, 6, 7, 8, 9, 10),
              '2024-05-06 07:08:09.010'),
             ('sid', 19, 0, sid, 'S-1-5-18'), ('hex32', 20, 18, b'\xff\0\0\0', '0xff'),
             ('hex64', 21, 19, b'\xff' + bytes(7), '0xff'),
             ('counted', 22, 1, b'\2\0z\0', 'z'), ('counted_ansi', 23, 1, b'\1\0z', 'z'),
             ('counted2', 300, 1, b'\2\0z\0', 'z'), ('counted_binary', 25, 15, b'\2\0\1\2', '0102'),
             ('character', 306, 1, b'c\0', 'c'), ('ansi_character', 307, 1, b'c', 'c'),
             ('size', 308, 0, struct.pack('<Q', 5), '0x5'), ('port', U16, 22, b'\1\xbd', 445),
             ('ip', U32, 23, b'\x7f\0\0\1', '127.0.0.1'),
             ('ip6', 14, 24, bytes(15) + b'\1', '::1'), ('hex8', U8, 16, b'\x10', '0x10'),
             ('status', U32, 31, b'\5\0\0\xc0', '0xc0000005'),
             ('rest', 304, 1, 'to the end'.encode('utf-16-le'), 'to the end')]
    content = info(7, *(prop(name, kind, out) for name, kind, out, _, _ in table))
    got, record = fields(content, b''.join(x[3] for x in table))
    assert record['event'] == 'Some-Provider/Task' and not record.get('truncated'), record
    assert got == {x[0]: x[4] for x in table}, got


def counts_and_lengths_are_those_of_other_fields():
    content = info(
        7, prop('n', U16), prop('m', U8), prop('numbers', U32, count=0, flags=COUNT_OF),
        prop('names', UTF16, count=1, flags=COUNT_OF), prop('text', UTF16, length=0, flags=LENGTH_OF),
        prop('fixed', ANSI, length=4, flags=FIXED_LENGTH), prop('bytes', 14, length=1, flags=LENGTH_OF),
        prop('pair', I16, count=2, flags=FIXED_COUNT), prop('last', U8))
    payload = struct.pack('<HB', 3, 2) + struct.pack('<III', 1, 2, 3) + e.wide('a') + e.wide('b') + \
        'xyz'.encode('utf-16-le') + b'ab\0d' + b'\xab\xcd' + struct.pack('<hh', -1, 1) + b'\x09'
    got, record = fields(content, payload)
    assert got == {'n': 3, 'm': 2, 'numbers': [1, 2, 3], 'names': 'a', 'names#2': 'b', 'text': 'xyz',
                   'fixed': 'ab', 'bytes': 'abcd', 'pair': [-1, 1], 'last': 9}, record


def descriptions_show_which_event_they_are_of():
    path = file_of([info(7, version=3), map_of('N', 1, (2, 'two'))], [])
    got = [json.loads(x) for x in h.run(TOOL, 'dump', '--json', path).splitlines()][-2:]
    assert [x['event'] for x in got] == ['KernelTraceControl/EventInfo',
                                         'KernelTraceControl/EventMapInfo'], got
    assert [x['fields']['ProviderId'] for x in got] == [TEXT, TEXT], got
    assert (got[0]['fields']['EventId'], got[0]['fields']['EventVersion']) == (7, 3), got


def structures_have_their_members():
    content = info(7, prop('n', U8), struct_of('point', 4, 2), struct_of('list', 6, 2, 0, COUNT_OF),
                   prop('end', U8), prop('x', U8), prop('y', I16),
                   prop('size', U8), prop('text', ANSI, length=6, flags=LENGTH_OF), top=4)
    got, record = fields(content, b'\2' + b'\1\xff\xff' + b'\1a' + b'\2bc' + b'\x07')
    assert got == {'n': 2, 'point.x': 1, 'point.y': -1, 'list[0].size': 1, 'list[0].text': 'a',
                   'list[1].size': 2, 'list[1].text': 'bc', 'end': 7}, record


def numbers_have_the_names_that_maps_give_them():
    infos = [info(7, prop('one', U8, names='Kinds'), prop('bits', U32, names='Flags'),
                  prop('none', U32, names='Missing'), prop('n', U8)),
             map_of('Kinds', 1, (0, 'Zero '), (1, 'One'), guid=GUID[::-1]),
             map_of('Kinds', 1, (0, 'zero '), (1, 'one ')),
             map_of('Flags', 2, (1, 'a'), (6, 'b'), (4, 'c'), (7, 'all'))]
    names = 'one', 'bits', 'none', 'n'
    for values, logged in (((1, 7, 5, 9), ('one', 'a|b', 5, 9)),
                           ((0, 4, 5, 9), ('zero', 'c', 5, 9)),
                         ((2, 0, 5, 9), (2, 0, 5, 9)), ((0, 0x15, 5, 9), ('zero', 'a|c|0x10', 5, 9))):
        got, = events(infos, [e.event(GUID, 7, struct.pack('<BIIB', *values), e.T0 + 2)])
        assert tuple(got['fields'].get(x) for x in names) == logged, (values, got)


def pointers_are_as_wide_as_the_event_says():
    content = info(7, prop('pointer', 16, length=8), prop('size', 308), prop('end', U8))
    record = bytearray(e.event(GUID, 7, struct.pack('<IIB', 4096, 5, 1), e.T0 + 2))
    record[2] = 0x12
    got, = events([content], [bytes(record)])
    assert [got['fields'].get(x) for x in ('pointer', 'size', 'end')] == ['0x1000', '0x5', 1], got


def names_are_those_of_task_and_opcode():
    """In all reports; one that two ids have has the id, and so has an event without a task."""
    infos = [info(1, opcode='win:Start'), info(2, opcode='Own '), info(3, task='Same '),
             info(4, task='Same'), info(5, task='', opcode=''), info(6, provider='', task='T'),
             info(1, prop('new', U8), opcode='win:Start', version=1)]
    records = [e.event(GUID, x, b'', e.T0 + 2 + x) for x in range(1, 8)] + \
        [e.event(GUID, 1, b'\5', e.T0 + 10, version=1), e.event(GUID, 2, b'\5', e.T0 + 11, version=9)]
    expected = ['Some-Provider/Task/Start', 'Some-Provider/Task/Own', 'Some-Provider/Same/3',
                'Some-Provider/Same/4', 'Some-Provider/5', TEXT + '/T', TEXT + '/7',
                'Some-Provider/Task/Start', TEXT + '/2']
    got = events(infos, records)
    assert [x['event'] for x in got] == expected, got
    # what is not described, in that version, stays bytes
    assert got[7]['fields']['new'] == 5 and got[8]['fields']['Payload'] == '05', got
    path = file_of(infos, records)
    for verb in ('stat',), ('dump', '--count'):
        assert '2 Some-Provider/Task/Start\n' in h.run(TOOL, *verb, path), verb
    providers = xml.dom.minidom.parseString(h.run(TOOL, 'dump', '--xml', path)) \
        .getElementsByTagName('Provider')
    names = [x.getAttribute('Name') for x in providers if x.hasAttribute('Name')]
    assert names.count('Some-Provider') == 6, names
    assert ' EventId=3 ' in h.run(TOOL, 'dump', path)


def an_event_that_describes_itself_needs_no_other_description():
    record = m.described(b'Event', b'own\0\x04', b'\1', e.T0 + 2)
    got, = events([info(0, prop('other', U8))], [record])
    assert got['event'] == 'Provider/Event' and got['fields']['own'] == 1, got


def payloads_that_differ_from_their_description_are_noted():
    content = info(7, prop('number', U32))
    for payload, logged in ((bytes(4), None), (bytes(5), '5 bytes, more than described'),
                          (bytes(3), '3 bytes, less than described')):
        got, record = fields(content, payload)
        assert record.get('truncated', False) == (len(payload) < 4), record
        assert got.get('Rest') == ('00' if len(payload) > 4 else None), got
        out = h.run(TOOL, 'check', h.path())
        assert ('note: rule 76: ' in out) == bool(logged) and (logged or '') in out, out


def broken_descriptions_are_harmless():
    whole = info(0, prop('n', U8, names='names'), prop('list', U32, count=0, flags=COUNT_OF),
                 prop('text', UTF16, length=0, flags=LENGTH_OF), struct_of('s', 4, 1, 0, COUNT_OF),
                 prop('x', U8), top=4)
    # a structure that contains itself, without end or very often; more properties than bytes
    deep = info(1, struct_of('a', 0, 1, 60000, FIXED_COUNT))
    wide = info(2, struct_of('a', 1, 1, 60000, FIXED_COUNT), struct_of('b', 2, 1, 60000, FIXED_COUNT),
                prop('null', 0), top=1)
    empty = info(6, prop('n', U32), struct_of('a', 2, 1, 60000, FIXED_COUNT),
                 struct_of('b', 0, 0, 0, COUNT_OF), top=2)
    many, long = bytearray(info(3, prop('x', U8))), bytearray(info(4, prop('x', U8)))
    struct.pack_into('<I', many, 100, 0x10000000)
    struct.pack_into('<I', long, 104, 0xFFFFFFFF)
    unknown = info(5, prop('x', 77), prop('y', U8))
    infos, chance = [deep, wide, many, long, unknown, empty, whole[:111]], random.Random(1)
    for ident in range(10, 150):
        content = bytearray(whole)
        struct.pack_into('<H', content, 32, ident)
        for _ in range(chance.choice((1, 2, 8))):
            content[chance.randrange(48, len(content))] = chance.choice((0, 1, 2, 0x7F, 0xFF))
        infos.append(bytes(content[:chance.choice((len(content), chance.randrange(112, len(content))))]))
    names = map_of('names', 1, (2, 'two'))
    infos += [names[:x] for x in range(24, len(names), 9)]
    infos.append(names[:24] + struct.pack('<I', 0x20000000) + names[28:])
    payload = b'\2' + bytes(range(40))
    for some in infos[:20], infos[:7] + infos[20:60], infos[60:110], infos[110:]:
        got = events(some, [e.event(GUID, x, payload, e.T0 + 2 + x) for x in range(150)])
        assert len(got) == 150, len(got)
        if some[0] is deep:
            assert [bool(x.get('truncated')) for x in got[1:7]] == \
                [True, True, False, False, True, True], got[1:7]
            assert all('Payload' in x['fields'] for x in got[3:5]), got[3:5]


def descriptions_have_a_bound():
    """65 MB of them: those without room are counted, and their events stay bytes. Copies count once."""
    size, whole = 1 << 20, info(0, prop('n', U8))
    record = bytearray(e.pad(described(whole + bytes(0xF000 - len(whole)))))
    path = h.path('many.etl')
    with open(path, 'wb') as file:
        file.write(e.header_buffer(size=size, end=e.START + 10**9, written=73, mode=RELOG))
        file.write(e.buffer([bytes(record)] * 16, sequence=1, time=e.T0 + 99, size=size))
        for number in range(70):
            records = []
            for i in range(16):
                struct.pack_into('<H', record, 0x30 + 32, 16 * number + i)
                records.append(bytes(record))
            file.write(e.buffer(records, sequence=number + 2, time=e.T0 + 99, size=size))
        file.write(e.buffer([e.event(GUID, 1, b'\1', e.T0 + 5), e.event(GUID, 1119, b'\1', e.T0 + 6)],
                            sequence=72, time=e.T0 + 99, size=size))
    out = h.run(TOOL, 'dump', '--range', '0.0000004-0.0000007', path)
    assert '28 descriptions of events ignored: more than 64 MB' in out, out[-300:]
    assert 'Some-Provider/Task' in out and TEXT + '/1119' in out, out
    os.unlink(path)


h.build()
TOOL = h.SANE
checks.run(globals(), ('file_of', 'events', 'fields'))
