#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the rows of events.rst about events and fields with a trace of a mixed load.

mixed.py DIRECTORY ARCHITECTURE

Each event with a row occurs. Each field with a source has more than one value. Each field that must
be zero or constant is. Of an event with very many records, some are compared. DIRECTORY has
etw.json, the output of 'etw dump --json'.
"""
import json
import re
import sys
from collections import defaultdict

from etwtest import checks
from etwtest import catalogue

HOOK = re.compile(r'"hook":"([0-9a-f]{4})"')
MANY = 10000
EMPTY = (0, '', '0x0', '0', None)


def values_of(path):
    """({hook: number}, {(hook, field): set of its first few values})"""
    events, values = defaultdict(int), defaultdict(set)
    with open(path, encoding='utf-8') as file:
        for line in file:
            found = HOOK.search(line)
            if not found:
                continue
            hook = found[1].upper()
            events[hook] += 1
            # of very many, some will do; a prime's multiples, not always the same of a pattern
            if events[hook] > MANY and events[hook] % 17:
                continue
            event = json.loads(line)
            for name, value in event.get('fields', {}).items():
                seen = values[hook, name]
                if len(seen) < 3:
                    seen.add(json.dumps(value) if isinstance(value, (list, dict)) else value)
    return events, values


def excused(text, architecture):
    """Whether a row says that the load can't show it there."""
    return any(not where or architecture in where
               for where in re.findall(r'not in the test(?: on ([\w, ]+?))?:', text))


def is_empty(value):
    """A list is text here; one of zeros is empty, too."""
    if isinstance(value, str) and value.startswith('['):
        return all(x in EMPTY for x in json.loads(value))
    return value in EMPTY


def check_field(hook, name, text, seen, architecture):
    """What is wrong, or None."""
    if re.match(r'zero because|0(:|$)', text):
        bad = [v for v in seen if not is_empty(v)]
        return f'{hook}: {name} should be zero, and is {bad[0]!r}' if bad else None
    if text.startswith('constant:'):
        return f'{hook}: {name} should be constant, and is any of {sorted(map(str, seen))}' \
            if len(seen) > 1 else None
    if len(seen) < 2 and not excused(text, architecture):
        return f'{hook}: {name} never varies: {sorted(map(str, seen))}'
    return None


def main():
    directory, architecture = sys.argv[1:]
    events, values = values_of(f'{directory}/etw.json')
    sections, bad, fields = catalogue.sections(), [], 0
    rows = {}
    for section in sections:
        for hook, text in section.events.items():
            rows.setdefault(hook, (section, text))
            if hook not in events and not re.match(r'never\b', text) and ' never' not in text \
                    and not excused(text, architecture):
                bad.append(f'{hook} ({section.title}) never occurs')
    for hook in sorted(events):
        if hook not in rows:
            bad.append(f'{hook} occurs, and has no row')
    for (hook, name), seen in sorted(values.items()):
        if hook not in rows:
            continue
        # of several of one name the reader numbers all but the first
        row = name.partition('#')[0]
        text = next((t for t in (s.field(hook, row) for s in sections if hook in s.events)
                     if t is not None), None)
        fields += 1
        wrong = f'{hook}: {name} has no row' if text is None else \
            check_field(hook, name, text, seen, architecture)
        if wrong:
            bad.append(wrong)
    for text in bad:
        print(f'  {text}')
    checks.check(not bad, 'events, records and fields are as events.rst specifies',
                 f'{len(events)} events, {sum(events.values())} records, {fields} fields, '
                 f'{len(bad)} are not')
    sys.exit(bool(bad) or len(events) < 60)


if __name__ == '__main__':
    main()
