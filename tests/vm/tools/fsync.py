# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""A slow fsync: its chain of events is in the trace, and in the reports. Usage: ... FOLDER"""
import json
import os
import sys

sys.path.insert(0, 'tests/lib')
from etwtest import checks  # noqa: E402


def load(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8', errors='replace') as file:
        return json.load(file)


def events(folder):
    """Events of Linux in the order of time"""
    with open(os.path.join(folder, 'fsync.json'), encoding='utf-8', errors='replace') as file:
        rows = [json.loads(line) for line in file]
    return sorted((x for x in rows if x['event'].startswith('Linux.')), key=lambda x: x['ns'])


def chains(found):
    """For each fsync the names of the events from its begin to its end, of all threads"""
    lists, inside = [], None
    for event in found:
        name = event['event'].split('/')[-1]
        if name == 'ext4_sync_file_enter':
            inside = []
        if inside is not None:
            inside.append((name, event['tid']))
        if name == 'ext4_sync_file_exit' and inside is not None:
            lists.append(inside)
            inside = None
    return lists


def is_in_order(names, wanted):
    rest = iter(names)
    return all(name in rest for name in wanted)


def main(folder):
    with open(os.path.join(folder, 'took.txt'), encoding='utf-8') as file:
        took = [int(x) for x in file]
    lists = chains(events(folder))
    order = ('ext4_sync_file_enter', 'jbd2_start_commit', 'block_rq_issue', 'block_rq_complete',
             'jbd2_end_commit', 'ext4_sync_file_exit')
    whole = [x for x in lists if is_in_order([name for name, _ in x], order)]
    checks.check(len(took) == 5 and len(whole) == len(took),
                 'each fsync has its chain: ext4, commit of jbd2, request of the disk, and back',
                 [len(x) for x in lists])
    other = [x for x in whole if dict(x)['jbd2_start_commit'] != x[0][1]]
    checks.check(whole and len(other) == len(whole), 'another thread commits the journal',
                 len(other))
    calls = [x for x in load(folder, 'calls.json')['calls'] if x['call'] == 'fsync']
    checks.check(len(calls) == 1 and calls[0]['calls'] == len(took) and
                 sum(took) * 0.5 <= calls[0]['time ns'] <= sum(took),
                 'the report of system calls has the time that the program measured', calls)
    waits = load(folder, 'waits.json')['waits']
    longest = max((x for x in waits if x['process'] == 'slow_fsync' and
                   'jbd2_log_wait_commit' in str(x['stack'])), key=lambda x: x['waiting ns'],
                  default={})
    checks.check('jbd2' in str(longest.get('by thread')),
                 'the wait for the commit names the thread of the journal', longest)
    commits = [x for x in waits if x['tid'] == longest.get('by') and x['how'] == 'interrupt' and
               'jbd2_journal_commit_transaction' in str(x['stack'])]
    checks.check(len(commits) >= len(took) and {x['reason'] for x in commits} == {'disk'},
                 'that thread waits for interrupts of the disk', commits[:1])
    disk = load(folder, 'disk.json')['disks']
    checks.check(disk and sum(x['writes'] for x in disk) >= len(took),
                 'the report of disks has the writes', disk)


main(sys.argv[1])
