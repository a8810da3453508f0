# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Documentation/reference/events.rst as data, and what the sources say that it must have.

A section is a title underlined with = and what follows it. Its events are the hook
ids in its title and those that begin a row of one of its tables; its fields are the
rows of the other tables with field names in their first cell, hook ids before them
if only those events have the field. A cell is text, but for beginnings:

  zero because WHY       the field is always 0, or an empty string; 0: WHY likewise
  constant: WHAT         the field has one value all through a trace
  never: WHY             no such event is written
  not in the test: WHY   the mixed load can't show it; "on ARCHITECTURE" may stand
                         before the colon
"""
import re
from collections import defaultdict, namedtuple

from etwtest import rows

EVENTS = 'Documentation/reference/events.rst'
BORDER = re.compile(r'=+(?: +=+)+$')
HOOK = re.compile(r'[0-9A-F]{4}$')
NAME = re.compile(r'[A-Z][A-Za-z0-9]+(?:\.[A-Z][A-Za-z0-9]+)*$')
VERSION = re.compile(r'\bv([0-9])\b')
MASK = re.compile(r'\bmask ([0-9A-Fa-f]{8})')

Row = namedtuple('Row', 'line cells')


class Section:
    def __init__(self, title, line):
        self.title, self.line = title, line
        self.tables, self.masks = [], [int(m, 16) for m in MASK.findall(title)]
        self.events, self.fields = {}, {}
        # of payloads, as the title has them
        self.versions = set(map(int, VERSION.findall(title)))

    def settle(self):
        """Events and fields out of title and tables."""
        words = MASK.sub('', self.title).replace(',', ' ').replace(';', ' ').split()
        for word in words:
            if HOOK.match(word):
                self.events[word] = ''
        for table in self.tables:
            for row in table:
                words = row.cells[0].replace(',', ' ').split()
                hooks = [w for w in words if HOOK.match(w)]
                names = [w for w in words if NAME.match(w) and not HOOK.match(w)]
                text = ' '.join(c for c in row.cells[1:] if c)
                if hooks and (len(hooks) == len(words) or not names or
                              self.is_event_table(table)):
                    self.events.update(dict.fromkeys(hooks, text))
                elif names and len(hooks) + len(names) == len(words):
                    for name in names:
                        self.fields.setdefault(name, []).append((hooks, text))

    @staticmethod
    def is_event_table(table):
        return all(HOOK.match(row.cells[0].split()[0]) for row in table)

    def field(self, hook, name):
        """The text of a field's row, or None."""
        rows = self.fields.get(name, [])
        for hooks, text in rows:
            if hook in hooks:
                return text
        for hooks, text in rows:
            if not hooks:
                return text
        return None


def tables_of(lines, first):
    """The simple tables among lines: lists of rows."""
    i, found = 0, []
    while i < len(lines):
        if not BORDER.match(lines[i]):
            i += 1
            continue
        starts = [m.start() for m in re.finditer('=+', lines[i])]
        borders = [i]
        while True:
            i += 1
            if BORDER.match(lines[i]):
                borders.append(i)
                if i + 1 == len(lines) or not lines[i + 1].strip():
                    break
        rows = []
        # with three, the first part is what the columns are called
        for n in range(borders[-2] + 1, borders[-1]):
            cells = [lines[n][a:b].strip() for a, b in zip(starts, starts[1:] + [None])]
            if cells[0]:
                rows.append(Row(first + n, cells))
            elif rows:
                rows[-1] = Row(rows[-1].line, [' '.join(filter(None, pair)) for pair in
                                               zip(rows[-1].cells, cells)])
        found.append(rows)
        i += 1
    return found


def sections(path=EVENTS):
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    heads = [i for i in range(len(lines) - 1)
             if lines[i].strip() and not lines[i].startswith(('=', ' ')) and
             re.match(r"=+$", lines[i + 1]) and (not i or not lines[i - 1].strip())]
    found = []
    for n, head in enumerate(heads):
        end = heads[n + 1] if n + 1 < len(heads) else len(lines)
        section = Section(lines[head], head + 1)
        section.tables = tables_of(lines[head + 2:end], head + 3)
        section.settle()
        found.append(section)
    return found


def layouts():
    """{hook: {version: [field names]}} of what the reader knows."""
    found = defaultdict(dict)
    for row in rows.read()['hooks']:
        for of in row['versions']:
            for version in range(of['from'], of['to'] + 1):
                found[f'{row["id"]:04X}'][version] = of['fields']
    return found
