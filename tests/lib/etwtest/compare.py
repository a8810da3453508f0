# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the events that ProcessTrace() delivers of a file with those that etw dump prints."""
import collections
import json
import subprocess


# class GUIDs of hook groups, as published (format.rst 3.12)
GROUPS = '''68fdd900-4a3e-11d1-84f4-0000f80464e3 3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c
3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c 3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c
90cbdc39-4a3e-11d1-84f4-0000f80464e3 3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c
9a280ac0-c8e0-11d1-84e2-00c04fb998a2 3282fc76-feed-498e-8aa7-e70f459d430e
bf3a50c5-a9c9-4988-a005-2df0b7c80f80 ae53722e-c863-11d2-8659-00c04fa321a1
13976d09-a327-438c-950b-7f03192815c7 01853a65-418f-4f36-aefc-dc0f1d2fd235
99134383-5248-43fc-834b-529454e75df3 42695762-ea50-497a-9068-5cbbb35e0b95
0268a8b6-74fd-4302-9dd0-6e8f1795c0cf ce1dbfb4-137e-4da6-87b0-3f59aa102cbc
222962ab-6180-4b88-a825-346b75f2a24a 89497f50-effe-4440-8cf2-ce6b1cdcaca7
e43445e0-0903-48c3-b878-ff0fccebdd04 a9152f00-3f58-4bee-92a1-70c7d079d5dd
2cb15d1d-5fc1-11d2-abe1-00a0c911f518 b2d14872-7c5b-463d-8419-ee9bf7d23e04
7687a439-f752-45b8-b741-321aec0f8df9 3ac66736-cc59-4cff-8115-8df50e39816b
def2fe46-7bd6-4b80-bd94-f57fe20d0ce3 9aec974b-5b8e-4118-9b92-3186d8002ce5
45d8cccd-539f-4b72-a8b7-5c683142609a d837ca92-12b9-44a5-ad6a-3a65b3578aa8
c861d0e2-a2c1-4d36-9f9c-970bab943a12 7f2a405c-69b5-4bf9-a1f5-30e8f1afab5e
2ce9a149-effe-42f0-a635-a1d39e26c8f2'''.split()
NONE = '00000000-0000-0000-0000-000000000000'
LOST = '6a399ae0-4bc6-4de9-870b-3657f8947e7e'
HOOKED = ('SYSTEM', 'COMPACT', 'PERFINFO')
NO_TIMES = ('COMPACT', 'PERFINFO', 'MESSAGE', 'WNODE', 'ULONG32_TIME', 'unused')

Event = collections.namedtuple('Event', '''time guid type version level tid pid cpu session kernel
    user bytes sum id instance parent parent_guid''')


def output(program, *arguments, code=0):
    """The lines that the program prints"""
    done = subprocess.run([program, *arguments], capture_output=True, check=False, timeout=500)
    assert done.returncode == code and not done.stderr, (done.returncode, done.stderr[-2000:],
                                                         done.stdout[-200:])
    return done.stdout.decode().splitlines()


def parse(lines):
    """(events, extended items and flags of each, header, buffers, result)"""
    events, items, buffers, header, result = [], [], [], [], None
    for line in lines:
        kind, *words = line.split(' ')
        if kind == 'E':
            events.append(Event(*words[:17]))
            items.append(words[17:])
        elif kind == 'H':
            header.append(words)
        elif kind == 'B':
            buffers.append([int(x) for x in words])
        elif kind == 'R':
            result = words
    return events, items, header, buffers, result


def consume(program, *arguments, code=0):
    """What parse() returns of the program's output"""
    return parse(output(program, *arguments, code=code))


def without_losses(events, items):
    """Events that the reader makes from flags of buffers are in no dump."""
    kept = [i for i, x in enumerate(events) if x.guid != LOST]
    return [events[i] for i in kept], [items[i] for i in kept], len(events) - len(kept)


def dumped(tool, path):
    done = subprocess.run([tool, 'dump', '--json', path], capture_output=True, check=True)
    return [json.loads(x) for x in done.stdout.decode().splitlines()]


def class_of(event):
    """(GUID, opcode) that a consumer must get for an event of etw dump"""
    if event['header'] in HOOKED:
        group, opcode = int(event['hook'][:2], 16), int(event['hook'][2:], 16)
        if event['hook'] == '030a':
            group = 0x14
        return GROUPS[group] if group < len(GROUPS) else NONE, opcode
    if event['header'] in ('FULL_HEADER', 'INSTANCE'):
        return event['provider'], event['id']
    return event['provider'], event['fields'].get('Opcode', 0)


def keys(events):
    return [(int(x.time), x.guid, int(x.type), x.tid, x.pid, int(x.cpu)) for x in events]


def known(ident):
    """An id as text; records that were written again may contain 0xFFFFFFFF for "unknown"."""
    return '-' if ident in (None, 0xFFFFFFFF) else str(ident)


def expected_keys(lines, start):
    for x in lines:
        # as etl_filetime(): towards zero
        ticks = abs(x['ns']) // 100 * (1 if x['ns'] >= 0 else -1)
        yield (start + ticks, *class_of(x), known(x.get('tid')), known(x.get('pid')), x['cpu'])


def check_counts(events, lines):
    logged = collections.Counter((x.guid, int(x.type)) for x in events)
    assert logged == collections.Counter(map(class_of, lines)), logged


def check_order(events, lines, start):
    """Each event, in this order, but for the header event, which is the first"""
    wanted = list(expected_keys(lines, start))
    first = next(i for i, x in enumerate(lines) if x.get('hook') == '0000')
    wanted.insert(0, wanted.pop(first))
    for i, (got, want) in enumerate(zip(keys(events), wanted)):
        assert got == want, 'event %d: %s, expected %s' % (i, got, want)


def check_items(items, lines):
    """Counters, the PEBS index, instances and chains"""
    for words, line in zip(items, lines):
        fields = line['fields']
        found = dict(x[1:].split(':') for x in words[1:])
        assert (len(found) > 0) == (int(words[0][6:], 16) & 1), words
        counters = [fields['Counter%d' % i] for i in range(7) if 'Counter%d' % i in fields]
        if line['header'] != 'EVENT_HEADER':
            logged = bytes.fromhex(found.get('8', ''))
            assert logged == b''.join(x.to_bytes(8, 'little') for x in counters), (words, line)
        if 'PebsIndex' in fields:
            assert int.from_bytes(bytes.fromhex(found['7']), 'little') == fields['PebsIndex']
        else:
            assert '7' not in found, (words, line)
        assert ('4' in found) == ('InstanceId' in fields or 'Sequence' in fields), (words, line)
        if 'RelatedActivityId' in fields:
            assert len(found['1']) == 32, words


def check_flags(items, lines):
    for words, line in zip(items, lines):
        flags = int(words[0][6:], 16)
        event = line['header'] in ('EVENT_HEADER', 'ERROR')
        assert bool(flags & 0x20) == (line['bits'] == 32), (words, line)
        assert bool(flags & 0x40) == (line['bits'] == 64), (words, line)
        assert bool(flags & 0x08) == (line['header'] == 'MESSAGE'), (words, line)
        assert bool(flags & 0x100) == (not event and line['header'] != 'MESSAGE'), (words, line)
        assert bool(flags & 0x10) == (line['header'] in NO_TIMES), (words, line)


def check_traces(records, traces):
    """The lines of EVENT_TRACE are those of EVENT_RECORD without items and flags"""
    pairs = [x for x in zip(records, traces) if LOST not in x[0]]
    for record, trace in pairs:
        same = record.startswith(trace + ' ') if record[0] == 'E' else record == trace
        assert same, 'EVENT_TRACE: %s, EVENT_RECORD: %s' % (trace, record)
    assert len(records) == len(traces), (len(records), len(traces))


def compare(program, tool, path, code=0):
    """Return: number of events"""
    lines = dumped(tool, path)
    logged = output(program, path, code=code)
    check_traces(logged, output(program, '-t', path, code=code))
    records, items, header, buffers, result = parse(logged)
    records, items, made = without_losses(records, items)
    assert len(records) == len(lines), (len(records), len(lines))
    check_counts(records, lines)
    check_order(records, lines, int(header[0][0]))
    first = next(i for i, x in enumerate(lines) if x.get('hook') == '0000')
    lines.insert(0, lines.pop(first))
    check_items(items, lines)
    check_flags(items, lines)
    assert [x[0] for x in buffers] == list(range(1, len(buffers) + 1)), 'BuffersRead'
    assert int(result[1]) == len(lines) + made and int(result[2]) == len(buffers), result
    return len(lines), len(buffers)
