# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The process of an event, worked out from the stream of a session without a filter.

From its header, its payload, from the thread that began what it ends, or that was running.
"""
import struct

SWITCH, END = 0x0524, 0x044C
# file operations by the form of their payloads
FILE_SIMPLE = {0x0441, 0x0442, 0x0448, 0x0449}
FILE_TRANSFER = {0x0443, 0x0444}
FILE_INFORMATION = {0x0445, 0x0446, 0x0447, 0x044A, 0x044B, 0x044F, 0x0450, 0x0451}
DISK_DONE, DISK_FLUSHED, DISK_INIT = {0x010A, 0x010B}, {0x010E}, {0x010C, 0x010D, 0x010F}
POOL = {0x0E20, 0x0E22}

BY_HEADER = {0x020A, 0x020B, 0x020C, 0x020E, 0x020F}
BY_PROCESS = {0x0262: 16, 0x0263: 16, 0x030A: 16, 0x1402: 16, 0x0320: 0}
BY_PROCESS.update((hook, 0) for group, lows in ((0x0600, range(0x0A, 0x21)),
                                                (0x0800, (0x0A, 0x0B, 0x1A, 0x1B)))
                  for hook in (group + low for low in lows) if hook != 0x0611)
# where the payload has the thread
BY_THREAD = {0x0530: 0, 0x0531: 0, 0x0534: 0, 0x053D: 0, 0x0220: 32, 0x0440: 16}
# where it has keys, which every session has its own of
KEYS = {0x0220: (24, 32), 0x0440: (8, 16)}
for hooks, thread, keys in (
        (FILE_SIMPLE, 24, (8, 24)), (FILE_TRANSFER, 32, (16, 32)), (FILE_INFORMATION, 32, (8, 24)),
        (DISK_DONE, 48, (24, 40)), (DISK_FLUSHED, 24, (16, 24)), (DISK_INIT, 8, (0, 8)),
        (POOL, None, (16, 24))):
    KEYS.update(dict.fromkeys(hooks, keys))
    if thread is not None:
        BY_THREAD.update(dict.fromkeys(hooks, thread))
BY_RUNNING = {0x0F33, 0x0F34} | POOL
# the payload doesn't name its process, nor does the header
UNKNOWN = {0x0611}
SOURCES = BY_HEADER | set(BY_THREAD) | set(BY_PROCESS) | BY_RUNNING | {END}


def comparable(record):
    """What has no key and no stamp of the session's own."""
    first, last = KEYS.get(record.hook, (0, 0))
    begin = 8 if record.hook == 0x0220 else 0
    return record.hook, bytes(record.payload[begin:first] + record.payload[last:])


class Owners:
    """The processes of threads, of the session that knows."""

    def __init__(self, etl):
        self.process, self.begun = {}, {}
        for hook in (0x0503, 0x0501, 0x0504):
            for r in etl.of(hook):
                process, thread = struct.unpack_from('<II', r.payload)
                self.process[thread] = process
        for r in etl.records:
            if r.hook in FILE_SIMPLE | FILE_TRANSFER | FILE_INFORMATION | {0x0440}:
                irp, = struct.unpack_from('<Q', r.payload, 8 if r.hook in FILE_TRANSFER else 0)
                self.begun[irp], = struct.unpack_from('<I', r.payload, BY_THREAD[r.hook])

    def of(self, record, running):
        """The process, or None; running: the thread that its CPU ran."""
        hook = record.hook
        if hook in BY_HEADER:
            return record.pid
        if hook in BY_PROCESS:
            return struct.unpack_from('<I', record.payload, BY_PROCESS[hook])[0]
        thread = running
        if hook in BY_THREAD:
            thread, = struct.unpack_from('<I', record.payload, BY_THREAD[hook])
        elif hook == END:
            thread = self.begun.get(struct.unpack_from('<Q', record.payload)[0])
        return self.process.get(thread)
