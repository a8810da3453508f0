# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Traces with symbols that several tests here need, and what the tool prints of them."""
import json
import subprocess

from etwtest import etlfile as e
from etwtest import harness as h
from etwtest import objects as o

T = e.T0
SIZE = 0x10000
KALLSYMS = ('0000000000000000 A fixed_percpu_data\n'
            'ffffffff81000000 T startup_64\nffffffff81000100 T do_one\nffffffff81000180 t helper\n'
            'ffffffff81000180 T __helper\nffffffff81000200 D some_data\n'
            'ffffffffc0001000 t in_module\t[etw]\n')


def trace(records, name='file.etl'):
    data = e.buffer([e.anchor(T + 1, 0)] + records, sequence=1, time=T + 10**9, flags=0x21, size=SIZE)
    return h.save(e.header_buffer(end=e.START + 10**9, written=2, size=SIZE) + data, name)


def dump(file, *options):
    lines = subprocess.run([h.TOOL, 'dump', '--symbols', '--json', *options, file], check=True,
                           capture_output=True).stdout.decode().splitlines()
    return [json.loads(line) for line in lines]


def root(name):
    return h.path(name)


def folded(file, *options):
    out = subprocess.run([h.TOOL, 'stat', file, 'stacks', '--folded', *options], check=True,
                         capture_output=True).stdout.decode()
    return dict((x.rsplit(' ', 1)[0], int(x.rsplit(' ', 1)[1])) for x in out.splitlines())


def call_chain():
    program = o.Program(root('chain'), 'chain')
    at = {n: a + 0x400000 - program.base for (a, _), names in program.functions.items() for n in names}
    return program, at, h.save(KALLSYMS.encode(), 'kallsyms')
