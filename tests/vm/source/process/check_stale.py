#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""check_stale.py ETW FILE...: no rundown of a start names what has ended already.

check_stale.py ETW --ending FILE TRACE: nor does any rundown of the one thread that is in FILE.
What tests/vm/source/process/guest/rundown_stale.sh and rundown_ending.sh leave.
"""
import sys
from dumped import records_of

from etwtest.checks import check


def records(tool, name):
    """(what, id) of the records of processes and threads, in their order."""
    for kind, what, fields in records_of(tool, name, ('Process', 'Thread')):
        yield what, (kind, fields[kind + 'Id'])


def check_all(tool, names):
    late, ended, logged = [], 0, 0
    for name in names:
        gone = set()
        for what, who in records(tool, name):
            if what == 'Stop':
                gone.add(who)
            elif what == 'Start':
                gone.discard(who)
            elif what == 'DCStart':
                logged += 1
                if who in gone:
                    late.append((name, who))
        ended += len(gone)
    # else nothing was tried
    good = ended > 10 * len(names) and logged > 10 * len(names)
    return check(good, 'the rundowns have processes and threads, and some of them end',
                 '%d in rundowns, %d ended' % (logged, ended)) & \
        check(not late, 'no rundown of a start has what has ended', late[:5])


def check_ending(tool, thread, name):
    stops, logged, late = 0, {'DCStart': 0, 'DCStop': 0}, []
    for what, who in records(tool, name):
        stops += what == 'Stop' and who == ('Thread', thread)
        if stops and what in logged:
            logged[what] += 1
            if who == ('Thread', thread):
                late.append(what)
    # else nothing was tried
    good = stops == 1 and all(count > 10 for count in logged.values())
    return check(good, 'the thread has one Stop, and both rundowns follow it',
                 '%d, %s' % (stops, logged)) & \
        check(not late, 'no rundown has a thread behind its Stop, although it has not quite ended',
              late)


def main():
    tool, names = sys.argv[1], sys.argv[2:]
    if names[0] != '--ending':
        return 0 if check_all(tool, names) else 1
    with open(names[1], encoding='ascii') as file:
        return 0 if check_ending(tool, int(file.read()), names[2]) else 1


sys.exit(main())
