# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Each event that ftrace printed is in the trace, with the same fields. Usage: ... FOLDER"""
import collections
import errno
import json
import functools
import operator
import os
import re
import sys

sys.path.insert(0, 'tests/lib')
from etwtest import checks  # noqa: E402
from etwtest import ftrace  # noqa: E402

LINE = re.compile(r'#.*|\s*\S.*-(?P<tid>\d+)\s+\[(?P<cpu>\d+)\]\s+\S+\s+[\d.]+: '
                  r'(?P<name>\w+)(?:: |\()(?P<text>.*)')
# What ftrace prints of each event; names of groups are those of fields
EVENTS = {
    'sched_process_exec': r'filename=(?P<filename>.*) pid=(?P<pid>\d+) old_pid=(?P<old_pid>\d+)',
    'sched_process_fork': r'comm=(?P<parent_comm>.*) pid=(?P<parent_pid>\d+) '
                          r'child_comm=(?P<child_comm>.*) child_pid=(?P<child_pid>\d+)',
    'sched_waking': r'comm=(?P<comm>.*) pid=(?P<pid>\d+) prio=(?P<prio>\d+) '
                    r'target_cpu=(?P<target_cpu>\d+)',
    'softirq_entry': r'vec=(?P<vec>\d+) \[action=\w+\]',
    'opened': r'\(.*\) dfd=(?P<dfd>0x\w+) file="(?P<file>.*)"',
    'sys_openat': r'dfd: (?P<dfd>\w+), filename: (?P<filename>\w+), flags: (?P<flags>\w+), '
                  r'mode: (?P<mode>\w+)',
}
# Newer kernels read the name, print decimal numbers, and the mode only of files that are created
NEWER_OPENAT = (r'dfd: (?P<dfd>\d+), filename: (?P<filename>\d+) "(?P<__filename_val>.*)", '
                r'flags: (?P<flags>[\w|]+)(?:, mode: 0\d+)?')
# Of the kernel; the C library has 0 for the first one on machines of 64 bits
O_FLAGS = {'O_LARGEFILE': 0o100000, **{x: getattr(os, x) for x in dir(os)
                                       if x.startswith('O_') and x != 'O_LARGEFILE'}}


# Events of the groups that a session of the kernel has by default
OF_GROUPS = {'Process', 'Thread', 'Image', 'PerfInfo', 'Linux.sched'}


def text_of(value, hexadecimal):
    """Numbers as decimal text, whatever base each side printed them in"""
    if isinstance(value, int):
        return str(value)
    if hexadecimal or value.startswith('0x'):
        return str(int(value, 16))
    return str(int(value)) if value.isdecimal() else value


def flags_of(text):
    return functools.reduce(operator.or_, (O_FLAGS[x] if x in O_FLAGS else int(x, 16)
                                           for x in text.split('|')))


def fields_of(name, text):
    """The fields of a line, as text"""
    found = name == 'sys_openat' and re.fullmatch(NEWER_OPENAT, text)
    if found:
        return {**found.groupdict(), 'flags': str(flags_of(found['flags']))}
    found = re.fullmatch(EVENTS[name], text)
    assert found, (name, text)
    return {key: text_of(value, name == 'sys_openat') for key, value in found.groupdict().items()}


def printed(folder):
    events = collections.Counter()
    entries = 0
    for found in ftrace.matches(os.path.join(folder, 'trace.txt'), LINE):
        if not found['name'] and not found['text']:
            continue
        entries += 1
        name, text = found['name'], found['text']
        if text.startswith('sys_') or name.startswith('sys_'):
            # a file's name may have a parenthesis, too
            text = text.split('(', 1)[1] if text.startswith('sys_') else text
            name, text = 'sys_openat', text.rstrip().removesuffix(')')
        if name not in EVENTS:
            continue
        values = fields_of(name, text.strip())
        events[name, int(found['tid']), int(found['cpu']), tuple(sorted(values.items()))] += 1
    ftrace.check_complete(os.path.join(folder, 'stats.txt'), entries)
    return events


def dumped(folder, name):
    """Each event of a trace"""
    with open(os.path.join(folder, name + '.json'), encoding='utf-8', errors='replace') as file:
        return [json.loads(line) for line in file]


def recorded(folder):
    events = collections.Counter()
    for event in dumped(folder, 'all'):
        name = event['event'].split('/')[-1]
        if not event['event'].startswith('Linux.'):
            continue
        name = 'sys_openat' if name == 'sys_enter_openat' else name
        if name not in EVENTS:
            continue
        newer = name == 'sys_openat' and '__filename_val' in event['fields']
        known = re.findall(r'\?P<(\w+)>', NEWER_OPENAT if newer else EVENTS[name])
        values = {key: text_of(event['fields'][key], False) for key in known}
        events[name, event['tid'], event['cpu'], tuple(sorted(values.items()))] += 1
    return events


def counted(folder, name):
    """What the program says of its calls, and what the report does"""
    with open(os.path.join(folder, name + '.txt'), encoding='utf-8') as file:
        made = {x.split()[0]: tuple(map(int, x.split()[1:])) for x in file}
    with open(os.path.join(folder, name + '.json'), encoding='utf-8') as file:
        report = json.load(file)
    found = {x['call']: x for x in report['calls'] if x['call'] in made}
    checks.check(made and {k: (x['calls'], x['errors']) for k, x in found.items()} == made,
                 f'stat syscalls counts the calls and errors that a program made: {name}',
                 (made, found))
    # ten times 2 ms
    checks.check('nanosleep' in found and found['nanosleep']['no end'] == 0 and
                 found['nanosleep']['time ns'] >= 20000000,
                 f'calls that sleep take at least as long: {name}', found.get('nanosleep'))
    return report['slowest']


def path_calls(folder):
    """Each path that a program passed to a system call is that of the call in the report."""
    def text(value):
        return None if value == '-' else bytes.fromhex(value).decode()

    with open(os.path.join(folder, 'paths.txt'), encoding='utf-8') as file:
        made = [(call, text(path), text(second), int(error))
                for call, path, second, error in map(str.split, file)]
    with open(os.path.join(folder, 'paths.json'), encoding='utf-8') as file:
        report = json.load(file)
    rows = sorted(report['slowest'], key=lambda x: x['at ns'])
    found = [(x['call'], x['path'], x['second path'],
              errno.errorcode.get(-int(x['result'].split()[0]), '')) for x in rows]
    rest, missing = iter(found), []
    for call, path, second, error in made:
        wanted = call, path, second, errno.errorcode.get(error, '')
        if wanted not in rest:
            missing.append((wanted, [x for x in found if x[0] == call][:9]))
            break
    checks.check(len(made) > 45 and not missing,
                 'each path of a system call is the one that the program passed', missing)
    failed = collections.Counter((path if second is None else f'{path} -> {second}', error)
                                 for _, path, second, error in made if error)
    have = collections.Counter()
    for row in report['failed']:
        have[row['path'], getattr(errno, row['error'], 0)] += row['times']
    checks.check(failed and not failed - have, 'paths that fail are counted', failed - have)


def main(folder):
    here, there = recorded(folder), printed(folder)
    for name in EVENTS:
        due = sum(count for key, count in there.items() if key[0] == name)
        missing = [key for key, count in there.items() if key[0] == name and here[key] < count]
        checks.check(due and not missing, f'each {name} that ftrace has is recorded with its fields',
                     '%d; missing: %s' % (due, missing[:3]))
    kinds = {x['event'].split('/')[0] for x in dumped(folder, 'alone')}
    checks.check('Linux.etw_test' in kinds and not kinds & OF_GROUPS,
                 'a session without groups has its events of Linux, and no others', sorted(kinds))
    events = dumped(folder, 'some')
    calls = collections.Counter((x['event'], x['fields']['id']) for x in events
                                if x['event'].startswith('Linux.raw_'))
    checks.check(set(calls) == {('Linux.raw_syscalls/sys_enter', 257),
                                ('Linux.raw_syscalls/sys_exit', 257)},
                 'only system calls that meet the condition are recorded', dict(calls))
    calls = counted(folder, 'calls')
    paths = [(x['path'], int(x['result']) >= 0) for x in calls if x['call'] == 'openat']
    checks.check(paths == [('/tmp/made_calls', True)], 'stat syscalls names the opened file', paths)
    counted(folder, 'group')
    path_calls(folder)


main(sys.argv[1])
