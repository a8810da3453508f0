#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Process and thread records against /proc and against known fates.

processes.py DIRECTORY: what tests/vm/source/process/guest/processes.sh left.
"""
import struct
import sys
from collections import defaultdict, namedtuple

from etwtest import checks
from etwtest import priorities
from etwtest import stream

Process = namedtuple('Process', 'key pid parent session status table flags sid image command '
                                'package application exit_time')
Thread = namedtuple('Thread', 'pid tid base limit user_stack affinity start tls priority page io '
                              'name')
Event = namedtuple('Event', 'hook time tid pid what')

PENDING = 0x103
# what the kernel calls it; longer than a comm, which may be the same
MEMORY = 'memfd:in no file system'
SYSTEM = 4
# as much of a command line as is promised (kernel-events.rst 4.1)
COMMAND = 4000
# and of a forked process
FORKED = 256
# of a process that ends with a TLS address of its own choice (tests/lib/guest/fates.c)
OWN_TLS = 0x123456789000
# 1970 in FILETIME
EPOCH = 116444736000000000
# the only kernel thread that has no function
KTHREADD = 2

PROCESS_START, PROCESS_STOP, PROCESS_DC_START, PROCESS_DC_END, DEFUNCT = \
    0x0301, 0x0302, 0x0303, 0x0304, 0x0327
THREAD_START, THREAD_STOP, THREAD_DC_START, THREAD_DC_END, SET_NAME = \
    0x0501, 0x0502, 0x0503, 0x0504, 0x0548


def check(name, bad, detail=''):
    """@bad: list of what is wrong, empty when all is well."""
    for text in bad[:5]:
        print(f'  {name}: {text}')
    checks.check(not bad, name, f'{len(bad)} wrong' if bad else detail)


def wide(payload, at):
    end = at
    while payload[end:end + 2] != b'\0\0':
        stream.need(end + 2 <= len(payload), 'a string without an end')
        end += 2
    return payload[at:end].decode('utf-16-le', 'surrogatepass'), end + 2


def process_of(r):
    stream.need(r.version == (5 if r.hook == DEFUNCT else 4), f'{r.hook:#x}: version {r.version}')
    p = r.payload
    fixed = struct.unpack_from('<QIIIIQI', p)
    at = 0x24
    if struct.unpack_from('<I', p, at)[0]:
        count = p[at + 17]
        sid = p[at + 16:at + 24 + 4 * count]
        at += 16 + 8 + 4 * count
    else:
        sid, at = b'', at + 4
    end = p.index(b'\0', at)
    image = p[at:end].decode('utf-8')
    command, at = wide(p, end + 1)
    package, at = wide(p, at)
    application, at = wide(p, at)
    exit_time = None
    if r.hook == DEFUNCT:
        exit_time, = struct.unpack_from('<Q', p, at)
        at += 8
    stream.need(at == len(p), f'{r.hook:#x}: {len(p) - at} bytes too many')
    return Process(*fixed, sid, image, command, package, application, exit_time)


def thread_of(r):
    stream.need(r.version == 3, f'{r.hook:#x}: version {r.version}')
    pid, tid, base, limit, user, user_limit, affinity, start, tls, tag, priority, page, io, flags = \
        struct.unpack_from('<IIQQQQQQQIBBBB', r.payload)
    name, at = wide(r.payload, 0x48)
    stream.need(at == len(r.payload) and not tag and not flags and not user_limit,
                f'{r.hook:#x}: bad end')
    return Thread(pid, tid, base, limit, user, affinity, start, tls, priority, page, io, name)


def events_of(etl):
    events = []
    for r in etl.records:
        if r.hook in (PROCESS_START, PROCESS_STOP, PROCESS_DC_START, PROCESS_DC_END, DEFUNCT):
            events.append(Event(r.hook, r.time, r.tid, r.pid, process_of(r)))
        elif r.hook in (THREAD_START, THREAD_STOP, THREAD_DC_START, THREAD_DC_END):
            events.append(Event(r.hook, r.time, r.tid, r.pid, thread_of(r)))
    return sorted(events, key=lambda e: e.time)


Known = namedtuple('Known', 'parent state kernel exe comm command sid session flags')
Placed = namedtuple('Placed', 'start user_stack affinity priority io')


def hex_text(text):
    return b'' if text == '-' else bytes.fromhex(text)


def sid_of(uid):
    """S-1-22-1-uid"""
    return bytes([1, 2, 0, 0, 0, 0, 0, 22]) + struct.pack('<II', 1, uid)


def placed_of(nice, code, stack, rt, policy, affinity, ioprio):
    """What a record has of a thread, of what /proc says of it"""
    io = int(ioprio)
    return Placed(int(code), int(stack), int(affinity, 16),
                  priorities.nt_priority(int(policy), int(nice), int(rt)),
                  priorities.nt_io(io >> 13, io & 7))


class Listing:
    """What proclist saw."""

    def __init__(self, path):
        self.processes, self.threads = {}, {}
        with open(path, encoding='ascii') as file:
            for line in file:
                word = line.split()
                if word[0] == 'process':
                    self.processes[int(word[1])] = Known(
                        int(word[2]), word[3], word[4] == '1',
                        hex_text(word[5]).decode().removesuffix(' (deleted)'),
                        hex_text(word[6]).rstrip(b'\n').decode(), hex_text(word[7]),
                        sid_of(int(word[8])), int(word[9]), 2 * (word[10] == '1'))
                elif word[0] == 'thread':
                    self.threads[int(word[2])] = (
                        int(word[1]), word[3], word[4] == '1',
                        hex_text(word[5]).rstrip(b'\n').decode(), placed_of(*word[6:13]))
                elif word[0] == 'self':
                    self.self = int(word[1])
                else:
                    self.cpus = int(word[1])


def command_line(raw):
    """argv joined with blanks."""
    return b' '.join(raw[:-1].split(b'\0')).decode() if raw else ''


def compare_process(pid, known, record):
    want = {'image': known.exe or known.comm, 'command': command_line(known.command),
            'parent': 0 if pid == 1 else known.parent, 'status': PENDING,
            'sid': known.sid, 'session': known.session, 'flags': known.flags}
    got = {name: getattr(record, name) for name in want}
    if len(want['command']) > COMMAND:
        want['command'], got['command'] = want['command'][:COMMAND], got['command'][:COMMAND]
    return [f'pid {pid}: {name} is {got[name]!r}, /proc says {want[name]!r}'
            for name in want if got[name] != want[name]]


def compare_thread(t, is_leader, is_kernel, known):
    """@known: what /proc says before and after, mostly the same"""
    bad = []
    for field in Placed._fields:
        got, want = getattr(t, field), {getattr(k, field) for k in known}
        if is_kernel and field == 'start':
            if bool(got) != (t.tid != KTHREADD):
                bad.append(f'tid {t.tid}: begins at {got:#x}')
            continue
        # where the others began only their registers knew
        if field in ('start', 'user_stack') and not is_leader:
            want = {0}
        if got not in want:
            bad.append(f'tid {t.tid} ({t.name}): {field} is {got:#x}, /proc says '
                       f'{[hex(w) for w in want]}')
    return bad


def check_variety(name, processes, threads, cpus):
    """Else what is compared could be a constant."""
    seen = {field: {getattr(p, field) for p in processes} for field in ('sid', 'session', 'flags')}
    seen.update({field: {getattr(t, field) for t in threads} for field in Placed._fields})
    # User Mode Linux has no audit, nor programs of 32 bits, which arm64 has not either
    few = [field for field, values in seen.items() if len(values) < 2 and not (
        field in ('session', 'flags') or field == 'affinity' and cpus == 1)]
    check(f'{name}: of what is compared there is more than one', few)


def check_stacks(events, path):
    """Of threads at the end: each has one that the kernel's list of areas has."""
    areas, page = {}, 0x1000
    with open(path, encoding='ascii') as file:
        for line in file:
            where, size = line.split()[:2]
            areas[int(where.partition('-')[0], 16)] = int(size)
    logged = [e.what for e in events if e.hook == THREAD_DC_END and e.what.tid]
    if not any(t.limit in areas for t in logged):
        checks.skip('stacks of the kernel', 'it does not list them here')
        return
    check('stacks of the kernel are areas of it', [
        f'tid {t.tid}: {t.limit:#x} to {t.base:#x}' for t in logged
        if areas.get(t.limit) != t.base - t.limit + page] + [
        'two have the same'] * (len({t.limit for t in logged}) != len(logged)))


def check_zombie(seen, before, path):
    """When it ended: 0 if before the session."""
    with open(path, encoding='ascii') as file:
        pid, begun, ended = map(int, file.read().split())
    first, last = EPOCH + begun // 100, EPOCH + ended // 100
    bad = [f'{when} of {pid}' for when in [seen[pid].exit_time if pid in seen else None]
           if when is None or not first <= when <= last]
    check('a zombie ended when it did', bad + [
        f'{seen[old].exit_time} of {old}, before the session' for old in before
        if seen[old].exit_time])


def check_rundown(events, before, after, process_hook, thread_hook, name, has_memory):
    """Each thread that was there before and after, exactly once, as /proc says."""
    processes, threads = defaultdict(list), defaultdict(list)
    for e in events:
        if e.hook == process_hook:
            processes[e.what.pid].append(e.what)
        elif e.hook == thread_hook:
            threads[e.what.tid].append(e.what)
    there = {pid: k for pid, k in before.processes.items()
             if pid in after.processes and after.processes[pid] == k and k.state != 'Z'}
    users = {pid: k for pid, k in there.items() if not k.kernel}
    headless = [pid for pid in users if before.threads.get(pid, (0, '?'))[1] == 'Z']
    check(f'{name}: among them one without its first thread', [] if len(headless) == 1 and
          users[headless[0]].command == b'fates\0headless\0an argument\0' else [str(headless)])
    memory = [k.command for k in users.values() if k.exe == MEMORY]
    if has_memory:
        check(f'{name}: and one whose file is in no file system',
              [] if memory == [b'fates\0stay\0from memory\0'] else [str(memory)])
    kernel = [pid for pid, k in there.items() if k.kernel]
    bad = []
    for pid, known in users.items():
        if len(processes[pid]) != 1:
            bad.append(f'pid {pid} ({known.comm}): {len(processes[pid])} records')
        else:
            bad += compare_process(pid, known, processes[pid][0])
    check(f'{name}: processes as in /proc', bad, f'{len(users)} processes')
    check(f'{name}: kernel threads are no processes',
          [f'pid {pid}' for pid in kernel if pid != SYSTEM and processes[pid]])
    system = processes[SYSTEM]
    check(f'{name}: System is process 4', [] if len(system) == 1 and (
        system[0].image, system[0].parent, system[0].command, system[0].session,
        system[0].table) == ('System', 0, '', 0xFFFFFFFF, 0) else [str(system)])
    idle = processes[0]
    check(f'{name}: Idle is process 0', [] if len(idle) == 1 and (
        idle[0].image, idle[0].parent, idle[0].status) == ('Idle', 0, 0) else [str(idle)])
    cpus = sorted(t.affinity for t in threads[0] if t.pid == 0 and t.priority == 0)
    check(f'{name}: Idle has a thread for each CPU',
          [] if cpus == [1 << n for n in range(before.cpus)] else [str(threads[0])])

    bad, count = [], 0
    for tid, (pid, state, is_kernel, comm, placed) in before.threads.items():
        now = after.threads.get(tid)
        # gone, or renamed, as the shell that becomes our session's holder
        if not now or (now[0], now[3]) != (pid, comm) or state in 'ZX':
            continue
        count += 1
        if len(threads[tid]) != 1:
            bad.append(f'tid {tid} ({comm}): {len(threads[tid])} records')
            continue
        t = threads[tid][0]
        if t.pid != (SYSTEM if is_kernel else pid):
            bad.append(f'tid {tid} ({comm}): of process {t.pid}')
        # workers of the kernel show more in /proc than their name
        if t.name != comm and not (is_kernel and comm.startswith(t.name)):
            bad.append(f'tid {tid}: {t.name!r}, /proc says {comm!r}')
        if t.page != 5 or t.base <= t.limit and t.base:
            bad.append(f'tid {tid}: {t}')
        bad += compare_thread(t, tid == pid, is_kernel, {placed, now[4]})
    check(f'{name}: threads as in /proc', bad, f'{count} threads')
    check_variety(name, [known for known in users.values()],
                  [of[4] for tid, of in before.threads.items() if len(threads[tid]) == 1],
                  before.cpus)
    order = [e for e in events if e.hook in (process_hook, thread_hook)]
    first = {e.what.pid: n for n, e in enumerate(order) if e.hook == process_hook}
    bad = []
    for n, e in enumerate(order):
        if e.hook == thread_hook and e.what.pid in first:
            early = n < first[e.what.pid]
            if early != (process_hook == PROCESS_DC_END):
                bad.append(f'tid {e.what.tid}')
    check(f'{name}: processes before their threads' if process_hook == PROCESS_DC_START else
          f'{name}: threads before their processes', bad)


def exit_status(wait):
    return 128 + (wait & 0x7F) if wait & 0x7F else wait >> 8


def hooks(events):
    return ' '.join(f'{e.hook:04x}' for e in events)


def check_names(kind, main):
    """A thread ends with the name that it gave itself, or exec gave it."""
    names = [e.what.name for e in main if e.hook == THREAD_STOP]
    # the program's file is opened by /proc/self/exe
    want = ['about to exec', 'exe']
    if kind == 'exec-32':
        want = ['fates', 'short32', 'fates']
    # the leader, which ends by the exec of the other thread
    if kind == 'thread-exec':
        want.insert(0, 'fates')
    return [] if names == want else [f'threads end as {names}, not {want}']


class Tls:
    """A program begins without, and its library gives it one, or it does so itself."""

    def __init__(self, events, machine):
        threads = [e for e in events if e.hook in (THREAD_START, THREAD_STOP)]
        # User Mode Linux has none
        self.logged = any(e.what.tls for e in threads)
        # x86 puts it away with the address space, as the kernel got it or at its last switch
        self.kept = machine != 'x86_64' or any(
            e.what.user_stack for e in threads if e.hook == THREAD_STOP)
        self.own = OWN_TLS

    def lacks(self):
        self.own = 0

    def check(self, threads, sets_own):
        tls = [t.tls for t in threads]
        good = tls[-1] == self.own if sets_own and self.own else tls[-1]
        return [f'TLS {[hex(x) for x in tls]} from fork over exec to the end'] \
            if self.logged and (tls[-2] or self.kept and not good) else []


def check_life(kind, pid, parent, wait, arguments, events, old_tid, tls):
    """The whole life of one process."""
    bad, own = [], [e for e in events if e.what.pid == pid]
    # threads that the process starts besides its first one
    main = [e for e in own if not isinstance(e.what, Thread) or e.what.tid in (pid, old_tid)]
    want = {'fork': '0301 0501 0502 0302',
            'exec': '0301 0501 0502 0302 0301 0501 0502 0302',
            # its leader ends by the exec of the other thread, which takes its id
            'exec-32': '0301 0501' + 2 * ' 0502 0302 0301 0501' + ' 0502 0302',
            'thread-exec': '0301 0501 0501 0502 0502 0302 0301 0501 0502 0302'}[kind]
    if hooks(main) != want:
        return [f'{hooks(main)} instead of {want}']
    # also of the threads that are not in the pattern
    if own[-1].hook != PROCESS_STOP:
        bad.append(f'{own[-1].hook:04x} after the Process Stop')
    starts = [e for e in main if e.hook == PROCESS_START]
    stops = [e for e in main if e.hook == PROCESS_STOP]
    for e in starts + stops:
        if e.what.parent != parent:
            bad.append(f'{e.hook:04x}: parent {e.what.parent}, not {parent}')
    images, flags = ['fates', 'fates'], [0, 0]
    if kind == 'exec-32':
        images[1:1], flags[1:1] = ['short32'], [2]
    for n, (start, stop) in enumerate(zip(starts, stops)):
        if not start.what.flags == stop.what.flags == flags[n]:
            bad.append(f'image {n}: Flags {start.what.flags} and {stop.what.flags}')
        if not start.what.image == stop.what.image == images[n]:
            bad.append(f'image {n}: {start.what.image} and {stop.what.image}')
    if starts[0].pid != parent:
        bad.append(f'Process Start of a fork in the context of {starts[0].pid}')
    if starts[0].what.command != 'fates run':
        bad.append(f'a forked process runs {starts[0].what.command!r}')
    if any(e.what.status != PENDING for e in starts):
        bad.append('a started process has an exit status')
    if stops[-1].what.status != exit_status(wait):
        bad.append(f'exit status {stops[-1].what.status:#x}, not {exit_status(wait):#x}')
    if kind != 'fork':
        command = f'fates fate {arguments}'
        if starts[-1].what.command.removeprefix('/w/') != command:
            bad.append(f'command line {starts[-1].what.command!r}, not {command!r}')
        keys = [e.what.key for e in starts]
        if len(set(keys)) != len(keys):
            bad.append('one key for two images')
        if [e.what.key for e in stops] != keys:
            bad.append('another key at the end')
        bad += check_names(kind, main)
    for e in own:
        if e.hook == THREAD_STOP and (e.tid, e.pid) != (e.what.tid, pid):
            bad.append(f'Thread Stop of {e.what.tid} in the name of {e.tid} of {e.pid}')
    if kind != 'fork':
        bad += tls.check([e.what for e in main if e.hook in (THREAD_START, THREAD_STOP)],
                         arguments == 'tls')
    begun = sorted(e.what.tid for e in own if e.hook == THREAD_START)
    ended = sorted(e.what.tid for e in own if e.hook == THREAD_STOP)
    if begun != ended:
        bad.append(f'threads {begun} begin, {ended} end')
    if kind == 'thread-exec':
        stop = [e for e in main if e.hook == THREAD_STOP][1]
        if stop.what.tid != old_tid:
            bad.append(f'the thread that calls exec ends as {stop.what.tid}, not {old_tid}')
    return bad


def check_forked(events, parent, command):
    """Any user may fork, cheaply: what that writes is bounded."""
    logged = [e.what.command for e in events
            if e.hook == PROCESS_START and e.what.parent == parent]
    check(f'a child begins with {FORKED} bytes of the command line of its parent',
          [] if logged == [command[:FORKED]] else [f'{len(text)} bytes' for text in logged] or
          ['no Process Start'])


def check_worker(events, pid):
    """What the kernel made in it is a thread as others, but for where it begins."""
    own = [e for e in events if isinstance(e.what, Thread) and e.what.pid == pid]
    workers = {e.what.tid for e in own if e.hook == THREAD_STOP and
               e.what.name.startswith('iou-wrk-')}
    begun = [e for e in own if e.hook == THREAD_START and e.what.tid in workers]
    check('a worker of io_uring begins and ends in its process', [] if workers and
          {e.what.tid for e in begun} == workers and all(e.pid == pid for e in begun) and
          not any(e.what.start for e in begun) else [f'{workers}: {begun}'])


def check_lives(events, path, machine):
    old_tid, lines, lacks, tls = None, [], set(), Tls(events, machine)
    if tls.logged and not tls.kept:
        checks.skip('TLS of threads that end', 'this kernel has put it away by then')
    with open(path, encoding='utf-8') as file:
        for line in file:
            word = line.rstrip('\n').split(' ', 4)
            if word[0] == 'tid':
                old_tid = int(word[1])
                continue
            if word[0] == 'lacks':
                lacks.add(' '.join(word[1:]))
                if 'TLS' in word:
                    tls.lacks()
                checks.skip('lives of processes', f'the guest has no {" ".join(word[1:])}')
                continue
            kind, pid, parent, wait = word[0], *map(int, word[1:4])
            lines.append(pid)
            name = f'{kind} {word[4][:30]}, status {exit_status(wait)}'
            check(name, check_life(kind, pid, parent, wait, word[4], events,
                                   old_tid if kind == 'thread-exec' else None,
                                   tls))
            if word[4].startswith('forks '):
                check_forked(events, int(word[1]), f'fates fate {word[4]}')
            if word[4] == 'io-worker' and 'io_uring' not in lacks:
                check_worker(events, pid)
    known = 17 - ('programs of 32 bits' in lacks)
    check('each process of a known fate was there', [] if len(lines) == known else [str(lines)])


def main():
    directory = sys.argv[1]
    etl = stream.load(f'{directory}/etw.etl')
    check('nothing lost', ['events'] if etl.events_lost or etl.losses() else [])
    events = events_of(etl)
    before, after = Listing(f'{directory}/before.txt'), Listing(f'{directory}/after.txt')
    with open(f'{directory}/memory.txt', encoding='ascii') as file:
        has_memory = file.read() == 'ready'
    if not has_memory:
        checks.skip('an executable in no file system', 'the guest has no memfd_create()')
    check_rundown(events, before, after, PROCESS_DC_START, THREAD_DC_START, 'start rundown',
                  has_memory)
    check_rundown(events, before, after, PROCESS_DC_END, THREAD_DC_END, 'stop rundown',
                  has_memory)
    zombies = {pid for pid, k in before.processes.items()
               if k.state == 'Z' and pid in after.processes}
    seen = {e.what.pid: e.what for e in events if e.hook == DEFUNCT}
    check('a zombie is 0327, with its exit status',
          [str(zombies)] if not zombies or zombies - set(seen) or
          any(seen[pid].status != 7 for pid in zombies) else [])
    check_zombie(seen, zombies & set(seen), f'{directory}/zombie.txt')
    check_stacks(events, f'{directory}/areas.txt')
    check('a zombie is in no rundown', [str(e) for e in events if e.what.pid in zombies and
                                        e.hook in (PROCESS_DC_START, PROCESS_DC_END)])
    names = {wide(r.payload, 8)[0] for r in etl.of(SET_NAME)}
    check('0548 records the names that threads give themselves',
          [str(names)] if not {'worker 0', 'worker 1', 'last'} <= names else [])
    with open(f'{directory}/machine.txt', encoding='ascii') as file:
        check_lives(events, f'{directory}/known.txt', file.read().strip())
    for hook in (0x0020, 0x0005, 0x0008):
        check(f'{hook:04x} is there', [] if etl.of(hook) else ['none'])
    sys.exit(bool(checks.failures))


if __name__ == '__main__':
    main()
