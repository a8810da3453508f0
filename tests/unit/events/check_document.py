#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Documentation's tables of events against the module's and the tool's sources.

check_document.py ETW

Every event that the module writes has a row and a layout in the reader, every field of
it a row; no row is of an event that nothing writes; the masks in the titles are those
of 'etw list events'. Counters are refused for those events whose records have no room for
them, as kernel-events.rst 2 has it, and for no others. Each event of tests/unit/events/tier1.txt
is written, or limits.rst says that it is not.
"""
import re
import subprocess
import sys

from etwtest import checks
from etwtest import catalogue
from etwtest.hooks import written

def masks(etw):
    """All bits of the groups that START takes: {index: bits}."""
    found = {}
    text = subprocess.run([etw, 'list', 'events'], check=True, capture_output=True, text=True)
    for value in re.findall(r'^\S+ +(0x[0-9a-f]{8})  ', text.stdout, re.M):
        add(found, int(value, 16))
    return found


def add(found, mask):
    found[mask >> 29] = found.get(mask >> 29, 0) | mask & (1 << 29) - 1


def rooms():
    """{hook: whether its records have room for counters}, of each that has a row."""
    with open('Documentation/reference/kernel-events.rst', encoding='utf-8') as file:
        section = re.search(r'^2 Which hook.*?^3 ', file.read(), re.M | re.S)[0]
    found, header = {}, ''
    for row in catalogue.tables_of(section.split('\n'), 0)[0]:
        # without one it goes on with the hooks of the row before
        header = row.cells[1] or header
        for hook in re.findall(r'\b[0-9A-F]{4}\b', row.cells[0]):
            found[hook] = bool(re.search(r'\bP\b', header))
    return found


def check_rooms(etw, events):
    has_room = rooms()
    wrong = []
    for hook in sorted(events | set(has_room)):
        done = subprocess.run([etw, 'start', 'x', '-c', f'cycles@0x{hook}', '--dry-run'],
                              capture_output=True, text=True, check=False)
        refused = 'events with counters' in done.stderr and 'not supported' in done.stderr
        if refused == has_room.get(hook, True) or done.returncode != refused:
            wrong.append(f'{hook}: {done.stderr or "taken"}')
    few = len(has_room) < 60 or all(has_room.values())
    for text in wrong:
        print(f'  {text}')
    return checks.check(not wrong and not few,
                        'counters are refused for the events that have no room for them',
                        f'{sum(not room for room in has_room.values())} events')


def wanted():
    """Hook ids of tests/unit/events/tier1.txt, which no source of ours is asked for."""
    with open('tests/unit/events/tier1.txt', encoding='utf-8') as file:
        return {line.split()[0] for line in file if not line.startswith('#')}


def given_up():
    """Hook ids that limits.rst says are not written."""
    with open('Documentation/reference/limits.rst', encoding='utf-8') as file:
        items = re.split(r'\n\* ', file.read())
    return {hook for item in items if 'not written' in item
            for names in re.findall(r'\(([0-9A-F, ]+)\)', item)
            for hook in re.findall(r'\b[0-9A-F]{4}\b', names)}


def check_wanted(events):
    """What is gone from the module is missed: that is not to be learnt from the module."""
    tier, without = wanted(), given_up()
    bad = [f'{hook} is neither written nor given up' for hook in sorted(tier - events - without)]
    bad += [f'{hook} is written, and limits.rst says that it is not'
            for hook in sorted(without & events)]
    for text in bad:
        print(f'  {text}')
    return checks.check(not bad and len(tier) >= 80,
                        'each event of Windows is written, or limits.rst has it',
                        f'{len(tier)} events, {len(without)} in limits.rst')


def main():
    bad = []
    sections, layouts, events = catalogue.sections(), catalogue.layouts(), written()
    fields = 0
    for hook in sorted(events):
        of = [s for s in sections if hook in s.events]
        if not of:
            bad.append(f'{hook} has no row')
            continue
        if hook not in layouts:
            bad.append(f'{hook} has no layout in the reader')
            continue
        logged = of[0].versions & set(layouts[hook])
        for name in layouts[hook][max(logged or layouts[hook])]:
            fields += 1
            if all(s.field(hook, name) is None for s in of):
                bad.append(f'{hook}: {name} has no row')
    for section in sections:
        for hook, text in section.events.items():
            if hook not in events and not text.startswith('never') and ' never' not in text:
                bad.append(f'{hook} has a row ({section.title}), and nothing writes it')
    logged = {}
    for section in sections:
        for mask in section.masks:
            add(logged, mask)
    known = masks(sys.argv[1])
    if logged != known:
        bad.append(f'masks in titles {logged}, of etw list events {known}')
    for text in bad:
        print(f'  {text}')
    good = [checks.check(not bad, 'events.rst has all events, fields, and masks of groups',
                         f'{len(events)} events, {fields} fields'),
            check_rooms(sys.argv[1], events), check_wanted(events)]
    sys.exit(not all(good))


if __name__ == '__main__':
    main()
