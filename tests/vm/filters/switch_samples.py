# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Samples of a filtered session against the context switches of one without a filter.

What is sampled is each PERIODth context switch of a CPU, of any thread; the thread that
goes has the sample. So one sample says which switches have the others.
"""
import struct
from bisect import bisect_right

SWITCH, TIMER, OVERFLOW = 0x0524, 0x0F2E, 0x0F2F
PERIOD = 101


def thread_of(sample):
    return struct.unpack_from('<I', sample.payload, 8)[0]


def compare_cpu(cpu, switches, samples, is_chosen):
    """switches: (time, thread that went), in order. Returns what is wrong, or ''."""
    times, at = [time for time, _ in switches], {}
    for sample in samples:
        place = bisect_right(times, sample.time) - 1
        if place < 0 or switches[place][1] != thread_of(sample):
            return f'cpu {cpu}: a sample of {thread_of(sample)} without its switch'
        at[place] = sample
    if not at:
        return ''
    phase = min(at) % PERIOD
    want = {place for place in range(phase, len(switches), PERIOD)
            if is_chosen(switches[place][1])}
    if want != set(at):
        return (f'cpu {cpu}: of the switches from {phase} on, sampled each {PERIOD}: '
                f'{sorted(want - set(at))[:4]} are missing, {sorted(set(at) - want)[:4]} are others')
    return ''


def compare(cpus, sampled, owners, chosen):
    """{cpu: records} of both sessions. Returns what is wrong, how many samples, how many by time."""
    def is_chosen(thread):
        return owners.process.get(thread) in chosen

    wrong, samples, timer = [], 0, 0
    for cpu, records in sampled.items():
        mine = [r for r in records if r.hook == OVERFLOW]
        by_time = [r for r in records if r.hook == TIMER]
        switches = [(r.time, struct.unpack_from('<I', r.payload, 4)[0])
                    for r in cpus.get(cpu, []) if r.hook == SWITCH]
        wrong += filter(None, [compare_cpu(cpu, switches, mine, is_chosen)])
        wrong += [f'cpu {cpu}: a sample of {thread_of(r)}' for r in mine + by_time
                  if not is_chosen(thread_of(r))][:1]
        samples += len(mine)
        timer += len(by_time)
    if not samples or not timer:
        wrong.append(f'{samples} samples of switches and {timer} by time')
    return wrong, samples, timer
