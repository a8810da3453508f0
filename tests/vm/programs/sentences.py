#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare a table of sentences with the checks that were made of them.

sentences.py [-s WHERE]... SENTENCES LOG: each sentence of the table must have one
line "row ID good|bad: ..." in LOG, and each such line a sentence. Prints a line
per check, with its name from the table. -s: what cannot be checked on this
machine, and is reported as left out.
"""

import re
import sys

from etwtest.checks import check, not_ok, skip

TOPICS = {"H": "EVENT_TRACE_HEADER", "T": "TraceEvent", "M": "MESSAGE_TRACE_HEADER"}
PLACES = {"device", "compat32", "library", "kernel", "tool", "none"}


def sentences(name):
    """Yield (id, Windows' version, where, what it says)."""
    with open(name, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield tuple(field.strip() for field in line.split("|"))


def checks(name):
    """Return what the log has of each id: a list of (good, what was seen)."""
    found = {}
    with open(name, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if match := re.match(r"row (\w+) (good|bad): (.*)", line):
                found.setdefault(match[1], []).append((match[2] == "good", match[3].strip()))
    return found


def is_in_order(rows):
    """Ids count up from 01 in each topic, and say something each."""
    want = dict.fromkeys(TOPICS, 0)
    for number, _, where, what in rows:
        want[number[0]] += 1
        if number != f"{number[0]}{want[number[0]]:02}" or where not in PLACES or not what:
            return False
        if where == "none" and not what.endswith(")"):
            return False
    return True


def main():
    """Print the checks."""
    arguments, left_out = sys.argv[1:], set()
    while arguments[0] == "-s":
        left_out.add(arguments[1])
        arguments = arguments[2:]
    rows, found = list(sentences(arguments[0])), checks(arguments[1])
    counts = {"checked": 0, "none": 0, "left": 0}
    for number, version, where, what in rows:
        name = f"{TOPICS[number[0]]} {number}, Windows {version}: {what}"
        made = found.pop(number, [])
        if where == "none":
            counts["none"] += 1
            if made:
                not_ok(name, "there is a check")
        elif where in left_out:
            counts["left"] += 1
            skip(name, f"no {where} on this machine")
        elif len(made) != 1:
            not_ok(name, f"{len(made)} checks")
        else:
            counts["checked"] += 1
            check(made[0][0], name, made[0][1])
    for number in found:
        not_ok(f"{number}: a check without a sentence")
    good = is_in_order(rows) and len(rows) == sum(counts.values())
    check(good, "each sentence is checked once, or has a reason",
          f"{len(rows)} sentences, {counts['checked']} checked, "
          f"{counts['none']} with a reason, {counts['left']} not on this machine")


main()
