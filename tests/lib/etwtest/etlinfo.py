# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Builds descriptions of manifest events: TRACE_EVENT_INFO and EVENT_MAP_INFO."""
import struct

from etwtest import etlmore as m
from etwtest.etlmore import e

METADATA = bytes.fromhex('c1f6ccbbd16cc44880ff839482e37671')
GUID = bytes(range(16))
# LogFileMode of a file that may contain descriptions
RELOG = 0x02010000
STRUCT, LENGTH_OF, COUNT_OF, FIXED_LENGTH, FIXED_COUNT = 1, 2, 4, 0x10, 0x20
UTF16, ANSI, U8, I16, U16, I32, U32, U64 = 1, 2, 4, 5, 6, 7, 8, 10


def prop(name, kind, out=0, count=1, length=0, flags=0, names=None):
    return name, flags, kind, out, count, length, names


def struct_of(name, first, members, count=1, flags=0):
    return name, flags | STRUCT, first, members, count, 0, None


def info(ident, *properties, version=0, task='Task', opcode='win:Info', provider='Some-Provider',
         guid=GUID, top=None):
    """TRACE_EVENT_INFO"""
    text, at = b'', 112 + 24 * len(properties)

    def place(string):
        nonlocal text
        if not string:
            return 0
        text += e.wide(string)
        return at + len(text) - len(e.wide(string))

    names = [place(provider), 0, 0, 0, place(task), place(opcode)]
    entries = b''.join(
        struct.pack('<IIHHIHHI', flags, place(name), kind, out, place(names), count, length, 0)
        for name, flags, kind, out, count, length, names in properties)
    return guid + bytes(16) + struct.pack('<HBBBBHQ', ident, version, 0, 4, 0, 1, 0) + \
        struct.pack('<7I', 0, *names) + bytes(24) + \
        struct.pack('<III', len(properties), len(properties) if top is None else top, 1) + \
        entries + text


def map_of(name, flag, *entries, guid=GUID):
    """The provider and EVENT_MAP_INFO"""
    text, numbers, at = e.wide(name), b'', 16 + 8 * len(entries)
    for value, string in entries:
        numbers += struct.pack('<II', at + len(text), value)
        text += e.wide(string)
    return guid + struct.pack('<IIII', at, flag, len(entries), 0) + numbers + text


def described(content, time=e.T0 + 2):
    is_map = content[20:24] in (b'\1\0\0\0', b'\2\0\0\0')
    return m.classic(METADATA, 33 if is_map else 32, 0, content, time)
