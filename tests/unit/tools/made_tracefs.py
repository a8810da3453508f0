# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Events in a folder that the tool takes for tracefs (ETW_TRACEFS)."""
import os

from etwtest.harness import path, save

COMMON = [('unsigned short common_type', 0, 2, 0), ('unsigned char common_flags', 2, 1, 0),
          ('unsigned char common_preempt_count', 3, 1, 0), ('int common_pid', 4, 4, 1)]


def put_event(system, name, number, fields):
    """A folder as the kernel has it"""
    lines = ['name: ' + name, 'ID: %d' % number, 'format:']
    for i, (text, offset, size, signed) in enumerate(COMMON + fields):
        lines.append('\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;' % (text, offset, size, signed))
        if i == len(COMMON) - 1:
            lines.append('')
    lines += ['', 'print fmt: "small=%d", REC->small', '']
    folder = 'trace/events/%s/%s/' % (system, name)
    os.makedirs(path(folder), exist_ok=True)
    save('\n'.join(lines).encode(), folder + 'format')
    save(b'%d\n' % number, folder + 'id')
