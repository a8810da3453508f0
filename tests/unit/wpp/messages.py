# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Traces with messages, TMF files that describe them, and what etw dump makes of both."""
import json

from etwtest import etlfile as e
from etwtest.harness import SANE, TOOL, path, run, save

GUID = '00010203-0405-0607-0809-0a0b0c0d0e0f'
RAW = bytes.fromhex('030201000504070608090a0b0c0d0e0f')


def texts(*arguments, tool=TOOL):
    lines = run(tool, 'dump', '--json', *arguments).splitlines()
    return [x for x in map(json.loads, (x for x in lines if x.startswith('{')))
            if x['header'] == 'MESSAGE']


def message(number, payload, bits=64):
    return e.message(number, 2 | (0x80 if bits == 64 else 0x40), RAW, payload)


def trace(*payloads, bits=64):
    """A file of messages with the numbers 1, 2 and so on."""
    return save(e.with_records([message(1 + i, x, bits) for i, x in enumerate(payloads)]),
                'one.etl')


def shown(*payloads, tool=SANE):
    """The texts of such messages by one.tmf; None: it does not describe the message."""
    found = texts('--tmf', path('one.tmf'), trace(*payloads), tool=tool)
    assert len(found) == len(payloads), found
    return [x['fields'].get('Text') for x in found]


def warnings(name='one.tmf'):
    """What etw warns of while it reads the file, without the file's path."""
    out = run(SANE, 'dump', '--count', '--tmf', path(name), trace(b''))
    start = 'etw: warning: %s:' % path(name)
    return [x[len(start):] for x in out.splitlines() if x.startswith(start)]


def one(payload, bits=64, number=1, tool=SANE):
    """A record's text, and what more is said of it."""
    name = save(e.with_records([message(number, payload, bits)]), 'one.etl')
    found = texts('--tmf', path('one.tmf'), name, tool=tool)
    assert len(found) == 1, found
    return found[0]['fields'].get('Text'), found[0].get('truncated', False), found[0]['fields']


def write_tmf(text, *items, number=1, more=''):
    arguments = '\n'.join('code(a, b), %s -- %d' % (x, 10 + i) for i, x in enumerate(items))
    save(('// PDB:  x.pdb\n%s prog // SRC=a.c MJ= MN=\n#typev a_c7 %d "%s" //   LEVEL=L FLAGS=F '
          'FUNC=main\n{\n%s\n}\n%s' % (GUID, number, text, arguments, more)).encode(), 'one.tmf')
