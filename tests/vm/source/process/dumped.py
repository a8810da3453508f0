# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The records of a trace as the tool dumps them, for the checks of rundowns."""
import json
import subprocess


def records_of(tool, name, kinds):
    """(kind, what, fields) of the records of these kinds, in their order."""
    done = subprocess.run([tool, 'dump', '--json', name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        event = json.loads(line)
        kind, _, what = event['event'].partition('/')
        if kind in kinds:
            yield kind, what, event['fields']
