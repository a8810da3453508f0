#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the images of an ETW stream with /proc and with what a program says it mapped.

images.py DIRECTORY

What is loaded is followed from record to
record: from the start rundown over loads and unloads it must come to what /proc/PID/maps
says before and after, and to the stop rundown; a process that ends has nothing left.
"""
import os
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import checks
from etwtest import paths
from etwtest import stream

LOAD, UNLOAD, DC_START, DC_END, KERNEL_BASE = 0x030A, 0x1402, 0x1403, 0x1404, 0x1421
PROCESS_START, PROCESS_STOP, THREAD_START = 0x0301, 0x0302, 0x0501
SYSCALLS = 0xFFFFFFFFFFE00000
VDSO = '[vdso]'

Image = namedtuple('Image', 'base size pid stamp low name')
# code: {offset of a segment's first page in the file: its address}
Elf = namedtuple('Elf', 'low size stamp code')


def check(condition, name, detail=''):
    if not checks.check(condition, name) and detail:
        print(f'# {str(detail)[:2000]}')


def parse(r):
    """An image record; all that has no source must be 0."""
    stream.need(r.version == 3 and len(r.payload) >= 58, f'{r.hook:#x}: version or length')
    base, size, pid, checksum, stamp, level, kind, reserved, low, *more = \
        struct.unpack_from('<QQIIIBBHQ4I', r.payload)
    stream.need(not any([checksum, level, kind, reserved, *more]), f'{r.hook:#x}: not 0')
    text = r.payload[0x38:].decode('utf-16-le')
    stream.need(text.endswith('\0') and '\0' not in text[:-1], f'{r.hook:#x}: name {text!r}')
    kernel = r.hook in (LOAD, UNLOAD) or pid == 0
    stream.need(r.kind == (2 if kernel else 0x11), f'{r.hook:#x}: header {r.kind:#x}')
    if r.hook == LOAD:
        stream.need(r.pid == pid, f'load of {pid} in a header of {r.pid}')
    return Image(base, size, pid, stamp, low, text[:-1])


def elf(path):
    """What an ELF file asks for: lowest address, size, build-id's first bytes, {offset: code}."""
    with open(path, 'rb') as file:
        data = file.read()
    offset, = struct.unpack_from('<Q', data, 0x20)
    count, = struct.unpack_from('<H', data, 0x38)
    low, high, stamp, code = 1 << 64, 0, 0, {}
    for i in range(count):
        kind, rights, at, address, _, length, memory, _ = \
            struct.unpack_from('<IIQQQQQQ', data, offset + 56 * i)
        if kind == 1:
            low, high = min(low, address & ~0xFFF), max(high, address + memory)
            if rights & 1:
                code[at & ~0xFFF] = address & ~0xFFF
        if kind == 4:
            end = at + length
            while at < end:
                name, text, note = struct.unpack_from('<III', data, at)
                if note == 3 and data[at + 12:at + 16] == b'GNU\0':
                    stamp, = struct.unpack_from('<I', data, at + 16)
                at += 12 + (name + 3 & ~3) + (text + 3 & ~3)
    return Elf(low, high - low + 0xFFF & ~0xFFF, stamp, code)


def read_files(directory):
    return {name: elf(f'{directory}/files/{name}') for name in os.listdir(f'{directory}/files')}


def base_of(rows, i, facts):
    """Where the image with the code of row i of the maps is."""
    start, rights, offset, inode, name = rows[i]
    file = facts.get(os.path.basename(name))
    if file and offset in file.code:
        base = start - file.code[offset] + file.low
        if any(row[:1] + row[2:4] == (base, 0, inode) for row in rows):
            return base
    while i >= 0 and rows[i][3] == inode:
        if not rows[i][2]:
            return rows[i][0]
        i -= 1
    return start - offset


def images_of_maps(path, facts):
    """{pid: {(base, name)}} of /proc/PID/maps, by its own reading of them and of the files."""
    found, rows = defaultdict(set), defaultdict(list)
    with open(path, encoding='utf-8') as file:
        for line in file:
            pid, span, rights, offset, _, inode, *name = line.rstrip('\n').split(' ', 6)
            start = int(span.split('-')[0], 16)
            rows[int(pid)].append((start, rights, int(offset, 16), int(inode),
                                   name[0].strip() if name else ''))
    for pid, list_ in rows.items():
        for i, (_, rights, _, inode, name) in enumerate(list_):
            if 'x' in rights and inode:
                found[pid].add((base_of(list_, i, facts), name))
            elif name == VDSO and list_[i][0] >> 32:
                found[pid].add((list_[i][0], name))
    return found


def unloads_late(directory):
    """Since 6.16 an address space goes after its process."""
    with open(f'{directory}/release.txt', encoding='ascii') as file:
        major, minor = file.read().split('.')[:2]
    return (int(major), int(''.join(c for c in minor if c.isdigit()))) >= (6, 16)


def follow(records, late):
    """State after each record; what is wrong on the way; what a process's end left."""
    state, wrong, left, loads = defaultdict(dict), [], [], defaultdict(list)
    ended = {}
    for r in records:
        if r.hook == PROCESS_STOP:
            pid, = struct.unpack_from('<I', r.payload, 8)
            left += [(pid, base, name) for base, name in ended.pop(pid, {}).items()]
            ended[pid] = state.pop(pid, {})
        if r.hook not in (LOAD, UNLOAD, DC_START):
            continue
        image = parse(r)
        mine = state[image.pid]
        if late and r.hook == UNLOAD and image.base not in mine:
            mine = ended.get(image.pid, mine)
        if r.hook == UNLOAD:
            if image.base not in mine:
                wrong.append(('unload of nothing', image))
            mine.pop(image.base, None)
        else:
            # the rundown may repeat what has begun since
            if r.hook == LOAD and image.base in mine:
                wrong.append(('loaded twice', image))
            mine[image.base] = image.name
        if r.hook != DC_START:
            loads[image.pid].append(('load' if r.hook == LOAD else 'unload', image.base,
                                     image.name))
    left += [(pid, base, name) for pid, rest in ended.items() for base, name in rest.items()]
    return state, wrong, left, loads


def read_known(path, shown):
    known, vforked = defaultdict(list), set()
    with open(path, encoding='utf-8') as file:
        for line in file:
            what, pid, *rest = line.rstrip('\n').split(' ', 3)
            if what == 'vfork':
                vforked.add(int(pid))
            else:
                known[int(pid)].append((what, int(rest[0], 16), shown(rest[1])))
    return known, vforked


def check_processes(directory, etl):
    state, wrong, left, loads = follow(etl.records, unloads_late(directory))
    known, vforked = read_known(f'{directory}/known.txt', paths.Paths(directory).shown)
    facts = read_files(directory)
    before, after = (images_of_maps(f'{directory}/{name}.txt', facts)
                     for name in ('before', 'after'))
    stayed, _ = read_known(f'{directory}/stayed.txt', str)
    logged, ended = ({}, {})
    for to, hook in ((logged, DC_START), (ended, DC_END)):
        for image in map(parse, etl.of(hook)):
            to.setdefault(image.pid, set()).add((image.base, image.name))
    check(not wrong, 'every unload is of what was loaded, nothing is loaded twice', wrong)
    check(all(pid in vforked for pid, _, _ in left),
          'a process that ends has unloaded all but what it had with its parent by vfork', left)
    gone = {struct.unpack_from('<I', r.payload, 8)[0] for r in etl.of(PROCESS_STOP)}
    both = {pid for pid in before if pid in after}
    bad = {pid: (before[pid], logged.get(pid)) for pid in both & set(logged)
           if logged[pid] != before[pid]}
    check(not bad and len(both & set(logged)) >= 4,
          'the start rundown is /proc/PID/maps', bad)
    bad = {pid: (after[pid], ended.get(pid)) for pid in both - gone
           if ended.get(pid) != after[pid]}
    check(not bad and len(both - gone) >= 4,
          'the stop rundown is /proc/PID/maps', bad)
    now = {pid: set(images.items()) for pid, images in state.items() if pid and images}
    bad = {pid: (now.get(pid), ended.get(pid)) for pid in set(now) | set(ended)
           if pid and now.get(pid) != ended.get(pid)}
    check(not bad, 'loads and unloads lead from one rundown to the other', bad)
    mine = {name for list_ in known.values() for _, _, name in list_}
    bad = {pid: (list_, [x for x in loads[pid] if x[2] in mine])
           for pid, list_ in known.items()
           if [x for x in loads[pid] if x[2] in mine] != list_}
    check(not bad and len(known) == 4, 'a program\'s loads and unloads are what it did, in order',
          bad)
    bad = {pid: (list_, logged.get(pid), ended.get(pid)) for pid, list_ in stayed.items()
           for _, base, name in list_
           if not (base, name) in logged.get(pid, ()) or not (base, name) in ended.get(pid, ())}
    check(not bad and len(stayed) == 3, 'rundowns have images where programs say that they are',
          bad)
    check(len(vforked) == 1 and all(('load' == what) for pid in vforked
                                    for what, _, _ in loads[pid][:1]), 'a vforked child has images')


def check_order(etl):
    """Loads of a process come behind its Process Start and its Thread Start."""
    started, bad, forks = {}, [], 0
    for r in etl.records:
        if r.hook == PROCESS_START:
            pid, = struct.unpack_from('<I', r.payload, 8)
            started[pid] = 'process'
        if r.hook == THREAD_START:
            pid, = struct.unpack_from('<I', r.payload)
            if started.get(pid) == 'process':
                started[pid] = 'thread'
        if r.hook == LOAD and r.pid:
            if started.get(r.pid) == 'process':
                bad.append(parse(r))
            if started.get(r.pid) == 'thread':
                forks += 1
                started[r.pid] = 'images'
    check(not bad and forks >= 10, 'images follow Process Start and Thread Start', bad)


def check_fields(directory, etl):
    facts = read_files(directory)
    bad, seen = [], Counter()
    for r in etl.records:
        if r.hook not in (LOAD, UNLOAD, DC_START, DC_END):
            continue
        image = parse(r)
        name = os.path.basename(image.name)
        if image.pid and name in facts:
            low, size, stamp, _ = facts[name]
            seen[name] += 1
            if (image.low, image.size, image.stamp) != (low, size, stamp) or not stamp:
                bad.append((image, facts[name]))
    check(not bad and len(seen) == len(facts), 'size, build-id and default base are the files\'', bad)


def check_vdso(directory, etl):
    """Against the copy that a program in the guest wrote of its own."""
    size, stamp = os.path.getsize(f'{directory}/vdso'), elf(f'{directory}/vdso').stamp
    images = [image for image in map(parse, (r for r in etl.records
                                             if r.hook in (LOAD, UNLOAD, DC_START, DC_END)))
              if image.name == VDSO]
    check(stamp and {(i.size, i.stamp, i.low) for i in images} == {(size, stamp, 0)},
          'the vDSO\'s size and build-id are its own', (size, stamp, images[:3]))
    hooks = {r.hook for r in etl.records if r.hook in (LOAD, UNLOAD, DC_START, DC_END) and
             parse(r).name == VDSO}
    check(hooks == {LOAD, UNLOAD, DC_START, DC_END}, 'the vDSO has records as a file has', hooks)


def read_modules(path):
    with open(path, encoding='utf-8') as file:
        rows = [line.split() for line in file]
    return {(row[0] + '.ko', int(row[5], 16)) for row in rows}


def check_kernel(directory, etl):
    kernel = [parse(r) for r in etl.of(DC_START) if parse(r).pid == 0]
    end = [parse(r) for r in etl.of(DC_END) if parse(r).pid == 0]
    with open(f'{directory}/symbols.txt', encoding='utf-8') as file:
        symbols = {name: int(address, 16) for address, name in map(str.split, file)}
    images = {i.name: i for i in kernel}
    check(sorted(kernel) == sorted(end), 'both rundowns have the same kernel')
    v = images.get('vmlinux')
    first = symbols.get('_text', symbols['_stext'] & ~0x1FFFFF)
    check(v and v.base == first and v.base <= symbols['_stext'] and
          v.base + v.size >= symbols.get('_end', symbols['_einittext']), 'vmlinux is where it is',
          (v, symbols))
    bases = [struct.unpack('<Q', r.payload)[0] for r in etl.of(KERNEL_BASE)]
    check(v and bases == [v.base], 'KernelBase', bases)
    want = read_modules(f'{directory}/modules-before.txt')
    got = {(i.name, i.base) for i in kernel if i.name.endswith('.ko')}
    check(got == want and all(i.size for i in kernel), 'modules are those of /proc/modules',
          (got, want))
    extra = read_modules(f'{directory}/modules-between.txt') - want
    moves = [(r.hook, parse(r)) for r in etl.records if r.hook in (LOAD, UNLOAD) and
             parse(r).pid == 0]
    check(len(extra) == 1 and [(h, {(i.name, i.base)}) for h, i in moves] ==
          [(LOAD, extra), (UNLOAD, extra)], 'a module that comes and goes', (extra, moves))
    # x86's later kernels have none for programs of 32 bits, which not every kernel runs
    compat = any(name.endswith('_compat_sys_execve') for name in symbols)
    known = 'sys_call_table' in symbols and \
        (not compat or {'ia32_sys_call_table', 'compat_sys_call_table'} & set(symbols))
    check(bool(known) != (SYSCALLS in {i.base for i in kernel}),
          'system calls have an image where their functions are not known', kernel)


def main():
    directory = sys.argv[1]
    etl = stream.load(f'{directory}/etw.etl')
    etl.records.sort(key=lambda r: r.time)     # of all CPUs
    check(not etl.losses() and not etl.events_lost, 'nothing is lost')
    check_processes(directory, etl)
    check_order(etl)
    check_fields(directory, etl)
    check_vdso(directory, etl)
    check_kernel(directory, etl)


if __name__ == '__main__':
    main()
