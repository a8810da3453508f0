#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check_stale.py ETW FILE...: no rundown of a start tells of what has ended already."""
import json
import subprocess
import sys


def main():
    tool, names = sys.argv[1], sys.argv[2:]
    late, ended, told = [], 0, 0
    for name in names:
        done = subprocess.run([tool, 'dump', '--json', name], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        gone = set()
        for line in done.stdout.splitlines():
            event = json.loads(line)
            kind, _, what = event['event'].partition('/')
            if kind not in ('Process', 'Thread'):
                continue
            who = kind, event['fields']['ProcessId' if kind == 'Process' else 'ThreadId']
            if what == 'Stop':
                gone.add(who)
            elif what == 'Start':
                gone.discard(who)
            elif what == 'DCStart':
                told += 1
                if who in gone:
                    late.append((name, who))
        ended += len(gone)
    # else nothing was tried
    good = ended > 10 * len(names) and told > 10 * len(names)
    print('%s - %d were told of, %d ended' % ('ok' if good else 'not ok', told, ended))
    print('not ok - after their end: %s' % late[:5] if late else
          'ok - nobody is told of after the end')
    return 0 if good and not late else 1


sys.exit(main())
