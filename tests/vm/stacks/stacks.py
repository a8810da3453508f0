#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Stacks of known chains, against nm, ftrace and /proc/PID/stack: stacks.py DIRECTORY PROGRAMS

DIRECTORY is what tests/vm/stacks/guest/stacks.sh left of its parts, but for compile; PROGRAMS has chain
with its symbols. A line per check.
"""
import collections
import os
import re
import struct
import sys

from etwtest import checks
from etwtest import switches
import stack_trace as s
from etwtest import stream

directory, programs = sys.argv[1:]
# a walk's end, where the kernel was entered
ENTRY = re.compile(r'entry_SYSCALL|asm_(exc|sysvec|common|load)|ret_from_fork|el0t_64_|el0_|xen_|'
                   r'secondary_startup|start_kernel|__primary_switched|__secondary_switched|'
                   r'error_entry|paranoid|entry_INT80|kthread$|rest_init|cpu_startup_entry|'
                   r'x86_64_start|common_startup_64|ret_to_user|call_payload|exc_nmi|end_repeat_nmi')
# what traces may not stand in what is traced
MACHINERY = re.compile(r'etw|__traceiter|trace_event_|__bpf_trace|ftrace|kretprobe|kprobe|rethook|trampoline|'
                       r'perf_(swevent|event_overflow|output)|stack_trace_save|arch_stack_walk|'
                       r'unwind')
MOST_KERNEL, MOST_USER = 128, 127
# readied threads, interrupts, timers
IN_INTERRUPTS = (0x0532, 0x0F43, 0x0F45)


def tell(good, name, what=''):
    checks.check(good, name, what)


def path(name):
    return f'{directory}/{name}'


kernel = s.kernel(path('kallsyms'))
program, labels = s.program(programs + '/chain')


def user_names(frames):
    return [next(iter(sorted(program.find(f, i > 0))), hex(f)) for i, f in enumerate(frames)]


def kernel_names(frames):
    return [kernel.find(f, i > 0) for i, f in enumerate(frames)]


def in_exec(frames):
    """Between the old program and the new one: there the thread has no user part."""
    return any('load_elf_binary' in n for n in kernel_names(frames or ()))


def chains(name):
    with open(path(name), encoding='ascii') as file:
        return [(w[1], int(w[3])) for w in map(str.split, file) if w[0] == 'chain']


def check_parts(trace, name, stacks, strays, doubles):
    """What holds of each part, whatever it contains."""
    tell(not strays and not doubles, f'{name}: each stack names an event before it',
         f'{len(trace.parts)} parts of {sum(k is not None or u is not None for _, k, u in stacks)} '
         f'events, {len(strays)} strays {strays[:2]}, {len(doubles)} double')
    tell(trace.unresolved == 0, f'{name}: every key resolves', f'{trace.unresolved} do not'
         if trace.unresolved else '')
    mixed = [p for p in trace.parts if any((f >= s.KERNEL) != p.kernel for f in p.frames) or
             0 in p.frames]
    tell(not mixed, f'{name}: kernel and user addresses are apart', mixed[:2] if mixed else '')
    long = [len(p.frames) for p in trace.parts
            if len(p.frames) > (MOST_KERNEL if p.kernel else MOST_USER)]
    tell(not long, f'{name}: no part is longer than it may be', long[:5] if long else '')
    wrong = [p for p in trace.parts if trace.user.get(p.tid, p.pid) != p.pid]
    tell(not wrong, f'{name}: the process is that of the thread', wrong[:2] if wrong else '')


def check_kernel_parts(name, stacks):
    ends, tops, shown, cut, samples = collections.Counter(), collections.Counter(), [], 0, 0
    for event, frames, _ in stacks:
        if not frames:
            continue
        samples += event.hook in (s.SAMPLE, s.SWAP)
        names = kernel_names(frames)
        if len(frames) < MOST_KERNEL and not any(ENTRY.match(n) for n in names[-1]):
            # the unwinder does not know every instruction that is interrupted, nor what is
            # below a trampoline that is on its way back
            interrupted = {x for n in names for x in n} & {'preempt_schedule_irq'}
            if event.hook == s.SAMPLE or interrupted or any('rethook' in n for n in names[-1]):
                cut += 1
                continue
            ends[tuple(sorted(names[-1]))[:1]] += 1
            shown.append((hex(event.hook), event.tid, [min(n, default='?') for n in names]))
        # samples hit what traces, readers wait in it: the functions below are theirs
        for n, f in zip(names[:{s.SAMPLE: 0, s.SWAP: 1}.get(event.hook, 3)], frames):
            if any(MACHINERY.search(x) for x in n) or kernel.module[0] <= f < kernel.module[1]:
                tops[hex(event.hook), min(n, default=hex(f))] += 1
        if event.hook == s.SWAP and '__schedule' not in names[0]:
            tops['swap', min(names[0], default=hex(frames[0]))] += 1
    tell(not ends and cut <= samples // 50, f'{name}: kernel parts end where the kernel was entered',
         f'{dict(ends)}, {shown[:2]}' if ends else f'{cut} of {samples} break off')
    tell(not tops, f'{name}: nothing of what traces is on top', dict(tops) if tops else '')


def check_events(trace, name, stacks, addresses=True):
    """Every event of a program has a user part, every one in the kernel a kernel part."""
    gone, missing, without, starts = set(), [], [], collections.Counter()
    running = trace.running()
    for event, kernel_part, user_part in stacks:
        tid = event.tid if event.tid is not None else running[event.cpu, event.at]
        # where it went before the session began is unknown
        new = event.hook == s.SWAP and tid not in gone
        if event.hook == s.SWAP:
            gone.add(struct.unpack_from('<I', event.payload, 4)[0])
        if tid in trace.user and not user_part and not new and not in_exec(kernel_part):
            missing.append((hex(event.hook), tid, event.time))
        if event.hook == s.SAMPLE:
            ip = struct.unpack_from('<Q', event.payload)[0]
            if ip >= s.KERNEL and not kernel_part and addresses:
                without.append((tid, hex(ip)))
            part = kernel_part if ip >= s.KERNEL else user_part
            if ip:
                starts[bool(part) and part[0] == ip] += 1
        elif event.hook == s.SWAP and tid and not new and not kernel_part and addresses:
            without.append((tid, 'swap'))
    tell(not missing, f"{name}: each event of a program's thread has a user part",
         f'{len(missing)} of {len(stacks)} have not: {missing[:4]}' if missing else '')
    tell(not without, f'{name}: what was in the kernel has a kernel part',
         f'{len(without)}: {without[:4]}' if without else '')
    if name != 'law':
        tell(not starts[False] and starts[True] > 20, f'{name}: samples begin where they hit',
             f'{dict(starts)}')


CHAIN = ['chain_4', 'chain_3', 'chain_2', 'chain_1', 'main']


def of(stacks, tid, hook):
    return [(e, k, u) for e, k, u in stacks if e.tid == tid and e.hook == hook and u]


def check_chain(name, what, rows, wanted, least):
    """Rows with a user part that has to be exactly the chain, at the same addresses each"""
    bad = [n for n in (user_names(u) for _, _, u in rows) if n != wanted]
    calls = {u[1:] for _, _, u in rows}
    tell(len(rows) >= least and not bad and len(calls) <= 1,
         f'{name}: {what}: the user part is the chain', f'{len(rows)} stacks, {len(bad)} others '
         f'{bad[:1]}, {len(calls)} ways')


def check_broken(name, stacks, tid):
    slept = [u for _, _, u in of(stacks, tid, s.SWAP) if u[0] == labels['chain_broken_slept']]
    burnt = [u for _, _, u in of(stacks, tid, s.SAMPLE)
             if labels['chain_broken_begin'] <= u[0] < labels['chain_broken_end']]
    # of a made-up frame's kernel address arm64 takes the bits off that could be a signature's
    made_up = ((), (0x1234,), (0xffff81000000,))
    odd = [[hex(f) for f in u] for u in slept + burnt if u[1:] not in made_up]
    followed = sum(len(u) == 2 for u in slept)
    tell(len(slept) >= 70 and not odd, f'{name}: broken frame pointers: the instruction pointer '
         'is there, and no nonsense', f'{len(slept)} swaps, {followed} with one frame more; '
         f'{len(burnt)} samples; {odd[:3]}')


def check_deep(name, stacks, tids):
    for tid, depth in zip(tids, (400, 60)):
        rows = [u for _, _, u in of(stacks, tid, s.SWAP) if user_names(u[:1]) == ['chain_sleep']]
        whole = ['chain_sleep'] + depth * ['chain_down'] + ['chain_deep'] + CHAIN
        bad = [n for n in map(user_names, rows) if n != whole[:MOST_USER]]
        tell(len(rows) >= 20 and not bad, f'{name}: {depth} calls deep: the innermost '
             f'{min(MOST_USER, len(whole))} frames are there',
             f'{len(rows)} stacks, {len(bad)} others {[(len(b), b[-6:]) for b in bad[:1]]}')


def check_chains(name, stacks):
    deep = []
    for verb, tid in chains('chain.txt'):
        if verb in ('sleep', 'futex', 'read'):
            rows = [r for r in of(stacks, tid, s.SWAP)
                    if user_names(r[2][:1]) == ['chain_' + verb]]
            # one that was preempted may stand elsewhere
            call = collections.Counter(u[0] for _, _, u in rows).most_common(1)
            rows = [r for r in rows if r[2][0] == call[0][0]]
            check_chain(name, verb, rows, ['chain_' + verb] + CHAIN, 40)
        elif verb == 'burn':
            rows = [r for r in of(stacks, tid, s.SAMPLE)
                    if labels['chain_loop_begin'] <= r[2][0] < labels['chain_loop_end']]
            rows = [(e, k, (0,) + u[1:]) for e, k, u in rows]
            check_chain(name, verb, rows, ['0x0', *CHAIN], 50)
        elif verb == 'touch':
            rows = [r for r in of(stacks, tid, s.ZERO_FAULT)
                    if user_names(r[2][:1]) == ['chain_touch']]
            check_chain(name, verb, rows, ['chain_touch'] + CHAIN, 95)
        elif verb == 'deep':
            deep.append(tid)
        elif verb == 'broken':
            check_broken(name, stacks, tid)
    if deep:
        check_deep(name, stacks, deep)


def ftrace_stacks():
    """Per processor: [(Truth, the addresses of what goes)]"""
    found, rows = collections.defaultdict(list), None
    with open(path('ftrace.stats'), encoding='ascii') as file:
        text = file.read()
    stream.need(not re.search(r'(overrun|dropped events): [1-9]', text), 'ftrace lost events')
    with open(path('ftrace.txt'), encoding='utf-8', errors='replace') as file:
        for text in file:
            if m := re.match(r' => (\S+) <([0-9a-f]+)>', text):
                if rows is not None and (rows or not MACHINERY.search(m[1])):
                    rows.append(int(m[2], 16))
                continue
            m = switches.LINE.match(text)
            if not m or m['event'] != 'sched_switch':
                continue
            w = switches.SWITCH.match(m['rest'])
            rows = []
            found[int(m['cpu'])].append((switches.Truth(
                int(m['time'].replace('.', '')) * 1000, int(w['prev']), w['state'],
                int(w['next']), w['comm']), rows))
    return found


def check_ftrace(trace, name, stacks):
    """The kernel part of a thread that comes is where ftrace saw it go."""
    kernel_part = {(e.cpu, e.at): k for e, k, _ in stacks if e.hook == s.SWAP}
    moves = []
    for cpu, truth in ftrace_stacks().items():
        swaps = [(at, *struct.unpack_from('<II', r.payload), r.time)
                 for at, r in enumerate(trace.cpus[cpu]) if r.hook == s.SWAP]
        first = switches.align([t for t, _ in truth],
                              [switches.Swap(time, old, new, None) for _, new, old, time in swaps])
        if first is None:
            tell(False, f'{name}: ftrace and the stream are of the same run')
            return
        for (t, rows), (at, new, old, time) in zip(truth, swaps[first:]):
            stream.need((t.prev, t.next) == (old, new), 'switches differ')
            moves.append((time, cpu, at, old, new, rows))
    went, same, bad, none = {}, collections.Counter(), [], 0
    for _, cpu, at, old, new, rows in sorted(moves):
        went[old or ('idle', cpu)] = rows
        due, got = went.get(new or ('idle', cpu)), kernel_part.get((cpu, at))
        if not due or not new:
            continue
        if not got:
            none += 1
        elif list(got) != due[:MOST_KERNEL]:
            bad.append((new, [hex(x) for x in got], [hex(x) for x in due]))
        else:
            same['program' if new in trace.user else 'kernel thread'] += 1
    tell(same['program'] > 200 and same['kernel thread'] > 20 and not bad and not none,
         f'{name}: kernel parts of context swaps are the stacks that ftrace saw',
         f'{dict(same)} the same, {len(bad)} others, {none} without {bad[:1]}')


def check_park(name, stacks):
    """And what /proc/PID/stack said of one that waited; not every kernel has that"""
    if not os.path.getsize(path('park.txt')):
        checks.skip(f'{name}: the kernel part is what /proc/PID/stack says', 'there is none')
        return
    with open(path('park.txt'), encoding='ascii') as file:
        wanted = [re.match(r'\[<0>\] (\S+)\+0x([0-9a-f]+)/', x) for x in file]
    wanted = [(m[1], int(m[2], 16)) for m in wanted if m]
    tid = [t for v, t in chains('chain.txt') if v == 'park'][0]
    # it may be preempted on its way there and back, too: the long wait is the one
    gone, waits = None, []
    for e, k, u in stacks:
        if e.hook != s.SWAP:
            continue
        if struct.unpack_from('<I', e.payload, 4)[0] == tid:
            gone = e.time
        elif e.tid == tid and gone is not None:
            waits.append((e.time - gone, k, user_names((u or ())[:1])))
    _, k, top = max(waits, key=lambda w: w[0], default=(0, None, []))
    good = wanted and k and len(k) >= len(wanted) and all(
        f - offset in kernel.by_name[n] for f, (n, offset) in zip(k[-len(wanted):], wanted))
    good = good and top == ['chain_park']
    tell(good, f'{name}: the kernel part is what /proc/PID/stack says',
         f'{len(waits)} waits, {wanted}, {[hex(x) for x in k or ()]} below {top}' if not good else '')


def statistics(name):
    with open(path(name + '.stats'), encoding='ascii') as file:
        rows = [x.split() for x in file]
    return {r[0]: dict((k, int(v)) for k, v in (w.split('=') for w in r[1:]))
            for r in rows if '=' in r[1]}


def check_walks(name):
    """The table of return addresses agrees with the unwinder, and walks most stacks."""
    of = {k[7:]: v for k, v in statistics(name)['all'].items() if k.startswith('stacks_')}
    tell(of['compared'] and not of['different'],
         f'{name}: the table of return addresses and the unwinder agree',
         f"{of['compared']} compared, {of['different']} different")
    tell(of['walked'] > of['unwound'], f'{name}: the table walks most kernel stacks',
         f"{of['walked']} by the table, {of['unwound']} by the unwinder")


def check_compared():
    """The unwinder repeats each walk, and finds the same frames."""
    of = statistics('compared')['all']
    walked, unwound, compared, different = (
        of['stacks_' + k] for k in ('walked', 'unwound', 'compared', 'different'))
    tell(walked > 500 and compared == walked and not different,
         'compared: each walk by the table finds the frames that the unwinder finds',
         f'{walked} walked, {compared} compared, {different} different, {unwound} unwound')
    trace = s.Trace(path('compared.etl'), IN_INTERRUPTS)
    idle = collections.Counter(hex(e.hook) for e, k, _ in trace.stacks()[0]
                               if k and e.hook in IN_INTERRUPTS and
                               any('cpuidle_enter_state' in n or 'do_idle' in n
                                   for n in kernel_names(k)))
    tell(sum(idle.values()) > 20, 'compared: events in interrupts of idle CPUs have stacks',
         dict(idle))


def check_law(name):
    """Nothing is lost uncounted: what was read is in the stream, by processor."""
    stats = statistics(name)
    trace = stream.load(path(name + '.etl'))
    in_stream = collections.Counter(r.cpu for b in trace.buffers[1:] for r in stream.records(b))
    all_ = stats['all']
    lost = sum(v for k, v in all_.items() if k.startswith('lost'))
    logged = trace.losses()
    # what stands behind the end of all processors is of none
    behind = all_['read'] - sum(v['read'] for k, v in stats.items() if k != 'all')
    apart = sum(abs(v['read'] - in_stream[int(k[3:])]) for k, v in stats.items() if k != 'all')
    good = not any(v['buffered'] or v['overwritten'] for v in stats.values()) and \
        sum(in_stream.values()) == all_['read'] and not all_['uncounted'] and \
        0 <= behind <= 8 and apart <= behind
    tell(good, f'{name}: every record is in the stream or counted',
         f"read {all_['read']}, lost {lost} ({len(logged)} logged), in the stream "
         f'{sum(in_stream.values())}')
    return lost


def check_session(name, hooks=(s.SWAP, s.SAMPLE, s.ZERO_FAULT)):
    trace = s.Trace(path(name + '.etl'), hooks)
    stacks, strays, doubles = trace.stacks()
    check_parts(trace, name, stacks, strays, doubles)
    if name != 'hidden':
        check_kernel_parts(name, stacks)
    lost = check_law(name)
    if not lost:
        check_events(trace, name, stacks, name != 'hidden')
    return trace, stacks, lost


def check_caching(trace, cached):
    keyed = [p for p in cached.parts if p.key is not None]
    tell(keyed and not [p for p in trace.parts if p.key is not None] and
         len(keyed) > 0.9 * s.keyed_at_least(cached.parts) and
         not [p for p in keyed if len(p.frames) < s.CACHED], 'caching: stacks are logged by key in '
         'the session that asks for it alone', f'{len(keyed)} of {len(cached.parts)} parts')


def check_updated(stacks):
    n = {}
    for name in ('before', 'with', 'after'):
        tid = chains('updated.' + name)[0][1]
        swaps = [(k, u) for e, k, u in stacks if e.tid == tid and e.hook == s.SWAP]
        n[name] = (len(swaps), sum(u is not None for _, u in swaps))
    tell(not n['before'][1] and not n['after'][1] and n['with'][1] >= 18 and
         min(x[0] for x in n.values()) >= 18, 'UPDATE takes stacks in and out', n)
    others = [e for e, k, u in stacks if (k or u) and e.hook != s.SWAP]
    tell(not others, 'only the hooks of UPDATE have stacks', len(others) if others else '')


def check_workers(stacks):
    with open(path('workers.txt'), encoding='ascii') as file:
        tids = [int(w[1]) for w in map(str.split, file) if w[0] == 'worker']
    rows = [(k, u) for e, k, u in stacks if e.tid in tids and e.hook == s.SWAP]
    made_up = [[hex(f) for f in u] for _, u in rows if u]
    tell(len(tids) == 2 and sum(bool(k) for k, _ in rows) > 60 and not made_up,
         'workers: a worker in a program has a kernel part only',
         f'{len(rows)} swaps to {tids}; {len(made_up)} with a user part {made_up[:1]}')


def check_twins(stacks):
    """An NMI in a context switch is a sample of the thread that goes, on the other one's memory."""
    tids = dict(chains('twins.txt'))
    kinds = collections.Counter()
    strange = []
    for verb, own, other in (('twins', 'chain_elder', 'chain_younger'),
                             ('younger', 'chain_younger', 'chain_elder')):
        for _, k, u in of(stacks, tids[verb], s.SAMPLE):
            names = user_names(u)
            if names[0] != 'chain_yield':
                continue
            kinds['whole' if names[1:2] == [own] else 'cut off'] += 1
            if other in names or names[1:] and names[1] != own:
                strange.append((verb, names, [min(n, default='?') for n in kernel_names(k or ())]))
    tell(kinds['whole'] > 500 and kinds['cut off'] and not strange,
         'twins: none has frames of the other, which comes when it goes',
         f'{dict(kinds)}, {len(strange)} strange {strange[:1]}')


def check_pooled(stacks):
    """What calls the tracepoint is inline, or, as the compiler likes, a function of its own."""
    kernels = [k for e, k, _ in stacks if e.hook == s.POOL and k]
    calls = collections.Counter(min(n) for k in kernels for n in kernel_names(k[:1])
                                if any(re.match('(__do_)?trace_', x) for x in n))
    tell(len(kernels) > 100 and not calls, 'pooled: what calls a tracepoint is not on top',
         f'{len(kernels)} stacks of the kernel {dict(calls)}')


def main():
    for name in ('workers', 'plain', 'cached', 'small', 'hidden', 'filtered', 'updated', 'law',
                 'pooled', 'twins', 'compared'):
        if not os.path.exists(path(name + '.etl')):
            continue
        if name == 'updated':
            trace = s.Trace(path(name + '.etl'))
            stacks, strays, doubles = trace.stacks()
            check_parts(trace, name, stacks, strays, doubles)
            check_updated(stacks)
            continue
        if name == 'twins':
            check_twins(s.Trace(path('twins.etl'), (s.SAMPLE,)).stacks()[0])
            continue
        if name == 'compared':
            check_compared()
            continue
        if name == 'pooled':
            check_pooled(s.Trace(path('pooled.etl'), (s.POOL,)).stacks()[0])
            continue
        if name == 'workers':
            check_workers(s.Trace(path('workers.etl')).stacks()[0])
            continue
        if name == 'law':
            _, _, lost = check_session(name, (s.SWAP, s.SAMPLE, s.ZERO_FAULT, s.SYSCALL))
            tell(lost > 100, 'law: there was too little room', lost)
            continue
        if name == 'filtered':
            trace = s.Trace(path(name + '.etl'))
            tid = chains('filtered.txt')[0][1]
            tids = {p.tid for p in trace.parts}
            rows = trace.stacks()[0]
            mine = [u for e, k, u in rows if e.tid == tid and e.hook == s.SWAP]
            tell(tids == {tid} and len(mine) > 100 and sum(u is not None for u in mine) >
                 len(mine) - 3, 'filtered: stacks of the process that was asked for, and no other',
                 f'{len(mine)} swaps to {tid}; stacks of {sorted(tids)}')
            continue
        trace, stacks, _ = check_session(name)
        if name in ('plain', 'cached'):
            check_chains(name, stacks)
            check_ftrace(trace, name, stacks)
            check_walks(name)
            check_park(name, stacks)
        if name == 'plain':
            plain = trace
        if name == 'cached':
            check_caching(plain, trace)
        if name == 'small':
            deleted = sum(h == s.DELETE for d in trace.definitions.values() for _, h, _, _ in d)
            tell(deleted > 20, 'small: keys go and come', f'{deleted} gone, '
                 f'{len(trace.definitions)} keys')
        if name == 'hidden':
            sleep = [r for r in of(stacks, chains('hidden.txt')[0][1], s.SWAP)
                     if user_names(r[2][:1]) == ['chain_sleep']]
            check_chain(name, 'sleep', sleep, ['chain_sleep'] + CHAIN, 30)
            addresses = [p for p in trace.parts if p.kernel]
            tell(not addresses and len(trace.parts) > 50, 'hidden: no kernel part',
                 f'{len(trace.parts)} parts, {len(addresses)} of the kernel')
    sys.exit(bool(checks.failures))


main()
