#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write the table of tests/proof/results.csv into Documentation/testing.rst."""
import collections
import csv
import os
import sys
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RESULTS = os.path.join(ROOT, "tests", "proof", "results.csv")
PAGE = os.path.join(ROOT, "Documentation", "testing.rst")
BEGIN, END = ".. proof: begin\n", ".. proof: end\n"
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
    """By kernel, of the rows without a finding: what of each there was in all."""
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
    """One sentence: of which steps the last row has a finding, or a check that was skipped."""
    last = {row["step"]: row for row in results}
    text = f"The last rows of {len(last)} steps: "
    # rows of before checks that were skipped were counted have none
    for what in ("findings", "skipped"):
        told = [f"{row[what]} in {step} ({row['commit']})" for step, row in sorted(last.items())
                if row[what] not in ("", "0")]
        counted = sum(row[what] != "" for row in last.values())
        text += f"{what}, which {counted} tell: {', '.join(told) or 'none'}; "
    return textwrap.fill(text.rstrip("; ") + ".", 96, break_on_hyphens=False) + "\n"


def main():
    with open(RESULTS, newline="", encoding="ascii") as file:
        results = list(csv.DictReader(file, restval=""))
    rows = [list(COLUMNS)]
    for result in results:
        rows.append([result[c] if c in ("step", "kernel", "commit", "seed") else
                     number(result[c]) for c in COLUMNS])
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    if BEGIN not in page or END not in page:
        sys.exit("table.py: testing.rst lacks the marks of the table")
    head, rest = page.split(BEGIN)
    tail = rest.split(END)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + BEGIN + "\n" + grid(rows) +
                   "\nRows without a finding, added up:\n\n" + grid(totals(results)) + "\n" +
                   last_rows(results) + "\n" + END + tail)


if __name__ == "__main__":
    main()
