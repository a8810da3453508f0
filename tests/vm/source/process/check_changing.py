#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""check_changing.py ETW FILE TRACE...: a process that execs while a rundown stands is named once.

FILE is what tests/vm/source/process/guest/rundown_changing.sh leaves: the process, and how often a
rundown met its exec. In each TRACE, one of those, the rundown has the process and its
only thread, once. Exit status 1 where it doesn't.
"""
import sys
from dumped import records_of

from etwtest import checks


def main():
    tool, logged, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(logged, encoding='ascii') as file:
        pid, met = (int(word) for word in file.read().split())
    good = met == len(names) > 0
    checks.check(good, 'each trace met an exec', f'{met} times, {len(names)} traces')
    for kind in ('Process', 'Thread'):
        found = [sum(what == 'DCStop' and fields['ProcessId'] == pid
                     for _, what, fields in records_of(tool, name, (kind,))) for name in names]
        checks.check(all(count == 1 for count in found), f'each trace names the {kind} once',
                     f'{pid}: {found}')
    return bool(checks.failures)


sys.exit(main())
