#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare interrupts and deferred work of an ETW stream with ftrace's of the same time.

interrupts.py DIRECTORY tsc|mono_raw

Per CPU both must have the same sequence of what ended: which softirq, tasklet,
timer, handler or vector, with the same function, number and answer, and whether a
message signals it. A record's
InitialTime is before its end, and about as long as ftrace says that it took.
'etw stat FILE dpc' adds up all of them.
Exit status 1 with any difference.
"""
import json
import re
import statistics
import struct
import subprocess
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import ftrace
from etwtest import stream

# routine: of records only; within: of ftrace only, another one's handler called this one
Done = namedtuple('Done', 'kind what begin end routine within', defaults=[None, False])

LINE = re.compile(r'^\s*.+-\d+\s+\[(?P<cpu>\d+)\]\s+\S+\s+(?P<time>[\d.]+): '
                  r'(?P<event>\w+): (?P<rest>.*)$')
# softirqs that are recognised by what runs in them
BY_PARTS = {'HI', 'TIMER', 'TASKLET'}
FUNCTIONS = {'NET_TX': {'net_tx_action'}, 'NET_RX': {'net_rx_action'},
             'BLOCK': {'blk_done_softirq'}, 'IRQ_POLL': {'irq_poll_softirq'},
             'SCHED': {'run_rebalance_domains', 'sched_balance_softirq'},
             'HRTIMER': {'hrtimer_run_softirq'}, 'RCU': {'rcu_core_si'}}
# x86's own: the numbers of its vectors, above all of Linux' interrupts here
VECTORS = {'local_timer': 'sysvec_apic_timer_interrupt', 'reschedule': 'sysvec_reschedule_ipi',
           'call_function': 'sysvec_call_function', 'irq_work': 'sysvec_irq_work',
           'call_function_single': 'sysvec_call_function_single'}


def end_of(begun, fields):
    """The innermost of what has begun that ends now; a handler's line says which."""
    while begun:
        time, first = begun.pop()
        if first.get('irq') == fields.get('irq'):
            return time, first
    return None, None


def read_ftrace(path, clock):
    """What ended, per CPU, where the beginning was seen, too."""
    done, begun, lines = defaultdict(list), defaultdict(list), 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        cpu, rest = int(m['cpu']), m['rest']
        time = int(m['time']) if clock == 'tsc' else int(m['time'].replace('.', '')) * 1000
        name, _, phase = m['event'].rpartition('_')
        fields = dict(re.findall(r'(\w+)=(\S+)', rest))
        if phase == 'entry':
            # handlers call handlers; nothing else is within its like
            begun[cpu, name] = [*begun[cpu, name], (time, fields)] if name == 'irq_handler' \
                else [(time, fields)]
            continue
        begin, first = end_of(begun[cpu, name], fields)
        if begin is None:
            continue
        if name == 'irq_handler':
            what = ('irq', int(fields['irq']), fields['ret'] == 'handled')
        elif name == 'softirq':
            what = ('softirq', fields['action'].rstrip(']'))
        elif name == 'tasklet':
            what = ('function', first['function'])
        elif name == 'timer_expire':
            what = ('function', first['function'])
        elif name in VECTORS:
            what = ('vector', VECTORS[name])
        else:
            raise ValueError(f'event {m["event"]}')
        if what[0] == 'softirq' and what[1] in BY_PARTS:
            continue
        done[cpu].append(Done(name, what, begin, time, within=bool(begun[cpu, name])))
    return done, lines


def read_symbols(path):
    with open(path, encoding='utf-8') as file:
        return {int(address, 16): name for address, name in map(str.split, file)}


def records_of(etl, symbols, messages):
    done = defaultdict(list)
    for r in etl.records:
        if r.hook not in (0x0F32, 0x0F43, 0x0F44, 0x0F45):
            continue
        stream.need(r.version == 2 and r.kind == 0x11, f'{r.hook:#x}: version {r.version}')
        begin, routine = struct.unpack_from('<QQ', r.payload)
        stream.need(begin <= r.time, f'{r.hook:#x} begins after its end')
        name = symbols.get(routine)
        if r.hook in (0x0F44, 0x0F45):
            stream.need(len(r.payload) == 16, f'{r.hook:#x}: {len(r.payload)} bytes')
            done[r.cpu].append(Done(r.hook, name, begin, r.time, name))
            continue
        stream.need(name, f'{r.hook:#x}: {routine:#x} is no function')
        answer, number, reserved = struct.unpack_from('<BHB', r.payload, 16)
        stream.need(reserved == 0 and len(r.payload) == (20 if r.hook == 0x0F43 else 24),
                    f'{r.hook:#x}: reserved field or length')
        if r.hook == 0x0F32:
            stream.need(struct.unpack_from('<I', r.payload, 20)[0] == number, 'message number')
        is_vector = name in VECTORS.values()
        stream.need((r.hook == 0x0F32) == (number in messages and not is_vector),
                    f'{r.hook:#x} of interrupt {number}')
        what = ('vector', name) if is_vector else ('irq', number, bool(answer))
        done[r.cpu].append(Done(r.hook, what, begin, r.time, name))
    return done


def check_stat(path, etl, done, symbols):
    """What 'etw stat dpc' adds up is what these records say; what it is wrong about."""
    logged = json.loads(subprocess.run(['build/host/tools/etw', 'stat', path, 'dpc', '--json'],
                                     check=True, stdout=subprocess.PIPE).stdout)
    rows, cpus = Counter(), Counter()
    kinds = {0x0F32: 'ISR', 0x0F43: 'ISR', 0x0F44: 'DPC', 0x0F45: 'TimerDPC'}
    for row in logged['routines']:
        rows[row['kind'], symbols.get(int(row['routine'], 16))] += row['times']
    for row in logged['cpus']:
        cpus[row['cpu']] = (row['DPCs'], row['ISRs'])
    wanted, bad = Counter(), []
    for cpu, records in done.items():
        isrs = [r for r in records if kinds[r.kind] == 'ISR']
        if cpus[cpu] != (len(records) - len(isrs), len(isrs)):
            bad.append(f'cpu {cpu}: {cpus[cpu]}')
        wanted.update((kinds[r.kind], r.routine) for r in records)
    if rows != wanted:
        bad.append(f'routines {rows - wanted} {wanted - rows}')
    took = sum(row['took ns'] for row in logged['routines'])
    ticks = sum(r.end - r.begin for records in done.values() for r in records)
    # each is rounded to ns
    if abs(took - ticks * 1e9 / etl.frequency) > sum(wanted.values()):
        bad.append(f'{took} ns of {ticks} ticks')
    return bad


def same(truth, record):
    """Is it the same, as far as a record says it?"""
    if truth.what[0] in ('irq', 'vector'):
        return record.kind in (0x0F32, 0x0F43) and record.what == truth.what
    if truth.what[0] == 'softirq':
        return record.kind == 0x0F44 and record.what in FUNCTIONS[truth.what[1]]
    hook = 0x0F45 if truth.kind == 'timer_expire' else 0x0F44
    return record.kind == hook and record.what == truth.what[1]


def is_interrupt(x):
    return isinstance(x.what, tuple) and x.what[0] in ('irq', 'vector')


def interrupts_before(late, place, is_wanted):
    """How many interrupts, from begin to end within what is wanted, stand before it; or 0.

    As many as come: on a slow machine each of them may take until the next one is due.
    """
    n = 0
    while place + n + 1 < len(late) and is_interrupt(late[place + n]):
        n += 1
        outer = late[place + n]
        if is_wanted(outer) and all(outer.begin <= x.begin and x.end <= outer.end
                                    for x in late[place:place + n]):
            return n
    return 0


def settle(truth, records, at):
    """Put the two in one order where interrupts come between both probes of one tracepoint.

    One of the two has what ends before such interrupts, the other behind them.
    How often that was.
    """
    moved = 0
    for k in range(len(truth)):
        for late, place, is_wanted in (
                (records, at + k, lambda x, k=k: same(truth[k], x)),
                (truth, k, lambda x, k=k: same(x, records[at + k]))):
            if at + k >= len(records) or same(truth[k], records[at + k]):
                break
            n = interrupts_before(late, place, is_wanted)
            if n:
                late.insert(place, late.pop(place + n))
                moved += 1
    return moved


def align(truth, records):
    """Where in the records the truth begins: the first place where 50 agree.

    An interrupt between both probes may be among the 50, so each place is tried settled.
    """
    n = min(50, len(truth))
    for at in range(len(records) - n + 1):
        # more of both: of the last one's pair, the other half may be behind it
        first, there = truth[:2 * n], records[at:at + 2 * n]
        settle(first, there, 0)
        if all(map(same, first[:n], there)):
            return at
    return None


def main():
    directory, clock = sys.argv[1:3]
    truth, lines = read_ftrace(f'{directory}/ftrace.txt', clock)
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    symbols = read_symbols(f'{directory}/symbols.txt')
    with open(f'{directory}/messages.txt', encoding='utf-8') as file:
        messages = {int(number) for number in file}
    records = records_of(etl, symbols, messages)
    wrong = check_stat(f'{directory}/etw.etl', etl, records, symbols)
    for text in wrong:
        print(f'difference: stat dpc: {text}')
    unit = 1e6 / etl.frequency
    truth_unit = unit if clock == 'tsc' else 1e-3
    bad, kinds, apart, compared, moved = 0, Counter(), [], 0, 0
    for cpu, events in sorted(truth.items()):
        at = align(events, records[cpu])
        if at is None:
            print(f'difference: cpu {cpu}: nothing like ftrace\'s {len(events)} events: '
                  f'{events[:3]} {records[cpu][:3]}')
            bad += 1
            continue
        moved += settle(events, records[cpu], at)
        for k, event in enumerate(events):
            record = records[cpu][at + k] if at + k < len(records[cpu]) else None
            compared += 1
            if record is None or not same(event, record):
                bad += 1
                if bad <= 20:
                    print(f'difference: cpu {cpu}: {event} is {record}')
                continue
            kinds[event.kind] += 1
            kinds['by message'] += record.kind == 0x0F32
            kinds['within a handler'] += event.within
            kinds['not for the thread that was asked'] += event.what[0] == 'irq' and not event.what[2]
            apart.append(abs((record.end - record.begin) * unit -
                             (event.end - event.begin) * truth_unit))
    apart = sorted(apart) or [0]
    for kind, n in kinds.most_common():
        print(f'{n:8d}  {kind}')
    needed = {'softirq', 'timer_expire', 'irq_handler', 'by message', 'within a handler',
              'not for the thread that was asked'}
    if clock == 'tsc':
        needed |= {'local_timer', 'reschedule', 'call_function_single'}
    missing = needed - set(+kinds)
    if missing:
        print(f'none of {sorted(missing)}')
    # emulation may pause between the two probes of one event, but not often
    middle, most = statistics.median(apart), apart[len(apart) * 95 // 100]
    print(f'{compared} of ftrace on {len(truth)} CPUs, {bad} differences, {moved} times '
          f'an interrupt between the two probes; durations differ by {middle:.1f} us (median), '
          f'{most:.0f} us (95 %)')
    sys.exit(1 if bad or wrong or missing or compared < 1000 or middle > 200 or
             moved * 100 > compared else 0)


if __name__ == '__main__':
    main()
