#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check_execs.py ETW FILE...: a rundown tells of a process by the image that it has then.

Every image has a UniqueProcessKey of its own. Exit status 1 when a rundown's is not that of the
Process Start before it, or a Process Stop's not that of the rundown or Start before it.
"""
import json
import subprocess
import sys


def keys_of(tool, name):
    """(kind, pid, UniqueProcessKey) of the records of processes, in their order."""
    done = subprocess.run([tool, 'dump', '--json', name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        event = json.loads(line)
        kind, _, what = event['event'].partition('/')
        if kind == 'Process' and what in ('Start', 'Stop', 'DCStart'):
            yield what, event['fields']['ProcessId'], event['fields']['UniqueProcessKey']


def main():
    tool, names = sys.argv[1], sys.argv[2:]
    told = execs = 0
    stale, stopped = [], []
    for name in names:
        last, begun = {}, set()
        for what, pid, key in keys_of(tool, name):
            if what == 'Stop' and last.get(pid, key) != key:
                stopped.append((name, pid))
            if what == 'DCStart':
                told += 1
                # of one that has begun by then only what it is by then
                if pid in begun and last.get(pid) != key:
                    stale.append((name, pid))
            if what == 'Start':
                begun.add(pid)
                execs += pid in last
            last[pid] = key
    # else nothing was tried
    good = execs > len(names) and told > 5 * len(names)
    print('%s - %d were told of, %d execs' % ('ok' if good else 'not ok', told, execs))
    print('%s - no rundown tells of an image that is gone: %d, %s' %
          ('not ok' if stale else 'ok', len(stale), stale[:5]))
    print('%s - what stops is what was told of: %d, %s' %
          ('not ok' if stopped else 'ok', len(stopped), stopped[:5]))
    return 0 if good and not stale and not stopped else 1


sys.exit(main())
