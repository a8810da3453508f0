#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the network events of an ETW stream with what else is known of them.

network.py DIRECTORY

Connections that come, go, fail, and retransmissions: ftrace's tracepoints, event for
event and end for end. Bytes and datagrams: what each process says that it sent and
received. All in all: the deltas of /proc/net/snmp and snmp6. Options of connections:
TCP_INFO. Sequence numbers: what an end sends has no holes, and is what the other one
receives. Exit status 1 with any difference. On x86_64, entries of functions come by ftrace,
not by kprobes: the list of kprobes has them as disabled.
"""
import re
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import ftrace
from etwtest import stream

SEND, RECEIVE, CONNECT, DISCONNECT, RETRANSMIT, ACCEPT, RECONNECT, FAIL = range(0x0A, 0x12)
NAMES = {CONNECT: 'connect', ACCEPT: 'accept', DISCONNECT: 'disconnect', FAIL: 'fail',
         RETRANSMIT: 'retransmit', RECONNECT: 'reconnect'}
# what follows the ends
TAILS = {SEND: '<IIIQ', CONNECT: '<HHHHIhhIQ', ACCEPT: '<HHHHIhhIQ'}
LOCAL = {4: bytes([127, 0, 0, 1]), 6: bytes(15) + b'\1'}
SERVERS = {4: [7000, 7001, 7003, 7021, 7023, 7031, 7033, 7041, 7043],
           6: [7002, 7022, 7032, 7042]}
RECONNECTS = 7021, 7022, 7023

Event = namedtuple('Event', 'time udp version what pid size daddr saddr dport sport tail')
LINE = re.compile(r'^\s*.+-\d+\s+\[\d+\]\s+\S+\s+[\d.]+: (?P<event>\w+): (?P<rest>.*)$')
ENDED = {'TCP_ESTABLISHED', 'TCP_FIN_WAIT1', 'TCP_FIN_WAIT2', 'TCP_CLOSING'}

bad = 0


def differ(text):
    global bad
    bad += 1
    if bad <= 30:
        print(f'difference: {text}')


def expect(condition, text):
    if not condition:
        differ(text)


def parse(record):
    group, kind = record.hook >> 8, record.hook & 0xFF
    stream.need(record.version == 2 and record.kind == 0x11, f'{record.hook:#x}: version')
    if kind == FAIL:
        stream.need(len(record.payload) == 4, 'fail: length')
        return Event(record.time, False, 0, kind, None, 0, None, None, None, None,
                     struct.unpack('<HH', record.payload))
    version = 6 if kind >= 0x1A else 4
    if version == 6:
        kind -= 0x10
    form = '>16s16sHH' if version == 6 else '>4s4sHH'
    tail = TAILS.get(kind, '<IQ') if group == 6 else '<IQ'
    at = 8 + struct.calcsize(form)
    stream.need(len(record.payload) == at + struct.calcsize(tail),
                f'{record.hook:#x}: {len(record.payload)} bytes')
    return Event(record.time, group == 8, version, kind,
                 *struct.unpack_from('<II', record.payload),
                 *struct.unpack_from(form, record.payload, 8),
                 struct.unpack_from(tail, record.payload, at))


def read_ftrace(path):
    """What happened to each end (version, local port, peer's port); failures; lines."""
    ends, fails, lines = defaultdict(list), Counter(), 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        f = dict(re.findall(r'(\w+)=(\S+)', m['rest']))
        version = 4 if f['saddrv6'].startswith('::ffff:') else 6
        key = version, int(f['sport']), int(f['dport'])
        if m['event'] == 'tcp_retransmit_skb':
            ends[key].append(RECONNECT if f['state'] == 'TCP_SYN_SENT' else RETRANSMIT)
            continue
        change = f['oldstate'], f['newstate']
        if change == ('TCP_SYN_SENT', 'TCP_ESTABLISHED'):
            ends[key].append(CONNECT)
        elif change == ('TCP_SYN_RECV', 'TCP_ESTABLISHED'):
            ends[key].append(ACCEPT)
        elif change == ('TCP_SYN_SENT', 'TCP_CLOSE'):
            fails[version] += 1
        elif change[1] == 'TCP_CLOSE_WAIT' or change[1] == 'TCP_CLOSE' and change[0] in ENDED:
            ends[key].append(DISCONNECT)
    return ends, fails, lines


def check_states(events, said, directory):
    truth, fails, lines = read_ftrace(f'{directory}/ftrace.txt')
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    ends, logged, due, with_state = defaultdict(list), Counter(), Counter(), Counter()
    for version, code, sent in said:
        due[2 if version == 4 else 23, code] += 1
        with_state[version] += sent > 0
    for e in events:
        if e.what == FAIL:
            logged[e.tail] += 1
        elif e.what in NAMES:
            ends[e.version, e.sport, e.dport].append(e.what)
    for key in sorted(set(truth) | set(ends)):
        expect(truth[key] == ends[key], f'{key}: {[NAMES[k] for k in truth[key]]} are '
                                        f'{[NAMES[k] for k in ends[key]]}')
    expect(logged == due, f'failures {dict(due)} are {dict(logged)}')
    expect(fails == with_state, f'failures {dict(with_state)} are {dict(fails)} of ftrace')
    return sum(map(len, truth.values())) + sum(fails.values())


def read_said(path):
    """{(udp, version, pid, received): bytes}, of datagrams, {(version, both ports): info}, fails"""
    sizes, datagrams, infos, fails = Counter(), Counter(), {}, []
    with open(path, encoding='utf-8') as file:
        for words in map(str.split, file):
            if words[0] == 'info':
                infos[tuple(map(int, words[1:4]))] = tuple(map(int, words[4:]))
            elif words[0] == 'fail':
                fails.append(tuple(map(int, words[1:])))
            elif words[0] == 'server':
                SERVERS[int(words[1])].append(int(words[2]))
            elif words[0] == 'bytes':
                key = words[1] == 'udp', int(words[2]), int(words[3]), words[4] == 'received'
                sizes[key] += int(words[5])
            else:
                key = int(words[1]), int(words[2]), words[3] == 'received'
                datagrams[key] += int(words[4])
    return sizes, datagrams, infos, fails


def check_sums(events, sizes, datagrams):
    logged, number = Counter(), Counter()
    for e in events:
        if e.what in (SEND, RECEIVE):
            logged[e.udp, e.version, e.pid, e.what == RECEIVE] += e.size
            if e.udp:
                number[e.version, e.pid, e.what == RECEIVE] += 1
    for key in sorted(set(sizes) | set(logged)):
        expect(sizes[key] == logged[key], f'bytes {key}: {sizes[key]} are {logged[key]}')
    for key in sorted(set(datagrams) | set(number)):
        expect(datagrams[key] == number[key], f'datagrams {key}: {datagrams[key]} are '
                                              f'{number[key]}')
    return sum(logged.values())


def snmp(directory):
    values = {}
    with open(f'{directory}/snmp', encoding='utf-8') as file:
        lines = [line.split() for line in file]
    for names, numbers in zip(lines[::2], lines[1::2]):
        values.update({names[0][:-1] + name: int(number)
                       for name, number in zip(names[1:], numbers[1:])})
    with open(f'{directory}/snmp6', encoding='utf-8') as file:
        values.update({name: int(number) for name, number in map(str.split, file)})
    return values


def check_snmp(events, said, directory):
    before, after = snmp(f'{directory}/before'), snmp(f'{directory}/after')
    n = Counter((e.what, e.version) if e.udp else e.what for e in events)
    failed = sum(sent == 2 for _, _, sent in said)
    for name, count in {'TcpActiveOpens': n[CONNECT] + failed, 'TcpAttemptFails': failed,
                        'UdpInDatagrams': n[RECEIVE, 4], 'UdpOutDatagrams': n[SEND, 4],
                        'Udp6InDatagrams': n[RECEIVE, 6],
                        'Udp6OutDatagrams': n[SEND, 6]}.items():
        expect(after[name] - before[name] == count,
               f'{name}: {after[name] - before[name]} are {count}')
        print(f'{count:8d}  {name}')
    # two processors may make the socket of one connection, and one of both goes: counted, too
    opens = after['TcpPassiveOpens'] - before['TcpPassiveOpens']
    expect(n[ACCEPT] <= opens <= n[ACCEPT] + 5, f'TcpPassiveOpens: {opens} are {n[ACCEPT]}')
    # one that repeats several segments counts as many there
    again = after['TcpRetransSegs'] - before['TcpRetransSegs']
    expect(again >= n[RETRANSMIT] + n[RECONNECT] >= 9, f'TcpRetransSegs: {again}')


def check_ends(events, infos):
    """Addresses, ports, processes, options of connections"""
    ends, options, windows = {}, set(), set()
    for e in events:
        if e.what == FAIL:
            continue
        expect(e.daddr == e.saddr == LOCAL[e.version], f'addresses of {e}')
        if e.udp:
            # datagrams say where they go, in each layer
            expect(e.dport in (7011, 7012, 7013), f'ports of {e}')
            continue
        server = e.sport in SERVERS[e.version]
        expect(server or e.dport in SERVERS[e.version], f'ports of {e}')
        # all of an end's events are of the process at that end
        expect(ends.setdefault((e.version, e.sport, e.dport), e.pid) == e.pid and e.pid > 4,
               f'process of {e}')
        if e.what not in (CONNECT, ACCEPT):
            continue
        mss, sack, stamps, scaling, window, ours, peers, sequence, connection = e.tail
        expect(window > 0 and sequence == connection == 0, f'window of {e}')
        options.add((sack, stamps, scaling))
        windows.add(window)
        if e.what == CONNECT:
            info = infos.get((e.version, e.sport, e.dport), (0,))
            # its first window comes with the second SYN, and changes half of it
            if e.dport in RECONNECTS:
                mss = info[0]
            expect((mss, stamps | sack << 1 | scaling << 2, peers, ours) == info,
                   f'options of {e}')
        else:
            info = infos.get((e.version, e.dport, e.sport))
            expect(info and (stamps | sack << 1 | scaling << 2, ours, peers) == info[1:],
                   f'options of {e}')
    expect(len(options) == 4 and len(windows) > 2, f'options {options}, windows {windows}')


def check_sequence(events):
    """What an end sends has no holes; what the other one receives is the same."""
    sent, received, times, again = defaultdict(list), defaultdict(list), set(), []
    for e in events:
        if e.udp:
            expect(e.tail == (0, 0), f'sequence of {e}')
        elif e.what == SEND:
            expect(e.tail[0] <= e.tail[1], f'times of {e}')
            times.update(e.tail[:2])
            sent[e.version, e.sport, e.dport].append((e.tail[2], e.size))
        elif e.what == RECEIVE:
            received[e.version, e.dport, e.sport].append((e.tail[0], e.size))
        elif e.what == RETRANSMIT and e.size:
            again.append(e)
    for key, parts in list(sent.items()) + list(received.items()):
        for (at, size), (then, _) in zip(parts, parts[1:]):
            expect((at + size) & 0xFFFFFFFF == then, f'{key}: {size} bytes at {at}, then {then}')
    for key in set(sent) | set(received):
        expect(sent[key] and received[key] and sent[key][0][0] == received[key][0][0],
               f'{key}: begins at {sent[key][:1]} and {received[key][:1]}')
        expect(sum(s for _, s in sent[key]) == sum(s for _, s in received[key]),
               f'{key}: sent and received differ')
    for e in again:
        parts = sent[e.version, e.sport, e.dport]
        end = sum(size for _, size in parts)
        expect(parts and (e.tail[0] - parts[0][0] & 0xFFFFFFFF) + e.size <= end,
               f'no such data: {e}')
    expect(sum(e.size == 1234 for e in again) >= 3, 'the lost ones did not come again')
    expect(len(times) > 3, 'times do not vary')
    return len(sent)


def check_probes(path):
    with open(path, encoding='ascii') as file:
        machine, *probes = file.read().splitlines()
    expect(len(probes) == 1 and ('[DISABLED]' in probes[0]) == (machine == 'x86_64'),
           f'probes on {machine}: {probes}')


def main():
    directory = sys.argv[1]
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    events = sorted((parse(r) for r in etl.records if isinstance(r.hook, int) and
                     r.hook >> 8 in (6, 8)), key=lambda e: e.time)
    sizes, datagrams, infos, fails = read_said(f'{directory}/said.txt')
    states = check_states(events, fails, directory)
    total = check_sums(events, sizes, datagrams)
    check_snmp(events, fails, directory)
    check_ends(events, infos)
    check_probes(f'{directory}/probes.txt')
    directions = check_sequence(events)
    kinds = Counter((e.udp, e.what) for e in events)
    expect(all(kinds[False, what] for what in range(SEND, FAIL + 1)), f'kinds {kinds}')
    print(f'{states} of ftrace, {total} bytes in {len(events)} events, {directions} streams, '
          f'{bad} differences')
    sys.exit(1 if bad or total < 1000000 or states < 100 else 0)


if __name__ == '__main__':
    main()
