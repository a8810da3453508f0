# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Traces that are built byte by byte, into a folder: made.py DIRECTORY"""
import os
import struct
import subprocess
import sys
import uuid

from etwtest import etlfile as e
from etwtest import etlmore as m
from etwtest import harness
from etwtest import objects as o
from etwtest.hooks import written
from listed import hooks_without_class

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


KERNEL = 0xffffffff81000000


def named(name):
    """A finalized trace with samples in a program, compiled code, the kernel and a BPF program"""
    root, tool = os.path.join(sys.argv[1], 'root'), 'build/host/tools/etw'
    program = o.Program(root, 'one')
    os.makedirs(root + '/tmp')
    for path, text in (('/tmp/perf-8.map', '30000 40 compiled code\n'),
                       ('/kallsyms', '%x t kernel_function\n%x t behind\n%x t bpf_prog_1\t[bpf]\n' %
                        (KERNEL + 64, KERNEL + 128, KERNEL + 0x40100000))):
        with open(root + path, 'w', encoding='utf-8') as file:
            file.write(text)
    stamp, t = struct.unpack('<I', program.id[:4])[0], e.T0 + 100
    bases = {7: 0x7f0000400000, 8: 0x7f0000800000}
    records = [e.thread(0x0503, pid, pid, 'x', t) for pid in bases]
    records += [o.image(0x1403, 0, KERNEL, 0x200000, 'vmlinux', t + 1, 0)]
    records += [o.image(0x030A, pid, bases[pid], 0x10000, program.path, t + 2, stamp)
                for pid in bases]
    hits = [(7, bases[7] + x - program.base + 1) for x, _ in program.functions]
    hits += [(8, bases[8] + x - program.base) for x, _ in program.functions]
    hits += [(8, 0x30010), (7, KERNEL + 70), (8, KERNEL + 70), (7, KERNEL + 0x40100004), (7, 0x50)]
    records += [o.sample(hit, pid, t + 10 + i) for i, (pid, hit) in enumerate(hits)]
    save(name, e.with_records(records))
    path = os.path.join(sys.argv[1], name)
    where = ['--sysroot', root, '--kallsyms', root + '/kallsyms']
    subprocess.run([tool, 'finalize', '-q', *where, path], check=True)
    with open(path + '.symbols', 'wb') as file:
        subprocess.run([tool, 'dump', '--symbols', '--json', *where, path], stdout=file, check=True)


def record(name, mode, size, content):
    """What the writer of a session's file makes of the stream"""
    subprocess.run([harness.FEED, os.path.join(sys.argv[1], name), str(mode), str(size), str(e.BS)],
                   input=content, check=True, stdout=subprocess.DEVNULL)


LATER = e.T0 + 100
# class of texts of etw log
LOG = uuid.UUID('2f0c6d3b-8e51-4f0e-9d47-31b605ce7a12').bytes_le


def described(name):
    """A finalized trace with each event that TraceEvent has no class for, twice"""
    text = e.wide('a name')
    payloads = [(0x1421, 2, struct.pack('<Q', KERNEL)),
                (0x044F, 3, struct.pack('<4QII', 1, 2, 3, 4, 5, 6) + text),
                (0x0450, 3, struct.pack('<4QII', 1, 2, 3, 4, 5, 6) + text),
                (0x0451, 3, struct.pack('<4QII', 1, 2, 3, 4, 5, 6) + text),
                (0x0B18, 2, struct.pack('<IQHHI', 1, 3, 0, 0, 0)),
                (0x0B19, 2, 4 * text),
                (0x0B1A, 2, struct.pack('<IQ', 1, 3)),
                (0x0B1B, 2, struct.pack('<IHBB', 1, 0, 0, 0)),
                (0x0B23, 2, struct.pack('<III', 1, 0x40000003, 2400) +
                 text.ljust(128, b'\0') + text.ljust(256, b'\0') + text.ljust(32, b'\0'))]
    records = [e.system(hook, version, payload, LATER + i)
               for i, (hook, version, payload) in enumerate(payloads + payloads)]
    payloads = [(0x0530, 3, struct.pack('<IBBH', 7, 8, 9, 0)),
                (0x0531, 3, struct.pack('<IBBH', 7, 8, 9, 0)),
                (0x0534, 3, struct.pack('<IBBH', 7, 2, 1, 0)),
                (0x030B, 2, struct.pack('<I', 7)),
                (0x0F30, 2, struct.pack('<I', 2) + text + text),
                (0x053D, 2, struct.pack('<IHHBBH', 7, 1, 2, 8, 1, 3)),
                (0x1822, 2, struct.pack('<3Q', 9, KERNEL, KERNEL + 8)),
                (0x0E20, 2, struct.pack('<I4sQQ', 1, b'Tagg', 64, KERNEL)),
                (0x0E22, 2, struct.pack('<I4sQQ', 1, b'Tagg', 64, KERNEL))]
    records += [e.perfinfo(hook, version, payload, LATER + 20 + i)
                for i, (hook, version, payload) in enumerate(payloads + payloads)]
    records += [e.loss(LATER + 40), e.loss(LATER + 41), e.anchor(LATER + 42, 1)]
    save(name, e.with_records(records))
    subprocess.run(['build/host/tools/etw', 'finalize', '-q', '--no-kallsyms',
                    os.path.join(sys.argv[1], name)], check=True)


def text_of_log(kind, wide, time):
    """What etw log writes: the version is 1 for a wide text."""
    text = e.wide('a wide text') if wide else 'a t\u00e4xt of a program\0'.encode()
    record = bytearray(e.full(LOG, kind, text, time))
    struct.pack_into('<H', record, 6, wide)
    return bytes(record)


def logged(name):
    """A finalized trace with texts of etw log, of several types, narrow and wide"""
    kinds = (0, 0), (0, 0), (7, 0), (9, 1), (9, 1)
    save(name, e.with_records([text_of_log(kind, wide, LATER + i)
                               for i, (kind, wide) in enumerate(kinds)]))
    subprocess.run(['build/host/tools/etw', 'finalize', '-q', '--no-kallsyms',
                    os.path.join(sys.argv[1], name)], check=True)


def selfdescribed(name):
    """Kinds of TraceLogging events of two providers, in turn; one name with two descriptions"""
    kinds = [(b'one', b'number\0\x08', struct.pack('<I', 5)),
             (b'two', b'text\0\x02address\0\x8a\4', b'narrow\0' + struct.pack('<Q', KERNEL)),
             (b'one', b'text\0\x01list\0\x48', e.wide('a text') + struct.pack('<HII', 2, 1, 2)),
             (b'none', b'', b'')]
    records = []
    for i in range(24):
        event, fields, payload = kinds[i * 7 % 10 % len(kinds)]
        system = i // 2 % 2
        records.append(m.described(event + b'_%d' % system, fields, payload, LATER + i,
                                   provider=bytes(range(system, 16 + system)),
                                   traits=b'Linux.made%d\0' % system))
    save(name, e.with_records(records))


def contained(name):
    """Events of processes in containers, one after a stack and one before a related activity"""
    ids = [b'01234567-89ab-cdef-0123-456789abcdef', b'fedcba98-7654-3210-fedc-ba9876543210']
    chains = [m.items((16, ids[0])), m.items((6, struct.pack('<QQ', 0, KERNEL)), (16, ids[1])), b'',
              m.items((16, ids[0]), (1, bytes(range(16))))]
    save(name, e.with_records([e.event(bytes(range(16)), 7, chain + b'data', LATER + i, flags=bool(chain))
                               for i, chain in enumerate(chains)]))


def every(name):
    """A record of each hook id that the module may write, with zeros in all fields but these"""
    size = 1 << 19
    payloads = {0x0B18: struct.pack('<IQHHI', 1, 3, 0, 0, 0),
                0x0F30: struct.pack('<I', 2) + 2 * e.wide('a name')}
    hooks = sorted({int(x, 16) for x in written() | set(hooks_without_class())} - {0})
    records = [e.anchor(e.T0 + 1, 0)]
    records += [e.system(hook, 3, payloads.get(hook, bytes(3000)), LATER + i)
                for i, hook in enumerate(hooks)]
    save(name, e.header_buffer(size=size, end=e.START + 10**9, written=2) +
         e.buffer(records, sequence=1, time=e.T0 + 10**9, flags=0x21, size=size))


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
named('named.etl')
described('described.etl')
selfdescribed('selfdescribed.etl')
contained('contained.etl')
every('every.etl')
logged('logged.etl')
save('wide.etl', e.with_records([text_of_log(0, 1, LATER), text_of_log(0, 1, LATER + 1)]))
save('event.etl', e.with_records([e.event(bytes(range(16)), 7, b'data', e.T0 + 20)]))
