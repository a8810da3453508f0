#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the disk I/O of an ETW stream with ftrace's and diskstats of the same time.

disk.py DIRECTORY

Per CPU both must have the same sequence of requests asked for (kind, thread) and done
(disk, kind, offset, bytes); response times as ftrace's stamps have them; sums as
diskstats has them; the files and priorities that tests/vm/source/storage/guest/disk.sh chose; and what
etw stat says of it. Reads of a disk's special file have the key that its name has; those of
a namespace of NVMe the number of the disk that is to be seen. Exit status 1 with any difference.
"""
import json
import os
import re
import statistics
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import ftrace
from etwtest import paths
from etwtest import stream

LINE = re.compile(r'^\s*.+-(?P<tid>\d+)\s+\[(?P<cpu>\d+)\]\s+\S+\s+(?P<time>[\d.]+): '
                  r'block_(?P<event>\w+): (?P<dev>\d+,\d+) (?P<kind>\w+) (?:\d+ )?(?:\(.*?\) )?'
                  r'(?P<sector>\d+) \+ (?P<sectors>\d+) ')
READ, WRITE, FLUSH = 0x010A, 0x010B, 0x010E
READ_INIT, WRITE_INIT, FLUSH_INIT = 0x010C, 0x010D, 0x010F
NOCACHE, PAGING = 1, 2
SYSTEM, PERFINFO = 2, 0x11
PHYSICAL_DISK = 0x0B0B

Event = namedtuple('Event', 'cpu time tid name dev op preflush sector sectors')
Done = namedtuple('Done', 'cpu time op disk flags bytes offset file irp response tid')
Init = namedtuple('Init', 'cpu time op irp tid')
OPS = {'R': READ, 'W': WRITE, 'F': FLUSH}


def read_ftrace(path):
    events = []
    for m in ftrace.matches(path, LINE):
        kind = m['kind']
        preflush = kind[0] == 'F' and kind[1:2] not in ('', 'F')
        events.append(Event(int(m['cpu']), int(m['time'].replace('.', '')), int(m['tid']),
                            m['event'], m['dev'], OPS.get(kind[preflush]), preflush,
                            int(m['sector']), int(m['sectors'])))
    return events


def is_data(e):
    return e.op in (READ, WRITE) and e.sectors


def truth_of(events, numbers):
    """Per CPU: what was asked for, what was done; and the response times."""
    asked, done, issued = defaultdict(list), defaultdict(list), defaultdict(list)
    for e in events:
        where = (e.dev, e.op, e.sector if e.op != FLUSH else 0)
        if e.name in ('getrq', 'bio_frontmerge'):
            if e.preflush:
                asked[e.cpu].append((FLUSH_INIT, e.tid))
            if is_data(e):
                asked[e.cpu].append((e.op + 2, e.tid))
        elif e.name == 'rq_issue':
            issued[where].append(e)
        elif is_data(e) or e.op == FLUSH:
            stream.need(issued[where], f'{e} was not issued')
            begin = issued[where].pop(0)
            stream.need(begin.sectors == e.sectors, f'{e}: done in part')
            done[e.cpu].append(((e.op, numbers[e.dev], 512 * where[2], 512 * e.sectors),
                                e.time - begin.time))
    return asked, done


def records_of(etl):
    inits, done = defaultdict(list), defaultdict(list)
    for r in etl.records:
        if r.hook in (READ, WRITE):
            stream.need((r.kind, r.version, len(r.payload)) == (PERFINFO, 3, 52), f'{r}')
            disk, flags, size, zero, offset, file, irp, time, tid = \
                struct.unpack('<IIIIQQQQI', r.payload)
            stream.need(not zero, 'Reserved is not 0')
            done[r.cpu].append(Done(r.cpu, r.time, r.hook, disk, flags, size, offset, file, irp,
                                    time, tid))
        elif r.hook == FLUSH:
            stream.need((r.kind, r.version, len(r.payload)) == (PERFINFO, 3, 28), f'{r}')
            disk, flags, time, irp, tid = struct.unpack('<IIQQI', r.payload)
            done[r.cpu].append(Done(r.cpu, r.time, r.hook, disk, flags, 0, 0, 0, irp, time, tid))
        elif r.hook in (READ_INIT, WRITE_INIT, FLUSH_INIT):
            stream.need((r.kind, r.version, len(r.payload)) == (SYSTEM, 3, 12), f'{r}')
            irp, tid = struct.unpack('<QI', r.payload)
            stream.need(tid == r.tid, f'an Init of {tid} with a header of {r.tid}')
            inits[r.cpu].append(Init(r.cpu, r.time, r.hook, irp, tid))
    return inits, done


def align(truth, records, key, what):
    """The records that are the truth's, which stand one after the other."""
    for at in range(len(records) - len(truth) + 1):
        if all(key(records[at + i]) == t for i, t in enumerate(truth)):
            return records[at:at + len(truth)]
    print(f'ftrace {truth[:40]}')
    print(f'etw    {[key(r) for r in records][:80]}')
    sys.exit(f'{what}: the {len(truth)} of ftrace are not in the {len(records)} of etw')


def names_of(etl):
    names = {}
    for r in etl.records:
        if r.hook in (0x0400, 0x0420, 0x0423, 0x0424):
            stream.need((r.kind, r.version) == (PERFINFO, 2), f'{r}')
            key, = struct.unpack_from('<Q', r.payload)
            text = r.payload[8:].decode('utf-16-le')
            stream.need(text.endswith('\0') and '\0' not in text[:-1], f'a name {text!r}')
            stream.need(names.setdefault(key, text[:-1]) == text[:-1],
                        f'{key:#x} is {names[key]} and {text}')
    return names


def check_pairs(inits, done):
    """Each that is done was asked for before, by the same thread."""
    asked = {i.irp: i for list_ in inits.values() for i in list_}
    stream.need(len(asked) == sum(map(len, inits.values())), 'an Irp that two have')
    for d in done:
        init = asked.get(d.irp)
        stream.need(init, f'{d}: nobody asked')
        stream.need(init.tid == d.tid and init.time <= d.time, f'{d}: {init}')
        stream.need(init.op == (FLUSH_INIT if d.op == FLUSH else d.op + 2), f'{d}: {init}')


def diskstats(path):
    with open(path, encoding='utf-8') as file:
        return {f'{w[0]},{w[1]}': list(map(int, w[3:])) for w in map(str.split, file)}


def check_sums(directory, events, done, numbers):
    before, after = (diskstats(f'{directory}/{name}.txt') for name in ('before', 'after'))
    for dev, disk in numbers.items():
        delta = [b - a for a, b in zip(before[dev], after[dev])]
        mine = [d for d in done if d.disk == disk]
        # diskstats takes a flush alone for a write of nothing as well
        alone = sum(e.name == 'getrq' and e.preflush and not e.sectors and e.dev == dev
                    for e in events)
        sums = [sum(d.op == READ for d in mine), sum(d.bytes for d in mine if d.op == READ) // 512,
                sum(d.op == WRITE for d in mine) + alone,
                sum(d.bytes for d in mine if d.op == WRITE) // 512,
                sum(d.op == FLUSH for d in mine)]
        logged = [delta[0], delta[2], delta[4], delta[6], delta[15]]
        print(f'{dev}: reads, sectors, writes, sectors, flushes: diskstats {logged}, etw {sums}')
        stream.need(sums == logged, f'{dev}: the sums differ')


def check_files(done, names, shown):
    read, written = Counter(), Counter()
    for d in done:
        if d.file:
            stream.need(d.flags & (NOCACHE | PAGING) == PAGING, f'{d}: flags')
        name = names.get(d.file) if d.file else None
        if d.op == READ:
            read[name] += d.bytes
        elif d.op == WRITE:
            written[name] += d.bytes
    print('read:', dict(read))
    print('written:', dict(written))
    expect = {'/mnt/d/large': 48 << 16, '/mnt/d/small': 5 << 12}
    for path, size in expect.items():
        name = shown(path)
        stream.need(read[name] == size and written[name] == size, f'{name}: sizes')
    stream.need(written[shown('/mnt/d/gone')] == 9 << 12 and
                written[shown('/mnt/d/old')] == 4096 and
                read[shown('/mnt/d/old')] == 2 * 4096 and written['/dev/vdb'] == 1 << 20, 'sizes')
    stream.need(all(d.file in names for d in done if d.file), 'a file without a name')
    stream.need(written['/dev/vda1'], 'nothing of the file system itself')
    direct = [d for d in done if d.op != FLUSH and d.flags & NOCACHE]
    stream.need(not any(d.file for d in direct), 'direct I/O with a file')
    stream.need(sum(d.bytes for d in direct if d.op == WRITE) == 3 * 8 << 12, 'direct writes')
    # as ionice had it: idle, real time, best effort 7, and what no process chose
    levels = Counter(d.flags >> 17 for d in direct if d.op == READ and d.bytes == 1 << 14)
    stream.need(levels == {1: 4, 4: 4, 2: 4}, f'priorities {levels}')
    return len(direct)


def check_stat(path, etl, inits, done, shown):
    """etw stat's sums are those of all records."""
    with open(path, encoding='utf-8') as file:
        result = json.load(file)
    asked = {i.irp: i.time for list_ in inits.values() for i in list_}
    # one Init, one time: of several flushes at once the first that is done
    first = {d.irp: d for d in sorted(done, key=lambda d: -d.time) if d.irp in asked}

    def total(ticks):
        return sum(n * 10**9 // etl.frequency for n in ticks)

    for row in result['disks']:
        mine = [d for d in done if d.disk == row['disk']]
        sums = [(sum(d.op == op for d in mine), sum(d.bytes for d in mine if d.op == op))
                for op in (READ, WRITE, FLUSH)]
        stream.need([row[k] for k in ('reads', 'bytes read', 'writes', 'bytes written', 'flushes')]
                    == [*sums[0], *sums[1], sums[2][0]], f'stat: {row}, not {sums}')
        stream.need(row['service ns'] == total(d.response for d in mine) and row['io ns'] ==
                    total(d.time - asked[d.irp] for d in mine if first.get(d.irp) is d),
                    f'stat: times of {row}')
    for by in ('disks', 'processes', 'files'):
        stream.need(sum(r['bytes read'] + r['bytes written'] for r in result[by]) ==
                    sum(d.bytes for d in done), f'stat: bytes of {by}')
    large = [r for r in result['files'] if r['name'] == shown('/mnt/d/large')]
    stream.need(len(large) == 1 and large[0]['bytes read'] == 48 << 16, f'stat: {large}')
    stream.need(all(r['process'] for r in result['processes'] if r['pid']), 'stat: a name')
    stream.need(sum(r['asked'] for r in result['processes']) == len(asked), 'stat: asked')


def check_variety(done):
    data, flushes = [d for d in done if d.op != FLUSH], [d for d in done if d.op == FLUSH]
    for list_, fields in ((data, 'disk flags bytes offset file irp response tid'),
                          (flushes, 'disk response irp tid')):
        for field in fields.split():
            values = {getattr(d, field) for d in list_}
            stream.need(len(values) > 1, f'{field} is always {values}')


def numbers_of(etl):
    """DiskNumber by name, as PhyDisk has it"""
    numbers = {}
    for r in etl.of(PHYSICAL_DISK):
        number, = struct.unpack_from('<I', r.payload)
        numbers[r.payload[0x28:0x228].decode('utf-16-le').rstrip('\0')] = number
    return numbers


def check_special(path, shown):
    """A disk's special file by name: that of its reads, at the start of its use and at the end."""
    etl = stream.load(path)
    keys = [struct.unpack_from('<QQQQII', r.payload)[3] for r in etl.of(0x0443)
            if struct.unpack_from('<I', r.payload, 36) == (12288,)]
    stream.need(len(keys) == 16 and len(set(keys)) == 1, f'{path}: reads of {keys}')
    for hook in (0x0420, 0x0424):
        logged = [r.payload[8:-2].decode('utf-16-le') for r in etl.of(hook)
                if struct.unpack_from('<Q', r.payload) == (keys[0],)]
        stream.need(logged == [shown('/dev/vdb')],
                    f'{path}: {hook:#x}: the names of its key: {logged}')


def check_hidden(path):
    """What a hidden disk does is that of the disk before it, and only that one is recorded."""
    etl = stream.load(path)
    logged = [struct.unpack_from('<I', r.payload)[0] for r in etl.of(PHYSICAL_DISK)]
    stream.need(len(logged) == len(set(logged)), f'{path}: numbers of disks {logged}')
    head = numbers_of(etl).get('QEMU NVMe Ctrl')
    _, done = records_of(etl)
    mine = [d for list_ in done.values() for d in list_ if d.op == FLUSH or d.bytes == 12288]
    counts = Counter((d.op, d.disk) for d in mine)
    flushes = counts.pop((FLUSH, head), 0)
    stream.need(counts == {(READ, head): 8, (WRITE, head): 4} and flushes,
                f'{path}: {head} of {logged} did {counts}, {flushes} flushes')


def main():
    directory = sys.argv[1]
    etl = stream.load(f'{directory}/etw.etl')
    stream.need(not etl.losses() and not etl.events_lost, 'etw lost events')
    with open(f'{directory}/disks.txt', encoding='utf-8') as file:
        devices = [line.strip().replace(':', ',') for line in file]
    by_name = numbers_of(etl)
    numbers = {dev: by_name[name] for dev, name in zip(devices, ('vda', 'vdb'))}
    stream.need(len(set(numbers.values())) == 2, f'disks {numbers}')
    events = read_ftrace(f'{directory}/ftrace.txt')
    ftrace.check_complete(f'{directory}/stats.txt', len(events))

    asked, finished = truth_of(events, numbers)
    inits, done = records_of(etl)
    for cpu, truth in asked.items():
        align(truth, inits[cpu], lambda i: (i.op, i.tid), f'cpu {cpu}: asked for')
    both, apart = [], []
    for cpu, truth in finished.items():
        mine = align([t for t, _ in truth], done[cpu],
                     lambda d: (d.op, d.disk, d.offset, d.bytes), f'cpu {cpu}: done')
        both += mine
        apart += [abs(d.response * 1e6 / etl.frequency - t) for d, (_, t) in zip(mine, truth)]
    apart.sort()
    check_pairs(inits, both)
    check_sums(directory, events, both, numbers)
    shown = paths.Paths(directory).shown
    direct = check_files(both, names_of(etl), shown)
    check_variety(both)
    check_special(f'{directory}/special.etl', shown)
    if not os.path.exists(f'{directory}/no-nvme'):
        check_hidden(f'{directory}/nvme.etl')
    check_stat(f'{directory}/stat.json', etl, inits,
               [d for list_ in done.values() for d in list_], shown)
    print(f'response times differ by {statistics.median(apart):.0f} us (median), '
          f'{apart[len(apart) * 9 // 10]:.0f} us (90 %), {apart[-1]:.0f} us (most)')
    # emulation may pause between two probes of one step, not as a rule
    stream.need(statistics.median(apart) < 500 and apart[len(apart) * 9 // 10] < 5000,
                'response times')
    print(f'{len(both)} requests done and {sum(map(len, asked.values()))} asked for on '
          f'{len(finished)} CPUs match; {direct} direct')


if __name__ == '__main__':
    try:
        main()
    except (stream.FormatError, ValueError) as error:
        sys.exit(f'difference: {error}')
