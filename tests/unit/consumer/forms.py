#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Files made here: every header and its extended items, pipes, damage, and the API's rules."""
import os
import struct
import subprocess
import sys
import tempfile

from etwtest import checks, compare
from etwtest import etlmore as m
from etwtest.etlmore import e

HERE = os.path.dirname(os.path.abspath(__file__))
OUT, TOOL = sys.argv[1:3]
CONSUME, RULES, PLAIN = (os.path.join(OUT, x) for x in (
    'consume-tools-asan', 'rules-tools-asan', 'consume-tools'))
WORK = tempfile.TemporaryDirectory(prefix='etw-consumer-')
GUID = bytes(range(16))
GUID_TEXT = '03020100-0504-0706-0809-0a0b0c0d0e0f'
T = e.T0


def save(content, name='file.etl'):
    path = os.path.join(WORK.name, name)
    with open(path, 'wb') as file:
        file.write(content)
    return path


def keep(content):
    """For cases that damage it"""
    save.count = getattr(save, 'count', 0) + 1
    with open(os.path.join(OUT, 'form%d.etl' % save.count), 'wb') as file:
        file.write(content)


def records(content, *options, code=0):
    """[(event, {type: data}, flags)] behind the header events"""
    keep(content)
    events, items, *_ = compare.consume(CONSUME, *options, save(content), code=code)
    return [(x, dict(y[1:].split(':') for y in words[1:]), int(words[0][6:], 16))
            for x, words in zip(events, items)][3:]


def words(*values):
    return struct.pack('<%dQ' % len(values), *values)


def counters_become_item_8():
    content = e.with_records([
        e.cswitch(1, 2, T + 2, version=0x0204, items=words(3896, 9400)),
        e.cswitch(2, 1, T + 3, version=0x0704, items=words(*range(7))),
        e.cswitch(2, 1, T + 4)])
    got = records(content)
    assert got[0][1] == {'8': words(3896, 9400).hex()} and got[0][2] & 1, got[0]
    assert got[1][1] == {'8': words(*range(7)).hex()} and got[1][0].bytes == '24', got[1]
    assert got[2][1] == {} and not got[2][2] & 1, got[2]
    compare.compare(CONSUME, TOOL, save(content))


def pebs_becomes_item_7_before_item_8():
    content = e.with_records([
        e.cswitch(1, 2, T + 2, version=0x8004, items=words(77)),
        e.cswitch(2, 1, T + 3, version=0x8204, items=words(78, 1, 2))])
    got = records(content)
    assert list(got[0][1].items()) == [('7', words(77).hex())], got[0]
    assert list(got[1][1].items()) == [('7', words(78).hex()), ('8', words(1, 2).hex())], got[1]
    compare.compare(CONSUME, TOOL, save(content))


def system_headers_have_items_too():
    payload = words(1, 2) + b'payload!'
    record = struct.pack('<HBBHHIIQII', 0x0203, 2, 0xC0, 0x20 + len(payload), 0x0501, 7, 4, T + 2,
                         5, 6) + payload
    pebs = struct.pack('<HBBHHIIQII', 0x8003, 2, 0xC0, 0x28, 0x0501, 7, 4, T + 3, 5, 6) + words(9)
    got = records(e.with_records([record, pebs]))
    assert got[0][1] == {'8': words(1, 2).hex()} and got[0][0].bytes == '8', got[0]
    assert (got[0][0].kernel, got[0][0].user, got[0][0].tid) == ('5', '6', '7'), got[0]
    assert got[1][1] == {'7': words(9).hex()} and got[1][0].bytes == '0', got[1]


def instances_become_item_4():
    record = m.classic(GUID, 5, 1, b'', T + 2, kind=0x15) + struct.pack('<II', 11, 12) + \
        GUID + b'data'
    content = e.with_records([struct.pack('<H', len(record)) + record[2:]])
    event, items, flags = records(content)[0]
    assert items == {'4': (struct.pack('<II', 11, 12) + GUID).hex()}, items
    assert (event.instance, event.parent, event.parent_guid) == ('11', '12', GUID_TEXT), event
    assert flags & 0x101 == 0x101 and event.bytes == '4', (flags, event)
    compare.compare(CONSUME, TOOL, save(content))


def messages_have_number_guid_and_what_they_carry():
    content = e.with_records([
        e.message(9, 0xAB, struct.pack('<I16sQII', 77, GUID, T + 2, 8, 9), b'arg'),
        e.message(10, 0x44, struct.pack('<I', 0x12345678), b'', flag=0x9F),
        e.message(11, 0x80, b'', b'only arguments')])
    got = records(content)
    event, items, flags = got[0]
    assert (event.guid, event.id, event.tid, event.pid) == (GUID_TEXT, '9', '8', '9'), event
    assert event.instance == '77' and '4' in items and flags & 0x149 == 0x49, (event, flags)
    assert got[1][0].guid == '12345678-0000-0000-0000-000000000000' and got[1][2] & 0x68 == 0x28
    assert (got[2][0].tid, got[2][0].pid, got[2][0].bytes) == ('-', '-', '14'), got[2]
    # without a stamp of its own a message has its neighbour's
    assert got[2][0].time == got[1][0].time == event.time, got
    compare.compare(CONSUME, TOOL, save(content))


def messages_that_say_no_width_have_their_files():
    for pointer, width in (4, 0x20), (8, 0x40):
        content = e.with_records([e.message(n, 2 | flags, GUID, b'arg')
                                  for n, flags in enumerate((0, 0x40, 0x80))], pointer=pointer)
        got = [x[2] & 0x60 for x in records(content)]
        assert got == [width, 0x20, 0x40], (pointer, got)
        compare.compare(CONSUME, TOOL, save(content))


def events_of_windows_2000_have_no_process():
    for system, pid in ((5, 0), '-'), ((5, 1), '0'):
        content = e.with_records([m.classic(GUID, 4, 1, b'', T + 2, tid=7, pid=0)], system=system)
        event = records(content)[0][0]
        assert (event.tid, event.pid) == ('7', pid), (system, event)
        compare.compare(CONSUME, TOOL, save(content))


def chains_are_passed_through():
    chain = m.items((1, GUID), (6, words(0, 1, 2)), (0x0B, b'\x05\0abc'))
    event, items, flags = records(e.with_records([
        e.event(GUID, 7, chain + b'data', T + 2, flags=1)]))[0]
    assert items == {'1': GUID.hex(), '6': words(0, 1, 2).hex(), '11': b'\x05\0abc'.hex()}, items
    assert flags == 0x241 and event.bytes == '4', (flags, event)


def all_headers_are_delivered():
    wnode = struct.pack('<IIQQ16sII', 0x38, 0, 0, T + 5, GUID, 0, 0x20000) + bytes(8)
    small = struct.pack('<HBBIQ', 0x14, 0, 0xB0, 1, T + 6) + b'tail'
    unused = struct.pack('<HBBI', 0x10, 0x0C, 0xC0, 0) + bytes(8)
    error = bytearray(e.event(GUID, 7, b'oops', T + 8))
    struct.pack_into('<H', error, 2, 0xC00D)
    content = e.with_records([m.hooked(0x532, 2, bytes(8), T + 2, kind=4),
                              m.hooked(0x532, 2, bytes(8), T + 3, kind=3),
                              m.hooked(0x2F01, 2, b'', T + 4), wnode, small, unused,
                              bytes(error)])
    compare.compare(CONSUME, TOOL, save(content))
    got = records(content)
    assert got[2][0].guid == compare.NONE and got[3][0].guid == GUID_TEXT, got
    assert got[0][0].tid == '7' and got[2][0].tid == '-', got


def a_private_session_says_so():
    mode = 0x800
    got = records(e.with_records([e.event(GUID, 7, b'', T + 2)], mode=mode))
    assert got[0][2] & 2, got
    assert not records(e.with_records([e.event(GUID, 7, b'', T + 2)]))[0][2] & 2


def raw_and_converted_time_stamps():
    path = save(e.good())
    raw = compare.consume(CONSUME, '-r', path)[0]
    times = compare.consume(CONSUME, path)[0]
    assert [int(x.time) - T for x in raw] == [int(x.time) - e.START for x in times]
    other = compare.consume(CONSUME, '-t', '-r', path)[0]
    assert [x.time for x in other] == [x.time for x in raw]


def given_times_delay_no_event():
    """A program's event of later, of later in its buffer, of long ago."""
    def trace(given):
        zero = [e.anchor(T + 1, 0)] + [e.cswitch(i % 2, 1 - i % 2, T + 1000 * i)
                                       for i in range(1, 10)]
        zero[2:2] = [e.full(GUID, 1, bytes(8), T + given)] if given else []
        one = [e.cswitch(2 + i % 2, 3 - i % 2, T + 5 + 1000 * i) for i in range(1, 10)]
        return e.header_buffer(cpus=2, written=3) + e.buffer(
            zero, sequence=1, time=T + 9500) + e.buffer(one, cpu=1, sequence=2, time=T + 9501)

    in_order = [str(e.START + x) for i in range(1, 10) for x in (1000 * i, 1000 * i + 5)]
    for given in (0, 10**9, 8500, -500):
        content = trace(given)
        times = [x[0].time for x in records(content)]
        if given:
            times.remove(str(e.START + given))
        assert times == in_order, (given, times)
        compare.compare(CONSUME, TOOL, save(content))


def compressed_buffers():
    data = e.buffer([e.anchor(T + 1, 0)] + [e.cswitch(i % 7, i % 5, T + 2 + i) for i in range(60)],
                    sequence=1, time=T + 999)
    packed = bytearray(data[:0x48]) + m.xpress(bytes(data[0x48:struct.unpack_from('<I', data, 0x30)[0]]))
    struct.pack_into('<I', packed, 0, len(packed))
    struct.pack_into('<H', packed, 0x34, 0x60)
    content = e.header_buffer() + bytes(packed)
    keep(content)
    compare.compare(CONSUME, TOOL, save(content))


def a_pipe_delivers_what_the_file_does():
    content = e.good()
    path = save(content)
    events, items, header, buffers, result = compare.consume(CONSUME, path)
    with open(path, 'rb') as file:
        done = subprocess.run(['sh', '-c', 'cat | "$0" /dev/stdin', CONSUME], stdin=file,
                              capture_output=True, check=True)
    lines = [x.split(' ') for x in done.stdout.decode().splitlines()]
    assert [compare.Event(*x[1:18]) for x in lines if x[0] == 'E'] == events
    assert lines[-1] == ['R', *result], lines[-1]
    assert (len(items), len(buffers), len(header)) == (19, 4, 1)


def late_flushes_are_waited_for():
    """What the other processor's buffer has comes in order, however late the flush is done."""
    def buffer(cpu, period, began, ended, *more):
        """Switches of that period of 1000, and what is behind them"""
        at = T + 1000 * period
        return e.buffer([e.cswitch(i % 2, 1 - i % 2, at + x) for i, x in enumerate((began, ended))] +
                        list(more), cpu=cpu, sequence=2 * period + cpu, time=at + ended + 9)

    def zero(period, *more):
        return buffer(0, period, 100, 1010, *more)

    def one(period):
        return buffer(1, period, 200, 600)

    def logged(period):
        return e.flushed(T + 1000 * period + 1020, T + 1000 * period + 1000)

    def delivered(*given):
        """[(piece after which it came, time)] of what callbacks get of switches"""
        paths = [save(content, 'piece%d' % i) for i, content in enumerate(given)]
        done = subprocess.run([os.path.join(OUT, 'late-tools'), os.path.join(WORK.name, 'late'), *paths],
                              timeout=60, capture_output=True, check=True)
        lines = [[int(y) for y in x.split()] for x in done.stdout.decode().splitlines()]
        return [(when, time - e.START) for when, time in lines
                if time - e.START > 1000 and (time - e.START) % 1000 != 20]

    first = e.header_buffer(cpus=2)
    nothing = [b''] * 3
    # what happened since it began waits for the next one: here the end
    whole = [(0, 1100), (0, 1200), (0, 1600), (3, 2010)]
    for content in (zero(1, logged(1)) + one(1), one(1) + zero(1, logged(1))):
        assert delivered(first + content, *nothing) == whole, delivered(first + content, *nothing)
    # an idle one is not waited for
    idle = delivered(first + zero(1, logged(1)), b'', zero(2, logged(2)), b'')
    assert idle == [(0, 1100), (2, 2010), (2, 2100), (3, 3010)], idle
    # a flush of 1.5 s; what was flushed first holds nothing of the other one back
    late = delivered(first + zero(1), *[b''] * 15, one(1), buffer(0, 1, 1011, 1012, logged(1)), b'')
    assert [x for x in late if x[1] < 2010] == [(17, 1100), (17, 1200), (17, 1600)], late
    # one processor's 150 buffers before the other one's first: reported at once, late, at the end
    many = [zero(n) for n in range(1, 151)]
    for at, more in ((0, logged(1)), (99, logged(100)), (149, logged(150))):
        flood = many[:at] + [zero(at + 1, more)] + many[at + 1:]
        lot = [x for _, x in delivered(first + b''.join(flood) + one(1), *nothing)]
        assert len(lot) == 302 and lot == sorted(lot), (len(lot), lot[:9])
    # without a report: a second more than a period
    silent = delivered(first + zero(1), *[b''] * 30)
    assert silent == [(20, 1100), (20, 2010)], silent


def losses_of_buffers_are_events_in_files_and_streams():
    lost = bytearray(e.good())
    struct.pack_into('<H', lost, 2 * e.BS + 0x34, 0x26)
    path = save(lost)
    for option in ('-q', '-t'):
        for words in (['"$0" %s %s' % (option, path)], ['cat | "$0" %s /dev/stdin' % option]):
            with open(path, 'rb') as file:
                done = subprocess.run(['sh', '-c', *words, CONSUME], stdin=file,
                                      capture_output=True, check=True)
            assert done.stdout.decode().splitlines()[-1].startswith('R 0 21 4 '), done.stdout
            if option == '-t':
                found = [x.split(' ') for x in done.stdout.decode().splitlines()
                         if compare.LOST in x]
                assert [x[3] for x in found] == ['32', '33'] and found[0][8] == '1', found
    # a buffer without records: before the next record of its processor
    content = e.header_buffer(end=e.END, written=3) + \
        e.buffer([], sequence=1, time=T + 5, flags=0x22) + \
        e.buffer([e.cswitch(1, 2, T + 9)], sequence=2, time=T + 10, flags=0x21)
    events = compare.consume(CONSUME, save(content))[0]
    assert [x.guid == compare.LOST for x in events] == [False, False, True, False], events


def an_unclosed_file_counts_its_losses():
    """The header event was written before anything was lost; loss records come later."""
    path = os.path.join(HERE, '..', 'tools', 'inputs', 'unclosed_with_loss_record.etl')
    buffers = compare.consume(CONSUME, path)[3]
    assert buffers[-1][3] == 32, buffers


def damage_is_passed_over_and_reported():
    content = e.good()
    broken = bytearray(content)
    broken[e.BS + 0x48 + 0x50 + 0x38 + 3] = 0x55
    lines = compare.dumped(TOOL, save(broken))
    events, _, _, _, result = compare.consume(CONSUME, save(broken), code=1)
    assert result[0] == '1392' and len(events) == len(lines) == 18, (result, len(lines))
    gap = bytearray(content)
    gap[e.BS:e.BS + 0x48] = bytes(0x48)
    events, _, _, _, result = compare.consume(CONSUME, save(gap), code=1)
    assert result[0] == '1392' and len(events) == len(compare.dumped(TOOL, save(gap))), result
    # a wrong size, of which only a larger first buffer hides nothing
    for at, size in ((0, 0x800), (0, 2 * e.BS), (e.BS, 0x49), (e.BS, 0x800), (e.BS, 2 * e.BS)):
        wrong = bytearray(content)
        struct.pack_into('<I', wrong, at, size)
        logged, whole = compare.dumped(TOOL, save(wrong)), (at, size) == (0, 2 * e.BS)
        events, _, _, _, result = compare.consume(CONSUME, save(wrong), code=0 if whole else 1)
        assert len(events) == len(logged) > 6, (at, size, len(events), len(logged))
        assert result[0] == ('0' if whole else '1392'), (at, size, result)
    # compressed, and all is well but where its header says that the records end
    packed = m.compressed([e.cswitch(i, i + 1, T + i) for i in range(9)], sequence=1, time=T + 9)
    for end in (0x48 + 0x28 * 8, 0x48 + 0x28 * 9):
        lies = e.header_buffer(end=e.END, written=2, mode=0x06000000) + \
            packed[:0x30] + struct.pack('<I', end) + packed[0x34:]
        whole = end == 0x48 + 0x28 * 9
        events, _, _, _, result = compare.consume(CONSUME, save(lies), code=0 if whole else 1)
        assert result[0] == ('0' if whole else '1392'), (end, result, len(events))
    # what was not closed, or still grows, is not damaged
    for torn in (content[:-100], bytes(content) + bytes(e.BS)):
        events, _, _, _, result = compare.consume(CONSUME, save(torn))
        assert result[0] == '0' and len(events) == len(compare.dumped(TOOL, save(torn)))


def memory_is_bounded():
    """A buffer of each processor, whatever the size of the file"""
    data = [e.buffer([e.cswitch(i, i + 1, T + 100 * n + i) for i in range(90)], cpu=n % 2,
                     sequence=1 + n, time=T + 100 * n + 99) for n in range(8000)]
    path = save(e.header_buffer() + b''.join(data))
    done = subprocess.run(['sh', '-c', 'ulimit -v 20000; exec "$0" -k "$1"', PLAIN, path],
                          capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1].startswith('R 0 720002 8001 '), done.stdout
    assert os.stat(path).st_size > 30 << 20


def a_stream_takes_memory_only_for_its_bytes():
    """Small buffers of a session with large ones: as many as wait for other processors' buffers"""
    large, small = 16 << 20, 0x48 + len(e.cswitch(0, 1, T))
    data = [e.buffer([e.cswitch(i, i + 1, T + 100 + i)], sequence=1 + i, time=T + 100 + i, size=small)
            for i in range(40000)]
    path = save(e.header_buffer(size=large) + b''.join(data))
    done = subprocess.run(['sh', '-c', 'ulimit -v 150000; cat "$1" | "$0" /dev/stdin', PLAIN, path],
                          capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1].startswith('R 0 40002 '), done.stdout[-300:]


def rules():
    one = save(e.good())
    two = save(e.with_records([e.cswitch(i, 9, T + 3 + 7 * i) for i in range(9)]), 'two.etl')
    junk = save(b'junk' * 2000, 'junk')
    done = subprocess.run([RULES, one, two, junk, os.path.join(WORK.name, 'pipe')], timeout=60,
                          capture_output=True, check=False)
    print(done.stdout.decode(), end='', flush=True)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr[-2000:])


def main():
    for test in list(globals().values()):
        if not callable(test) or getattr(test, '__module__', None) != '__main__':
            continue
        if test.__name__ in ('main', 'save', 'keep', 'records', 'words'):
            continue
        checks.test(test.__name__.replace('_', ' '), test)


main()
