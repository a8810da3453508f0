#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare a stream's system configuration with what the kernel says of its machine.

system_config.py DIRECTORY

Every field of every record, of the start rundown and of the one at the end; disks and
partitions, which the tool prints, once. Exit status 1 with any difference.
"""
import ipaddress
import struct
import sys
from collections import defaultdict

from etwtest import stream

CPU, DISK, PARTITION, NIC, NODES, PLATFORM, GROUPS, NUMBERS, PROCESSOR = (
    0x0B0A, 0x0B0B, 0x0B0C, 0x0B0D, 0x0B18, 0x0B19, 0x0B1A, 0x0B1B, 0x0B23)
VENDORS = {0x41: 'ARM Limited'}
IDENTIFIERS = {'AuthenticAMD': 'AMD64', 'GenuineIntel': 'Intel64'}


class Truth:
    """What the guest wrote down: the values of each name, in their order."""

    def __init__(self, path):
        self.values = defaultdict(list)
        with open(path, encoding='utf-8') as file:
            for line in file:
                name, _, value = line.rstrip('\n').partition('\t')
                self.values[name].append(value)

    def all(self, name):
        return self.values.get(name, [])

    def one(self, name, missing=''):
        values = self.all(name)
        return values[0] if values else missing


class Report:
    def __init__(self):
        self.compared = self.differences = 0

    def same(self, what, have, want):
        self.compared += 1
        if have != want:
            self.differences += 1
            print(f'difference: {what}: {have!r}, not {want!r}')


def numbers(text):
    """Of a list as 0-2,5"""
    found = set()
    for part in filter(None, text.split(',')):
        first, _, last = part.partition('-')
        found.update(range(int(first), int(last or first) + 1))
    return found


def mask(cpus):
    return sum(1 << cpu for cpu in cpus)


def text(data):
    """A field of fixed size: zeros from the end of its text on."""
    found, _, rest = data.decode('utf-16-le').partition('\0')
    stream.need(not rest.strip('\0'), f'{rest!r} behind {found!r}')
    return found


def strings(data):
    """Terminated ones, which have to fill it."""
    parts = data.decode('utf-16-le').split('\0')
    stream.need(not parts.pop(), 'a string without an end')
    return parts


def models(truth):
    """By CPU: vendor, name, identifier, family, revision."""
    found, at = {}, None
    for line in truth.all('cpuinfo'):
        key, _, value = (part.strip() for part in line.partition(':'))
        if key == 'processor':
            at = found[int(value)] = {}
        at[key] = value
    if not truth.all('midr'):
        return {cpu: (m['vendor_id'], m['model name'],
                      f'{IDENTIFIERS[m["vendor_id"]]} Family {m["cpu family"]} '
                      f'Model {m["model"]} Stepping {m["stepping"]}',
                      int(m['cpu family']), int(m['model']) << 8 | int(m['stepping']))
                for cpu, m in found.items()}
    midr = int(truth.one('midr'), 16)
    part, revision = midr >> 4 & 0xFFF, (midr >> 20 & 15) << 8 | midr & 15
    vendor = VENDORS[midr >> 24]
    one = (vendor, f'{vendor} part {part:03X}',
           f'ARMv8 (64-bit) Family 8 Model {part:3X} Revision {revision:3X}', 8,
           (part << 8 | (midr >> 20 & 15) << 4 | midr & 15) & 0xFFFF)
    return {cpu: one for cpu in found}


def check_cpu(report, record, truth, online):
    *head, name, domain, siblings, last, architecture, level, revision, pae, nx, speed = \
        struct.unpack('<5I512s268sQQ3H2BI', record.payload)
    page = int(truth.one('page')) * 1024
    report.same('MHz, processors, MB, page, granularity', head,
                [int(truth.one('counter')), len(online), int(truth.one('memory')) // 1024, page,
                 max(page, 65536)])
    report.same('ComputerName', text(name), truth.one('name'))
    report.same('DomainName', text(domain), truth.one('domain'))
    siblings_of = map(numbers, truth.all('siblings'))
    together = {cpu for cpus in siblings_of if len(cpus) > 1 for cpu in cpus}
    report.same('HyperThreadingFlag', siblings, mask(together))
    report.same('HighestUserAddress', last, int(truth.one('last'), 16))
    _, _, _, family, wanted = models(truth)[min(online)]
    report.same('architecture, level, revision, PAE, NX, speed',
                [architecture, level, revision, pae, nx, speed],
                [12 if truth.all('midr') else 9, family, wanted, 1, 1, 0])


def check_processors(report, records, truth, online):
    logged = {}
    for r in records:
        index, features, clock, name, identifier, vendor = struct.unpack('<3I128s256s32s',
                                                                         r.payload)
        logged[index] = [features, clock, text(vendor), text(name), text(identifier)]
    wanted, clock = models(truth), int(truth.one('counter'))
    report.same('0B23', logged, {cpu: [0, clock, *wanted[cpu][:3]] for cpu in online})


def check_topology(report, of, truth, online):
    possible = max(numbers(truth.one('possible'))) + 1
    nodes = [mask(numbers(value) & online) for value in truth.all('nodes')]
    # a kernel without NUMA has one, and no directory for it
    nodes = nodes or [mask(online)]
    data = of[NODES][0].payload
    count, = struct.unpack_from('<I', data)
    entries = [struct.unpack_from('<QH3H', data, 4 + 16 * n) for n in range(count)]
    report.same('NUMA nodes', [entries, len(data)],
                [[(node, 0, 0, 0, 0) for node in nodes if node], 4 + 16 * count])
    report.same('groups', struct.unpack('<IQ', of[GROUPS][0].payload), (1, mask(online)))
    report.same('numbers', of[NUMBERS][0].payload,
                struct.pack('<I', possible) + b''.join(struct.pack('<HBB', 0, cpu, 0)
                                                       for cpu in range(possible)))


def check_platform(report, record, truth):
    report.same('platform', strings(record.payload),
                [truth.one('sys_vendor'), truth.one('product_name', truth.one('model')),
                 truth.one('bios_date'), truth.one('bios_version')])


def addresses(truth):
    found = defaultdict(set)
    for line in truth.all('address'):
        _, nic, family, address = line.split()[:4]
        if family in ('inet', 'inet6'):
            found[nic].add(ipaddress.ip_address(address.partition('/')[0]))
    return found


def check_nics(report, records, truth):
    logged, wanted, of = {}, {}, addresses(truth)
    for r in records:
        address, length, index4, index6 = struct.unpack_from('<8sIII', r.payload)
        name, list_, dns = strings(r.payload[20:])
        stream.need(not list_ or list_.endswith(';'), f'addresses {list_!r}')
        logged[name] = [index4, index6, length, address.hex(),
                      {ipaddress.ip_address(a) for a in list_.split(';')[:-1]}, dns]
    for line in truth.all('nic'):
        name, index, length, address = (line.split() + [''])[:4]
        wanted[name] = [int(index), int(index), int(length),
                        address.replace(':', '').ljust(16, '0'), of[name], '']
    stream.need(max(map(len, of.values())) >= 3, 'no interface has three addresses')
    report.same('network', logged, wanted)


def check_disks(report, etl, truth):
    """What the guest says by name the records say by number, which 0B0B has with the name."""
    disks = [line.strip().split(maxsplit=3) for line in truth.all('disk')]
    # a loop device, say, without a file
    disks = [disk for disk in disks if int(disk[2])]
    parts = defaultdict(list)
    for line in truth.all('partition'):
        disk, *place = line.split()
        parts[disk].append([int(n) for n in place])
    named, logged, wanted = {}, {}, {}
    for r in etl.of(DISK):
        number, *head, name, count, cache, pad = struct.unpack_from('<4IQ4I512sIBB', r.payload)
        stream.need(len(r.payload) == 568 and not any(r.payload[558:]), 'the end of a 0B0B')
        named[number] = text(name)
        logged[named[number]] = [*head, count, cache, pad]
    for name, sector, size, cache in disks:
        cylinder = 63 * 255 * int(sector)
        wanted[name] = [int(sector), 63, 255, int(size) * 512 // cylinder, 0, 0, 0, 0,
                        len(parts[name]), int(cache == 'write back'), 0]
    report.same('disks', logged, wanted)
    report.same('their numbers', sorted(named), list(range(len(named))))
    check_partitions(report, etl.of(PARTITION), truth, named, disks, parts)


def check_partitions(report, records, truth, named, disks, parts):
    """That of the one disk is mounted; the other disk counts as one of its own."""
    logged, wanted = {}, {}
    block, free, blocks, _ = truth.one('system').split()
    for r in records:
        start, size, disk, own, type_, letter, _, number, *rest, system, extension, pad = \
            struct.unpack('<QQIII8s5I2q32sII', r.payload)
        logged[named[disk], number] = [start, size, own, type_, text(letter), *rest,
                                     text(system), extension, pad]
    for disk, sector, size, _ in disks:
        sector = int(sector)
        for number, start, sectors in parts[disk]:
            wanted[disk, number] = [start * 512, sectors * 512, 112, 1, '', int(block) // sector,
                                    sector, 0, int(free), int(blocks), 'ext4', 0, 0]
        if not parts[disk]:
            wanted[disk, 1] = [0, int(size) * 512, 112, 1, '', 0, sector, 0, 0, 0, '', 0, 0]
    report.same('partitions', logged, wanted)


def rundowns(etl):
    """The records of the first and of the second one, by hook id: as many of each."""
    halves = defaultdict(list), defaultdict(list)
    for hook in (CPU, NIC, NODES, PLATFORM, GROUPS, NUMBERS, PROCESSOR):
        found = etl.of(hook)
        stream.need(found and len(found) % 2 == 0, f'{len(found)} records {hook:04X}')
        for n, r in enumerate(found):
            halves[n * 2 >= len(found)][hook].append(r)
    return halves


def main():
    directory = sys.argv[1]
    truth = Truth(f'{directory}/truth.txt')
    online = numbers(truth.one('online'))
    report = Report()
    etl = stream.load(f'{directory}/etw.etl')
    for of in rundowns(etl):
        check_cpu(report, of[CPU][0], truth, online)
        check_processors(report, of[PROCESSOR], truth, online)
        check_topology(report, of, truth, online)
        check_platform(report, of[PLATFORM][0], truth)
        check_nics(report, of[NIC], truth)
    check_disks(report, etl, truth)
    print(f'{report.compared} values or lists of them compared, {report.differences} differences')
    sys.exit(1 if report.differences else 0)


if __name__ == '__main__':
    main()
