# SPDX-License-Identifier: GPL-2.0
"""Runs the checks of a script: each of its functions is one, by its name."""


def run(script, helpers):
    """@script: its globals(); @helpers: names of its functions that are no checks."""
    for name, function in list(script.items()):
        if not callable(function) or getattr(function, '__module__', '') != '__main__' or \
                name in helpers:
            continue
        try:
            function()
            print('ok -', name.replace('_', '-'), flush=True)
        except Exception as error:  # any of them is a finding
            print('not ok - %s: %s: %s' % (name.replace('_', '-'), type(error).__name__,
                                           str(error)[:1500]), flush=True)
