#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the file operations of an ETW stream with ftrace's system calls of the same time.

fileio.py DIRECTORY TARGET

Each thread of tests/lib/guest/fileops.c is compared from its first openat() to its last. The stream
must have the operations that follow from the thread's calls, in that order, and no others. The
names of opened files are those that the program prints. A file that is left without a link and a
user has one record of its end, with the right time. The bytes in the ends of reads and writes are
those of /proc/PID/io. Exit status 1 with any difference.
"""
import os
import re
import struct
import sys
from collections import Counter, defaultdict, namedtuple

from etwtest import checks
from etwtest import ftrace
from etwtest import paths
from etwtest import stream

LINE = re.compile(r'^\s*.+-(?P<tid>\d+)\s+\[\d+\]\s+\S+\s+[\d.]+: sys_(?P<name>\w+)'
                  r'(?:\((?P<args>.*)\)| -> (?P<result>0x[0-9a-f]+))\s*$')
CREATE, CLEANUP, CLOSE, READ, WRITE, SET, DELETE, RENAME, DIRENUM, FLUSH, QUERY, CONTROL, END = \
    range(0x440, 0x44D)
DELETE_PATH, RENAME_PATH, SETLINK_PATH = 0x44F, 0x450, 0x451
NAME_DELETE = 0x0423
STATUS = {2: 0xC0000034, 13: 0xC0000022, 17: 0xC0000035, 4: 0xC0000120, 11: 0x103,
          22: 0xC000000D}
INFO = struct.Struct('<QQQQII')
FORMS = {CREATE: struct.Struct('<QQIIII'), DIRENUM: struct.Struct('<QQQIIII'),
         END: struct.Struct('<QQI')}
FORMS |= dict.fromkeys((CLEANUP, CLOSE, FLUSH), struct.Struct('<QQQI'))
FORMS |= dict.fromkeys((READ, WRITE), struct.Struct('<QQQQIII'))
FORMS |= dict.fromkeys((SET, DELETE, RENAME, QUERY, CONTROL, DELETE_PATH, RENAME_PATH,
                        SETLINK_PATH), INFO)
WITH_TEXT = (CREATE, DIRENUM, DELETE_PATH, RENAME_PATH, SETLINK_PATH)
FIELDS = {
    CREATE: 'irp object tid options attributes share', END: 'irp extra status',
    DIRENUM: 'irp object key tid length info index', READ: 'offset irp object key tid size flags',
    FLUSH: 'irp object key tid', SET: 'irp object key extra tid info',
}
FIELDS |= {CLEANUP: FIELDS[FLUSH], CLOSE: FIELDS[FLUSH], WRITE: FIELDS[READ]}
FIELDS |= dict.fromkeys((DELETE, RENAME, QUERY, CONTROL, DELETE_PATH, RENAME_PATH, SETLINK_PATH),
                        FIELDS[SET])

Call = namedtuple('Call', 'name args result')


def signed(value, bits=64):
    return value - (1 << bits) if value >> (bits - 1) else value


def argument(text, arm64):
    """An argument's value: a number in hexadecimal, or open()'s flags, most with their names."""
    return sum(int(word, 16) if not word.startswith('O_') else
               0o40000 if arm64 and word == 'O_DIRECTORY' else getattr(os, word)
               for word in text.split('|'))


def read_ftrace(path, arm64):
    """{tid: [Call]} of threads' complete calls, and the lines."""
    calls, open_, lines = defaultdict(list), {}, 0
    for m in ftrace.matches(path, LINE):
        lines += 1
        tid = int(m['tid'])
        if m['result'] is None:
            # "name: value", where newer kernels add the text that it points at, and have
            # names for flags
            open_[tid] = m['name'], [argument(value, arm64) for value in
                                     re.findall(r'\w+: (?:0x)?([0-9a-f]+|O_[\w|]+)', m['args'])]
        elif tid in open_:
            name, args = open_.pop(tid)
            stream.need(name == m['name'], f'{m["name"]} ends a {name}')
            calls[tid].append(Call(name, args, signed(int(m['result'], 16))))
    return calls, lines


def read_names(path):
    """{tid: [line]} of what the program says."""
    names, tid = {}, None
    with open(path, encoding='utf-8') as file:
        for text in file:
            word, _, rest = text.rstrip('\n').partition(' ')
            if word == 'thread':
                tid = int(rest)
                names[tid] = []
            else:
                names[tid].append((word, rest))
    return names


def decode(record):
    form = FORMS[record.hook]
    need = stream.need
    need(record.version == 3 and record.kind == 0x11, f'{record.hook:#x}: header')
    need(len(record.payload) == form.size or record.hook in WITH_TEXT, f'{record.hook:#x}: length')
    event = dict(zip(FIELDS[record.hook].split(), form.unpack_from(record.payload)))
    if record.hook in WITH_TEXT:
        text = record.payload[form.size:]
        need(text[-2:] == b'\0\0', f'{record.hook:#x}: no end of the text')
        event['text'] = text[:-2].decode('utf-16-le')
    return event | {'hook': record.hook}


def events_of(etl):
    """{tid: [event]}: an end belongs to the thread that began."""
    events, owner, count = defaultdict(list), {}, Counter()
    for record in sorted(etl.records, key=lambda r: r.time):
        if record.hook not in FORMS:
            continue
        event = decode(record)
        count[record.hook] += 1
        if record.hook != END:
            owner[event['irp']] = event['tid']
        elif event['irp'] not in owner:
            continue    # began before the session
        events[owner[event['irp']]].append(event)
    return events, count


def end_of(result, extra=None):
    if extra is None:
        extra = max(result, 0)
    return END, {'status': STATUS.get(-result, 0xC0000001) if result < 0 else 0, 'extra': extra}


def options_of(flags, arm64):
    """CreateOptions of open flags (kernel-events.rst 5.12)."""
    create, exclusive, truncate = flags & 0o100, flags & 0o200, flags & 0o1000
    disposition = (2 if exclusive else 5 if truncate else 3) if create else 4 if truncate else 1
    directory = flags & (0o40000 if arm64 else 0o200000)
    return disposition << 24 | 0x20 | (1 if directory else 0) | (2 if flags & 0o10000 else 0)


class Thread:
    """What a thread's calls make of its files."""

    def __init__(self, names, where, arm64, flushes):
        self.names = iter(rest for word, rest in names if word == 'open')
        self.paths = where
        self.arm64 = arm64
        self.flushes = flushes  # writes with O_DSYNC
        self.files = {}         # fd: file
        self.created = set()

    def open(self, call):
        path = next(self.names)
        _, _, flags, *_ = call.args
        # of one that is not there, what the program said
        text = path if call.result < 0 else self.paths.shown(path)
        want = {'options': options_of(flags, self.arm64), 'text': text, 'share': 7}
        if call.result == -22:
            return []   # flags that make no sense are refused before any file is looked for
        if call.result < 0:
            return [(CREATE, want | {'attributes': 0}), end_of(call.result)]
        directory = flags & (0o40000 if self.arm64 else 0o200000)
        new = flags & 0o100 and path not in self.created
        self.created.add(path)
        self.files[call.result] = file = {'path': path, 'fds': 1,
                                         'sync': self.flushes and flags & 0o10000}
        inner = []
        if flags & 0o1000 and not new:
            inner = [(SET, {'object': file, 'info': 20, 'extra': 0}), end_of(0)]
        return inner + [(CREATE, want | {'attributes': 0x10 if directory else 0x80,
                                         'object': file}),
                        end_of(0, 2 if new else 3 if flags & 0o1000 else 1)]

    def close(self, call):
        file = self.files.pop(call.args[0])
        file['fds'] -= 1
        want = {'object': file, 'key': file['path']}
        last = [] if file['fds'] else [(CLOSE, want), end_of(0)]
        return [(CLEANUP, want), end_of(0)] + last

    def transfer(self, hook, fd, result, size, offset=None):
        if fd not in self.files:
            return []
        file = self.files[fd]
        want = {'object': file, 'key': file['path'],
                'flags': 0x104 if hook == READ else 0x204}
        if size is not None:
            want['size'] = size
        if offset is not None:
            want['offset'] = offset
        inner = []
        if hook == WRITE and file['sync']:
            inner = [(FLUSH, {'object': file, 'key': file['path']}), end_of(0)]
        return [(hook, want)] + inner + [end_of(result)]

    def expect(self, call):
        """The records of a call: (hook, {field: value})."""
        name, args, result = call
        if name == 'openat':
            return self.open(call)
        if name == 'close':
            return self.close(call)
        if name in ('read', 'write'):
            return self.transfer(READ if name == 'read' else WRITE, signed(args[0], 32), result,
                                 args[2])
        if name in ('pread64', 'pwrite64'):
            return self.transfer(READ if name == 'pread64' else WRITE, args[0], result, args[2],
                                 args[3])
        if name in ('readv', 'writev', 'preadv', 'pwritev'):
            return self.transfer(READ if 'read' in name else WRITE, args[0], result, result,
                                 args[3] if name[0] == 'p' else None)
        if name in ('fsync', 'fdatasync'):
            if result == -9:
                return []   # O_PATH opened it: refused before anything is looked at
            file = self.files[args[0]]
            return [(FLUSH, {'object': file, 'key': file['path']}), end_of(result)]
        if name == 'dup':
            self.files[result] = self.files[args[0]]
            self.files[result]['fds'] += 1
            return []
        if name == 'newfstatat':
            return [(QUERY, {'object': 0, 'info': 18, 'extra': 0}), end_of(result)]
        if name == 'fchmodat':
            return [(SET, {'object': 0, 'info': 4, 'extra': 0}), end_of(result)]
        if name == 'ftruncate':
            file = self.files[args[0]]
            return [(SET, {'object': file, 'key': file['path'], 'info': 20, 'extra': args[1]}),
                    end_of(result)]
        if name == 'fallocate':
            file = self.files[args[0]]
            want = {'object': file, 'key': file['path'], 'extra': args[2] + args[3]}
            return [(CONTROL, want | {'info': 0x980C8}) if args[1] else (SET, want | {'info': 19}),
                    end_of(result)]
        if name == 'linkat':
            return [(SETLINK_PATH, {'info': 11, 'object': 0}), end_of(result)]
        if name == 'renameat':
            return [(RENAME, {'info': 10, 'object': 0}), (RENAME_PATH, {'info': 10}),
                    end_of(result)]
        if name == 'unlinkat' and result in (0, -16):
            return [(DELETE, {'info': 13, 'object': 0, 'extra': 1}), (DELETE_PATH, {'info': 13}),
                    end_of(result)]
        if name == 'getdents64':
            file = self.files[args[0]]
            return [(DIRENUM, {'object': file, 'key': file['path'], 'text': '', 'info': 37}),
                    end_of(0)]
        if name == 'sendfile64':
            return self.transfer(READ, args[1], result, args[3], 0) + \
                self.transfer(WRITE, args[0], result, result)
        if name in ('mkdirat', 'unlinkat'):
            return []
        raise ValueError(f'unexpected {call}')


class Report:
    def __init__(self):
        self.bad = 0
        self.compared = Counter()
        self.objects = {}       # id(file): FileObject
        self.keys = {}          # path: FileKey

    def difference(self, text):
        self.bad += 1
        if self.bad <= 20:
            print(f'difference: {text}')

    def same(self, want, event):
        for field, value in want.items():
            if field == 'key':
                value = value.removesuffix('-3')    # fileops makes it of a link
                value = self.keys.setdefault(value, event['key'])
            elif isinstance(value, dict):
                value = self.objects.setdefault(id(value), (event[field], value))[0]
            if event[field] != value:
                return False
        return True

    def thread(self, state, tid, calls, events):
        """One thread, call for call."""
        at, irps = 0, []
        for call in calls:
            for hook, want in state.expect(call):
                event = events[at] if at < len(events) else {'hook': 0}
                at += 1
                if event['hook'] == hook and hook not in (END, DELETE_PATH, RENAME_PATH):
                    irps.append(event['irp'])
                if event['hook'] != hook or not self.same(want, event) or \
                        event['irp'] != irps[-1]:
                    self.difference(f'thread {tid}: {call} wants {hook:#x} {want}, is {event}')
                    return at
                if hook == END:
                    irps.pop()
                self.compared[hook] += 1
        return at


def bytes_of(events):
    """Bytes read and written between the reads of the thread's counters."""
    began, done, inside, counters = {}, {READ: 0, WRITE: 0}, False, set()
    for event in events:
        if event['hook'] == CREATE:     # an object's number comes again
            (counters.add if event['text'].endswith('/io') else counters.discard)(event['object'])
        elif event['hook'] in done:
            if event['object'] in counters:
                if inside:
                    return done
                inside = True
            began[event['irp']] = event['hook']
        elif event['hook'] == END and event['irp'] in began and inside:
            done[began[event['irp']]] += event['extra']
    return done


def opened_as(etl, text):
    """What was done with each open of @text, by any thread: [[event]], each with its end."""
    opens, live, begun = [], {}, {}
    for record in sorted((r for r in etl.records if r.hook in FORMS), key=lambda r: r.time):
        event = decode(record)
        if event['hook'] == END:
            begun.get(event['irp'], {})['end'] = event
            continue
        begun[event['irp']] = event
        if event['hook'] == CREATE and event['text'] == text:
            opens.append(live.setdefault(event['object'], []))
        if event['object'] in live:
            live[event['object']].append(event)
        if event['hook'] == CLOSE:
            live.pop(event['object'], None)
    return opens


def check_async(report, directory, etl, where):
    """What tests/vm/source/storage/guest/fileasync.c did, which ftrace's system call events do not contain."""
    with open(f'{directory}/async.txt', encoding='utf-8') as file:
        names = file.read().split()
    flushed = [[CREATE, WRITE, FLUSH, FLUSH, CLEANUP, CLOSE]]
    wanted = {'uring': flushed, 'aio': flushed,
              'handle': [[CREATE, WRITE, CLEANUP, CLOSE], [CREATE, READ, CLEANUP, CLOSE]]}
    for name in names:
        opens = opened_as(etl, where.shown(f'/mnt/async/{name}'))
        if [[event['hook'] for event in events] for events in opens] != wanted[name] or \
                any(event.get('end', {}).get('status') != 0 for events in opens
                    for event in events):
            report.difference(f'{name}: {opens}')
    if 'handle' not in names:
        checks.skip(f'{sys.argv[2]}: what is opened by handle', 'the kernel has no handles of files')
        return
    # the last one is refused (EISDIR), and its name is what the handle means
    opens = opened_as(etl, where.shown('/mnt/async'))
    if [len(events) for events in opens] != [3, 1] or \
            opens[-1][0].get('end', {}).get('status') != 0xC0000001:
        report.difference(f'the directory, by its handle: {opens}')


def check_deleted(report, etl, where, names):
    """A file goes with its last link ("-2") or its last user ("-4"), and nothing else goes."""
    paths = {rest for said in names.values() for word, rest in said
             if word == 'open' and re.search(r'-\d-[24]$', rest)}
    last, gone = {}, defaultdict(list)
    for record in sorted(etl.records, key=lambda r: r.time):
        if record.hook == NAME_DELETE:
            key, = struct.unpack_from('<Q', record.payload)
            gone[record.payload[8:-2].decode('utf-16-le')].append((key, record.time))
        elif record.hook == DELETE_PATH:
            # the path in its file system
            last['/mnt' + decode(record)['text']] = record.time
        elif record.hook == WRITE:
            last[decode(record)['key']] = record.time
    for path in sorted(paths):
        logged, key = gone.pop(where.shown(path), []), report.keys.get(path)
        after = last.get(path if path[-1] == '2' else key)
        if len(logged) != 1 or after is None or logged[0][0] != key or logged[0][1] < after:
            report.difference(f'{path}, of key {key}, deleted at {after}: gone by {logged}')
    if len(paths) != 12 or any(text.startswith('/mnt') for text in gone):
        report.difference(f'{len(paths)} files are deleted, and gone are {list(gone)}')
    print(f'{len(paths)} files are gone')


def span(events):
    """From the first to the last marker."""
    texts = [e['text'] if e['hook'] == CREATE else '' for e in events]
    return events[texts.index('/mnt/begin'):texts.index('/mnt/end') + 2]


def main():
    directory = sys.argv[1]
    # a64kasan-6.1 is one, too
    arm64 = sys.argv[2].startswith(('arm64-', 'a64'))
    calls, lines = read_ftrace(f'{directory}/ftrace.txt', arm64)
    ftrace.check_complete(f'{directory}/stats.txt', lines)
    names = read_names(f'{directory}/names.txt')
    etl = stream.load(f'{directory}/etw.etl')
    if etl.losses() or etl.events_lost:
        sys.exit('etw lost events')
    events, count = events_of(etl)
    report, where = Report(), paths.Paths(directory)
    # from 6.6 on the tmpfs' own write doesn't flush what has no disk
    flushes = sys.argv[2].endswith('-6.1')
    for tid, said in names.items():
        opens = [i for i, c in enumerate(calls[tid]) if c.name == 'openat']
        mine = span(events[tid])
        last = opens[0] + len(calls[tid][opens[0]:opens[-1] + 1])
        at = report.thread(Thread(said, where, arm64, flushes), tid,
                           calls[tid][opens[0]:last], mine)
        if at != len(mine):
            report.difference(f'thread {tid}: {len(mine) - at} records that no call made')
        counters = [[int(n) for n in re.findall(r'\d+', rest)] for w, rest in said if w == 'io']
        if len(counters) == 2:
            want = [b - a for a, b in zip(*counters)]
            done = bytes_of(mine)
            if want != [done[READ], done[WRITE]]:
                report.difference(f'thread {tid}: /proc says {want} bytes, etw {done}')
            print(f'thread {tid}: {want[0]} bytes read, {want[1]} written')
        else:
            print('the kernel does not count bytes of threads')
    check_async(report, directory, etl, where)
    check_deleted(report, etl, where, names)
    print(' '.join(f'{hook:04X}:{n}' for hook, n in sorted(count.items())))
    missing = [f'{hook:04X}' for hook in FORMS if not report.compared[hook]]
    if missing:
        report.difference(f'never seen: {missing}')
    if len(set(report.keys.values())) != len(report.keys):
        report.difference('two files of one key')
    print(f'{sum(report.compared.values())} records of {len(names)} threads, '
          f'{len(report.keys)} files, {report.bad} differences')
    sys.exit(1 if report.bad or sum(report.compared.values()) < 1000 or len(names) != 2 else 0)


if __name__ == '__main__':
    main()
