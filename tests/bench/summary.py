#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What tests/guest/bench.sh printed, as a table and as JSON.

summary.py LOG TARGET ns|ticks JSON-FILE: markdown goes to standard output.
With -icount shift=0 a nanosecond of arm64's clock, and a tick of x86's TSC,
is one instruction.
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
    'etw-dispatcher': ('**etw**, with ready thread', '40 + 24'),
    'etw-overwrite': ('**etw**, overwrite mode', '40'),
    'etw-clock2': ('**etw**, clock 2 (system time)', '40'),
    'etw-4k': ('**etw**, buffers of 4 KB', '40'),
    'bpf': ('BPF raw tracepoint to ring buffer', '40'),
    'ftrace-nocmd': ('ftrace event, record-cmd off', '68'),
    'ftrace': ('ftrace event', '68'),
    'perf': ('perf record', '128'),
}
# WMI_BUFFER_HEADER aside, 40 bytes each
EVENTS_IN_4K = (4096 - 0x48) // 40
EVENTS_IN_64K = (65536 - 0x48) // 40


def read(path, unit):
    runs, trouble, skipped = defaultdict(list), [], []
    with open(path, encoding='utf-8', errors='replace') as file:
        for line in file:
            m = re.match(r'(\S+) pingpong switches=(\d+) ns=(\d+) ticks=(\d+)', line)
            if m:
                runs[m[1]].append(int(m[3 if unit == 'ns' else 4]) / int(m[2]))
                continue
            m = re.match(r'(etw\S*) hold: (.*)', line)
            if m and not re.search(r'overwritten=0 .*lost=0 ', m[2]):
                trouble.append(f'{m[1]} lost events: {m[2]}')
            m = re.match(r'(ftrace\S*) stats (overrun|commit overrun|dropped events): (\d+)', line)
            if m and int(m[3]):
                trouble.append(f'{m[1]} lost events: {m[2]} {m[3]}')
            if 'FULL' in line:
                trouble.append(line.strip())
            m = re.match(r'(\S+) skipped: (.*)', line)
            if m:
                skipped.append(f'{m[1]}: {m[2]}')
    return runs, trouble, skipped


def main():
    log, target, unit, out = sys.argv[1:]
    runs, trouble, skipped = read(log, unit)
    base = statistics.median(runs['base'])
    spread = max(runs['base']) - min(runs['base'])
    print(f'### {target}: instructions added per context switch\n')
    print(f'A switch costs {base:.0f} ({len(runs["base"])} runs, spread {spread:.0f}); '
          'medians of 3 runs, nothing lost.\n')
    print('| configuration | bytes | added | least..most |')
    print('|---|---|---|---|')
    result = {'target': target, 'unit': 'instructions', 'base': base, 'added': {}}
    for name, (what, size) in ROWS.items():
        if len(runs[name]) != 3:
            if name == 'perf':
                continue
            trouble.append(f'{name}: {len(runs[name])} runs')
            continue
        added = sorted(x - base for x in runs[name])
        result['added'][name] = {'median': round(added[1], 1), 'least': round(added[0], 1),
                                 'most': round(added[2], 1)}
        print(f'| {what} | {size} | {added[1]:.0f} | {added[0]:.0f}..{added[2]:.0f} |')
    added = {name: values['median'] for name, values in result['added'].items()}
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
    for text in skipped:
        print(f'\nSkipped: {text}.')
    for text in trouble:
        print(f'\n**Not valid: {text}**')
    result['valid'] = not trouble
    with open(out, 'w', encoding='utf-8') as file:
        json.dump(result, file, indent=1)
        file.write('\n')
    sys.exit(1 if trouble else 0)


if __name__ == '__main__':
    main()
