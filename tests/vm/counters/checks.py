# SPDX-License-Identifier: GPL-2.0
"""Checks of streams with counters: what they need, and how they are told."""


class Wrong(Exception):
    """What stands in the stream is not what should."""


def need(condition, text):
    if not condition:
        raise Wrong(text)


def run(checks):
    """Each (name, function, arguments); returns whether one failed."""
    failed = False
    for name, check, arguments in checks:
        try:
            print(f'ok - {name}: {check(*arguments)}')
        # whatever goes wrong is a check that failed, not the end of all others
        except Exception as error:  # pylint: disable=broad-except
            print(f'not ok - {name}: {type(error).__name__}: {error}')
            failed = True
    return failed
