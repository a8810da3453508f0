# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Call frame information as readelf prints it, and walks by the rows of etw unwind."""
import bisect
import json
import re
import struct
import subprocess

HEAD = re.compile(r'([0-9a-f]{8}) [0-9a-f]+ [0-9a-f]{8,16} (?:CIE "(\w*)"(?:.* ra=(\d+))?|'
                  r'FDE cie=([0-9a-f]{8}) pc=([0-9a-f]+)\.\.([0-9a-f]+))')
NONE = ('none',)
# readelf prints no expressions
UNKNOWN = ('expression',)
SMALL = range(-0x8000, 0x7FFF)
RETURN = {'x86_64': '16', 'arm64': '30'}


def table(tool, file, *options):
    return json.loads(subprocess.run([tool, 'unwind', '--json', '--rows', *options, file],
                                     check=True, capture_output=True).stdout)


def rule(row):
    """A row of etw unwind without its place"""
    if 'cfa_offset' not in row:
        return (row['rule'],)
    return row['rule'], row['cfa_offset'], row.get('ra_offset'), row.get('fp_offset')


def _saved(text):
    """Return: the offset; None: it is in its register; 'no': no row can express it"""
    if text in ('u', 's'):
        return None
    if text[0] == 'c' and int(text[1:]) in SMALL:
        return int(text[1:])
    return 'no'


def _rule(cfa, columns, machine):
    names = {'rsp': 'sp', 'rbp': 'fp'} if machine == 'x86_64' else {'sp': 'sp', 'x29': 'fp'}
    ra = columns.get('ra', 'u')
    if ra == 'u' and machine == 'x86_64':
        return ('end',)
    if cfa == 'exp':
        return UNKNOWN
    match = re.fullmatch(r'(\w+)([+-]\d+)', cfa)
    if not match or match[1] not in names or int(match[2]) not in SMALL:
        return NONE
    ra, fp = _saved(ra), _saved(columns.get('rbp' if machine == 'x86_64' else 'x29', 'u'))
    if 'no' in (ra, fp):
        return NONE
    return names[match[1]], int(match[2]), ra, fp


class Frames:
    """The rules of a file by address: @starts ascending, @rules beside them."""

    def __init__(self, file, machine):
        self.machine = machine
        # it fails if it misses a debug file that it does not need
        text = subprocess.run(['readelf', '--debug-dump=frames-interp', '-W', file], check=False,
                              stderr=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
        self.cies, self.entries = {}, {}
        self.read(text)
        self.starts, self.rules = [], []
        self.join()

    def read(self, text):
        columns, rows = [], None
        usable = True
        for line in text.splitlines():
            # "r10 (r10)" is one column
            head, words = HEAD.match(line), re.sub(r' \(\w+\)', '', line).split()
            if head and head[4] is None:
                usable = (head[3] or RETURN[self.machine]) == RETURN[self.machine]
                rows = self.cies[head[1]] = {}
            elif head:
                # rows are printed only if they differ from those of the CIE
                first = self.cies.get(head[4], {0: NONE})
                start, end = int(head[5], 16), int(head[6], 16)
                rows = {start: first.get(0, NONE)}
                if start != end and start not in self.entries:
                    self.entries[start] = end, rows
                usable = first.get('usable', True)
            elif words[:2] == ['LOC', 'CFA']:
                columns = words[2:]
            elif len(words) >= 2 and re.fullmatch('[0-9a-f]{16}', words[0]) and rows is not None:
                found = _rule(words[1], dict(zip(columns, words[2:])), self.machine)
                rows[int(words[0], 16)] = found if usable else NONE
            if rows is not None and head and head[4] is None:
                rows['usable'] = usable

    def join(self):
        last = 0
        for start, (end, rows) in sorted(self.entries.items()):
            if last and start > last:
                self.add(last, NONE)
            for at in sorted(rows):
                self.add(at, rows[at])
            last = end
        self.add(last, NONE)

    def add(self, at, found):
        if self.starts and self.starts[-1] == at:
            self.rules[-1] = found
        else:
            self.starts.append(at)
            self.rules.append(found)

    def at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        return self.rules[i] if i >= 0 else NONE


def segments(file):
    """(address, offset, bytes) of the executable segments"""
    text = subprocess.run(['readelf', '-lW', file], check=True, capture_output=True,
                          text=True).stdout
    return [(int(a, 16), int(o, 16), int(n, 16)) for o, a, n in
            re.findall(r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R.E', text)]


class Walker:
    """Walks the stack of a stopped process of x86_64; @maps is its /proc/PID/maps."""

    def __init__(self, tool, maps, read):
        self.tool, self.read, self.files, self.maps = tool, read, {}, []
        for line in maps.splitlines():
            words = line.split(maxsplit=5)
            if 'x' in words[1] and len(words) == 6 and words[5][0] == '/':
                start, end = (int(x, 16) for x in words[0].split('-'))
                self.maps.append((start, end, int(words[2], 16), words[5]))

    def rule(self, address):
        for start, end, offset, file in self.maps:
            if start <= address < end:
                if file not in self.files:
                    rows = table(self.tool, file)['table']
                    self.files[file] = [x['offset'] for x in rows], [rule(x) for x in rows]
                starts, rules = self.files[file]
                i = bisect.bisect_right(starts, address - start + offset) - 1
                return rules[i] if i >= 0 else NONE
        return NONE

    def word(self, address):
        return struct.unpack('<Q', self.read(address, 8))[0]

    def walk(self, ip, sp, fp, most=200):
        """Return: addresses, innermost first, and the rule at which the walk ended"""
        found, exact = [ip], True
        while len(found) < most:
            rule_here = self.rule(ip if exact else ip - 1)
            exact = False
            if rule_here[0] in ('none', 'end'):
                return found, rule_here[0]
            if rule_here[0] == 'signal':
                # gregs of the ucontext
                fp, sp, ip = (self.word(sp + x) for x in (120, 160, 168))
                exact = True
            else:
                name, offset, ra, fp_offset = rule_here
                cfa = {'sp': sp + offset, 'fp': fp + offset,
                       'plt': sp + (16 if ip & 15 >= offset else 8)}[name]
                ip = self.word(cfa + ra)
                fp = fp if fp_offset is None else self.word(cfa + fp_offset)
                sp = cfa
            found.append(ip)
        return found, 'limit'
