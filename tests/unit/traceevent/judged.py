# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What TraceEvent delivers of traces, beside what etw dump prints: judged.py FOLDER FILE...

FOLDER has the output of the judge (Reader.cs) of each version, judged-VERSION. A check for each
file and version. Beside a finalized FILE there may be FILE.symbols, which etw dump --symbols --json
printed of it on its machine. TraceEvent names the same functions.
"""
import collections
import json
import os
import subprocess
import sys

from etwtest import checks, compare
from listed import hooks_in_document, hooks_without_class

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = 'build/host/tools/etw'
# 3.1.21 takes all events that no parser knows for classic ones
LISTS_UNKNOWN = '4.0.0'
# The thread-time computer of 3.1.21 overflows the stack
TIMES = '4.0.0'
# A program wrote these: the layouts of their payloads are not those of the file's pointer size
OTHER_LAYOUTS = 'sawbuck_'
# Names of providers in descriptions that are ours, in the file or from tdh.dll
KERNEL, LINUX, LOG = 'MSNT_SystemTrace', 'Linux', 'etw'
# What etw dump adds to the fields of an EVENT_HEADER
HEADER_FIELDS = {'EventId', 'Level', 'Opcode', 'Task', 'Keyword'}
# Descriptions in files. libetw-win32 delivers one more for each kind of TraceLogging events
METADATA = 'bbccf6c1-6cd1-48c4-80ff-839482e37671/32'
# Texts of etw log, which have the class and a type of their own in etw dump
LOG_EVENT, LOG_CLASS = 'etw/Log/Text', '2f0c6d3b-8e51-4f0e-9d47-31b605ce7a12/'
# Traces with all switches, whose threads have the times of etw stat
TIMED = {'stacks.etl', 'keys.etl', 'finalized.etl'}
# What made.py writes into described.etl
DESCRIBED = {'FileIO/DeletePath', 'FileIO/RenamePath', 'FileIO/SetLinkPath', 'Image/KernelBase',
             'Linux/Anchor', 'Linux/Loss', 'PerfInfo/PMCConfig', 'Pool/Alloc', 'Pool/Free',
             'Process/Terminate', 'StackWalk/KeyCreate', 'SystemConfig/NumaNode',
             'SystemConfig/Platform', 'SystemConfig/ProcGroup', 'SystemConfig/ProcNumber',
             'SystemConfig/Processors', 'Thread/Migration', 'Thread/SetBasePriority',
             'Thread/SetIoPriority', 'Thread/SetPriority'}


def rows(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as file:
        return [x.split() for x in file if x.strip() and x[0] != '#']


# our name of a field, by event, in the order in which the judge prints the values
FIELDS = {event: [x.split('=')[0] for x in pairs] for event, *pairs in rows('fields.txt')}
UNKNOWN = {row[0] for row in rows('unknown.txt')}


class Judged:
    """The judge's lines of a file."""

    def __init__(self):
        self.counts, self.unknown, self.error, self.logged = {}, set(), None, 0
        self.names, self.narrow = collections.Counter(), set()
        self.times = collections.defaultdict(dict)
        self.values = collections.defaultdict(list)
        self.described = collections.defaultdict(list)
        self.messages, self.containers = [], {'G': [], 'H': []}

    def add(self, kind, words):
        if kind == 'C':
            self.counts[words[0]] = int(words[1])
        elif kind == 'U':
            self.unknown.add(words[0])
        elif kind == 'P':
            self.values[words[0]].append(words[1:])
        elif kind == 'L':
            self.logged = int(words[0])
        elif kind == 'N':
            self.names[(int(words[0]), words[1])] += 1
        elif kind == 'T':
            self.times[int(words[0])][words[1]] = float(words[2])
        elif kind == 'W' and words[1] == '32':
            self.narrow.add(int(words[0]))
        elif kind == 'M':
            self.messages.append((words[0], words[1]))
        elif kind in self.containers:
            self.containers[kind].append(words[0])
        elif kind == 'D' and (words[0] in (KERNEL, LINUX, LOG) or words[0].startswith('Linux.')):
            name = words[1] if words[0] == KERNEL else words[0] + '/' + words[1]
            self.described[name].append([x.partition('=')[::2] for x in words[2:]])
        elif kind == 'X':
            self.error = words[0]


def judged(path):
    files, now = {}, None
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            kind, *words = line.rstrip('\n').split('\t')
            if kind == 'F':
                now = files.setdefault(words[0], Judged())
            else:
                now.add(kind, words)
    return files


def number(text):
    """Ours may be hexadecimal. Other texts stay."""
    try:
        return int(str(text), 0)
    except ValueError:
        return text


def is_equal(ours, theirs):
    """Numbers of TraceEvent are signed where ours are not, and bytes the other way round."""
    left, right = number(ours), number(theirs)
    numbers = isinstance(left, int) and isinstance(right, int)
    if numbers and min(left, right) < 0 <= max(left, right):
        return abs(left - right) in (1 << 8, 1 << 16, 1 << 32, 1 << 64)
    return left == right


def is_compared(ours, theirs):
    """TraceEvent maps paths that begin with a backslash to drives of this machine."""
    return ours is not None and theirs != '-' and not str(ours).startswith('\\')


def differences(lines, values):
    """Events of one name are delivered in the order of etw dump."""
    ours = collections.defaultdict(list)
    for line in lines:
        ours[line['event'].replace('SysConfigEx/', 'SysConfig/')].append(line['fields'])
    compared = 0
    for event, names in FIELDS.items():
        delivered = values.get(event, [])
        assert len(ours[event]) == len(delivered), \
            '%s: %d events, TraceEvent has %d' % (event, len(ours[event]), len(delivered))
        for fields, row in zip(ours[event], delivered):
            for name, theirs in zip(names, row):
                if is_compared(fields.get(name), theirs):
                    compared += 1
                    assert is_equal(fields[name], theirs), \
                        '%s: %s is %r, TraceEvent has %r' % (event, name, fields[name], theirs)
    return compared


def is_equal_list(ours, theirs):
    texts = theirs.strip('[]').split(',')
    return len(ours) == len(texts) and all(map(is_equal, ours, texts))


def tag(text):
    """TDH has no type for four characters."""
    return int.from_bytes(text.encode(), 'little') if len(text) == 4 else text


def name_of(line):
    """As a description in the file names the event"""
    return LOG_EVENT if line['event'].startswith(LOG_CLASS) else line['event']


def check_messages(path, lines, messages):
    """A wide text of the type 0 needs no description: TraceEvent takes it for a message."""
    if os.path.basename(path) == 'wide.etl':
        texts = [x['fields']['Text'] for x in lines if x['event'] == LOG_CLASS + '0']
        assert [x for _, x in messages] == texts and texts, (messages, texts)


def check_containers(path, lines, containers):
    """Both of the file and of TraceLog"""
    ours = [x['fields']['ContainerId'] for x in lines if 'ContainerId' in x['fields']]
    assert ours or os.path.basename(path) != 'contained.etl'
    assert containers == {'G': ours, 'H': ours}, (containers, ours)


def check_described(path, lines, described):
    """Return: fields of events that TraceEvent has no class for, events of Linux among them"""
    if os.path.basename(path) == 'logged.etl':
        assert len(described[LOG_EVENT]) == 5, described
    if os.path.basename(path) == 'described.etl':
        assert set(described) == DESCRIBED, set(described) ^ DESCRIBED
    ours, compared = collections.defaultdict(list), 0
    for line in lines:
        ours[name_of(line)].append(line['fields'])
    missing = {x for x in ours if x.startswith('Linux.')} - set(described)
    assert not missing, 'TraceEvent does not decode %s' % missing
    for event, rows_of_event in described.items():
        assert len(ours[event]) == len(rows_of_event), \
            '%s: %d events, TraceEvent has %d' % (event, len(ours[event]), len(rows_of_event))
        for fields, row in zip(ours[event], rows_of_event):
            row = [x for x in row if not x[0].startswith('Reserved')]
            assert row or not set(fields) - HEADER_FIELDS, event + ' has no field'
            assert all(name in fields for name, _ in row), (event, row, list(fields))
            for name, theirs in row:
                if isinstance(fields[name], list):
                    compared += 1
                    assert is_equal_list(fields[name], theirs), (event, name, fields[name], theirs)
                elif isinstance(number(theirs), int) != isinstance(number(fields[name]), int):
                    # names of numbers are not in a description
                    assert name != 'Tag' or tag(fields[name]) == number(theirs)
                elif name != 'FileTime':
                    compared += 1
                    assert is_equal(fields[name], theirs), \
                        '%s: %s is %r, TraceEvent has %r' % (event, name, fields[name], theirs)
    return compared


def is_named(fields, process_of, mapped):
    """
    TraceEvent reads on: a program's address has a name from the records of its image on. Before
    them it has one only if TraceEvent looks it up later.
    """
    return number(fields['InstructionPointer']) >> 63 or process_of.get(fields['ThreadId']) in mapped


def symbols(path):
    """Address and function of each sample that has a name, and of each that may have one"""
    found, early, process_of, mapped = collections.Counter(), collections.Counter(), {}, set()
    with open(path, encoding='utf-8') as file:
        for line in map(json.loads, file):
            fields = line['fields']
            if line['event'] in ('Thread/DCStart', 'Thread/Start'):
                process_of[fields['ThreadId']] = fields['ProcessId']
            if line['event'] in ('Image/DCStart', 'Image/Load'):
                mapped.add(fields['ProcessId'])
            _, mark, name = fields.get('InstructionPointerSymbol', '').partition('!')
            if line['event'] == 'PerfInfo/Sample' and mark:
                where = found if is_named(fields, process_of, mapped) else early
                where[(number(fields['InstructionPointer']), name.partition('+0x')[0])] += 1
    return found, early


def check_names(path, result):
    wanted, early = symbols(path + '.symbols')
    missing, more = wanted - result.names, result.names - wanted - early
    assert wanted and not missing and not more, 'functions: %s missing, %s too many' % (
        list(missing.items())[:20], list(more.items())[:20])
    return ', %d samples in %d functions' % (sum(wanted.values()), len({x for _, x in wanted}))


def check_every(version, unknown):
    """TraceEvent has a class for each event of the module but those that the document lists"""
    listed = hooks_without_class()
    assert listed and set(listed) == hooks_in_document(), set(listed) ^ hooks_in_document()
    if version == LISTS_UNKNOWN:
        assert unknown == set(listed.values()), unknown ^ set(listed.values())
    return ', %d of them without a class' % len(listed)


def is_near(left, right):
    """Both are sums of milliseconds, of which TraceEvent keeps 32 bits"""
    return abs(left - right) < 0.002 + 2e-6 * max(abs(left), abs(right))


def blocked_after_end(lines):
    """Milliseconds by thread: the kernel may preempt a thread on its way out, after Thread/Stop"""
    ended, since, sums = set(), {}, collections.defaultdict(float)
    for line in lines:
        fields = line['fields']
        if line['event'] == 'Thread/Stop':
            ended.add(fields['ThreadId'])
        elif line['event'] == 'Thread/Start':
            ended.discard(fields['ThreadId'])
        elif line['event'] == 'Thread/CSwitch':
            new = fields['NewThreadId']
            if new in ended and new in since:
                sums[new] += (line['ns'] - since[new]) / 1e6
            since[fields['OldThreadId']] = line['ns']
    return sums


def sampled_at_end(lines):
    """Milliseconds by thread, from the last switch of a processor to the last sample of the thread
    that runs then"""
    running, sums = {}, collections.defaultdict(float)
    for line in lines:
        if line['event'] == 'Thread/CSwitch':
            tid = line['fields']['NewThreadId']
            sums.pop(running.get(line['cpu'], (0, 0))[0], None)
            running[line['cpu']] = tid, line['ns']
        elif line['event'] == 'PerfInfo/Sample':
            tid, since = running.get(line['cpu'], (None, 0))
            if line['fields']['ThreadId'] == tid:
                sums[tid] = (line['ns'] - since) / 1e6
    return sums


def check_times(version, path, times, lines):
    """TraceEvent does not count the time from the last switch to a thread until the thread ends,
    but up to its last sample, nor blocks after that. A block that lasts to the end of the trace
    ends there, not at the record of the stop rundown."""
    if os.path.basename(path) not in TIMED or version != TIMES:
        return ''
    rows = json.loads(subprocess.run([TOOL, 'stat', path, 'cpu', '--json'], check=True,
                                     capture_output=True).stdout)['rows']
    ours, tail = collections.defaultdict(lambda: [0, 0]), set()
    late, sampled = blocked_after_end(lines), sampled_at_end(lines)
    for row in rows:
        ours[row['tid']][0] += row['running ns'] / 1e6
        ours[row['tid']][1] += (row['ready ns'] + row['waiting ns']) / 1e6
    for tid, (ran, blocked) in ours.items():
        theirs = times.get(tid, {})
        cpu, last = theirs.get('CPU_TIME', 0), theirs.get('LAST_BLOCK', 0)
        difference = theirs.get('BLOCKED_TIME', 0) + late[tid] + last - blocked
        if last:
            tail.add(difference)
        assert is_near(ran, cpu) if last else ran + sampled[tid] + 0.002 > cpu, (tid, ran, theirs)
        assert last or is_near(difference, 0), (tid, blocked, theirs)
    assert ours and is_near(max(tail), min(tail)), sorted(tail)
    return ', times of %d threads' % len(ours)


def check_width(lines, narrow):
    """The vDSO is what a program has above 4 GB if its files are below."""
    wide = {x['fields']['ProcessId'] for x in lines
            if x['event'] in ('Image/DCStart', 'Image/Load') and x['fields']['FileName'] == '[vdso]'}
    assert not wide & narrow, 'taken for 32-bit processes: %s' % sorted(wide & narrow)
    return ', %d processes of 64 bits' % len(wide) if wide else ''


def check(version, path, result, lines):
    assert result, 'TraceEvent did not read the file'
    assert result.error is None, result.error
    counts = collections.Counter('%s/%d' % compare.class_of(x) for x in lines)
    most = sum(x['header'] == 'EVENT_HEADER' for x in lines)
    more = result.counts.get(METADATA, 0) - counts[METADATA]
    assert 0 <= more <= most, (more, most)
    if more:
        result.counts[METADATA] -= more
    assert +counts == +collections.Counter(result.counts), \
        {x: (counts[x], result.counts.get(x)) for x in counts.keys() | result.counts.keys()
         if counts[x] != result.counts.get(x)}
    unlisted = result.unknown - UNKNOWN
    assert not unlisted or version != LISTS_UNKNOWN, \
        'not in unknown.txt: %s' % ' '.join(sorted(unlisted))
    assert result.logged > 0, 'TraceLog is empty'
    if os.path.basename(path) == 'every.etl':
        return '%d events%s' % (len(lines), check_every(version, result.unknown))
    if os.path.basename(path).startswith(OTHER_LAYOUTS):
        return '%d events' % len(lines)
    check_messages(path, lines, result.messages)
    check_containers(path, lines, result.containers)
    named = check_names(path, result) if os.path.exists(path + '.symbols') else ''
    return '%d events, %d fields, %d described ones%s%s%s' % (
        len(lines), differences(lines, result.values),
        check_described(path, lines, result.described), named, check_width(lines, result.narrow),
        check_times(version, path, result.times, lines))


def main(folder, *files):
    versions = [x.split('-')[1] for x in sorted(os.listdir(folder)) if x.startswith('judged-')]
    by_version = {x: judged('%s/judged-%s' % (folder, x)) for x in versions}
    for file in files:
        lines = compare.dumped(TOOL, file)
        for version in versions:
            name = '%s: TraceEvent %s agrees' % (os.path.basename(file), version)
            checks.test(name, lambda: check(version, file, by_version[version].get(file), lines))


main(*sys.argv[1:])
