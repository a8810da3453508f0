# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Builds ETL files byte by byte, from the format's description alone."""
import struct
import uuid

BS = 0x1000
T0 = 1000000
START = 133000000000000000
FREQ = 10000000
OURS = uuid.UUID('f79c09b4-ca84-44b2-9a15-f6e3111c1b3e').bytes_le


def wide(text):
    return text.encode('utf-16-le') + b'\0\0'


def system(hook, version, payload, time, tid=7, pid=4, kernel=1, user=2, kind=2):
    return struct.pack('<HBBHHIIQII', version, kind, 0xC0, 0x20 + len(payload), hook,
                       tid, pid, time, kernel, user) + payload


def perfinfo(hook, version, payload, time, items=b''):
    return struct.pack('<HBBHHQ', version, 0x11, 0xC0, 0x10 + len(items) + len(payload),
                       hook, time) + items + payload


def event(provider, ident, payload, time, flags=0, version=0, tid=7, pid=7):
    return struct.pack('<HHHHIIQ16sHBBBBHQII16s', 0x50 + len(payload), 0xC013, flags, 0, tid,
                       pid, time, provider, ident, version, 0, 4, 0, 0, 0, 0, 0,
                       bytes(16)) + payload


def full(guid, opcode, payload, time):
    return struct.pack('<HBBBBHIIQ16sII', 0x30 + len(payload), 0x14, 0xC0, opcode, 0, 1, 7, 7,
                       time, guid, 0, 0) + payload


def message(number, options, items, payload, flag=0x90):
    size = 8 + len(items) + len(payload)
    return struct.pack('<HBBHH', size, 0, flag, number, options) + items + payload


def pad(record):
    return record + bytes(-len(record) % 8)


def buffer(records, cpu=0, sequence=0, time=0, flags=0x20, kind=0, logger=3, size=BS):
    body = b''.join(pad(r) for r in records)
    end = 0x48 + len(body)
    assert end <= size, hex(end)
    head = struct.pack('<IIIiqQQHHIIHHQQ', size, end, end, 0, time, sequence, 0, cpu, logger, 3,
                       end, flags, kind, 0, 0)
    return head + body + b'\xff' * (size - end)


def logfile(cpus=2, end=0, written=0, lost=0, clock=1, mode=0x02000000, size=BS,
            pointer=8, system=(10, 0)):
    return struct.pack('<IBBBBIIQIIIIIIII', size, *system, 1, 5, 19041, cpus, end, 40000, 0,
                       mode, written, 1, pointer, lost, 2000) + bytes(2 * pointer + 0xAC) + \
        struct.pack('<IQQQII', 0, START - 10**9, FREQ, START, clock, 0) + \
        wide('test') + wide('file.etl')


def header_buffer(**values):
    size = values.get('size', BS)
    kind = 1 if values.get('pointer') == 4 else 2
    records = [system(0x0000, 2, logfile(**values), T0, kind=kind),
               system(0x0005, 2, struct.pack('<9I', 3, 0x204, 0, 0, 0, 0, 0, 0, 0x50), T0)]
    return buffer(records, flags=0x21, kind=4, size=size)


def cswitch(new, old, time, version=4, items=b'', new_priority=8):
    payload = struct.pack('<IIbbBbBBBBII', new, old, new_priority, 8, 0, 0, 6, 1, 5, 0, 0, 0)
    return perfinfo(0x0524, version, payload, time, items)


def ready(tid, time):
    return perfinfo(0x0532, 2, struct.pack('<IbbbB', tid, 1, 0, 0, 0), time)


def process(hook, pid, name, time, sid=True, tail=b'', key=0x1122334455667788):
    payload = struct.pack('<QIIIIQI', key, pid, 1, 0xFFFFFFFF, 0x103, 0x99, 0)
    if sid:
        payload += struct.pack('<QII', 1, 0, 0) + bytes.fromhex('0102000000000016') + \
            struct.pack('<II', 1, 1000)
    else:
        payload += bytes(4)
    payload += name.encode() + b'\0' + wide(name + ' --option') + wide('') + wide('') + tail
    if hook in (0x0301, 0x0302):
        return system(hook, 4, payload, time)
    return perfinfo(hook, 5 if hook == 0x0327 else 4, payload, time)


def thread(hook, pid, tid, name, time):
    payload = struct.pack('<IIQQQQQQQIBBBB', pid, tid, 0, 0, 0, 0, 3, 0, 0, 0, 8, 5, 2, 0)
    return system(hook, 3, payload + (wide(name) if name is not None else b''), time)


def anchor(time, reason):
    return event(OURS, 1, struct.pack('<QQQQQQII', time, START + time - T0, 1, 2, 3, 4, reason, 0),
                 time)


def loss(time, cpu=0, cause=0, count=5, total=5):
    return event(OURS, 2, struct.pack('<IIQQQQ', cpu, cause, count, total, time - 2, time - 1),
                 time)


def flushed(time, began):
    return event(OURS, 4, struct.pack('<Q', began), time)


def good_buffers():
    """Two processors, a rundown, switches, one buffer each and one more of CPU 0."""
    t = T0
    first = [anchor(t + 10, 0), process(0x0303, 0, 'Idle', t + 11, sid=False),
             process(0x0303, 100, 'shell', t + 12), thread(0x0503, 0, 0, None, t + 13),
             thread(0x0503, 100, 100, 'shell', t + 14), thread(0x0501, 100, 101, 'work', t + 15),
             perfinfo(0x0008, 2, b'', t + 16), cswitch(100, 0, t + 20), ready(101, t + 21),
             cswitch(101, 100, t + 10000020)]
    second = [thread(0x0503, 0, 0, None, t + 17), cswitch(101, 0, t + 18),
              cswitch(0, 101, t + 30)]
    third = [cswitch(0, 101, t + 20000020),
             perfinfo(0x0548, 2, struct.pack('<II', 100, 101) + wide('renamed'), t + 20000021),
             process(0x0327, 102, 'gone', t + 20000022, tail=struct.pack('<Q', START)),
             anchor(t + 20000030, 3)]
    return [(first, dict(cpu=0, sequence=1, time=t + 10000030)),
            (second, dict(cpu=1, sequence=2, time=t + 10000040)),
            (third, dict(cpu=0, sequence=3, time=t + 20000040))]


END = START + 20000040


def good(closed=True, **values):
    """A file that breaks no rule."""
    buffers = good_buffers()
    if closed:
        buffers[-1][1]['flags'] = 0x21
        values.setdefault('end', END)
        values.setdefault('written', len(buffers) + 1)
    return bytearray(header_buffer(**values) +
                     b''.join(buffer(records, **place) for records, place in buffers))


def with_records(records, cpu=0, **values):
    """A closed file of one data buffer, with our provider's anchor first."""
    data = buffer([anchor(T0 + 1, 0)] + records, cpu=cpu, sequence=1, time=T0 + 10**9, flags=0x21)
    return bytearray(header_buffer(end=START + 10**9, written=2, **values) + data)
