#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""A session of the kernel's, consumed in real time, against its own count."""
import json
import sys

from etwtest.checks import check as report

HEADER = '68fdd900-4a3e-11d1-84f4-0000f80464e3'
LOST = '6a399ae0-4bc6-4de9-870b-3657f8947e7e'
THREAD = '3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c'


def main(directory):
    status = json.load(open(directory + '/status.json', encoding='utf-8'))[0]
    lines = [x.split() for x in open(directory + '/live.txt', encoding='utf-8')]
    events = [x for x in lines if x[0] == 'E' and x[2] != LOST]
    # the header buffer is no CPU's record
    in_header = [x for x in events[:3] if x[1:3] == [events[0][1], HEADER]]
    held = status['read'] + status['buffered']
    switches = sum(x[2] == THREAD and x[3] == '36' for x in events)
    print('# %d events, %d of them switches; the session had %d, lost %d' % (
        len(events), switches, held, status['lost']))
    report(len(events) - len(in_header) == held,
           'as many events of the kernel come as the session recorded')
    report(switches > 10000, 'switches are among them')
    report(events and events[0] in in_header and events[0][3] == '0',
           'its header event is the first')
    times = [int(x[1]) for x in events]
    wrong = sum(a > b for a, b in zip(times, times[1:]))
    report({x[8] for x in events} == {'0', '1', '2'} and not wrong,
           'events of three processors come in order of time', '%d do not' % wrong)
    report(lines[-1][:2] == ['R', '0'], 'ProcessTrace ends with the session')
    lost = [x for x in lines if x[0] == 'E' and x[2] == LOST]
    report(bool(lost) == (status['lost'] > 0), 'losses are delivered if there are any')


main(sys.argv[1])
