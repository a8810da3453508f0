# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Writes CTF 1.8 traces, by the format's specification, with the events of LTTng's kernel tracer."""
import os
import struct

MAGIC = 0xC1FC1FC1
HEAD = '''/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double_t;
trace { major = 1; minor = 8; byte_order = le;
packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
env { domain = "kernel"; tracer_name = "test"; %s };
clock { name = monotonic; freq = 1000000000; offset_s = %d; offset = %d;
absolute = true; };
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := ts_t;
stream { id = 0;
packet.context := struct { ts_t timestamp_begin; ts_t timestamp_end; uint64_t content_size;
uint64_t packet_size; uint64_t packet_seq_num; uint64_t events_discarded; uint32_t cpu_id; };
event.header := struct { uint32_t id; ts_t timestamp; };
event.context := struct { int32_t _pid; int32_t _tid; string _procname; }; };
'''
TEXT, STATES = 'string', 'enum : int64_t { "S" = 1, "D" = 2 }'
# name: [(type in the metadata, field)]; integers are packed as they are declared
EVENTS = {
    'sched_switch': [(TEXT, 'prev_comm'), ('int32_t', 'prev_tid'), ('int32_t', 'prev_prio'),
                     (STATES, 'prev_state'), (TEXT, 'next_comm'), ('int32_t', 'next_tid'),
                     ('int32_t', 'next_prio')],
    'sched_waking': [(TEXT, 'comm'), ('int32_t', 'tid'), ('int32_t', 'prio'),
                     ('int32_t', 'target_cpu')],
    'sched_wakeup': [(TEXT, 'comm'), ('int32_t', 'tid'), ('int32_t', 'prio'),
                     ('int32_t', 'target_cpu')],
    'sched_wakeup_new': [(TEXT, 'comm'), ('int32_t', 'tid'), ('int32_t', 'prio'),
                         ('int32_t', 'target_cpu')],
    'sched_process_fork': [(TEXT, 'parent_comm'), ('int32_t', 'parent_tid'),
                           ('int32_t', 'parent_pid'), (TEXT, 'child_comm'),
                           ('int32_t', 'child_tid'), ('int32_t', 'child_pid')],
    'sched_process_exec': [(TEXT, 'filename'), ('int32_t', 'tid'), ('int32_t', 'old_tid')],
    'sched_process_exit': [(TEXT, 'comm'), ('int32_t', 'tid'), ('int32_t', 'prio')],
    'lttng_statedump_process_state': [('int32_t', 'tid'), ('int32_t', 'pid'), ('int32_t', 'ppid'),
                                      (TEXT, 'name'), ('int32_t', 'type')],
    'block_rq_issue': [('uint32_t', 'dev'), ('uint64_t', 'sector'), ('uint32_t', 'nr_sector'),
                       ('uint32_t', 'rwbs')],
    'block_rq_complete': [('uint32_t', 'dev'), ('uint64_t', 'sector'), ('uint32_t', 'nr_sector'),
                          ('uint32_t', 'rwbs')],
    'irq_handler_entry': [('int32_t', 'irq'), (TEXT, 'name')],
    'irq_handler_exit': [('int32_t', 'irq'), ('int32_t', 'ret')],
    'irq_softirq_entry': [('uint32_t', 'vec')],
    'irq_softirq_exit': [('uint32_t', 'vec')],
    'syscall_entry_openat': [('int32_t', 'dfd'), (TEXT, 'filename')],
    'syscall_exit_openat': [('int64_t', 'ret')],
    'syscall_entry_newfstat': [('uint32_t', 'fd')],
    'syscall_entry_open': [(TEXT, 'filename')],
    'syscall_entry_socketcall': [('int32_t', 'call')],
    'syscall_entry_new_in_linux_9': [('uint32_t', 'x')],
    'syscall_exit_new_in_linux_9': [('int64_t', 'ret')],
    'syscall_entry_unknown': [('uint32_t', 'id')],
    'compat_syscall_entry_openat': [('int32_t', 'dfd')],
    'demo:all': [('uint8_t', 'small'), ('int64_t', 'large'), ('double_t', 'real'), (TEXT, 'text'),
                 ('struct { int32_t x; int32_t y; }', 'point'), ('[3] uint32_t', 'list'),
                 ('[2] struct { int32_t x; int32_t y; }', 'points')],
}
NUMBERS = list(EVENTS)
PACKED = {'uint8_t': 'B', 'uint32_t': 'I', 'uint64_t': 'Q', 'int32_t': 'i', 'int64_t': 'q',
          'double_t': 'd', STATES: 'q'}


def metadata(seconds, cycles, environment, without):
    text = HEAD % (environment, seconds, cycles)
    for number, (name, fields) in enumerate(EVENTS.items()):
        if name in without:
            continue
        text += 'event { name = "%s"; id = %d; stream_id = 0; fields := struct {' % (name, number)
        for kind, field in fields:
            count, _, kind = kind.rpartition('] ') if kind.startswith('[') else ('', '', kind)
            text += ' %s _%s%s;' % (kind, field, count + ']' if count else '')
        text += ' }; };\n'
    return text.encode()


def packed(kind, value):
    if kind.startswith('['):
        return b''.join(packed(kind.rpartition('] ')[2], x) for x in value)
    if kind.startswith('struct'):
        return struct.pack('<%di' % len(value), *value)
    return value.encode() + b'\0' if kind == TEXT else struct.pack('<' + PACKED[kind], value)


def event(name, time, *values, pid=7, tid=7, comm='a'):
    body = b''.join(packed(kind, x) for (kind, _), x in zip(EVENTS[name], values))
    return time, struct.pack('<IQii', NUMBERS.index(name), time, pid, tid) + \
        comm.encode() + b'\0' + body


def packet(events, cpu, number=0, discarded=0, begin=None, end=None):
    body = b''.join(x for _, x in events)
    size = 8 * (8 + 6 * 8 + 4 + len(body))
    return struct.pack('<IIQQQQQQI', MAGIC, 0, events[0][0] if begin is None else begin,
                       events[-1][0] if end is None else end, size, size, number, discarded,
                       cpu) + body


def write(folder, streams, seconds=1700000000, cycles=5, environment='', without=()):
    """@streams: bytes of each; @without: events that the metadata lack"""
    os.makedirs(folder, exist_ok=True)
    for name, content in [('metadata', metadata(seconds, cycles, environment, without)),
                          *(('channel0_%d' % i, x) for i, x in enumerate(streams))]:
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(content)
    return folder
