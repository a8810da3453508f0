# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What etw stat prints of the counters in fabricated traces."""
import json
import re

from etwtest import etlfile as e
from etwtest import harness as h

T = e.T0
THREADS = {0: 0, 100: 100, 101: 100, 200: 200}


def stat(content, *options, code=0, what='counters', tool=h.TOOL):
    return h.run(tool, 'stat', h.save(bytes(content)), what, *options, code=code)


def data(content, *options, code=0, what='counters', tool=h.TOOL):
    out = stat(content, '--json', *options, code=code, what=what, tool=tool)
    return json.loads([x for x in out.splitlines() if x.startswith('{')][0])


def numbers(row, skip=0):
    return [v for v in list(row['values'].values())[skip:]]


def rules_of(content, kind='violation', code=None):
    out = h.run(h.TOOL, 'check', h.save(bytes(content)), code=code)
    return {int(n) for n in re.findall(r'^%s: rule (\d+):' % kind, out, re.M)}
