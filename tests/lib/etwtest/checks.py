# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Report the checks of a Python test, in the form of ktap.py.

A name is the same in every run; figures of one run, errors and reasons are the detail.
"""
failures = []
skipped = set()


class Skip(Exception):
    """This machine lacks something that the check needs."""


def show(result, name, detail=''):
    """Print a check; a detail has one line."""
    detail = ' '.join(str(detail or '').split())
    print('%s - %s%s' % (result, name, ' # ' + detail if detail else ''), flush=True)


def ok(name, detail=''):
    show('ok', name, detail)


def not_ok(name, detail=''):
    failures.append(name)
    show('not ok', name, detail)


def check(good, name, detail=''):
    """A check that is a condition; returns whether it is true."""
    (ok if good else not_ok)(name, detail)
    return bool(good)


def skip(name, reason):
    # once, also where the check runs with several tools
    if name not in skipped:
        show('skip', name, reason)
    skipped.add(name)


def test(name, function, *arguments):
    """A check that is a function: an exception fails it; what it returns is the detail."""
    try:
        ok(name, function(*arguments))
    except Skip as why:
        skip(name, why)
    # an exception fails this check; the other checks still run
    except Exception as error:
        not_ok(name, '%s: %s' % (type(error).__name__, str(error)[:1500]))
