#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""
Small files of every form for the fuzzer of the reader: reader_seeds.py DIRECTORY MESSAGES. The
directory has a binary template of a manifest; MESSAGES is its message table.
"""
import os
import struct
import sys

from etwtest import etlinfo
from etwtest import etlmore as m
from etwtest import pack
from etwtest import wevt
from etwtest.etlmore import e

GUID = bytes(range(16))
SIZE = 0x400
T = e.T0


def hooks():
    """A record of every kind of kernel event, a few in a file."""
    groups = {0: (5, 8, 0x20, 0x40, 0x42, 0x50, 0x52), 1: range(10, 16),
              2: (10, 32, 0x62, 0x70, 0x7D, 0x80), 3: (1, 2, 3, 4, 10, 11, 32, 39),
              4: (0, 32, 37, 64, 65, 67, 69, 72, 76, 79),
              5: (1, 3, 0x24, 0x25, 0x29, 0x30, 0x32, 0x35, 0x39, 0x3D, 0x3E, 0x3F, 0x48),
              6: (10, 11, 12, 17, 26, 27, 28), 8: (10, 26), 0xA: (32,), 0xC: (32,),
              0xB: (*range(10, 38),), 0xE: (32, 33), 0x11: (0x20, 0x24, 0x26),
              0xF: (0x22, 0x2E, 0x2F, 0x30, 0x31, 0x32, 0x33, 0x34, 0x43, 0x44, 0x49, 0x64),
              0x14: (2, 3, 33), 0x18: (32, 34, 37), 0x1B: (32,)}
    for group, kinds in groups.items():
        for kind in kinds:
            yield group << 8 | kind


def files():
    version = {3: 4, 0x14: 3, 1: 3, 5: 3, 4: 3}
    for hook in hooks():
        payload = bytes((i * 7) & 0x3F for i in range(64)) + b'a\0b\0\0\0c\0\0\0'
        for header, pointer in ((0x11, 8), (1, 4)):
            yield '%04x-%d' % (hook, pointer), [m.hooked(hook, version.get(hook >> 8, 2), payload,
                                                         T + 2, header)]
    yield 'process', [e.process(0x301, 5, 'x', T + 2), e.process(0x327, 5, 'y', T + 3, tail=bytes(8))]
    for name, pointer, header in (('stacks-8', 'Q', 0x11), ('stacks-4', 'I', 0x10)):
        frames = struct.pack('<6' + pointer, *range(0x1000, 0x1006))
        yield name, [e.perfinfo(0xF2E, 2, struct.pack('<QIHH', 0x1000, 5, 1, 0), T + 2),
                     m.hooked(0x1820, 2, struct.pack('<QII', T + 2, 4, 5) + frames, T + 3, header),
                     m.hooked(0x1822, 2, frames, T + 4, header),
                     e.perfinfo(0xF2E, 2, struct.pack('<QIHH', 0x1000, 5, 1, 0), T + 5),
                     m.hooked(0x1826, 2, struct.pack('<QII' + pointer, T + 5, 4, 5, 0x1000), T + 6,
                              header)]
    yield 'counters', [e.perfinfo(0x524, 0x8704, bytes(24), T + 2, bytes(64))]
    yield 'message', [e.message(9, 0x3B, struct.pack('<I16sQII', 7, GUID, T + 4, 8, 9), b'arg')]
    for number in range(10):
        data = struct.pack('<iiiqhB', 5, 3, -1, 7, -2, 65) + bytes(range(32, 96)) + bytes(4)
        yield 'text%d' % number, [e.message(number, 0x82, GUID, data), e.message(
            number, 0x42, GUID, e.wide('wide') + b'\3\0abc' + data)]
    yield 'classic', [m.classic(GUID, 5, 1, b'x', T + 3), m.classic(GUID, 5, 1, bytes(40), T, 0x15)]
    for guid, code in (('d775e6b35425184f830b2762732560de', (0, 32, 36, 64)),
                       ('91ee799bfdb5c041a2434248e266e9d0', (32, 33, 34, 35)),
                       ('d0a86f3d05fed0119dda00c04fd7ba7c', (1, 3)),
                       ('1d5db12cc15fd211abe100a0c911f518', (2, 10))):
        for opcode in code:
            for version_of in (0, 2):
                yield 'class-%s-%d-%d' % (guid[:4], opcode, version_of), [
                    m.classic(bytes.fromhex(guid), opcode, version_of, bytes(64) + b'a\0\0\0',
                              T + 2)]
    chain = [(kind, bytes(24)) for kind in (1, 2, 4, 5, 6, 8, 13, 16, 17, 18)]
    yield 'items', [e.event(GUID, 3, m.items(*chain) + b'\1', T + 2, flags=1)]
    yield 'string', [e.event(GUID, 3, e.wide('text'), T + 2, flags=4)]
    for kind in range(1, 26):
        for count in (0, 0x20, 0x40, 0x60):
            text = b'f\0' + (bytes([kind | count]) if kind != 24 else bytes([0x98 | count, 1]))
            text += b'\2\0' if count & 0x20 else b''
            text += b'\1' if count == 0x60 else b''
            text += b'g\0\x04'
            yield 'tl-%d-%x' % (kind, count), [m.described(b'E', text, b'\2' + bytes(40), T + 2)]
    yield from described_files()


def described_files():
    """An event, and its description behind it, as in files of Windows."""
    count = etlinfo.prop('n', etlinfo.U8, names='N')
    names = etlinfo.map_of('N', 1, (2, 'two')), etlinfo.map_of('N', 2, (1, 'a'), (2, 'b'))
    for kind in (*range(26), *range(300, 311)):
        for flags in 0, etlinfo.COUNT_OF, etlinfo.LENGTH_OF, etlinfo.FIXED_COUNT:
            info = etlinfo.info(7, count, etlinfo.prop('f', kind, kind, 2 * (flags == 16), 0, flags),
                                etlinfo.struct_of('s', 1, 1))
            yield 'described-%d-%x' % (kind, flags), [
                e.event(GUID, 7, b'\2' + bytes(40), T + 2), etlinfo.described(info, T + 3),
                etlinfo.described(names[kind % 2], T + 4)]


def tmf_files():
    head = '// PDB: x\n03020100-0504-0706-0809-0a0b0c0d0e0f p // SRC=a.c\n'
    block = '#typev a_c1 9 "%%0a \\"%%10!s!\\" \\101\\n" // LEVEL=1 FLAGS=2 FUNC=main\n{\n' \
        'a(b, c), %s -- 10\n}\n'
    for item in ('ItemListLong(A,B)', 'ItemSetLong(A,B=5)', 'ItemEnum(_E)', 'ItemFlagsEnum(_E)',
                 'ItemSid', 'ItemHexDump', 'ItemTimeDelta', 'ItemChar4', 'ItemPWString',
                 'ItemUnknown'):
        text = head + '#enumv _E\n{\nA,0x1\nB,2\n}\n' + block % item
        yield item[4:8], text.encode() + b'\1\2\0\0\0\0\0\5' + bytes(range(1, 20))
    yield 'shared', (head + '#typev a 1 "%10!d!"\n#typev b 2 "line\nend %11!S!"\n\t{\n'
                     'a , ItemLong--10\nb\t,\tItemPtr // 11\n } \n').encode()
    braces = '{03020100-0504-0706-0809-0a0b0c0d0e0f} p\n#typev a 1 "[%9!d!]%8!04X! %4!30s!"\n'
    yield 'utf16', ('\ufeff' + braces).encode('utf-16-le')
    yield 'utf16be', ('\ufeff' + braces).encode('utf-16-be')
    yield 'bom', ('\ufeff' + braces).encode()


def pe_files(directory, messages):
    with open(os.path.join(directory, 'template'), 'rb') as file, open(messages, 'rb') as texts:
        template, table = file.read(), texts.read()
    for bits in 32, 64:
        with open(os.path.join(directory, 'pe%d' % bits), 'wb') as file:
            file.write(wevt.pe(template, table, bits))


def main(directory, messages):
    pe_files(directory, messages)
    for name, records in files():
        mode = etlinfo.RELOG if name.startswith('described') else 0x02000000
        head = e.header_buffer(size=SIZE, end=e.END, written=2, mode=mode)
        with open(os.path.join(directory, name), 'wb') as file:
            file.write(head + e.buffer(records, sequence=1, time=T + 99, size=SIZE))
        if sum(map(ord, name)) % 4 and not name.startswith(('tl', 'described')):
            continue
        with open(os.path.join(directory, name + '-packed'), 'wb') as file:
            file.write(e.header_buffer(size=SIZE, mode=0x04000000 | mode) +
                       m.compressed(records, sequence=1, time=T + 99, size=SIZE))
        for kind, function in (('lznt1', pack.lznt1), ('huffman', pack.xpress_huffman)):
            with open(os.path.join(directory, '%s-%s' % (name, kind)), 'wb') as file:
                file.write(e.header_buffer(size=SIZE, mode=0x04000000 | mode) + m.compressed(
                    records, pack=function, sequence=1, time=T + 99, size=SIZE))
    for name, text in tmf_files():
        with open(os.path.join(directory, 'tmf-' + name), 'wb') as file:
            file.write(text)
    with open(os.path.join(directory, 'good'), 'wb') as file:
        file.write(e.header_buffer(size=SIZE) + b''.join(
            e.buffer(records, size=0x700, **place) for records, place in e.good_buffers()))


main(*sys.argv[1:])
