#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""A build's stacks by key against the same stacks whole: stack_keys.py DIRECTORY PROGRAMS

DIRECTORY is what the part compile of guest/stacks.sh left: two sessions of the same run,
one with caching. A line per check.
"""
import collections
import sys

sys.dont_write_bytecode = True
import stack_trace as s

from etwtest import checks

directory = sys.argv[1]
HOOKS = (s.SWAP, s.ZERO_FAULT, s.SYSCALL)


def tell(good, name, what=''):
    checks.check(good, name, what)


def load(name):
    trace = s.Trace(f'{directory}/{name}.etl', HOOKS)
    tell(not trace.stream.losses(), f'{name}: nothing is lost', trace.stream.losses()[:1] or '')
    stacks, strays, doubles = trace.stacks()
    tell(not strays and not doubles, f'{name}: each stack names an event before it',
         f'{len(trace.parts)} parts, {len(strays)} strays {strays[:1]}, {len(doubles)} double')
    rows = collections.defaultdict(list)
    for event, kernel, user in stacks:
        rows[event.cpu, event.hook].append((event, kernel, user))
    return trace, rows


def align(whole, keyed):
    """Where the events of the session that began later and ended earlier are in the other's."""
    first = [r[0].payload for r in keyed[:40]]
    found = [i for i in range(len(whole) - len(keyed) + 1)
             if [r[0].payload for r in whole[i:i + len(first)]] == first]
    near = keyed[0][0].time
    return min(found, key=lambda i: abs(whole[i][0].time - near), default=None)


def check_same(whole, keyed):
    same, bad, first = collections.Counter(), [], 0
    for which, rows in sorted(keyed.items()):
        start = align(whole[which], rows)
        tell(start is not None, f'processor {which[0]}, {which[1]:#06x}: both sessions saw the same')
        if start is None:
            continue
        for (event, kernel, user), (twin, kernel2, user2) in zip(rows, whole[which][start:]):
            if event.payload != twin.payload:
                bad.append(('events', event, twin))
                break
            # where a thread went to wait before this session began it may have no stack
            if event.hook == s.SWAP and (kernel, user) == (None, None) and kernel2:
                first += 1
                continue
            if (kernel, user) != (kernel2, user2):
                bad.append((event, kernel, kernel2, user, user2))
            else:
                same[f'{event.hook:#06x}'] += 1
    tell(sum(same.values()) > 2000 and not bad and first < 60, 'each stack by key is the whole one '
         'of the other session', f'{dict(same)} events, {first} waited before, '
         f'{len(bad)} others {bad[:1]}')


def least_bytes(length, times):
    """Of a part that came so often: whole the first time, then by its key, defined twice."""
    whole, definition = 32 + 8 * length, 24 + 8 * length
    if length < s.CACHED or times == 1:
        return times * whole
    return whole + 40 * (times - 1) + 2 * definition


def logged_as_due(of_key):
    """Made and gone by turns, and the end's rundown has those that there are; the start's, too."""
    kinds = collections.Counter(d[1] for d in of_key)
    there = kinds[s.CREATE] - kinds[s.DELETE]
    return there in (0, 1) and kinds[s.RUNDOWN] <= 2 and of_key[-1][1] != s.CREATE


def made_twice(of_key):
    """By two at one moment, neither of which saw the other's: then each is defined."""
    return [d[1] for d in of_key] == [s.CREATE, s.CREATE, s.RUNDOWN, s.RUNDOWN]


def check_saved(whole, keyed):
    refs = [p for p in keyed.parts if p.key is not None]
    logged = [d for of_key in keyed.definitions.values() for d in of_key]
    tell(keyed.unresolved == 0 and len(refs) > 2000, 'every key resolves',
         f'{len(refs)} stacks, {len(keyed.definitions)} keys, {keyed.unresolved} unresolved')
    frames = sum(len(p.frames) for p in keyed.parts)
    long = [p for p in keyed.parts if len(p.frames) >= s.CACHED]
    tell(len(refs) > 0.98 * s.keyed_at_least(long), 'parts that are long enough have keys from the '
         'second time on', f'{len(refs)} of {len(long)}')
    if len(long) < 20000:
        checks.skip('what caching saves', 'so few stacks hardly come twice')
        return
    written = sum(len(p.frames) for p in keyed.parts if p.key is None) + \
        sum(len(d[2]) for d in logged)
    tell(written <= 0.1 * frames, 'caching saves 90 % of the frames',
         f'{frames} frames, {written} written: {100 - 100 * written / frames:.1f} % saved')
    plain = sum(32 + 8 * len(p.frames) for p in keyed.parts)
    size = sum(p.size for p in keyed.parts) + sum(d[3] for d in logged)
    twice = [k for k, of_key in keyed.definitions.items() if made_twice(of_key)]
    wrong = [k for k, of_key in keyed.definitions.items()
             if not logged_as_due(of_key) and k not in twice]
    tell(not wrong and len(twice) <= 0.01 * len(keyed.definitions),
         'a key is recorded when it is made and when it goes, and at the end if it is there',
         f'{len(twice)} made twice at one moment, '
         f'{[(hex(k), [d[:2] for d in keyed.definitions[k]]) for k in wrong[:2]]}')
    least = sum(least_bytes(len(frames), n) for frames, n in
                collections.Counter(p.frames for p in keyed.parts).items())
    # keys that give way to others and come again cost more
    tell(size <= least + 0.01 * plain, 'caching saves what bytes of stack events it can',
         f'{plain} to {size}: {100 - 100 * size / plain:.1f} %, at most '
         f'{100 - 100 * least / plain:.1f} % by the formats')
    deep = [p for p in keyed.parts if len(p.frames) >= 80]
    keys = {p.frames for p in deep}
    of_deep = sum(p.size for p in deep) + sum(d[3] for d in logged if d[2] in keys)
    plain = sum(32 + 8 * len(p.frames) for p in deep)
    tell(len(deep) > 5000 and of_deep <= 0.1 * plain, 'parts of 80 frames and more lose 90 % of '
         'their bytes', f'{len(deep)} parts, {plain} to {of_deep}, with their {len(keys)} keys: '
         f'{100 - 100 * of_deep / plain:.1f} %')
    for hook in HOOKS:
        parts = [p for p in keyed.parts if (e := keyed.event_of(p)) and e.hook == hook]
        print(f'# {hook:#06x}: {len(parts)} parts, '
              f'{sum(32 + 8 * len(p.frames) for p in parts)} bytes whole, '
              f'{sum(p.size for p in parts)} as they are')
    for low, high in ((1, 3), (4, 39), (40, 79), (80, 128)):
        some = [p for p in keyed.parts if low <= len(p.frames) <= high]
        print(f'# parts of {low} to {high} frames: {len(some)}, '
              f'{sum(32 + 8 * len(p.frames) for p in some)} bytes whole, '
              f'{sum(p.size for p in some)} as they are')
    print(f'# what keys stand for: {sum(d[3] for d in logged)} bytes, {len(logged)} records, of '
          f'{len(keyed.definitions)} keys; {sum(d[1] == s.DELETE for d in logged)} gave way')
    both = [sum(len(r.payload) + 16 for records in t.cpus.values() for r in records)
            for t in (whole, keyed)]
    print(f'# all records: {both[0]} bytes without, {both[1]} with caching')


def main():
    whole, whole_rows = load('whole')
    keyed, keyed_rows = load('keyed')
    tell(not [p for p in whole.parts if p.key is not None], 'no keys without caching')
    check_same(whole_rows, keyed_rows)
    check_saved(whole, keyed)
    sys.exit(bool(checks.failures))


main()
