#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write the table of tests/proof/results.csv into Documentation/testing.rst."""
import csv
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RESULTS = os.path.join(ROOT, "tests", "proof", "results.csv")
PAGE = os.path.join(ROOT, "Documentation", "testing.rst")
BEGIN, END = ".. proof: begin\n", ".. proof: end\n"
COLUMNS = ("step", "kernel", "cpus", "seed", "events", "unloads", "hotplugs", "seconds",
           "findings", "commit")


def grid(rows):
    """A simple reStructuredText table; the first row is its head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rule = "  ".join("=" * w for w in widths)
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([rule, lines[0], rule] + lines[1:] + [rule]) + "\n"


def number(text):
    return f"{int(text):,}" if text.isdigit() else text or "-"


def main():
    with open(RESULTS, newline="", encoding="ascii") as file:
        results = list(csv.DictReader(file))
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
        file.write(head + BEGIN + "\n" + grid(rows) + "\n" + END + tail)


if __name__ == "__main__":
    main()
