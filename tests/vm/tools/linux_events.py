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


def list_of(folder, name):
    """A program's own list of its calls: call, path or address, second path, error"""
    def text(value):
        return None if value == '-' else bytes.fromhex(value).decode()

    with open(os.path.join(folder, name + '.txt'), encoding='utf-8') as file:
        return [(call, text(path), text(second), errno.errorcode.get(int(error), ''))
                for call, path, second, error in map(str.split, file)]


def error_of(result):
    return errno.errorcode.get(-int(result), '')


def first_missing(made, found):
    """The first call of the list that does not follow the one before it"""
    rest = iter(found)
    for wanted in made:
        if wanted not in rest:
            return wanted, [x for x in found if x[0] == wanted[0]][:9]
    return None


def path_calls(folder, name, least):
    """Each path and address of a program's list is that of the call in the report and in dump."""
    made = list_of(folder, name)
    with open(os.path.join(folder, 'paths.json'), encoding='utf-8') as file:
        report = json.load(file)
    rows = sorted(report['slowest'], key=lambda x: x['at ns'])
    missing = first_missing(made, [(x['call'], x['path'], x['second path'],
                                    error_of(x['result'].split()[0])) for x in rows])
    checks.check(len(made) >= least and not missing,
                 f'each path or address of a call is the one that the program passed: {name}',
                 missing)
    ends = [x['fields'] for x in dumped(folder, 'paths_dump')
            if x['event'] == 'Linux.raw_syscalls/sys_exit']
    missing = first_missing(
        [x[1:] for x in made], [(x.get('Path', x.get('Address')), x.get('SecondPath'),
                                 error_of(x['ret'])) for x in ends])
    checks.check(not missing, f'dump --names shows each path or address with the end of its call: '
                 f'{name}', missing)
    failed = collections.Counter((path if second is None else f'{path} -> {second}', error)
                                 for _, path, second, error in made if error and path)
    have = collections.Counter()
    for row in report['failed']:
        have[row['path'], row['error']] += row['times']
    checks.check(failed and not failed - have, f'paths and addresses that fail are counted: {name}',
                 failed - have)


def addresses(folder):
    """The event of an address shows it, too."""
    made = {x[1] for x in list_of(folder, 'sockets') if x[1]}
    events = [x['fields'] for x in dumped(folder, 'paths_dump')
              if x['event'].startswith('Linux.kprobes.syscall_address/')]
    checks.check(made <= {x.get('Address') for x in events} and
                 all(x['length'] > 0 for x in events),
                 'an event of an address has it as text, and messages without one have no event',
                 (made - {x.get('Address') for x in events}, len(events)))


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
    path_calls(folder, 'paths', 46)
    path_calls(folder, 'sockets', 30)
    addresses(folder)


main(sys.argv[1])
