# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Checks of streams with counters: what they need, and how they are reported."""
from etwtest import checks as reports


class Wrong(Exception):
    """What stands in the stream is not what should."""


def need(condition, text):
    if not condition:
        raise Wrong(text)


def run(checks):
    """Each (name, function, arguments); returns whether one failed."""
    for name, check, arguments in checks:
        reports.test(name, check, *arguments)
    return bool(reports.failures)
