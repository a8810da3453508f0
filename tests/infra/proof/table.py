#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Print tests/infra/proof/results.csv as a table, the totals per kernel, and each step's last result."""
import collections
import csv
import os
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
RESULTS = os.path.join(ROOT, "tests", "infra", "proof", "results.csv")
COLUMNS = ("step", "kernel", "cpus", "seed", "events", "unloads", "hotplugs", "seconds",
           "findings", "skipped", "commit")
STORMS = ("storm-", "unload-", "hotplug-")


def grid(rows):
    """A simple reStructuredText table; the first row is its head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rule = "  ".join("=" * w for w in widths)
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([rule, lines[0], rule] + lines[1:] + [rule]) + "\n"


def number(text):
    return f"{int(text):,}" if text.isdigit() else text or "-"


def totals(results):
    """Totals per kernel of the rows without a finding."""
    sums = collections.defaultdict(collections.Counter)
    for row in results:
        if row["findings"] != "0" or not row["step"].startswith(STORMS + ("fuzz-",)):
            continue
        for kernel in (row["target"], "all"):
            if row["step"].startswith("fuzz-"):
                sums[kernel]["ioctls fuzzed"] += int(row["events"] or 0)
                continue
            sums[kernel]["seconds of storms"] += int(row["seconds"] or 0)
            for what in ("unloads", "hotplugs"):
                sums[kernel][what] += int(row[what] or 0)
    names = ("seconds of storms", "ioctls fuzzed", "unloads", "hotplugs")
    kernels = sorted(sums, key=lambda kernel: (kernel == "all", kernel))
    return [["kernel", *names]] + [
        [kernel] + [number(str(sums[kernel][name])) for name in names] for kernel in kernels]


def last_rows(results):
    """One sentence: the steps with a finding in their last row or a skipped check."""
    last = {row["step"]: row for row in results}
    text = f"The last rows of {len(last)} steps: "
    # the oldest rows lack a count of skipped checks
    for what in ("findings", "skipped"):
        steps = [f"{row[what]} in {step} ({row['commit']})" for step, row in sorted(last.items())
                 if row[what] not in ("", "0")]
        counted = sum(row[what] != "" for row in last.values())
        text += f"{what} (recorded by {counted}): {', '.join(steps) or 'none'}; "
    return textwrap.fill(text.rstrip("; ") + ".", 96, break_on_hyphens=False) + "\n"


def main():
    with open(RESULTS, newline="", encoding="ascii") as file:
        results = list(csv.DictReader(file, restval=""))
    rows = [list(COLUMNS)]
    for result in results:
        rows.append([result[c] if c in ("step", "kernel", "commit", "seed") else
                     number(result[c]) for c in COLUMNS])
    print(grid(rows))
    print("Rows without a finding, added up:\n")
    print(grid(totals(results)))
    print(last_rows(results), end="")


if __name__ == "__main__":
    main()
