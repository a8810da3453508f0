# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The text that ftrace left beside a stream, and whether it is all of it."""
import sys


def matches(path, line):
    """What @line, a regular expression, makes of each line; it has to know all of them."""
    with open(path, encoding='utf-8', errors='replace') as file:
        for text in filter(str.strip, file):
            found = line.match(text)
            if not found:
                raise ValueError(f'ftrace line: {text!r}')
            yield found


def check_complete(path, lines):
    """Nothing overwritten, nothing dropped, everything in the text."""
    entries = 0
    with open(path, encoding='utf-8') as file:
        for text in file:
            name, _, value = text.partition(':')
            if name in ('overrun', 'commit overrun', 'dropped events') and int(value):
                sys.exit(f'ftrace lost events: {text.strip()}')
            if name == 'entries':
                entries += int(value)
    if entries != lines:
        sys.exit(f'ftrace: {entries} entries but {lines} lines')
