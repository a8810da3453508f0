#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The decompressors: examples of MS-XCA section 3, packed here, cut short, damaged."""
import random
import struct
import subprocess
import sys

import checks
from etwtest import etlmore as m
from etwtest import pack

UNPACK = sys.argv[1]
LZNT1, XPRESS, HUFFMAN = 2, 3, 4
PACK = {LZNT1: pack.lznt1, XPRESS: m.xpress, HUFFMAN: pack.xpress_huffman}
ALPHABET = b'abcdefghijklmnopqrstuvwxyz'
ODE = b'F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# D E F# G ' \
    b'F# D E F# G F# E D E A F# F# G A A G F# E D D E F# E D D\0'


def lengths(known):
    """The 256 bytes before the codes; @known: what of them is not 0."""
    table = bytearray(256)
    for at, values in known.items():
        table[at:at + len(values) // 2] = bytes.fromhex(values)
    return bytes(table)


EXAMPLES = [
    ('letters', XPRESS, bytes.fromhex('3f000000') + ALPHABET, ALPHABET),
    ('a long match', XPRESS, bytes.fromhex('ffffff1f61626317000fff2601'), b'abc' * 100),
    ('letters', HUFFMAN, lengths({48: '5055555555555555555555454404', 128: '04'}) +
     bytes.fromhex('d8523ed794115be9195ff9d67cdf8d0400000000'), ALPHABET),
    ('a long match', HUFFMAN, lengths({48: '3023', 128: '02', 143: '20'}) +
     bytes.fromhex('a8dc0000ff2601'), b'abc' * 100),
    ('a song', LZNT1, bytes.fromhex(
        '38b08846232000204720410010a24701a045204400084501507900c04520052413'
        '8805b4024a44ef0358028c091601484500be009e00040118 9000'), ODE),
]


def unpack(pieces):
    """Of each (method, packed, room): what came out, and how many bytes were left."""
    asked = b''.join(struct.pack('<III', method, room, len(data)) + data
                     for method, data, room in pieces)
    done = subprocess.run([UNPACK], input=asked, capture_output=True, timeout=100, check=False)
    said = done.stderr.decode(errors='replace')
    assert not done.returncode and not said, said[-1500:]
    at, answers = 0, []
    for _ in pieces:
        size, left = struct.unpack_from('<II', done.stdout, at)
        answers.append((done.stdout[at + 8:at + 8 + size], left))
        at += 8 + size
    assert at == len(done.stdout)
    return answers


def published_examples():
    for name, method, packed, plain in EXAMPLES:
        (out, left), = unpack([(method, packed, len(plain))])
        assert out == plain and left <= 4, (name, method, out, left)
        # the encoder of these tests agrees with them on the format, if not on each choice
        (out, left), = unpack([(method, PACK[method](plain), len(plain))])
        assert out == plain, (name, method, out)


def texts():
    """What every way to say a length or a distance needs, and codes of each length."""
    chance = random.Random(5)
    yield from (b'x', b'xy', bytes(3), b'ab' * 40, bytes(300), ODE * 40)
    for n in (3, 17, 18, 19, 271, 272, 273, 274, 4095, 4096, 4097, 8192, 65535, 65536, 65537,
              65538, 65539, 65540, 140000):
        yield bytes(n)
        yield b'ab' + bytes(n) + b'ba'
    yield chance.randbytes(70000)
    yield chance.randbytes(5000) * 14
    # each letter twice as often as the one before: codes of up to 15 bits
    yield bytes(chance.choices(range(24), [2 ** -i for i in range(24)], k=60000))
    yield b''.join(chance.choice(ALPHABET.split(b'm')) + chance.randbytes(1) for _ in range(30000))
    # distances of all sizes
    block = chance.randbytes(65000)
    yield block + b''.join(block[-(1 << i):][:5] for i in range(3, 16))


def what_was_packed_comes_out():
    all_ = list(texts())
    pieces = [(method, PACK[method](text), len(text)) for text in all_ for method in PACK]
    seen = set()
    for (method, packed, room), (out, left) in zip(pieces, unpack(pieces)):
        text = all_[len(seen) // 3]
        seen.add(len(seen))
        assert out == text, (method, len(packed), room, len(out))
        assert left <= 4, (method, room, left)
    table = pack.xpress_huffman(all_[-3])[:256]
    assert {x >> shift & 15 for x in table for shift in (0, 4)} >= set(range(8, 15)), table.hex()


def less_room_or_less_input_gives_less():
    text = ODE * 40 + bytes(400)
    for method, function in PACK.items():
        packed = function(text)
        cuts = range(0, len(packed), 7)
        for (out, _), cut in zip(unpack([(method, packed[:n], len(text)) for n in cuts]), cuts):
            assert out == text[:len(out)] and len(out) < len(text), (method, cut)
        for out, _ in unpack([(method, packed, n) for n in range(0, len(text), 61)]):
            assert out == text[:len(out)], method
        rooms = [len(out) for out, _ in unpack([(method, packed, n) for n in range(60)])]
        assert rooms == list(range(60)), (method, rooms)


def damage_stays_inside():
    chance = random.Random(8)
    text = ODE * 30 + chance.randbytes(600) + bytes(700)
    pieces = []
    for method, function in PACK.items():
        good = function(text)
        for _ in range(1500):
            bad = bytearray(good)
            for _ in range(chance.randint(1, 4)):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            pieces.append((method, bytes(bad), len(text) + chance.randint(-50, 50)))
        pieces += [(method, chance.randbytes(400), 5000) for _ in range(300)]
    for (_, _, room), (out, _) in zip(pieces, unpack(pieces)):
        assert len(out) <= room


def codes_that_are_none():
    for name, table in (('none', bytes(256)), ('too many', b'\x11' * 256),
                        ('one is missing', b'\x99' * 255 + b'\x90')):
        (out, _), = unpack([(HUFFMAN, table + bytes(40), 100)])
        assert not out, (name, out)
    # all 512 of them
    (out, _), = unpack([(HUFFMAN, b'\x99' * 256 + bytes(40), 9)])
    assert out == bytes(9), out


def chunks_that_are_none():
    letters = struct.pack('<H', 0x3000 | 25) + ALPHABET
    for name, tail in (('the end', bytes(9)), ('no signature', b'\xff\xff' + bytes(9)),
                       ('nothing to refer to', b'\x02\xb0\x01\0\0')):
        (out, _), = unpack([(LZNT1, letters + tail + letters, 60)])
        assert out == ALPHABET, (name, out)
    (out, _), = unpack([(LZNT1, letters * 2, 60)])
    assert out == ALPHABET * 2, out


checks.run(globals(), ('lengths', 'unpack', 'texts'))
