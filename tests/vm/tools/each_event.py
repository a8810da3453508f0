# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Of each tracepoint, etw has as many events of the load as ftrace. Usage: ... FOLDER LEAST"""
import collections
import glob
import json
import os
import re
import sys

sys.path.insert(0, 'tests/lib')
from etwtest import checks  # noqa: E402

# "NAME: FIELDS"; of system calls "sys_NAME(ARGUMENTS)" and "sys_NAME -> RESULT"
LINE = re.compile(r'\s*\S.*?-(?P<tid>\d+)\s+\[\d+\]\s+\S+\s+[\d.]+: '
                  r'(?:(?P<name>\w+):|sys_(?P<enter>\w+)\(|sys_(?P<exit>\w+) ->)')


def lines(name):
    with open(name, encoding='utf-8', errors='replace') as file:
        return file.read().split('\n')[:-1]


def printed(group, pids):
    """ftrace's count of each event"""
    counts = collections.Counter()
    for text in lines(group + '.txt'):
        found = LINE.match(text)
        if found and int(found['tid']) in pids:
            counts[found['name'] or ('sys_enter_' + found['enter'] if found['enter'] else
                                     'sys_exit_' + found['exit'])] += 1
    for text in lines(group + '.stats'):
        name, _, value = text.partition(':')
        if name in ('overrun', 'commit overrun', 'dropped events') and int(value):
            sys.exit(f'{group}: ftrace lost events: {text}')
    return counts


def recorded(group, pids):
    counts = collections.Counter()
    for text in lines(group + '.json'):
        event = json.loads(text)
        if event['tid'] in pids:
            counts[event['event'].split('/')[-1]] += 1
    return counts


def main(folder, least):
    tried, happened, wrong = 0, 0, []
    for name in sorted(glob.glob(os.path.join(folder, 'each_*.events'))):
        group = name.removesuffix('.events')
        pids = set(map(int, lines(group + '.pids')))
        there, here = printed(group, pids), recorded(group, pids)
        for event in lines(name):
            tried += 1
            short = event.split(':')[1]
            happened += there[short] > 0
            if there[short] != here[short]:
                wrong.append((event, there[short], here[short]))
    checks.check(tried and not wrong, 'each tracepoint has the number of events that ftrace counts',
                 f'{tried} tracepoints, {happened} with events; ftrace, etw: {wrong[:20]}')
    checks.check(happened >= least, 'the load causes events of many tracepoints', happened)


main(sys.argv[1], int(sys.argv[2]))
