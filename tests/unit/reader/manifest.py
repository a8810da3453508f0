#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compares what etw dumps of Windows' files with the counts of an independent walk."""
import collections
import json
import re
import subprocess
import sys

from etwtest import checks

HOOKED = ('SYSTEM', 'COMPACT', 'PERFINFO')
# what no published description has: shown in hexadecimal
RAW = {'0b1f', '0b22', 'f125'}
# a provider that writes more than the description in the file contains
WALK = 'Microsoft-Windows-DotNETRuntime/CLRStack/CLRStackWalk'
LONGER = {'PerfView/ClrEnableParameters', WALK}


def manifest(directory):
    """name -> (counts by hook, provider, header type; number of events)"""
    files, name = {}, None
    for line in open(directory + '/MANIFEST.md', encoding='utf-8'):
        cells = [x.strip() for x in line.strip().strip('|').split('|')]
        if len(cells) == 11 and cells[1].isdigit():
            files[cells[0]] = [int(cells[9]), {}, {}, {}, {}]
        elif line.startswith('## '):
            name = line[3:].strip()
        elif line.startswith('hooks: '):
            for part in line[7:].split('; '):
                hook, version, header, n = re.match(
                    r'([0-9a-f]{4}) v(\d+) .*\[(\w+)\] (\d+)', part).groups()
                files[name][1][hook, int(version), header] = int(n)
        elif line.startswith('providers: '):
            for guid, header, n in re.findall(r'([0-9a-f-]{36}) \[(\w+)\] (\d+)', line):
                files[name][2][guid, header] = int(n)
        elif line.startswith('header types: '):
            for header, n in re.findall(r'([A-Z_0-9]+) (\d+)[,;]', line):
                files[name][3][header] = int(n)
        elif line.startswith('also: '):
            for kind, n in re.findall(r'ext item type (\d+) link \d \((\d+)\)', line):
                files[name][4][int(kind)] = files[name][4].get(int(kind), 0) + int(n)
    return files


def compare(tool, path, expected):
    hooks, providers, headers, items, problems = (collections.Counter() for _ in range(5))
    last = count = 0
    process = subprocess.run([tool, 'dump', '--json', path], capture_output=True, check=True)
    for line in process.stdout.decode().splitlines():
        event = json.loads(line)
        fields, count = event['fields'], count + 1
        header = '%s%d' % (event['header'], event['bits'])
        headers[header] += 1
        if event['header'] in HOOKED:
            hooks[event['hook'], event['version'], header] += 1
        else:
            providers[event['provider'], header] += 1
        items[1] += 'RelatedActivityId' in fields
        # a field of this event has the name of the item
        items[6] += event['header'] == 'EVENT_HEADER' and \
            ('Stack#2' if event['event'] == WALK else 'Stack') in fields
        problems['out of order'] += event['ns'] < last
        last = event['ns']
        problems['too short: ' + event['event']] += event.get('truncated', False)
        problems['bytes left: ' + event['event']] += \
            'Rest' in fields and event['event'] not in LONGER
        problems['not decoded: ' + event['event']] += \
            'Payload' in fields and event.get('hook', 'f125') not in RAW
    problems['messages: ' + process.stderr.decode()] += bool(process.stderr)
    logged = (count, dict(hooks), dict(providers), dict(headers))
    assert logged == tuple(expected[:4]), 'counts %s, expected %s' % (logged, expected[:4])
    assert not +problems, +problems
    for kind in (1, 6):
        assert items[kind] == expected[4].get(kind, 0), 'items of type %d: %d' % (
            kind, items[kind])
    return '%d events' % count


def main(tool, directory):
    for name, expected in sorted(manifest(directory).items()):
        checks.test(name + ': events by hook, provider and header as counted', compare, tool,
                    '%s/%s.etl' % (directory, name), expected)


main(*sys.argv[1:])
