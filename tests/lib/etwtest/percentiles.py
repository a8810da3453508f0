# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Percentiles of times, exact, to compare those of etw stat with."""

PERCENTS = 50, 90, 99


class Near:
    """Equals a time that is at most 1/128 off; etw stat promises this error."""

    def __init__(self, exact):
        self.exact = exact

    def __eq__(self, other):
        return isinstance(other, int) and abs(other - self.exact) <= self.exact / 128

    def __repr__(self):
        return f'about {self.exact}'


def of(what, times):
    """The columns of some times in ns, in a row of a report."""
    ordered = sorted(times)
    return {f'p{percent} {what} ns':
            Near(ordered[-(-percent * len(ordered) // 100) - 1]) if ordered else None
            for percent in PERCENTS}
