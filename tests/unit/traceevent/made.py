# SPDX-License-Identifier: GPL-2.0
"""Traces that are built byte by byte, into a folder: made.py DIRECTORY"""
import os
import struct
import subprocess
import sys

from etwtest import etlfile as e
from etwtest import harness

SEQUENTIAL, CIRCULAR, APPEND = 1, 2, 4


def save(name, content):
    with open(os.path.join(sys.argv[1], name), 'wb') as file:
        file.write(content)


def stream(mode, later, buffers):
    """A session with the system's clock, which begins that much later than T0"""
    header = bytearray(e.header_buffer(clock=2, mode=0x02000000 | mode))
    masks = 0x48 + (struct.unpack_from('<H', header, 0x4C)[0] + 7 & ~7)
    for record in 0x48, masks:
        struct.pack_into('<Q', header, record + 0x10, e.T0 + later)
    struct.pack_into('<Q', header, 0x170, e.START + later)
    times = [e.T0 + later + 100 * i for i in range(1, buffers + 1)]
    return bytes(header) + b''.join(
        e.buffer([e.anchor(time, 1), e.cswitch(1, 2, time + 1), e.cswitch(2, 1, time + 2)],
                 sequence=i + 1, time=time + 9, flags=0x21 if i == buffers - 1 else 0x20)
        for i, time in enumerate(times))


def record(name, mode, size, content):
    """What the writer of a session's file makes of the stream"""
    subprocess.run([harness.FEED, os.path.join(sys.argv[1], name), str(mode), str(size), str(e.BS)],
                   input=content, check=True, stdout=subprocess.DEVNULL)


harness.writer_feed()
record('circular.etl', CIRCULAR, 5 * e.BS, stream(CIRCULAR, 0, 9))
record('appended.etl', APPEND, 0, stream(SEQUENTIAL, 0, 3))
record('appended.etl', APPEND, 0, stream(SEQUENTIAL, 10**8, 3))
save('closed.etl', e.good())
save('other.etl', e.good())
save('unclosed.etl', e.good(closed=False))
save('cut.etl', e.good()[:3 * e.BS + 0x200])
save('counters.etl', e.with_records([
    e.cswitch(1, 2, e.T0 + 20, version=0x0204, items=bytes(range(16))),
    e.cswitch(2, 1, e.T0 + 21, version=0x8204, items=bytes(range(24)))]))
save('event.etl', e.with_records([e.event(bytes(range(16)), 7, b'data', e.T0 + 20)]))
