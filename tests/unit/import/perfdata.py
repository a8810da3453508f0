# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Writes perf.data files, by their documented format."""
import struct

MMAP, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, MMAP2, AUX, LOST_SAMPLES, SWITCH, SWITCH_WIDE = \
    1, 2, 3, 4, 5, 7, 9, 10, 11, 13, 14, 15
CGROUP_RECORD, THREAD_MAP = 19, 73
ATTR, TRACING_DATA, BUILD_ID, ROUND, AUXTRACE, TIME_CONV, FEATURE, COMPRESSED = \
    64, 66, 67, 68, 71, 79, 80, 81
HARDWARE, SOFTWARE, TRACEPOINT = 0, 1, 2
IP, TID, TIME, ADDR, CHAIN, CPU, PERIOD, RAW, REGISTERS, STACK, IDENTIFIER, CGROUP = \
    1, 2, 4, 8, 0x20, 0x80, 0x100, 0x400, 0x1000, 0x2000, 0x10000, 0x200000
TYPE = IP | TID | TIME | ADDR | CHAIN | CPU | PERIOD | IDENTIFIER
KERNEL, USER = 0xFFFFFFFFFFFFFF80, 0xFFFFFFFFFFFFFE00
OUT, PREEMPTED, EXEC, BUILD_ID_INSIDE = 1 << 13, 1 << 14, 1 << 13, 1 << 14
SAMPLE_ID_ALL = 1 << 18
# features
TRACING, IDS, HOST, ARCH, NRCPUS, MEMORY, CMDLINE, EVENT_DESC, CLOCK_DATA = \
    1, 2, 3, 6, 7, 10, 11, 12, 29

FORMAT = '''name: %s
ID: %d
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

%s
print fmt: "x"
'''
SWITCH_FIELDS = [('char prev_comm[16]', 16, 0), ('pid_t prev_pid', 4, 1), ('int prev_prio', 4, 1),
                 ('long prev_state', 8, 1), ('char next_comm[16]', 16, 0),
                 ('pid_t next_pid', 4, 1), ('int next_prio', 4, 1)]
WAKING_FIELDS = [('char comm[16]', 16, 0), ('pid_t pid', 4, 1), ('int prio', 4, 1),
                 ('int target_cpu', 4, 1)]
BLOCK_FIELDS = [('dev_t dev', 4, 0), ('sector_t sector', 8, 0), ('unsigned int nr_sector', 4, 0),
                ('char rwbs[8]', 8, 0)]
OTHER_FIELDS = [('__data_loc char[] name', 4, 0), ('u32 list[3]', 12, 0), ('s8 small', 1, 1),
                ('unsigned long large', 8, 0), ('char text[5]', 5, 0)]


def record(kind, payload, misc=0):
    return struct.pack('<IHH', kind, misc, 8 + len(payload)) + payload


def padded(text):
    text = text.encode() + b'\0'
    return text + bytes(-len(text) % 8)


def sample_id(time, tid=0, cpu=0, pid=None, ident=1):
    return struct.pack('<IIQIIQ', tid if pid is None else pid, tid, time, cpu, 0, ident)


def sample(ident, time, tid=7, pid=7, cpu=0, ip=0x401000, chain=(), raw=None, addr=0, period=1,
           misc=2, rest=b''):
    body = struct.pack('<QQIIQQIIQQ', ident, ip, pid, tid, time, addr, cpu, 0, period, len(chain))
    body += struct.pack('<%dQ' % len(chain), *chain)
    if raw is not None:
        raw += bytes(-(len(raw) + 4) % 8)
        body += struct.pack('<I', len(raw)) + raw
    return record(SAMPLE, body + rest, misc)


def copy_of_stack(registers, stack, room=0):
    """Behind a sample of 64 bits: registers in the order of their numbers, and the stack's bytes"""
    return struct.pack('<Q%dQQ' % len(registers), 2, *registers, len(stack) + room) + stack + \
        bytes(room) + struct.pack('<Q', len(stack))


def comm(tid, name, time=0, pid=None, misc=0):
    pid = tid if pid is None else pid
    return record(COMM, struct.pack('<II', pid, tid) + padded(name) + sample_id(time, tid), misc)


def fork(pid, parent, time=0, tid=None, kind=FORK, cpu=0):
    body = struct.pack('<IIIIQ', pid, parent, pid if tid is None else tid, parent, time)
    return record(kind, body + sample_id(time, pid, cpu))


def mmap(pid, base, size, name, time=0, offset=0):
    return record(MMAP, struct.pack('<IIQQQ', pid & 0xFFFFFFFF, 0, base, size, offset) +
                  padded(name) + sample_id(time, 7))


def mmap2(pid, base, size, name, time=0, offset=0, ident=b''):
    middle = struct.pack('<BBH', len(ident), 0, 0) + ident.ljust(20, b'\0')
    return record(MMAP2, struct.pack('<IIQQQ', pid, pid, base, size, offset) + middle +
                  struct.pack('<II', 5, 2) + padded(name) + sample_id(time, pid),
                  BUILD_ID_INSIDE if ident else 0)


def lost(count, time, cpu=0):
    return record(LOST, struct.pack('<QQ', 1, count) + sample_id(time, 0, cpu))


def switch(time, tid, out, other=None, cpu=0, preempted=False):
    misc = (OUT if out else 0) | (PREEMPTED if preempted else 0)
    ident = sample_id(time, tid, cpu)
    if other is None:
        return record(SWITCH, ident, misc)
    return record(SWITCH_WIDE, struct.pack('<II', other, other) + ident, misc)


def attr(kind, config, sample_type=TYPE, period=1, flags=SAMPLE_ID_ALL, registers=0, stack=0):
    text = struct.pack('<IIQQQQQ', kind, 128, config, period, sample_type, 0, flags).ljust(80, b'\0')
    return (text + struct.pack('<QI', registers, stack)).ljust(128, b'\0')


def raw(ident, *values):
    """Bytes of a tracepoint: integers as (format, value), strings of 16 bytes"""
    body = struct.pack('<HBBi', ident, 0, 0, 7)
    for value in values:
        body += value.encode().ljust(16, b'\0') if isinstance(value, str) else struct.pack(*value)
    return body


def format_of(name, ident, fields):
    at, lines = 8, []
    for field, size, signed in fields:
        lines.append('\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;' % (field, at, size, signed))
        at += size
    return (FORMAT % (name, ident, '\n'.join(lines))).encode()


def tracing_data(systems):
    """@systems: {system: [format]}"""
    data = b'\x17\x08\x44tracing0.6\0\0\x08' + struct.pack('<I', 4096)
    for name in (b'header_page\0', b'header_event\0'):
        data += name + struct.pack('<Q', 4) + b'text'
    data += struct.pack('<I', 0) + struct.pack('<I', len(systems))
    for system, formats in systems.items():
        data += system.encode() + b'\0' + struct.pack('<I', len(formats))
        data += b''.join(struct.pack('<Q', len(x)) + x for x in formats)
    return data + struct.pack('<II', 0, 0) + struct.pack('<Q', 0)


def build_id(name, ident):
    name = name.encode() + b'\0'
    name += bytes(-len(name) % 64)
    return struct.pack('<IHHi', 0, 2, 36 + len(name), -1) + ident.ljust(24, b'\0') + name


def text(value):
    """A feature that is a string: perf leaves room for it in steps of 64 bytes"""
    value = value.encode() + b'\0'
    value += bytes(-len(value) % 64)
    return struct.pack('<I', len(value)) + value


def command(*words):
    return struct.pack('<I', len(words)) + b''.join(map(text, words))


def thread_map(*tids):
    """The threads that perf recorded; -1: all"""
    return record(THREAD_MAP, struct.pack('<Q', len(tids)) +
                  b''.join(struct.pack('<q16s', tid, b'') for tid in tids))


def clock(wall, time, clockid=1):
    return struct.pack('<IIQQ', 1, clockid, wall, time)


def file_of(records, attrs, features=None, size=None):
    """A perf.data. @attrs: [(attr, id)]; @size: of the records, as the header says"""
    features, data = features or {}, b''.join(records)
    ids = b''.join(struct.pack('<Q', ident) for _, ident in attrs)
    at_attrs = 104 + len(ids)
    table = b''.join(x + struct.pack('<QQ', 104 + 8 * i, 8) for i, (x, _) in enumerate(attrs))
    at_data = at_attrs + len(table)
    at = at_data + len(data) + 16 * len(features)
    sections, bodies, bits = b'', b'', 0
    for bit, body in sorted(features.items()):
        sections += struct.pack('<QQ', at + len(bodies), len(body))
        bodies += body
        bits |= 1 << bit
    head = b'PERFILE2' + struct.pack('<QQQQQQQQ', 104, 144, at_attrs, len(table), at_data,
                                     len(data) if size is None else size, 0, 0)
    return head + bits.to_bytes(32, 'little') + ids + table + data + sections + bodies


def piped(records, attrs, features=None):
    head = b'PERFILE2' + struct.pack('<Q', 16)
    head += b''.join(record(ATTR, x + struct.pack('<Q', ident)) for x, ident in attrs)
    for bit, body in (features or {}).items():
        if bit == TRACING:
            head += record(TRACING_DATA, struct.pack('<I', len(body))) + \
                body + bytes(-len(body) % 8)
        else:
            head += record(FEATURE, struct.pack('<Q', bit) + body)
    return head + b''.join(records)


def packed(records, pieces=1):
    """A frame of zstd with plain blocks, cut into as many compressed records"""
    data = b''.join(records)
    frame = b'\x28\xb5\x2f\xfd\0\x58'
    for i in range(0, len(data), 0x8000):
        part = data[i:i + 0x8000]
        frame += struct.pack('<I', len(part) << 3 | (i + 0x8000 >= len(data)))[:3] + part
    step = -(-len(frame) // pieces)
    return [record(COMPRESSED, frame[i:i + step]) for i in range(0, len(frame), step)]


def dense(text, count):
    """A compressed record of @count times the record @text: a plain block, and one of its last zeros"""
    head = text.rstrip(b'\0')
    pair = struct.pack('<I', len(head) << 3)[:3] + head + \
        struct.pack('<I', len(text) - len(head) << 3 | 2)[:3] + b'\0'
    return record(COMPRESSED, b'\x28\xb5\x2f\xfd\0\x58' + count * pair + b'\1\0\0')
