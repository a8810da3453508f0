# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Runs etw with probes beside a folder that stands in for tracefs."""
import os
import shutil
import subprocess

from etwtest.harness import SANE, path, save
from made_tracefs import put_event

FIELDS = [('unsigned long __probe_ip', 8, 8, 0), ('s32 number', 16, 4, 1)]
ENV = dict(ETW_TRACEFS=path('trace'))
FILES = 'kprobe_events', 'uprobe_events'


def start_of(pid):
    with open('/proc/%d/stat' % pid, encoding='utf-8') as file:
        return int(file.read().rsplit(')', 1)[1].split()[19])


def begun(words, events, env=None, before=None):
    """Runs the tool; the kernel's part for it is made before it begins: its id is known then.
    Return: the process, and its part of the group"""
    shutil.rmtree(path('trace'), ignore_errors=True)
    os.makedirs(path('trace/events'))
    for name in FILES:
        save(b'', 'trace/' + name)
    process = subprocess.Popen(['sh', '-c', 'read go && exec "$@"', 'sh', *words],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True,
                               env=dict(os.environ, **ENV, **(env or {})))
    own = '%d_%x' % (process.pid, start_of(process.pid))
    for i, (group, name, *fields) in enumerate(events):
        put_event(group.replace('G', own), name, 900 + i, fields or FIELDS)
    if before:
        before(own)
    process.stdin.write('\n')
    process.stdin.flush()
    return process, own


def lines_of(own):
    """What is written, with G for the part of the group"""
    lines = []
    for name in FILES:
        if os.path.isfile(path('trace/' + name)):
            with open(path('trace/' + name), encoding='utf-8') as file:
                lines += [x.replace(own, 'G') for x in file.read().splitlines()]
    return lines


def probed(*arguments, events, code=0, before=None):
    """The output of etw start --dry-run, and the lines"""
    tool = [SANE, 'start', 'x', '--no-provider-kernel', '--dry-run', *arguments]
    process, own = begun(tool, events, before=before)
    with process:
        out = process.communicate()[0]
    assert process.returncode == code, (process.returncode, out)
    return out, lines_of(own)


def probe_is(text, name, line, option='--probe', group='etw_kprobes_G'):
    out, lines = probed(option, text, events=[(group, name)])
    made, removed = lines
    assert made == line, (text, made)
    assert removed == '-:%s/%s' % (group, name), removed
    return out


def refused(option, text, *words, events=(), code=2, before=None):
    out, lines = probed(option, text, events=events, code=code, before=before)
    assert all(x in out for x in ('etw: start: ', text, *words)), (text, out)
    assert not lines, lines
