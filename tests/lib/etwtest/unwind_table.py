# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Unwind tables (uapi/etw_unwind.h) of a program, by what readelf prints of its .eh_frame."""
import re
import struct
import subprocess

NONE, SP, FP, PLT, SP_DEREF, FP_DEREF, SIGNAL, END = range(8)
SPECIAL = 0x7FFF
HEAD = re.compile(r'([0-9a-f]{8}) [0-9a-f]+ [0-9a-f]{8} (?:CIE "(\w*)"|FDE cie=([0-9a-f]{8}) '
                  r'pc=([0-9a-f]+)\.\.([0-9a-f]+))')
# one column of a row: a register's rule is one word
REGISTERS = {'rsp': SP, 'rbp': FP, 'sp': SP, 'x29': FP}


def segments(program):
    """(address, end, offset in the file) of the loaded segments"""
    text = subprocess.run(['readelf', '-lW', program], check=True, capture_output=True,
                          text=True).stdout
    return [(a, a + size, o) for o, a, size in
            (tuple(int(x, 16) for x in m.groups()) for m in
             re.finditer(r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)', text))]


def _offset(value):
    return int(value[1:]) if value.startswith('c') else SPECIAL


def _row(cfa, rules, signal):
    if signal:
        return SIGNAL, 0, 0, 0
    if rules.get('ra') == 'u' and 'x29' not in rules:
        return END, 0, 0, 0
    match = re.fullmatch(r'(\w+)([+-]\d+)', cfa)
    if not match or match[1] not in REGISTERS:
        return NONE, 0, 0, 0
    row = (REGISTERS[match[1]], int(match[2]), _offset(rules.get('ra', 'u')),
           _offset(rules.get('rbp', rules.get('x29', 'u'))))
    return row if all(-0x8000 <= x < 0x8000 for x in row) else (NONE, 0, 0, 0)


def rows(program):
    """(offset in the file, CFA rule, CFA offset, RA offset, FP offset), ascending"""
    text = subprocess.run(['readelf', '--debug-dump=frames-interp', '-W', program], check=True,
                          stderr=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
    cies, found, ends, columns = {}, {}, set(), []
    cie = fde = None
    for line in text.splitlines():
        head, words = HEAD.match(line), line.split()
        if head and head[3] is None:
            cie, fde = head[1], None
            cies[cie] = (SP, 8, -8, SPECIAL), 'S' in head[2]
        elif head:
            fde = head[3]
            # rows are printed only if they differ from those of the CIE
            found[int(head[4], 16)] = cies[fde][0]
            ends.add(int(head[5], 16))
        elif words[:2] == ['LOC', 'CFA']:
            columns = words[2:]
        elif len(words) >= 2 and re.fullmatch(r'[0-9a-f]{16}', words[0]):
            row = _row(words[1], dict(zip(columns, words[2:])), cies[fde or cie][1])
            if fde is None:
                cies[cie] = row, cies[cie][1]
            else:
                found[int(words[0], 16)] = row
    for end in ends:
        found.setdefault(end, (NONE, 0, 0, 0))
    parts = segments(program)
    made = [(next((o + at - a for a, e, o in parts if a <= at < e), None), *rule)
            for at, rule in sorted(found.items())]
    return [row for row in made if row[0] is not None]


def pack(table):
    """The rows as struct etw_unwind_row"""
    return b''.join(struct.pack('<IhBBhh', offset, cfa_offset, cfa, 0, ra, fp)
                    for offset, cfa, cfa_offset, ra, fp in table)
