#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare names of addresses with nm's and those of /proc/kallsyms.

symbols_vm.py DIRECTORY BUILD

DIRECTORY is what tests/vm/symbols/guest/symbols.sh left, BUILD has the programs with
their symbols. The tool looks files up below DIRECTORY/root alone; the kernel
of the trace is not the one that runs here.
"""
import bisect
import collections
import json
import os
import re
import struct
import subprocess
import sys

from etwtest import objects as o

from etwtest import checks

TOOL = 'build/host/tools/etw'


def tell(name, good, what=''):
    checks.check(good, name, '' if good else what)


def run(*arguments):
    return subprocess.run([str(x) for x in arguments], check=True,
                          stdout=subprocess.PIPE).stdout.decode()


class Functions:
    """Names by address: what nm or the kernel's table says."""

    def __init__(self, rows):
        self.names, self.ends = collections.defaultdict(set), collections.defaultdict(int)
        for address, size, name in rows:
            self.names[address].add(name)
            self.ends[address] = max(self.ends[address], address + size)
        self.starts = sorted(self.names)

    def find(self, address):
        """Names, and how far behind them the address is; none of what has no size, as in crt.o."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or address >= self.ends[self.starts[i]]:
            return set(), 0
        return self.names[self.starts[i]], address - self.starts[i]


def kernel_functions(path):
    rows = []
    with open(path, encoding='ascii') as file:
        for line in file:
            words = line.split()
            if words[1] in 'tTwW' and words[2][0] not in '$.':
                module = words[3][1:-1] if len(words) > 3 else 'vmlinux'
                rows.append((int(words[0], 16), 1 << 20, module + '!' + words[2]))
    return Functions(rows)


def program_functions(path, name):
    return Functions([(a, s, name + '!' + n) for (a, s), names in o.functions(path).items()
                      for n in names])


def program_labels(path, name):
    """Symbols without a size, as __wrap_main of arm64's crt1.o, which lies inside _start."""
    rows = [line.split() for line in run('nm', path).splitlines()]
    sized = {n for names in o.functions(path).values() for n in names}
    return Functions([(int(x[0], 16), 1 << 20, name + '!' + x[2]) for x in rows
                      if len(x) == 3 and x[1] in 'tTwW' and x[2] not in sized])


def spelled(names, offset):
    return {n + ('+0x%x' % offset if offset else '') for n in names}


def dump(file, *options):
    return [json.loads(x) for x in run(TOOL, 'dump', '--json', *options, file).splitlines()]


def note_id(path):
    """The build-id in a file of notes."""
    with open(path, 'rb') as file:
        data = file.read()
    at = 0
    while at + 12 <= len(data):
        name, size, kind = struct.unpack_from('<III', data, at)
        start = at + 12 + (name + 3) // 4 * 4
        if kind == 3 and data[at + 12:at + 16] == b'GNU\0':
            return data[start:start + size]
        at = start + (size + 3) // 4 * 4
    raise AssertionError(path)


def guid(ident):
    a, b, c = struct.unpack_from('<IHH', ident)
    return '%08x-%04x-%04x-%s' % (a, b, c, ident[8:16].hex())


class Trace:
    def __init__(self, directory, name, kernel, hogs, labels):
        self.file = directory + '/' + name + '.etl'
        self.root = directory + '/root'
        self.kernel, self.hogs, self.labels = kernel, hogs, labels
        self.events = dump(self.file, '--symbols', '--sysroot', self.root)
        self.threads, self.pids, self.begun = {}, {}, {}
        for x in self.events:
            fields = x['fields']
            if x['event'] in ('Image/Load', 'Image/DCStart') and fields['FileName'] == '/w/hogs':
                # one that a rundown names was there before
                begin = x['ns'] if x['event'] == 'Image/Load' else 0
                self.begun.setdefault(fields['ProcessId'], begin)
            if re.match(r'Thread/(Start|DCStart|DCStop)$', x['event']):
                self.threads[fields['ThreadId']] = fields['ProcessId']
            elif re.match(r'Process/(Start|DCStart|DCStop)$', x['event']):
                self.pids.setdefault(fields['ImageFileName'], set()).add(fields['ProcessId'])
        self.samples = [dict(x['fields'], ns=x['ns']) for x in self.events
                        if x['event'] == 'PerfInfo/Sample']

    def of(self, program):
        """Samples of its processes; what the shell forked runs the shell's code until it execs."""
        pids = self.pids.get(program, set())
        return [x for x in self.samples if self.threads.get(x['ThreadId']) in pids and
                x['ns'] >= self.begun.get(self.threads[x['ThreadId']], 0)]

    def truth(self, sample, hogs):
        """What the sample may be called, or nothing"""
        address = int(sample['InstructionPointer'], 16)
        if address >> 63:
            return spelled(*self.kernel.find(address))
        if not hogs:
            return set()
        names, offset = self.hogs.find(address)
        labels, near = self.labels.find(address)
        # the nearest symbol names an address; a label inside a function is nearer than its start
        return spelled(labels, near) if names and labels and near < offset else \
            spelled(names, offset)


def check_names(trace, name):
    hogs = trace.of('hogs')
    ours = {id(x) for x in hogs}
    user = [x for x in hogs if not int(x['InstructionPointer'], 16) >> 63]
    burn = [x for x in user if x['InstructionPointerSymbol'].startswith('hogs!hog_burn')]
    tell(name + ': the program is where it burns', len(user) > 100 and
         len(burn) >= 0.8 * len(user), (len(burn), len(user)))
    wrong, compared = [], collections.Counter()
    for x in trace.samples:
        wanted = trace.truth(x, id(x) in ours)
        if not wanted:
            continue
        compared['kernel' if int(x['InstructionPointer'], 16) >> 63 else 'user'] += 1
        if x['InstructionPointerSymbol'] not in wanted:
            wrong.append((x['InstructionPointerSymbol'], x['InstructionPointer'],
                          sorted(wanted)[:3]))
    tell('%s: every sample has the name that nm and kallsyms give it' % name,
         not wrong and compared['kernel'] > 20 and compared['user'] > 100, (compared, wrong[:3]))
    return compared


def check_functions(trace):
    """The report's sums are those of the samples."""
    shown = json.loads(run(TOOL, 'stat', trace.file, 'profile', '--by', 'function', '--idle', '--json',
                          '--sysroot', trace.root))
    rows = {x['function']: x['samples'] for x in shown['functions']}
    wanted = collections.Counter()
    for x in trace.samples:
        symbol = x['InstructionPointerSymbol']
        wanted[re.sub(r'\+0x[0-9a-f]+$', '', symbol) if '!' in symbol else symbol] += 1
    named = {k: v for k, v in wanted.items() if '!' in k}
    tell('profile by function has the samples of each function',
         named == {k: v for k, v in rows.items() if v and '!' in k and not k.endswith('!?')},
         (len(named), len(rows), sorted(set(named.items()) ^ set(rows.items()))[:6]))
    tell('and the hot one first among programs',
         [x for x in sorted(rows, key=rows.get, reverse=True) if not x.startswith('vmlinux')
          and '!' in x][0] == 'hogs!hog_burn', list(rows.items())[:4])
    zeroing = sum(v for k, v in rows.items() if re.match(r'vmlinux!.*(clear_user|rep_stos|iov_iter_'
                                                         r'zero|read_iter_zero)', k))
    tell('what reads zeros is seen where the kernel writes them', zeroing >= 10, zeroing)


def check_ids(trace, directory, build):
    """Two records stand before each image's, and say what readelf does."""
    pending, alone, found = [], [], {}
    for x in trace.events:
        if re.match(r'KernelTraceControl/ImageID', x['event']):
            pending.append(x)
            continue
        if re.match(r'Image/(Load|Unload|DCStart|DCStop)$', x['event']):
            fields = x['fields']
            same = [p for p in pending if p['fields']['ImageBase'] == fields['ImageBase'] and
                    p['fields']['ProcessId'] == fields['ProcessId'] and p['ns'] == x['ns']]
            if not same:
                alone.append(fields['FileName'])
            found.setdefault(fields['FileName'], []).extend(
                p['fields']['GuidSig'] for p in same if 'GuidSig' in p['fields'])
            pending = [p for p in pending if p not in same]
    tell('each image has its records before it', not alone and not pending and len(found) > 3,
         (alone[:4], pending[:2], len(found)))
    for path, ident in (('vmlinux', note_id(directory + '/notes')),
                        ('etw.ko', note_id(directory + '/notes.etw')),
                        ('/w/hogs', o.build_id(build + '/guest/hogs')),
                        ('/bin/busybox', o.build_id(directory + '/root/bin/busybox'))):
        ids = {x.strip('{}').replace('-', '').lower() for x in found.get(path, ['no image'])}
        tell('the id of %s is its build-id' % path, ids == {guid(ident).replace('-', '')},
             (ids, ident.hex()))
    with open(directory + '/release', encoding='ascii') as file:
        release = file.read().strip()
    labs = [x['fields']['BuildLab'] for x in trace.events if x['event'] == 'SysConfigEx/BuildInfo']
    tell('the trace contains the system', len(labs) == 1 and labs[0].startswith(release + ' '), labs)


def check_hidden(trace):
    kernel = [x for x in trace.samples if int(x['InstructionPointer'], 16) >> 63]
    with open(trace.file, 'rb') as file:
        data = file.read()
    provider = struct.pack('<IHH', 0xf79c09b4, 0xca84, 0x44b2) + bytes.fromhex('9a15f6e3111c1b3e')
    tables = data.count(provider + struct.pack('<H', 3))
    tell('a trace without addresses gets none', not kernel and not tables and len(trace.samples) > 20,
         (len(kernel), tables, len(trace.samples)))
    tell('and names programs all the same', sum(
        x.get('InstructionPointerSymbol', '').startswith('hogs!hog_burn')
        for x in trace.samples) > 5)


def check_rundown(trace, directory):
    """Everything that lived before and after it is named, once, and nothing at other times."""
    def pids(name):
        with open(directory + '/' + name, encoding='ascii') as file:
            return {int(x) for x in file.read().split()}

    kinds = collections.Counter(x['event'] for x in trace.events)
    shown = [x['fields']['ProcessId'] for x in trace.events if x['event'] == 'Process/DCStart']
    # kernel threads are threads of one process
    wanted = {p for p in pids('before') & pids('after') if p in shown} | pids('hogs')
    times = [x['ns'] for x in trace.events if x['event'] == 'Process/DCStart']
    first = min(x['ns'] for x in trace.events if x['event'] == 'PerfInfo/Sample')
    tell('the rundown came when it was asked for, not before and not at the end',
         kinds['Process/DCStop'] == 0 and kinds['EventTrace/RundownComplete'] == 1 and
         min(times) > first, (kinds['Process/DCStop'], kinds['EventTrace/RundownComplete']))
    tell('it has processes, each once', pids('hogs') <= set(shown) and
         len(shown) == len(set(shown)) and wanted <= set(shown), (sorted(wanted), sorted(shown)))
    threads = {int(x['fields']['ThreadId']) for x in trace.events
               if x['event'] == 'Thread/DCStart'}
    alive = pids('before') & pids('after')
    tell('and every thread that was there', alive <= threads, sorted(alive - threads)[:5])
    images = {x['fields']['FileName'] for x in trace.events if x['event'] == 'Image/DCStart'}
    tell('and images', {'vmlinux', 'etw.ko', '/w/hogs', '/bin/busybox'} <= images, sorted(images)[:9])


def folded(trace, *options):
    """
    What it was in, outermost first: how much. libc's functions below main() have no frame
    pointers: they are there as soon as the program's unwind table is.
    """
    lines = run(TOOL, 'stat', trace, 'stacks', '--folded', '--top', '0', '--sysroot',
                os.path.dirname(trace) + '/root', *options).splitlines()
    found = collections.Counter()
    for line in lines:
        frames, _, number = line.rpartition(' ')
        found[tuple(x for x in frames.split(';')
                    if not re.fullmatch(r'chain!(_start|__libc_start\w*)', x))] += int(number)
    return dict(found)


def check_stacks(directory, name):
    """Known chains, known by the program's and the kernel's names, and no other of these leaves"""
    trace = '%s/%s.etl' % (directory, name)
    chain = ('chain', *('chain!' + x for x in ('main', 'chain_1', 'chain_2', 'chain_3', 'chain_4')))
    rows = folded(trace)
    # a label in chain_burn() stands where it burns
    burn = {k: v for k, v in rows.items() if k[-1] == 'chain!chain_loop_begin'}
    tell(name + ': samples are in the whole chain', set(burn) == {chain + ('chain!chain_loop_begin',)} and
         sum(burn.values()) > 100, list(burn.items())[:3])
    rows = folded(trace, '--waiting')
    sleep = {k: v for k, v in rows.items() if 'chain!chain_sleep' in k}
    way = chain + ('chain!chain_sleep',)
    asleep = {k: v for k, v in sleep.items() if any(re.match('vmlinux!.*nanosleep', x) for x in k)}
    entry = r'vmlinux!(entry_SYSCALL_64|el0t?_64_sync)'
    tell(name + ': a waiting thread waits in the chain, and in the kernel below it',
         asleep and all(k[:len(way)] == way and re.match(entry, k[len(way)]) and
                        k[-1] in ('vmlinux!__schedule', 'vmlinux!schedule') for k in asleep) and
         sum(asleep.values()) > 0.9 * sum(sleep.values()) > 90000, list(sleep.items())[:3])
    swaps = folded(trace, '--hook', 'CSwitch')
    n = sum(v for k, v in swaps.items() if k in asleep)
    with open('%s/%s.sleeps' % (directory, name), encoding='utf-8') as file:
        waits, preempted = (int(x) for x in re.findall(r'^(?:waits|preempted) (\d+)$',
                                                       file.read(), re.M))
    # the kernel counts a switch as one or the other: one about to sleep may be preempted, too,
    # or comes back to schedule(), which looks again
    print('# %s: %d switches, %d waits, preempted %d times' % (name, n, waits, preempted))
    tell(name + ': each of its sleeps is one', 100 <= n <= waits + preempted,
         (n, waits, preempted, list(asleep)[:3]))
    shown = run(TOOL, 'stat', trace, 'stacks', '--sysroot', directory + '/root')
    tell(name + ': no key is without its stack', ', 0 of keys that nothing defines' in shown,
         shown[:300])


def main():
    directory, build = sys.argv[1:]
    kernel = kernel_functions(directory + '/kallsyms')
    hogs = program_functions(build + '/guest/hogs', 'hogs')
    labels = program_labels(build + '/guest/hogs', 'hogs')
    final = Trace(directory, 'final', kernel, hogs, labels)
    compared = check_names(final, 'recorded')
    print('# compared:', dict(compared))
    check_functions(final)
    check_ids(final, directory, build)
    check_hidden(Trace(directory, 'hidden', kernel, hogs, labels))
    check_stacks(directory, 'stacks')
    check_stacks(directory, 'keys')
    late = Trace(directory, 'late', kernel, hogs, labels)
    check_names(late, 'rundown on demand')
    check_rundown(late, directory)
    sys.exit(bool(checks.failures))


main()
