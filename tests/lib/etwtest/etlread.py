# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Read buffers and records of a trace without the code of our reader."""
import struct

HEAD = 0x48
COMPRESSED = 0x40


def unpacked(data, size):
    """The format that MS-XCA calls Plain LZ77."""
    out, at, half, left, flags = bytearray(), 0, None, 0, 0
    while len(out) < size:
        if not left:
            flags, left, at = struct.unpack_from('<I', data, at)[0], 32, at + 4
        left -= 1
        if not flags >> left & 1:
            out.append(data[at])
            at += 1
            continue
        word = data[at] | data[at + 1] << 8
        length, begin, at = word & 7, len(out) - (word >> 3) - 1, at + 2
        if length == 7:
            if half is None:
                length, half, at = data[at] & 15, at, at + 1
            else:
                length, half = data[half] >> 4, None
            if length == 15:
                length, at = data[at] + 15, at + 1
                if length == 270:
                    length, at = struct.unpack_from('<H', data, at)[0] - 7, at + 2
            length += 7
        length += 3
        piece = out[begin:begin + length]
        out += (piece * (length // len(piece) + 1))[:length]
    return bytes(out)


def buffers(content):
    """Yield (header, all records) of each buffer; compressed buffers are unpacked."""
    at = 0
    while at + HEAD <= len(content):
        size, end = (struct.unpack_from('<I', content, at + n)[0] for n in (0, 0x30))
        if not size or at + size > len(content):
            return
        head = content[at:at + HEAD]
        if head[0x34] & COMPRESSED:
            body = unpacked(content[at + HEAD:at + size], end - HEAD)
        else:
            body = content[at + HEAD:at + min(end, size)]
        yield head, body
        at += size


def records(body):
    """Yield each record of a buffer, without the padding behind it."""
    i = 0
    while i + 0x10 <= len(body):
        length = struct.unpack_from('<H', body, i + (4 if is_hooked(body[i:i + 4]) else 0))[0]
        if length < 8:
            return
        yield body[i:i + length]
        i += (length + 7) & -8


def is_hooked(record):
    """Whether its header has a hook id"""
    return record[3] & 0xF0 == 0xC0 and record[2] in (1, 2, 3, 4, 0x10, 0x11)
