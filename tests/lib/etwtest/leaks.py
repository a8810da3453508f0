# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Which runs of programs with sanitizers look for leaks: looking costs more than all the rest."""
import collections
import os

from etwtest import tier

EACH = 1 if tier.IN_PROOF else 8
runs = collections.Counter()


def environment(program, verb=''):
    """The first run of each verb looks for leaks, and every eighth after it; in the proof all."""
    looks = runs[program, verb] % EACH == 0
    runs[program, verb] += 1
    return dict(os.environ, ASAN_OPTIONS='detect_leaks=%d' % looks)
