# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Runs the checks of a script: each of its functions is one, by its name."""
from etwtest.checks import test


def run(script, helpers):
    """@script: its globals(); @helpers: names of its functions that are no checks."""
    for name, function in list(script.items()):
        if not callable(function) or getattr(function, '__module__', '') != '__main__' or \
                name in helpers:
            continue
        test(name.replace('_', '-'), function)
