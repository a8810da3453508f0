#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""check_execs.py ETW FILE...: a rundown names a process by the image that it has then.

Every image has a UniqueProcessKey of its own. Exit status 1 when a rundown's is not that of the
Process Start before it, or a Process Stop's not that of the rundown or Start before it.
With --stopped FILE or --unseen FILE before them they are traces of
tests/vm/source/process/guest/rundown_stopped.sh or rundown_unseen.sh, which leaves that file: the process,
and how often it came to what it forces. Where a CPU stopped the rundown has looked, it writes; where
it met an exec, either names the process.
"""
import sys
from dumped import records_of

from etwtest.checks import check


def keys_of(tool, name):
    """(kind, pid, UniqueProcessKey) of the records of processes, in their order."""
    for _, what, fields in records_of(tool, name, ('Process',)):
        if what in ('Start', 'Stop', 'DCStart', 'DCStop'):
            yield what, fields['ProcessId'], fields['UniqueProcessKey']


def main():
    tool, names, forced = sys.argv[1], sys.argv[2:], None
    if names[0] in ('--stopped', '--unseen'):
        by = ('DCStart', 'DCStop') + ('Start',) * (names[0] == '--unseen')
        with open(names[1], encoding='ascii') as file:
            forced = [int(word) for word in file.read().split()]
        names = names[2:]
    logged = execs = 0
    logged_of_it = set()
    stale, stopped = [], []
    for name in names:
        last, begun = {}, set()
        for what, pid, key in keys_of(tool, name):
            if what == 'Stop' and last.get(pid, key) != key:
                stopped.append((name, pid))
            if forced and pid == forced[0] and what in by:
                logged_of_it.add(name)
            if what in ('DCStart', 'DCStop'):
                logged += 1
                # of one that has begun by then only what it is by then
                if pid in begun and last.get(pid) != key:
                    stale.append((name, pid))
            if what == 'Start':
                begun.add(pid)
                execs += pid in last
            last[pid] = key
    # else nothing was tried
    results = [check(execs > len(names) and logged > 5 * len(names),
                     'each rundown has processes, and some of them exec',
                     f'{logged} in rundowns, {execs} execs')]
    if forced:
        results.append(check(forced[1] >= len(names) == len(logged_of_it),
                             'each trace forced the case, and has the process',
                             f'{forced[1]} times, {len(names)} traces, '
                             f'{len(logged_of_it)} have it'))
    results += [check(not stale, 'no rundown has an image that is gone', stale[:5]),
                check(not stopped, 'a Process Stop has the key that was recorded before',
                      stopped[:5])]
    return 0 if all(results) else 1


sys.exit(main())
