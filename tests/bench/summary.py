#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What tests/bench/guest/bench.sh printed, as a table and as JSON.

summary.py LOG TARGET ns|ticks JSON-FILE: markdown goes to standard output.
With -icount shift=0 a nanosecond of arm64's clock, and a tick of x86's TSC,
is one instruction. Exit status 1: figures that are not valid, or an aim of the
engine's that is not reached.
"""
import json
import re
import statistics
import sys
from collections import defaultdict

# configuration: what it is, bytes that an event takes
ROWS = {
    'probe': ('empty probe', '0'),
    'etw': ('**etw**, one session', '40'),
    'etw-2': ('**etw**, two sessions', '2 x 40'),
    'etw-3': ('**etw**, three sessions', '3 x 40'),
    'etw-dispatcher': ('**etw**, with ready thread', '40 + 24'),
    'etw-overwrite': ('**etw**, overwrite mode', '40'),
    'etw-clock2': ('**etw**, clock 2 (system time)', '40'),
    'etw-4k': ('**etw**, buffers of 4 KB', '40'),
    'bpf': ('BPF raw tracepoint to ring buffer', '40'),
    'ftrace-nocmd': ('ftrace event, record-cmd off', '68'),
    'ftrace': ('ftrace event', '68'),
    'perf': ('perf record', '128'),
}
# Those that are compared with each other were run in turn, and oftener
RUNS = {'etw': 7, 'etw-2': 7, 'etw-3': 7, 'etw-dispatcher': 7}
# What the engine must reach: by machine, and of what a second session and a ready thread add
AIMS = {'arm64': {'etw': 120}, 'x86_64': {'etw': 110}}
MORE = {'second session': ('etw-2', 35), 'ready thread': ('etw-dispatcher', 80)}
# What is aimed at, of what each counter adds to a record after the first one
COUNTER_AIM = 20
# the same with N counters in each record, by what reads them
COUNTERS = {
    'counters': '**etw**, {n} counter{s}',
    'read': '**etw**, {n} counter{s}, by pmu->read',
    'group': 'perf record, group of the switch and {n} counter{s}',
}
# A program's event of 16 bytes of data: what it is, bytes that it takes
PROGRAMS = {
    'event': ('**etw**, TRACE_EVENT', '64'),
    'mof': ('**etw**, TRACE_EVENT, data by a MOF_FIELD', '64'),
    'write': ('**etw**, write()', '64'),
    'message': ('**etw**, TRACE_MESSAGE, all items', '64'),
    'event-other': ("**etw**, TRACE_EVENT, another user's, limited", '64'),
    'marker': ('ftrace, trace_marker', '32'),
    'raw': ('ftrace, trace_marker_raw', '24'),
}
# The same by libetw's calls, with so many sessions that have the provider enabled
PROVIDERS = {
    'write-0': ('EventWrite behind EventEnabled, no session', ''),
    'tracelogging-0': ('TraceLoggingWrite, no session', ''),
    'write-1': ('**etw**, EventWrite, one session', '96'),
    'tracelogging-1': ('**etw**, TraceLoggingWrite, one session', '144'),
    'write-8': ('**etw**, EventWrite, eight sessions', '8 x 96'),
    'tracelogging-8': ('**etw**, TraceLoggingWrite, eight sessions', '8 x 144'),
    'marker': ('ftrace, trace_marker', '32'),
}
# Calls on files, and others that the probes of their groups see: what it is, operations in it
FILES = {
    'read': ('pread() of a byte', 1),
    'stat': ('fstat()', 1),
    'open': ('open() and close()', 3),
    'pipe': ('write() and read() of a pipe', 0),
}
# Likewise, page faults
FAULTS = {
    'fault': 'page of the heap',
    'map': 'page of a file in memory',
}
# Likewise, calls with events of a group: what it is, events in it, what is aimed at for each
SOURCES = {
    'udp': ('datagram sent and received', 2, 300),
    'tcp': ('byte of a stream sent and received', 2, 300),
    'image': ('image mapped and unmapped', 2, 2000),
    'pool': ('two objects allocated and freed', 4, 250),
}
# Of a call in which the timer's interrupt comes
INTERRUPTS = {'timer-etw': '**etw**, one session, one record',
              'timer-etw-2': '**etw**, two sessions, one record each',
              'timer-ftrace': 'ftrace, two records'}
# A tracepoint of the kernel, added to the call in which it is: what it is, number of runs
EVENTS = {'event-etw': ('**etw**, one session', 7), 'event-etw-2': ('etw, two sessions', 7),
          'event-ftrace': ('ftrace, with its ring buffer', 3), 'event-perf': ('perf record', 3)}
# An event and its stack, added to what is done without a session: what it is
STACKS = {
    'swap': ('a context swap', 'base', {'': 'without a stack', '-user': 'user part alone',
                                        '-stack': 'both parts', '-keys': 'both parts by key'}),
    'enter-4': ('entry of a system call', 'enter-4', {
        '-event': 'without a stack', '-user': 'user part alone', '-stack': 'both parts',
        '-keys': 'both parts by key'}),
    'enter-64': ('entry of a system call, 60 calls deeper', 'enter-64', {
        '-event': 'without a stack', '-user': 'user part alone', '-stack': 'both parts',
        '-keys': 'both parts by key'}),
}
# Other tracers, with and without the stack of a context switch
PEERS = {
    'ftrace': ('ftrace', {'': 'none', '-kernel': 'kernel', '-stack': 'both parts'}),
    'bpf': ('BPF, bpf_get_stackid()', {'': 'none', '-stack': 'both parts'}),
    'perf': ('perf record', {'': 'none', '-stack': '-g', '-dwarf': '--call-graph dwarf'}),
}
# WMI_BUFFER_HEADER aside, 40 bytes each
EVENTS_IN_4K = (4096 - 0x48) // 40
EVENTS_IN_64K = (65536 - 0x48) // 40


def read(path, unit):
    runs, methods, trouble, skipped = defaultdict(list), {}, [], []
    frames, calls = defaultdict(list), 0
    with open(path, encoding='utf-8', errors='replace') as file:
        for line in file:
            m = re.match(r'(\S+) pingpong switches=(\d+) ns=(\d+) ticks=(\d+)', line)
            if m:
                runs[m[1]].append(int(m[3 if unit == 'ns' else 4]) / int(m[2]))
                continue
            m = re.match(r'((?:etw|file|source|timer)\S*) hold: (.*)', line)
            if m and not re.search(r'overwritten=0 .*lost=0 ', m[2]):
                trouble.append(f'{m[1]} lost events: {m[2]}')
            m = re.match(r'((?:counters|read)-\d) hold: read by: (.*)', line)
            if m:
                methods[m[1]] = ', '.join(sorted(set(re.findall(r':(\w+)', m[2]))))
            m = re.match(r'((?:counters|read)-\d) hold: ([^r].*)', line)
            if m and not re.search(r'overwritten=0 lost=0 uncounted=0', m[2]):
                trouble.append(f'{m[1]}: {m[2]}')
            # each call has its record
            m = re.match(r'(timer\S*) hold: .* buffered=(\d+)', line)
            if m and int(m[2]) < calls:
                trouble.append(f'{m[1]}: {m[2]} records of {calls} calls')
            m = re.match(r'(\S*ftrace\S*) stats (overrun|commit overrun|dropped events): (\d+)',
                         line)
            if m and int(m[3]):
                trouble.append(f'{m[1]} lost events: {m[2]} {m[3]}')
            m = re.match(r'(\S+) eventcost calls=(\d+) failed=(\d+) ns=(\d+) ticks=(\d+)', line)
            if m:
                calls = int(m[2])
                runs[m[1]].append(int(m[4 if unit == 'ns' else 5]) / calls)
                if int(m[3]):
                    trouble.append(f'{m[1]}: {m[3]} calls failed')
            m = re.match(r'(\S+) status (.*)', line)
            if m and ' 0 overwritten, 0 discarded, 0 lost' not in m[2]:
                trouble.append(f'{m[1]}: {m[2]}')
            m = re.match(r'(\S+) session: (.*)', line)
            if m and re.search(r'(overwritten|lost\d|uncounted)=[1-9]', m[2]):
                trouble.append(f'{m[1]}: {m[2]}')
            m = re.match(r'(\S+) frames (\w+) (\d+) (\d+)', line)
            if m:
                frames[m[1]].append((m[2], int(m[3]), int(m[4])))
            m = re.match(r'(marker|raw) stats (overrun|dropped events): (\d+)', line)
            if m and int(m[3]):
                trouble.append(f'{m[1]} lost events: {m[2]} {m[3]}')
            if 'FULL' in line:
                trouble.append(line.strip())
            m = re.match(r'(\S+) skipped: (.*)', line)
            if m:
                skipped.append(f'{m[1]}: {m[2]}')
    return runs, methods, trouble, skipped, frames


def middle(runs):
    """The mean without the least and the most: of three runs their median."""
    return statistics.mean(sorted(runs)[1:-1])


def checked_row(runs, name, count, base, trouble):
    """Return: see row(); None if there are not so many runs of the name"""
    if len(runs[name]) == count:
        return row(runs[name], base)
    trouble.append(f'{name}: {len(runs[name])} runs')
    return None


def row(runs, base):
    added = [x - base for x in runs]
    return {'middle': round(middle(added), 1), 'least': round(min(added), 1),
            'most': round(max(added), 1)}


def print_tracers(runs, base, result, trouble):
    print('| configuration | bytes | added | least..most |')
    print('|---|---|---|---|')
    for name, (what, size) in ROWS.items():
        if len(runs[name]) != RUNS.get(name, 3):
            if name != 'perf':
                trouble.append(f'{name}: {len(runs[name])} runs')
            continue
        values = result['added'][name] = row(runs[name], base)
        print(f'| {what} | {size} | {values["middle"]:.0f} | '
              f'{values["least"]:.0f}..{values["most"]:.0f} |')
    added = {name: values['middle'] for name, values in result['added'].items()}
    if {'etw', 'etw-2', 'etw-4k'} <= set(added):
        result['second_session'] = round(added['etw-2'] - added['etw'], 1)
        result['buffer_switch'] = round((added['etw-4k'] - added['etw']) * EVENTS_IN_4K)
        doubt = round(max(result['added'][name]['most'] - result['added'][name]['least']
                          for name in ('etw', 'etw-4k')) * EVENTS_IN_4K)
        result['buffer_switch_doubt'] = doubt
        print(f'\nThe second session adds {result["second_session"]:.0f}. A new buffer costs '
              f'{result["buffer_switch"]} +- {doubt} (from buffers of {EVENTS_IN_4K} events, '
              f'unread), less than {(result["buffer_switch"] + doubt) / EVENTS_IN_64K:.1f} '
              'per event with 64 KB.')
    print_aims(result, added)


def print_aims(result, added):
    """Which of the aims are reached; the middle of the runs says it, not the best."""
    aims = AIMS.get(result['target'].split('-')[0], {})
    got = [('one session', added[name], aim) for name, aim in aims.items() if name in added]
    got += [(what, added[name] - added['etw'], aim) for what, (name, aim) in MORE.items()
            if {name, 'etw'} <= set(added)]
    result['missed'] = [what for what, value, aim in got if not print_aim(what, value, aim)]


def print_aim(what, value, aim):
    print(f'Aim: {what} {aim}: {value:.0f}, {"reached" if value <= aim else "NOT REACHED"}.')
    return value <= aim


def print_counters(runs, base, methods, result, trouble):
    print('| configuration | read by | added | least..most | each further counter |')
    print('|---|---|---|---|---|')
    result['read_by'] = methods
    for kind, what in COUNTERS.items():
        one = None
        for n in (0, 1, 2, 4, 7):
            name = f'{kind}-{n}'
            if len(runs[name]) != 3:
                if runs[name] or kind == 'counters':
                    trouble.append(f'{name}: {len(runs[name])} runs')
                continue
            values = result['added'][name] = row(runs[name], base)
            one = values['middle'] if n == 1 else one
            each = f'{(values["middle"] - one) / (n - 1):.0f}' if n > 1 and one else ''
            text = what.format(n=n or 'no', s='' if n == 1 else 's')
            print(f'| {text} | {methods.get(name, "")} | {values["middle"]:.0f} | '
                  f'{values["least"]:.0f}..{values["most"]:.0f} | {each} |')
    added = {name: values['middle'] for name, values in result['added'].items()}
    if {'counters-1', 'counters-7'} <= set(added):
        result['each_counter'] = round((added['counters-7'] - added['counters-1']) / 6, 1)
        print()
        print_aim('each further counter', result['each_counter'], COUNTER_AIM)


def print_switches(runs, methods, target, result, trouble):
    base = middle(runs['base'])
    spread = max(runs['base']) - min(runs['base'])
    print(f'### {target}: instructions added per context switch\n')
    print(f'A switch costs {base:.0f} ({len(runs["base"])} runs, spread {spread:.0f}); '
          '3 runs, or 7 in turn, by the mean without the least and the most; '
          'nothing lost.\n')
    result['base'] = base
    # a run may be of one part
    if runs['probe']:
        print_tracers(runs, base, result, trouble)
    if runs['counters-0']:
        print_counters(runs, base, methods, result, trouble)


def print_ways(runs, ways, prefix, base, trouble):
    """A row for each way of a program's event. Return: the values by way"""
    found = {}
    print('| way | bytes | instructions | least..most |')
    print('|---|---|---|---|')
    for name, (what, size) in ways.items():
        values = checked_row(runs, prefix + name, 3, base, trouble)
        if not values:
            continue
        found[name] = values
        print(f'| {what} | {size} | {values["middle"]:.0f} | '
              f'{values["least"]:.0f}..{values["most"]:.0f} |')
    return found


def print_programs(runs, target, result, trouble):
    base = middle(runs['syscall'])
    print(f"### {target}: instructions of a program's event of 16 bytes\n")
    print(f'An empty system call and the loop cost {base:.0f}: they are in all figures.\n')
    result['syscall'] = base
    result['programs'] = print_ways(runs, PROGRAMS, '', 0, trouble)
    print_fewer(result['programs'])


def print_fewer(programs):
    """The owner's event, by each way, beside ftrace's."""
    print()
    for name in ('event', 'write', 'message'):
        if {name, 'marker'} <= set(programs):
            value, most = programs[name]['middle'], programs['marker']['middle']
            print(f'Aim: {PROGRAMS[name][0]}, fewer than trace_marker\'s {most:.0f}: {value:.0f}, '
                  f'{"reached" if value < most else "NOT REACHED"}.')


def print_providers(runs, target, result, trouble):
    base = middle(runs['provider-loop'])
    print(f"### {target}: instructions of a program's event of 16 bytes, by libetw\n")
    print(f'The loop and an empty function, {base:.0f}, are subtracted.\n')
    result['providers'] = print_ways(runs, PROVIDERS, 'provider-', base, trouble)


def print_files(runs, target, result):
    print(f'### {target}: instructions added per call, of which file operations are recorded\n')
    print('| call | operations | without | begins | begins and ends |')
    print('|---|---|---|---|---|')
    result['files'] = {}
    for name, (what, operations) in FILES.items():
        base, begin, end = (middle(runs[f'file-{name}{part}'])
                            for part in ('', '-begin', '-end'))
        result['files'][name] = [base, begin - base, end - base]
        print(f'| {what} | {operations} | {base:.0f} | {begin - base:.0f} | {end - base:.0f} |')
    print('\n| soft page fault | without | hard faults | all faults |\n|---|---|---|---|')
    result['faults'] = {}
    for name, what in FAULTS.items():
        base, hard, every = (middle(runs[f'file-{name}{part}']) for part in ('', '-begin', '-end'))
        result['faults'][name] = [base, hard - base, every - base]
        print(f'| {what} | {base:.0f} | {hard - base:.0f} | {every - base:.0f} |')
    base, added = middle(runs['file-null']), middle(runs['file-null-virtual'])
    result['virtual'] = [base, added - base]
    print(f'\nVIRT_ALLOC adds {added - base:.0f} to a system call of {base:.0f}.')


def print_sources(runs, target, result):
    print(f'### {target}: instructions added per call with events of a group\n')
    print('| call | events | without | added | each event | aim |\n|---|---|---|---|---|---|')
    result['sources'] = {}
    for name, (what, events, aim) in SOURCES.items():
        # a packet may wait for another run of softirqs: the least runs have no such wait
        base, traced = min(runs[f'source-{name}']), min(runs[f'source-{name}-etw'])
        result['sources'][name] = [base, traced - base]
        print(f'| {what} | {events} | {base:.0f} | {traced - base:.0f} | '
              f'{(traced - base) / events:.0f} | {aim} |')


def print_interrupts(runs, target, result, trouble):
    base = middle(runs['timer'])
    print(f'### {target}: instructions added per interrupt\n')
    print(f'The call in which one comes costs {base:.0f}.\n')
    print('| how | added | least..most |')
    print('|---|---|---|')
    result['interrupts'] = {}
    for name, what in INTERRUPTS.items():
        count = 3 if name == 'timer-ftrace' else 7
        values = checked_row(runs, name, count, base, trouble)
        if not values:
            continue
        result['interrupts'][name] = values
        print(f'| {what} | {values["middle"]:.0f} | '
              f'{values["least"]:.0f}..{values["most"]:.0f} |')


def print_events(runs, target, result, trouble):
    base = middle(runs['event-none'])
    print(f'### {target}: instructions added per event of a tracepoint (task:task_rename)\n')
    print(f'The call in which it is costs {base:.0f}.\n')
    print('| tracer | added | least..most |')
    print('|---|---|---|')
    result['events'] = {}
    for name, (what, times) in EVENTS.items():
        if not runs[name]:
            continue
        values = checked_row(runs, name, times, base, trouble)
        if not values:
            continue
        result['events'][name] = values
        print(f'| {what} | {values["middle"]:.0f} | '
              f'{values["least"]:.0f}..{values["most"]:.0f} |')
    if 'event-etw' in result['events']:
        print()
        for name in 'event-ftrace', 'event-perf':
            if name in result['events']:
                print_aim(f'fewer than {EVENTS[name][0]}', result['events']['event-etw']['middle'],
                          result['events'][name]['middle'])


def print_stacks(runs, frames, target, result, trouble):
    print(f'### {target}: instructions added per event with its stack\n')
    print('| event | stack | added | least..most | parts of most (frames: records) |')
    print('|---|---|---|---|---|')
    result['stacks'] = {}
    for name, (what, without, ways) in STACKS.items():
        base = middle(runs[without])
        for way, text in ways.items():
            values = checked_row(runs, name + way, 3, base, trouble)
            if not values:
                continue
            result['stacks'][name + way] = values
            parts = ', '.join(f'{kind} {n}: {count}' for kind, n, count in frames[name + way])
            print(f'| {what} | {text} | {values["middle"]:.0f} | '
                  f'{values["least"]:.0f}..{values["most"]:.0f} | {parts} |')


def print_peers(runs, result, trouble):
    base = middle(runs['base'])
    print('\n| peer | stack | added to a context swap | least..most |')
    print('|---|---|---|---|')
    for name, (what, ways) in PEERS.items():
        for way, text in ways.items():
            key = f'peer-{name}{way}'
            # perf is not there for each machine
            if name == 'perf' and not runs[key]:
                continue
            values = checked_row(runs, key, 3, base, trouble)
            if not values:
                continue
            result['stacks'][key] = values
            print(f'| {what} | {text} | {values["middle"]:.0f} | '
                  f'{values["least"]:.0f}..{values["most"]:.0f} |')


def main():
    log, target, unit, out = sys.argv[1:]
    runs, methods, trouble, skipped, frames = read(log, unit)
    result = {'target': target, 'unit': 'instructions', 'added': {}}
    if runs['base'] and (runs['probe'] or runs['counters-0']):
        print_switches(runs, methods, target, result, trouble)
    if runs['syscall']:
        print_programs(runs, target, result, trouble)
    if runs['provider-loop']:
        print_providers(runs, target, result, trouble)
    if runs['file-read']:
        print_files(runs, target, result)
    if runs['source-udp']:
        print_sources(runs, target, result)
    if runs['timer']:
        print_interrupts(runs, target, result, trouble)
    if runs['event-none']:
        print_events(runs, target, result, trouble)
    if runs['swap-stack']:
        print_stacks(runs, frames, target, result, trouble)
        print_peers(runs, result, trouble)
    for text in skipped:
        print(f'\nSkipped: {text}.')
    for text in trouble:
        print(f'\n**Not valid: {text}**')
    result['valid'] = not trouble
    with open(out, 'w', encoding='utf-8') as file:
        json.dump(result, file, indent=1)
        file.write('\n')
    sys.exit(1 if trouble or result.get('missed') else 0)


if __name__ == '__main__':
    main()
