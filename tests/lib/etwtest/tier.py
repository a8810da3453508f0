# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""How much of a long test runs: all of it in the proof, a part in the check."""
import os

IN_PROOF = os.environ.get('ETW_TIER') == 'proof'


def rounds(count):
    """How many of @count cases by chance run: every fourth in the check"""
    return count if IN_PROOF else -(-count // 4)


def stride(step):
    """The step of a loop over places: in the check four times as far, and one"""
    return step if IN_PROOF else 4 * step + 1
