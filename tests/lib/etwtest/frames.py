# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Call frame information as readelf prints it, and walks by the rows of etw unwind."""
import bisect
import json
import re
import struct
import subprocess

from etwtest import readelf

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
        self.entries = {}
        for fde in readelf.frames(file):
            if fde.start != fde.end and fde.start not in self.entries:
                self.entries[fde.start] = fde.end, self.rows(fde)
        self.starts, self.rules = [], []
        self.join()

    def rows(self, fde):
        """The rules by address; the first row is that of the CIE"""
        if not fde.cie or not fde.cie.row:
            first = NONE
        else:
            first = self.rule_of(fde.cie, fde.cie.row)
        return {fde.start: first, **{x.address: self.rule_of(fde.cie, x) for x in fde.rows}}

    def rule_of(self, cie, row):
        if cie and (cie.ra or RETURN[self.machine]) != RETURN[self.machine]:
            return NONE
        return _rule(row.cfa, row.columns, self.machine)

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
    return [x[:3] for x in readelf.segments(file) if x.executable]


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
