# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Decoder of ETW streams for tests, written from the format's description only."""
import struct
import uuid
from collections import namedtuple

PROVIDER = uuid.UUID('f79c09b4-ca84-44b2-9a15-f6e3111c1b3e')
ANCHOR, LOSS = 1, 2
BUFFER_HEADER = 0x48

Buffer = namedtuple('Buffer', 'at size used time sequence cpu logger state flags type data')
# hook is the hook id of kernel events, (provider, id) of the others; counters
# and pebs are inline items of PERFINFO records
Record = namedtuple('Record', 'hook version time tid pid payload kind cpu counters pebs',
                    defaults=((), None))
Anchor = namedtuple('Anchor', 'qpc filetime monotonic monotonic_raw boottime uncertainty reason')


class FormatError(Exception):
    """The bytes are no ETW stream."""


def need(condition, text):
    if not condition:
        raise FormatError(text)


def buffers(data):
    """All buffers of a stream, checked as far as their headers go."""
    at, found = 0, []
    while at < len(data):
        need(len(data) - at >= BUFFER_HEADER, f'{len(data) - at} bytes behind the last buffer')
        (size, saved, current, references, time, sequence, clock, cpu, logger, state, used,
         flags, kind, r0, r1) = struct.unpack_from('<IIIiqQQHHIIHHQQ', data, at)
        need(size >= 4096 and size % 4096 == 0, f'buffer at {at}: size {size}')
        need(at + size <= len(data), f'buffer at {at}: cut off')
        need(BUFFER_HEADER <= used <= size, f'buffer at {at}: {used} bytes used of {size}')
        need(saved == current == used, f'buffer at {at}: offsets differ')
        need(references == 0 and clock == 0 and r0 == 0 and r1 == 0,
             f'buffer at {at}: a reserved field is set')
        need(sequence == len(found), f'buffer at {at}: sequence {sequence}, not {len(found)}')
        need(not found or size == found[0].size, f'buffer at {at}: another size')
        need(kind == (0 if found else 4), f'buffer at {at}: type {kind}')
        need(len(found) < 2 or time >= found[-1].time, f'buffer at {at}: time goes back')
        need(data.count(b'\xff', at + used, at + size) == size - used,
             f'buffer at {at}: something stands behind its end')
        found.append(Buffer(at, size, used, time, sequence, cpu, logger, state, flags, kind,
                            data[at:at + used]))
        at += size
    need(found, 'empty stream')
    return found


def record_at(data, at, cpu):
    """One record: (Record, its size)."""
    version, kind, flags, size, hook = struct.unpack_from('<HBBHH', data, at)
    if kind == 0x11 and flags == 0xC0:
        pebs = version >> 15
        items = (version >> 8 & 7) + pebs
        time, *values = struct.unpack_from(f'<q{items}Q', data, at + 8)
        return Record(hook, version & 0xFF, time, None, None,
                      data[at + 16 + 8 * items:at + size], kind, cpu,
                      tuple(values[pebs:]), values[0] if pebs else None), size
    if kind == 2 and flags == 0xC0:
        tid, pid, time = struct.unpack_from('<IIq', data, at + 8)
        return Record(hook, version, time, tid, pid, data[at + 32:at + size], kind, cpu), size
    # EVENT_HEADER begins with its size, marker 0xC013 behind it
    size, marker, _, _, tid, pid, time = struct.unpack_from('<HHHHIIq', data, at)
    need(marker == 0xC013, f'unknown record {data[at:at + 8].hex()}')
    provider = uuid.UUID(bytes_le=bytes(data[at + 24:at + 40]))
    number, version = struct.unpack_from('<HB', data, at + 40)
    return Record((provider, number), version, time, tid, pid, data[at + 80:at + size], 0x13,
                  cpu), size


def records(buffer):
    """The records of a buffer, which have to fill it without a gap."""
    at, last = BUFFER_HEADER, None
    while at < buffer.used:
        record, size = record_at(buffer.data, at, buffer.cpu)
        need(size >= 16 and at + size <= buffer.used,
             f'buffer {buffer.sequence}: record at {at}: size {size}')
        need(last is None or record.time >= last,
             f'buffer {buffer.sequence}: record at {at}: time goes back')
        last = record.time
        yield record
        at += (size + 7) & ~7
    need(at == buffer.used, f'buffer {buffer.sequence}: records end at {at}, not {buffer.used}')


def anchor(record):
    return Anchor(*struct.unpack_from('<QQQQQQI', record.payload))


class Stream:
    """A whole stream: header, buffers, records in time order."""

    def __init__(self, data):
        self.buffers = buffers(data)
        self.records = [r for b in self.buffers for r in records(b)]
        first = self.records[0]
        need(first.hook == 0 and first.kind == 2, 'no logfile header')
        (self.buffer_size, self.major, self.minor, self.sub, self.sub_minor, self.build,
         self.cpus, self.end_time, self.resolution, self.max_file_mb, self.mode,
         self.buffers_written, self.start_buffers, self.pointer_size, self.events_lost,
         self.mhz) = struct.unpack_from('<IBBBBIIQIIIIIIII', first.payload)
        self.boot_time, self.frequency, self.start_time, self.clock, self.buffers_lost = \
            struct.unpack_from('<QQQII', first.payload, 0xF8)
        names = first.payload[0x118:].decode('utf-16-le').split('\0')
        self.logger_name, self.file_name = names[0], names[1]
        last = {}
        for b in self.buffers[1:]:
            for r in records(b):
                # the trailer is of no CPU, but later than all
                need(r.time >= last.get(b.cpu, 0), f'cpu {b.cpu}: time goes back over buffers')
                last[b.cpu] = r.time

    def of(self, hook):
        return [r for r in self.records if r.hook == hook]

    def anchors(self):
        return [anchor(r) for r in self.of((PROVIDER, ANCHOR))]

    def losses(self):
        return self.of((PROVIDER, LOSS))


def load(path):
    with open(path, 'rb') as file:
        return Stream(file.read())
