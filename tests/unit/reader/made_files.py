# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Runs etw on a file that a test made: forms.py, damage.py, selection.py TOOL SANITIZED-TOOL."""
import json
import os
import subprocess
import sys
import tempfile

from etwtest import leaks
from etwtest.etlmore import e

TOOL, SANE = sys.argv[1:3]
WORK = tempfile.TemporaryDirectory(prefix='etw-forms-')
GUID = bytes(range(16))


def save(content, name='file.etl'):
    path = os.path.join(WORK.name, name)
    with open(path, 'wb') as file:
        file.write(content)
    return path


def run(*arguments, tool=SANE, code=0):
    done = subprocess.run([tool, *arguments], capture_output=True, timeout=50, check=False,
                          env=leaks.environment(tool, *arguments[:1]))
    out, said = done.stdout.decode(), done.stderr.decode()
    assert code is None or done.returncode == code, (arguments, done.returncode, said[-800:])
    assert 'Sanitizer' not in said and 'runtime error' not in said, said
    run.said = said
    return out


def events(content, *options):
    return [json.loads(x) for x in run('dump', '--json', *options, save(content)).splitlines()]


def fields(records, skip=3):
    return [x['fields'] for x in events(e.with_records(records))[skip:]]
