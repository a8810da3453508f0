# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Reads messages in the wire format of Protocol Buffers, without their descriptions."""
import collections
import struct


def varint(content, at):
    """The number and where the next byte is."""
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            assert shift <= 70, shift
            return value, at


def fields(content):
    """Lists of values by number: a varint is a number, a fixed one its bytes."""
    found, at = collections.defaultdict(list), 0
    while at < len(content):
        tag, at = varint(content, at)
        if tag & 7 == 0:
            value, at = varint(content, at)
        else:
            size = {1: 8, 5: 4}.get(tag & 7)
            if size is None:
                assert tag & 7 == 2, (tag, at)
                size, at = varint(content, at)
            value, at = content[at:at + size], at + size
            assert len(value) == size, (tag, at)
        found[tag >> 3].append(value)
    return found


def packed(values):
    """A repeated number: packed or one by one."""
    numbers = []
    for value in values:
        if isinstance(value, int):
            numbers.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            numbers.append(number)
    return numbers


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def real(value):
    return struct.unpack('<d', value)[0]
