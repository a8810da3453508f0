# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Unwind tables (uapi/etw_unwind.h) of a program, by what readelf prints of its .eh_frame."""
import re
import struct

from etwtest import readelf

NONE, SP, FP, PLT, SP_DEREF, FP_DEREF, SIGNAL, END = range(8)
SPECIAL = 0x7FFF
# one column of a row: a register's rule is one word
REGISTERS = {'rsp': SP, 'rbp': FP, 'sp': SP, 'x29': FP}


def segments(program):
    """(address, end, offset in the file) of the loaded segments"""
    return [(x.address, x.address + x.size, x.offset) for x in readelf.segments(program)]


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
    found, ends = {}, set()
    for fde in readelf.frames(program):
        signal = 'S' in fde.cie.augmentation
        # rows are printed only if they differ from those of the CIE
        found[fde.start] = (_row(fde.cie.row.cfa, fde.cie.row.columns, signal) if fde.cie.row else
                            (SP, 8, -8, SPECIAL))
        found.update((x.address, _row(x.cfa, x.columns, signal)) for x in fde.rows)
        ends.add(fde.end)
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
