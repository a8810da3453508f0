# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What tests of the reader build beyond tests/lib/etwtest/etlfile.py: other widths, forms, damage."""
import struct

from etwtest import etlfile as e


def hooked(hook, version, payload, time, kind=0x11, tid=7, pid=4):
    """A record of a kernel event, with any header that kernel events can have."""
    size = {1: 0x20, 2: 0x20, 3: 0x18, 4: 0x18, 0x10: 0x10, 0x11: 0x10}[kind]
    head = struct.pack('<HBBHH', version, kind, 0xC0, size + len(payload), hook)
    if kind < 5:
        head += struct.pack('<II', tid, pid)
    head += struct.pack('<Q', time)
    if kind < 3:
        head += struct.pack('<II', 5, 6)
    return head + payload


def classic(guid, opcode, version, payload, time, kind=0x14, tid=7, pid=8, level=0):
    return struct.pack('<HBBBBHIIQ16sII', 0x30 + len(payload), kind, 0xC0, opcode, level, version,
                       tid, pid, time, guid, 0, 0) + payload


def item(kind, data, more):
    step = (8 + len(data) + 7) & -8
    return struct.pack('<HHHH', step, kind, more, len(data)) + data + bytes(step - 8 - len(data))


def items(*chain):
    return b''.join(item(kind, data, i + 1 < len(chain)) for i, (kind, data) in enumerate(chain))


def described(name, fields, payload, time, provider=bytes(range(16)), traits=b'Provider\0', kind=0xC013):
    """A TraceLogging event; @fields: the bytes of their descriptions."""
    schema = b'\0' + name + b'\0' + fields
    schema = struct.pack('<H', 2 + len(schema)) + schema
    chain = items((12, struct.pack('<H', 2 + len(traits)) + traits), (11, schema))
    record = bytearray(e.event(provider, 0, chain + payload, time, flags=1))
    struct.pack_into('<H', record, 2, kind)
    record[0x2B] = 0x0B
    return bytes(record)


def length_code(length, half):
    """The bytes behind a match of @length >= 10, and the place of its half byte."""
    rest, length = length - 3, length - 10
    nibble = min(length, 15)
    out = b'' if nibble < 15 else bytes([min(length - 15, 255)])
    if nibble == 15 and length - 15 >= 255:
        out += struct.pack('<H', rest) if rest < 0x10000 else struct.pack('<HI', 0, rest)
    return nibble, out


def xpress(data):
    """Compress with Plain LZ77, greedily; suitable data give every length that the format has."""
    out, flags_at, bits, half, at, seen = bytearray(4), 0, [], None, 0, {}
    while at < len(data):
        if len(bits) == 32:
            struct.pack_into('<I', out, flags_at, int(''.join(bits), 2))
            flags_at, bits = len(out), []
            out += bytes(4)
        found, length = seen.get(data[at:at + 3]), 0
        if found is not None and at - found <= 0x2000 and at + 3 <= len(data):
            length = 3
            while at + length < len(data) and data[found + length] == data[at + length]:
                length += 1
        if length:
            bits.append('1')
            out += struct.pack('<H', (at - found - 1) << 3 | min(length - 3, 7))
            if length >= 10:
                nibble, more = length_code(length, half)
                if half is None:
                    half = len(out)
                    out.append(nibble)
                else:
                    out[half] |= nibble << 4
                    half = None
                out += more
        else:
            bits.append('0')
            out.append(data[at])
        for i in range(at, at + max(length, 1)):
            seen[data[i:i + 3]] = i
        at += max(length, 1)
    # the remaining bits announce a match, but no data follow: the end
    struct.pack_into('<I', out, flags_at, int(''.join(bits).ljust(32, '1'), 2))
    return bytes(out)


def compressed(records, size=None, pack=xpress, **place):
    plain = e.buffer(records, size=size or e.BS, **place)
    end = struct.unpack_from('<I', plain, 0x30)[0]
    body = pack(plain[0x48:end])
    head = bytearray(plain[:0x48])
    struct.pack_into('<I', head, 0, 0x48 + len(body))
    struct.pack_into('<H', head, 0x34, place.get('flags', 0x20) | 0x40)
    return bytes(head) + body
