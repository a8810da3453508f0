# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What readelf prints of ELF files: loaded segments and call frame information."""
import collections
import re
import subprocess

HEAD = re.compile(r'([0-9a-f]{8}) [0-9a-f]+ [0-9a-f]{8,16} (?:CIE "(\w*)"(?:.* ra=(\d+))?|'
                  r'FDE cie=([0-9a-f]{8}) pc=([0-9a-f]+)\.\.([0-9a-f]+))')

Segment = collections.namedtuple('Segment', 'address offset size executable')
# ra: the column of return addresses as text, or None: not printed; row: of its instructions, or None
Cie = collections.namedtuple('Cie', 'augmentation ra row')
# cie: None: there is no such; rows: those that differ from the row of the CIE
Fde = collections.namedtuple('Fde', 'cie start end rows')
# columns: the rule of each register that has one
Row = collections.namedtuple('Row', 'address cfa columns')


def segments(file):
    """The loaded segments, in order"""
    text = subprocess.run(['readelf', '-lW', file], check=True, capture_output=True,
                          text=True).stdout
    return [Segment(int(address, 16), int(offset, 16), int(size, 16), flags[2] == 'E')
            for offset, address, size, flags in
            re.findall(r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ (...)', text)]


def _row(words, columns):
    """The row that the words of a line are, or None"""
    if len(words) < 2 or not re.fullmatch('[0-9a-f]{16}', words[0]):
        return None
    return Row(int(words[0], 16), words[1], dict(zip(columns, words[2:])))


def frames(file):
    """The FDEs, in the order of the file"""
    # it fails if it misses a debug file that it does not need
    text = subprocess.run(['readelf', '--debug-dump=frames-interp', '-W', file], check=False,
                          stderr=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
    cies, found, columns, rows = {}, [], [], None
    for line in text.splitlines():
        # "r10 (r10)" is one column
        head, words = HEAD.match(line), re.sub(r' \(\w+\)', '', line).split()
        row = _row(words, columns)
        if head and head[4] is None:
            rows = None
            cie = head[1]
            cies[cie] = Cie(head[2], head[3], None)
        elif head:
            rows = []
            found.append(Fde(cies.get(head[4]), int(head[5], 16), int(head[6], 16), rows))
        elif words[:2] == ['LOC', 'CFA']:
            columns = words[2:]
        elif row and rows is not None:
            rows.append(row)
        elif row and cies:
            cies[cie] = cies[cie]._replace(row=row)
    return found
